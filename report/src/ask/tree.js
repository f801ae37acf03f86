// SPDX-License-Identifier: Apache-2.0
// The list of parts: name to choose one, buttons to hide it, make it pale or see it alone, a field for its colour.
import { element, plural } from '../format.js';
import { placesOf } from './marks.js';

const MOST = 200; // rows of a section; others are found by typing
const ICON = {
  shown: '<path d="M1.5 8s2.4-4.5 6.5-4.5S14.5 8 14.5 8 12.1 12.5 8 12.5 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="2.2"/>',
  pale: '<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5a5.5 5.5 0 0 0 0 11z" fill="currentColor"/>',
  alone: '<path d="M8 1v3M8 12v3M1 8h3M12 8h3"/><circle cx="8" cy="8" r="2.8"/>',
};
const icon = (name) => {
  const holder = document.createElement('span');
  holder.innerHTML = `<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.3" aria-hidden="true">${ICON[name]}</svg>`;
  return holder.firstChild;
};
const hex = (colour) => (typeof colour === 'number' ? `#${colour.toString(16).padStart(6, '0')}` : colour);

export class Tree {
  /** choose(name): called when a name is clicked; over(name or null): when it is pointed at; all: parts that are at no place are listed, too */
  constructor(holder, runs, looks, { choose, over = () => {}, all = false }) {
    Object.assign(this, { holder, looks, choose, over, all, chosen: null, closed: new Set() });
    this.take(runs);
    this.find = element('input', { type: 'search', placeholder: 'Find a part', 'aria-label': 'Find a part', autocomplete: 'off', spellcheck: 'false', oninput: () => this.fill() });
    this.list = element('div', { class: 'tree-list' });
    holder.replaceChildren(element('div', { class: 'tree-head' }, this.find, element('button', { type: 'button', onclick: () => looks.reset() }, 'Show all')), this.list);
    this.fill();
    looks.listen(() => this.mark());
  }

  take(runs) {
    const every = (run) => (this.all ? run.parts.map(([name, kind, section], part) => ({ name, kind, section, part })).slice(1) : []); // without the ground
    const places = (run) => [...every(run), ...placesOf(run).filter(({ part }) => part > 0 || !this.all).map((place) => ({ ...place, placed: true }))];
    this.places = new Map(runs.flatMap((run) => places(run).map((place) => [place.name, { ...place, run }])));
  }

  /** Other runs in place of those before. */
  show(runs) {
    this.take(runs);
    this.fill();
  }

  fill() {
    const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean), sections = new Map();
    for (const place of this.places.values()) {
      if (!words.every((word) => `${place.name} ${place.kind} ${place.section}`.toLowerCase().includes(word))) continue;
      if (!sections.has(place.section)) sections.set(place.section, []);
      sections.get(place.section).push(place);
    }
    this.list.replaceChildren(...[...sections].map(([section, list]) => this.section(section, list)));
    if (!sections.size) this.list.append(element('p', { class: 'quiet small' }, this.places.size ? 'No part fits.' : 'No parts yet.'));
    this.mark();
  }

  section(section, list) {
    const names = list.map(({ name }) => name);
    const hide = element('button', { type: 'button', class: 'icon', 'aria-label': `Hide all ${section}`, title: `hide or show all ${section}`, onclick: () => this.looks.set(names, { look: names.every((name) => this.looks.of(name).look === 'hidden') ? 'shown' : 'hidden' }) }, icon('shown'));
    const placed = list.some((place) => place.placed);
    const details = element('details', { open: this.find.value !== '' || !this.closed.has(section), class: 'tree-section', ontoggle: () => this.closed[details.open ? 'delete' : 'add'](section) }, element('summary', {}, `${section} (${list.length.toLocaleString('en')})`),
      element('ul', {}, ...(placed ? [element('li', { class: 'all' }, element('span', { class: 'quiet' }, 'all'), hide)] : []), ...list.slice(0, MOST).map((place) => this.row(place))),
      list.length > MOST ? element('p', { class: 'quiet small' }, `${plural(list.length - MOST, 'part', 'parts')} more: type to find them.`) : '');
    return details;
  }

  row({ name, kind, part, run, placed }) {
    const { looks } = this, toggle = (look) => () => looks.set([name], { look: looks.of(name).look === look ? 'shown' : look });
    const button = (what, label, action) => element('button', { type: 'button', class: 'icon', 'data-do': what, 'aria-label': `${label} ${name}`, title: label, 'aria-pressed': 'false', onclick: action }, icon(what));
    const colour = element('input', { type: 'color', 'aria-label': `Colour of ${name}`, title: 'colour', value: hex(looks.drawn(run, part)), oninput: () => looks.set([name], { colour: colour.value }) });
    const label = element('button', { type: 'button', class: 'part', title: kind, onclick: () => this.choose(name), onpointerenter: () => this.over(name), onpointerleave: () => this.over(null), onfocus: () => this.over(name), onblur: () => this.over(null) }, name);
    const small = element('span', { class: 'kind quiet' }, kind);
    if (!placed) return element('li', { 'data-part': name, class: 'nowhere' }, label, small);
    return element('li', { 'data-part': name }, colour, label, small,
      button('shown', 'Hide', toggle('hidden')), button('pale', 'Make transparent:', toggle('pale')), button('alone', 'Show alone', () => looks.isolate(looks.alone === name ? null : name)));
  }

  /** Buttons as parts look now. */
  mark() {
    for (const row of this.list.querySelectorAll('li[data-part]')) {
      const name = row.dataset.part, { look } = this.looks.of(name), place = this.places.get(name);
      const pressed = { shown: look === 'hidden', pale: look === 'pale', alone: this.looks.alone === name };
      for (const button of row.querySelectorAll('[data-do]')) button.setAttribute('aria-pressed', String(pressed[button.dataset.do]));
      row.classList.toggle('out', look === 'hidden' || (this.looks.alone !== null && this.looks.alone !== name));
      row.classList.toggle('chosen', this.chosen === name);
      if (place.placed) row.querySelector('input').value = hex(this.looks.drawn(place.run, place.part));
    }
  }

  /** The part that is pointed at in the picture. */
  point(name) {
    for (const row of this.list.querySelectorAll('li[data-part]')) row.classList.toggle('pointed', row.dataset.part === name);
  }

  /** The row of a part that was chosen elsewhere. */
  select(name) {
    this.chosen = name;
    this.mark();
    if (!this.holder.hidden) this.list.querySelector('li.chosen')?.scrollIntoView({ block: 'nearest' });
  }
}

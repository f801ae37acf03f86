// SPDX-License-Identifier: Apache-2.0
// The tree of all parts, by sections: names, kinds; the part that is chosen, with what is known of it.
import { element, plural, quantity, significant, table } from '../format.js';

const MOST = 400; // parts of a section that are listed; all of them can be found

export class Tree {
  /** `over` and `choose` are called with a part, or -1. */
  constructor(holder, find, { over, choose }) {
    Object.assign(this, { holder, find, over, choose, chosen: -1, open: new Map(), buttons: new Map() });
    find.addEventListener('input', () => this.draw());
  }

  show(run) {
    this.run = run;
    this.chosen = -1;
    this.draw();
  }

  sections(words) {
    const sections = new Map();
    this.run.parts.forEach(([name, kind, section], part) => {
      if (part === 0 || (words && !`${name} ${kind} ${section}`.toLowerCase().includes(words))) return;
      if (!sections.has(section)) sections.set(section, []);
      sections.get(section).push({ part, name, kind });
    });
    return sections;
  }

  button({ part, name, kind }) {
    const made = element('button', { type: 'button', 'data-part': part, 'aria-pressed': String(part === this.chosen), onclick: () => this.choose(part === this.chosen ? -1 : part), onpointerenter: () => this.over(part), onpointerleave: () => this.over(-1), onfocus: () => this.over(part), onblur: () => this.over(-1) },
      element('span', {}, name), element('span', {}, kind));
    this.buttons.set(part, made);
    return made;
  }

  draw() {
    const words = this.find.value.trim().toLowerCase(), sections = this.sections(words);
    this.buttons.clear();
    const made = [...sections].map(([section, parts]) => {
      const list = element('ul', {}, ...parts.slice(0, MOST).map((p) => element('li', {}, this.button(p))));
      if (parts.length > MOST) list.append(element('li', { class: 'quiet' }, `and ${parts.length - MOST} more: use the search`));
      const details = element('details', { ontoggle: () => this.open.set(section, details.open) }, element('summary', {}, `${section} (${parts.length})`), list);
      details.open = words !== '' || (this.open.get(section) ?? parts.length <= 40);
      return details;
    });
    this.holder.replaceChildren(...(made.length ? made : [element('p', { class: 'quiet' }, words ? 'no part has this name' : 'there are no parts')]));
  }

  mark(part) {
    this.chosen = part;
    for (const [p, button] of this.buttons) button.setAttribute('aria-pressed', String(p === part));
  }

  point(part) {
    for (const [p, button] of this.buttons) button.classList.toggle('pointed', p === part);
  }
}

/** What is known of a part: kind, mass, nodes, place. */
export function showPart(holder, run, part, place) {
  const [, kind, section] = run.parts[part], mass = run.scene.masses[part];
  const nodes = run.node_part.reduce((n, p) => n + (p === part), 0);
  const rows = [['kind', `${kind} (${section})`]];
  if (mass > 0) rows.push(['mass', quantity(mass * 1000, 'g')]);
  if (nodes) rows.push(['nodes', nodes.toLocaleString('en')]);
  if (place) rows.push(['at, m', place.map((v) => significant(v, 4)).join(', ')]);
  const loads = run.scene.loads.filter((l) => l[0] === part);
  if (loads.length) rows.push([loads[0][8] ? 'moment, N m' : 'force, N', loads[0].slice(5, 8).map((v) => significant(v, 4)).join(', ')]);
  if (loads.length > 1) rows.push(['', `the first of ${plural(loads.length, 'arrow', 'arrows')}`]);
  holder.replaceChildren(table([], rows));
}

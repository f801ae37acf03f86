// SPDX-License-Identifier: Apache-2.0
// The card of the part that was picked: what it is, where it is, how it moves, its energies, and its channels to plot.
import { valueNow } from '../channels.js';
import { element, kindOf, massOf, significant } from '../format.js';
import { readable } from '../units.js';
import { bodyEnergies } from './energy.js';

const MOST = 40; // channels

export class Card {
  /** tools: {looks, units, groups, player, plot(key), isPlotted(key), frame(), close()} */
  constructor(holder, tools) {
    Object.assign(this, tools, { holder, picked: null });
    tools.player.listen(() => this.refresh());
    tools.units.listen(() => this.show(this.picked));
    tools.looks.listen(() => this.mark());
  }

  show(picked) {
    this.picked = picked;
    this.holder.hidden = !picked;
    if (!picked) return;
    const { run, part } = picked, [name, kind, section] = run.parts[part];
    this.name = name;
    this.own = this.groups.filter((g) => g.part === name && [...g.names].every((n) => run.column.has(n)));
    this.values = [];
    this.buttons = { hidden: this.button('Hide', () => this.toggle('hidden')), pale: this.button('Transparent', () => this.toggle('pale')), alone: this.button('Alone', () => this.looks.isolate(this.looks.alone === name ? null : name)) };
    const close = element('button', { type: 'button', class: 'icon', 'aria-label': 'Close', onclick: () => this.close() }, '×');
    this.holder.replaceChildren(
      element('div', { class: 'card-head' }, element('div', {}, element('strong', {}, name), element('span', { class: 'quiet' }, ` ${kindOf(kind, section)}${this.several ? `, ${run.name}` : ''}`)), close),
      element('div', { class: 'card-tools' }, this.button('Frame', () => this.frame()), ...Object.values(this.buttons)),
      element('div', { class: 'card-rows' }, element('table', {}, element('tbody', {}, ...this.rows()))));
    this.refresh();
    this.mark();
  }

  button(text, action) { return element('button', { type: 'button', onclick: action }, text); }

  toggle(look) { this.looks.set([this.name], { look: this.looks.of(this.name).look === look ? 'shown' : look }); }

  mark() {
    if (!this.picked) return;
    const { look } = this.looks.of(this.name), pressed = { hidden: look === 'hidden', pale: look === 'pale', alone: this.looks.alone === this.name };
    for (const [key, button] of Object.entries(this.buttons)) button.setAttribute('aria-pressed', String(pressed[key]));
  }

  row(label, title, compute, group = null) {
    const value = element('td', { class: 'n' });
    this.values.push({ value, compute });
    const box = group && element('input', { type: 'checkbox', 'aria-label': `Plot ${group.key}`, title: 'plot', onchange: () => this.plot(group.key, box.checked) });
    if (box) box.checked = this.isPlotted(group.key);
    return element('tr', {}, element('td', { title }, box ? element('label', {}, box, ` ${label}`) : label), value);
  }

  rows() {
    const { run } = this.picked, { units, name } = this;
    const order = ['position', 'velocity', 'omega', 'force', 'moment'], rank = (g) => { const k = order.indexOf(g.key.slice(name.length + 1)); return k < 0 ? order.length : k; };
    const channels = this.nearest([...this.own]).sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
    const written = (g) => {
      const list = [...g.names].map((n) => significant(units.value(valueNow(run, n, this.player.t), g.unit), 4));
      return `${list.join(', ')}${g.unit === '1' ? '' : ` ${units.name(g.unit)}`}`;
    };
    return [...this.energies(run), ...channels.map((g) => this.row(g.key.slice(name.length + 1) || g.key, g.meaning, () => written(g), g))];
  }

  /** Of a part with many nodes, the channels of the one nearest to where it was picked. */
  nearest(groups) {
    const { run, point } = this.picked, numbered = groups.filter((g) => /\.\d+\.position$/.test(g.key));
    if (!numbered.length || !point) return groups;
    const away = (g) => Math.hypot(...['x', 'y', 'z'].map((c, k) => valueNow(run, `${g.key}.${c}`, this.player.t) - point.getComponent(k)));
    const stem = numbered.reduce((best, g) => (away(g) < away(best) ? g : best)).key.replace(/position$/, '');
    return groups.filter((g) => g.key.startsWith(stem) || !/^(.*\.)?\d+\./.test(g.key.slice(this.name.length + 1)));
  }

  energies(run) {
    const { name, player } = this, start = bodyEnergies(run, name, run.history.t[0]);
    if (!start) return [];
    const joule = (value) => { const { unit, factor } = readable(value, 'J'); return `${significant(value / factor, 4)} ${unit}`; };
    const now = () => bodyEnergies(run, name, player.t);
    return [this.row('mass', 'mass of the body', () => massOf(start.mass)),
      ...(run.statics ? [] : [this.row('kinetic energy', 'of translation and rotation', () => joule(now().kinetic))]),
      ...(Math.hypot(...run.gravity) > 0 ? [this.row('gravity energy', 'change since the start', () => joule(now().gravity - start.gravity))] : [])];
  }

  refresh() {
    if (!this.picked) return;
    for (const { value, compute } of this.values) value.textContent = compute();
  }
}

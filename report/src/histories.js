// SPDX-License-Identifier: Apache-2.0
// Any history, picked from a list, over time or over another one, with its spectrum; of several runs also as differences.
import { groupsOf, search, valueNow } from './channels.js';
import { lineColour } from './colour.js';
import { columnOf } from './data.js';
import { element, significant, table } from './format.js';
import { spectrum } from './fft.js';
import { align } from './ledger.js';
import { plot } from './plot.js';
import { Units } from './units.js';
import { showCurves } from './xy.js';

const SHOWN = 600; // entries of the list; more are found by typing

const dashes = [undefined, [6, 4], [2, 3], [8, 3, 2, 3]];
const byId = (id) => document.getElementById(id);

/** What the model asked for in its table, or something that moves. */
function defaultGroup(run, groups) {
  for (const selector of run.columns_asked ?? []) {
    const found = groups.find((g) => g.key === selector || g.names.has(selector));
    if (found && !selector.startsWith('energy')) return found.key;
  }
  const places = groups.filter((g) => g.key.endsWith('.position')).slice(0, 300);
  const range = (name) => { const v = columnOf(run, name); return v ? v.reduce((a, b) => Math.max(a, b), -Infinity) - v.reduce((a, b) => Math.min(a, b), Infinity) : 0; };
  const moves = places.map((g) => Math.max(...[...g.names].map(range)));
  return (places[moves.indexOf(Math.max(...moves))] ?? groups[0])?.key;
}

export class Histories {
  constructor(runs, player, units = new Units(runs)) {
    Object.assign(this, { runs, player, units, over: 'time', relative: false, listeners: [] });
    this.groups = groupsOf(runs);
    this.chosen = new Set([defaultGroup(runs[0], this.groups)].filter(Boolean));
    this.list = byId('list');
    byId('filter').addEventListener('input', () => this.fill());
    this.list.addEventListener('change', () => this.choose());
    byId('log').addEventListener('change', () => this.drawSpectrum());
    byId('over')?.addEventListener('change', ({ target }) => { this.over = target.value; this.draw(); });
    byId('relative')?.addEventListener('change', ({ target }) => { this.relative = target.checked; this.draw(); });
    if (byId('relative')) byId('relative').closest('label').hidden = runs.length < 2;
    if (runs.length > 1 && byId('relative-name')) byId('relative-name').textContent = `less ${runs[0].name}`;
    this.fill();
    this.draw();
    player.listen(() => this.readOut());
    units.listen(() => { this.fill(); this.draw(); });
  }

  fill() {
    const matches = search(this.groups, byId('filter').value), shown = matches.slice(0, SHOWN);
    this.list.replaceChildren(...shown.map((g) => {
      const option = element('option', { value: g.key, title: g.meaning }, `${g.key}   ${this.units.name(g.unit)}`);
      option.selected = this.chosen.has(g.key);
      return option;
    }));
    const { stride, every } = this.runs[0].history;
    const notes = [matches.length ? null : 'No quantity matches. Search for a name or a meaning: position, tension, reaction, angle …',
      matches.length > SHOWN ? `${matches.length.toLocaleString('en')} match; the first ${SHOWN} are listed. Type more to find others.` : null,
      stride > 1 ? `For parts with many nodes this page has every ${stride}th node; torsor info --csv writes all.` : null,
      every > 1 ? `This page has every ${every}th stored state.` : null, 'Hold Ctrl to choose several.'];
    byId('list-note').textContent = notes.filter(Boolean).join(' ');
  }

  choose() {
    const listed = new Set([...this.list.options].map((o) => o.value));
    for (const key of [...this.chosen]) if (listed.has(key)) this.chosen.delete(key);
    for (const option of this.list.selectedOptions) this.chosen.add(option.value);
    if (this.list.selectedOptions.length === 1) this.chosen = new Set([this.list.value]);
    this.draw();
  }

  /** Adds a quantity to the plot, or takes it out. */
  plot(key, shown) {
    if (shown) this.chosen.add(key);
    else this.chosen.delete(key);
    this.fill();
    this.draw();
  }

  /** What is drawn: a column of a run each. With one quantity of several runs, each run has a colour; otherwise each quantity has. */
  curves() {
    const curves = [];
    for (const key of this.chosen) {
      const group = this.groups.find((g) => g.key === key);
      for (const name of group?.names ?? [])
        for (const run of this.runs)
          if (run.column.has(name)) curves.push({ run, name, meaning: group.meaning, unit: run.column.get(name).unit, label: this.runs.length > 1 ? `${name}, ${run.name}` : name });
    }
    const names = [...new Set(curves.map((c) => c.name))], single = names.length === 1;
    curves.forEach((c) => {
      c.colour = lineColour(single ? c.run.index : names.indexOf(c.name));
      c.dash = single ? undefined : dashes[c.run.index % dashes.length];
    });
    return curves.slice(0, 24);
  }

  /** Values of a curve at the times x, in the units shown; less those of the first run where differences are asked for. */
  valuesOf(curve, x, at) {
    const own = this.units.values(at(curve.run, curve.name), curve.unit);
    if (!this.relative || curve.run === this.runs[0]) return own;
    return Array.from(own, (v, i) => { const first = valueNow(this.runs[0], curve.name, x[i]); return v === null || v === undefined || first === null ? null : v - this.units.value(first, curve.unit); });
  }

  draw() {
    this.shown = this.curves();
    this.fillOver();
    const { x, at } = align(this.runs), drawn = this.relative ? this.shown.filter((c) => c.run !== this.runs[0]) : this.shown;
    if (this.over !== 'time') showCurves(byId('history-plot'), this.shown.filter((c) => c.name !== this.over), this.over, this.units, this.player);
    else plot(byId('history-plot'), { x, xLabel: this.runs[0].axis, series: drawn.map((c) => ({ ...c, unit: this.units.name(c.unit), values: this.valuesOf(c, x, at) })), height: 250, player: this.player, legend: false });
    this.readOut(true);
    this.drawSpectrum();
    for (const listener of this.listeners) listener(this);
  }

  /** What may be plotted over: time, or one of the quantities shown. */
  fillOver() {
    const select = byId('over');
    if (!select) return;
    const names = [...new Set(this.shown.map((c) => c.name))];
    if (this.over !== 'time' && (!names.includes(this.over) || names.length < 2)) this.over = 'time';
    select.replaceChildren(...['time', ...(names.length > 1 ? names : [])].map((name) => element('option', { value: name, selected: name === this.over }, name === 'time' ? this.runs[0].axis.split(',')[0].replace(/^t$/, 'time') : name)));
    select.value = this.over;
  }

  readOut(anew = false) {
    const { units } = this;
    const rows = this.shown.map((c) => {
      c.range ??= columnOf(c.run, c.name).reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
      return { c, now: significant(units.value(valueNow(c.run, c.name, this.player.t), c.unit)) };
    });
    if (anew || !this.cells) {
      const swatch = (c) => element('span', { title: c.meaning }, element('span', { class: 'swatch', style: `background:${c.colour}` }), c.label);
      const made = table(['', 'now', 'least', 'largest', 'unit'], rows.map(({ c, now }) =>
        [swatch(c), { number: now }, { number: significant(units.value(c.range[0], c.unit)) }, { number: significant(units.value(c.range[1], c.unit)) }, units.name(c.unit)]));
      byId('history-table').replaceChildren(made);
      this.cells = [...made.querySelectorAll('tbody tr')].map((row) => row.children[1]);
    } else rows.forEach(({ now }, i) => (this.cells[i].textContent = now));
  }

  drawSpectrum() {
    const log = byId('log').checked, series = [], { units } = this;
    let x = null, note = 'Too few stored states for a spectrum.';
    byId('spectrum').hidden = Boolean(this.runs[0].statics);
    for (const c of this.runs[0].statics ? [] : this.shown) {
      const s = spectrum(c.run.history.t, columnOf(c.run, c.name));
      if (!s || (x && s.frequency.length !== x.length)) continue;
      x ??= s.frequency;
      const peak = s.amplitude.reduce((a, v) => Math.max(a, v), 0), floor = 1e-9 * peak;
      if (!(peak > 0)) continue;
      const values = units.values(log ? [...s.amplitude].map((v) => (v > floor ? v : null)) : s.amplitude, c.unit);
      series.push({ ...c, unit: units.name(c.unit), values });
      note = `Amplitudes over frequency, of ${s.samples.toLocaleString('en')} values ${significant(s.dt, 4)} s apart, mean removed, Hann window. Drag to zoom, double-click to reset.`;
    }
    byId('spectrum-note').textContent = note;
    const holder = byId('spectrum-plot');
    if (series.length) plot(holder, { x, xLabel: 'frequency, Hz', series, height: 200, log, legend: false });
    else holder.uplot?.destroy(), (holder.uplot = null);
  }
}

// Any history, picked from a list, with its spectrum.
import { lineColour } from './colour.js';
import { columnOf, locate } from './data.js';
import { element, significant, table } from './format.js';
import { spectrum } from './fft.js';
import { align } from './ledger.js';
import { plot } from './plot.js';

const SHOWN = 600; // entries of the list; more are found by typing

const dashes = [undefined, [6, 4], [2, 3], [8, 3, 2, 3]];
const byId = (id) => document.getElementById(id);

/** Columns that belong together: "top.position" has x, y, z. */
function groupsOf(runs) {
  const groups = new Map();
  for (const run of runs)
    for (const { name, unit } of run.column.values()) {
      const match = /^(.*)\.(?:[xyzs])$/.exec(name);
      const key = match ? match[1] : name;
      if (!groups.has(key)) groups.set(key, { key, unit, names: new Set() });
      groups.get(key).names.add(name);
    }
  return [...groups.values()];
}

/** What the model asked for in its table, or something that moves. */
function defaultGroup(run, groups) {
  for (const selector of run.columns_asked ?? []) {
    const found = groups.find((g) => g.key === selector || g.names.has(selector));
    if (found && !selector.startsWith('energy')) return found.key;
  }
  const places = groups.filter((g) => g.key.endsWith('.position')).slice(0, 300);
  const range = (name) => { const v = columnOf(run, name); return v ? Math.max(...v) - Math.min(...v) : 0; };
  const moves = places.map((g) => Math.max(...[...g.names].map(range)));
  return (places[moves.indexOf(Math.max(...moves))] ?? groups[0])?.key;
}

export class Histories {
  constructor(runs, player) {
    this.runs = runs;
    this.player = player;
    this.groups = groupsOf(runs);
    this.chosen = new Set([defaultGroup(runs[0], this.groups)].filter(Boolean));
    this.list = byId('list');
    byId('filter').addEventListener('input', () => this.fill());
    this.list.addEventListener('change', () => this.choose());
    byId('log').addEventListener('change', () => this.drawSpectrum());
    this.fill();
    this.draw();
    player.listen(() => this.readOut());
  }

  fill() {
    const words = byId('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = this.groups.filter((g) => words.every((word) => g.key.toLowerCase().includes(word)));
    const shown = matches.slice(0, SHOWN);
    this.list.replaceChildren(...shown.map((g) => {
      const option = element('option', { value: g.key }, `${g.key}   ${g.unit}`);
      option.selected = this.chosen.has(g.key);
      return option;
    }));
    const { stride, every } = this.runs[0].history;
    const notes = [matches.length > SHOWN ? `${matches.length.toLocaleString('en')} fit, the first ${SHOWN} are listed: type more to find others.` : null,
      stride > 1 ? `Of parts with many nodes, every ${stride}th is kept here (torsor info --csv has all).` : null,
      every > 1 ? `Every ${every}th stored state is kept here.` : null, 'Ctrl adds to the choice.'];
    byId('list-note').textContent = notes.filter(Boolean).join(' ');
  }

  choose() {
    const listed = new Set([...this.list.options].map((o) => o.value));
    for (const key of [...this.chosen]) if (listed.has(key)) this.chosen.delete(key);
    for (const option of this.list.selectedOptions) this.chosen.add(option.value);
    if (this.list.selectedOptions.length === 1) this.chosen = new Set([this.list.value]);
    this.draw();
  }

  /** What is drawn: a column of a run each. */
  curves() {
    const curves = [];
    for (const key of this.chosen)
      for (const name of this.groups.find((g) => g.key === key)?.names ?? [])
        for (const run of this.runs)
          if (run.column.has(name)) curves.push({ run, name, unit: run.column.get(name).unit, label: this.runs.length > 1 ? `${name}, ${run.name}` : name });
    const names = [...new Set(curves.map((c) => c.name))];
    curves.forEach((c) => (c.colour = lineColour(names.indexOf(c.name))));
    return curves.slice(0, 24);
  }

  draw() {
    this.shown = this.curves();
    const { x, at } = align(this.runs);
    const series = this.shown.map((c) => ({ ...c, dash: dashes[c.run.index % dashes.length], values: at(c.run, c.name) }));
    plot(byId('history-plot'), { x, xLabel: this.runs[0].axis, series, height: 250, player: this.player, legend: false });
    this.readOut(true);
    this.drawSpectrum();
  }

  readOut(anew = false) {
    const rows = this.shown.map((c) => {
      const values = columnOf(c.run, c.name), { at, part } = locate(this.player.t, c.run.history.t);
      const now = values[at] + (part ? part * (values[at + 1] - values[at]) : 0);
      c.range ??= values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
      return { c, now };
    });
    if (anew || !this.cells) {
      const swatch = (c) => element('span', {}, element('span', { class: 'swatch', style: `background:${c.colour}` }), c.label);
      const made = table(['', 'now', 'least', 'largest', 'unit'], rows.map(({ c, now }) =>
        [swatch(c), { number: significant(now) }, { number: significant(c.range[0]) }, { number: significant(c.range[1]) }, c.unit]));
      byId('history-table').replaceChildren(made);
      this.cells = [...made.querySelectorAll('tbody tr')].map((row) => row.children[1]);
    } else rows.forEach(({ now }, i) => (this.cells[i].textContent = significant(now)));
  }

  drawSpectrum() {
    const log = byId('log').checked, series = [];
    let x = null, note = this.runs[0].statics ? 'Statics: no spectrum.' : 'Too few stored states for a spectrum.';
    for (const c of this.runs[0].statics ? [] : this.shown) {
      const s = spectrum(c.run.history.t, columnOf(c.run, c.name));
      if (!s || (x && s.frequency.length !== x.length)) continue;
      x ??= s.frequency;
      const peak = s.amplitude.reduce((a, v) => Math.max(a, v), 0), floor = 1e-9 * peak;
      if (!(peak > 0)) continue;
      series.push({ ...c, dash: dashes[c.run.index % dashes.length], values: log ? [...s.amplitude].map((v) => (v > floor ? v : null)) : s.amplitude });
      note = `Amplitudes over frequency, of ${s.samples.toLocaleString('en')} values ${significant(s.dt, 4)} s apart, mean removed, Hann window. Drag to zoom, double-click to go back.`;
    }
    byId('spectrum-note').textContent = note;
    const holder = byId('spectrum-plot');
    if (series.length) plot(holder, { x, xLabel: 'frequency, Hz', series, height: 200, log, legend: false });
    else holder.uplot?.destroy(), (holder.uplot = null);
  }
}

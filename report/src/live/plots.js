// SPDX-License-Identifier: Apache-2.0
// Histories that draw themselves while the model runs: energies and chosen channels. Samples come in pieces; the program thins
// them out when there are many, and then sends all of them anew.
import { lineColour } from '../colour.js';
import { amount, brief, significant, table } from '../format.js';
import { plot } from '../plot.js';
import { readable } from '../units.js';
import { ENERGIES } from './link.js';

const TERMS = [['kinetic', 'kinetic'], ['elastic', 'elastic'], ['gravity', 'gravity, from the start'], ['work_loads', 'work of loads'], ['work_drives', 'work of drives'], ['dissipated', 'dissipated by dampers, friction, impacts'], ['algorithmic', 'dissipated by the scheme'], ['events', 'taken by events']];

export class Samples {
  constructor() { this.columns = []; }

  get length() { return this.columns[0]?.length ?? 0; }

  take({ whole, samples, width, rows }) {
    if (whole || this.columns.length !== width) this.columns = Array.from({ length: width }, () => []);
    for (let i = 0; i < rows; i++) for (let k = 0; k < width; k++) { const v = samples[i * width + k]; this.columns[k].push(Number.isFinite(v) ? v : null); }
  }

  of(name) { return this.columns[ENERGIES.indexOf(name)] ?? []; }
}

/** Draws series into a holder, as a new plot only if they are others than before. */
function draw(holder, x, series, height) {
  const key = series.map((s) => `${s.label} ${s.unit} ${s.colour}`).join();
  if (holder.uplot && holder.key === key) return holder.uplot.setData([x, ...series.map((s) => s.values)]);
  holder.key = key;
  if (series.length) return plot(holder, { x, xLabel: 't, s', series, height });
  holder.uplot?.destroy();
  holder.uplot = null;
  return holder.replaceChildren();
}

export function showLedger(holder, tableHolder, samples) {
  if (!samples.length) return;
  const start = samples.of('gravity')[0] ?? 0, last = samples.length - 1;
  const values = (key) => (key === 'gravity' ? samples.of(key).map((v) => v - start) : samples.of(key));
  const series = TERMS.map(([key, label], i) => ({ key, label, unit: 'J', colour: lineColour(i), values: values(key) })).filter((s) => s.values.some((v) => v));
  const total = samples.of('kinetic').map((v, i) => v + samples.of('elastic')[i] + samples.of('gravity')[i] - start);
  series.push({ key: 'total', label: 'total', unit: 'J', colour: getComputedStyle(document.body).color, width: 2, dash: [7, 5], values: total });
  let most = 0;
  for (const { values: list } of series) for (const v of list) most = Math.max(most, Math.abs(v));
  const { unit, factor } = readable(most, 'J');
  for (const s of series) s.unit = unit, s.values = s.values.map((v) => v / factor);
  draw(holder, samples.of('t'), series, 230);
  const number = (v) => amount(v, most / factor);
  const rows = series.map((s) => [s.label, number(s.values[0]), number(s.values[last])]);
  rows.push(['balance error', '', { number: brief(samples.of('balance')[last] / factor) }]);
  tableHolder.replaceChildren(table([unit, 'start', `t = ${significant(samples.of('t')[last], 5)} s`], rows, new Set([series.length - 1])));
}

export function showChannels(holder, samples, watched, units) {
  const first = ENERGIES.length;
  const series = watched.map(([label, unit], i) => ({ label, unit: units.name(unit), colour: lineColour(i), values: units.values(samples.columns[first + i] ?? [], unit) }));
  draw(holder, samples.of('t'), samples.columns.length === first + watched.length ? series : [], 230);
}

// SPDX-License-Identifier: Apache-2.0
// The energy ledger: a plot of its terms and the account at both ends.
import { lineColour } from './colour.js';
import { columnOf } from './data.js';
import { element, brief, significant, table } from './format.js';
import { plot } from './plot.js';
import { readable } from './units.js';

const TERMS = [
  ['total', 'total'], ['kinetic', 'kinetic'], ['elastic', 'elastic'], ['gravity', 'gravity'],
  ['work_loads', 'work of loads'], ['work_drives', 'work of drives'], ['dampers', 'dissipated by dampers'], ['friction', 'lost by friction'], ['impacts', 'lost by impacts'], ['algorithmic', 'dissipated by the scheme'], ['events', 'taken by events'],
];

// files of older versions do not tell dampers from friction and impacts
const nameOf = (run, key) => `energy.${key === 'dampers' && !columnOf(run, 'energy.dampers') ? 'dissipated' : key}`;
const isZero = (values) => !values || values.every((v) => v === 0);
const dashes = [undefined, [6, 4], [2, 3], [8, 3, 2, 3]];

/** Series of all runs over a common axis of time. */
export function align(runs, names) {
  const times = runs.map((run) => run.history.t);
  if (runs.length === 1 || times.every((t) => t.length === times[0].length && t.every((v, i) => v === times[0][i])))
    return { x: times[0], at: (run, name) => columnOf(run, name) };
  const x = Float64Array.from([...new Set(times.flatMap((t) => [...t]))].sort((a, b) => a - b));
  const place = times.map((t) => { const at = new Map([...t].map((v, i) => [v, i])); return [...x].map((v) => at.get(v)); });
  return { x, at: (run, name) => { const values = columnOf(run, name); return values && place[run.slot ?? run.index].map((i) => (i === undefined ? null : values[i])); } };
}

/** Largest change of a term over all runs, for the prefix of its unit. */
function largestChange(runs) {
  let most = 0;
  for (const run of runs) for (const [key] of TERMS) for (const v of columnOf(run, nameOf(run, key)) ?? []) most = Math.max(most, Math.abs(v - columnOf(run, nameOf(run, key))[0]));
  return most;
}

/** Every term as its change since the start: the height from which gravity counts falls out. */
export function showLedgerPlot(holder, runs, player) {
  const { x, at } = align(runs), { unit, factor } = readable(largestChange(runs), 'J');
  const series = [], present = TERMS.map(([key]) => key).filter((key) => key !== 'total' && runs.some((run) => !isZero(columnOf(run, nameOf(run, key)))));
  TERMS.forEach(([key, label]) => {
    for (const run of runs) {
      const values = at(run, nameOf(run, key)), [first] = columnOf(run, nameOf(run, key)) ?? [];
      if (isZero(columnOf(run, nameOf(run, key)))) continue;
      const change = Array.from(values, (v) => (v === null || v === undefined ? null : (v - first) / factor));
      series.push({ label: runs.length > 1 ? `${label}, ${run.name}` : label, unit, colour: key === 'total' ? undefined : lineColour(present.indexOf(key)), total: key === 'total', dash: dashes[run.index % dashes.length], values: change });
    }
  });
  const ink = getComputedStyle(document.body).color;
  series.forEach((s) => { if (s.total) s.colour = ink, s.width = 2, (s.dash ??= [7, 5]); });
  series.sort((a, b) => a.total - b.total);
  plot(holder, { x, xLabel: runs[0].axis, series, height: Math.min(320, Math.max(180, innerHeight - 620)), player });
}

/** Numbers of the account, gravity counted from the start. */
function accountOf(run) {
  const value = (l, key) => (key === 'total' ? l.kinetic + l.elastic + value(l, 'gravity') : key === 'gravity' ? l.gravity - run.start.gravity : l[key] ?? l.dissipated);
  const order = [...TERMS.slice(1, 4), TERMS[0], ...TERMS.slice(4)];
  return order.filter(([key]) => key === 'total' || !isZero(columnOf(run, nameOf(run, key)))).map(([key, label]) => ({ key, label, start: value(run.start, key), end: value(run.end, key) }));
}

export function showLedgerTable(holder, runs) {
  holder.replaceChildren(...runs.map((run) => {
    const account = accountOf(run), { unit, factor } = readable(Math.max(...account.flatMap(({ start, end }) => [Math.abs(start), Math.abs(end), Math.abs(end - start)])), 'J');
    const cell = (v) => ({ number: significant(v / factor, 5) });
    const rows = account.map(({ label, start, end }) => [label, cell(start), cell(end), cell(end - start)]);
    if (!run.statics) rows.push(['balance error', '', { number: brief(run.end.balance / factor) }, { number: `${brief(run.info.worst_balance / factor)} worst` }]);
    const head = (t) => (run.statics ? `load ${significant(t, 6)}` : `t = ${significant(t, 6)} s`);
    const made = table([runs.length > 1 ? `${unit}, ${run.name}` : unit, head(run.info.t_first), head((run.loadPlayed ?? run.play.t).at(-1)), 'change'], rows, new Set([account.findIndex(({ key }) => key === 'total')]));
    made.querySelector('table').dataset.run = run.index;
    made.querySelector('table').dataset.unit = unit;
    return made;
  }));
  const gravity = runs.some((run) => run.start.gravity !== 0) ? ' Gravity counts from the start.' : '';
  holder.append(element('p', { class: 'quiet small' }, `The graph shows changes since the start.${gravity} Terms that stay zero are left out.`));
  if (runs[0].statics) holder.append(element('p', { class: 'quiet small' }, 'Statics: there is no balance.'));
}

// SPDX-License-Identifier: Apache-2.0
// The energy ledger: a plot of its terms and the account at both ends.
import { lineColour } from './colour.js';
import { columnOf } from './data.js';
import { amount, brief, element, significant, table } from './format.js';
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

const present = (runs) => TERMS.filter(([key]) => runs.some((run) => !isZero(columnOf(run, nameOf(run, key)))));

/** One run: all its terms. */
function termsOf(run, change, unit) {
  const terms = present([run]), ink = getComputedStyle(document.body).color;
  const colours = terms.map(([key]) => key).filter((key) => key !== 'total');
  const series = terms.map(([key, label]) => (key === 'total' ? { label, unit, colour: ink, width: 2, dash: [7, 5], values: change(run, key), last: true } : { label, unit, colour: lineColour(colours.indexOf(key)), values: change(run, key) }));
  return series.sort((a, b) => Boolean(a.last) - Boolean(b.last));
}

/** Several runs: one term, in the colours of the runs. */
const runsOf = (runs, key, change, unit) => runs.filter((run) => !isZero(columnOf(run, nameOf(run, key))))
  .map((run) => ({ label: run.name, unit, colour: lineColour(run.index), dash: dashes[run.index % dashes.length], width: 1.8, values: change(run, key) }));

/** The field that chooses the term; what was chosen before stays. */
function termControl(holder, runs, draw) {
  const select = holder.querySelector('select'), before = select.value;
  holder.hidden = runs.length < 2;
  select.replaceChildren(...present(runs).map(([key, label]) => element('option', { value: key }, label)));
  if (before) select.value = before;
  select.onchange = () => draw(select.value);
  return select.value;
}

/** Every term as its change since the start: the height from which gravity counts falls out. */
export function showLedgerPlot(holder, runs, player) {
  const { x, at } = align(runs), { unit, factor } = readable(largestChange(runs), 'J');
  const change = (run, key) => { const [first] = columnOf(run, nameOf(run, key)); return Array.from(at(run, nameOf(run, key)), (v) => (v === null || v === undefined ? null : (v - first) / factor)); };
  const draw = (series) => plot(holder, { x, xLabel: runs[0].axis, series, height: Math.min(320, Math.max(180, innerHeight - 620)), player });
  const term = termControl(document.getElementById('ledger-term'), runs, (key) => draw(runsOf(runs, key, change, unit)));
  draw(runs.length > 1 ? runsOf(runs, term, change, unit) : termsOf(runs[0], change, unit));
}

/** Numbers of the account, gravity counted from the start. */
function accountOf(run) {
  const value = (l, key) => (key === 'total' ? l.kinetic + l.elastic + value(l, 'gravity') : key === 'gravity' ? l.gravity - run.start.gravity : l[key] ?? l.dissipated);
  const order = [...TERMS.slice(1, 4), TERMS[0], ...TERMS.slice(4)];
  return order.filter(([key]) => key === 'total' || !isZero(columnOf(run, nameOf(run, key)))).map(([key, label]) => ({ key, label, start: value(run.start, key), end: value(run.end, key) }));
}

/** One run: both ends of each term. */
function accountTable(run) {
  const account = accountOf(run), { unit, factor } = readable(Math.max(...account.flatMap(({ start, end }) => [Math.abs(start), Math.abs(end), Math.abs(end - start)])), 'J');
  const cell = (v) => amount(v, run.info.energy_scale, factor);
  const rows = account.map(({ label, start, end }) => [label, cell(start), cell(end), cell(end - start)]);
  if (!run.statics) rows.push(['balance error', '', { number: brief(run.end.balance / factor) }, { number: `${brief(run.info.worst_balance / factor)} worst` }]);
  const head = (t) => (run.statics ? `load ${significant(t, 6)}` : `t\u00a0=\u00a0${significant(t, 6)}\u00a0s`);
  const made = table([unit, head(run.info.t_first), head((run.loadPlayed ?? run.play.t).at(-1)), 'change'], rows, new Set([account.findIndex(({ key }) => key === 'total')]));
  made.querySelector('table').dataset.unit = unit;
  return made;
}

/** Several runs side by side: what each term changed by, until the end of each run. */
function changesTable(runs) {
  const accounts = runs.map(accountOf), { unit, factor } = readable(largestChange(runs), 'J'), terms = present(runs).filter(([key]) => key !== 'total');
  const scale = Math.max(...runs.map((run) => run.info.energy_scale));
  const cell = (account, key) => { const found = account.find((a) => a.key === key); return found ? amount(found.end - found.start, scale, factor) : { number: '0' }; };
  const rows = [...terms, TERMS[0]].map(([key, label]) => [label, ...accounts.map((account) => cell(account, key))]);
  if (!runs[0].statics) rows.push(['balance error, at worst', ...runs.map((run) => ({ number: brief(run.info.worst_balance / factor) }))]);
  const made = table([`change, ${unit}`, ...runs.map((run) => run.name)], rows, new Set([terms.length]));
  made.querySelector('table').dataset.unit = unit;
  return made;
}

export function showLedgerTable(holder, runs) {
  holder.replaceChildren(runs.length > 1 ? changesTable(runs) : accountTable(runs[0]));
  const gravity = runs.some((run) => run.start.gravity !== 0) ? ' Gravity counts from the start.' : '';
  holder.append(element('p', { class: 'quiet small' }, `The graph shows changes since the start.${gravity} Terms that are always zero are left out.`));
  if (runs[0].statics) holder.append(element('p', { class: 'quiet small' }, 'Statics: there is no balance.'));
}

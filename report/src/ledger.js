// The energy ledger: a plot of its terms and the account at both ends.
import { lineColour } from './colour.js';
import { columnOf } from './data.js';
import { element, brief, significant, table } from './format.js';
import { plot } from './plot.js';

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

export function showLedgerPlot(holder, runs, player) {
  const { x, at } = align(runs);
  const series = [];
  TERMS.forEach(([key, label], k) => {
    for (const run of runs) {
      const values = at(run, nameOf(run, key));
      if (isZero(columnOf(run, nameOf(run, key)))) continue;
      series.push({ label: runs.length > 1 ? `${label}, ${run.name}` : label, unit: 'J', colour: key === 'total' ? undefined : lineColour(k - 1), total: key === 'total', dash: dashes[run.index % dashes.length], values });
    }
  });
  const ink = getComputedStyle(document.body).color;
  series.forEach((s) => { if (s.total) s.colour = ink, s.width = 2, (s.dash ??= [7, 5]); });
  series.sort((a, b) => a.total - b.total);
  plot(holder, { x, xLabel: runs[0].axis, series, height: Math.min(320, Math.max(180, innerHeight - 620)), player });
}

export function showLedgerTable(holder, runs) {
  holder.replaceChildren(...runs.map((run) => {
    const sum = (l) => l.kinetic + l.elastic + l.gravity;
    const value = (l, key) => (key === 'total' ? sum(l) : l[key] ?? l.dissipated);
    const order = [...TERMS.slice(1, 4), TERMS[0], ...TERMS.slice(4)];
    const cell = (v) => ({ number: significant(v, 6) });
    const present = order.filter(([key]) => key === 'total' || !isZero(columnOf(run, nameOf(run, key))));
    const rows = present.map(([key, label]) => [label, cell(value(run.start, key)), cell(value(run.end, key)), cell(value(run.end, key) - value(run.start, key))]);
    if (!run.statics) rows.push(['balance error', '', { number: brief(run.end.balance) }, { number: `${brief(run.info.worst_balance)} worst` }]);
    const head = (t) => (run.statics ? `load ${significant(t, 6)}` : `t = ${significant(t, 6)} s`);
    const made = table([runs.length > 1 ? `J, ${run.name}` : 'J', head(run.info.t_first), head((run.loadPlayed ?? run.play.t).at(-1)), 'change'], rows, new Set([present.findIndex(([key]) => key === 'total')]));
    made.querySelector('table').dataset.run = run.index;
    return made;
  }));
  holder.append(element('p', { class: 'quiet small' }, 'Terms that stay zero are left out.'));
  if (runs[0].statics) holder.append(element('p', { class: 'quiet small' }, 'Statics: the balance is not kept.'));
}

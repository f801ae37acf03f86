// SPDX-License-Identifier: Apache-2.0
// Contacts: pressing forces over time, and what each contact took: in impacts, by friction.
import { lineColour } from './colour.js';
import { columnOf } from './data.js';
import { amount, element, plural, quantity, significant, table } from './format.js';
import { align } from './ledger.js';
import { plot } from './plot.js';

const MOST = 8; // curves
const ROUND_OFF = 1e-12; // of the weight, or of the force that moves the mass by 1 m/s²

/** Forces that are round-off are none: states were stored while nothing touched. */
const noise = (run) => ROUND_OFF * run.mass * Math.max(1, Math.hypot(...(run.gravity ?? [])));

const peak = (run, name) => {
  const values = columnOf(run, name);
  if (!values?.length) return null;
  let at = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[at]) at = i;
  return { at, value: values[at], t: run.history.t[at] };
};

function lines(run) {
  return run.contacts.map((name) => {
    const above = (column) => { const most = peak(run, `${name}.${column}`); return most?.value > noise(run) ? most : null; };
    const force = above('force.normal'), hardest = above('force.peak') ?? force, pairs = peak(run, `${name}.pairs`);
    const lost = ['impact', 'friction'].map((way) => columnOf(run, `${name}.loss.${way}`)?.at(-1) ?? 0);
    return { name, run, force, hardest, pairs, lost, sum: lost[0] + lost[1] };
  });
}

/** Those that press hardest. */
function showForces(holder, runs, player, all) {
  const { x, at } = align(runs);
  const chosen = all.filter((l) => l.force?.value > 0).sort((a, b) => b.force.value - a.force.value).slice(0, MOST);
  const series = chosen.map(({ name, run }, i) => ({ label: runs.length > 1 ? `${name}, ${run.name}` : name, unit: 'N', colour: lineColour(i), values: at(run, `${name}.force.normal`) }));
  holder.hidden = !series.length;
  if (series.length) plot(holder, { x, xLabel: runs[0].axis, yLabel: 'pressing force, N', series, height: 240, player });
  return all.length - chosen.length;
}

function lostTable(run, several) {
  const own = lines(run).sort((a, b) => b.sum - a.sum), cell = (v) => amount(v, run.info.energy_scale, 1, 4);
  const total = own.reduce((sum, l) => [sum[0] + l.lost[0], sum[1] + l.lost[1]], [0, 0]);
  const rows = own.map((l) => [l.name, cell(l.lost[0]), cell(l.lost[1]), { number: l.hardest ? quantity(l.hardest.value, 'N') : '–' }, { number: l.hardest ? significant(l.hardest.t, 4) : '' }, { number: String(l.pairs?.value ?? 0) }]);
  rows.push(['all', cell(total[0]), cell(total[1]), '', '', '']);
  const made = table([several ? `lost by, ${run.name}` : 'lost by', 'impact, J', 'friction, J', 'largest force', 'at, s', 'most pairs'], rows, new Set([rows.length - 1]));
  made.querySelector('table').dataset.run = run.index;
  return made;
}

export function showContacts(holder, runs, player) {
  const touching = runs.filter((run) => run.contacts.length);
  holder.hidden = !touching.length;
  if (!touching.length) return;
  const left = showForces(document.getElementById('contacts-plot'), touching, player, touching.flatMap(lines));
  const notes = ['Curves and pairs exist at stored states only, and forces are means over the last step, so a short impact between two states may be missing. The table has the largest force of all steps, at the next stored state.'];
  if (left > 0 && !document.getElementById('contacts-plot').hidden) notes.push(`${plural(left, 'contact is', 'contacts are')} not drawn: their forces are smaller, or zero.`);
  const dropped = touching.reduce((sum, run) => sum + run.play.pairs_dropped, 0);
  if (dropped > 0) notes.push('Only the pairs with the largest forces of a state have arrows.');
  document.getElementById('contacts-table').replaceChildren(...touching.map((run) => lostTable(run, touching.length > 1)), element('p', { class: 'quiet small' }, notes.join(' ')));
}

// SPDX-License-Identifier: Apache-2.0
// The part that is chosen, with what is known of it.
import { kindOf, massOf, plural, significant, table } from '../format.js';

/** What is known of a part: kind, mass, nodes, place. */
export function showPart(holder, run, part, place, units) {
  const [, kind, section] = run.parts[part], mass = run.scene.masses[part];
  const nodes = run.node_part.reduce((n, p) => n + (p === part), 0);
  const rows = [['kind', kindOf(kind, section)]];
  if (mass > 0) rows.push(['mass', massOf(mass)]);
  if (nodes) rows.push(['nodes', nodes.toLocaleString('en')]);
  if (place) rows.push([`at, ${units.name('m')}`, place.map((v) => significant(units.value(v, 'm'), 4)).join(', ')]);
  const loads = run.scene.loads.filter((l) => l[0] === part);
  const unit = loads[0]?.[8] ? 'N m' : 'N';
  if (loads.length) rows.push([`${loads[0][8] ? 'moment' : 'force'}, ${units.name(unit)}`, loads[0].slice(5, 8).map((v) => significant(units.value(v, unit), 4)).join(', ')]);
  if (loads.length > 1) rows.push(['', `the first of ${plural(loads.length, 'arrow', 'arrows')}`]);
  holder.replaceChildren(table([], rows));
}

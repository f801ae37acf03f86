// SPDX-License-Identifier: Apache-2.0
// Channels of a run by what they belong to and what they mean: columns such as top.position.x, .y and .z as one group.
import { columnOf, locate } from './data.js';

/** Value of a column at a time, between stored states interpolated. */
export function valueNow(run, name, t) {
  const values = columnOf(run, name);
  if (!values) return null;
  const { at, part } = locate(t, run.history.t);
  return values[at] + (part ? part * (values[at + 1] - values[at]) : 0);
}

/** Words beside those of the program, by which people look for a quantity. */
const ALSO = [
  [(g) => g.section === 'cables' && /\.N$/.test(g.key), 'tension of the cable'],
  [(g) => /\.pull$/.test(g.key), 'tension'],
  [(g) => /\.omega$/.test(g.key), 'spin, rate of rotation'],
  [(g) => /\.velocity$/.test(g.key), 'speed'],
  [(g) => /\.force$/.test(g.key) && g.section === 'joints', 'reaction'],
  [(g) => /\.moment$/.test(g.key) && g.section === 'joints', 'reaction, torque'],
  [(g) => /\.effort$/.test(g.key), 'torque or force of the drive'],
];

function meaningOf(run, column, group) {
  const { of, meanings } = run.history, [channel, component] = of ? of.subarray(2 * column.index, 2 * column.index + 2) : [];
  const [text = '', ...labels] = meanings?.[channel] ?? [];
  const also = ALSO.filter(([fits]) => fits(group)).map(([, words]) => words);
  return [...also, labels[component], text].filter(Boolean).join('; ');
}

/** The part that a column is of: arm.section.3.M2 is of arm. */
function ownerOf(run, key) {
  run.part_named ??= new Map(run.parts.map((part) => [part[0], part]));
  for (let cut = key.length; cut > 0; cut = key.lastIndexOf('.', cut - 1)) if (run.part_named.has(key.slice(0, cut))) return run.part_named.get(key.slice(0, cut));
  return null;
}

/** Groups of columns of all runs: {key, unit, names, part, section, kind, meaning}. */
export function groupsOf(runs) {
  const groups = new Map();
  for (const run of runs)
    for (const column of run.column.values()) {
      const match = /^(.*)\.(?:[xyzs])$/.exec(column.name), key = match ? match[1] : column.name;
      if (!groups.has(key)) {
        const [part = null, kind = '', section = ''] = ownerOf(run, key) ?? [];
        const group = { key, unit: column.unit, names: new Set(), part, kind, section };
        group.meaning = column.index === undefined ? 'factor of the loads' : meaningOf(run, column, group);
        group.words = `${key} ${kind} ${section} ${group.meaning}`.toLowerCase();
        groups.set(key, group);
      }
      groups.get(key).names.add(column.name);
    }
  return [...groups.values()];
}

/** Those in whose name or meaning all words stand, names first. */
export function search(groups, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = groups.filter((g) => words.every((word) => g.words.includes(word)));
  const named = (g) => words.every((word) => g.key.toLowerCase().includes(word));
  return words.length ? [...fitting.filter(named), ...fitting.filter((g) => !named(g))] : fitting;
}

// SPDX-License-Identifier: Apache-2.0
// Colours by a field: the channels that the program says parts may be coloured by, at the stations of beams and cables (`place` line) or in the
// cells of shells and solids, and their values at a time.
import { unpack } from './blob.js';

const PART = { key: 'part', label: 'part' }, RUN = { key: 'run', label: 'run' };

/** Fields of a run. Their numbers are unpacked when they are chosen: see unpackField. */
export const layOut = (colours) => colours.map((c) => ({ ...c, unit: c.unit.replace('^2', '²'), numbers: null }));

/** The numbers of a field in all runs, once. */
export async function unpackField(runs, field) {
  for (const run of runs) {
    const own = run.play.fields.find((f) => f.key === field.key);
    if (own && !own.numbers) own.numbers = await (own.unpacking ??= unpack(own.values));
  }
}

const NONE = new Int16Array(0);
/** Numbers of a field in a run: [state][station or cell], -32767 to 32767 of the largest over the run. */
const numbersOf = (run, field) => (run.play.fields.find((f) => f.key === field.key) ?? field).numbers ?? NONE;

/** Values of a field at a pose, by station or cell: -1 to 1 of the largest over the run. */
export function valuesAt(run, pose, field) {
  const numbers = numbersOf(run, field), entries = field.place === 'line' ? run.play.stations : run.cells.length / 8;
  const a = pose.at * entries, b = pose.next * entries, f = pose.part / 32767, e = (1 - pose.part) / 32767;
  return (entry) => e * (numbers[a + entry] ?? 0) + f * (numbers[b + entry] ?? 0);
}

/** Where a value of -1 to 1 is on the scale of its field, 0 to 1. */
export function shareOf(field, value) {
  const share = field.scale === 'diverging' ? 0.5 + 0.5 * value : field.root ? Math.sqrt(Math.max(value, 0)) : value;
  return Math.min(Math.max(share, 0), 1);
}

/** The largest value over the run. */
export const most = (run, field) => run.play.fields.find((f) => f.key === field.key)?.most ?? 0;
export const largest = (runs, field) => Math.max(...runs.map((run) => most(run, field)));

/** What is never negative first: it is what most people look for. */
const ordered = (fields) => [...fields.filter((f) => f.root), ...fields.filter((f) => f.scale === 'sequential' && !f.root), ...fields.filter((f) => f.scale === 'diverging')];

/** Those that some run has anything of, by parts first. */
export function fieldsOf(runs) {
  const stations = runs.some((run) => run.play.stations);
  return [PART, ...(runs.length > 1 ? [RUN] : []), ...ordered(runs[0]?.play.fields ?? []).filter((f) => (f.place === 'line' ? stations : largest(runs, f) > 0))];
}

const NOISE = 1e-18; // J/m: what round-off leaves in a model at rest

/** The one to begin with: runs where there are several, strain energy where there is some, then what else is never negative. */
export const firstOf = (runs) => (runs.length > 1 ? RUN : null) ?? fieldsOf(runs).find((f) => f.scale === 'sequential' && largest(runs, f) > NOISE) ?? PART;

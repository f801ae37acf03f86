// SPDX-License-Identifier: Apache-2.0
// Colours by a field: the channels that the program says parts may be coloured by, at the stations of beams and cables (`place` line) or in the
// cells of shells and solids, and their values at a time.

const PART = { key: 'part', label: 'part' }, RUN = { key: 'run', label: 'run' };

/** Fields of a run with where their numbers are: those of lines in `force`, the others in `inside`, column by column. */
export function layOut(colours) {
  const width = { force: 0, inside: 0 };
  const fields = colours.map((c) => {
    const array = c.place === 'line' ? 'force' : 'inside';
    return { ...c, unit: c.unit.replace('^2', '²'), array, column: width[array]++ };
  });
  return fields.map((f) => ({ ...f, width: width[f.array] }));
}

/** Value at a station or in a cell as -1 to 1 of the largest over the run. */
export function valueAt(run, pose, field, entry) {
  const numbers = run.play[field.array], entries = field.array === 'force' ? run.play.stations : run.cells.length / 8;
  const a = numbers[(pose.at * entries + entry) * field.width + field.column];
  const b = numbers[(pose.next * entries + entry) * field.width + field.column];
  return (a + pose.part * (b - a)) / 32767;
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

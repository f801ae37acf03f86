// Fields for colours: what is known at the stations of beams and cables (`column`), or in the cells of solids and shells (`inside`), and its
// value at a time.

export const FIELDS = [
  { key: 'part', label: 'part' },
  { key: 'energy', label: 'strain energy', unit: 'J/m', column: 6, scale: 'sequential' },
  { key: 'N', label: 'axial force N', unit: 'N', column: 0, scale: 'diverging' },
  { key: 'Q2', label: 'shear force Q2', unit: 'N', column: 1, scale: 'diverging' },
  { key: 'Q3', label: 'shear force Q3', unit: 'N', column: 2, scale: 'diverging' },
  { key: 'M1', label: 'torque M1', unit: 'N m', column: 3, scale: 'diverging' },
  { key: 'M2', label: 'bending moment M2', unit: 'N m', column: 4, scale: 'diverging' },
  { key: 'M3', label: 'bending moment M3', unit: 'N m', column: 5, scale: 'diverging' },
  { key: 'mises', label: 'von Mises stress', unit: 'Pa', inside: 0, scale: 'sequential' },
  { key: 'area_energy', label: 'strain energy of shells', unit: 'J/m²', inside: 1, scale: 'sequential' },
];
const COLUMNS = 7, INSIDE = 2;

/** Value at a station as -1 to 1 of the largest over the run. */
export function stationValue(run, pose, field, station) {
  const { force, stations } = run.play;
  const a = force[(pose.at * stations + station) * COLUMNS + field.column];
  const b = force[(pose.next * stations + station) * COLUMNS + field.column];
  return (a + pose.part * (b - a)) / 32767;
}

/** Value in a cell, likewise. */
export function cellValue(run, pose, field, cell) {
  const { inside } = run.play, cells = run.cells.length / 8;
  const a = inside[(pose.at * cells + cell) * INSIDE + field.inside];
  const b = inside[(pose.next * cells + cell) * INSIDE + field.inside];
  return (a + pose.part * (b - a)) / 32767;
}

const most = (run, field) => (field.inside === undefined ? run.play.most[field.column] : run.play.most_inside[field.inside]) ?? 0;
export const largest = (runs, field) => Math.max(...runs.map((run) => most(run, field)));

/** Those that some run has anything of. */
export function fieldsOf(runs) {
  const stations = runs.some((run) => run.play.stations);
  return FIELDS.filter((f) => !f.scale || (f.inside === undefined ? stations : largest(runs, f) > 0));
}

const NOISE = 1e-18; // J/m: what round-off leaves in a model at rest

/** The one to begin with: strain energy where there is some. */
export function firstOf(runs) {
  const fields = fieldsOf(runs);
  return ['energy', 'area_energy', 'mises'].map((key) => fields.find((f) => f.key === key)).find((f) => f && largest(runs, f) > NOISE) ?? FIELDS[0];
}

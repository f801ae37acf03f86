// Fields for colours: what is known at the stations of beams, and its value at a time.

export const FIELDS = [
  { key: 'part', label: 'part' },
  { key: 'energy', label: 'strain energy', unit: 'J/m', column: 6, scale: 'sequential' },
  { key: 'N', label: 'axial force N', unit: 'N', column: 0, scale: 'diverging' },
  { key: 'Q2', label: 'shear force Q2', unit: 'N', column: 1, scale: 'diverging' },
  { key: 'Q3', label: 'shear force Q3', unit: 'N', column: 2, scale: 'diverging' },
  { key: 'M1', label: 'torque M1', unit: 'N m', column: 3, scale: 'diverging' },
  { key: 'M2', label: 'bending moment M2', unit: 'N m', column: 4, scale: 'diverging' },
  { key: 'M3', label: 'bending moment M3', unit: 'N m', column: 5, scale: 'diverging' },
];
const COLUMNS = 7;

/** Value at a station as -1 to 1 of the largest over the run. */
export function stationValue(run, pose, field, station) {
  const { force, stations } = run.play;
  const a = force[(pose.at * stations + station) * COLUMNS + field.column];
  const b = force[(pose.next * stations + station) * COLUMNS + field.column];
  return (a + pose.part * (b - a)) / 32767;
}

export const largest = (runs, field) => Math.max(...runs.map((run) => run.play.most[field.column] ?? 0));

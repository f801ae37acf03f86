// SPDX-License-Identifier: Apache-2.0
// Runs as the page holds them: what the JSON says, with its blobs unpacked.

import { unpack } from './blob.js';
import { layOut } from './field.js';

/** Yields to the browser, so that the page stays alive while it unpacks. */
export const pause = () => new Promise((resolve) => setTimeout(resolve));

/** One run with what its picture needs; colours and histories are unpacked later: unpackField, unpackHistory. */
export async function unpackRun(raw, index) {
  const run = { ...raw, index };
  const play = { ...raw.play, fields: layOut(raw.play.colours) };
  for (const key of ['node_part', 'cells', 'cell_ends', 'connectivity', 'corners', 'effort', 'shapes', 'surfaces', 'surface_points', 'surface_triangles', 'inertia']) if (raw[key]) run[key] = await unpack(raw[key]);
  for (const key of ['t', 'start', 'reach', 'shift', 'turn', 'touch_first', 'touch', 'load_vectors']) {
    play[key] = await unpack(raw.play[key]);
    await pause();
  }
  run.play = play;
  run.history = { ...raw.history, t: await unpack(raw.history.t) };
  run.column = new Map(raw.history.columns.map((text, i) => {
    const cut = text.lastIndexOf(' [');
    return [text.slice(0, cut), { index: i, name: text.slice(0, cut), unit: text.slice(cut + 2, -1) }];
  }));
  countStates(run);
  return run;
}

/** The numbers of all histories. */
export async function unpackHistory({ history }) {
  history.value = await unpack(history.value);
  if (history.of) history.of = await unpack(history.of);
}

const rises = (t) => t.every((v, i) => i === 0 || v > t[i - 1]);

/** A path of equilibria may go back in its load: then states are counted, and the load is a history like others. */
function countStates(run) {
  const { play, history } = run;
  run.axis = run.statics ? 'load' : 't, s';
  if (rises(play.t) && rises(history.t)) return;
  run.load = history.t;
  run.loadPlayed = play.t;
  run.axis = 'state';
  play.t = play.t.map((_, k) => (play.frames > 1 ? Math.floor((k * (play.stored - 1)) / (play.frames - 1)) : 0));
  history.t = history.t.map((_, k) => k * history.every);
  run.column.set('load', { name: 'load', unit: '1' });
}

/** A column over time, as plain numbers. */
export function columnOf(run, name) {
  const column = run.column.get(name);
  if (!column) return null;
  if (name === 'load') return run.load;
  const n = run.history.t.length;
  return run.history.value.subarray(column.index * n, (column.index + 1) * n);
}

/** Where t lies between the states to play: index and fraction. */
export function locate(t, times) {
  let low = 0, high = times.length - 1;
  if (!(t > times[0])) return { at: 0, part: 0 };
  if (t >= times[high]) return { at: high, part: 0 };
  while (high - low > 1) {
    const mid = (low + high) >> 1;
    if (times[mid] <= t) low = mid;
    else high = mid;
  }
  return { at: low, part: (t - times[low]) / (times[low + 1] - times[low]) };
}

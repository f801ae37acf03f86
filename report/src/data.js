// SPDX-License-Identifier: Apache-2.0
// Blobs of the page as typed arrays: base64, deflate, bytes sorted by place, differences of rows.
// See src/picture/report_blob.c for the other side.

import { layOut } from './field.js';

const TYPE = { i16: Int16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Words of two or four bytes at once: most data are such.
function gatherBytes(sorted, count, size) {
  const wide = size > 2, words = wide ? size / 4 : 1, out = wide ? new Uint32Array(words * count) : new Uint16Array(count);
  const plane = (b) => sorted.subarray(b * count, (b + 1) * count);
  for (let w = 0; w < words; w++) {
    const [a, b, c, d] = wide ? [0, 1, 2, 3].map((k) => plane(4 * w + k)) : [plane(0), plane(1)];
    if (wide) for (let i = 0, at = w; i < count; i++, at += words) out[at] = a[i] | (b[i] << 8) | (c[i] << 16) | (d[i] << 24);
    else for (let i = 0; i < count; i++) out[i] = a[i] | (b[i] << 8);
  }
  return out.buffer;
}

/** The array of a blob; its text leaves the page, for memory's sake. */
export async function unpack(blob) {
  const element = document.getElementById('blob' + blob.blob);
  const Type = TYPE[blob.type];
  const count = blob.rows * blob.width;
  if (!count) return new Type(0);
  const sorted = await inflate(bytesOfBase64(element.textContent));
  element.remove();
  if (sorted.length !== count * Type.BYTES_PER_ELEMENT) throw new Error('a part of the data of this page is damaged');
  const array = new Type(gatherBytes(sorted, count, Type.BYTES_PER_ELEMENT));
  if (blob.delta) for (let i = blob.width; i < count; i++) array[i] += array[i - blob.width];
  return array;
}

/** Yields to the browser, so that the page stays alive while it unpacks. */
export const pause = () => new Promise((resolve) => setTimeout(resolve));

/** One run: what the JSON says, with its arrays unpacked. */
export async function unpackRun(raw, index) {
  const run = { ...raw, index };
  const play = { ...raw.play, fields: layOut(raw.play.colours) };
  for (const key of ['node_part', 'cells', 'cell_ends', 'connectivity', 'corners', 'effort', 'shapes', 'surfaces', 'surface_points', 'surface_triangles', 'inertia']) if (raw[key]) run[key] = await unpack(raw[key]);
  for (const key of ['t', 'start', 'reach', 'shift', 'turn', 'force', 'inside', 'touch_first', 'touch', 'load_vectors']) {
    play[key] = await unpack(raw.play[key]);
    await pause();
  }
  run.play = play;
  run.history = { ...raw.history, t: await unpack(raw.history.t), value: await unpack(raw.history.value), of: raw.history.of && (await unpack(raw.history.of)) };
  run.column = new Map(raw.history.columns.map((text, i) => {
    const cut = text.lastIndexOf(' [');
    return [text.slice(0, cut), { index: i, name: text.slice(0, cut), unit: text.slice(cut + 2, -1) }];
  }));
  countStates(run);
  return run;
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

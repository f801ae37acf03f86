// SPDX-License-Identifier: Apache-2.0
// What is shown, as a file: the picture, a video of the motion, the curves as a table.
import { variable } from '../colour.js';
import { columnOf } from '../data.js';

const FRAME_RATE = 30, BACKGROUND = ['--stage-top', '--stage-bottom'];

export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** The stage on its background, with title and clock. */
function paint(copy, view, text) {
  const { canvas } = view, pen = copy.getContext('2d');
  if (copy.width !== canvas.width || copy.height !== canvas.height) Object.assign(copy, { width: canvas.width, height: canvas.height });
  const ground = pen.createLinearGradient(0, 0, 0, copy.height), dot = copy.width / canvas.clientWidth;
  BACKGROUND.forEach((name, k) => ground.addColorStop(k, variable(name)));
  pen.fillStyle = ground;
  pen.fillRect(0, 0, copy.width, copy.height);
  view.draw();
  pen.drawImage(canvas, 0, 0);
  pen.font = `${14 * dot}px system-ui, sans-serif`;
  pen.fillStyle = variable('--ink');
  pen.fillText(text, 14 * dot, copy.height - 14 * dot);
}

/** A canvas with the picture as it is now. */
export function snapshot(view, text) {
  const copy = document.createElement('canvas');
  paint(copy, view, text);
  return copy;
}

export const savePicture = (view, text, name) => new Promise((done) => snapshot(view, text).toBlob((blob) => { save(blob, `${name}.png`); done(blob); }, 'image/png'));

/** WebM of the motion from its first state to its last, at the speed of the player. Resolves when it is saved. */
export function saveVideo(view, player, label, name) {
  const copy = document.createElement('canvas'), type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => window.MediaRecorder?.isTypeSupported(t));
  if (!type) return Promise.reject(new Error('this browser records no WebM'));
  paint(copy, view, label());
  const recorder = new MediaRecorder(copy.captureStream(FRAME_RATE), { mimeType: type, videoBitsPerSecond: 8e6 }), pieces = [];
  recorder.ondataavailable = ({ data }) => data.size && pieces.push(data);
  return new Promise((done, fail) => {
    const paintNow = () => paint(copy, view, label());
    const deaf = player.listen(() => { paintNow(); if (!player.playing && recorder.state === 'recording' && begun) recorder.stop(); });
    let begun = false;
    recorder.onerror = ({ error }) => { deaf(); fail(error); };
    recorder.onstop = () => { deaf(); const blob = new Blob(pieces, { type: 'video/webm' }); save(blob, `${name}.webm`); done(blob); };
    recorder.start(500);
    player.seek(player.first);
    player.start();
    begun = true;
  });
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The curves as CSV, in the units shown; runs whose times differ follow each other in blocks of columns. */
export function tableOf(curves, units) {
  const byRun = new Map();
  for (const c of curves) byRun.set(c.run, [...(byRun.get(c.run) ?? []), c]);
  const columns = [...byRun].flatMap(([run, list]) => [
    { head: run.statics || run.load ? run.axis : 't [s]', values: run.history.t },
    ...list.map((c) => ({ head: `${c.label} [${units.name(c.unit)}]`, values: units.values(columnOf(run, c.name), c.unit) }))]);
  const rows = Math.max(0, ...columns.map(({ values }) => values.length)), lines = [columns.map(({ head }) => quoted(head)).join(',')];
  for (let i = 0; i < rows; i++) lines.push(columns.map(({ values }) => (i < values.length ? String(values[i]) : '')).join(','));
  return `${lines.join('\n')}\n`;
}

export const saveTable = (curves, units, name) => save(new Blob([tableOf(curves, units)], { type: 'text/csv' }), `${name}.csv`);

// SPDX-License-Identifier: Apache-2.0
// The drawing of a model: data of the scene put into the page, a View of it, and the pose that a run gives it.
import { cellOf } from '../beams.js';
import { unpackRun } from '../data.js';
import { fieldsOf } from '../field.js';
import { View } from '../view.js';
import { Signs } from './signs.js';

const NOTHING = { type: 'f64', rows: 0, width: 1, delta: false };

/** The run of a scene, as reports have them, without histories. */
export const sceneOf = (raw) => unpackRun({ ...raw, effort: NOTHING, history: { columns: [], t: NOTHING, value: NOTHING } }, 0);

/** A scene that came as a text. */
export async function readScene(html) {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const raw = JSON.parse(parsed.getElementById('runs').textContent)[0];
  const holder = document.createElement('div');
  holder.hidden = true;
  holder.append(...parsed.querySelectorAll('script[type="text/plain"]'));
  document.body.append(holder);
  try {
    return await sceneOf(raw);
  } finally { holder.remove(); }
}

export class Stage {
  /** before: the stage that this one takes the place of; ghost: the model as drawn stands beside it, pale */
  constructor(holder, run, { before = null, ghost = false } = {}) {
    this.run = run;
    const canvas = holder.querySelector('canvas'), fresh = canvas.cloneNode(false);
    canvas.replaceWith(fresh); // a canvas keeps the context of the view before
    this.canvas = fresh;
    this.options = { scale: 1, trails: false, arrows: false, field: fieldsOf([])[0], range: 0 };
    this.view = new View(fresh, ghost ? [run, { ...run, index: 1 }] : [run]);
    this.actor = this.view.actors[0];
    this.pose = this.actor.pose;
    this.signs = new Signs(run, this.view);
    this.view.scene.add(this.signs.object);
    if (before && !before.view.chosen && before.view.size < 3 * this.view.size && this.view.size < 3 * before.view.size) this.lookAs(before.view);
    this.update();
    this.drawn = { place: this.pose.x.slice(), turn: this.pose.q.slice() };
    for (const { pose } of this.view.actors) pose.set = () => {}; // from now on poses are given
  }

  dress(looks) {
    this.view.actors.forEach((actor) => actor.dress(looks));
    this.signs.dress(looks);
    this.update();
  }

  lookAs({ camera, controls }) {
    const { view } = this;
    view.chosen = null;
    view.camera.position.copy(camera.position);
    view.camera.near = camera.near;
    view.camera.far = camera.far;
    view.controls.target.copy(controls.target);
    view.camera.updateProjectionMatrix();
    view.controls.update();
  }

  /** Places and quaternions s x y z of all nodes. */
  move(place, turn) {
    const { pose } = this;
    if (place.length !== pose.x.length) return;
    pose.x.set(place);
    for (let i = 0; i < turn.length; i += 4) {
      pose.q[i] = turn[i + 1], pose.q[i + 1] = turn[i + 2], pose.q[i + 2] = turn[i + 3], pose.q[i + 3] = turn[i];
    }
    this.view.widen(this.run, pose);
    this.update();
  }

  /** Values of a field at its stations: cells have the mean of theirs, as in reports. Colours are relative to the largest so far. */
  paint(key, values) {
    const { run, options } = this, { play } = run, field = play.fields.find((f) => f.key === key);
    if (!field || !values.length) return;
    for (const v of values) field.most = Math.max(field.most, Math.abs(v));
    field.numbers ??= new Int16Array(field.place === 'line' ? play.stations : run.cells.length / 8);
    const scale = field.most > 0 ? 32767 / field.most : 0, put = (entry, v) => (field.numbers[entry] = scale * v);
    if (field.place === 'line') values.forEach((v, station) => put(station, v));
    else
      for (let i = 0; i < run.cells.length / 8; i++) {
        const { type, station, stations } = cellOf(run, i);
        if (!stations || (field.place === 'shell') !== (type < 3) || type === 0) continue;
        let sum = 0;
        for (let k = station; k < station + stations; k++) sum += values[k];
        put(i, sum / stations);
      }
    options.field = field;
    options.range = field.most;
  }

  /** Parts in their own colours. */
  unpaint() { Object.assign(this.options, { field: fieldsOf([])[0], range: 0 }); }

  /** The largest value of a field is that of what comes from now on. */
  forget() {
    for (const field of this.run.play.fields) field.most = 0;
    this.unpaint();
  }

  /** As drawn, before any run. */
  rewind() {
    this.pose.x.set(this.drawn.place);
    this.pose.q.set(this.drawn.turn);
    this.update();
  }

  update() {
    this.signs.update(this.pose);
    this.view.update(0, this.options);
  }

  dispose() {
    const { view } = this;
    view.resize = view.recolour = view.draw = () => {}; // observers of the page still call it
    view.controls.dispose();
    view.renderer.dispose();
    view.renderer.forceContextLoss();
  }
}

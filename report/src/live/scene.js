// SPDX-License-Identifier: Apache-2.0
// The drawing of a model: data of the scene put into the page, a View of it, and the pose that a run gives it.
import { unpackRun } from '../data.js';
import { fieldsOf } from '../field.js';
import { View } from '../view.js';
import { Signs } from './signs.js';

const NOTHING = { type: 'f64', rows: 0, width: 1, delta: false };

/** The run of a scene, as reports have them, without histories. */
export async function readScene(html) {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const raw = JSON.parse(parsed.getElementById('runs').textContent)[0];
  const holder = document.createElement('div');
  holder.hidden = true;
  holder.append(...parsed.querySelectorAll('script[type="text/plain"]'));
  document.body.append(holder);
  try {
    return await unpackRun({ ...raw, effort: NOTHING, history: { columns: [], t: NOTHING, value: NOTHING } }, 0);
  } finally { holder.remove(); }
}

export class Stage {
  constructor(holder, run, before) {
    this.run = run;
    const canvas = holder.querySelector('canvas'), fresh = canvas.cloneNode(false);
    canvas.replaceWith(fresh); // a canvas keeps the context of the view before
    this.canvas = fresh;
    this.options = { scale: 1, trails: false, arrows: false, field: fieldsOf([])[0], range: 0 };
    this.view = new View(fresh, [run]);
    this.actor = this.view.actors[0];
    this.pose = this.actor.pose;
    this.signs = new Signs(run, this.view);
    this.view.scene.add(this.signs.object);
    if (before && !before.view.chosen && before.view.size < 3 * this.view.size && this.view.size < 3 * before.view.size) this.lookAs(before.view);
    this.update();
    this.drawn = { place: this.pose.x.slice(), turn: this.pose.q.slice() };
    this.pose.set = () => {}; // from now on poses come from the run
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
    this.update();
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

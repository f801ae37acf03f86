// SPDX-License-Identifier: Apache-2.0
// Forces and moments of joints and springs on their body B, at the attachment point there, as arrows. Lengths go with the cube root
// of the share of the largest over the run, as those of contacts do.
import * as THREE from 'three';
import { valueNow } from '../channels.js';
import { dark } from '../colour.js';
import { columnOf } from '../data.js';
import { linksOf } from './extent.js';
import { ArrowSet } from './arrows.js';

const COLOUR = { force: ['#b3261e', '#ff8a80'], moment: ['#6a3fa0', '#c0a0ee'] };
export const arrowColour = (what) => COLOUR[what][dark() ? 1 : 0];
const AXES = ['x', 'y', 'z'];

/** Joints and springs whose force or moment the run tells, with the largest of all. */
function sourcesOf(run, what) {
  const list = [];
  let most = 0;
  run.parts.forEach(([name], part) => {
    const columns = AXES.map((c) => columnOf(run, `${name}.${what}.${c}`)), link = columns[0] && linksOf(run, part)[0];
    if (!link) return;
    list.push({ name, part, link });
    for (let i = 0; i < columns[0].length; i++) most = Math.max(most, Math.hypot(columns[0][i], columns[1][i], columns[2][i]));
  });
  return { list, most };
}

export const hasReactions = (runs) => runs.some((run) => ['force', 'moment'].some((what) => sourcesOf(run, what).most > 0));

export class Reactions {
  constructor(view, looks) {
    this.looks = looks;
    this.shown = false;
    this.sets = view.actors.flatMap((actor) => ['force', 'moment'].map((what) => {
      const { list, most } = sourcesOf(actor.run, what), arrows = new ArrowSet(list.length, arrowColour(what), what === 'moment' ? 2 : 1);
      view.scene.add(arrows.object);
      return { actor, what, list, most, arrows };
    }));
    view.extras.push(this);
  }

  update(view, t, { scale }) {
    for (const { actor, what, list, most, arrows } of this.sets) {
      const shown = this.shown && actor.object.visible && scale === 1;
      arrows.object.visible = shown;
      if (!shown) continue;
      arrows.begin();
      for (const { name, part, link } of list) {
        if (this.looks.look(actor.run, part) === 'hidden') continue;
        const force = new THREE.Vector3(...AXES.map((c) => valueNow(actor.run, `${name}.${what}.${c}`, t)));
        const size = force.length(), length = 0.25 * view.size * Math.cbrt(size / most);
        if (length > 0.01 * view.size) arrows.put(new THREE.Vector3(...actor.pose.point(link.b, link.pointB)), force.divideScalar(size), length, 0.007 * view.size);
      }
      arrows.end();
    }
  }
}

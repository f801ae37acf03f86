// SPDX-License-Identifier: Apache-2.0
// Distances and angles between points that were clicked. Points stay on their parts, so what is measured follows the motion.
import * as THREE from 'three';
import { variable } from '../colour.js';
import { element, significant } from '../format.js';
import { Pose } from '../pose.js';

export class Measure {
  constructor(view, holder, units) {
    Object.assign(this, { view, holder, units, active: false, points: [] });
    this.dots = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: variable('--accent'), size: 9, sizeAttenuation: false, depthTest: false, transparent: true }));
    this.line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: variable('--accent'), depthTest: false, transparent: true }));
    for (const object of [this.dots, this.line]) {
      object.frustumCulled = false;
      object.renderOrder = 8;
      view.scene.add(object);
    }
    view.extras.push(this);
    units.listen(() => this.tell());
  }

  start(active) {
    this.active = active;
    this.points = [];
    this.tell();
  }

  /** A picked point; the fourth begins anew. */
  add(hit) {
    if (this.points.length === 3) this.points = [];
    this.points.push(hit);
  }

  /** Where the points are, without the exaggeration of the picture. */
  places(t, scale) {
    return this.points.map(({ actor, node, local }) => {
      if (scale === 1) return new THREE.Vector3(...actor.pose.point(node, local));
      actor.truth ??= new Pose(actor.run);
      actor.truth.set(t, 1);
      return new THREE.Vector3(...actor.truth.point(node, local));
    });
  }

  update(view, t, { scale }) {
    const drawn = this.points.flatMap(({ actor, node, local }) => actor.pose.point(node, local));
    for (const object of [this.dots, this.line]) {
      object.visible = this.active && drawn.length > 0;
      object.geometry.dispose();
      object.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(Float32Array.from(drawn), 3));
    }
    this.at = this.places(t, scale);
    this.tell();
  }

  values() {
    const at = this.at ?? [];
    const distance = (a, b) => a.distanceTo(b);
    const angle = at.length === 3 ? at[0].clone().sub(at[1]).angleTo(at[2].clone().sub(at[1])) : null;
    return { distances: at.slice(1).map((p, i) => distance(at[i], p)), ways: at.slice(1).map((p, i) => p.clone().sub(at[i])), angle };
  }

  tell() {
    this.holder.hidden = !this.active;
    if (!this.active) return;
    const { units } = this, length = (v) => `${significant(units.value(v, 'm'), 5)} ${units.name('m')}`, { distances, ways, angle } = this.values();
    const part = ({ run, part: row }) => run.parts[row][0], lines = [];
    if (!this.points.length) lines.push('Click a first point on a part.');
    if (this.points.length === 1) lines.push(`From ${part(this.points[0])}: click a second point.`);
    distances.forEach((d, i) => lines.push(`${part(this.points[i])} to ${part(this.points[i + 1])}: ${length(d)}`, `Δ = (${ways[i].toArray().map((v) => significant(units.value(v, 'm'), 4)).join(', ')}) ${units.name('m')}`));
    if (angle !== null) lines.push(`angle ${significant(units.value(angle, 'rad'), 5)} ${units.name('rad')}`);
    if (this.points.length === 2) lines.push('A third point gives an angle.');
    this.holder.replaceChildren(...lines.map((text) => element('div', {}, text)));
  }
}

// SPDX-License-Identifier: Apache-2.0
// Marks on the stage, on demand: names of parts, axes of joints, a box around the chosen part.
import * as THREE from 'three';
import { variable } from '../colour.js';
import { element } from '../format.js';
import { bodiesOf, linksOf, nodesOf, partBox } from './extent.js';

const MOST_NAMES = 80;
const TURNING = ['revolute', 'screw', 'cylindrical', 'prismatic', 'universal', 'planar', 'motor', 'gear', 'torsion_spring'];

/** Where loads and supports are, by part; reports have none of them. */
function signsOf(run) {
  const at = new Map(), put = (part, node, local) => { if (!at.has(part)) at.set(part, { node, local }); };
  for (const [part, node, x, y, z] of run.scene?.loads ?? []) put(part, node, [x, y, z]);
  for (const [part, node] of run.scene?.supports ?? []) put(part, node, [0, 0, 0]);
  return at;
}

/** Parts that are at a place, with a node and a point on it to hang a name on. */
export function placesOf(run) {
  const signs = run.places ? null : signsOf(run);
  run.places ??= run.parts.map(([name, kind, section], part) => {
    const [link] = linksOf(run, part), [body] = bodiesOf(run, part), nodes = nodesOf(run, part);
    const at = link ? { node: link.a, local: link.pointA } : body ? { node: body.node, local: body.at } : nodes.length ? { node: nodes[nodes.length >> 1], local: [0, 0, 0] } : signs.get(part);
    return at && { ...at, name, kind, section, part };
  }).filter(Boolean);
  return run.places;
}

/** Names as texts over the picture, those that would cover another one left out. */
export class Names {
  /** fixed: a function for more names, at places that do not move: [{name, at, section}] */
  constructor(view, holder, looks, fixed = () => []) {
    Object.assign(this, { view, holder, looks, fixed });
    this.shown = false;
    view.watchers.push(() => this.place());
  }

  place() {
    this.holder.hidden = !this.shown;
    if (!this.shown) return;
    const { view, looks } = this, actor = view.actors.find((a) => a.object.visible) ?? view.actors[0];
    const list = [...placesOf(actor.run).filter(({ part }) => looks.look(actor.run, part) !== 'hidden'), ...this.fixed()].slice(0, MOST_NAMES);
    while (this.holder.children.length < list.length) this.holder.append(element('span', { class: 'name' }));
    const taken = [];
    [...this.holder.children].forEach((label, i) => {
      const place = list[i], at = place && view.project(place.at ?? actor.pose.point(place.node, place.local));
      const box = at && { x: at.x, y: at.y, width: 7 * place.name.length + 12, height: 18 };
      const free = at?.seen && at.x > 0 && at.y > 0 && at.x < view.canvas.clientWidth - box.width && at.y < view.canvas.clientHeight && !taken.some((o) => Math.abs(o.y - box.y) < 18 && box.x < o.x + o.width && o.x < box.x + box.width);
      label.hidden = !free;
      if (!free) return;
      taken.push(box);
      if (label.textContent !== place.name) { label.textContent = place.name; label.className = `name ${place.section}`; }
      label.style.transform = `translate(${at.x + 6}px, ${at.y - 9}px)`;
    });
  }
}

/** Axes of joints as lines through them. */
export class Axes {
  constructor(view, looks) {
    Object.assign(this, { view, looks, shown: false });
    this.line = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineDashedMaterial({ color: variable('--bad'), depthTest: false, transparent: true, dashSize: 0.03 * view.size, gapSize: 0.012 * view.size }));
    this.line.frustumCulled = false;
    this.line.renderOrder = 6;
    view.scene.add(this.line);
    view.extras.push(this);
  }

  update() {
    this.line.visible = this.shown;
    if (!this.shown) return;
    const { view, looks } = this, points = [], reach = 0.12 * view.size;
    for (const actor of view.actors.filter((a) => a.object.visible))
      for (const place of placesOf(actor.run)) {
        if (place.section !== 'joints' && !TURNING.includes(place.kind)) continue;
        if (!TURNING.includes(place.kind) || looks.look(actor.run, place.part) === 'hidden') continue;
        for (const link of linksOf(actor.run, place.part)) {
          const length = Math.hypot(...link.axis);
          if (length > 0) for (const side of [-1, 1]) points.push(...actor.pose.point(link.a, link.pointA.map((x, k) => x + (side * reach * link.axis[k]) / length)));
        }
      }
    this.line.geometry.dispose();
    this.line.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(Float32Array.from(points), 3));
    this.line.computeLineDistances();
  }
}

/** The box around the chosen part. */
export class Frame {
  constructor(view) {
    this.box = new THREE.Box3();
    this.helper = new THREE.Box3Helper(this.box, variable('--accent'));
    this.helper.visible = false;
    this.helper.material.depthTest = false;
    this.helper.material.transparent = true;
    this.helper.renderOrder = 7;
    this.chosen = null;
    view.scene.add(this.helper);
    view.extras.push(this);
  }

  update(view) {
    const box = this.chosen && partBox(this.chosen.run, this.chosen.part, this.chosen.actor.pose, 0.012 * view.size);
    this.helper.visible = Boolean(box && !box.isEmpty());
    if (this.helper.visible) this.box.copy(box);
  }
}

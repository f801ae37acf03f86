// SPDX-License-Identifier: Apache-2.0
// Forces and moments as arrows: of joints and springs on their body B, at the attachment point there; of loads, where they act. Lengths
// go with the cube root of the share of the largest of the same kind over the run, as those of contacts do.
import * as THREE from 'three';
import { valueNow } from '../channels.js';
import { dark } from '../colour.js';
import { columnOf } from '../data.js';
import { linksOf } from './extent.js';
import { ArrowSet } from './arrows.js';

const COLOUR = { force: ['#b3261e', '#ff8a80'], moment: ['#6a3fa0', '#c0a0ee'], load: ['#c46a00', '#ffb74d'], couple: ['#8a6d1f', '#e3cc6a'], gravity: ['#2f7d4f', '#6fc79a'] };
export const arrowColour = (what) => COLOUR[what][dark() ? 1 : 0];
const AXES = ['x', 'y', 'z'];

/** Joints and springs whose force or moment the run tells, with the largest of all. */
function reactionsOf(run, what) {
  const list = [];
  let most = 0;
  run.parts.forEach(([name], part) => {
    const columns = AXES.map((c) => columnOf(run, `${name}.${what}.${c}`)), link = columns[0] && linksOf(run, part)[0];
    if (!link) return;
    list.push({ name, part, value: (pose, t) => AXES.map((c) => valueNow(run, `${name}.${what}.${c}`, t)), place: (pose) => pose.point(link.b, link.pointB) });
    for (let i = 0; i < columns[0].length; i++) most = Math.max(most, Math.hypot(columns[0][i], columns[1][i], columns[2][i]));
  });
  return { what, list, most, moment: what === 'moment' };
}

export const reactionSources = (run) => ['force', 'moment'].map((what) => reactionsOf(run, what));

/** Loads that the page knows over time: src/picture/report_play.c. */
export function loadSources(run) {
  const { loads = [], load_vectors: vectors } = run.play, kinds = { load: [], couple: [] }, most = { load: 0, couple: 0 };
  const value = (i) => (pose) => AXES.map((_, k) => { const a = vectors[3 * (pose.at * loads.length + i) + k], b = vectors[3 * (pose.next * loads.length + i) + k]; return a + pose.part * (b - a); });
  loads.forEach(([part, node, x, y, z, moment, follower], i) => {
    const what = moment ? 'couple' : 'load';
    kinds[what].push({ name: run.parts[part][0], part, value: value(i), place: (pose) => pose.point(node, [x, y, z]), turn: follower ? node : null });
    for (let at = 3 * i; at < vectors.length; at += 3 * loads.length) most[what] = Math.max(most[what], Math.hypot(vectors[at], vectors[at + 1], vectors[at + 2]));
  });
  return Object.entries(kinds).map(([what, list]) => ({ what, list, most: most[what], moment: what === 'couple', ends: what === 'load' }));
}

/** Names of loads without arrows: they depend on the motion, on inputs or on events. */
export function loadsLeftOut(run) {
  const told = new Set((run.play.loads ?? []).map(([part]) => part));
  return run.parts.filter(([, , section], part) => section === 'loads' && !told.has(part)).map(([name]) => name);
}

export const hasArrows = (runs, sourcesOf) => runs.some((run) => sourcesOf(run).some(({ most }) => most > 0));

export class ForceArrows {
  /** ends: arrows point at where they act, so that they are seen outside of bodies */
  constructor(view, looks, sourcesOf) {
    this.looks = looks;
    this.shown = false;
    this.sets = view.actors.flatMap((actor) => sourcesOf(actor.run).map((source) => {
      const arrows = new ArrowSet(source.list.length, arrowColour(source.what), source.moment ? 2 : 1);
      view.scene.add(arrows.object);
      return { actor, ...source, arrows };
    }));
    view.extras.push(this);
  }

  update(view, t, { scale }) {
    const turn = new THREE.Quaternion();
    for (const { actor, list, most, arrows, ends } of this.sets) {
      const { pose } = actor, shown = this.shown && actor.object.visible && scale === 1;
      arrows.object.visible = shown;
      if (!shown) continue;
      arrows.begin();
      for (const { part, value, place, turn: node = null } of list) {
        if (this.looks.look(actor.run, part) === 'hidden') continue;
        const force = new THREE.Vector3(...value(pose, t)), size = force.length(), length = 0.25 * view.size * Math.cbrt(size / most);
        if (!(length > 0.01 * view.size)) continue;
        if (node !== null) force.applyQuaternion(turn.fromArray(pose.q, 4 * node)); // it turns with the body
        const at = new THREE.Vector3(...place(pose)), way = force.divideScalar(size);
        arrows.put(ends ? at.addScaledVector(way, -length) : at, way, length, 0.007 * view.size);
      }
      arrows.end();
    }
  }
}

/** The direction of gravity, beside the mechanism. */
export class Gravity {
  constructor(view, gravity) {
    const way = new THREE.Vector3(...gravity), length = 0.16 * view.size;
    this.shown = false;
    this.object = new THREE.Group();
    this.object.visible = false; // also before the first update
    if (way.lengthSq() > 0) {
      way.normalize();
      const at = view.beside, colour = new THREE.Color(arrowColour('gravity')).getHex(), arrows = new ArrowSet(1, arrowColour('gravity'));
      arrows.begin();
      arrows.put(at, way, length, 0.007 * view.size);
      arrows.end();
      const letter = view.letter('g', colour, at.clone().addScaledVector(way, -0.25 * length));
      letter.scale.setScalar(0.06 * view.size);
      this.object.add(arrows.object, letter);
    }
    view.scene.add(this.object);
    view.extras.push(this);
  }

  update() { this.object.visible = this.shown; }
}

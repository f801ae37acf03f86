// SPDX-License-Identifier: Apache-2.0
// What is under the pointer: the part, the node it moves with, and the point in axes of that node.
import * as THREE from 'three';
import { ownerOf } from './looks.js';
import { placesOf } from './marks.js';

const caster = new THREE.Raycaster();

/** Point in axes of a node. */
export function localOf(pose, node, point) {
  const turn = new THREE.Quaternion().fromArray(pose.q, 4 * node).invert();
  return point.clone().sub(new THREE.Vector3().fromArray(pose.x, 3 * node)).applyQuaternion(turn).toArray();
}

function cast(object) {
  object.traverse((child) => { // they move: what three.js keeps of their extent is old
    if (child.isInstancedMesh) child.boundingSphere = null;
    else if (child.geometry) child.geometry.boundingSphere = null;
  });
  return caster.intersectObject(object, true);
}

function hitsOf(actor) {
  const { run, beams, pieces, pose } = actor, list = [], owner = ownerOf(run);
  const add = (hit, part, node) => list.push({ distance: hit.distance, point: hit.point, part, node });
  for (const hit of cast(beams.object)) { const ring = beams.owner(hit.face.a); add(hit, ring.part, ring.node); }
  for (const piece of pieces) {
    if (piece.meshes)
      for (const hit of cast(piece.object)) {
        const entry = piece.meshes.find(({ mesh, twin }) => mesh === hit.object || twin === hit.object), item = entry?.list[hit.instanceId];
        if (item && owner(item) >= 0) add(hit, owner(item), item.node);
      }
    else if (piece.links)
      for (const hit of cast(piece.object)) { const link = piece.links[piece.lines.indexOf(hit.object)]; add(hit, piece.part.get(link.part), link.a); }
    else if (piece.owner && !piece.empty)
      for (const hit of cast(piece.object.children[0])) { const { part, node } = piece.owner(hit.face); add(hit, part, node); }
  }
  return list.map((hit) => ({ ...hit, actor, run, local: localOf(pose, hit.node, hit.point) }));
}

const SIGNS = ['joints', 'springs', 'loads', 'motions', 'supports', 'couplings', 'masses']; // small in the picture
const NEAR = 10, NEAR_NODE = 14; // pixels

const asHit = (actor, part, node, local) => ({ actor, run: actor.run, part, node, local, point: new THREE.Vector3(...actor.pose.point(node, local)) });

/** The joint, spring, load ... whose place is nearest, or null. */
function signAt(view, looks, x, y) {
  let best = NEAR, found = null;
  for (const actor of view.actors.filter(({ object }) => object.visible))
    for (const place of placesOf(actor.run)) {
      if (!SIGNS.includes(place.section) || looks.look(actor.run, place.part) === 'hidden') continue;
      const at = view.project(actor.pose.point(place.node, place.local)), d = at.seen ? Math.hypot(at.x - x, at.y - y) : Infinity;
      if (d < best) [best, found] = [d, asHit(actor, place.part, place.node, place.local)];
    }
  return found;
}

/** The nearest node of a flexible part, for thin lines: a plain loop, since there may be a hundred thousand. */
function nodeAt(view, looks, x, y) {
  const m = new THREE.Matrix4().multiplyMatrices(view.camera.projectionMatrix, view.camera.matrixWorldInverse).elements;
  const w = view.canvas.clientWidth / 2, h = view.canvas.clientHeight / 2;
  let best = NEAR_NODE ** 2, depth = Infinity, found = null;
  for (const { run, pose, object } of view.actors) {
    if (!object.visible) continue;
    const hidden = run.parts.map((_, part) => looks.look(run, part) === 'hidden');
    for (const n of (run.meshNodes ??= Int32Array.from(new Set(run.connectivity)).filter((k) => run.node_part[k] >= 0))) {
      if (hidden[run.node_part[n]]) continue;
      const a = pose.x[3 * n], b = pose.x[3 * n + 1], c = pose.x[3 * n + 2], q = m[3] * a + m[7] * b + m[11] * c + m[15];
      if (!(q > 0)) continue;
      const dx = w * (1 + (m[0] * a + m[4] * b + m[8] * c + m[12]) / q) - x, dy = h * (1 - (m[1] * a + m[5] * b + m[9] * c + m[13]) / q) - y, d = dx * dx + dy * dy;
      if (d < best && (d < 0.5 * best || q < depth)) best = d, depth = q, found = [run, n];
    }
  }
  return found && asHit(view.actors.find(({ run }) => run === found[0]), found[0].node_part[found[1]], found[1], [0, 0, 0]);
}

/** The nearest visible thing at a place of the canvas (pixels), or null: signs first, unless the exact point counts. */
export function pick(view, looks, x, y, { exact = false } = {}) {
  const sign = exact ? null : signAt(view, looks, x, y);
  if (sign) return sign;
  const { clientWidth, clientHeight } = view.canvas;
  caster.setFromCamera(new THREE.Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), view.camera);
  caster.params.Line.threshold = 0.008 * view.camera.position.distanceTo(view.controls.target);
  const hits = view.actors.filter((actor) => actor.object.visible).flatMap(hitsOf).filter(({ run, part }) => looks.look(run, part) !== 'hidden');
  const solid = hits.filter(({ run, part }) => looks.look(run, part) === 'shown'), pool = solid.length ? solid : hits;
  return pool.reduce((best, hit) => (!best || hit.distance < best.distance ? hit : best), null) ?? nodeAt(view, looks, x, y);
}

/** Calls back on clicks and taps that do not turn the picture. */
export function onPick(canvas, callback) {
  let down = null;
  canvas.addEventListener('pointerdown', (event) => { down = event.isPrimary && event.button === 0 ? [event.clientX, event.clientY] : null; });
  canvas.addEventListener('pointerup', (event) => {
    if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > (event.pointerType === 'touch' ? 10 : 4)) return;
    const box = canvas.getBoundingClientRect();
    callback(event.clientX - box.left, event.clientY - box.top);
  });
}

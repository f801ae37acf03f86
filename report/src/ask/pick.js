// SPDX-License-Identifier: Apache-2.0
// What is under the pointer: the part, the node it moves with, and the point in axes of that node.
import * as THREE from 'three';
import { ownerOf } from './looks.js';

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

/** The nearest visible thing at a place of the canvas (pixels), or null. */
export function pick(view, looks, x, y) {
  const { clientWidth, clientHeight } = view.canvas;
  caster.setFromCamera(new THREE.Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), view.camera);
  caster.params.Line.threshold = 0.008 * view.camera.position.distanceTo(view.controls.target);
  const hits = view.actors.filter((actor) => actor.object.visible).flatMap(hitsOf).filter(({ run, part }) => looks.look(run, part) !== 'hidden');
  const solid = hits.filter(({ run, part }) => looks.look(run, part) === 'shown'), pool = solid.length ? solid : hits;
  return pool.reduce((best, hit) => (!best || hit.distance < best.distance ? hit : best), null);
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

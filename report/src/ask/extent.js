// SPDX-License-Identifier: Apache-2.0
// Where a part is now: the box about its nodes, bodies and attachments.
import * as THREE from 'three';
import { bodyOf, linkOf } from '../bodies.js';
import { extentOf, shapesOf } from '../shapes.js';

/** What a part is made of, gathered once by run. */
function piecesOf(run) {
  if (run.pieces) return run.pieces;
  const made = run.parts.map(() => ({ nodes: [], bodies: [], links: [] })), row = new Map(run.parts.map(([name], i) => [name, i]));
  run.node_part.forEach((part, n) => { if (part >= 0 && n > 0) made[part].nodes.push(n); });
  for (const body of run.bodies.map(bodyOf)) made[row.get(body.part)]?.bodies.push(body);
  for (const link of run.links.map(linkOf)) made[row.get(link.part)]?.links.push(link);
  const boxes = new Map(), boxOf = (surface) => boxes.get(surface) ?? boxes.set(surface, extentOf(run, surface)).get(surface);
  for (const shape of shapesOf(run)) { // a shape that touches is the extent of its body, too
    if (shape.surface < 0 || shape.plane) continue;
    const { min, max } = boxOf(shape.surface), middle = [0, 1, 2].map((k) => shape.at[k] + (shape.scale * (min.getComponent(k) + max.getComponent(k))) / 2);
    const body = { node: shape.node, at: middle, quaternion: [0, 0, 0, 1], size: [0, 1, 2].map((k) => shape.scale * (max.getComponent(k) - min.getComponent(k))) };
    for (const part of new Set([shape.part, run.node_part[shape.node]])) made[part]?.bodies.push(body);
  }
  return (run.pieces = made);
}

export const nodesOf = (run, part) => piecesOf(run)[part].nodes;
export const linksOf = (run, part) => piecesOf(run)[part].links;
export const bodiesOf = (run, part) => piecesOf(run)[part].bodies;

/** Box3 of a part at a pose; empty where the part is at no place (a material, a section). */
export function partBox(run, part, pose, margin = 0) {
  const { nodes, bodies, links } = piecesOf(run)[part], box = new THREE.Box3(), point = new THREE.Vector3();
  for (const n of nodes) if (!bodies.length) box.expandByPoint(point.fromArray(pose.x, 3 * n));
  for (const { node, at, quaternion, size } of bodies) {
    const turn = new THREE.Quaternion(...quaternion);
    for (let i = 0; i < 8; i++) {
      const corner = new THREE.Vector3(...size.map((s, k) => (i & (1 << k) ? 0.5 : -0.5) * s)).applyQuaternion(turn).add(new THREE.Vector3(...at));
      box.expandByPoint(point.fromArray(pose.point(node, corner.toArray())));
    }
  }
  for (const link of links) {
    box.expandByPoint(point.fromArray(pose.point(link.a, link.pointA)));
    box.expandByPoint(point.fromArray(pose.point(link.b, link.pointB)));
  }
  return box.isEmpty() ? box : box.expandByScalar(margin);
}

// SPDX-License-Identifier: Apache-2.0
// Which part is under the pointer, and where a part is on the screen.
import * as THREE from 'three';
import { bodyOf, linkOf } from '../bodies.js';
import { shapesOf } from '../shapes.js';

const NEAR = 14; // pixels

/** Anchors: a place for each part, on a node. */
export function anchorsOf(run) {
  const index = new Map(run.parts.map(([name], i) => [name, i])), anchor = new Map();
  const put = (part, node, at, rank) => { if (part !== undefined && part >= 0 && !(anchor.get(part)?.rank <= rank)) anchor.set(part, { part, node, at, rank }); };
  for (const b of run.bodies.map(bodyOf)) put(index.get(b.part), b.node, b.at, 0);
  for (const l of run.links.map(linkOf)) put(index.get(l.part), l.a, l.pointA, 0);
  for (const s of shapesOf(run)) put(s.part, s.node, s.at, 1);
  for (const [part, node, x, y, z] of run.scene.loads) put(part, node, [x, y, z], 0);
  for (const [part, node] of run.scene.supports) put(part, node, [0, 0, 0], 1);
  const first = new Map(), last = new Map();
  run.node_part.forEach((part, node) => { if (node > 0) { if (!first.has(part)) first.set(part, node); last.set(part, node); } });
  for (const [part, node] of first) put(part, Math.floor((node + last.get(part)) / 2), [0, 0, 0], 2);
  return anchor;
}

export class Pick {
  constructor(stage) {
    this.stage = stage;
    const { run } = stage;
    this.anchors = anchorsOf(run);
    this.nodes = Int32Array.from(new Set(run.connectivity)).filter((n) => run.node_part[n] >= 0);
    this.ray = new THREE.Raycaster();
    this.point = new THREE.Vector3();
  }

  /** Pixels of a place on the stage; null: behind the camera. */
  project(place) {
    const { view, canvas } = this.stage, p = this.point.set(...place).project(view.camera);
    if (p.z > 1 || p.z < -1) return null;
    return [(0.5 + 0.5 * p.x) * canvas.clientWidth, (0.5 - 0.5 * p.y) * canvas.clientHeight];
  }

  where(part) {
    const anchor = this.anchors.get(part);
    return anchor && this.project(this.stage.pose.point(anchor.node, anchor.at));
  }

  place(part) {
    const anchor = this.anchors.get(part);
    return anchor && this.stage.pose.point(anchor.node, anchor.at);
  }

  nearest(items, x, y, near, placeOf) {
    let best = near, found = null;
    for (const item of items) {
      const at = this.project(placeOf(item));
      const d = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (d < best) [best, found] = [d, item];
    }
    return found;
  }

  /** What is at a pixel: {part} or {point}; null: nothing. */
  at(x, y) {
    const { run, pose, view, canvas, signs } = this.stage;
    const sections = ['joints', 'springs', 'loads', 'motions', 'supports', 'couplings', 'masses', 'contacts'];
    const anchor = this.nearest([...this.anchors.values()].filter((a) => sections.includes(run.parts[a.part][2])), x, y, NEAR, (a) => pose.point(a.node, a.at));
    if (anchor) return { part: anchor.part };
    const named = signs.points.object.visible && this.nearest(signs.points.items, x, y, NEAR, (p) => p.at);
    if (named) return { point: named };
    this.ray.setFromCamera(new THREE.Vector2((2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight), view.camera);
    return this.solid() ?? this.flexible(x, y);
  }

  solid() {
    const { run, actor } = this.stage;
    let best = null;
    for (const { meshes } of actor.pieces)
      for (const { mesh, list } of meshes ?? []) {
        if (!mesh?.isInstancedMesh || !list) continue;
        mesh.computeBoundingSphere();
        const hit = this.ray.intersectObject(mesh, false).find((h) => list[h.instanceId]?.node > 0);
        if (hit && !(hit.distance > best?.distance)) best = { distance: hit.distance, part: run.node_part[list[hit.instanceId].node] };
      }
    return best && best.part >= 0 ? { part: best.part } : null;
  }

  /** The nearest node of a flexible part: a plain loop, for there may be a hundred thousand. */
  flexible(x, y) {
    const { run, pose, view, canvas } = this.stage, { camera } = view;
    const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    const [w, h] = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    let best = (1.5 * NEAR) ** 2, depth = Infinity, found = -1;
    for (const n of this.nodes) {
      const a = pose.x[3 * n], b = pose.x[3 * n + 1], c = pose.x[3 * n + 2], q = m[3] * a + m[7] * b + m[11] * c + m[15];
      if (!(q > 0)) continue;
      const dx = w * (1 + (m[0] * a + m[4] * b + m[8] * c + m[12]) / q) - x, dy = h * (1 - (m[1] * a + m[5] * b + m[9] * c + m[13]) / q) - y, d = dx * dx + dy * dy;
      if (d < best && (d < 0.5 * best || q < depth)) best = d, depth = q, found = n;
    }
    return found < 0 ? null : { part: run.node_part[found] };
  }
}

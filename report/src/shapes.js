// SPDX-License-Identifier: Apache-2.0
// What touches: shapes as surfaces on their bodies, and arrows for the forces at the points of contact. Shapes that have one surface
// are instances of one mesh, so that ten thousand of them draw.
import * as THREE from 'three';
import { dark, partColour } from './colour.js';

const WIDTH = 8, PAIR = 10, GROUND = 0x8b9299;
/** By what a pair does: smooth, sticks, slips. */
export const STATES = ['no friction', 'sticks', 'slips'];
const COLOUR = { light: ['#1f5f8b', '#1d7a4b', '#c0502e'], dark: ['#6db3e3', '#63c894', '#f0936f'] };
export const stateColour = (state) => COLOUR[dark() ? 'dark' : 'light'][state];

export const shapesOf = (run) => Array.from({ length: run.shapes.length / WIDTH }, (_, i) => {
  const [part, node, surface, plane, x, y, z, scale] = run.shapes.subarray(WIDTH * i, WIDTH * (i + 1));
  return { part, node, surface, plane: plane === 1, hollow: plane === 2, at: [x, y, z], scale };
});

/** Triangles of a surface, as ranges of the arrays of the run. */
function surfaceOf(run, i) {
  const [first, points, triangle, triangles] = run.surfaces.subarray(4 * i, 4 * i + 4);
  return { point: run.surface_points.subarray(3 * first, 3 * (first + points)), triangle: run.surface_triangles.subarray(3 * triangle, 3 * (triangle + triangles)) };
}

/** Half the edges of the box about a surface, and its middle. */
export function extentOf(run, surface) {
  const { point } = surfaceOf(run, surface), box = new THREE.Box3();
  for (let i = 0; i < point.length; i += 3) box.expandByPoint(new THREE.Vector3().fromArray(point, i));
  return box;
}

// Normals of corners: the mean, by area, of the faces around a point that turn less than 40 degrees away.
function creased(point, triangle) {
  const count = triangle.length / 3, area = new Float32Array(3 * count), around = Array.from({ length: point.length / 3 }, () => []);
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
  for (let f = 0; f < count; f++) {
    const [i, j, k] = triangle.subarray(3 * f, 3 * f + 3);
    a.fromArray(point, 3 * i), b.fromArray(point, 3 * j).sub(a), c.fromArray(point, 3 * k).sub(a);
    b.cross(c).toArray(area, 3 * f);
    if (b.lengthSq() > 0) [i, j, k].forEach((n) => around[n].push(f));
  }
  const position = new Float32Array(9 * count), normal = new Float32Array(9 * count), least = Math.cos((40 * Math.PI) / 180);
  for (let f = 0; f < count; f++) {
    a.fromArray(area, 3 * f).normalize();
    for (let k = 0; k < 3; k++) {
      const n = triangle[3 * f + k];
      position.set(point.subarray(3 * n, 3 * n + 3), 9 * f + 3 * k);
      b.set(0, 0, 0);
      for (const g of around[n]) {
        c.fromArray(area, 3 * g);
        if (a.dot(c) >= least * c.length()) b.add(c);
      }
      (b.lengthSq() > 0 ? b.normalize() : a).toArray(normal, 9 * f + 3 * k);
    }
  }
  return { position, normal };
}

// A ball shows by a paler belt how it turns.
function shades(position) {
  const size = (i) => Math.hypot(position[i], position[i + 1], position[i + 2]);
  const round = position.length > 0 && Array.from({ length: position.length / 3 }, (_, i) => size(3 * i)).every((r) => Math.abs(r - 1) < 1e-5);
  const colour = new Float32Array(position.length).fill(1);
  for (let f = 0; round && f < position.length; f += 9) if (Math.abs(position[f + 2] + position[f + 5] + position[f + 8]) < 0.9) colour.fill(0.62, f, f + 9);
  return colour;
}

// Corners that are alike are one vertex: of ten thousand spheres, a sixth of the work.
function geometryOf(run, index) {
  const { point, triangle } = surfaceOf(run, index), { position, normal } = creased(point, triangle), shade = shades(position);
  const known = new Map(), kept = [], order = [];
  triangle.forEach((n, corner) => {
    const key = [n, shade[3 * corner], ...[0, 1, 2].map((k) => Math.round(1000 * normal[3 * corner + k]))].join();
    if (!known.has(key)) known.set(key, kept.push(corner) - 1);
    order.push(known.get(key));
  });
  const pick = (from) => new THREE.BufferAttribute(Float32Array.from(kept.flatMap((corner) => [...from.subarray(3 * corner, 3 * corner + 3)])), 3);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', pick(position)).setAttribute('normal', pick(normal)).setAttribute('color', pick(shade));
  return geometry.setIndex(order);
}

/** A plane has no end: of the ground's as much is drawn as the motion covers. Its surface is the square of its two axes. */
function patch(run, shape, { box, reach }) {
  const { point } = surfaceOf(run, shape.surface), at = (i) => new THREE.Vector3().fromArray(point, 3 * i);
  const axes = [at(1).sub(at(0)).multiplyScalar(0.5), at(3).sub(at(0)).multiplyScalar(0.5)], normal = axes[0].clone().cross(axes[1]);
  const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5), middle = box.getCenter(new THREE.Vector3());
  const size = axes.map((a) => Math.abs(a.x) * half.x + Math.abs(a.y) * half.y + Math.abs(a.z) * half.z + 0.04 * reach);
  middle.addScaledVector(normal, new THREE.Vector3(...shape.at).sub(middle).dot(normal));
  const entry = (i, j) => size[0] * axes[0].getComponent(i) * axes[0].getComponent(j) + size[1] * axes[1].getComponent(i) * axes[1].getComponent(j) + normal.getComponent(i) * normal.getComponent(j);
  return new THREE.Matrix4().set(entry(0, 0), entry(0, 1), entry(0, 2), middle.x, entry(1, 0), entry(1, 1), entry(1, 2), middle.y, entry(2, 0), entry(2, 1), entry(2, 2), middle.z, 0, 0, 0, 1);
}

/** Shapes by surface, in the colour of their bodies; planes are pale. Of the walls of hollows only the far side is seen, with what is in them before it. */
export class Shapes {
  constructor(run, view, opacity = 1) {
    this.object = new THREE.Group();
    this.meshes = [];
    const groups = new Map();
    for (const shape of shapesOf(run)) {
      if (shape.surface < 0) continue;
      if (shape.plane && shape.node === 0) shape.local = patch(run, shape, view);
      if (!groups.has(shape.surface)) groups.set(shape.surface, []);
      groups.get(shape.surface).push(shape);
    }
    for (const [surface, list] of groups) this.add(run, surface, list, opacity);
  }

  add(run, surface, list, opacity) {
    const { plane, hollow } = list[0], seen = opacity * (plane ? 0.34 : 1);
    const material = new THREE.MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, vertexColors: true, side: hollow ? THREE.FrontSide : THREE.DoubleSide, transparent: seen < 1, opacity: seen, depthWrite: seen === 1, polygonOffset: plane, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
    const geometry = geometryOf(run, surface), mesh = new THREE.InstancedMesh(geometry, material, list.length);
    list.forEach((shape, i) => {
      const owner = shape.node === 0 ? -1 : run.node_part[shape.node];
      mesh.setColorAt(i, new THREE.Color(owner < 0 ? GROUND : partColour(owner)));
      shape.local ??= new THREE.Matrix4().makeScale(shape.scale, shape.scale, shape.scale).setPosition(...shape.at);
    });
    mesh.frustumCulled = false;
    this.object.add(mesh);
    this.meshes.push({ mesh, list });
  }

  update(pose) {
    const node = new THREE.Matrix4(), x = new THREE.Vector3(), q = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);
    for (const { mesh, list } of this.meshes) {
      list.forEach((shape, i) => {
        x.fromArray(pose.x, 3 * shape.node);
        q.fromArray(pose.q, 4 * shape.node);
        mesh.setMatrixAt(i, node.compose(x, q, one).multiply(shape.local));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

/** The pairs that touch at a state to play. */
export function pairsAt(run, state) {
  const { touch, touch_first } = run.play;
  return Array.from({ length: touch_first[state + 1] - touch_first[state] }, (_, i) => {
    const [contact, a, b, grasp, x, y, z, fx, fy, fz] = touch.subarray(PAIR * (touch_first[state] + i), PAIR * (touch_first[state] + i + 1));
    return { contact, a, b, grasp, at: [x, y, z], force: [fx, fy, fz] };
  });
}

/** The largest force of all pairs at all states to play. */
export function largestForce(run) {
  const { touch } = run.play;
  let most = 0;
  for (let i = 0; i < touch.length; i += PAIR) most = Math.max(most, Math.hypot(touch[i + 7], touch[i + 8], touch[i + 9]));
  return most;
}

/** Arrows at the points of contact: the force on each body that touches; lengths by the cube root of the share of the largest force, so that weights are seen beside impacts. */
export class Arrows {
  constructor(run, size, opacity = 1) {
    const first = run.play.touch_first;
    this.run = run;
    this.size = size;
    this.most = largestForce(run);
    this.nodes = shapesOf(run).map(({ node }) => node);
    const room = 2 * first.reduce((most, at, i) => (i ? Math.max(most, at - first[i - 1]) : 0), 0);
    const make = (geometry) => {
      const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial({ transparent: true, opacity, depthTest: false }), room); // forces point into bodies
      mesh.renderOrder = 5;
      mesh.frustumCulled = false;
      mesh.count = 0;
      return mesh;
    };
    this.object = new THREE.Group();
    if (!room) return;
    this.shafts = make(new THREE.CylinderGeometry(0.5, 0.5, 1, 8).translate(0, 0.5, 0));
    this.heads = make(new THREE.ConeGeometry(0.5, 1, 12).translate(0, -0.5, 0));
    this.shafts.setColorAt(0, new THREE.Color());
    this.heads.setColorAt(0, new THREE.Color());
    this.object.add(this.shafts, this.heads);
  }

  update(pose) {
    if (!this.shafts) return;
    this.count = 0;
    const state = pose.part > 0.5 ? pose.next : pose.at;
    for (const pair of pairsAt(this.run, state)) {
      if (this.nodes[pair.a] !== 0) this.put(pair, 1);
      if (this.nodes[pair.b] !== 0) this.put(pair, -1);
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    }
  }

  put({ at, force, grasp }, sign) {
    const way = new THREE.Vector3(...force).multiplyScalar(sign), length = 0.22 * this.size * Math.cbrt(way.length() / this.most);
    if (!(length > 0.004 * this.size)) return;
    const from = new THREE.Vector3(...at), turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
    const thick = 0.007 * this.size, head = Math.min(0.035 * this.size, 0.6 * length), colour = new THREE.Color(stateColour(grasp));
    this.shafts.setMatrixAt(this.count, new THREE.Matrix4().compose(from, turn, new THREE.Vector3(thick, length - 0.9 * head, thick)));
    this.heads.setMatrixAt(this.count, new THREE.Matrix4().compose(from.addScaledVector(way, length), turn, new THREE.Vector3(2.4 * thick, head, 2.4 * thick)));
    this.shafts.setColorAt(this.count, colour);
    this.heads.setColorAt(this.count++, colour);
  }
}

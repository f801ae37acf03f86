// SPDX-License-Identifier: Apache-2.0
// What is fixed to nodes: shapes of bodies, rods from a body to its joints, signs for joints. All of one shape are instances of one mesh.
import * as THREE from 'three';
import { partColour } from './colour.js';
import { shapesOf } from './shapes.js';

const STEEL = 0x4a545e, GROUND = 0x8b9299;

const GEOMETRY = {
  box: () => new THREE.BoxGeometry(1, 1, 1),
  cylinder: () => new THREE.CylinderGeometry(0.5, 0.5, 1, 32).rotateX(Math.PI / 2), // along z
  sphere: () => new THREE.SphereGeometry(0.5, 28, 18),
  octahedron: () => new THREE.OctahedronGeometry(0.5),
};

export const bodyOf = ([part, node, shape, given, sx, sy, sz, x, y, z, qs, qx, qy, qz]) =>
  ({ part, node, shape, given: !!given, size: [sx, sy, sz], at: [x, y, z], quaternion: [qx, qy, qz, qs] });
export const linkOf = ([part, a, b, ax, ay, az, bx, by, bz, zx, zy, zz]) =>
  ({ part, a, b, pointA: [ax, ay, az], pointB: [bx, by, bz], axis: [zx, zy, zz], short: a === b && ax === bx && ay === by && az === bz });

const matrix = (at, quaternion, scale) => new THREE.Matrix4().compose(new THREE.Vector3(...at), new THREE.Quaternion(...quaternion), new THREE.Vector3(...scale));
const towards = (axis) => {
  const v = new THREE.Vector3(...axis);
  return new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), v.lengthSq() ? v.normalize() : new THREE.Vector3(0, 0, 1)).toArray();
};

export class Bodies {
  constructor(run, size, up, opacity = 1) {
    this.run = run;
    this.opacity = opacity;
    this.items = { box: [], cylinder: [], sphere: [], octahedron: [] };
    this.kind = new Map(run.parts.map(([name, kind, section], i) => [name, { kind, section, index: i }]));
    this.size = size;
    const bodies = run.bodies.map(bodyOf), links = run.links.map(linkOf);
    this.touching = new Set(shapesOf(run).filter((s) => s.surface >= 0 && !s.plane && !s.hollow).map((s) => s.node)); // drawn by its shapes
    for (const body of bodies) this.addBody(body, links);
    for (const link of links) this.addLink(link, up);
    this.object = new THREE.Group();
    this.meshes = Object.entries(this.items).filter(([, list]) => list.length).map(([shape, list]) => this.mesh(shape, list));
  }

  mesh(shape, list) {
    const material = new THREE.MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, transparent: this.opacity < 1, opacity: this.opacity });
    const mesh = new THREE.InstancedMesh(GEOMETRY[shape](), material, list.length);
    list.forEach(({ colour }, i) => mesh.setColorAt(i, new THREE.Color(colour)));
    mesh.frustumCulled = false;
    this.object.add(mesh);
    return { mesh, list };
  }

  add(shape, node, local, colour, part) { this.items[shape].push({ node, local, colour, part }); }

  addBody(body, links) {
    const longest = Math.max(...body.size), { index } = this.kind.get(body.part), colour = partColour(index);
    const point = !body.given && !(longest > 0);
    const least = body.given ? 0 : Math.max(0.06 * longest, 0.008 * this.size);
    let extent = point ? [1, 1, 1].map(() => 0.03 * this.size) : body.size.map((s) => Math.max(s, least));
    const own = links.filter((link) => link.a !== link.b); // others are lines on the body itself, the path of what slides
    const attachments = own.flatMap((link) => [link.a === body.node && link.pointA, link.b === body.node && link.pointB].filter(Boolean));
    if (!body.given) extent = this.slimmed(body, extent, attachments);
    const shape = point || body.shape === 'ellipsoid' ? 'sphere' : body.shape;
    if (body.given || !this.touching.has(body.node)) this.add(shape, body.node, matrix(body.at, body.quaternion, extent), colour, index);
    for (const point of attachments) if (this.outside(body, extent, point)) this.addRod(body, point, colour);
  }

  outside(body, extent, point) {
    const local = new THREE.Vector3(...point).sub(new THREE.Vector3(...body.at)).applyQuaternion(new THREE.Quaternion(...body.quaternion).invert());
    return local.toArray().some((v, k) => Math.abs(v) >= 0.52 * extent[k] + 0.004 * this.size);
  }

  // A box that only stands for an inertia must not hide the mechanism: where joints lie outside of it, it is at most a third as thick as they are far.
  slimmed(body, extent, attachments) {
    const middle = new THREE.Vector3(...body.at), far = attachments.filter((p) => this.outside(body, extent, p)).map((p) => middle.distanceTo(new THREE.Vector3(...p)));
    const thickness = [...extent].sort((a, b) => a - b)[1], scale = Math.min(1, (0.35 * Math.max(...far)) / thickness);
    return far.length ? extent.map((s) => scale * s) : extent;
  }

  // From the middle of the shape to an attachment outside of it.
  addRod(body, point, colour) {
    const from = new THREE.Vector3(...body.at), to = new THREE.Vector3(...point), way = to.clone().sub(from);
    const thick = 0.011 * this.size;
    this.add('cylinder', body.node, matrix(from.clone().addScaledVector(way, 0.5).toArray(), towards(way.toArray()), [thick, thick, way.length()]), colour, this.kind.get(body.part).index);
  }

  addLink(link, up) {
    const { kind, section, index } = this.kind.get(link.part);
    const g = 0.013 * this.size;
    if (link.a === link.b && !link.short) return;
    if (link.a === 0 || link.b === 0) this.addGround(link.a === 0 ? link.pointA : link.pointB, up, g, index);
    if (section !== 'joints' || kind === 'distance' || kind === 'rope') return;
    const put = (shape, ...scale) => this.add(shape, link.a, matrix(link.pointA, towards(link.axis), scale), STEEL, index);
    if (kind === 'revolute' || kind === 'screw') put('cylinder', 1.9 * g, 1.9 * g, 3.2 * g);
    else if (kind === 'cylindrical') put('cylinder', 1.6 * g, 1.6 * g, 5 * g);
    else if (kind === 'prismatic') put('box', 1.8 * g, 1.8 * g, 4.5 * g);
    else if (kind === 'spherical' || kind === 'universal') put('sphere', 2.2 * g, 2.2 * g, 2.2 * g);
    else if (kind === 'rigid') put('box', 1.6 * g, 1.6 * g, 1.6 * g);
    else put('octahedron', 2 * g, 2 * g, 2 * g);
  }

  addGround(point, up, g, part) {
    const at = point.map((v, k) => v - 1.5 * g * up[k]);
    this.add('box', 0, matrix(at, towards(up), [4.5 * g, 4.5 * g, 0.9 * g]), GROUND, part);
  }

  update(pose) {
    const node = new THREE.Matrix4(), x = new THREE.Vector3(), q = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);
    for (const { mesh, list } of this.meshes) {
      list.forEach((item, i) => {
        x.fromArray(pose.x, 3 * item.node);
        q.fromArray(pose.q, 4 * item.node);
        mesh.setMatrixAt(i, node.compose(x, q, one).multiply(item.local));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

const LINES = ['spring', 'distance', 'attraction', 'hydraulic_cylinder', 'rope', 'sliding'];

/** A hydraulic cylinder: a barrel of constant length at its first end, and a rod that goes into it. */
class Cylinder {
  constructor(size, opacity) {
    const piece = (colour) => new THREE.Mesh(GEOMETRY.cylinder(), new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.2, transparent: opacity < 1, opacity }));
    this.barrel = piece(0x8a8f5a);
    this.rod = piece(GROUND);
    this.thick = 0.02 * size;
    this.length = 0; // of the barrel
    this.object = new THREE.Group().add(this.barrel, this.rod);
    for (const { material } of [this.barrel, this.rod]) material.userData.own = material.color.getHex();
  }

  dress(look, own) {
    this.object.visible = look !== 'hidden';
    for (const { material } of [this.barrel, this.rod]) {
      material.transparent = look === 'pale';
      material.opacity = look === 'pale' ? 0.25 : 1;
      material.color.set(own ?? material.userData.own);
    }
  }

  update(a, b) {
    const way = b.clone().sub(a), length = way.length(), turn = new THREE.Quaternion(...towards(way.toArray()));
    if (!this.length) this.length = 0.6 * length;
    const barrel = Math.min(this.length, 0.98 * length), rod = length - 0.5 * barrel;
    const put = (mesh, middle, along, thick) => {
      mesh.position.copy(a).addScaledVector(way, middle / (length || 1));
      mesh.quaternion.copy(turn);
      mesh.scale.set(thick, thick, along);
    };
    put(this.barrel, 0.5 * barrel, barrel, this.thick);
    put(this.rod, length - 0.5 * rod, rod, 0.5 * this.thick);
  }
}

/** Springs as coils; distances, ropes and paths as lines; cylinders. */
export class Springs {
  constructor(run, size, opacity = 1) {
    const kind = new Map(run.parts.map(([name, k]) => [name, k]));
    this.run = run;
    this.part = new Map(run.parts.map(([name], i) => [name, i]));
    this.links = run.links.map(linkOf).filter((l) => LINES.includes(kind.get(l.part)) && !l.short);
    this.links.forEach((l) => (l.coil = kind.get(l.part) === 'spring'));
    this.radius = 0.014 * size;
    this.object = new THREE.Group();
    const per = (link) => (link.coil ? 121 : 2);
    this.lines = this.links.map((link) => {
      const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * per(link)), 3).setUsage(THREE.DynamicDrawUsage));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0x8a8f5a, transparent: opacity < 1, opacity }));
      line.frustumCulled = false;
      this.object.add(line);
      return line;
    });
    this.cylinders = this.links.map((link) => (kind.get(link.part) === 'hydraulic_cylinder' ? new Cylinder(size, opacity) : null));
    for (const cylinder of this.cylinders) if (cylinder) this.object.add(cylinder.object);
  }

  /** Parts in their colours, pale or hidden. */
  dress(looks) {
    this.links.forEach((link, k) => {
      const part = this.part.get(link.part), look = looks.look(this.run, part), own = looks.own(this.run, part), { material } = this.lines[k];
      this.lines[k].visible = look !== 'hidden';
      material.transparent = true;
      material.opacity = look === 'pale' ? 0.25 : 1;
      material.color.set(own ?? 0x8a8f5a);
      this.cylinders[k]?.dress(look, own);
    });
  }

  update(pose) {
    this.links.forEach((link, k) => {
      const a = new THREE.Vector3(...pose.point(link.a, link.pointA)), b = new THREE.Vector3(...pose.point(link.b, link.pointB));
      this.cylinders[k]?.update(a, b);
      const way = b.clone().sub(a), u = new THREE.Vector3(), v = new THREE.Vector3();
      const axis = way.clone().normalize();
      u.crossVectors(axis, Math.abs(axis.z) < 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0)).normalize();
      v.crossVectors(axis, u);
      const { array, count } = this.lines[k].geometry.attributes.position;
      for (let i = 0; i < count; i++) {
        const s = i / (count - 1), phase = 2 * Math.PI * 10 * s;
        const r = link.coil && s > 0.08 && s < 0.92 ? this.radius : 0;
        const p = a.clone().addScaledVector(way, s).addScaledVector(u, r * Math.cos(phase)).addScaledVector(v, r * Math.sin(phase));
        p.toArray(array, 3 * i);
      }
      this.lines[k].geometry.attributes.position.needsUpdate = true;
    });
  }
}

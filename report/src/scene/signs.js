// SPDX-License-Identifier: Apache-2.0
// Signs in the picture: axes of bodies and joints, points, supports, loads and gravity as arrows. All of one kind are one object.
import * as THREE from 'three';
import { linkOf } from '../bodies.js';

const COLOUR = { force: 0xd0493b, moment: 0x8a4fc0, gravity: 0x2f7d4f, joint: 0xd08a1e, support: 0x5f7f6b, point: 0x3f6fb0 };
const AXES = [[0.82, 0.29, 0.23], [0.23, 0.62, 0.40], [0.29, 0.55, 0.82]];
const AXIAL = ['revolute', 'cylindrical', 'prismatic', 'screw', 'universal', 'rotor', 'gear', 'planar', 'motor'];
const MOST_AXES = 500;

function segments(count, colours) {
  const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * count), 3).setUsage(THREE.DynamicDrawUsage));
  if (colours) geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  return geometry;
}

function linesOf(count, material, colours) {
  const lines = new THREE.LineSegments(segments(count, colours), material);
  lines.frustumCulled = false;
  return lines;
}

/** An arrow along z from 0 to 1. */
function arrow() {
  const shaft = new THREE.CylinderGeometry(0.022, 0.022, 0.76, 8).translate(0, 0.38, 0).rotateX(Math.PI / 2);
  const head = new THREE.ConeGeometry(0.07, 0.26, 14).translate(0, 0.87, 0).rotateX(Math.PI / 2);
  return [shaft, head];
}

/** An arc about z that ends in a head. */
function curl() {
  const arc = new THREE.TorusGeometry(0.5, 0.022, 6, 32, 1.5 * Math.PI);
  const head = new THREE.ConeGeometry(0.075, 0.22, 12).translate(0, 0.08, 0).rotateZ(-Math.PI / 2).translate(0, -0.5, 0);
  return [arc, head, ...[new THREE.CylinderGeometry(0.014, 0.014, 0.6, 6).rotateX(Math.PI / 2)]];
}

const NOWHERE = new THREE.Matrix4().makeScale(0, 0, 0);

class Instances {
  constructor(pieces, colour, items, hidden = true) {
    this.items = items;
    this.object = new THREE.Group();
    this.meshes = pieces.map((geometry) => {
      const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial({ roughness: 0.6, depthTest: hidden }), Math.max(items.length, 1));
      mesh.count = items.length;
      mesh.frustumCulled = false;
      items.forEach((item, i) => mesh.setColorAt(i, new THREE.Color(colour).lerp(new THREE.Color(0xb8bcc0), item.faint ? 0.6 : 0)));
      this.object.add(mesh);
      return mesh;
    });
  }

  /** Matrix of each item by a function; those of hidden parts are points. */
  update(matrixOf, isHidden = () => false) {
    this.items.forEach((item, i) => { const matrix = isHidden(item.part) ? NOWHERE : matrixOf(item); this.meshes.forEach((mesh) => mesh.setMatrixAt(i, matrix)); });
    this.meshes.forEach((mesh) => (mesh.instanceMatrix.needsUpdate = true));
  }
}

const loadOf = ([part, node, x, y, z, fx, fy, fz, moment, follower, now]) => ({ part, node, at: [x, y, z], vector: new THREE.Vector3(fx, fy, fz), moment, follower, faint: !now });

/** Lengths go with the cube root, so that small loads are seen beside large ones. */
function measured(loads) {
  const most = Math.max(...loads.map((l) => l.vector.length()), 0);
  return loads.filter((l) => l.vector.lengthSq() > 0).map((l) => ({ ...l, length: 0.35 + 0.65 * Math.cbrt(l.vector.length() / most) }));
}

export class Signs {
  constructor(run, view) {
    const { scene, links, parts, bodies } = run, { size } = view;
    this.run = run;
    this.size = size;
    this.looks = null;
    const kind = new Map(parts.map(([name, k, section]) => [name, { kind: k, section }]));
    const loads = scene.loads.map(loadOf);
    this.forces = new Instances(arrow(), COLOUR.force, measured(loads.filter((l) => !l.moment)));
    this.moments = new Instances(curl(), COLOUR.moment, measured(loads.filter((l) => l.moment)));
    this.supports = new Instances([new THREE.ConeGeometry(0.6, 1, 4).translate(0, -0.5, 0).rotateX(Math.PI / 2)], COLOUR.support, scene.supports.map(([part, node]) => ({ part, node })));
    this.points = new Instances([new THREE.OctahedronGeometry(0.5)], COLOUR.point, scene.points.map(([name, ...at]) => ({ name, at })), false); // seen through parts
    this.up = view.up;
    this.links = links.map(linkOf).filter((l) => kind.get(l.part)?.section === 'joints' && AXIAL.includes(kind.get(l.part).kind)).slice(0, 4 * MOST_AXES);
    this.jointAxes = linesOf(this.links.length, new THREE.LineDashedMaterial({ color: COLOUR.joint, dashSize: 0.02 * size, gapSize: 0.01 * size, depthTest: false }));
    this.frames = bodies.slice(0, MOST_AXES).map((b) => b[1]);
    const colours = new Float32Array(18 * this.frames.length);
    for (let i = 0; i < 6 * this.frames.length; i++) colours.set(AXES[Math.floor((i % 6) / 2)], 3 * i);
    this.bodyAxes = linesOf(3 * this.frames.length, new THREE.LineBasicMaterial({ vertexColors: true }), colours);
    this.view = view;
    this.gravity = this.gravityArrow(scene.gravity, view);
    this.object = new THREE.Group();
    this.object.add(this.forces.object, this.moments.object, this.supports.object, this.points.object, this.jointAxes, this.bodyAxes, this.gravity);
    this.bodyAxes.visible = false;
  }

  gravityArrow(g, view) {
    const group = new THREE.Group(), way = new THREE.Vector3(...g);
    if (!(way.lengthSq() > 0)) return group;
    way.normalize();
    const length = 0.16 * this.size;
    group.add(new THREE.ArrowHelper(way, new THREE.Vector3(), length, COLOUR.gravity, 0.3 * length, 0.16 * length));
    const letter = view.letter('g', COLOUR.gravity, way.clone().multiplyScalar(-0.25 * length));
    letter.scale.setScalar(0.06 * this.size);
    group.add(letter);
    return group;
  }

  dress(looks) { this.looks = looks; }

  /** What can be switched on and off: name, title, objects, whether there is any. */
  switches() {
    return [
      ['joint axes', 'axes of joints', [this.jointAxes], this.links.length],
      ['loads', 'forces (red) and moments (violet); lengths grow with their cube root; pale: zero at the start', [this.forces.object, this.moments.object], this.forces.items.length + this.moments.items.length],
      ['gravity', 'direction of gravity', [this.gravity], this.gravity.children.length],
      ['supports', 'nodes that are held', [this.supports.object], this.supports.items.length],
      ['points', 'the section points', [this.points.object], this.points.items.length],
      ['body axes', 'x red, y green, z blue of each body', [this.bodyAxes], this.frames.length],
    ].filter(([, , , count]) => count);
  }

  update(pose) {
    const z = new THREE.Vector3(0, 0, 1), turn = new THREE.Quaternion(), one = new THREE.Vector3(), at = new THREE.Vector3();
    const put = (item, scale, ends) => {
      at.fromArray(pose.point(item.node, item.at));
      const way = item.vector.clone();
      if (item.follower) way.applyQuaternion(turn.fromArray(pose.q, 4 * item.node));
      way.normalize();
      const length = scale * item.length;
      if (ends) at.addScaledVector(way, -length); // forces point at where they act
      return new THREE.Matrix4().compose(at, new THREE.Quaternion().setFromUnitVectors(z, way), one.setScalar(length));
    };
    const isHidden = (part) => this.looks?.look(this.run, part) === 'hidden';
    this.forces.update((item) => put(item, 0.2 * this.size, true), isHidden);
    this.moments.update((item) => put(item, 0.16 * this.size, false), isHidden);
    const up = new THREE.Quaternion().setFromUnitVectors(z, new THREE.Vector3(...this.up));
    this.supports.update(({ node }) => new THREE.Matrix4().compose(at.fromArray(pose.x, 3 * node), up, one.setScalar(0.022 * this.size)), isHidden);
    this.points.update((p) => new THREE.Matrix4().compose(at.fromArray(p.at), new THREE.Quaternion(), one.setScalar(0.014 * this.size)));
    this.gravity.position.copy(this.view.beside); // the box grows with the motion
    this.updateAxes(pose);
  }

  updateAxes(pose) {
    const joint = this.jointAxes.geometry.attributes.position, half = 0.07 * this.size;
    this.links.forEach((link, i) => {
      for (const [k, s] of [[0, -half], [1, half]]) joint.array.set(pose.point(link.a, link.pointA.map((v, c) => v + s * link.axis[c])), 6 * i + 3 * k);
    });
    joint.needsUpdate = true;
    this.jointAxes.computeLineDistances();
    const body = this.bodyAxes.geometry.attributes.position, length = 0.07 * this.size;
    this.frames.forEach((node, i) => {
      for (let k = 0; k < 3; k++) {
        body.array.set(pose.x.subarray(3 * node, 3 * node + 3), 18 * i + 6 * k);
        body.array.set(pose.point(node, [0, 1, 2].map((c) => (c === k ? length : 0))), 18 * i + 6 * k + 3);
      }
    });
    body.needsUpdate = true;
  }
}

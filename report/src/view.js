// SPDX-License-Identifier: Apache-2.0
// The picture: camera, light, floor, and what runs put on the stage.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Dressed, ownerOf } from './ask/looks.js';
import { Beams } from './beams.js';
import { Bodies, Springs, bodyOf, linkOf } from './bodies.js';
import { dark, lineColour } from './colour.js';
import { Pose } from './pose.js';
import { Arrows, Shapes, extentOf, shapesOf } from './shapes.js';
import { Surfaces } from './surfaces.js';
import { Trails } from './trails.js';
import { firstView, plainViews, upright } from './upright.js';

const TOP = 46, BOTTOM = 26; // pixels of the stage that legend and notes take
const SAMPLES = 40, MOST_BODIES = 2000; // looked at to find what the motion covers

/** What has an extent of its own beside the nodes: nodes with corners in their axes. */
const cornersIn = (run) => [...run.bodies.slice(0, MOST_BODIES).map(bodyOf).map((body) => ({ node: body.node, corners: cornersOf(body) })), ...cornersOfShapes(run)];

/** The box grows by all nodes and corners at a pose. */
function cover(box, run, pose, bodies) {
  const point = new THREE.Vector3();
  for (let i = 1; i < run.nodes; i++) box.expandByPoint(point.fromArray(pose.x, 3 * i));
  for (const body of bodies) for (const corner of body.corners) box.expandByPoint(point.fromArray(pose.point(body.node, corner)));
}

/** What nodes, shapes and attachments to the ground cover at some states; points, as long as nothing is joined to them. */
function boxOf(run, frames) {
  const pose = new Pose(run), box = new THREE.Box3(), point = new THREE.Vector3(), bodies = cornersIn(run);
  for (const f of frames) {
    pose.set(run.play.t[f], 1);
    cover(box, run, pose, bodies);
  }
  for (const link of run.links.map(linkOf)) {
    if (link.a === 0) box.expandByPoint(point.fromArray(link.pointA));
    if (link.b === 0) box.expandByPoint(point.fromArray(link.pointB));
  }
  if (!run.links.length) for (const [, ...at] of run.scene?.points ?? []) box.expandByPoint(point.fromArray(at));
  if (box.isEmpty()) box.expandByPoint(point.set(0, 0, 0));
  return box;
}

/** Half of the thickest section, as far as it would be drawn: see visible() in beams.js. */
function thickest(run, box) {
  let radius = 0;
  for (let i = 0; i < run.corners.length; i += 2) radius = Math.max(radius, Math.hypot(run.corners[i], run.corners[i + 1]));
  return Math.min(radius, 0.1 * box.getSize(new THREE.Vector3()).length());
}

function cornersOf(body) {
  const turn = new THREE.Quaternion(...body.quaternion);
  return Array.from({ length: 8 }, (_, i) => {
    const half = body.size.map((s, k) => (i & (1 << k) ? 0.5 : -0.5) * s);
    return new THREE.Vector3(...half).applyQuaternion(turn).add(new THREE.Vector3(...body.at)).toArray();
  });
}

/** Corners of the boxes about shapes that touch; planes have none. */
function cornersOfShapes(run) {
  const boxes = new Map(), boxOfSurface = (i) => boxes.get(i) ?? boxes.set(i, extentOf(run, i)).get(i);
  return shapesOf(run).filter((s) => s.surface >= 0 && !s.plane).slice(0, MOST_BODIES).map(({ node, surface, at, scale }) => {
    const { min, max } = boxOfSurface(surface);
    return { node, corners: Array.from({ length: 8 }, (_, i) => ['x', 'y', 'z'].map((k, n) => at[n] + scale * (i & (1 << n) ? max : min)[k])) };
  });
}

const samples = (frames) => Array.from({ length: Math.min(frames, SAMPLES) }, (_, i) => Math.floor((i * (frames - 1)) / Math.max(1, Math.min(frames, SAMPLES) - 1)));

/** 1, 2 or 5 times a power of ten. */
function rounded(x) {
  const power = 10 ** Math.floor(Math.log10(x)), m = x / power;
  return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * power;
}

class Actor {
  constructor(run, view, ghost) {
    const { size, up } = view;
    this.run = run;
    this.pose = new Pose(run);
    const opacity = ghost ? 0.5 : 1;
    this.beams = new Beams(run, size, opacity);
    this.trails = new Trails(run, lineColour(run.index));
    this.arrows = new Arrows(run, size, opacity);
    this.pieces = [new Surfaces(run, opacity), new Bodies(run, size, up, opacity), new Springs(run, size, opacity), new Shapes(run, view, opacity), this.arrows, this.trails];
    this.dressed = this.pieces.filter((piece) => piece.meshes).map((piece) => new Dressed(piece, run, ownerOf(run)));
    this.object = new THREE.Group();
    this.object.add(this.beams.object, ...this.pieces.map((piece) => piece.object));
  }

  update(t, options) {
    this.pose.set(t, options.scale);
    this.trails.object.visible = options.trails;
    this.arrows.object.visible = options.arrows && options.scale === 1; // they are where the states are
    this.beams.update(this.pose, options.field, options.range);
    for (const piece of this.pieces) piece.update(this.pose, options.field, options.range);
    for (const dressed of this.dressed) dressed.place();
  }

  /** Parts in their colours, pale or hidden; the next update shows it. */
  dress(looks) {
    for (const piece of [this.beams, ...this.pieces, ...this.dressed]) piece.dress?.(looks);
  }
}

export class View {
  constructor(canvas, runs) {
    this.canvas = canvas;
    this.runs = runs;
    this.extras = []; // with update(view, t, options): what stands beside the runs on the stage
    this.watchers = []; // called after every picture
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new THREE.Scene();
    this.measure();
    this.light();
    this.camera = new THREE.PerspectiveCamera(30, 1, 1, 10);
    this.camera.up.fromArray(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.draw());
    this.controls.addEventListener('start', () => (this.chosen = null)); // from now on the user's own
    this.actors = runs.map((run) => new Actor(run, this, run.index > 0));
    this.actors.forEach((actor) => this.scene.add(actor.object));
    this.floor = this.makeFloor();
    this.triad = this.makeTriad();
    this.scene.add(this.floor);
    this.direction = this.chosen = firstView(this.upright, this.extent);
    this.resize();
    const watch = new ResizeObserver(() => this.resize());
    this.legend = canvas.parentElement.querySelector('.legend');
    this.aside = canvas.parentElement.querySelector('.picked');
    for (const element of [canvas.parentElement, this.legend, this.aside]) if (element) watch.observe(element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolour());
  }

  measure() {
    this.box = new THREE.Box3();
    let drawn = 0;
    for (const run of this.runs) {
      this.box.union(boxOf(run, samples(run.play.frames)));
      drawn = Math.max(drawn, boxOf(run, [0]).getSize(new THREE.Vector3()).length());
    }
    const extent = this.box.getSize(new THREE.Vector3());
    this.extent = extent;
    this.size = Math.max(drawn, 0.5 * extent.length()) || 1; // of what flies far, more than its own
    this.reach = extent.length() > 0 ? Math.max(extent.length() / 2, 1e-9) : this.size / 2;
    this.centre = this.box.getCenter(new THREE.Vector3());
    this.upright = upright(this.runs[0].gravity ?? this.runs[0].scene?.gravity, extent);
    this.up = this.upright.axes.up;
    this.box.expandByScalar(Math.max(...this.runs.map((run) => thickest(run, this.box))));
  }

  light() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9aa4b0, 1.9));
    this.sun = new THREE.DirectionalLight(0xffffff, 1.9);
    this.scene.add(this.sun, this.sun.target);
  }

  /** [key, name, direction] of the views that have a button. */
  get ways() { return [['Fit', this.direction], ...plainViews(this.upright)].map(([name, way], i) => [String(i + 1), name, way]); }

  look(direction) {
    this.chosen = direction;
    const distance = this.fit(direction);
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(new THREE.Vector3(...direction).normalize(), distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20 + 10 * this.reach;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  // So far away that all corners of the box are seen, beside legend and notes.
  fit(direction) {
    const w = new THREE.Vector3(...direction).normalize(), up = new THREE.Vector3(...this.up);
    const u = new THREE.Vector3().crossVectors(up, w);
    if (u.lengthSq() < 1e-6) u.set(1, 0, 0);
    u.normalize();
    const v = new THREE.Vector3().crossVectors(w, u);
    const tan = Math.tan((this.camera.fov * Math.PI) / 360), aspect = this.camera.aspect || 1;
    const { top = 0, bottom = 0, height = 1, side = 0 } = this.free ?? {}, share = 1 - (top + bottom) / height, across = 1 - side / (height * aspect);
    const margin = 0.05 * this.reach;
    let distance = 0.02 * this.size;
    for (let i = 0; i < 8; i++) {
      const c = new THREE.Vector3(i & 1 ? this.box.max.x : this.box.min.x, i & 2 ? this.box.max.y : this.box.min.y, i & 4 ? this.box.max.z : this.box.min.z).sub(this.centre);
      const depth = c.dot(w);
      distance = Math.max(distance, depth + (Math.abs(c.dot(v)) + margin) / (tan * share), depth + (Math.abs(c.dot(u)) + margin) / (tan * aspect * across));
    }
    return 1.03 * distance;
  }

  zoom(factor) {
    this.chosen = null;
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.draw();
  }

  makeFloor() {
    this.spacing = rounded((2 * this.reach) / 12);
    const cells = Math.max(2, 2 * Math.ceil((1.25 * this.reach) / this.spacing));
    const colour = dark() ? [0x55606b, 0x3a424a] : [0xb3b8bd, 0xcfd3d6];
    const grid = new THREE.GridHelper(cells * this.spacing, cells, colour[0], colour[1]);
    grid.material.transparent = true;
    grid.material.opacity = 0.75;
    const { up } = this.upright.standing, snap = (v) => Math.round(v / this.spacing) * this.spacing;
    grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...up));
    grid.position.copy(this.corner(up.map((v) => -v)));
    ['x', 'y', 'z'].forEach((k, i) => (grid.position[k] = up[i] ? grid.position[k] - 0.03 * this.size * up[i] : snap(this.centre[k])));
    return grid;
  }

  makeTriad() {
    const scene = new THREE.Scene();
    const axes = [['x', 0xd0493b], ['y', 0x3a9d67], ['z', 0x4a8bd0]];
    axes.forEach(([name, colour], i) => {
      const way = new THREE.Vector3().setComponent(i, 1);
      scene.add(new THREE.ArrowHelper(way, new THREE.Vector3(), 1, colour, 0.3, 0.2));
      scene.add(this.letter(name, colour, way.multiplyScalar(1.28)));
    });
    return { scene, camera: new THREE.OrthographicCamera(-1.6, 1.6, 1.6, -1.6, 0.1, 10) };
  }

  letter(text, colour, at) {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
    const pen = canvas.getContext('2d');
    pen.font = '600 44px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = `#${colour.toString(16).padStart(6, '0')}`;
    pen.fillText(text, 32, 32);
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: false }));
    sprite.position.copy(at);
    sprite.scale.setScalar(0.55);
    return sprite;
  }

  /** Of the box, the middle of the side or edge, or the corner, that is farthest along these axes. */
  corner(way) { return new THREE.Vector3(...['x', 'y', 'z'].map((k, i) => (way[i] ? this.box[way[i] > 0 ? 'max' : 'min'][k] : this.centre[k]))); }

  /** The corner at the left of the views, for what stands beside the mechanism: the arrow of gravity. */
  get beside() {
    const { right, up, towards } = this.upright.standing, off = right.map((r, k) => towards[k] - r);
    return this.corner(off.map((v, k) => v + up[k])).addScaledVector(new THREE.Vector3(...off), 0.04 * this.size);
  }

  /** A run that is under way leaves the box: the box grows, and so does what is framed, unless the camera is the user's. */
  widen(run, pose) {
    const now = new THREE.Box3();
    cover(now, run, pose, (run.corners_in ??= cornersIn(run)));
    if (now.isEmpty() || this.box.containsBox(now)) return;
    this.box.union(now.expandByScalar(0.04 * this.reach)); // some room, so that the picture is not still for a moment only
    this.centre = this.box.getCenter(new THREE.Vector3());
    this.reach = this.box.getSize(new THREE.Vector3()).length() / 2;
    this.recolour();
    if (this.chosen) this.look(this.chosen);
  }

  recolour() {
    this.scene.remove(this.floor);
    this.floor = this.makeFloor();
    this.scene.add(this.floor);
    this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.free = height > 2.5 * (TOP + BOTTOM) ? { top: this.covered(), bottom: BOTTOM, height } : { top: 0, bottom: 0, height };
    this.free.side = this.taken(width);
    this.camera.setViewOffset(width, height, this.free.side / 2, (this.free.bottom - this.free.top) / 2, width, height);
    if (this.chosen) this.look(this.chosen);
    else this.draw();
  }

  /** Pixels on the right that the card of a part takes, if there is room beside it for the picture. */
  taken(width) {
    const { offsetWidth = 0, offsetLeft = 0 } = this.aside ?? {};
    return offsetWidth && offsetLeft > 0.5 * width ? width - offsetLeft : 0;
  }

  /** Pixels at the top that buttons take; on a phone the legend stands below them. */
  covered() {
    const { offsetTop = 0, offsetHeight = 0 } = this.legend ?? {};
    return offsetHeight && offsetTop >= TOP ? offsetTop + offsetHeight : TOP;
  }

  show(visible) { this.actors.forEach((actor, i) => (actor.object.visible = visible(i))); }

  update(t, options) {
    for (const actor of this.actors) if (actor.object.visible) actor.update(t, options);
    for (const extra of this.extras) extra.update(this, t, options);
    this.draw();
  }

  draw() {
    if (!this.triad) return;
    const { renderer, camera } = this;
    const way = camera.position.clone().sub(this.controls.target);
    this.sun.position.copy(camera.position).addScaledVector(new THREE.Vector3(...this.up), 0.8 * way.length());
    this.sun.position.addScaledVector(new THREE.Vector3().crossVectors(new THREE.Vector3(...this.up), way).normalize(), -0.5 * way.length());
    this.sun.target.position.copy(this.controls.target);
    const size = renderer.getSize(new THREE.Vector2());
    renderer.setViewport(0, 0, size.x, size.y);
    renderer.autoClear = true;
    renderer.render(this.scene, camera);
    renderer.autoClear = false;
    renderer.clearDepth();
    this.triad.camera.position.copy(way.normalize().multiplyScalar(4));
    this.triad.camera.up.copy(camera.up);
    this.triad.camera.lookAt(0, 0, 0);
    renderer.setViewport(size.x - 92, 4, 88, 88);
    renderer.render(this.triad.scene, this.triad.camera);
    renderer.setViewport(0, 0, size.x, size.y);
    for (const watcher of this.watchers) watcher(this);
  }

  /** Pixels of the canvas where a point of the model is, and whether it is before the camera. */
  project(point) {
    const p = new THREE.Vector3(...point).project(this.camera), { clientWidth, clientHeight } = this.canvas;
    return { x: (0.5 + 0.5 * p.x) * clientWidth, y: (0.5 - 0.5 * p.y) * clientHeight, seen: p.z > -1 && p.z < 1 };
  }

  /** Brings a box into view, from where one looks now. */
  frame(box) {
    const all = { box: this.box, centre: this.centre, reach: this.reach };
    const way = this.camera.position.clone().sub(this.controls.target).toArray();
    this.box = box.clone();
    this.centre = box.getCenter(new THREE.Vector3());
    this.reach = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 0.01 * this.size);
    this.look(way);
    Object.assign(this, all);
    this.camera.far = 40 * all.reach + this.camera.far;
    this.camera.updateProjectionMatrix();
    this.chosen = null;
    this.draw();
  }
}

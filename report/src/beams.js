// SPDX-License-Identifier: Apache-2.0
// Beams: sections swept along their nodes. A ring of vertices stands at every node of a part; corners of a polygon are doubled so that
// its edges stay sharp. Positions, normals and colours are made anew for every picture.
import * as THREE from 'three';
import { LINEAR, partColour } from './colour.js';
import { sortByLook } from './ask/looks.js';
import { most, shareOf, valuesAt } from './field.js';

const SMOOTH = 16; // outlines with so many corners are round
const COARSE = 1500; // above so many nodes round sections get fewer corners

const CELL = 8; // numbers per row of run.cells
export const cellOf = (run, i) => {
  const [type, first, points, station, stations, outline, outlineEnd, part] = run.cells.subarray(CELL * i, CELL * (i + 1));
  return { type, first, points, station, stations, outline, outlineEnd, part };
};

/** Cells that are lines, by part. */
function linesByPart(run) {
  const parts = new Map();
  for (let i = 0; i < run.cells.length / CELL; i++) {
    const cell = cellOf(run, i);
    if (cell.type !== 0) continue;
    if (!parts.has(cell.part)) parts.set(cell.part, []);
    parts.get(cell.part).push({ ...cell, from: run.cell_ends[2 * i], to: run.cell_ends[2 * i + 1] });
  }
  return parts;
}

function polygon(run, outline, size, coarse) {
  if (outline < 0) return circle(0.006 * size, 12);
  const [, first, outer, inner] = run.outlines[outline];
  const corner = (i) => [run.corners[2 * i], run.corners[2 * i + 1]];
  const range = (from, count, step) => Array.from({ length: Math.ceil(count / step) }, (_, i) => corner(from + i * step));
  const step = (count) => (coarse && count >= SMOOTH ? 3 : 1);
  return { outer: range(first, outer, step(outer)), inner: range(first + outer, inner, step(inner)), round: outer >= SMOOTH };
}

function circle(radius, n) {
  const outer = Array.from({ length: n }, (_, i) => [radius * Math.cos((2 * Math.PI * i) / n), radius * Math.sin((2 * Math.PI * i) / n)]);
  return { outer, inner: [], round: true };
}

const reach = (shape) => Math.max(...shape.outer.map(([a, b]) => Math.hypot(a, b)), 1e-30);

/** Drawn thicker when it would be a hair, thinner when it would be a lump. */
function visible(shape, length, size) {
  const r = reach(shape), least = 0.0045 * size, most = Math.max(0.12 * length, least);
  const factor = r < least ? least / r : r > most ? most / r : 1;
  const grow = (list) => list.map(([a, b]) => [a * factor, b * factor]);
  return { ...shape, outer: grow(shape.outer), inner: grow(shape.inner), factor };
}

/** Vertices of a ring: y2, y3 and normal; and which neighbours span a side. */
function ringOf(loop, round, hole) {
  const vertex = [], side = [], n = loop.length;
  const normal = (a, b) => {
    const dx = b[0] - a[0], dy = b[1] - a[1], f = (hole ? -1 : 1) / (Math.hypot(dx, dy) || 1);
    return [dy * f, -dx * f];
  };
  for (let i = 0; i < n; i++) {
    const a = loop[i], b = loop[(i + 1) % n];
    if (round) {
      const before = loop[(i + n - 1) % n], [u, v] = [normal(before, a), normal(a, b)];
      const f = 1 / (Math.hypot(u[0] + v[0], u[1] + v[1]) || 1);
      vertex.push([...a, (u[0] + v[0]) * f, (u[1] + v[1]) * f]);
      side.push([i, (i + 1) % n]);
    } else {
      side.push([vertex.length, vertex.length + 1]);
      vertex.push([...a, ...normal(a, b)], [...b, ...normal(a, b)]);
    }
  }
  return { vertex, side };
}

export class Beams {
  constructor(run, size, opacity = 1) {
    this.run = run;
    this.rings = []; // node, part, stations near it, fraction of the part
    this.factor = 1;
    this.count = 0;
    const index = [];
    this.spans = []; // of the index, by part
    for (const [part, cells] of linesByPart(run)) {
      const first = index.length;
      this.addPart(part, cells, size, index);
      this.spans.push({ part, first, end: index.length });
    }
    this.index = Uint32Array.from(index);
    this.position = new Float32Array(3 * this.count);
    this.normal = new Float32Array(3 * this.count);
    this.colour = new Float32Array(3 * this.count);
    this.geometry = new THREE.BufferGeometry();
    for (const [name, array] of [['position', this.position], ['normal', this.normal], ['color', this.colour]])
      this.geometry.setAttribute(name, new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage));
    this.geometry.setIndex(new THREE.BufferAttribute(this.index, 1));
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.55, metalness: 0.05, side: THREE.DoubleSide, transparent: opacity < 1, opacity });
    this.object = new THREE.Mesh(this.geometry, material);
    this.object.frustumCulled = false;
    this.lastField = null;
  }

  addPart(part, cells, size, index) {
    const { run } = this;
    const coarse = run.connectivity.length > COARSE;
    const ringAt = new Map();
    const start = polygon(run, cells[0].outline, size, coarse), end = polygon(run, cells[0].outlineEnd, size, coarse);
    const length = this.lengthOf(cells);
    const shape = visible(start, length, size);
    const same = end.outer.length === start.outer.length && end.inner.length === start.inner.length;
    const last = same ? visible(end, length, size) : shape;
    this.factor = Math.max(this.factor, shape.factor);
    const loops = [[ringOf(shape.outer, shape.round, false), ringOf(last.outer, last.round, false)]];
    if (shape.inner.length) loops.push([ringOf(shape.inner, shape.round, true), ringOf(last.inner, last.round, true)]);
    const template = { loops, per: loops.reduce((sum, [l]) => sum + l.vertex.length, 0) };

    const ring = (node, along) => {
      if (!ringAt.has(node)) {
        const made = { node, part, along, template, base: this.count, stations: [] };
        this.count += template.per;
        this.rings.push(made);
        ringAt.set(node, made);
      }
      return ringAt.get(node);
    };
    for (const cell of cells) this.addCell(cell, ring, template, index);
    this.addCaps(cells, ring, shape, last, index);
  }

  addCell(cell, ring, template, index) {
    const { run } = this, n = cell.points;
    const rings = Array.from({ length: n }, (_, j) => ring(run.connectivity[cell.first + j], cell.from + ((cell.to - cell.from) * j) / (n - 1)));
    rings.forEach((r, j) => {
      if (!cell.stations) return;
      if (j > 0) r.stations.push(cell.station + Math.min(j - 1, cell.stations - 1));
      if (j < n - 1) r.stations.push(cell.station + Math.min(j, cell.stations - 1));
    });
    for (let j = 0; j + 1 < n; j++) {
      let offset = 0;
      for (const [loop] of template.loops) {
        for (const [a, b] of loop.side) {
          const p = rings[j].base + offset, q = rings[j + 1].base + offset;
          index.push(p + a, p + b, q + a, q + a, p + b, q + b);
        }
        offset += loop.vertex.length;
      }
    }
  }

  // The ends are closed by faces of their own.
  addCaps(cells, ring, shape, last, index) {
    const { run } = this;
    const ends = [[run.connectivity[cells[0].first], shape, -1], [run.connectivity[cells.at(-1).first + cells.at(-1).points - 1], last, 1]];
    const ringStations = (node) => ring(node, 0).stations;
    for (const [node, outline, sign] of ends) {
      const points = [...outline.outer, ...outline.inner];
      const faces = THREE.ShapeUtils.triangulateShape(outline.outer.map(([a, b]) => new THREE.Vector2(a, b)), outline.inner.length ? [outline.inner.map(([a, b]) => new THREE.Vector2(a, b))] : []);
      const loop = { vertex: points.map(([a, b]) => [a, b, sign, sign]), side: [] };
      const base = this.count;
      this.rings.push({ node, part: cells[0].part, along: 0, template: { loops: [[loop, loop]], per: points.length }, base, stations: ringStations(node), cap: sign });
      this.count += points.length;
      for (const [a, b, c] of faces) sign > 0 ? index.push(base + a, base + b, base + c) : index.push(base + a, base + c, base + b);
    }
  }

  lengthOf(cells) {
    const { start } = this.run.play;
    let sum = 0;
    for (const cell of cells)
      for (let j = 0; j + 1 < cell.points; j++) {
        const a = 3 * this.run.connectivity[cell.first + j], b = 3 * this.run.connectivity[cell.first + j + 1];
        sum += Math.hypot(start[b] - start[a], start[b + 1] - start[a + 1], start[b + 2] - start[a + 2]);
      }
    return sum;
  }

  update(pose, field, range) {
    for (const ring of this.rings) this.placeRing(ring, pose);
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.normal.needsUpdate = true;
    if (field.scale || this.lastField !== field.key) {
      const values = field.place === 'line' ? valuesAt(this.run, pose, field) : null;
      for (const ring of this.rings) this.paintRing(ring, pose, field, range, values);
      this.geometry.attributes.color.needsUpdate = true;
      this.lastField = field.key;
    }
  }

  placeRing(ring, pose) {
    const { position, normal } = this, n = ring.node;
    const x = pose.x[3 * n], y = pose.x[3 * n + 1], z = pose.x[3 * n + 2];
    const a = pose.q[4 * n], b = pose.q[4 * n + 1], c = pose.q[4 * n + 2], w = pose.q[4 * n + 3];
    const d1x = 1 - 2 * (b * b + c * c), d1y = 2 * (a * b + w * c), d1z = 2 * (a * c - w * b);
    const d2x = 2 * (a * b - w * c), d2y = 1 - 2 * (a * a + c * c), d2z = 2 * (b * c + w * a);
    const d3x = 2 * (a * c + w * b), d3y = 2 * (b * c - w * a), d3z = 1 - 2 * (a * a + b * b);
    let to = 3 * ring.base;
    const f = ring.along;
    for (const [first, last] of ring.template.loops)
      for (let i = 0; i < first.vertex.length; i++, to += 3) {
        const u = first.vertex[i], v = last.vertex[i];
        const y2 = u[0] + f * (v[0] - u[0]), y3 = u[1] + f * (v[1] - u[1]);
        position[to] = x + y2 * d2x + y3 * d3x;
        position[to + 1] = y + y2 * d2y + y3 * d3y;
        position[to + 2] = z + y2 * d2z + y3 * d3z;
        if (ring.cap) {
          normal[to] = ring.cap * d1x, normal[to + 1] = ring.cap * d1y, normal[to + 2] = ring.cap * d1z;
        } else {
          normal[to] = u[2] * d2x + u[3] * d3x;
          normal[to + 1] = u[2] * d2y + u[3] * d3y;
          normal[to + 2] = u[2] * d2z + u[3] * d3z;
        }
      }
  }

  paintRing(ring, pose, field, range, values) {
    let table = this.plain(ring.part), i = 0;
    if (field.place === 'node') {
      table = LINEAR[field.scale];
      i = 3 * Math.round(255 * shareOf(field, pose.amount[ring.node] / range));
    } else if (field.place === 'line') {
      let value = 0;
      for (const s of ring.stations) value += values(s);
      if (ring.stations.length) value /= ring.stations.length;
      value *= range ? most(this.run, field) / range : 0;
      const share = shareOf(field, value);
      table = LINEAR[field.scale];
      i = 3 * Math.round(255 * share);
    }
    const r = table[i], g = table[i + 1], b = table[i + 2];
    for (let k = 0, to = 3 * ring.base; k < ring.template.per; k++, to += 3) {
      this.colour[to] = r, this.colour[to + 1] = g, this.colour[to + 2] = b;
    }
  }

  plain(part) {
    this.plains ??= new Map();
    if (!this.plains.has(part)) this.plains.set(part, new THREE.Color(this.looks?.colour(this.run, part) ?? partColour(part)).toArray());
    return this.plains.get(part);
  }

  /** Parts in their colours, pale or hidden. */
  dress(looks) {
    this.looks = looks;
    this.plains = null;
    this.lastField = null;
    const pieces = this.spans.map(({ part, first, end }) => ({ part, index: this.index.subarray(first, end) }));
    this.object.material = sortByLook(this.geometry, this.object.material, pieces, (part) => looks.look(this.run, part));
  }

  /** The part and the node of a vertex. */
  owner(vertex) {
    let low = 0, high = this.rings.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.rings[mid].base <= vertex) low = mid;
      else high = mid - 1;
    }
    return this.rings[low];
  }
}

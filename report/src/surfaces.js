// SPDX-License-Identifier: Apache-2.0
// Shells and solids: triangles between nodes; of solids only the faces that belong to one cell. Colours are those of cells, as means at
// the nodes.
import * as THREE from 'three';
import { cellOf } from './beams.js';
import { LINEAR, partColour } from './colour.js';
import { sortByLook } from './ask/looks.js';
import { most, shareOf, valuesAt } from './field.js';

// by type of cell (1 triangle, 2 quad, 3 tetra, 4 wedge, 5 hexahedron): corners of faces, VTK's order of nodes
const FACES = {
  1: [[0, 1, 2]],
  2: [[0, 1, 2, 3]],
  3: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
  4: [[0, 1, 2], [3, 5, 4], [0, 3, 4, 1], [1, 4, 5, 2], [2, 5, 3, 0]],
  5: [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]],
};
// Nodes in the middles of edges, by the number of nodes of the cell: from which one on, and the corners they lie between
const EDGES = {
  9: { first: 4, ends: [[0, 1], [1, 2], [2, 3], [3, 0]] },
  10: { first: 4, ends: [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]] },
  20: { first: 8, ends: [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]] },
};
EDGES[27] = EDGES[20];
// and in the middles of faces, in the order of FACES
const CENTRES = { 9: [8], 27: [24, 25, 22, 21, 23, 20] };

/** A face as a round of nodes, with those between its corners, and its middle if it has one. */
function roundOf(cell, corners, face) {
  const edges = EDGES[cell.points];
  if (!edges) return { round: corners, middle: null };
  const between = (a, b) => edges.first + edges.ends.findIndex(([i, j]) => (i === a && j === b) || (i === b && j === a));
  const round = corners.flatMap((a, k) => [a, between(a, corners[(k + 1) % corners.length])]);
  return { round, middle: CENTRES[cell.points]?.[face] ?? null };
}

/** Triangles of a round of nodes: about its middle; or corners cut off at the nodes between them, and the rest as a fan. */
function trianglesOf(round, middle, quadratic) {
  const n = round.length, fan = (list) => list.slice(2).map((_, k) => [list[0], list[k + 1], list[k + 2]]);
  if (middle !== null) return round.map((a, k) => [middle, a, round[(k + 1) % n]]);
  if (!quadratic) return fan(round);
  const cut = round.map((a, k) => [round[(k + n - 1) % n], a, round[(k + 1) % n]]).filter((_, k) => k % 2 === 0);
  return [...cut, ...fan(round.filter((_, k) => k % 2))];
}

function outerFaces(run) {
  const seen = new Map();
  for (let i = 0; i < run.cells.length / 8; i++) {
    const cell = cellOf(run, i);
    (FACES[cell.type] ?? []).forEach((corners, face) => {
      const node = (k) => run.connectivity[cell.first + k];
      const key = cell.type < 3 ? `${i}` : corners.map(node).sort((a, b) => a - b).join();
      if (seen.has(key)) {
        seen.set(key, null);
        return;
      }
      const { round, middle } = roundOf(cell, corners, face), nodes = round.map(node);
      seen.set(key, { nodes, middle: middle === null ? null : node(middle), quadratic: round !== corners, part: cell.part, cell: i, place: cell.type < 3 ? 'shell' : 'solid' });
    });
  }
  return [...seen.values()].filter(Boolean);
}

export class Surfaces {
  constructor(run, opacity = 1) {
    const faces = outerFaces(run);
    const edge = [];
    this.run = run;
    this.faces = faces;
    this.byPart = new Map(); // triangles as nodes
    this.plain = new Float32Array(3 * run.nodes);
    this.cellsAt = new Map(); // by node: cells of solids, cells of shells
    for (const { nodes, middle, quadratic, part, cell, place } of faces) {
      if (!this.byPart.has(part)) this.byPart.set(part, []);
      const index = this.byPart.get(part);
      for (const triangle of trianglesOf(nodes, middle, quadratic)) index.push(...triangle);
      nodes.forEach((a, k) => edge.push(a, nodes[(k + 1) % nodes.length]));
      for (const n of middle === null ? nodes : [...nodes, middle]) {
        if (!this.cellsAt.has(n)) this.cellsAt.set(n, { solid: [], shell: [] });
        this.cellsAt.get(n)[place].push(cell);
      }
    }
    this.setPlain(partColour);
    this.empty = !faces.length;
    this.position = new THREE.BufferAttribute(new Float32Array(3 * run.nodes), 3).setUsage(THREE.DynamicDrawUsage);
    this.colour = new THREE.BufferAttribute(this.plain.slice(), 3).setUsage(THREE.DynamicDrawUsage);
    const solid = new THREE.BufferGeometry().setAttribute('position', this.position).setAttribute('color', this.colour);
    solid.setIndex([...this.byPart.values()].flat());
    const lines = new THREE.BufferGeometry().setAttribute('position', this.position);
    lines.setIndex(edge);
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, flatShading: true, side: THREE.DoubleSide, roughness: 0.6, transparent: opacity < 1, opacity, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.object = new THREE.Group();
    this.object.add(new THREE.Mesh(solid, material), new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.22 * opacity })));
    this.object.children.forEach((child) => (child.frustumCulled = false));
  }

  setPlain(colourOf) {
    for (const { nodes, middle, part } of this.faces) {
      const c = new THREE.Color(colourOf(part));
      for (const n of middle === null ? nodes : [...nodes, middle]) this.plain.set([c.r, c.g, c.b], 3 * n);
    }
  }

  /** Parts in their colours, pale or hidden; edges are drawn where all parts are shown. */
  dress(looks) {
    if (this.empty) return;
    const [solid, lines] = this.object.children;
    this.setPlain((part) => looks.colour(this.run, part));
    this.painted = true; // so that colours are set anew
    const pieces = [...this.byPart].map(([part, index]) => ({ part, index }));
    const look = (part) => looks.look(this.run, part);
    solid.material = sortByLook(solid.geometry, solid.material, pieces, look);
    const edge = this.faces.filter(({ part }) => look(part) === 'shown').flatMap(({ nodes }) => nodes.flatMap((a, k) => [a, nodes[(k + 1) % nodes.length]]));
    lines.geometry.setIndex(edge);
  }

  /** The part of a triangle that was hit, by its nodes. */
  owner({ a, b, c }) {
    this.partOfNodes ??= new Map(this.faces.flatMap(({ nodes, middle, part }) => (middle === null ? nodes : [...nodes, middle]).map((n) => [n, part])));
    const parts = [a, b, c].map((n) => this.partOfNodes.get(n));
    return { part: parts.find((p, i) => parts.indexOf(p) !== i) ?? parts[0], node: a };
  }

  update(pose, field, range) {
    if (this.empty) return;
    this.position.array.set(pose.x);
    this.position.needsUpdate = true;
    const painted = ['shell', 'solid', 'node'].includes(field?.place) && range > 0;
    if (painted) this.paint(pose, field, range);
    else if (this.painted) this.colour.array.set(this.plain);
    if (painted || this.painted) this.colour.needsUpdate = true;
    this.painted = painted;
  }

  paint(pose, field, range) {
    const table = LINEAR[field.scale], scale = most(this.run, field) / range, values = valuesAt(this.run, pose, field);
    for (const [node, both] of this.cellsAt) {
      const cells = both[field.place];
      if (field.place === 'node') {
        const at = 3 * Math.round(255 * shareOf(field, pose.amount[node] / range));
        for (let c = 0; c < 3; c++) this.colour.array[3 * node + c] = table[at + c];
        continue;
      }
      if (!cells.length) { // of another kind: by its part
        for (let c = 3 * node; c < 3 * node + 3; c++) this.colour.array[c] = this.plain[c];
        continue;
      }
      let value = 0;
      for (const cell of cells) value += values(cell);
      value *= scale / cells.length;
      const share = shareOf(field, value);
      const i = 3 * Math.round(255 * share);
      for (let c = 0; c < 3; c++) this.colour.array[3 * node + c] = table[i + c];
    }
  }
}

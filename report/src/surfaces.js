// Shells and solids: triangles between nodes; of solids only the faces that belong to one cell.
import * as THREE from 'three';
import { cellOf } from './beams.js';
import { partColour } from './colour.js';

// by type of cell (1 triangle, 2 quad, 3 tetra, 4 wedge, 5 hexahedron): faces, VTK's order of nodes
const FACES = {
  1: [[0, 1, 2]],
  2: [[0, 1, 2, 3]],
  3: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
  4: [[0, 1, 2], [3, 5, 4], [0, 3, 4, 1], [1, 4, 5, 2], [2, 5, 3, 0]],
  5: [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]],
};

function outerFaces(run) {
  const seen = new Map();
  for (let i = 0; i < run.cells.length / 8; i++) {
    const cell = cellOf(run, i);
    for (const face of FACES[cell.type] ?? []) {
      const nodes = face.map((k) => run.connectivity[cell.first + k]);
      const key = cell.type < 3 ? `${i}` : [...nodes].sort((a, b) => a - b).join();
      if (seen.has(key)) seen.set(key, null);
      else seen.set(key, { nodes, part: cell.part });
    }
  }
  return [...seen.values()].filter(Boolean);
}

export class Surfaces {
  constructor(run, opacity = 1) {
    const faces = outerFaces(run);
    const index = [], edge = [], colour = new Float32Array(3 * run.nodes);
    for (const { nodes, part } of faces) {
      for (let k = 1; k + 1 < nodes.length; k++) index.push(nodes[0], nodes[k], nodes[k + 1]);
      nodes.forEach((a, k) => edge.push(a, nodes[(k + 1) % nodes.length]));
      const c = new THREE.Color(partColour(part));
      for (const n of nodes) colour.set([c.r, c.g, c.b], 3 * n);
    }
    this.empty = !faces.length;
    this.position = new THREE.BufferAttribute(new Float32Array(3 * run.nodes), 3).setUsage(THREE.DynamicDrawUsage);
    const solid = new THREE.BufferGeometry().setAttribute('position', this.position).setAttribute('color', new THREE.BufferAttribute(colour, 3));
    solid.setIndex(index);
    const lines = new THREE.BufferGeometry().setAttribute('position', this.position);
    lines.setIndex(edge);
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, flatShading: true, side: THREE.DoubleSide, roughness: 0.6, transparent: opacity < 1, opacity, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.object = new THREE.Group();
    this.object.add(new THREE.Mesh(solid, material), new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.22 * opacity })));
    this.object.children.forEach((child) => (child.frustumCulled = false));
  }

  update(pose) {
    if (this.empty) return;
    this.position.array.set(pose.x);
    this.position.needsUpdate = true;
  }
}

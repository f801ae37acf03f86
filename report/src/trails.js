// SPDX-License-Identifier: Apache-2.0
// The paths of a few nodes, up to the present.
import * as THREE from 'three';
import { cellOf } from './beams.js';

const MOST = 10;

/** Bodies first, then the far ends of beams. */
export function trailNodes(run) {
  const nodes = run.bodies.slice(0, MOST).map((row) => row[1]);
  const end = new Map();
  for (let i = 0; i < run.cells.length / 8; i++) {
    const cell = cellOf(run, i);
    if (cell.type === 0) end.set(cell.part, run.connectivity[cell.first + cell.points - 1]);
  }
  for (const node of end.values()) if (nodes.length < MOST) nodes.push(node);
  return [...new Set(nodes)];
}

export class Trails {
  constructor(run, colour) {
    this.run = run;
    this.nodes = trailNodes(run);
    this.object = new THREE.Group();
    this.scale = null;
    this.lines = this.nodes.map(() => {
      const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * run.play.frames), 3));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.75 }));
      line.frustumCulled = false;
      this.object.add(line);
      return line;
    });
  }

  fill(scale) {
    const { shift, start, frames, reach } = this.run.play, n = 3 * this.run.nodes;
    this.nodes.forEach((node, k) => {
      const step = (reach[node] / 32767) * scale;
      const { array } = this.lines[k].geometry.attributes.position;
      for (let f = 0; f < frames; f++)
        for (let c = 0; c < 3; c++) array[3 * f + c] = start[3 * node + c] + step * shift[f * n + 3 * node + c];
      this.lines[k].geometry.attributes.position.needsUpdate = true;
    });
    this.scale = scale;
  }

  update(pose) {
    if (!this.object.visible) return;
    if (this.scale !== pose.scale) this.fill(pose.scale);
    for (const line of this.lines) line.geometry.setDrawRange(0, pose.at + 1);
  }
}

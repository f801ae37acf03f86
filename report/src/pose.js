// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a run are at a time: positions and quaternions (x y z w), between stored states interpolated,
// displacements and rotations from the first state multiplied by the deformation scale.
import { locate } from './data.js';

const UNIT = 1 / 32767;

export class Pose {
  constructor(run) {
    const { play, nodes } = run;
    this.run = run;
    this.nodes = nodes;
    this.x = new Float32Array(3 * nodes);
    this.q = new Float32Array(4 * nodes);
    this.first = new Float32Array(4 * nodes);
    this.set(play.t[0], 1);
    this.first.set(this.q);
  }

  set(t, scale) {
    const { play } = this.run;
    const { at, part } = locate(t, play.t);
    const next = Math.min(at + 1, play.frames - 1);
    Object.assign(this, { at, next, part, scale });
    this.setPositions(at, next, part, scale);
    this.setRotations(at, next, part);
    if (scale !== 1) this.scaleRotations(scale);
  }

  setPositions(at, next, part, scale) {
    const { shift, start, reach } = this.run.play;
    const n = 3 * this.nodes, a = at * n, b = next * n;
    for (let i = 0, node = 0; i < n; node++) {
      const s = reach[node] * UNIT * scale;
      for (const last = i + 3; i < last; i++) this.x[i] = start[i] + s * (shift[a + i] + part * (shift[b + i] - shift[a + i]));
    }
  }

  setRotations(at, next, part) {
    const { turn } = this.run.play;
    const n = this.nodes, { q } = this;
    for (let i = 0, a = 4 * at * n, b = 4 * next * n, to = 0; i < n; i++, a += 4, b += 4, to += 4) {
      const s = turn[a] + part * (turn[b] - turn[a]), x = turn[a + 1] + part * (turn[b + 1] - turn[a + 1]);
      const y = turn[a + 2] + part * (turn[b + 2] - turn[a + 2]), z = turn[a + 3] + part * (turn[b + 3] - turn[a + 3]);
      const f = 1 / (Math.hypot(s, x, y, z) || 1);
      q[to] = x * f, q[to + 1] = y * f, q[to + 2] = z * f, q[to + 3] = s * f;
    }
  }

  // q = (r to the power of scale) q0 with r = q q0*
  scaleRotations(scale) {
    const { q, first } = this;
    for (let i = 0; i < q.length; i += 4) {
      const [bx, by, bz, bw] = [-first[i], -first[i + 1], -first[i + 2], first[i + 3]];
      const [ax, ay, az, aw] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
      let rw = aw * bw - ax * bx - ay * by - az * bz;
      let rx = aw * bx + ax * bw + ay * bz - az * by, ry = aw * by + ay * bw + az * bx - ax * bz, rz = aw * bz + az * bw + ax * by - ay * bx;
      if (rw < 0) rw = -rw, rx = -rx, ry = -ry, rz = -rz;
      const sine = Math.hypot(rx, ry, rz), half = Math.atan2(sine, rw) * scale;
      const f = sine > 1e-9 ? Math.sin(half) / sine : scale;
      rw = Math.cos(half), rx *= f, ry *= f, rz *= f;
      const [cx, cy, cz, cw] = [first[i], first[i + 1], first[i + 2], first[i + 3]];
      q[i] = rw * cx + rx * cw + ry * cz - rz * cy;
      q[i + 1] = rw * cy + ry * cw + rz * cx - rx * cz;
      q[i + 2] = rw * cz + rz * cw + rx * cy - ry * cx;
      q[i + 3] = rw * cw - rx * cx - ry * cy - rz * cz;
    }
  }

  /** Position of a point given in axes of a node. */
  point(node, local, out = [0, 0, 0]) {
    const { x, q } = this, i = 4 * node, [px, py, pz] = local;
    const ux = q[i], uy = q[i + 1], uz = q[i + 2], w = q[i + 3];
    const cx = 2 * (uy * pz - uz * py), cy = 2 * (uz * px - ux * pz), cz = 2 * (ux * py - uy * px);
    out[0] = x[3 * node] + px + w * cx + uy * cz - uz * cy;
    out[1] = x[3 * node + 1] + py + w * cy + uz * cx - ux * cz;
    out[2] = x[3 * node + 2] + pz + w * cz + ux * cy - uy * cx;
    return out;
  }
}

// SPDX-License-Identifier: Apache-2.0
// A mode in motion about the state that it belongs to: displacement and rotation vector of node n at the phase p are
//     u = f (a cos p - b sin p) ,      a, b: real and imaginary part of its shape ,
// with a factor f that makes the largest displacement a share of the model's size. Rotations count by a quarter of that size.

export class Vibration {
  /** run.modes: as src/picture/report_modes.c writes it, arrays unpacked; size: of the model, m */
  constructor(run, size) {
    const { modes } = run;
    Object.assign(this, { nodes: run.nodes, size, shape: modes.shape, early: modes.early });
    let row = 0;
    this.rows = modes.speeds.map(({ modes: list }, s) => (s < modes.shapes_from ? null : (row += list.length) - list.length)); // the first of each speed
  }

  /** Are shapes of this speed in the page? */
  has(speed) { return this.rows[speed] !== null; }

  choose(speed, mode) {
    const first = 6 * this.nodes * (this.rows[speed] + mode);
    this.a = this.shape.subarray(first, first + 6 * this.nodes);
    this.b = this.early.length ? this.early.subarray(first, first + 6 * this.nodes) : null;
    this.largest = 0;
    for (let i = 0; i < this.a.length; i += 3) {
      const turn = i % 6 === 3 ? this.size / 4 : 1, b = this.b;
      const square = this.a[i] ** 2 + this.a[i + 1] ** 2 + this.a[i + 2] ** 2 + (b ? b[i] ** 2 + b[i + 1] ** 2 + b[i + 2] ** 2 : 0);
      this.largest = Math.max(this.largest, turn * Math.sqrt(square));
    }
  }

  /** The phase of the largest displacement of all, rad: real modes at 0. */
  widest() {
    let best = -1, phase = 0;
    for (let k = 0; k < 24 && this.b; k++) {
      const c = Math.cos((k * Math.PI) / 24), s = Math.sin((k * Math.PI) / 24);
      let sum = 0;
      for (let i = 0; i < this.a.length; i++) if (i % 6 < 3) sum += (this.a[i] * c - this.b[i] * s) ** 2;
      if (sum > best * (1 + 1e-9)) [best, phase] = [sum, (k * Math.PI) / 24];
    }
    return phase;
  }

  /** Puts a pose there from the state `drawn`: {place, turn}; pose.amount is the displacement of nodes. */
  place(pose, drawn, phase, amplitude) {
    const f = this.largest > 0 ? (amplitude * this.size) / this.largest : 0, c = f * Math.cos(phase), s = f * Math.sin(phase);
    const { a, b } = this;
    const at = (i) => a[i] * c - (b ? b[i] * s : 0);
    for (let n = 0; n < this.nodes; n++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const u = at(6 * n + k);
        pose.x[3 * n + k] = drawn.place[3 * n + k] + u;
        sum += u * u;
      }
      pose.amount[n] = Math.sqrt(sum);
      turn(pose.q, drawn.turn, 4 * n, at(6 * n + 3), at(6 * n + 4), at(6 * n + 5));
    }
  }
}

/** q = exp(r/2) q0, quaternions x y z w. */
function turn(q, start, i, rx, ry, rz) {
  const angle = Math.hypot(rx, ry, rz), f = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5, w = Math.cos(angle / 2);
  const x = f * rx, y = f * ry, z = f * rz, [ax, ay, az, aw] = [start[i], start[i + 1], start[i + 2], start[i + 3]];
  q[i] = w * ax + x * aw + y * az - z * ay;
  q[i + 1] = w * ay + y * aw + z * ax - x * az;
  q[i + 2] = w * az + z * aw + x * ay - y * ax;
  q[i + 3] = w * aw - x * ax - y * ay - z * az;
}

// SPDX-License-Identifier: Apache-2.0
// Time: playing, stopping, stepping, speed. Whoever listens is told of every change.

export class Player {
  constructor(times, statics) {
    this.times = times; // of the states, of the run that is stepped through
    this.first = times[0];
    this.last = times.at(-1);
    this.t = this.first;
    this.playing = false;
    this.loops = false; // begins anew at the end
    this.listeners = [];
    const duration = this.last - this.first;
    this.speed = !statics && duration >= 2 && duration <= 30 ? 1 : (duration || 1) / 8;
  }

  /** Returns what to call to listen no more. */
  listen(listener) {
    this.listeners.push(listener);
    return () => (this.listeners = this.listeners.filter((other) => other !== listener));
  }

  tell() { for (const listener of this.listeners) listener(this); }

  seek(t) {
    this.t = Math.min(Math.max(t, this.first), this.last);
    this.tell();
  }

  toggle() { this.playing ? this.stop() : this.start(); }

  start() {
    if (this.t >= this.last) this.t = this.first;
    this.playing = true;
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      this.t += (Math.min(now - before, 250) / 1000) * this.speed;
      before = now;
      if (this.t >= this.last && this.loops) this.t = this.first + ((this.t - this.first) % (this.last - this.first));
      else if (this.t >= this.last) {
        this.t = this.last;
        this.playing = false;
      }
      this.tell();
      if (this.playing) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.tell();
  }

  stop() {
    this.playing = false;
    this.tell();
  }

  step(count) {
    this.playing = false;
    const slack = 1e-9 * (this.last - this.first);
    let at = this.times.findIndex((t) => t > this.t + slack) - 1; // the state at or before now
    if (at === -2) at = this.times.length - 1;
    const between = this.t > this.times[at] + slack;
    this.seek(this.times[Math.min(Math.max(at + count + (count < 0 && between ? 1 : 0), 0), this.times.length - 1)]);
  }

  faster(factor) {
    this.speed *= factor;
    this.tell();
  }
}

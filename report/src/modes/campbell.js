// SPDX-License-Identifier: Apache-2.0
// The Campbell diagram: frequencies of curves over the speed of rotation, lines of its multiples (1P, 2P ...) and where they cross;
// damping ratios below.
import { lineColour, variable } from '../colour.js';
import { element, significant, table } from '../format.js';
import { axes, canvas, extent, line, polygon, ticks } from '../study/canvas.js';

export const MOTIONS = ['moves along x', 'moves along y', 'moves along z', 'turns about x', 'turns about y', 'turns about z'];
const UNITS = [['rpm', 30 / Math.PI], ['Hz', 1 / (2 * Math.PI)], ['rad/s', 1]];
const PIXELS = 14; // a click may miss by so much
const byId = (id) => document.getElementById(id);
const hertz = (omega) => omega / (2 * Math.PI);

/** Frequencies in Hz by curve and speed; null where a curve has no mode. Outside: as seen from the ground, where that is known. */
export function frequencies({ speeds, curves }, outside) {
  return curves.map((curve) => curve.map((i, s) => {
    const mode = i < 0 ? null : speeds[s].modes[i];
    if (!mode) return null;
    if (!outside || speeds[s].omega === 0) return hertz(mode.frequency);
    return mode.whirl ? hertz(mode.outside) : null;
  }));
}

/** Where curves meet f = order * speed: linear between speeds. */
export function crossings(omega, curves, orders) {
  const found = [];
  curves.forEach((f, curve) => {
    for (let order = 1; order <= orders; order++)
      for (let s = 1; s < omega.length; s++) {
        if (f[s] === null || f[s - 1] === null) continue;
        const before = f[s - 1] - order * hertz(omega[s - 1]), after = f[s] - order * hertz(omega[s]);
        if (before * after > 0 || before === after || (after === 0 && s + 1 < omega.length) || (omega[s - 1] === 0 && before === 0)) continue;
        const share = before / (before - after), speed = omega[s - 1] + share * (omega[s] - omega[s - 1]);
        found.push({ curve, order, omega: speed, frequency: order * hertz(speed), speed: share < 0.5 ? s - 1 : s });
      }
  });
  return found.sort((a, b) => a.omega - b.omega);
}

export class Campbell {
  /** choose(speed, mode): a point was clicked */
  constructor(modes, choose) {
    Object.assign(this, { modes, choose, chosen: { speed: modes.speeds.length - 1, mode: 0 }, outside: false, orders: 3, unit: UNITS[0], top: Infinity });
    this.omega = modes.speeds.map(({ omega }) => omega);
    this.makeControls();
    this.diagram = canvas(byId('diagram'), (c, width, height) => this.draw(c, width, height));
    this.diagram.node.addEventListener('click', (event) => this.click(event));
    const damping = modes.curves.flatMap((curve) => curve.map((i, s) => (i < 0 ? 0 : modes.speeds[s].modes[i].damping)));
    this.damped = damping.some((d) => Math.abs(d) > 1e-9);
    byId('damping-title').hidden = byId('damping').hidden = !this.damped;
    if (this.damped) this.damping = canvas(byId('damping'), (c, width, height) => this.drawDamping(c, width, height));
    this.refresh();
  }

  makeControls() {
    const { speeds } = this.modes, whirls = speeds.some(({ modes }) => modes.some((m) => m.whirl));
    const fill = (id, items, take, chosen = 0) => {
      const node = byId(id);
      node.replaceChildren(...items.map((text, i) => element('option', { value: i, selected: i === chosen }, text)));
      node.addEventListener('change', () => { take(Number(node.value)); this.refresh(); });
    };
    byId('seen-label').hidden = !whirls;
    fill('seen', ['the rotating frame', 'outside'], (i) => (this.outside = i === 1));
    fill('orders', Array.from({ length: 12 }, (_, i) => `${i + 1}P`), (i) => (this.orders = i + 1), 2);
    const limits = this.limits();
    byId('top').parentElement.hidden = !limits.length;
    fill('top', ['all', ...limits.map((f) => `${significant(f, 3)} Hz`)], (i) => (this.top = i ? limits[i - 1] : Infinity));
    fill('speed-unit', UNITS.map(([name]) => name), (i) => (this.unit = UNITS[i]));
  }

  /** Round frequencies to show up to: critical speeds are often far below the highest curve. */
  limits() {
    const ends = this.modes.curves.map((_, k) => Math.max(...frequencies(this.modes, false)[k].filter((v) => v !== null), 0)).filter((f) => f > 0), least = Math.min(...ends), list = [];
    for (let top = Math.max(...ends) / 1.3; list.length < 6;) {
      const power = 10 ** Math.floor(Math.log10(top)), round = [5, 2, 1].map((k) => k * power).find((f) => f <= top * (1 + 1e-9));
      if (!(round > 0.8 * least)) break;
      list.push(round);
      top = round / 1.3;
    }
    return list;
  }

  mark(speed, mode) {
    this.chosen = { speed, mode };
    this.redraw();
  }

  get curve() { return this.modes.curves.findIndex((curve) => curve[this.chosen.speed] === this.chosen.mode); }

  refresh() {
    this.values = frequencies(this.modes, this.outside);
    this.meets = crossings(this.omega, this.values, this.orders);
    this.redraw();
  }

  redraw() {
    this.diagram.redraw();
    this.damping?.redraw();
    this.list();
  }

  xAxis() { const [name, factor] = this.unit; return { range: [0, this.omega.at(-1) * factor], label: `speed [${name}]` }; }

  drawCurves(c, map, values) {
    const factor = this.unit[1], own = this.curve;
    values.forEach((f, k) => {
      const points = f.map((v, s) => [map.px(this.omega[s] * factor), v === null ? NaN : map.py(v)]);
      c.strokeStyle = c.fillStyle = lineColour(k);
      c.lineWidth = k === own ? 3.5 : 2;
      polygon(c, points);
      f.forEach((v, s) => {
        if (v === null) return;
        const mode = this.modes.speeds[s].modes[this.modes.curves[k][s]], [x, y] = points[s], grows = !mode.rigid && mode.growth > 1e-6 * mode.frequency;
        c.beginPath();
        if (grows) { c.lineWidth = 2; line(c, x - 4, y - 4, x + 4, y + 4); line(c, x - 4, y + 4, x + 4, y - 4); } else { c.arc(x, y, k === own && s === this.chosen.speed ? 7 : 2.6, 0, 7); c.fill(); }
      });
    });
  }

  draw(c, width, height) {
    const top = Math.min(this.top, Math.max(...this.values.flat().filter((v) => v !== null), 0)), y = { range: [0, (top || 1) * 1.06], label: 'frequency [Hz]' }, factor = this.unit[1];
    const map = axes(c, width, height, this.xAxis(), y);
    this.map = map;
    c.save();
    c.beginPath();
    c.rect(map.px(0), map.py(y.range[1]), map.px(this.omega.at(-1) * factor) - map.px(0), map.py(0) - map.py(y.range[1]));
    c.clip();
    c.setLineDash([6, 5]);
    c.strokeStyle = c.fillStyle = variable('--quiet');
    c.lineWidth = 1.2;
    for (let order = 1; order <= this.orders; order++) line(c, map.px(0), map.py(0), map.px(this.omega.at(-1) * factor), map.py(order * hertz(this.omega.at(-1))));
    c.setLineDash([]);
    this.drawCurves(c, map, this.values);
    c.strokeStyle = variable('--ink');
    c.lineWidth = 1.5;
    for (const { omega, frequency } of this.meets) { c.beginPath(); c.arc(map.px(omega * factor), map.py(frequency), 6.5, 0, 7); c.stroke(); }
    c.restore();
    c.fillStyle = variable('--quiet');
    c.textAlign = 'right';
    c.textBaseline = 'bottom';
    let last = [Infinity, Infinity];
    for (let order = 1; order <= this.orders; order++) { // where the line leaves the picture; none over another
      const end = Math.min(this.omega.at(-1), (2 * Math.PI * y.range[1]) / order), at = [map.px(end * factor) - 3, map.py(order * hertz(end)) + (end < this.omega.at(-1) ? 14 : -2)];
      if (Math.abs(at[1] - last[1]) < 13 && Math.abs(at[0] - last[0]) < 24) continue;
      c.fillStyle = variable('--card'); // or its own line strikes it out
      c.fillRect(at[0] - 18, at[1] - 13, 19, 13);
      c.fillStyle = variable('--quiet');
      c.fillText(`${order}P`, ...at);
      last = at;
    }
  }

  drawDamping(c, width, height) {
    const values = this.modes.curves.map((curve) => curve.map((i, s) => (i < 0 ? null : this.modes.speeds[s].modes[i].damping)));
    const [low, high] = extent(values.flat().filter((v) => v !== null)), pad = 0.06 * (high - low);
    this.drawCurves(c, axes(c, width, height, this.xAxis(), { range: [Math.min(low, 0) - pad, high + pad], label: 'damping ratio' }), values);
  }

  click({ clientX, clientY }) {
    const box = this.diagram.node.getBoundingClientRect(), x = clientX - box.left, y = clientY - box.top;
    let best = PIXELS, found = null;
    this.values.forEach((f, k) => f.forEach((v, s) => {
      const d = v === null || v > this.top * 1.06 ? Infinity : Math.hypot(this.map.px(this.omega[s] * this.unit[1]) - x, this.map.py(v) - y);
      if (d < best) [best, found] = [d, [s, this.modes.curves[k][s]]];
    }));
    if (found) this.choose(...found);
  }

  describe(k) {
    const { curves, speeds } = this.modes, s = curves[k].findLastIndex((i) => i >= 0), { part, axis } = speeds[s].modes[curves[k][s]];
    return `${part} ${MOTIONS[axis]}`;
  }

  list() {
    const own = this.curve, { curves } = this.modes;
    byId('curves').replaceChildren(...curves.map((curve, k) => {
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = lineColour(k);
      const at = curve[this.chosen.speed] >= 0 ? this.chosen.speed : curve.findLastIndex((i) => i >= 0);
      return element('button', { type: 'button', 'aria-pressed': String(k === own), 'data-curve': k, onclick: () => this.choose(at, curve[at]) }, swatch, `${k + 1}: ${this.describe(k)}`);
    }));
    const [name, factor] = this.unit;
    const made = table(['curve', 'line', `speed, ${name}`, 'Hz'], this.meets.map(({ curve, order, omega, frequency }) => [String(curve + 1), `${order}P`, { number: significant(omega * factor, 5) }, { number: significant(frequency, 5) }]));
    [...made.querySelectorAll('tbody tr')].forEach((row, i) => row.addEventListener('click', () => { const { curve, speed } = this.meets[i], mode = curves[curve][speed]; if (mode >= 0) this.choose(speed, mode); }));
    byId('crossings').replaceChildren(this.meets.length ? made : element('p', { class: 'quiet small' }, 'No curve crosses these lines.'));
  }
}

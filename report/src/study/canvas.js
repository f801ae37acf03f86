// SPDX-License-Identifier: Apache-2.0
// A canvas with margins, axes in round numbers, and lines that are drawn as data.
import { element, significant } from '../format.js';
import { variable } from '../colour.js';

/** Some round numbers from a to b. */
export function ticks(a, b, most = 6) {
  if (!(b > a)) return [a];
  const raw = (b - a) / most, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * (1 - 1e-9));
  const out = [];
  for (let k = Math.ceil(a / step - 1e-9); k * step <= b + 1e-9 * step; k++) out.push(k * step);
  return out;
}

/** The range of numbers, never empty; what is no number does not count. */
export function extent(values) {
  let a = Infinity, b = -Infinity;
  for (const v of values) if (Number.isFinite(v)) { a = Math.min(a, v); b = Math.max(b, v); }
  if (a > b) return [0, 1];
  if (a === b) { const pad = Math.abs(a) * 0.05 || 1; return [a - pad, b + pad]; }
  return [a, b];
}

/** Draws when it has a size, and again when that changes. draw(context, width, height). */
export function canvas(place, draw) {
  const made = element('canvas');
  place.replaceChildren(made);
  const redraw = () => {
    const { clientWidth: width, clientHeight: height } = place, scale = devicePixelRatio || 1;
    if (!width || !height) return;
    made.width = width * scale; made.height = height * scale;
    const context = made.getContext('2d');
    context.scale(scale, scale);
    context.font = '12px system-ui, "DejaVu Sans", sans-serif';
    draw(context, width, height);
  };
  new ResizeObserver(redraw).observe(place);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  return { redraw, node: made };
}

const MARGIN = { left: 62, right: 14, top: 10, bottom: 40 };

/** Axes of a plot with their labels; returns the maps from data to pixels. */
export function axes(c, width, height, x, y) {
  const w = width - MARGIN.left - MARGIN.right, h = height - MARGIN.top - MARGIN.bottom;
  const px = (v) => MARGIN.left + (w * (v - x.range[0])) / (x.range[1] - x.range[0]);
  const py = (v) => MARGIN.top + h * (1 - (v - y.range[0]) / (y.range[1] - y.range[0]));
  c.strokeStyle = variable('--line'); c.fillStyle = variable('--quiet'); c.lineWidth = 1;
  c.textAlign = 'center'; c.textBaseline = 'top';
  for (const t of ticks(...x.range)) {
    line(c, px(t), MARGIN.top, px(t), MARGIN.top + h);
    c.fillText(significant(t, 4), px(t), MARGIN.top + h + 5);
  }
  c.fillText(x.label, MARGIN.left + w / 2, height - 16);
  c.textAlign = 'right'; c.textBaseline = 'middle';
  for (const t of ticks(...y.range)) {
    line(c, MARGIN.left, py(t), MARGIN.left + w, py(t));
    c.fillText(significant(t, 4), MARGIN.left - 6, py(t));
  }
  c.save();
  c.translate(12, MARGIN.top + h / 2); c.rotate(-Math.PI / 2);
  c.textAlign = 'center'; c.fillText(y.label, 0, 0);
  c.restore();
  return { px, py };
}

export function line(c, x0, y0, x1, y1) {
  c.beginPath(); c.moveTo(x0, y0); c.lineTo(x1, y1); c.stroke();
}

/** A polygon through points; breaks where a number is missing. */
export function polygon(c, points) {
  let pen = false;
  c.beginPath();
  for (const [x, y] of points) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) { pen = false; continue; }
    if (pen) c.lineTo(x, y); else c.moveTo(x, y);
    pen = true;
  }
  c.stroke();
}

/** Distance of a place from a polygon, in pixels. */
export function distance(points, x, y) {
  let best = Infinity;
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i], dx = x1 - x0, dy = y1 - y0;
    const s = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
    best = Math.min(best, Math.hypot(x0 + s * dx - x, y0 + s * dy - y) || 0);
  }
  return best;
}

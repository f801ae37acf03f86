// SPDX-License-Identifier: Apache-2.0
// Plots over time, linked with the player: a line marks the present, a click goes there.
import uPlot from 'uplot';
import { variable } from './colour.js';
import { significant } from './format.js';

const axisNumber = (value, span) => {
  if (value === 0) return '0';
  const large = Math.max(Math.abs(value), span);
  if (large >= 1e5 || large < 1e-3) return Number(value.toPrecision(6)).toExponential().replace('e+', 'e');
  return String(Number(value.toPrecision(6)));
};

// Logarithmic axes by whole decades; uPlot's own splits do not end below 1e-16.
function decades(u, axisIndex, low, high) {
  const first = Math.round(Math.log10(low)), last = Math.round(Math.log10(high)), step = Math.ceil((last - first) / 8) || 1, list = [];
  for (let k = first; k <= last; k += step) list.push(10 ** k);
  return list;
}
function decadeRange(u, low, high) {
  if (!(low > 0)) return [0.1, 1];
  const first = Math.floor(Math.log10(low) + 1e-9), last = Math.ceil(Math.log10(high) - 1e-9);
  return [10 ** first, 10 ** Math.max(last, first + 1)];
}

function axis(label, scale, side, grid = true, log = false) {
  const ink = variable('--quiet'), line = variable('--line');
  return {
    label, scale, side,
    labelSize: 16, labelFont: '12px system-ui, sans-serif', font: '11px system-ui, sans-serif', stroke: ink,
    size: scale === 'x' ? 30 : 62, gap: 4,
    grid: { show: grid, stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 },
    ...(log && { splits: decades, filter: (u, splits) => splits }),
    values: (u, values) => values.map((v) => (v === null ? '' : log && (v < 1e-3 || v > 1e4) ? `1e${Math.round(Math.log10(v))}` : axisNumber(v, Math.abs(u.scales[scale].max - u.scales[scale].min)))),
  };
}

/** series: [{label, unit, colour, dash, values}], all over x. Returns the uPlot. */
export function plot(holder, { x, xLabel, series, height = 220, player = null, log = false, legend = true, xMax = null }) {
  holder.uplot?.destroy();
  holder.replaceChildren();
  const units = [...new Set(series.map((s) => s.unit))];
  const scales = { x: { time: false } };
  if (xMax !== null) scales.x.range = [0, xMax];
  for (const unit of units) scales[unit] = log ? { distr: 3, range: decadeRange } : {};
  const axes = [axis(xLabel, 'x', 2)];
  units.slice(0, 2).forEach((unit, i) => axes.push(axis(units.length > 2 ? `${unit} …` : unit, unit, i ? 1 : 3, i === 0, log)));
  const options = {
    width: Math.max(holder.clientWidth, 240), height, scales, axes,
    legend: { show: legend, live: true, markers: { dash: (u, i) => { const dash = series[i - 1]?.dash; return !dash ? 'solid' : dash[0] > 3 ? 'dashed' : 'dotted'; } } },
    cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false, uni: 12 } },
    series: [{ label: xLabel.split(',')[0], value: (u, v) => significant(v, 5) },
      ...series.map((s) => ({ label: s.label, scale: s.unit, stroke: s.colour, width: s.width ?? 1.4, dash: s.dash, points: { show: false }, spanGaps: true,
        value: (u, v) => (v === null || v === undefined ? '' : `${significant(v)} ${s.unit}`) }))],
  };
  const u = new uPlot(options, [x, ...series.map((s) => s.values)], holder);
  holder.uplot = u;
  if (player) linkPlayer(u, player);
  new ResizeObserver(() => {
    if (u.before) return; // on paper, see ask/print.js
    if (Math.abs(holder.clientWidth - u.width) > 2 && holder.clientWidth > 100) u.setSize({ width: holder.clientWidth, height });
  }).observe(holder);
  return u;
}

function linkPlayer(u, player) {
  const head = document.createElement('div');
  head.className = 'playhead';
  u.over.append(head);
  const move = () => {
    const at = u.valToPos(player.t, 'x');
    head.hidden = !(at >= 0 && at <= u.over.clientWidth);
    head.style.transform = `translateX(${at}px)`;
  };
  (u.hooks.destroy ??= []).push(player.listen(move));
  (u.hooks.setScale ??= []).push(move);
  (u.hooks.setSize ??= []).push(move);
  let down = null;
  u.over.addEventListener('mousedown', (event) => (down = event.clientX));
  u.over.addEventListener('mouseup', (event) => {
    if (down !== null && Math.abs(event.clientX - down) < 4) player.seek(u.posToVal(event.offsetX, 'x'));
  });
  move();
}

// SPDX-License-Identifier: Apache-2.0
// Curves over another quantity than time, with a dot at the present.
import { valueNow } from './channels.js';
import { columnOf } from './data.js';
import { element } from './format.js';
import { axes, canvas, extent, polygon } from './study/canvas.js';

const padded = ([a, b]) => [a - 0.04 * (b - a), b + 0.04 * (b - a)];

/** curves: [{run, name, unit, colour, dash}]; over: the name of the column along x. */
export function showCurves(holder, curves, over, units, player) {
  holder.uplot?.destroy();
  holder.uplot = null;
  const lines = curves.filter((c) => c.run.column.has(over)).map((c) => {
    const unit = c.run.column.get(over).unit;
    return { ...c, over: unit, x: units.values(columnOf(c.run, over), unit), y: units.values(columnOf(c.run, c.name), c.unit) };
  });
  if (!lines.length) return;
  const place = element('div', { class: 'drawing', role: 'img', 'aria-label': `${lines.map((l) => l.label).join(', ')} over ${over}` });
  holder.replaceChildren(place);
  const of = (key) => padded(extent(lines.flatMap((l) => extent(l[key]))));
  const labels = [...new Set(lines.map((l) => units.name(l.unit)))];
  const range = { x: of('x'), y: of('y') };
  const { redraw } = canvas(place, (c, width, height) => {
    const { px, py } = axes(c, width, height, { range: range.x, label: `${over}, ${units.name(lines[0].over)}` }, { range: range.y, label: labels.join(', ') });
    for (const line of lines) {
      c.strokeStyle = c.fillStyle = line.colour;
      c.lineWidth = 1.4;
      c.setLineDash(line.dash ?? []);
      polygon(c, Array.from(line.x, (x, i) => [px(x), py(line.y[i])]));
      c.setLineDash([]);
      const now = [over, line.name].map((name, k) => units.value(valueNow(line.run, name, player.t), k ? line.unit : line.over));
      c.beginPath();
      c.arc(px(now[0]), py(now[1]), 4, 0, 7);
      c.fill();
    }
  });
  const deaf = player.listen(() => (place.isConnected ? redraw() : deaf()));
}

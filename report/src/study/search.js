// SPDX-License-Identifier: Apache-2.0
// The history of a design search: the objective over the runs with the best so far, a parameter over the runs, the best run in words.
import { variable } from '../colour.js';
import { plural, significant } from '../format.js';
import { axes, canvas, extent, polygon } from './canvas.js';

const $ = (id) => document.getElementById(id);

/** The run with the least value, or the largest; -1: none has one. */
export function bestOf(values, maximise) {
  let best = -1;
  values.forEach((v, i) => { if (Number.isFinite(v) && (best < 0 || (maximise ? v > values[best] : v < values[best]))) best = i; });
  return best;
}

/** The best value up to each run; NaN before the first. */
export function bestSoFar(values, maximise) {
  let best = NaN;
  return values.map((v) => { if (Number.isFinite(v) && !(maximise ? v <= best : v >= best)) best = v; return best; });
}

/** page: what src/study/main.js shares. */
export function searchPanel({ column, maximise, best }, { cases, columns, state, views, redraw, choose, colourOf, label, nearest, select }) {
  const parameters = columns.filter((c) => c.parameter && !c.words), runs = cases.map((c) => c.case), shape = { followed: parameters[0] ?? column };
  const positive = column.values.every((v) => !Number.isFinite(v) || v > 0), box = $('logarithmic');
  $('search').hidden = false;
  $('objective-title').textContent = `${label(column)}, to be ${maximise ? 'maximised' : 'minimised'}`;
  $('search-words').textContent = best < 0 ? 'No run has finished.' : `Best of ${plural(cases.length, 'run', 'runs')}: run ${runs[best]} with ${label(column)} ${significant(column.values[best], 6)}${parameters.map((p) => `, ${label(p)} ${significant(p.values[best], 6)}`).join('')}.`;
  $('best').addEventListener('click', () => { state.chosen = best; redraw(); });
  box.parentElement.hidden = !positive;
  box.checked = positive && extent(column.values)[1] > 100 * extent(column.values)[0];
  box.addEventListener('change', redraw);

  /** Points of a column over the runs; `along`: a line through numbers of its own. */
  function history(id, columnOf, along) {
    let map = null;
    const { redraw: again, node } = canvas($(id), (c, width, height) => {
      const shown = columnOf(), log = id === 'objective' && box.checked, value = log ? Math.log10 : (v) => v, range = extent(shown.values.map(value)), pad = 0.05 * (range[1] - range[0]);
      const at = axes(c, width, height, { range: [Math.min(...runs) - 0.5, Math.max(...runs) + 0.5], label: 'run' }, { range: [range[0] - pad, range[1] + pad], label: log ? `log10 ${label(shown)}` : label(shown) });
      map = { px: (i) => at.px(runs[i]), py: (i) => at.py(value(shown.values[i])) };
      c.strokeStyle = variable('--accent');
      c.lineWidth = 2;
      if (along) polygon(c, along(shown.values).flatMap((v, i, all) => [...(i ? [[at.px(runs[i]), at.py(value(all[i - 1]))]] : []), [at.px(runs[i]), at.py(value(v))]]));
      cases.forEach((_, i) => { c.fillStyle = colourOf(i); c.beginPath(); c.arc(map.px(i), map.py(i), i === state.chosen ? 7 : 4, 0, 7); c.fill(); });
      if (best < 0) return;
      c.strokeStyle = variable('--good');
      c.beginPath(); c.arc(map.px(best), map.py(best), 9, 0, 7); c.stroke();
    });
    views.push(again);
    node.addEventListener('click', (e) => { const r = node.getBoundingClientRect(); choose(nearest((i) => Math.hypot(map.px(i) - e.clientX + r.left, map.py(i) - e.clientY + r.top))); });
  }

  select('followed', parameters.length ? parameters : [column], shape.followed, (c) => { shape.followed = c; });
  history('objective', () => column, (values) => bestSoFar(values, maximise));
  history('followed-plot', () => shape.followed, null);
  if (best >= 0) state.chosen = best;
}

// SPDX-License-Identifier: Apache-2.0
// A study in the browser: parallel coordinates, scatter, histories, one case, a table. What is chosen in one of them is
// chosen in all.
import { element, escape, plural, significant } from '../format.js';
import { shade, variable } from '../colour.js';
import { axes, canvas, distance, extent, line, polygon } from './canvas.js';
import { bestOf, searchPanel } from './search.js';

const MOST_ROWS = 500; // of the table
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);
const cases = data.cases;
const usual = { name: 'case', unit: '1', parameter: false, values: cases.map((c) => c.case) };
const columns = data.columns.map(numeric);

/** Texts become their order of appearance. */
function numeric(column) {
  if (column.unit !== 'text') return column;
  const words = [...new Set(column.values)];
  return { ...column, words, texts: column.values, values: column.values.map((v) => words.indexOf(v)) };
}

const label = (c) => (c.unit === '1' || c.unit === 'text' ? c.name : `${c.name} [${c.unit}]`);
const shown = (c, i) => (c.words ? c.texts[i] : significant(c.values[i], 5));

// ---- what is chosen ----

const state = { chosen: -1, brush: new Map(), colour: null, x: null, y: null, channel: null };
const views = [];
const redraw = () => views.forEach((view) => view());
const passes = (i) => [...state.brush].every(([k, [a, b]]) => columns[k].values[i] >= a && columns[k].values[i] <= b);

function runOf(i) {
  const run = cases[i].run;
  return typeof run === 'string' && !/^[a-z]+:/i.test(run) && run.endsWith('.html') ? run : null;
}

/** Chooses a case; once more opens its run. */
function choose(i) {
  if (i < 0) return;
  if (i === state.chosen && runOf(i)) { window.open(runOf(i), '_blank', 'noopener'); return; }
  state.chosen = i;
  redraw();
}

// ---- colours ----

function colourOf(i, alpha = 1) {
  const c = state.colour, [a, b] = c.range, u = (c.values[i] - a) / (b - a);
  if (!Number.isFinite(u)) return variable('--quiet');
  return shade(u, alpha);
}

/** Those that are left out first, the chosen one last. */
function inOrder(draw) {
  const n = cases.length, alpha = n > 300 ? 0.35 : n > 60 ? 0.6 : 0.9;
  for (let i = 0; i < n; i++) if (!passes(i)) draw(i, variable('--line'), 1);
  for (let i = 0; i < n; i++) if (passes(i) && i !== state.chosen) draw(i, colourOf(i, alpha), 1.3);
  if (state.chosen >= 0) draw(state.chosen, variable('--ink'), 3.2);
}

/** The scale itself, along the axis that it belongs to. */
function scale(c, x, top, bottom) {
  const g = c.createLinearGradient(0, bottom, 0, top);
  for (let i = 0; i <= 17; i++) g.addColorStop(i / 17, shade(i / 17));
  c.fillStyle = g;
  c.fillRect(x - 5, top, 10, bottom - top);
}

// ---- parallel coordinates ----

function parallel() {
  const place = $('parallel'), top = 44, bottom = 26, side = 64;
  let size = [1, 1];
  const px = (k) => (columns.length < 2 ? size[0] / 2 : side + ((size[0] - 2 * side) * k) / (columns.length - 1));
  const py = (c, v) => top + (size[1] - top - bottom) * (1 - (v - c.range[0]) / (c.range[1] - c.range[0]));
  const back = (c, y) => c.range[0] + (1 - (y - top) / (size[1] - top - bottom)) * (c.range[1] - c.range[0]);
  const points = (i) => columns.map((c, k) => [px(k), py(c, c.values[i])]);
  const axis = (c, column, k) => {
    if (column === state.colour) scale(c, px(k), top, size[1] - bottom);
    c.strokeStyle = variable('--quiet'); c.lineWidth = 1.2;
    line(c, px(k), top, px(k), size[1] - bottom);
    c.fillStyle = variable('--ink'); c.textAlign = 'center'; c.textBaseline = 'alphabetic';
    c.font = `${column.parameter ? '' : '600 '}12px system-ui, "DejaVu Sans", sans-serif`;
    c.fillText(column.name, px(k), 14);
    c.font = '11px system-ui, "DejaVu Sans", sans-serif'; c.fillStyle = variable('--quiet');
    c.fillText(column.unit === '1' || column.unit === 'text' ? '' : column.unit, px(k), 27);
    c.fillText(end(column, 1), px(k), 40);
    c.fillText(end(column, 0), px(k), size[1] - bottom + 15);
    const brush = state.brush.get(k);
    if (!brush) return;
    c.fillStyle = variable('--accent'); c.globalAlpha = 0.35;
    c.fillRect(px(k) - 7, py(column, brush[1]), 14, py(column, brush[0]) - py(column, brush[1]));
    c.globalAlpha = 1;
  };
  const end = (c, which) => (c.words ? c.words[which ? c.words.length - 1 : 0] : significant(c.range[which], 4));
  const { redraw: again, node } = canvas(place, (c, width, height) => {
    size = [width, height];
    inOrder((i, colour, thick) => { c.strokeStyle = colour; c.lineWidth = thick; polygon(c, points(i)); });
    columns.forEach((column, k) => axis(c, column, k));
  });
  views.push(again);

  let drag = null;
  const where = (e) => { const r = node.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
  const near = (x) => columns.findIndex((_, k) => Math.abs(px(k) - x) < 12);
  node.addEventListener('pointerdown', (e) => {
    const [x, y] = where(e), k = near(x);
    drag = { k, y, moved: false };
    if (k >= 0) node.setPointerCapture(e.pointerId);
  });
  node.addEventListener('pointermove', (e) => {
    if (!drag || drag.k < 0) return;
    const y = where(e)[1], c = columns[drag.k];
    if (Math.abs(y - drag.y) < 4) return;
    drag.moved = true;
    state.brush.set(drag.k, [back(c, Math.max(y, drag.y)), back(c, Math.min(y, drag.y))]);
    redraw();
  });
  node.addEventListener('pointerup', (e) => {
    const [x, y] = where(e);
    if (drag && drag.k >= 0 && !drag.moved) { state.brush.delete(drag.k); redraw(); }
    else if (drag && !drag.moved) choose(nearest((i) => distance(points(i), x, y)));
    drag = null;
  });
}

function nearest(measure, reach = 12) {
  let best = reach, found = -1;
  for (let i = 0; i < cases.length; i++) {
    if (!passes(i)) continue;
    const d = measure(i);
    if (d < best) { best = d; found = i; }
  }
  return found;
}

// ---- scatter ----

const padded = ([a, b]) => [a - 0.04 * (b - a), b + 0.04 * (b - a)];

function scatter() {
  let map = null;
  const { redraw: again, node } = canvas($('scatter'), (c, width, height) => {
    map = axes(c, width, height, { range: padded(state.x.range), label: label(state.x) },
      { range: padded(state.y.range), label: label(state.y) });
    inOrder((i, colour, thick) => {
      c.fillStyle = colour;
      c.beginPath(); c.arc(map.px(state.x.values[i]), map.py(state.y.values[i]), thick > 3 ? 7 : 4, 0, 7); c.fill();
      if (thick > 3) { c.fillStyle = colourOf(i); c.beginPath(); c.arc(map.px(state.x.values[i]), map.py(state.y.values[i]), 4, 0, 7); c.fill(); }
    });
  });
  views.push(again);
  node.addEventListener('click', (e) => {
    const r = node.getBoundingClientRect();
    choose(nearest((i) => Math.hypot(map.px(state.x.values[i]) - e.clientX + r.left, map.py(state.y.values[i]) - e.clientY + r.top)));
  });
}

// ---- histories ----

const channels = [...new Set(cases.flatMap((c) => Object.keys(c.histories ?? {})))].filter((name) => name !== 't');

function histories() {
  if (!channels.length) {
    $('histories').style.height = 'auto';
    $('histories-note').textContent = 'The journal holds no histories: name some in the study file (histories: [hinge.angle]).';
    return;
  }
  let map = null;
  const points = (i) => {
    const h = cases[i].histories ?? {}, t = h.t ?? [], x = h[state.channel] ?? [];
    return t.map((time, k) => [map.px(time), map.py(x[k] ?? NaN)]);
  };
  const { redraw: again, node } = canvas($('histories'), (c, width, height) => {
    const all = cases.filter((k) => k.histories?.[state.channel]);
    map = axes(c, width, height, { range: extent(all.flatMap((k) => [k.histories.t[0], k.histories.t.at(-1)])), label: 't [s]' },
      { range: padded(extent(all.flatMap((k) => extent(k.histories[state.channel])))), label: state.channel });
    inOrder((i, colour, thick) => { c.strokeStyle = colour; c.lineWidth = thick; polygon(c, points(i)); });
  });
  views.push(again);
  $('histories-note').textContent = 'Click a line to see its case.';
  node.addEventListener('click', (e) => {
    const r = node.getBoundingClientRect();
    choose(nearest((i) => distance(points(i), e.clientX - r.left, e.clientY - r.top)));
  });
}

// ---- one case ----

const quoted = (text) => (/^[\w.+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A model that was made in Python has no file. */
function inPython(k) {
  return ['case = model.copy()', ...Object.entries(k.parameters ?? {}).map(([name, value]) => `case.override(${JSON.stringify(name)}, ${JSON.stringify(String(value))})`), 'case.run().show()'].join('; ');
}

function command(k) {
  if (k.model === 'model') return inPython(k);
  const set = Object.entries(k.parameters ?? {}).map(([name, value]) => `--set ${quoted(`${name}=${value}`)}`);
  return `torsor run ${quoted(k.model ?? 'MODEL.yaml')} ${set.join(' ')} --report`;
}

function oneCase() {
  const i = state.chosen, place = $('case');
  if (i < 0) { place.replaceChildren(element('p', { class: 'quiet' }, 'None is chosen: click a line, a point or a row.')); return; }
  const k = cases[i], fact = (name, text) => element('div', { class: 'fact' }, name, element('b', {}, text));
  const facts = element('div', { class: 'facts' }, fact('case', String(k.case)),
    ...columns.map((c) => fact(label(c), shown(c, i))),
    fact('energy audit', k.good === false ? 'open' : 'closed'));
  const run = runOf(i);
  const open = run ? element('p', {}, element('a', { href: run, target: '_blank', rel: 'noopener' }, `Open the run of case ${k.case}`))
    : element('p', { class: 'small' }, element('span', { class: 'quiet' }, `To see it in motion${k.model === 'model' && !k.run ? ', in Python' : ''}: `), element('code', {}, k.run ? `torsor report ${quoted(k.run)}` : command(k)));
  place.replaceChildren(facts, open);
}

// ---- the table ----

let order = { column: usual, down: false };

/** Chooses a case by the keyboard; clicks go to its row. */
const caseButton = (i) => element('button', { type: 'button', 'data-key': `case ${i}`, 'aria-label': `Case ${shown(usual, i)}`, 'aria-pressed': String(i === state.chosen) }, shown(usual, i));

function theTable() {
  const all = [usual, ...columns], rows = cases.map((_, i) => i);
  const sign = order.down ? -1 : 1, v = order.column.values;
  rows.sort((a, b) => sign * ((v[a] ?? Infinity) - (v[b] ?? Infinity)) || a - b);
  const sort = (c) => () => { order = { column: c, down: order.column === c && !order.down }; theTable(); };
  const head = element('tr', {}, ...all.map((c) => element('th', { class: c.words ? '' : 'n', 'aria-sort': order.column === c ? (order.down ? 'descending' : 'ascending') : 'none' },
    element('button', { type: 'button', 'data-key': `sort ${c.name ?? label(c)}`, onclick: sort(c) }, label(c) + (order.column === c ? (order.down ? ' ↓' : ' ↑') : '')))));
  const body = rows.slice(0, MOST_ROWS).map((i) => element('tr', { class: `${i === state.chosen ? 'chosen' : ''} ${passes(i) ? '' : 'out'}`.trim(), onclick: () => choose(i) },
    ...all.map((c) => element('td', { class: c.words ? '' : 'n' }, c === usual ? caseButton(i) : shown(c, i)))));
  const key = document.activeElement?.dataset.key; // who works with the keyboard stays where they are
  const scroll = $('table').firstChild?.scrollTop ?? 0;
  $('table').replaceChildren(element('div', { class: 'scroll', tabindex: 0 }, element('table', {}, element('thead', {}, head), element('tbody', {}, ...body))));
  $('table').firstChild.scrollTop = scroll;
  if (key) $('table').querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  $('table-note').textContent = rows.length > MOST_ROWS ? `the first ${MOST_ROWS} of ${rows.length}; all are in the CSV file` : '';
}

// ---- beginning ----

function select(id, items, chosen, take) {
  const node = $(id);
  node.replaceChildren(...items.map((item, i) => element('option', { value: i, selected: item === chosen }, typeof item === 'string' ? item : label(item))));
  node.addEventListener('change', () => { take(items[node.value]); redraw(); });
  take(chosen);
}

/** What an optimiser looked for: python/torsor/searching.py says so in its lines. */
function searchOf() {
  const told = cases.find((c) => typeof c.objective === 'string'), column = told && columns.find((c) => !c.parameter && c.name === told.objective);
  return column ? { column, maximise: told.maximise === true, best: bestOf(column.values, told.maximise === true) } : null;
}

function begin() {
  const bad = cases.filter((c) => c.good === false).length, title = cases.find((c) => c.study)?.study ?? 'Study';
  $('title').textContent = title;
  document.title = `${title}: torsor study`;
  const measures = columns.filter((c) => !c.parameter), parameters = columns.filter((c) => c.parameter);
  $('subtitle').textContent = `${plural(cases.length, 'case', 'cases')}, ${plural(parameters.length, 'parameter', 'parameters')}, ${plural(measures.length, 'measure', 'measures')}${bad ? `; the energy audit of ${bad} is open` : ''}`;
  for (const c of [usual, ...columns]) c.range = extent(c.values);
  const every = [...columns, usual];
  select('colour', every, measures[0] ?? every[0], (c) => { state.colour = c; });
  select('x', every, parameters[0] ?? usual, (c) => { state.x = c; });
  select('y', every, measures[0] ?? every[0], (c) => { state.y = c; });
  select('channel', channels, channels[0] ?? null, (c) => { state.channel = c; });
  $('channel').parentElement.hidden = !channels.length;
  if (cases.some((_, i) => runOf(i))) $('scatter-note').textContent += ' Click it again to open its run.';
  const search = searchOf();
  if (search) searchPanel(search, { cases, columns, state, views, redraw, choose, colourOf, label, nearest, select });
  parallel(); scatter(); histories();
  views.push(oneCase, theTable);
  redraw();
}

window.torsor = { state, ready: true }; // for the tests
if (cases.length) begin();
else $('title').innerHTML = escape('No case is finished yet.');

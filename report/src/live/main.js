// SPDX-License-Identifier: Apache-2.0
// The page of `torsor view` and `torsor run --view`: follows the program, draws the model, shows its run.
import { Looks } from '../ask/looks.js';
import { Names, placesOf } from '../ask/marks.js';
import { onPick, pick } from '../ask/pick.js';
import { Tree } from '../ask/tree.js';
import { gradient, SCALE } from '../colour.js';
import { element, plural, quantity, significant } from '../format.js';
import { readScene, Stage } from '../scene/scene.js';
import { Link } from './link.js';
import { Parameters, showFacts, showMistakes } from './panels.js';
import { showPart } from './part.js';
import { Samples, showChannels, showLedger } from './plots.js';
import { Units } from '../units.js';

const byId = (id) => document.getElementById(id);
const FRAME_BYTES = 48 << 20, MOST_FRAMES = 600;
const NEAR_POINT = 14, SLOW_PICK = 25; // pixels, ms

/** What the page holds, shared with the tests through window.torsor. */
const page = { link: new Link(), state: null, stage: null, samples: new Samples(), looks: new Looks(), frames: [], live: true, drawn: 0, scene: 0, ready: false, chosen: null, over: null, paced: true, shown: {}, units: new Units([{}]), where };
window.torsor = page;

// ---- the picture ----

async function redrawScene(version) {
  page.scene = version;
  const run = await readScene(await page.link.scene());
  const before = page.stage;
  page.frames = [];
  try {
    page.stage = new Stage(byId('stage'), run, { before });
  } catch (error) {
    byId('stage-note').textContent = `This browser cannot show the 3-D picture (${error.message}).`;
    return;
  }
  before?.dispose();
  takeUnits(run);
  const { view, canvas } = page.stage;
  page.labels = new Names(view, byId('names'), page.looks, namedPoints);
  view.watchers.push(placeMark);
  page.stage.dress(page.looks);
  page.tree.show([run]);
  choose(partOf(page.chosen) < 0 ? null : page.chosen);
  makeControls();
  canvas.addEventListener('pointermove', (event) => { page.moved ?? requestAnimationFrame(hover); page.moved = event; });
  canvas.addEventListener('pointerleave', () => { page.moved = null; point(null); });
  onPick(canvas, (x, y) => choose(partAt(x, y)?.name));
  showUnits();
  page.drawn++;
}

/** Units of the model's file; what was chosen before stays, if the new model has it. */
function takeUnits(run) {
  const { key } = page.units.system;
  page.units = new Units([run]);
  if (page.unit) page.units.choose(key);
  page.units.listen(showUnits);
}

/** Everything that is written in units of its own. */
function showUnits() {
  const { view, run } = page.stage, { units } = page;
  byId('stage-note').textContent = `grid ${units.of('m').factor === 1 ? quantity(view.spacing, 'm', 3) : `${significant(units.value(view.spacing, 'm'), 3)} ${units.name('m')}`} · ${plural(run.nodes - 1, 'node', 'nodes')}`;
  showFacts(byId('facts'), byId('notes'), page.state.drawn, units);
  choose(page.chosen);
  showHistory();
}

function unitControl() {
  const { units } = page, select = element('select', { id: 'units', onchange: () => { page.unit = select.value; units.choose(select.value); } }, ...units.systems.map((s) => element('option', { value: s.key }, s.label)));
  select.value = units.system.key;
  return element('label', {}, 'units', select);
}

function makeControls() {
  const { view, signs, run } = page.stage;
  byId('views').replaceChildren(...view.ways.map(([, name, way]) => element('button', { type: 'button', onclick: () => view.look(way) }, name)));
  const box = (name, title, checked, change) => {
    const input = element('input', { type: 'checkbox', 'data-show': name, onchange: () => { page.shown[name] = input.checked; change(input.checked); view.draw(); } });
    input.checked = checked;
    change(checked);
    return element('label', { title }, input, name);
  };
  byId('controls').replaceChildren(
    ...(page.state.mode === 'view' ? [paceControl()] : []), ...fieldControl(), unitControl(),
    box('names', 'names of parts and points in the picture', page.shown.names ?? run.parts.length < 2, (on) => (page.labels.shown = on)),
    ...signs.switches().map(([name, title, objects]) => box(name, title, page.shown[name] ?? objects[0].visible, (on) => objects.forEach((o) => (o.visible = on)))));
  view.draw();
}

/** A small model runs much faster than one could watch it. */
function paceControl() {
  const input = element('input', { type: 'checkbox', id: 'pace', onchange: () => { page.paced = input.checked; page.link.post('do', { what: page.paced ? 'paced' : 'free' }); } });
  input.checked = page.paced;
  return element('label', { title: 'the run waits for the clock; without, it is as fast as it can be' }, input, 'real time');
}

// ---- colours ----

/** Fields that flexible parts of the model may be coloured by; the scene says which there are. */
const fieldsOfModel = (run) => run.play.fields.filter((f) => (f.place === 'line' ? run.play.stations : run.cells.some((type, i) => i % 8 === 0 && type > 0 && (f.place === 'shell') === (type < 3))));

function fieldControl() {
  const fields = fieldsOfModel(page.stage.run);
  if (!fields.some((f) => f.key === page.field)) page.field = fields.length ? (fields.find((f) => f.root) ?? fields[0]).key : 'part';
  page.link.post('paint', { field: page.field });
  if (!fields.length) return [];
  const select = element('select', { id: 'colour', onchange: () => {
    page.field = select.value;
    page.link.post('paint', { field: page.field });
    page.stage.forget();
    page.stage.update();
    showLegend();
  } }, element('option', { value: 'part' }, 'part'), ...fields.map((f) => element('option', { value: f.key }, f.label)));
  select.value = page.field;
  return [element('label', { title: 'while the model runs' }, 'colour', select)];
}

function showLegend() {
  const { field, range } = page.stage.options, holder = byId('legend');
  holder.hidden = !field.scale;
  if (!field.scale) return;
  const bar = element('div', { class: 'bar' });
  bar.style.background = gradient(SCALE[field.scale]);
  const low = field.scale === 'diverging' ? quantity(-range, field.unit) : '0';
  holder.replaceChildren(field.root ? `${field.label} (root scale)` : field.label, bar, element('div', { class: 'ends' }, element('span', {}, low), element('span', {}, quantity(range, field.unit))));
}

// ---- names ----

const partOf = (name) => page.stage?.run.parts.findIndex(([n]) => n === name) ?? -1;

/** Pixels of the canvas where a part is; null: nowhere, or not seen. */
function where(name) {
  const { run, view, pose } = page.stage, place = placesOf(run).find((p) => p.name === name);
  const at = place && view.project(pose.point(place.node, place.local));
  return at?.seen ? [at.x, at.y] : null;
}

/** Points of the section `points`, if they are shown; once the model moves they are the places of parts no more. */
function namedPoints() {
  const { points } = page.stage.signs;
  return points.object.visible && page.state.run.phase === 'none' ? points.items.map((p) => ({ ...p, section: 'points' })) : [];
}

/** The point of the section `points` at a pixel, or null. */
function pointAt(x, y) {
  const { signs, view } = page.stage;
  if (!signs.points.object.visible) return null;
  const away = (p) => { const at = view.project(p.at); return at.seen ? Math.hypot(at.x - x, at.y - y) : Infinity; };
  return signs.points.items.find((p) => away(p) < NEAR_POINT) ?? null;
}

function partAt(x, y) {
  const hit = pick(page.stage.view, page.looks, x, y);
  if (!hit) return null;
  const [name, kind] = hit.run.parts[hit.part];
  return { name, kind };
}

/** Names under the pointer; of a large mesh only where the pointer rests. */
function hover() {
  const event = page.moved, begun = performance.now();
  page.moved = null;
  clearTimeout(page.resting);
  if (!event || event.buttons) return;
  if (page.slow) page.resting = setTimeout(() => tip(event), 150);
  else tip(event);
  if (!page.slow) page.slow = performance.now() - begun > SLOW_PICK;
}

function tip(event) {
  const box = page.stage.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  const named = pointAt(x, y), found = named ? { name: named.name, kind: 'point' } : partAt(x, y), holder = byId('tip');
  point(named ? null : (found?.name ?? null), !found);
  holder.hidden = !found;
  if (!found) return;
  holder.replaceChildren(found.name, element('small', {}, found.kind));
  holder.style.transform = `translate(${Math.min(x + 14, page.stage.canvas.clientWidth - 140)}px, ${Math.max(0, y - 12)}px)`;
}

/** The part that the pointer is over, in the tree or in the picture. */
function point(name, leave = true) {
  page.over = name;
  if (leave) byId('tip').hidden = true;
  page.tree.point(name);
  placeMark();
}

function choose(name) {
  const { run } = page.stage, part = name ? partOf(name) : -1;
  page.chosen = part < 0 ? null : name;
  page.tree.select(page.chosen);
  byId('part').hidden = part < 0;
  if (part >= 0) {
    const place = placesOf(run).find((p) => p.part === part);
    byId('part-title').textContent = name;
    showPart(byId('part-body'), run, part, place && page.stage.pose.point(place.node, place.local), page.units);
  }
  placeMark();
}

function placeMark() {
  const name = page.over ?? page.chosen, at = page.stage && name ? where(name) : null, mark = byId('mark');
  mark.hidden = !at;
  if (at) mark.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
}

// ---- the run ----

const WORDS = { none: 'not run yet', running: 'running', paused: 'paused', ended: 'ended', stopped: 'stopped', failed: 'failed' };

function showPhase({ mode, drawn, run }) {
  const phase = byId('phase'), busy = run.phase === 'running' || run.phase === 'paused';
  const good = drawn?.good, verdict = run.phase === 'ended' ? run.audit : run.phase === 'failed' ? run.words : '';
  phase.textContent = !good ? (drawn?.there === false ? 'waiting for the file' : 'the model has mistakes') : !drawn.runs ? 'to run it, add a line: analysis: {step: 5 ms, end: 3 s}' : `${WORDS[run.phase]}${verdict ? `: ${verdict}` : ''}`;
  phase.className = `phase ${!good || run.phase === 'failed' || (run.phase === 'ended' && !run.good) ? 'bad' : busy ? 'busy' : run.phase === 'ended' ? 'good' : ''}`;
  phase.dataset.phase = good ? run.phase : 'mistakes';
  byId('run').hidden = mode !== 'view' || busy;
  byId('run').disabled = !good || !drawn.runs;
  byId('run').title = good && !drawn.runs ? 'the model has no analysis' : '';
  byId('pause').hidden = byId('stop').hidden = !busy;
  byId('pause').textContent = run.phase === 'paused' ? 'Continue' : 'Pause';
  byId('quit').hidden = mode !== 'run' || busy;
}

async function showState(state, scene) {
  page.state = state;
  const { drawn } = state;
  byId('file').textContent = state.file;
  const good = drawn?.good === true;
  byId('mistakes').hidden = !drawn || good;
  byId('bench').hidden = !good;
  if (drawn && !good) showMistakes(byId('mistakes-list'), byId('mistakes-title'), drawn, state.file);
  showPhase(state);
  if (!good) {
    byId('title').textContent = state.file;
    byId('history').hidden = true;
    return;
  }
  byId('title').textContent = drawn.model.title || state.file;
  document.title = `${drawn.model.title || state.file} · torsor view`;
  showFacts(byId('facts'), byId('notes'), drawn, page.units);
  byId('parameters').hidden = state.mode !== 'view' || !drawn.parameters.length;
  byId('reset').hidden = !state.set.length;
  page.parameters.show(drawn.parameters, new Set(state.set.map(([name]) => name)));
  showNames(drawn);
  takeRefusal(state);
  byId('history').hidden = state.run.phase === 'none';
  if (scene !== page.scene) await redrawScene(scene);
  if (state.run.phase === 'none' && page.stage) rewind();
}

function rewind() {
  page.frames = [];
  page.live = true;
  page.stage.forget();
  page.stage.rewind();
  showLegend();
  byId('clock').textContent = '';
  byId('scrub').disabled = true;
}

// ---- frames ----

/** Frames that were seen can be looked at again: as many as fit, every second one when they are too many. */
function keep(news) {
  const most = Math.max(8, Math.min(MOST_FRAMES, Math.floor(FRAME_BYTES / (28 * news.nodes))));
  if (page.frames.length && news.t < page.frames.at(-1).t) page.frames = [];
  if (!page.frames.length) page.stage.forget(); // another run
  page.frames.push({ t: news.t, place: news.place, turn: news.turn, field: news.field, paint: news.paint });
  if (page.frames.length > most) page.frames = page.frames.filter((_, i, all) => i % 2 === 0 || i === all.length - 1);
}

/** The first frames of a run may have no colours yet: they are asked for when the page knows its fields. */
function showFrame(frame) {
  if (frame.paint?.length && frame.field === page.field) page.stage.paint(frame.field, frame.paint);
  else page.stage.unpaint();
  page.stage.move(frame.place, frame.turn);
  showLegend();
  const end = page.state.drawn?.model?.t_end, statics = page.state.drawn?.model?.analysis === 'static';
  byId('clock').textContent = statics ? `load ${significant(frame.t, 4)}` : `${significant(frame.t, 4)} s${end ? ` / ${significant(end, 4)}` : ''}`;
}

function takeFrame(news) {
  if (!news.nodes || !page.stage || page.state?.run.phase === 'none' || news.place.length !== page.stage.pose.x.length) return;
  keep(news);
  const scrub = byId('scrub');
  scrub.disabled = page.frames.length < 2;
  scrub.max = page.frames.length - 1;
  if (!page.live) return;
  scrub.value = scrub.max;
  showFrame(page.frames.at(-1));
}

function setLive(on) {
  page.live = on;
  byId('live').setAttribute('aria-pressed', String(on));
  if (!on || !page.frames.length) return;
  byId('scrub').value = byId('scrub').max;
  showFrame(page.frames.at(-1));
}

// ---- channels ----

function showNames(drawn) {
  const list = drawn.channels?.channels ?? [];
  const names = list.filter((c) => !c.alias && !c.name.startsWith('ground.')).map((c) => c.name);
  if (byId('channel-names').childElementCount === names.length) return;
  byId('channel-names').replaceChildren(...names.map((value) => element('option', { value })));
}

/** The place of the first body, or how far the end of the last beam or cable moved. */
function firstPlaces(list, parts) {
  const lines = new Set(parts.filter(([, , section]) => section === 'beams' || section === 'cables').map(([name]) => name));
  const nodes = list.filter((c) => !c.alias && c.name.endsWith('.displacement.x') && !c.name.startsWith('ground.')).map((c) => c.name.slice(0, -'.displacement.x'.length));
  const body = nodes.find((n) => !n.includes('.')), end = nodes.findLast((n) => lines.has(n.split('.')[0]));
  const vector = body ? `${body}.position` : end && `${end}.displacement`;
  return vector ? ['x', 'y', 'z'].map((k) => `${vector}.${k}`) : [];
}

/** Until the user chooses: coordinates of joints, or else places. They follow the file, to which joints may come later. */
function firstChannels(drawn) {
  const list = drawn.channels?.channels ?? [];
  const joints = list.filter((c) => !c.alias && c.of === 'coordinate' && !/\.(rate|acceleration)$/.test(c.name)).slice(0, 3).map((c) => c.name);
  return joints.length ? joints : firstPlaces(list, page.stage?.run.parts ?? []);
}

function watch(names, own = true) {
  page.watching = names;
  page.own ||= own;
  byId('chosen').replaceChildren(...names.map((name) => element('button', { type: 'button', title: 'take away', onclick: () => watch(page.watching.filter((n) => n !== name)) }, `${name} ×`)));
  page.link.post('watch', names.map((name) => ['channel', name]));
}

/** Is there such a channel, or one below it? Channels of large models are not listed here: then the program says. */
function isChannel(name) {
  const list = page.state.drawn?.channels?.channels;
  return !list || /[*?]/.test(name) || list.some((c) => c.name === name || c.name.startsWith(`${name}.`));
}

/** How many letters have to change, at most `most`; more count as infinite. */
function lettersApart(a, b, most = 3) {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row[b.length] <= most ? row[b.length] : Infinity;
}

/** What to type instead. */
function advice(name) {
  let best = Infinity, found = null;
  for (const c of page.state.drawn.channels.channels) {
    const apart = lettersApart(name, c.name);
    if (apart < best) [best, found] = [apart, c.name];
  }
  return found ? `Did you mean '${found}'?` : 'Type the name of a part to see its channels.';
}

function noteChannels(text) {
  page.note = text;
  byId('channel-note').textContent = text;
}

function addChannel(event) {
  event.preventDefault();
  const field = byId('channel'), names = field.value.split(/[\s,]+/).filter((n) => n && !page.watching?.includes(n)), wrong = names.find((n) => !isChannel(n));
  if (wrong) return noteChannels(`There is no channel '${wrong}'. ${advice(wrong)}`); // the field keeps it, to be mended
  page.before = page.watching ?? [];
  noteChannels(names.length && /ended|stopped|failed/.test(page.state.run.phase) ? 'Run again to draw it.' : '');
  if (names.length) watch([...page.before, ...names].slice(0, 8));
  field.value = '';
}

/** The program cannot read what was added: back to what it could. */
function takeRefusal({ refused, run }) {
  if (run.phase === 'running' && page.note === 'Run again to draw it.') page.note = '';
  if (!refused || !page.before) return void (byId('channel-note').textContent = refused || page.note || '');
  const before = page.before;
  page.before = null;
  noteChannels(refused);
  watch(before);
}

// ---- the loop ----

function showHistory() {
  if (byId('history').hidden) return;
  showLedger(byId('ledger-plot'), byId('ledger-table'), page.samples);
  showChannels(byId('channel-plot'), page.samples, page.state.watched, page.units);
}

async function step() {
  const news = await page.link.poll();
  byId('gone').hidden = true;
  page.samples.take(news);
  if (news.state) await showState(news.state, news.scene);
  if (news.state?.drawn?.good && !page.own) {
    const first = firstChannels(news.state.drawn);
    if (!page.watching || first.join() !== page.watching.join()) watch(first, false);
  }
  takeFrame(news);
  if (news.rows || news.whole || news.state) showHistory();
  page.ready = page.state !== null && page.state.drawn !== null;
  if (news.closed) throw new Error('closed');
}

const visible = () => new Promise((resolve) => (document.hidden ? document.addEventListener('visibilitychange', resolve, { once: true }) : resolve()));
const moment = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function follow() {
  for (;;) {
    try {
      await visible();
      await step();
      await new Promise(requestAnimationFrame);
    } catch (error) {
      if (error instanceof TypeError && !/fetch|network/i.test(error.message)) page.error = error, console.error(error);
      byId('gone').textContent = 'torsor has ended, or cannot be reached. Start it again and open its new address.';
      byId('gone').hidden = false;
      page.gone = true;
      await moment(1500);
    }
  }
}

function begin() {
  let waiting = null;
  const later = new Map();
  const send = () => { waiting = null; for (const [name, value] of later) page.link.post('set', { name, value }); later.clear(); };
  const set = (name, value) => { later.set(name, value); waiting ??= setTimeout(send, 120); };
  page.tree = new Tree(byId('tree-list'), [], page.looks, { over: point, choose: (name) => choose(name === page.chosen ? null : name), all: true });
  page.looks.listen(() => page.stage?.dress(page.looks));
  page.parameters = new Parameters(byId('parameters-list'), { set });
  const deed = (id, what) => byId(id).addEventListener('click', () => page.link.post('do', { what: what() }));
  byId('run').addEventListener('click', async () => {
    page.frames = [];
    setLive(true);
    await page.link.post('do', { what: page.paced ? 'paced' : 'free' });
    await page.link.post('do', { what: 'run' });
  });
  deed('pause', () => (page.state.run.phase === 'paused' ? 'continue' : 'pause'));
  deed('stop', () => 'stop');
  deed('quit', () => 'quit');
  deed('reset', () => { page.parameters.names = null; return 'reset'; });
  byId('channel-form').addEventListener('submit', addChannel);
  byId('live').addEventListener('click', () => setLive(!page.live));
  byId('scrub').addEventListener('input', () => { setLive(false); const frame = page.frames[Math.round(Number(byId('scrub').value))]; if (frame) showFrame(frame); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showHistory);
  follow();
}

begin();

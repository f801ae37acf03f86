// SPDX-License-Identifier: Apache-2.0
// The page of modes: the list, the shape in motion, the Campbell diagram. What is chosen in one of them is chosen in all.
import { savePicture, saveVideo } from '../ask/download.js';
import { Looks } from '../ask/looks.js';
import { Axes, Names } from '../ask/marks.js';
import { onPick, pick } from '../ask/pick.js';
import { preparePrint } from '../ask/print.js';
import { Tree } from '../ask/tree.js';
import { gradient, SCALE } from '../colour.js';
import { unpack } from '../blob.js';
import { element, plural, quantity, significant } from '../format.js';
import { Player } from '../player.js';
import { sceneOf, Stage } from '../scene/scene.js';
import { Campbell, MOTIONS } from './campbell.js';
import { Vibration } from './motion.js';

const byId = (id) => document.getElementById(id);
const icon = (path) => `<svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;
const PLAY = icon('M4 2.5v11l10-5.5z'), STOP = icon('M3.5 2.5h3.4v11H3.5zM9.1 2.5h3.4v11H9.1z');
const FIELDS = [{ key: 'part', label: 'part' }, { key: 'displacement', label: 'displacement', place: 'node', scale: 'sequential' }];

/** What the page holds, shared with the tests through window.torsor. */
const page = { ready: false, looks: new Looks(), speed: 0, mode: 0, amplitude: 0.1, drawn: 0 };
window.torsor = page;

// ---- the list ----

const unstable = (m) => !m.rigid && m.growth > 1e-6 * m.frequency;
const wordsOf = (m) => (m.rigid ? `free: ${m.words || m.part}` : m.share > 0 ? `${m.part} ${MOTIONS[m.axis]} (${Math.round(100 * m.share)} %)` : '');
const whirlOf = (m) => (m.whirl ? `${m.whirl > 0 ? 'forward' : 'backward'} whirl, ${significant(m.outside / (2 * Math.PI), 5)} Hz from outside` : '');

function columnsOf(list) {
  const { buckling, mass } = page.run.modes, share = (k) => (m) => significant((100 * m.effective[k]) / mass, 3);
  if (buckling) return [['load factor', (m) => significant(m.factor, 6)]];
  return [['Hz', (m) => significant(m.frequency / (2 * Math.PI), 6)], ['rad/s', (m) => significant(m.frequency, 6), 'wide'],
    ...(list.some((m) => m.growth !== 0) ? [['damping', (m) => significant(m.damping, 3)]] : []),
    ...(mass > 0 && list.every((m) => m.effective) ? ['x', 'y', 'z'].map((axis, k) => [`m${axis}, %`, share(k), 'wide']) : [])];
}

function showList() {
  const { modes } = page.run, { speeds } = modes, list = speeds[page.speed].modes, columns = columnsOf(list);
  const number = (name, text, wide) => element(name, { class: `n ${wide ?? ''}` }, text);
  const row = (m, i) => element('tr', { 'data-mode': i, class: i === page.mode ? 'chosen' : '', onclick: () => choose(page.speed, i) },
    element('td', {}, element('button', { type: 'button', 'aria-pressed': String(i === page.mode), 'aria-label': `Mode ${i + 1}` }, String(i + 1))),
    ...columns.map(([, write, wide]) => number('td', write(m), wide)),
    element('td', { class: 'words' }, wordsOf(m), ...(unstable(m) ? [element('span', { class: 'unstable' }, ` unstable: grows with ${significant(m.growth, 3)}/s`)] : []), whirlOf(m) ? element('div', {}, whirlOf(m)) : ''));
  byId('modes').replaceChildren(element('table', {},
    element('thead', {}, element('tr', {}, element('th', {}, 'mode'), ...columns.map(([name, , wide]) => number('th', name, wide)), element('th', {}, 'dominant motion'))),
    element('tbody', {}, ...list.map(row))));
  byId('modes').querySelector('.chosen')?.scrollIntoView({ block: 'nearest' });
  const { omega } = speeds[page.speed], masses = columns.some(([name]) => name === 'mx, %');
  byId('list-title').textContent = omega > 0 ? `Modes at ${significant((omega * 30) / Math.PI, 5)} rpm` : modes.buckling ? 'Buckling' : 'Modes';
  byId('list-note').textContent = [masses && `mx, my, mz: effective mass, of ${quantity(1000 * modes.mass, 'g')} that can move`, modes.free_motions > 0 && `${plural(modes.free_motions, 'motion', 'motions')} that nothing resists`].filter(Boolean).join('; ');
}

// ---- the picture ----

function redraw() {
  const { stage, vibration, player } = page;
  if (!stage || !vibration.a) return;
  vibration.place(stage.pose, stage.drawn, (player.t * Math.PI) / 180, page.amplitude);
  stage.update();
  page.drawn++;
}

function choose(speed, mode) {
  const { modes } = page.run, { vibration, player } = page;
  if (!modes.speeds[speed].modes.length) return showNothing();
  page.speed = speed;
  page.mode = mode;
  showList();
  page.campbell?.mark(speed, mode);
  const shown = vibration.has(speed) ? speed : modes.speeds.length - 1;
  const curve = modes.curves.find((c) => c[speed] === mode), other = shown === speed ? mode : (curve?.[shown] ?? -1);
  note(shown !== speed);
  if (other < 0) return null;
  vibration.choose(shown, other);
  if (!player.playing) player.t = (vibration.widest() * 180) / Math.PI;
  player.tell();
  return null;
}

function showNothing() {
  byId('modes').replaceChildren(element('p', { class: 'quiet' }, 'None: nothing can move.'));
}

function note(elsewhere) {
  const { view } = page.stage ?? {}, list = view ? [`grid ${quantity(view.spacing, 'm', 3)}`] : [];
  if (elsewhere) list.push('the page holds shapes at the highest speed only: this is the shape there');
  byId('stage-note').textContent = list.join(' · ');
}

// ---- controls ----

function slider(label, attributes, shown, take) {
  const value = element('span', { class: 'number' }, shown(Number(attributes.value)));
  const input = element('input', { type: 'range', 'aria-label': label, ...attributes, oninput: () => { take(Number(input.value)); value.textContent = shown(Number(input.value)); input.setAttribute('aria-valuetext', value.textContent); redraw(); } });
  return element('label', {}, label, input, value);
}

function check(id, label, checked, take) {
  const input = element('input', { type: 'checkbox', id, onchange: () => { take(input.checked); page.stage.update(); } });
  input.checked = checked;
  take(checked);
  return element('label', {}, input, label);
}

function setField(field) {
  const { options } = page.stage;
  options.field = field;
  options.range = field.scale ? page.amplitude * page.stage.view.size : 0;
  const bar = element('div', { class: 'bar' });
  if (field.scale) bar.style.background = gradient(SCALE[field.scale]);
  byId('legend').hidden = !field.scale;
  byId('legend').replaceChildren('displacement', bar, element('div', { class: 'ends' }, element('span', {}, '0'), element('span', {}, 'largest')));
  redraw();
}

function makeControls() {
  const { player, stage } = page, { view, signs } = stage;
  const colour = element('select', { id: 'colour', onchange: () => setField(FIELDS[colour.selectedIndex]) }, ...FIELDS.map((f) => element('option', { value: f.key }, f.label)));
  const flexible = page.run.cells.length > 0;
  byId('controls').replaceChildren(
    slider('amplitude', { id: 'amplitude', min: 0, max: 0.4, step: 0.005, value: page.amplitude }, (v) => `${significant(100 * v, 3)} % of the size`, (v) => { page.amplitude = v; stage.options.range = stage.options.field.scale ? v * view.size : 0; }),
    slider('speed', { id: 'rate', min: 0.1, max: 3, step: 0.1, value: 0.6 }, (v) => `${significant(v, 2)} /s`, (v) => (player.speed = 360 * v)),
    ...(flexible ? [element('label', {}, 'colour', colour)] : []),
    check('ghost', 'state at rest', true, (on) => (view.actors[1].object.visible = on)),
    ...signs.switches().map(([name, title, objects]) => { const made = check(`show-${name.replace(' ', '-')}`, name, ['supports', 'joint axes'].includes(name), (on) => objects.forEach((o) => (o.visible = on))); made.title = title; return made; }));
  const { ways } = view;
  page.ways = new Map(ways.map(([key, , way]) => [key, way]));
  byId('views').replaceChildren(...ways.map(([key, name, way]) => element('button', { type: 'button', title: `key ${key}`, onclick: () => view.look(way) }, name)));
  if (flexible) colour.selectedIndex = 1;
  setField(FIELDS[flexible ? 1 : 0]);
}

function makeTools() {
  const { view } = page.stage, name = page.run.name.replace(/.*\//, '').replace(/\.ya?ml$/, '');
  const file = () => `${name}-mode-${page.mode + 1}`, caption = () => `${byId('title').textContent}, mode ${page.mode + 1}: ${captionOf()}`;
  const toggle = (id, text, title, set) => {
    const button = element('button', { type: 'button', id: `tool-${id}`, title, 'aria-pressed': 'false', onclick: () => { const on = button.getAttribute('aria-pressed') !== 'true'; button.setAttribute('aria-pressed', String(on)); set(on); page.stage.update(); } }, text);
    return button;
  };
  page.names = new Names(view, byId('names'), page.looks);
  page.axes = new Axes(view, page.looks);
  page.tree = new Tree(byId('tree'), [page.run], page.looks, { choose: (part) => tell(part) });
  const record = ({ target }) => {
    target.disabled = true;
    page.player.loops = false;
    saveVideo(view, page.player, caption, file()).then((blob) => (page.video = blob), (error) => (byId('stage-note').textContent = `No video: ${error.message}`)).finally(() => { target.disabled = false; page.player.loops = true; });
  };
  byId('tools').replaceChildren(toggle('parts', 'Parts', 'list of parts: hide, transparent, alone, colour (key P)', (on) => (byId('tree').hidden = !on)),
    toggle('names', 'Names', 'names of parts (key N)', (on) => (page.names.shown = on)),
    element('button', { type: 'button', id: 'tool-picture', title: 'save the picture', onclick: () => savePicture(view, caption(), file()) }, 'PNG'),
    element('button', { type: 'button', id: 'tool-video', title: 'save a video of one period', onclick: record }, 'WebM'));
  onPick(view.canvas, (x, y) => { const hit = pick(view, page.looks, x, y); tell(hit ? hit.run.parts[hit.part][0] : null); });
}

/** The part that was clicked: its name below the picture, its row in the list. */
function tell(name) {
  page.tree.select(name);
  note(false);
  if (!name) return;
  const [, kind, section] = page.run.parts.find(([n]) => n === name);
  byId('stage-note').textContent = `${name}: ${kind}, ${section}`;
}

function captionOf() {
  const m = page.run.modes.speeds[page.speed].modes[page.mode];
  if (!m) return '';
  return page.run.modes.buckling ? `${significant(m.factor, 5)} times the loads` : m.rigid ? 'free motion' : `${significant(m.frequency / (2 * Math.PI), 5)} Hz${m.growth !== 0 ? `, damping ${significant(m.damping, 3)}` : ''}`;
}

function makeTransport() {
  const { player } = page, scrub = byId('scrub'), play = byId('play');
  Object.assign(scrub, { min: 0, max: 360 });
  scrub.addEventListener('input', () => { player.playing = false; player.seek(Number(scrub.value)); });
  play.addEventListener('click', () => player.toggle());
  play.innerHTML = PLAY;
  player.listen(() => {
    scrub.value = player.t;
    scrub.setAttribute('aria-valuetext', `${Math.round(player.t)} degrees`);
    byId('clock').textContent = `mode ${page.mode + 1}: ${captionOf()}`;
    const state = player.playing ? 'Stop' : 'Play';
    if (play.getAttribute('aria-label') !== state) { play.setAttribute('aria-label', state); play.innerHTML = player.playing ? STOP : PLAY; }
  });
  player.listen(redraw);
}

function onKey(event) {
  const { player, stage, run } = page, { view } = stage ?? {};
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input, select')) return;
  const count = run.modes.speeds[page.speed].modes.length, press = (id) => byId(`tool-${id}`)?.click();
  const actions = { ' ': () => player.toggle(), ArrowUp: () => choose(page.speed, Math.max(page.mode - 1, 0)), ArrowDown: () => choose(page.speed, Math.min(page.mode + 1, count - 1)),
    p: () => press('parts'), n: () => press('names'), '+': () => view?.zoom(0.85), '=': () => view?.zoom(0.85), '-': () => view?.zoom(1.18) };
  const action = actions[event.key] ?? (page.ways?.has(event.key) ? () => view.look(page.ways.get(event.key)) : null);
  if (!action || (event.key === ' ' && event.target.matches('button, summary'))) return;
  event.preventDefault();
  action();
}

// ---- beginning ----

function showTitle({ modes, name }) {
  const title = modes.title || name.replace(/.*\//, ''), turns = Math.hypot(...modes.spin) > 0;
  byId('title').textContent = title;
  document.title = `${title}: ${modes.buckling ? 'buckling' : 'modes'}`;
  byId('subtitle').textContent = [plural(modes.speeds.at(-1).modes.length, modes.buckling ? 'buckling load' : 'mode', modes.buckling ? 'buckling loads' : 'modes'), modes.buckling ? 'factors of all loads, about the state as drawn' : modes.settled ? 'about static equilibrium' : 'about the state as drawn',
    turns && `in rotation, ${significant((Math.hypot(...modes.spin) * 30) / Math.PI, 5)} rpm`, modes.speeds.length > 1 && plural(modes.speeds.length, 'speed', 'speeds')].filter(Boolean).join(', ');
}

async function begin() {
  const raw = JSON.parse(byId('runs').textContent)[0];
  const modes = { ...raw.modes, shape: await unpack(raw.modes.shape), early: await unpack(raw.modes.early) };
  page.run = await sceneOf({ ...raw, modes });
  page.player = Object.assign(new Player(Float64Array.from({ length: 25 }, (_, k) => 15 * k), true), { loops: true, speed: 216 });
  showTitle(page.run);
  try {
    page.stage = new Stage(byId('stage'), page.run, { ghost: true });
    page.view = page.stage.view;
    for (const { pose } of page.view.actors) pose.amount = new Float32Array(page.run.nodes);
  } catch (error) {
    byId('stage-note').textContent = `This browser cannot show the 3-D picture (${error.message}). Everything else works.`;
  }
  page.vibration = new Vibration(page.run, page.view?.size ?? 1);
  makeTransport();
  if (page.stage) {
    page.looks.listen(() => page.stage.dress(page.looks));
    makeControls();
    makeTools();
    preparePrint(page);
  }
  byId('campbell').hidden = modes.speeds.length < 2;
  if (modes.speeds.length > 1) page.campbell = new Campbell(modes, choose);
  page.choose = choose;
  const first = modes.speeds.at(-1).modes.findIndex((m) => !m.rigid);
  choose(modes.speeds.length - 1, Math.max(first, 0));
  document.addEventListener('keydown', onKey);
  page.ready = true;
}

begin().catch((error) => {
  page.error = error;
  byId('stage-note').textContent = `The page could not be shown: ${error.message}`;
  throw error;
});

// SPDX-License-Identifier: Apache-2.0
// The page: reads the runs, puts the panels up, ties picture, plots and keys to one player.
import { Looks } from './ask/looks.js';
import { preparePrint } from './ask/print.js';
import { makeTools } from './ask/tools.js';
import { gradient, lineColour, SCALE } from './colour.js';
import { showContacts } from './contacts.js';
import { unpacked } from './blob.js';
import { locate, pause, unpackHistory, unpackRun } from './data.js';
import { fieldsOf, firstOf, largest, unpackField } from './field.js';
import { element, plural, quantity, significant } from './format.js';
import { Histories } from './histories.js';
import { showLedgerPlot, showLedgerTable } from './ledger.js';
import { showEffort, showInput, showModel } from './panels.js';
import { Player } from './player.js';
import { STATES, stateColour } from './shapes.js';
import { Units } from './units.js';
import { showTitle, showVerdict } from './verdict.js';
import { View } from './view.js';

const byId = (id) => document.getElementById(id);
const icon = (path) => `<svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;
const PLAY = icon('M4 2.5v11l10-5.5z'), STOP = icon('M3.5 2.5h3.4v11H3.5zM9.1 2.5h3.4v11H9.1z');

/** State of the picture, shared with the tests through window.torsor. */
const page = { ready: false, runs: [], player: null, view: null, units: null, looks: new Looks(), options: { scale: 1, trails: true, arrows: true, field: fieldsOf([])[0], range: 0 }, drawn: 0, unpacked };
window.torsor = page;

// ---- the picture ----

function makeView() {
  try {
    page.view = new View(byId('canvas'), page.runs);
  } catch (error) {
    byId('stage-note').textContent = `This browser cannot show the 3-D picture (${error.message}). Everything else works.`;
    return;
  }
  const views = page.view.ways;
  const now = element('button', { type: 'button', 'aria-keyshortcuts': '5', title: 'key 5: what is shown at this time', onclick: () => page.tools?.frameNow() }, 'Now');
  byId('views').replaceChildren(...views.map(([key, name, way]) => element('button', { type: 'button', 'aria-keyshortcuts': key, title: `key ${key}`, onclick: () => page.view.look(way) }, name)), now);
  page.views = new Map(views.map(([key, , way]) => [key, way]));
  noteStage();
}

/** A quantity in the chosen units; in SI with a prefix that suits. */
const written = (value, unit, digits = 4) => (page.units.of(unit).factor === 1 ? quantity(value, unit, digits) : `${significant(page.units.value(value, unit), digits)} ${page.units.name(unit)}`);

function noteStage() {
  if (!page.view) return;
  const { play } = page.runs[0], notes = [`grid ${written(page.view.spacing, 'm', 3)}`];
  if (play.frames < play.stored) notes.push(`${plural(play.frames, 'state', 'states')} of ${play.stored.toLocaleString('en')} stored, others interpolated`);
  const thick = Math.max(...page.view.actors.map((actor) => actor.beams.factor));
  if (thick > 1.01) notes.push(`sections drawn up to ${significant(thick, 2)} times thicker`);
  byId('stage-note').textContent = notes.join(' · ');
}

function redraw() {
  page.view?.update(page.player.t, page.options);
  page.drawn++;
}

// ---- controls ----

const swatch = (colour) => { const made = element('span', { class: 'swatch' }); made.style.background = colour; return made; };

function legend() {
  const { field, range } = page.options, holder = byId('legend');
  holder.hidden = !field.scale && field.key !== 'run';
  if (field.key === 'run') holder.replaceChildren(...page.runs.map((run) => element('div', { class: 'key' }, swatch(lineColour(run.index)), run.name)));
  if (!field.scale) return;
  const low = field.scale === 'diverging' ? written(-range, field.unit) : '0', high = written(range, field.unit);
  const bar = element('div', { class: 'bar' });
  bar.style.background = gradient(SCALE[field.scale]);
  holder.replaceChildren(field.root ? `${field.label} (root scale)` : field.label, bar, element('div', { class: 'ends' }, element('span', {}, low), element('span', {}, high)));
}

async function setField(key) {
  const fields = fieldsOf(page.runs), field = fields.find((f) => f.key === key) ?? fields[0];
  page.asked = field;
  await unpackField(page.runs, field);
  if (page.asked === field) showField(field); // no other one was chosen meanwhile
}

function showField(field) {
  page.options.field = field;
  page.options.range = field.scale ? largest(page.runs, field) : 0;
  legend();
  page.looks.byRun = field.key === 'run';
  page.looks.tell();
}

function dress() {
  page.view?.actors.forEach((actor) => actor.dress(page.looks));
  redraw();
}

function unitControl() {
  const { units } = page;
  const select = element('select', { id: 'units', onchange: () => units.choose(select.value) }, ...units.systems.map((s) => element('option', { value: s.key }, s.label)));
  return element('label', {}, 'units', select);
}

function fieldControl() {
  const fields = fieldsOf(page.runs);
  if (fields.length < 2) return [];
  const select = element('select', { id: 'colour', onchange: () => setField(select.value) }, ...fields.map((f) => element('option', { value: f.key }, f.label)));
  return [element('label', {}, 'colour', select)];
}

// 1 in the middle; to the right up to 1000, to the left down to 0
function scaleControl() {
  const value = element('span', { class: 'number' }, '1');
  const slider = element('input', { id: 'scale', type: 'range', min: -1, max: 3, step: 0.05, value: 0, 'aria-label': 'Deformation scale',
    oninput: () => {
      const x = Number(slider.value);
      page.options.scale = x <= -1 ? 0 : Number((10 ** x).toPrecision(2));
      value.textContent = significant(page.options.scale, 2);
      slider.setAttribute('aria-valuetext', `${value.textContent} times`);
      redraw();
    } });
  return element('label', { title: 'factor on displacements and rotations from the first state' }, 'deformation ×', slider, value);
}

function trailControl() {
  const box = element('input', { id: 'trails', type: 'checkbox', onchange: () => { page.options.trails = box.checked; redraw(); } });
  box.checked = page.options.trails;
  return element('label', {}, box, 'trails');
}

/** Forces at contacts, with what their colours mean. */
function arrowControl() {
  if (!page.runs.some((run) => run.play.touch.length)) return [];
  const box = element('input', { id: 'arrows', type: 'checkbox', onchange: () => { page.options.arrows = box.checked; redraw(); } });
  box.checked = page.options.arrows;
  const seen = new Set(page.runs.flatMap((run) => [...run.play.touch].filter((_, i) => i % 10 === 3)));
  const key = (state) => element('span', { class: 'key', 'data-state': state }, swatch(stateColour(state)), STATES[state]);
  return [element('label', { title: 'forces on bodies at points of contact; lengths of arrows grow with the cube root of the force' }, box, 'contact forces', ...[0, 1, 2].filter((k) => seen.has(k)).map(key))];
}

function speedControl() {
  const { player } = page, value = element('span', { id: 'speed', class: 'number', 'aria-live': 'polite' });
  player.listen(() => { const text = page.runs[0].statics ? `${significant(player.speed, 2)} /s` : `${significant(player.speed, 2)} × real time`; if (value.textContent !== text) value.textContent = text; });
  const button = (text, label, factor, key) => element('button', { type: 'button', 'aria-label': label, 'aria-keyshortcuts': key, title: `key ${key}`, onclick: () => player.faster(factor) }, text);
  return element('label', {}, 'speed', button('−', 'Slower', 0.5, '['), value, button('+', 'Faster', 2, ']'));
}

function runControl() {
  if (page.runs.length < 2) return [];
  const select = element('select', { id: 'run', onchange: () => { page.view?.show((i) => select.value === 'all' || Number(select.value) === i); redraw(); } },
    element('option', { value: 'all' }, 'all runs'), ...page.runs.map((run, i) => element('option', { value: i }, run.name)));
  return [element('label', {}, 'show', select)];
}

function clockText({ t, last, digits }, run) {
  if (run.load) return `state ${Math.round(t)} / ${last}, load ${significant(run.loadPlayed[locate(t, run.play.t).at], 4)}`;
  return run.statics ? `load ${t.toFixed(digits)} / ${significant(last, 6)}` : `${t.toFixed(digits)} s / ${significant(last, 6)}`;
}

function makeTransport() {
  const { player } = page, scrub = byId('scrub'), play = byId('play'), clock = byId('clock');
  scrub.min = player.first;
  scrub.max = player.last;
  scrub.addEventListener('input', () => { player.playing = false; player.seek(Number(scrub.value)); });
  play.addEventListener('click', () => player.toggle());
  player.listen(() => {
    scrub.value = player.t;
    scrub.setAttribute('aria-valuetext', `${significant(player.t, 4)} seconds`);
    clock.textContent = clockText(player, page.runs[0]);
    const state = player.playing ? 'Stop' : 'Play';
    if (play.getAttribute('aria-label') !== state) {
      play.setAttribute('aria-label', state);
      play.innerHTML = player.playing ? STOP : PLAY;
    }
  });
  play.innerHTML = PLAY;
  byId('controls').replaceChildren(speedControl(), ...fieldControl(), scaleControl(), trailControl(), ...arrowControl(), ...runControl(), unitControl());
  showField(firstOf(page.runs));
  if (byId('colour')) byId('colour').value = page.options.field.key;
}

// ---- keys ----

const isText = (target) => target.matches('input[type="search"], select, textarea, pre');

function onKey(event) {
  const { player, view } = page;
  if (!player || event.ctrlKey || event.altKey || event.metaKey || isText(event.target)) return;
  const steps = event.shiftKey ? 10 : 1;
  const slider = event.target.id === 'scale';
  const actions = {
    ' ': () => player.toggle(),
    ArrowLeft: slider ? null : () => player.step(-steps), ArrowRight: slider ? null : () => player.step(steps),
    Home: slider ? null : () => { player.playing = false; player.seek(player.first); }, End: slider ? null : () => { player.playing = false; player.seek(player.last); },
    '[': () => player.faster(0.5), ']': () => player.faster(2),
    5: () => page.tools?.frameNow(), p: () => page.tools?.press('parts'), n: () => page.tools?.press('names'), m: () => page.tools?.press('measure'), Escape: () => page.tools?.close(),
    '+': () => view?.zoom(0.85), '=': () => view?.zoom(0.85), '-': () => view?.zoom(1.18),
  };
  const action = actions[event.key] ?? (page.views?.has(event.key) && event.target.id !== 'scale' ? () => view.look(page.views.get(event.key)) : null);
  const pressed = event.key === ' ' && event.target.matches('button, input[type="checkbox"], summary'); // they know what to do
  if (!action || pressed) return;
  event.preventDefault();
  action();
}

// ---- beginning ----

async function begin() {
  const raw = JSON.parse(byId('runs').textContent);
  showTitle(raw);
  showVerdict(byId('verdict'), raw.map((run, index) => ({ ...run, index, effort: null })));
  await pause();
  for (const [index, run] of raw.entries()) page.runs.push(await unpackRun(run, index));
  const { runs } = page;
  const longest = runs.reduce((a, b) => (b.play.t.at(-1) > a.play.t.at(-1) ? b : a));
  page.player = new Player(longest.play.t, runs[0].statics);
  page.player.digits = Math.min(6, Math.max(0, 3 - Math.floor(Math.log10((longest.play.t.at(-1) - longest.play.t[0]) || 1))));
  page.units = new Units(runs);
  showVerdict(byId('verdict'), runs);
  await unpackField(runs, firstOf(runs));
  makeView();
  page.looks.listen(dress);
  page.units.listen(() => { legend(); noteStage(); });
  makeTransport();
  page.player.listen(redraw);
  page.player.tell();
  unpacked.picture = unpacked.bytes;
  await pause(); // the picture is there; what follows is below it
  for (const run of runs) await unpackHistory(run);
  showPanels();
  page.tools = makeTools(page, redraw);
  preparePrint(page);
  document.addEventListener('keydown', onKey);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showPanels);
  page.ready = true;
}

function showPanels() {
  const { runs, player } = page;
  showLedgerPlot(byId('ledger-plot'), runs, player);
  showLedgerTable(byId('ledger-table'), runs);
  showContacts(byId('contacts'), runs, player);
  if (page.histories) page.histories.draw();
  else page.histories = new Histories(runs, player, page.units);
  showEffort(byId('effort-body'), runs, player);
  showModel(byId('model-body'), runs);
  showInput(byId('input-body'), runs);
}

begin().catch((error) => {
  page.error = error;
  byId('stage-note').textContent = `The page could not be shown: ${error.message}`;
  throw error;
});

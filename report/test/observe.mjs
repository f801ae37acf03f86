// SPDX-License-Identifier: Apache-2.0
// observe.mjs PAGE.html FOLDER [SCHEME [DEEDS]]: uses a report as a person would, in a real Chromium, and prints what is seen as JSON.
// DEEDS: some of look,play,scrub,keyboard,colours,histories,scaled,fits,contacts; all but the last two when left out.
// tests/test_report.py compares that with the results file.
import { join } from 'node:path';
import { openPage, picture, rows } from './browser.mjs';

const [, , file, folder, scheme = 'light', deeds = 'look,play,scrub,keyboard,colours,histories,scaled'] = process.argv;
const seen = { errors: [], requests: [] };

const now = (page) => page.evaluate(() => ({ t: window.torsor.player.t, playing: window.torsor.player.playing, speed: window.torsor.player.speed, clock: document.getElementById('clock').textContent }));
const press = async (page, key) => { await page.keyboard.press(key); return now(page); };
const texts = (page, selector) => page.$$eval(selector, (list) => list.map((e) => e.textContent.trim()));
const positions = (page) => page.evaluate(() => window.torsor.view.actors.map((actor) => [...actor.pose.x].slice(0, 30000)));
const turns = (page) => page.evaluate(() => window.torsor.view.actors.map((actor) => [...actor.pose.q].slice(0, 4000)));

async function look(page) {
  seen.title = await page.textContent('h1');
  seen.subtitle = await page.textContent('#subtitle');
  seen.verdict = await texts(page, '.judgement strong');
  seen.audit = await texts(page, '.judgement span');
  seen.kind = await page.$$eval('.judgement', (list) => list.map((e) => e.className));
  seen.facts = await page.$$eval('.verdict', (list) => list.map((v) => Object.fromEntries([...v.querySelectorAll('.fact')].map((f) => [f.dataset.fact, f.querySelector('b').textContent]))));
  seen.ledger = await rows(page, '#ledger-table');
  seen.ledger_units = await page.$$eval('#ledger-table table', (list) => list.map((e) => e.dataset.unit));
  seen.effort = await rows(page, '#effort-body');
  seen.model = await rows(page, '#model-body');
  seen.text = await page.textContent('#input-body pre');
  seen.note = await page.textContent('#stage-note');
  seen.frames = await page.evaluate(() => window.torsor.runs.map((run) => [run.play.frames, run.play.stored]));
  seen.unpacked = await page.evaluate(() => window.torsor.unpacked);
  seen.legend = await page.textContent('#legend');
  seen.background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  seen.contrast = await page.evaluate(contrasts);
  seen.overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
}

/** Least contrast (WCAG 2) of the texts on the page against what is behind them. */
function contrasts() {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); return [...pen.getImageData(0, 0, 1, 1).data]; };
  const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; } return [255, 255, 255, 255]; };
  let least = 99, where = '';
  for (const e of document.querySelectorAll('h1, h2, h3, p, td, th, .fact, .fact b, .judgement strong, .judgement span, label, summary, pre b, pre i, button:not(.views *)')) {
    if (!e.textContent.trim() || !e.offsetParent || e.closest('.stage')) continue;
    const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) [least, where] = [ratio, `${e.tagName}: ${e.textContent.trim().slice(0, 30)}`];
  }
  return { least, where };
}

async function play(page) {
  seen.at_start = await now(page);
  seen.picture = await picture(page);
  await page.locator('.stage').screenshot({ path: join(folder, `stage-${scheme}.png`) });
  await page.evaluate(() => { document.body.focus(); window.torsor.drawn = 0; window.torsor.gap = 0; });
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.torsor.drawn > 3 && window.torsor.player.t > window.torsor.player.first, null, { timeout: 20000, polling: 50 });
  await page.waitForTimeout(600);
  seen.while_playing = await now(page);
  seen.drawn = await page.evaluate(() => window.torsor.drawn);
  seen.stopped = await press(page, 'Space');
  seen.picture_later = await picture(page);
}

async function scrub(page) {
  seen.end = await press(page, 'End');
  seen.end_positions = await positions(page);
  seen.end_turns = await turns(page);
  seen.end_table = await rows(page, '#history-table');
  seen.back = await press(page, 'ArrowLeft');
  seen.back_positions = await positions(page);
  seen.home = await press(page, 'Home');
  seen.home_positions = await positions(page);
  seen.forth = await press(page, 'ArrowRight');
  await page.locator('#scrub').click();
  seen.middle = await now(page);
  await page.evaluate(() => document.activeElement.blur());
  const plot = page.locator('#ledger-plot .u-over');
  const { width, height } = await plot.boundingBox();
  await plot.click({ position: { x: 0.25 * width, y: 0.5 * height } });
  seen.clicked = await now(page);
  seen.slower = await press(page, '[');
  seen.faster = await press(page, ']');
  await page.keyboard.press('Home');
}

async function keyboard(page) {
  await page.locator('h1').click();
  const order = [];
  for (let i = 0; i < 25; i++) { // not around the page
    await page.keyboard.press('Tab');
    order.push(await page.evaluate(() => {
      const e = document.activeElement, style = getComputedStyle(e);
      return { name: e.id || e.textContent.trim().slice(0, 12), outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0, label: e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent.trim() };
    }));
  }
  seen.tab = order;
  await page.focus('#play');
  seen.button = [await press(page, 'Space'), await press(page, 'Space')].map((state) => state.playing);
}

async function colours(page) {
  if (!(await page.$('#colour'))) return;
  seen.legends = {};
  seen.field_pictures = {};
  await page.locator('h1').click();
  await page.keyboard.press('End');
  for (const field of await page.$$eval('#colour option', (list) => list.map((o) => o.value))) {
    await page.selectOption('#colour', field);
    await page.waitForFunction((key) => window.torsor.options.field.key === key, field, { timeout: 20000 });
    await page.evaluate(() => document.activeElement.blur());
    seen.legends[field] = await page.$eval('#legend', (e) => (e.hidden ? '' : [...e.querySelectorAll('.ends span')].map((s) => s.textContent).join(' to ')));
    if (['part', 'strain_energy_per_length', 'M2', 'von_mises_stress', 'strain_energy_per_area'].includes(field)) seen.field_pictures[field] = (await picture(page)).hash;
  }
}

async function histories(page) {
  await page.locator('h1').click();
  await page.keyboard.press('End');
  await page.selectOption('#units', 'si');
  seen.listed = await page.$$eval('#list option', (list) => list.map((o) => o.value));
  seen.history_now = await rows(page, '#history-table');
  const wanted = (process.env.HISTORY ?? '').split(',').filter(Boolean);
  seen.histories = {};
  for (const name of wanted) {
    await page.fill('#filter', name);
    await page.selectOption('#list', [name]);
    seen.histories[name] = await rows(page, '#history-table');
    seen.spectrum_note = await page.textContent('#spectrum-note');
  }
}

/** Shapes and arrows: where they are drawn at the end, the table, and the box that hides the arrows. */
async function contacts(page) {
  seen.shapes = await page.evaluate(() => {
    const { actors } = window.torsor.view, shapes = actors[0].pieces.find((piece) => piece.meshes?.[0]?.list?.[0]?.local && 'surface' in piece.meshes[0].list[0]);
    window.torsor.player.seek(window.torsor.player.last);
    return shapes.meshes.flatMap(({ mesh, list }) => list.map((shape, i) => ({ part: shape.part, surface: shape.surface, plane: shape.plane, matrix: [...mesh.instanceMatrix.array.slice(16 * i, 16 * i + 16)], corners: mesh.geometry.index.count, vertices: mesh.geometry.attributes.position.count })));
  });
  seen.arrows = await page.evaluate(() => {
    const { arrows } = window.torsor.view.actors[0];
    return Array.from({ length: arrows.count }, (_, i) => ({ shaft: [...arrows.shafts.instanceMatrix.array.slice(16 * i, 16 * i + 16)], colour: [...arrows.shafts.instanceColor.array.slice(3 * i, 3 * i + 3)] }));
  });
  seen.drawn_bodies = await page.evaluate(() => window.torsor.view.actors[0].pieces.flatMap((piece) => (piece.items ? Object.values(piece.items).flat().length : [])));
  seen.contacts_shown = await page.locator('#contacts').isVisible();
  if (!seen.contacts_shown) return;
  seen.contacts_table = await rows(page, '#contacts-table');
  seen.contacts_plot = (await page.$$eval('#contacts-plot .u-legend .u-series th', (list) => list.map((e) => e.textContent.trim()))).slice(1);
  seen.keys = await texts(page, '.controls .key');
  const hashes = [];
  for (let i = 0; i < 4; i++) {
    await page.locator('#arrows').click();
    await page.waitForTimeout(200); // the stage may still grow with the page
    hashes.push(JSON.stringify([(await picture(page)).hash, await page.evaluate(() => [window.torsor.view.canvas.width, window.torsor.view.canvas.height])]));
  }
  seen.arrow_pictures = hashes; // hidden, shown, hidden, shown
  const plot = page.locator('#contacts-plot .u-over'), { width, height } = await plot.boundingBox();
  await plot.click({ position: { x: 0.5 * width, y: 0.5 * height } });
  seen.contacts_clicked = await now(page);
  seen.narrow = {};
  for (const width of [1400, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = () => document.documentElement.scrollWidth > innerWidth + 1;
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth + 1, null, { timeout: 10000, polling: 100 }).catch(() => {}); // plots follow a little later
    seen.narrow[width] = await page.evaluate(wide) && await page.evaluate(() => [...document.querySelectorAll('main *')].filter((e) => !e.closest('.scroll, pre, .stage') && e.getBoundingClientRect().right > innerWidth + 1).map((e) => `${e.tagName}#${e.id}.${e.className} in ${e.closest("[id]").id}`).slice(0, 5).join());
  }
}

async function scaled(page) {
  await page.evaluate(() => { const s = document.getElementById('scale'); s.value = 1; s.dispatchEvent(new Event('input')); });
  await page.locator('h1').click();
  await page.keyboard.press('End');
  seen.scaled_positions = await positions(page);
  await page.evaluate(() => { const s = document.getElementById('scale'); s.value = 0; s.dispatchEvent(new Event('input')); });
}

/** How far the corners of what the motion covers are from the middle of the picture, 1 being its edges, in windows of three shapes. */
async function fits(page) {
  const reach = () => page.evaluate(() => {
    const { camera, box } = window.torsor.view;
    camera.updateMatrixWorld();
    const corners = Array.from({ length: 8 }, (_, i) => box.min.clone().set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).project(camera));
    return ['x', 'y'].map((axis) => Math.max(...corners.map((c) => Math.abs(c[axis]))));
  });
  const distance = () => page.evaluate(() => window.torsor.view.camera.position.distanceTo(window.torsor.view.controls.target));
  const resize = async (width, height) => {
    await page.setViewportSize({ width, height });
    await page.waitForFunction((w) => {
      const { clientWidth, clientHeight } = document.querySelector('.stage');
      return innerWidth === w && Math.abs(window.torsor.view.camera.aspect - clientWidth / clientHeight) < 1e-9;
    }, width, { timeout: 20000, polling: 50 });
  };
  seen.reach = [];
  for (const [width, height] of [[1101, 680], [620, 900], [1700, 560]]) {
    await resize(width, height);
    seen.reach.push(await reach());
  }
  seen.distance = [await distance()];
  await page.keyboard.press('+');
  seen.distance.push(await distance());
  await resize(900, 680);
  seen.distance.push(await distance());
}

const { page, close } = await openPage(file, seen, { colorScheme: scheme });
try {
  const all = { look, play, scrub, keyboard, colours, histories, scaled, fits, contacts };
  for (const deed of deeds.split(',')) await all[deed](page);
} catch (error) {
  seen.errors.push(`observe.mjs: ${error.message}`);
} finally {
  await close();
}
console.log(JSON.stringify(seen));

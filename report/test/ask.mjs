// SPDX-License-Identifier: Apache-2.0
// ask.mjs PAGE.html FOLDER DEEDS [WIDTH [SCHEME]]: asks a report with real clicks, in a real Chromium, and prints what it answers as JSON.
// DEEDS: pick,tree,marks,loads,measure,units,over,search,save,phone,print,compare,boxes. tests/test_report_tools.py compares that with the results file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPage, picture, rows } from './browser.mjs';

const [, , file, folder, deeds, width = '1100', scheme = 'light'] = process.argv;
const seen = { errors: [], requests: [] };
const small = Number(width) < 500;
const { page, close } = await openPage(file, seen, { viewport: { width: Number(width), height: small ? 844 : 800 }, colorScheme: scheme, acceptDownloads: true, ...(small && { hasTouch: true, isMobile: true }) });
const at = JSON.parse(process.env.AT ?? '0.5');
const wanted = JSON.parse(process.env.WANTED ?? '{}');

const seek = (share) => page.evaluate((s) => { const { player } = window.torsor; player.playing = false; player.seek(player.first + s * (player.last - player.first)); return player.t; }, share);
/** Pixels in the window where a point of a part is (in axes of its first node, or of its body). */
const place = (name, local = null) => page.evaluate(([part, given]) => {
  const { view } = window.torsor, { run, pose } = view.actors[0], row = run.parts.findIndex(([n]) => n === part);
  const node = Math.max([...run.node_part].findIndex((p, i) => i > 0 && p === row), 0), body = run.bodies.find(([n]) => n === part);
  const at = view.project(pose.point(node, given ?? (body ? body.slice(7, 10) : [0, 0, 0]))), box = view.canvas.getBoundingClientRect();
  return [box.left + at.x, box.top + at.y];
}, [name, local]);
const click = async (x, y) => (small ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
const shot = (name) => page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`) });
const press = (id) => page.locator(`#tool-${id}`)[small ? 'tap' : 'click']();

page.setDefaultTimeout(60000);

/** A body by a click on it: its card. */
async function pick() {
  seen.t = await seek(at);
  await page.locator('.stage').scrollIntoViewIfNeeded();
  await click(...(await place(wanted.body)));
  seen.picked = await page.textContent('#picked strong');
  seen.card = await rows(page, '#picked');
  await shot('picked');
  await page.locator('#picked input[type=checkbox]').first().check();
  seen.plotted = await rows(page, '#history-table');
  await click(...(await page.evaluate(() => { const b = document.getElementById('canvas').getBoundingClientRect(); return [b.left + 3, b.top + b.height / 2]; })));
  seen.nothing = await page.locator('#picked').isHidden();
}

/** The list of parts: hide, transparent, alone, colour, and all back. */
async function tree() {
  const row = page.locator(`#tree li[data-part="${wanted.body}"]`), look = async () => (await picture(page)).hash;
  seen.looks = { before: await look() };
  await press('parts');
  await row.locator('[data-do=shown]').click();
  seen.looks.hidden = await look();
  await click(...(await place(wanted.body)));
  seen.behind = (await page.locator('#picked').isHidden()) ? null : await page.textContent('#picked strong');
  if (seen.behind) await page.keyboard.press('Escape');
  await row.locator('[data-do=pale]').click();
  seen.looks.pale = await look();
  await shot('tree');
  await row.locator('[data-do=pale]').click();
  seen.looks.back = await look();
  await row.locator('input').fill('#ff0000');
  seen.looks.red = await look();
  seen.red = await page.evaluate((name) => { const { view } = window.torsor, { run } = view.actors[0]; const part = run.parts.findIndex(([n]) => n === name); return window.torsor.looks.own(run, part); }, wanted.body);
  await row.locator('[data-do=alone]').click();
  seen.looks.alone = await look();
  await shot('alone');
  await page.locator('#tree button', { hasText: 'Show all' }).click();
  await page.keyboard.press('1');
  seen.looks.reset = await look();
  await page.locator('#tree input[type=search]').fill(wanted.joint);
  seen.found = await page.$$eval('#tree li[data-part]', (list) => list.map((e) => e.dataset.part));
  await page.locator(`#tree li[data-part="${wanted.joint}"] .part`).click();
  seen.joint = await rows(page, '#picked');
  await page.locator('#picked .card-tools button').first().click(); // frame it
  seen.framed = await page.evaluate(() => window.torsor.view.camera.position.distanceTo(window.torsor.view.controls.target) / window.torsor.view.size);
  await shot('joint');
  await page.keyboard.press('Escape');
  await press('parts');
  await page.keyboard.press('1');
}

/** Names, axes, arrows of forces. */
async function marks() {
  await press('names');
  seen.names = await page.$$eval('#names .name:not([hidden])', (list) => list.map((e) => e.textContent));
  const before = (await picture(page)).hash;
  await press('axes');
  seen.axes = (await picture(page)).hash !== before;
  seen.t_forces = await seek(at);
  await press('forces');
  seen.arrows = await arrowsOf('reactions');
  await shot('marks');
  await press('forces');
  await press('names');
  await press('axes');
}

const arrowsOf = (tool) => page.evaluate((key) => window.torsor.tools[key].sets.map(({ what, list, most, arrows }) => ({ what, names: list.map(({ name }) => name), most, count: arrows.shaft.count, matrices: [...arrows.shaft.instanceMatrix.array.slice(0, 16 * arrows.shaft.count)] })), tool);

/** Forces, moments and gravity that act from outside. */
async function loads() {
  const before = (await picture(page)).hash;
  seen.t_loads = await seek(at);
  await press('loads');
  seen.loads = await arrowsOf('loads');
  seen.gravity = await page.evaluate(() => window.torsor.tools.gravity.object.visible && window.torsor.tools.gravity.object.children.length > 0);
  seen.loads_title = await page.getAttribute('#tool-loads', 'title');
  seen.loads_drawn = (await picture(page)).hash !== before;
  await shot('loads');
  await press('loads');
}

/** Distances and an angle between points that are clicked. */
async function measure() {
  await seek(0);
  await page.keyboard.press('1');
  await press('measure');
  seen.measured = [];
  for (const part of wanted.points) {
    await click(...(await place(part)));
    seen.measured.push(await page.textContent('#measured'));
  }
  seen.values = await page.evaluate(() => window.torsor.tools.measure.values());
  seen.marked = await page.evaluate(() => window.torsor.tools.measure.at.map((p) => p.toArray()));
  await shot('measure');
  await press('measure');
}

async function units() {
  seen.systems = await page.$$eval('#units option', (list) => list.map((o) => o.textContent));
  seen.by_system = {};
  await seek(1);
  for (const key of await page.$$eval('#units option', (list) => list.map((o) => o.value))) {
    await page.selectOption('#units', key);
    seen.by_system[key] = await rows(page, '#history-table');
  }
  await page.selectOption('#units', 'si');
}

/** One quantity over another. */
async function over() {
  await page.selectOption('#list', wanted.over);
  seen.choices = await page.$$eval('#over option', (list) => list.map((o) => o.value));
  await page.selectOption('#over', wanted.over[0]);
  const painted = () => {
    const canvas = document.querySelector('#history-plot .drawing canvas');
    if (!canvas?.width) return null;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
    return count > 1000 && { label: canvas.parentElement.getAttribute('aria-label'), painted: count };
  };
  seen.over = await (await page.waitForFunction(painted, null, { polling: 100 })).jsonValue(); // it draws when it has a size
  await page.locator('#histories').screenshot({ path: join(folder, `over-${width}-${scheme}.png`) });
  await page.selectOption('#over', 'time');
}

async function search() {
  seen.search = {};
  for (const text of wanted.search ?? []) {
    await page.fill('#filter', text);
    seen.search[text] = await page.$$eval('#list option', (list) => list.map((o) => o.value));
  }
  await page.fill('#filter', '');
}

/** Picture, video and table as files. */
async function save() {
  seen.files = {};
  const get = async (act, key) => {
    const waiting = page.waitForEvent('download', { timeout: 90000 });
    await act();
    const download = await waiting, path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    const bytes = readFileSync(path);
    seen.files[key] = { name: download.suggestedFilename(), size: bytes.length, head: bytes.subarray(0, 8).toString('hex') };
  };
  await get(() => press('picture'), 'png');
  await get(() => page.locator('#csv').click(), 'csv');
  await page.evaluate(() => { const { player } = window.torsor; player.speed = (player.last - player.first) / 1.5; });
  await get(() => press('video'), 'webm');
  seen.video_ended = await page.evaluate(() => window.torsor.player.t === window.torsor.player.last);
}

/** Nothing is wider than a phone, and fingers can hit what is there. */
async function phone() {
  seen.wide = await page.evaluate(() => ({ page: document.documentElement.scrollWidth, window: innerWidth,
    tables: [...document.querySelectorAll('.scroll, .card')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `${e.closest('[id]').id} ${e.scrollWidth}>${e.clientWidth}`),
    small: [...document.querySelectorAll('button, select, input[type=checkbox]')].filter((e) => e.offsetParent && !e.closest('table') && Math.min(e.offsetWidth, e.offsetHeight) < 18).map((e) => e.id || e.textContent) }));
  seen.covered = await page.evaluate(() => { // corners of what the motion covers, and the legend above them
    const { box } = window.torsor.view, corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ['x', 'y', 'z'].map((k, n) => box[i & (1 << n) ? 'max' : 'min'][k]));
    const { offsetTop, offsetHeight } = document.getElementById('legend');
    return { legend: offsetHeight && offsetTop + offsetHeight, top: Math.min(...corners.map((c) => window.torsor.view.project(c).y)) };
  });
  seen.unlabelled = await page.$$eval('button, input, select, canvas[tabindex]', (list) => list.filter((e) => e.offsetParent && !(e.getAttribute('aria-label') || e.labels?.length || e.textContent.trim() || e.title)).map((e) => e.outerHTML.slice(0, 80)));
  await page.screenshot({ path: join(folder, `phone-${scheme}.png`), fullPage: true });
}

async function print() {
  await seek(at);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const bytes = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  writeFileSync(join(folder, 'printed.pdf'), bytes);
  seen.pages = (bytes.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1047, height: 718 }); // A4 across, less margins
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.waitForTimeout(300);
  seen.paper = await page.evaluate(() => Object.fromEntries(['verdict', 'player', 'ledger', 'histories'].map((id) => { const r = document.getElementById(id).getBoundingClientRect(); return [id, [r.left, r.top, r.right, r.bottom]]; })));
  await page.setViewportSize({ width: 740, height: 718 }); // some printers lay out narrower: the facts stay beside the verdict
  seen.fact_rows = await page.$$eval('.verdict', (list) => list.map((v) => new Set([...v.querySelectorAll('.fact')].map((f) => Math.round(f.getBoundingClientRect().top))).size));
  seen.on_paper = await page.$eval('.printed', (image) => image.complete && image.naturalWidth);
  await page.screenshot({ path: join(folder, 'printed.png') });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null });
  await page.setViewportSize(before);
}

/** Several runs: legend of colours, curves in the colours of their runs, differences. */
async function compare() {
  seen.legend = await page.$$eval('#legend .key', (list) => list.map((e) => [e.textContent, e.querySelector('.swatch').style.background]));
  await page.selectOption('#list', wanted.compare);
  seen.swatches = await page.$$eval('#history-table .swatch', (list) => list.map((e) => e.style.background));
  await page.check('#relative');
  seen.relative = await page.evaluate(() => { const u = document.getElementById('history-plot').uplot; return { x: [...u.data[0]], y: u.data.slice(1).map((v) => [...v]), labels: u.series.slice(1).map((s) => s.label) }; });
  const ledger = () => page.evaluate(() => { const u = document.getElementById('ledger-plot').uplot; return { labels: u.series.slice(1).map((s) => s.label), last: u.data.slice(1).map((v) => v.at(-1)) }; });
  seen.ledgers = {};
  for (const term of await page.$$eval('#ledger-term option', (list) => list.map((o) => o.value))) {
    await page.selectOption('#ledger-term select', term);
    seen.ledgers[term] = await ledger();
  }
  seen.changes = await rows(page, '#ledger-table');
  await page.screenshot({ path: join(folder, `compare-${width}-${scheme}.png`), fullPage: true });
}

try {
  /** The boxes of bodies: edges, by part. Is there a spectrum? */
async function boxes() {
  seen.spectrum = await page.locator('#spectrum').isVisible();
  seen.boxes = await page.evaluate(() => {
    const { view } = window.torsor, edges = (e) => [0, 4, 8].map((k) => Math.hypot(e[k], e[k + 1], e[k + 2])); // the columns of its matrix
    const items = view.actors[0].pieces.flatMap((piece) => piece.items?.box ?? []), { parts } = view.actors[0].run;
    return Object.fromEntries(items.filter((item) => item.node > 0).map((item) => [parts[item.part][0], edges(item.local.elements)]));
  });
}

const all = { pick, tree, marks, loads, measure, units, over, search, save, phone, print, compare, boxes };
  for (const deed of deeds.split(',')) await all[deed]();
} catch (error) {
  seen.errors.push(`ask.mjs: ${error.message}`);
} finally {
  await close();
}
console.log(JSON.stringify(seen));

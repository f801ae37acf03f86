// SPDX-License-Identifier: Apache-2.0
// view.mjs ADDRESS FOLDER: uses the page of `torsor view` as a person would, in a real Chromium, and prints what is seen as JSON.
// Commands come from standard input, a list in JSON a line, and are answered by a line each: so tests/test_view.py can change files in between.
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { launch, picture, visit } from './browser.mjs';

const [, , address, folder] = process.argv;
const { context, close } = await launch({ viewport: { width: 1400, height: 900 } });
const seen = { errors: [], requests: [] };
let page = null;

async function open() {
  page = await context.newPage();
  page.setDefaultTimeout(40000);
  await visit(page, address, seen);
}

/** What the page shows now. */
const look = () => page.evaluate(() => {
  const { torsor } = window, text = (id) => document.getElementById(id)?.textContent.trim() ?? null;
  const visible = (id) => { const e = document.getElementById(id); return !!e && e.offsetParent !== null; };
  return {
    title: text('title'), file: text('file'), phase: document.getElementById('phase').dataset.phase, words: text('phase'),
    facts: Object.fromEntries([...document.querySelectorAll('#facts dd')].map((e) => [e.dataset.fact, e.textContent])),
    notes: [...document.querySelectorAll('#notes p')].map((e) => e.textContent),
    parts: [...document.querySelectorAll('#tree-list li[data-part]')].map((e) => ['.part', '.kind'].map((c) => e.querySelector(c).textContent)),
    mistakes: [...document.querySelectorAll('.mistake')].map((e) => ({ place: e.querySelector('.place').textContent, marked: e.querySelector('em')?.textContent ?? null, text: e.textContent })),
    visible: Object.fromEntries(['bench', 'mistakes', 'run', 'pause', 'stop', 'quit', 'history', 'parameters', 'reset', 'tip', 'mark', 'gone', 'part'].map((id) => [id, visible(id)])),
    shown: [...document.querySelectorAll('#controls input')].map((e) => [e.dataset.show ?? e.id, e.checked]),
    parameters: Object.fromEntries([...document.querySelectorAll('[data-value]')].map((e) => [e.dataset.value, e.value])),
    clock: text('clock'), tip: text('tip'), part: text('part-title'), gone: text('gone'), note: text('channel-note'),
    frames: torsor.frames.length, frameTimes: torsor.frames.map((f) => f.t), rows: torsor.samples.length, columns: torsor.samples.columns.length,
    samples: torsor.samples.columns.map((c) => c.slice(-1)[0]), times: torsor.samples.columns[0] ?? [],
    plots: [...document.querySelectorAll('.uplot')].length, watched: torsor.state?.watched ?? [],
    drawn: torsor.drawn, loads: torsor.stage?.run.scene.loads ?? [], supports: torsor.stage?.run.scene.supports.length ?? 0,
    nodes: torsor.stage?.run.nodes ?? 0, places: torsor.stage ? [...torsor.stage.pose.x].slice(0, 300) : [],
    legend: visible('legend') ? text('legend') : null, colour: document.getElementById('colour')?.value ?? null, most: torsor.stage?.options.range ?? 0,
    overflow: document.documentElement.scrollWidth - innerWidth, error: torsor.error?.message ?? null,
  };
});

const COMMANDS = {
  open, look,
  picture: () => picture(page),
  async wait(test) {
    for (const end = Date.now() + 40000; !(await page.evaluate(`(${test})()`));) {
      if (Date.now() > end) throw new Error(`it does not come true: ${test}; ${JSON.stringify(await look()).slice(0, 1500)}`);
      await page.waitForTimeout(50);
    }
    return look();
  },
  async click(selector) { await page.click(selector); return look(); },
  async type(selector, text) { await page.fill(selector, text); await page.press(selector, 'Enter'); return look(); },
  async slide(selector, value) { await page.$eval(selector, (e, v) => { e.value = v; e.dispatchEvent(new Event('input', { bubbles: true })); }, value); return look(); },
  async key(selector, key) { await page.focus(selector); await page.keyboard.press(key); return look(); },
  /** Moves the pointer to where a part is in the picture. */
  async hover(name) {
    const at = await page.evaluate((n) => { const { torsor } = window, place = torsor.where(n), r = torsor.stage.canvas.getBoundingClientRect(); return [r.left + place[0], r.top + place[1]]; }, name);
    await page.mouse.move(at[0], at[1]);
    await page.waitForFunction((n) => document.getElementById('tip').textContent.startsWith(n), name, { timeout: 10000 }).catch(() => null);
    return look();
  },
  async press(name) { await COMMANDS.hover(name); await page.mouse.down(); await page.mouse.up(); return look(); },
  async size(width, height, scheme) { await page.setViewportSize({ width, height }); await page.emulateMedia({ colorScheme: scheme }); await page.waitForTimeout(300); return look(); },
  async shoot(name) { await page.screenshot({ path: join(folder, name), fullPage: true }); return join(folder, name); },
  async evaluate(code) { return page.evaluate(code); },
  async errors() { return seen; },
};

try {
  for await (const line of createInterface({ input: process.stdin })) {
    const [command, ...words] = JSON.parse(line);
    try {
      console.log(JSON.stringify({ answer: (await COMMANDS[command](...words)) ?? null }));
    } catch (error) { console.log(JSON.stringify({ failed: `${command}: ${error.message}` })); }
  }
} finally {
  await close();
}

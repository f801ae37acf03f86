// SPDX-License-Identifier: Apache-2.0
// pictures.mjs < LIST: pictures of reports, drawn by the page itself in Chromium without a window.
// LIST is JSON: [{page, light, dark, at, colour, close}], `at` the fraction of the run (0 to 1) or {t: time}, `light` and `dark` the WebP
// files to write, `close` to see the state at that time only and not all that it comes past. Prints one line per picture: how many colours it has. tools/gallery.py uses it.
import { chromium } from 'playwright-core';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const WIDTH = 720, HEIGHT = 450;
const wanted = JSON.parse(readFileSync(0, 'utf-8'));
const profile = mkdtempSync(join(tmpdir(), 'torsor-chromium-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  headless: true,
  viewport: { width: WIDTH, height: HEIGHT },
  reducedMotion: 'reduce',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** In the page: the stage fills the window; the state and the colours that were asked for. */
async function pose({ at, colour, close }) {
  const { player, view } = window.torsor, stage = document.querySelector('.stage');
  Object.assign(stage.style, { position: 'fixed', inset: '0', width: '100vw', height: '100vh', maxHeight: 'none', zIndex: '99' });
  const select = document.getElementById('colour');
  if (select && [...select.options].some((o) => o.value === colour)) {
    select.value = colour;
    select.dispatchEvent(new Event('change'));
  }
  player.seek(typeof at === 'object' ? at.t : player.first + at * (player.last - player.first));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  view.resize();
  view.camera.clearViewOffset(); // no legend, no notes
  view.free = null;
  if (close) { // all that is there now, and a little around it
    const low = [Infinity, Infinity, Infinity], high = low.map((x) => -x);
    for (const { pose: { x } } of view.actors) for (let i = 3; i < x.length; i++) { low[i % 3] = Math.min(low[i % 3], x[i]); high[i % 3] = Math.max(high[i % 3], x[i]); }
    const around = 0.12 * Math.max(...high.map((h, k) => h - low[k]), 0.2 * view.size);
    view.box.min.set(...low.map((l) => l - around));
    view.box.max.set(...high.map((h) => h + around));
    view.box.getCenter(view.centre);
  }
  view.look(view.direction);
}

/** In the page: the picture as it is now, on nothing; how many colours it has. */
function take() {
  const { view } = window.torsor, copy = document.createElement('canvas');
  view.draw();
  copy.width = view.canvas.width;
  copy.height = view.canvas.height;
  const pen = copy.getContext('2d');
  pen.drawImage(view.canvas, 0, 0);
  const bytes = pen.getImageData(0, 0, copy.width, copy.height).data, colours = new Set();
  for (let i = 0; i < bytes.length; i += 4) colours.add((bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2]);
  return { colours: colours.size, url: copy.toDataURL('image/webp', 0.9) };
}

let failed = false;
try {
  for (const one of wanted) {
    const page = await context.newPage();
    page.on('pageerror', (error) => { failed = true; console.error(`${one.page}: ${error.message}`); });
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(pathToFileURL(one.page).href, { timeout: 120000 });
      await page.waitForFunction(() => window.torsor && (window.torsor.ready || window.torsor.error), null, { timeout: 120000, polling: 50 });
      await page.evaluate(pose, one);
      const { colours, url } = await page.evaluate(take);
      writeFileSync(one[scheme], Buffer.from(url.split(',')[1], 'base64'));
      console.log(`${colours} ${one[scheme]}`);
    }
    await page.close();
  }
} catch (error) {
  failed = true;
  console.error(`pictures.mjs: ${error.message}`);
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

// SPDX-License-Identifier: Apache-2.0
// A Chromium without a window, for tests of pages: errors and requests are noted.
import { chromium } from 'playwright-core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Chromium with a profile of its own, and what closes it. */
export async function launch(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'torsor-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    viewport: { width: 1100, height: 680 },
    reducedMotion: 'reduce',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...options,
  });
  return { context, close: async () => { await context.close(); rmSync(profile, { recursive: true, force: true }); } };
}

/** Goes to an address; `seen` collects errors and requests. */
export async function visit(page, address, seen) {
  const own = address.replace(/[^/]*$/, '');
  page.on('pageerror', (error) => seen.errors.push(error.message));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver|GroupMarkerNotSet|willReadFrequently/.test(message.text()) && seen.errors.push(message.text()));
  page.on('request', (request) => (address.startsWith('file:') || !(request.url().startsWith(own) || request.url().startsWith('data:'))) && seen.requests.push(request.url().slice(0, 60)));
  await page.goto(address, { timeout: 120000 });
  await page.waitForFunction(() => window.torsor && (window.torsor.ready || window.torsor.error), null, { timeout: 120000, polling: 100 });
}

/** Opens a file in a window of its own. */
export async function openPage(file, seen, options = {}) {
  const { context, close } = await launch(options), page = context.pages()[0] ?? (await context.newPage()), begun = Date.now();
  await visit(page, pathToFileURL(file).href, seen);
  seen.loading = (Date.now() - begun) / 1000;
  return { page, close };
}

/** The picture as it is now: how much of it is drawn, how many colours, and a number that changes with it. */
export const picture = (page) => page.evaluate(() => {
  const view = window.torsor.view ?? window.torsor.stage.view, gl = view.renderer.getContext();
  view.draw();
  const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const bytes = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  const colours = new Set();
  let drawn = 0, hash = 7;
  for (let i = 0; i < bytes.length; i += 4) {
    const x = (i / 4) % width, y = Math.floor(i / 4 / width);
    if (bytes[i + 3] > 200 && !(x > width - 100 && y < 100)) drawn++; // the axes in the corner do not count
    colours.add((bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2]);
    hash = (Math.imul(hash, 31) + bytes[i] + 3 * bytes[i + 1] + 7 * bytes[i + 2]) | 0;
  }
  return { share: drawn / (width * height), colours: colours.size, hash };
});
export const rows = (page, selector) => page.$$eval(`${selector} tr`, (list) => list.map((row) => [...row.children].map((c) => c.textContent.trim())));

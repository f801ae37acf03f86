// SPDX-License-Identifier: Apache-2.0
// site.mjs FOLDER PICTURES: looks at the documentation site in a real Chromium, from files, and prints what is seen as JSON:
// requests that leave the folder, errors, whether it is wider than the window, what a search finds. tests/test_site.py judges.
import { chromium } from 'playwright-core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder, pictures] = process.argv;
const PAGES = ['index', 'start', 'guide', 'gallery', 'parts', 'command-line', 'troubleshooting', 'theory', 'gallery/spinning_top', 'papers/swing'];
const seen = { errors: [], requests: [], overflow: [], background: {}, pictures: 0, found: [] };
const profile = mkdtempSync(join(tmpdir(), 'torsor-chromium-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const address = (name) => pathToFileURL(join(folder, `${name}.html`)).href;

async function visit(page, name, width, scheme) {
  await page.goto(address(name), { timeout: 60000 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 1) seen.overflow.push(`${name}, ${width} px: ${wide} px too wide`);
  seen.background[scheme] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  if (name === 'gallery') seen.pictures = Math.max(seen.pictures, await page.$$eval('.gallery img', (list) => list.filter((e) => e.offsetParent).length));
  if (pictures) await page.screenshot({ path: join(pictures, `${name.replace('/', '-')}-${width}-${scheme}.png`) });
}

try {
  const page = context.pages()[0] ?? (await context.newPage());
  page.on('pageerror', (error) => seen.errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && seen.errors.push(`${page.url()}: ${message.text()}`));
  page.on('request', (request) => request.url().startsWith('file:') || request.url().startsWith('data:') || seen.requests.push(request.url()));
  page.on('requestfailed', (request) => seen.errors.push(`not loaded: ${request.url()}`));
  for (const [width, height, scheme] of [[1360, 900, 'light'], [390, 844, 'dark']]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    for (const name of PAGES) await visit(page, name, width, scheme);
  }
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.goto(address('index'));
  await page.fill('.sidebar-search', 'nutation');
  await page.press('.sidebar-search', 'Enter');
  await page.waitForSelector('#search-results li a', { timeout: 30000 });
  seen.found = await page.$$eval('#search-results li a', (list) => list.map((e) => e.textContent));
  const before = await page.evaluate(() => document.body.dataset.theme);
  await page.click('.theme-toggle-content button.theme-toggle');
  seen.toggled = (await page.evaluate(() => document.body.dataset.theme)) !== before;
} catch (error) {
  seen.errors.push(`site.mjs: ${error.message}`);
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
console.log(JSON.stringify(seen));

// SPDX-License-Identifier: Apache-2.0
// search.mjs PAGE FOLDER: uses the page of a design search with real clicks, at 1400 and 390 pixels, light and dark, and prints what is seen as JSON.
import { join } from 'node:path';
import { openPage, rows } from './browser.mjs';

const [, , file, folder] = process.argv;
const seen = { errors: [], requests: [], overflow: [] };
const { page, close } = await openPage(file, seen, { viewport: { width: 1400, height: 900 } });
const text = (id) => page.textContent(`#${id}`);
/** Pixels of a drawing that are not empty. */
const painted = (id) => page.evaluate((name) => {
  const canvas = document.querySelector(`#${name} canvas`), { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0, hash = 7;
  for (let i = 0; i < data.length; i += 4) { count += data[i + 3] > 0; hash = (Math.imul(hash, 31) + data[i] + data[i + 3]) | 0; }
  return { count, hash };
}, id);

try {
  await page.waitForFunction(() => document.querySelector('#objective canvas')?.width > 300);
  Object.assign(seen, { words: await text('search-words'), title: await text('objective-title'), first: await text('case'), objective: await painted('objective'), table: await rows(page, '#table') });
  await page.locator('#table tbody tr').first().click();
  seen.chosen = await text('case');
  await page.click('#best');
  seen.best = await text('case');
  const before = await painted('objective');
  await page.locator('#logarithmic').setChecked(!(await page.isChecked('#logarithmic')));
  seen.logarithmic = (await painted('objective')).hash !== before.hash;
  seen.followed = await page.$$eval('#followed option', (list) => list.map((o) => o.textContent));
  for (const [width, scheme] of [[1400, 'light'], [1400, 'dark'], [390, 'light'], [390, 'dark']]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(300);
    seen.overflow.push(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
    await page.screenshot({ path: join(folder, `search-${width}-${scheme}.png`), fullPage: true });
  }
} catch (error) {
  seen.errors.push(`search.mjs: ${error.message}`);
} finally {
  await close();
}
console.log(JSON.stringify(seen));

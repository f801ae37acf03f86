// SPDX-License-Identifier: Apache-2.0
// study.mjs PAGE [PICTURE]: opens the page of a study, uses it as a reader would, and prints what was seen as JSON.
import { openPage } from './browser.mjs';

const seen = { errors: [], requests: [] };
const { page, close } = await openPage(process.argv[2], seen, { viewport: { width: 1400, height: 1500 } });
const context = page.context();
seen.requests = seen.requests.filter((url) => !url.startsWith('file:'));
await page.waitForTimeout(400);

seen.title = await page.textContent('#title');
seen.subtitle = await page.textContent('#subtitle');
seen.rows = await page.locator('#table tbody tr').count();
// pixels that are not empty
seen.painted = await page.evaluate(() => Object.fromEntries(['parallel', 'scatter', 'histories'].map((id) => {
  const canvas = document.querySelector(`#${id} canvas`), { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
  return [id, count];
})));

await page.locator('#table tbody tr').nth(4).click();
seen.by_row = await page.textContent('#case');
await page.locator('#table tbody button').nth(1).focus();
await page.keyboard.press('Tab');
await page.keyboard.press('Enter');
seen.by_key = await page.textContent('#case');
seen.focused = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));

// the highest point of the scatter stands at the right: v = 8, far = 8
const box = await page.locator('#scatter canvas').boundingBox();
const x = box.x + 62 + (box.width - 76) * (1.04 / 1.08), y = box.y + 10 + (box.height - 50) * (0.04 / 1.08);
await page.mouse.click(x, y);
seen.by_point = await page.textContent('#case');
const popup = context.waitForEvent('page', { timeout: 5000 });
await page.mouse.click(x, y);
const run = await popup;
await run.waitForURL(/html$/, { timeout: 5000, waitUntil: 'commit' });
seen.opened = run.url();

// the upper half of the first axis
const parallel = await page.locator('#parallel canvas').boundingBox();
const top = parallel.y + 44, bottom = parallel.y + parallel.height - 26;
await page.mouse.move(parallel.x + 64, (top + bottom) / 2);
await page.mouse.down();
await page.mouse.move(parallel.x + 64, top - 3, { steps: 5 });
await page.mouse.up();
seen.brushed = await page.locator('#table tbody tr.out').count();

await page.locator('#table th button').first().click(); // ascending already: now descending
seen.sorted = await page.locator('#table tbody tr td:first-child').allTextContents();
if (process.argv[3]) await page.screenshot({ path: process.argv[3], fullPage: true });
console.log(JSON.stringify(seen));
await close();

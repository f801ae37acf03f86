// SPDX-License-Identifier: Apache-2.0
// modes.mjs PAGE.html FOLDER [WIDTH [SCHEME]]: uses a page of modes with real clicks and keys, in a real Chromium, and prints what is seen as JSON.
// tests/test_modes_page.py compares that with the shapes that `torsor modes -o` writes and with closed forms.
import { join } from 'node:path';
import { openPage, picture, rows } from './browser.mjs';

const [, , file, folder, width = '1400', scheme = 'light'] = process.argv;
const seen = { errors: [], requests: [] };
const { page, close } = await openPage(file, seen, { viewport: { width: Number(width), height: 844 }, colorScheme: scheme, acceptDownloads: true });
page.setDefaultTimeout(60000);
const text = (id) => page.textContent(`#${id}`);
const hidden = (id) => page.$eval(`#${id}`, (e) => e.offsetParent === null);
/** What nodes do now, by the amplitude factor of the page. */
const pose = () => page.evaluate(() => {
  const { stage, vibration, player, amplitude, mode, speed } = window.torsor;
  return { mode, speed, phase: (player.t * Math.PI) / 180, factor: (amplitude * vibration.size) / vibration.largest, move: [...stage.pose.x].map((x, i) => x - stage.drawn.place[i]) };
});

try {
  Object.assign(seen, { title: await text('title'), subtitle: await text('subtitle'), list: await rows(page, '#modes'), note: await text('list-note'), first: await pose(), picture: await picture(page) });
  await page.locator('#modes tbody tr').last().click();
  Object.assign(seen, { last: await pose(), clock: await text('clock'), other: await picture(page) });
  await page.focus('#canvas');
  await page.keyboard.press('ArrowUp');
  seen.up = (await pose()).mode;
  const scrub = () => page.$eval('#scrub', (e) => { e.value = 77; e.dispatchEvent(new Event('input', { bubbles: true })); });
  await page.locator('#modes tbody tr').first().click();
  await scrub();
  seen.turned = await pose();
  await page.locator('#modes tbody tr').nth(seen.up).click();
  await scrub();
  seen.scrubbed = await pose();
  await page.click('#play');
  await page.waitForFunction((t) => window.torsor.player.t !== t, seen.scrubbed.phase);
  seen.playing = await page.getAttribute('#play', 'aria-label');
  await page.click('#play');
  await page.uncheck('#ghost');
  seen.alone = await picture(page);
  await page.check('#ghost');
  seen.campbell = !(await hidden('campbell'));
  if (seen.campbell) {
    seen.crossings = await rows(page, '#crossings');
    seen.curves = await page.$$eval('#curves button', (list) => list.map((e) => e.textContent));
    const at = await page.evaluate(() => { const { campbell: c } = window.torsor, box = c.diagram.node.getBoundingClientRect(); return [box.left + c.map.px(c.omega[2] * c.unit[1]), box.top + c.map.py(c.values[0][2])]; });
    await page.locator('#diagram').scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => { const { campbell: c } = window.torsor, box = c.diagram.node.getBoundingClientRect(); return [box.left + c.map.px(c.omega[2] * c.unit[1]), box.top + c.map.py(c.values[0][2])]; });
    await page.mouse.click(...scrolled);
    seen.clicked = { ...(await pose()), moved: at[1] !== scrolled[1], curve: await page.evaluate(() => window.torsor.campbell.curve), title: await text('list-title') };
    if (!(await hidden('seen'))) {
      await page.selectOption('#seen', '1');
      seen.outside = await page.evaluate(() => window.torsor.campbell.values);
      await page.selectOption('#seen', '0');
    }
    seen.tops = await page.$$eval('#top option', (list) => list.map((o) => o.textContent));
    if (seen.tops.length > 1) {
      await page.selectOption('#top', '1');
      seen.limited = await page.evaluate(() => { const { map, top } = window.torsor.campbell; return { top, height: map.py(0) - map.py(top * 1.06), whole: map.py(0) }; });
      await page.selectOption('#top', '0');
    }
    await page.selectOption('#orders', '0');
    seen.fewer = await rows(page, '#crossings');
  }
  const waiting = page.waitForEvent('download');
  await page.click('#tool-picture');
  seen.file = (await waiting).suggestedFilename();
  await page.click('#tool-parts');
  await page.locator('#tree li[data-part] [data-do=shown]').first().click();
  seen.hiddenPart = await picture(page);
  await page.locator('#tree button', { hasText: 'Show all' }).click();
  await page.click('#tool-parts');
  seen.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  seen.unlabelled = await page.$$eval('button, input, select, canvas[tabindex]', (list) => list.filter((e) => e.offsetParent && !(e.getAttribute('aria-label') || e.labels?.length || e.textContent.trim() || e.title)).map((e) => e.outerHTML.slice(0, 80)));
  await page.screenshot({ path: join(folder, `modes-${width}-${scheme}.png`), fullPage: true });
} catch (error) {
  seen.errors.push(`modes.mjs: ${error.message}`);
} finally {
  await close();
}
console.log(JSON.stringify(seen));

// SPDX-License-Identifier: Apache-2.0
// build.mjs OUTPUT [report | study | live | modes]: puts the body of a page (page.html, study.html, view.html, modes.html) and its program and style from src/ into frame.html: one file without any outside reference.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

async function bundle(entry, extra = {}) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'none',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    logLevel: 'warning',
    ...extra,
  });
  return result.outputFiles[0].text;
}

// folder of the program, body of the page, name in its title, where its content begins; pages of files come with a policy, `torsor view` sends its own
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:">`;
const PAGES = {
  report: { folder: '', body: 'page.html', first: 'player', policy: POLICY },
  modes: { folder: 'modes/', body: 'modes.html', first: 'player', policy: POLICY },
  study: { folder: 'study/', body: 'study.html', first: 'content', policy: POLICY },
  live: { folder: 'live/', body: 'view.html', name: 'view', first: 'canvas', policy: '' },
};
const key = process.argv[3] ?? 'report', { folder, body, name = key, first, policy } = PAGES[key];
const read = (file) => readFileSync(join(here, file), 'utf8').trim();
/** What pages have in common: <!-- INCLUDE head.html name="report" --> is that file with `report` in place of {name}. */
const include = (text) => text.replace(/<!-- INCLUDE (\S+)((?: \w+="[^"]*")*) -->/g, (_, file, words) =>
  [...words.matchAll(/(\w+)="([^"]*)"/g)].reduce((part, [, name, value]) => part.replaceAll(`{${name}}`, value), read(file)));
const script = (await bundle(`${folder}main.js`, { format: 'iife' })).replaceAll('</script', '<\\/script');
const style = await bundle(`${folder}style.css`);
const marks = { '<!-- POLICY -->': policy, '<!-- NAME -->': name, '<!-- FIRST -->': first, '<!-- BODY -->': include(read(body)), '/* STYLE */': style.trim(), '/* SCRIPT */': script.trim() };
// a page of a file gets its doctype with a mark when it is written: src/picture/page_frame.c
let page = (policy ? '\n' : '<!doctype html>\n') + read('frame.html');
for (const [mark, text] of Object.entries(marks)) page = page.replace(mark, () => text);
if (/<!-- INCLUDE|\{(name|scrubbed)\}/.test(page.replace(script, ''))) throw new Error(`${body}: an INCLUDE that is not as it should be`);
writeFileSync(process.argv[2], page + '\n');

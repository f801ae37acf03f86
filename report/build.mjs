// SPDX-License-Identifier: Apache-2.0
// build.mjs OUTPUT [study | live | modes]: bundles src/ into page.html, src/study into study.html, src/live into view.html, or src/modes into modes.html: one file without any outside reference.
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

const PAGES = { report: ['', 'page.html'], study: ['study/', 'study.html'], live: ['live/', 'view.html'], modes: ['modes/', 'modes.html'] };
const [folder, frame] = PAGES[process.argv[3] ?? 'report'];
const script = (await bundle(`${folder}main.js`, { format: 'iife' })).replaceAll('</script', '<\\/script');
const style = await bundle(`${folder}style.css`);
const page = readFileSync(join(here, frame), 'utf8')
  .replace('/* STYLE */', () => style.trim())
  .replace('/* SCRIPT */', () => script.trim());
writeFileSync(process.argv[2], page);

// build.mjs OUTPUT [study]: bundles src/ into page.html, or src/study into study.html, one file without any outside reference.
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

const study = process.argv[3] === 'study';
const script = (await bundle(study ? 'study/main.js' : 'main.js', { format: 'iife' })).replaceAll('</script', '<\\/script');
const style = await bundle(study ? 'study/style.css' : 'style.css');
const page = readFileSync(join(here, study ? 'study.html' : 'page.html'), 'utf8')
  .replace('/* STYLE */', () => style.trim())
  .replace('/* SCRIPT */', () => script.trim());
writeFileSync(process.argv[2], page);

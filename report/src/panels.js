// SPDX-License-Identifier: Apache-2.0
// Convergence, model and input.
import { lineColour } from './colour.js';
import { brief, element, escape, plural, quantity, significant, table } from './format.js';
import { plot } from './plot.js';

const ROWS = 12, WIDTH = 8, FLOOR = 1e-18; // smaller errors are drawn there
const effortOf = (run, i) => { const [t, steps, iterations, most, cuts, violation, balance, h] = run.effort.subarray(WIDTH * i, WIDTH * (i + 1)); return { t, steps, iterations, most, cuts, violation, balance, h }; };

function gather(run) {
  const count = run.effort.length / WIDTH, rows = [];
  for (let k = 0; k < Math.min(ROWS, count); k++) {
    const sum = { steps: 0, iterations: 0, most: 0, cuts: 0, violation: 0, balance: 0 };
    for (let i = Math.floor((k * count) / Math.min(ROWS, count)); i < Math.floor(((k + 1) * count) / Math.min(ROWS, count)); i++) {
      const e = effortOf(run, i);
      sum.t = e.t;
      for (const key of ['steps', 'iterations', 'cuts']) sum[key] += e[key];
      for (const key of ['most', 'violation', 'balance']) sum[key] = Math.max(sum[key], e[key]);
    }
    rows.push(sum);
  }
  return rows;
}

function effortTable(run, several) {
  const scale = run.info.energy_scale || 1, rows = gather(run);
  const cells = (r, label) => [label, { number: r.steps.toLocaleString('en') }, { number: significant(r.iterations / (r.steps || 1), 3) }, { number: String(r.most) }, { number: String(r.cuts) }, { number: brief(r.violation) }, { number: brief(r.balance / scale) }];
  const all = rows.reduce((a, r) => ({ steps: a.steps + r.steps, iterations: a.iterations + r.iterations, cuts: a.cuts + r.cuts, most: Math.max(a.most, r.most), violation: Math.max(a.violation, r.violation), balance: Math.max(a.balance, r.balance) }), { steps: 0, iterations: 0, cuts: 0, most: 0, violation: 0, balance: 0 });
  const body = [...rows.map((r) => cells(r, run.statics ? `to load ${significant(r.t, 4)}` : `to ${significant(r.t, 4)} s`)), cells(all, 'all')];
  return element('div', {}, ...(several ? [element('h3', {}, run.name)] : []),
    table([run.statics ? 'load' : 't', run.statics ? 'increments' : 'steps', 'iterations each', 'most', 'halved', 'violation', 'balance, relative'], body, new Set([body.length - 1])));
}

export function showEffort(holder, runs, player) {
  const tables = element('div', {}, ...runs.map((run) => effortTable(run, runs.length > 1)));
  const graph = element('div', { class: 'plot' });
  holder.replaceChildren(tables, element('div', {}, graph, element('p', { class: 'quiet small' }, `${runs.length > 1 ? `The plot shows ${runs[0].name}: ` : ''}per step (for long runs, the worst of neighbouring steps). Values below round-off are drawn at the lower end.`)));
  const run = runs[0], count = run.effort.length / WIDTH, scale = run.info.energy_scale || 1;
  if (!count) return;
  const column = (key, factor = 1) => Array.from({ length: count }, (_, i) => { const v = effortOf(run, i)[key] * factor; return v > 0 ? (key === 't' ? v : Math.max(v, FLOOR)) : null; });
  const candidates = [['worst violation', 'violation', 1], ['balance, relative', 'balance', 1 / scale]];
  const series = candidates.map(([label, key, factor], i) => ({ label, unit: '1', colour: lineColour(i), values: column(key, factor) })).filter((s) => s.values.some((v) => v > FLOOR));
  if (!series.length) graph.parentElement.hidden = true;
  else plot(graph, { x: run.load ? Array.from({ length: count }, (_, i) => i + 1) : column('t').map((v) => v ?? 0), xLabel: run.axis, series, height: 250, player, log: true });
}

const SECTIONS = ['bodies', 'beams', 'cables', 'shells', 'solids', 'masses', 'joints', 'springs', 'motions', 'loads', 'shapes', 'contacts', 'sections', 'materials'];

function countsOf(run) {
  const rows = [];
  for (const section of SECTIONS) {
    const kinds = new Map();
    for (const [, kind, of] of run.parts) if (of === section) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (!kinds.size) continue;
    const total = [...kinds.values()].reduce((a, b) => a + b);
    rows.push([section, { number: String(total) }, [...kinds].map(([kind, n]) => (kinds.size > 1 || kind !== section ? `${kind}${kinds.size > 1 ? ` ${n}` : ''}` : '')).join(', ')]);
  }
  return rows;
}

function factsOf(run) {
  const { info } = run;
  return [['title', info.title || '–'], ['file', run.name], ['scheme', run.statics ? 'statics' : `${info.scheme}${info.scheme === 'ED' ? `, ρ∞ = ${significant(info.rho_inf, 4)}` : ''}`],
    run.statics ? ['load', `${significant(info.t_first, 6)} to ${significant(info.t_last, 6)}`] : ['step', quantity(info.h, 's')], run.statics ? null : ['time', `${significant(info.t_first, 6)} s to ${significant(info.t_last, 6)} s of ${significant(info.t_end, 6)} s`],
    ['steps', `${info.first_step.toLocaleString('en')} to ${info.last_step.toLocaleString('en')}, ${plural(info.frames, 'stored state', 'stored states')}`],
    ['mass', quantity(1000 * run.mass, 'g').replace('Mg', 't')], ['nodes', run.nodes.toLocaleString('en') + ', ground included'],
    ['constraints', `${info.conditions.toLocaleString('en')}${run.redundant ? `, ${run.redundant} redundant and left out` : ''}`],
    ['written', `${info.created.replace('T', ' ').replace('Z', ' UTC')} by torsor ${info.version}`], ['hash of the model', element('code', { class: 'small' }, info.model_hash.slice(0, 16) + '…')]].filter(Boolean);
}

export function showModel(holder, runs) {
  holder.classList.toggle('single', runs.length > 1);
  holder.replaceChildren(...runs.flatMap((run) => [
    element('div', {}, table(['', ''], factsOf(run))),
    element('div', {}, table(['part', 'number', 'types'], countsOf(run))),
  ]));
}

function highlight(text) {
  return text.split('\n').map((line) => {
    const hash = line.search(/(^|\s)#/), code = hash < 0 ? line : line.slice(0, hash), comment = hash < 0 ? '' : line.slice(hash);
    return escape(code).replace(/^(\s*(?:- )?)([\w.]+)(:)/, '$1<b>$2</b>$3') + (comment ? `<i>${escape(comment)}</i>` : '');
  }).join('\n');
}

export function showInput(holder, runs) {
  const texts = new Map();
  for (const run of runs) texts.set(run.text, [...(texts.get(run.text) ?? []), run.name]);
  holder.replaceChildren(...[...texts].map(([text, names], i) => {
    const pre = element('pre', { tabindex: '0', 'aria-label': `The model file of ${names.join(', ')}` });
    pre.innerHTML = highlight(text);
    return element('details', i === 0 && text.length < 20000 ? { open: true } : {}, element('summary', {}, `The model as it was run${runs.length > 1 ? `: ${names.join(', ')}` : ''}, ${plural(text.split('\n').length, 'line', 'lines')}`), pre);
  }));
}

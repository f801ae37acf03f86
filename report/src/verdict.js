// SPDX-License-Identifier: Apache-2.0
// The verdict: what happened, in words and a few numbers.
import { brief, element, plural, quantity, significant } from './format.js';

const MARK = {
  good: 'M4 12.5l5.2 5.2L20 7',
  warn: 'M12 5v9M12 18.2v.3',
  bad: 'M6 6l12 12M18 6L6 18',
};

const mark = (kind) => {
  const holder = document.createElement('span');
  holder.innerHTML = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${MARK[kind]}"/></svg>`;
  return holder.firstChild;
};

const LEVEL = { resolved: 'good', coarse: 'warn', 'not resolved': 'bad' };

/** The measure of the audit of resolution that is nearest to, or farthest beyond, its threshold. */
export function worstMeasure(resolution) {
  const share = (m) => (m.value === null ? Infinity : m.value / m.coarse);
  return resolution.measures.reduce((worst, m) => (!worst || share(m) > share(worst) ? m : worst), null);
}

/** "72°", "23 %" */
export function measured(m) {
  if (m.value === null) return 'inside out';
  return m.unit === 'rad' ? `${significant((m.value * 180) / Math.PI, 3)}°` : `${significant(100 * m.value, 3)} %`;
}

const isDone = (run) => run.info.status === 'completed';

export function judge(run) {
  const { info } = run;
  const reached = run.statics ? `load ${significant(info.t_last, 6)}` : `t = ${significant(info.t_last, 6)} s of ${significant(info.t_end, 6)} s`;
  if (info.status.startsWith('failed')) return { kind: 'bad', head: `Failed at ${reached}`, text: info.status.replace(/^failed: */, '') };
  const unsound = !run.sound && info.steps > 0;
  if (unsound) return { kind: 'bad', head: isDone(run) ? 'Completed, but do not trust it' : `Stopped at ${reached}`, text: run.audit };
  if (info.status === 'running') return { kind: 'warn', head: 'Not closed: still running, or killed', text: `up to ${reached}; ${run.audit}` };
  if (!isDone(run)) return { kind: 'warn', head: `Interrupted at ${reached}`, text: run.audit };
  if (info.unstable > 0) return { kind: 'warn', head: 'Completed, but the end is unstable', text: `in ${plural(info.unstable, 'way', 'ways')}: it would not stay there, it has buckled or snapped before` };
  const { resolution } = info, closed = run.audit.startsWith('energy audit: closed') ? ', energy audit closed' : '';
  if (LEVEL[resolution.level] && resolution.level !== 'resolved') {
    return { kind: LEVEL[resolution.level], head: `Completed${closed}, but ${resolution.level}`, text: resolution.text.replace(/^resolution: (coarse|not resolved): /, '') };
  }
  return { kind: 'good', head: `Completed${closed}`, text: run.audit.replace(/^energy audit: /, '') };
}

/** Where the effort table has its worst violation. */
export function worstViolation(run) {
  let at = -1;
  for (let i = 0; i < run.effort.length / 8; i++) if (at < 0 || run.effort[8 * i + 5] > run.effort[8 * at + 5]) at = i;
  return at < 0 ? null : { t: run.effort[8 * at], value: run.effort[8 * at + 5] };
}

function fact(name, value, note, key) {
  return element('div', { class: 'fact', 'data-fact': key }, name, element('b', {}, value), note);
}

function resolutionFact({ resolution }) {
  const worst = worstMeasure(resolution);
  if (!worst) return fact('Resolution', 'unknown', 'not in this file', 'resolution');
  const where = worst.where ? `${worst.where}, ` : '';
  const note = !(worst.value === null || worst.value > 0) ? 'nothing to measure'
    : `${worst.what}: ${measured(worst)}`;
  const box = fact('Resolution', resolution.level, note, 'resolution');
  box.title = worst.value === 0 ? '' : `${where}t = ${significant(worst.t, 4)} s; coarse from ${measured({ ...worst, value: worst.coarse })}`;
  box.classList.add(LEVEL[resolution.level]);
  return box;
}

function row(run, several) {
  const { info } = run, verdict = judge(run);
  const worst = run.effort && worstViolation(run);
  const name = several ? `${run.name}: ` : '';
  return element('div', { class: 'verdict', 'data-run': run.index },
    element('div', { class: `judgement ${verdict.kind}` }, mark(verdict.kind),
      element('div', {}, element('strong', {}, name + verdict.head), element('span', {}, verdict.text))),
    run.statics
      ? fact('Energy stored', quantity(info.energy_scale, 'J'), 'largest over the path', 'energy')
      : fact('Energy audit', brief(info.relative_balance), `of ${quantity(info.energy_scale, 'J')}, at worst`, 'balance'),
    resolutionFact(info),
    fact('Worst constraint', brief(info.worst_violation), !worst ? '' : run.statics ? `at load ${significant(worst.t, 4)}` : `at t = ${significant(worst.t, 4)} s; rates ${brief(info.worst_rate_violation)}`, 'violation'),
    fact(run.statics ? 'Increments' : 'Steps', info.steps.toLocaleString('en'), `${significant(info.mean_iterations, 3)} iterations each, ${info.most_iterations} at most`, 'steps'),
    fact(run.statics ? 'Increments halved' : 'Steps halved', info.cuts.toLocaleString('en'), info.seconds === null ? '' : `${significant(info.seconds, 3)} s of computing`, 'cuts'));
}

export function showVerdict(holder, runs) {
  holder.replaceChildren(...runs.map((run) => row(run, runs.length > 1)));
}

export function showTitle(runs) {
  const { info } = runs[0];
  const title = info.title || runs[0].name;
  const titles = new Set(runs.map((run) => run.info.title));
  document.title = `${title} – torsor report`;
  document.getElementById('title').textContent = runs.length > 1 && titles.size > 1 ? `${runs.length} runs compared` : title;
  const span = (run) => (run.statics ? `load ${significant(run.info.t_first, 4)} to ${significant(run.info.t_last, 6)}` : `${significant(run.info.t_first, 4)} to ${significant(run.info.t_last, 6)} s`);
  const facts = runs.length > 1
    ? runs.map((run) => `${run.name} (${run.statics ? 'statics' : run.info.scheme}, ${span(run)})`)
    : [runs[0].name, runs[0].statics ? 'statics' : `${info.scheme}, step ${quantity(info.h, 's')}`, span(runs[0]), plural(info.frames, 'stored state', 'stored states'),
      info.created && info.created.slice(0, 16).replace('T', ' ') + ' UTC', `torsor ${info.version}`];
  document.getElementById('subtitle').textContent = facts.filter(Boolean).join(' · ');
}

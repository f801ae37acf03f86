// SPDX-License-Identifier: Apache-2.0
// Panels beside the picture: facts of the model, mistakes at their lines, sliders for parameters.
import { element, massOf, plural, quantity, significant } from '../format.js';

/** Centres that are round-off of zero. */
const tidy = (v) => (Math.abs(v) < 1e-12 ? 0 : v);
const REPEATS = /repeat what .* fix/;

/** `units`: those that lengths are shown in. */
export function showFacts(holder, notes, drawn, units) {
  const { model, assembly } = drawn;
  const facts = [
    ['degrees of freedom', model.freedom.toLocaleString('en')],
    ['unknowns', model.unknowns.toLocaleString('en')],
    ['constraints', model.conditions.toLocaleString('en')],
    ['redundant', model.redundant.toLocaleString('en')],
    ['mass', massOf(model.mass)],
    ['centre of mass', `${model.centre.map((v) => significant(tidy(units.value(v, 'm')), 3)).join(', ')} ${units.name('m')}`],
    ['gravity', drawn.gravity_words],
    ['analysis', drawn.runs ? `${model.analysis === 'static' ? 'static' : `${model.scheme}, step ${quantity(model.h, 's')}`}` : 'none'],
  ];
  if (drawn.runs && model.analysis !== 'static') facts.push(['end', `${quantity(model.t_end, 's')}, ${plural(model.steps, 'step', 'steps')}`]);
  holder.replaceChildren(element('dl', {}, ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', { 'data-fact': name }, value)])));
  const warnings = (drawn.warnings ?? '').split('\n').filter(Boolean).map((text) => element('p', { class: 'warn' }, text));
  // which constraints repeat others is told in detail by the notes of the parts; the summary is for the terminal
  const told = [...(drawn.repeats && !assembly.notes.some((n) => n !== drawn.repeats && REPEATS.test(n)) ? [drawn.repeats] : []), ...assembly.notes.filter((n) => n !== drawn.repeats)].slice(0, 12);
  notes.replaceChildren(...warnings, ...told.map((text) => element('p', {}, text)));
}

/** The line, with the column marked. */
function sourceOf({ source, column, line }) {
  if (source === undefined) return [];
  const text = [...source], before = text.slice(0, Math.max(0, column - 1)).join(''), rest = source.slice(before.length);
  const word = /^[^\s,{}[\]]+|^./.exec(rest)?.[0] ?? '';
  return [element('pre', {}, element('i', {}, `${line} | `), before, element('em', {}, word || ' '), rest.slice(word.length))];
}

export function showMistakes(holder, title, { mistakes, there }, file) {
  title.textContent = there === false ? 'No file' : plural(mistakes.length, 'mistake', 'mistakes');
  holder.replaceChildren(...mistakes.map((m) => element('div', { class: 'mistake' },
    element('p', { class: 'place' }, [m.file || file, ...(m.line ? [m.line] : []), ...(m.line && m.column ? [m.column] : [])].join(':')),
    element('p', {}, m.message), ...sourceOf(m), ...(m.hint ? [element('p', { class: 'hint' }, m.hint)] : []))));
  for (const mark of holder.querySelectorAll('pre em')) { // seen, also where the line is longer than the window
    const line = mark.parentElement, over = mark.offsetLeft + mark.offsetWidth - line.offsetLeft - line.clientWidth;
    if (over > 0) line.scrollLeft = over + line.clientWidth / 3;
  }
}

const NUMBER = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([^\d\s].*)?$/;

/** A number with its unit, or null: then it is an expression, which a slider cannot move. */
export function parseValue(text) {
  const match = NUMBER.exec(text);
  return match && /^[\w\s^/*·²³°%-]*$/.test(match[2] ?? '') ? { value: Number(match[1]), unit: (match[2] ?? '').trim() } : null;
}

const rangeOf = (value) => (value === 0 ? [-1, 1] : value > 0 ? [0, 2 * value] : [2 * value, 0]);

export class Parameters {
  constructor(holder, { set }) {
    this.holder = holder;
    this.set = set;
    this.rows = new Map();
  }

  /** `list`: names with their texts as they are now; `given`: those that the page has set. */
  show(list, given) {
    const names = list.map((p) => p.name).join('\n');
    if (names !== this.names) {
      this.names = names;
      this.rows = new Map(list.map((p) => [p.name, this.row(p, given.has(p.name))]));
      this.holder.replaceChildren(...[...this.rows.values()].map((r) => r.made));
    }
    for (const p of list) this.update(this.rows.get(p.name), p, given.has(p.name));
  }

  row({ name, text }) {
    const field = element('input', { type: 'text', id: `value-${name}`, 'data-value': name, spellcheck: 'false', onchange: () => this.set(name, field.value) });
    const made = element('div', { class: 'parameter' }, element('label', { for: `value-${name}` }, name), field);
    const parsed = parseValue(text);
    if (!parsed) return made.classList.add('plain'), { made, field };
    const whole = parsed.unit === '' && Number.isInteger(parsed.value); // numbers of elements and the like
    const slider = element('input', { type: 'range', step: whole ? 1 : 'any', 'data-slider': name, 'aria-label': name,
      oninput: () => { field.value = `${significant(Number(slider.value), 4)} ${row.unit}`.trim(); this.set(name, field.value); } });
    made.append(slider);
    const row = { made, field, slider, unit: parsed.unit };
    return row;
  }

  // the range follows the file, not the slider
  update(row, { text }, given) {
    if (document.activeElement === row.field) return;
    row.field.value = text;
    const parsed = row.slider && parseValue(text);
    if (!parsed) return;
    row.unit = parsed.unit;
    if (!given) [row.slider.min, row.slider.max] = rangeOf(parsed.value);
    else if (row.slider.max === '') [row.slider.min, row.slider.max] = rangeOf(parsed.value);
    if (document.activeElement !== row.slider) row.slider.value = parsed.value;
  }
}

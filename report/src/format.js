// SPDX-License-Identifier: Apache-2.0
// Numbers and small pieces of HTML.

const PREFIX = ['n', 'µ', 'm', '', 'k', 'M', 'G', 'T'];

/** "2.34 kJ", as the command line writes it. */
export function quantity(value, unit, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return `0 ${unit}`;
  const p = 3 + Math.floor(Math.log10(Math.abs(value) * (1 + 1e-12)) / 3);
  if (p < 0 || p > 7) return `${significant(value, digits)} ${unit}`;
  return `${significant(value / 1000 ** (p - 3), digits)} ${PREFIX[p]}${unit}`;
}

/** "380 g", "1750 kg", "12 t": nobody writes Mg. */
export const massOf = (kg) => (Math.abs(kg) < 1 ? quantity(1000 * kg, 'g') : Math.abs(kg) < 1e4 ? `${significant(kg, 4)} kg` : quantity(kg / 1000, 't'));

/** As printf's %.{digits}g. */
export function significant(value, digits = 6) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const exponent = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
  let text = exponent < -4 || exponent >= digits ? value.toExponential(digits - 1) : value.toPrecision(digits);
  if (text.includes('e')) {
    const [mantissa, power] = text.split('e');
    return `${trim(mantissa)}e${power.replace('+', '')}`;
  }
  return trim(text);
}

const trim = (text) => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);

/** "3e-14", for errors. */
export const brief = (value) => (value === 0 ? '0' : Number.isFinite(value) ? significant(value, 2) : '–');

const ROUND_OFF = 1e-12;

/** An energy in a table. What is round-off of the largest energy says so, with the number on hover. */
export const amount = (v, largest, factor = 1, digits = 5) =>
  (v !== 0 && Math.abs(v) < ROUND_OFF * largest ? { number: '≈ 0', title: `${brief(v / factor)}: round-off` } : { number: significant(v / factor, digits) });

export const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

/** What a part is: 'rigid body', 'revolute joint', 'beam'. */
export function kindOf(kind, section) {
  const one = section === 'bodies' ? 'body' : section.replace(/s$/, '');
  return kind.endsWith(one) ? kind : `${kind} ${one}`;
}

export const plural = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

/** Makes an element: element('td', {class: 'n'}, 'text' or children). */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? '' : value);
  made.append(...children);
  return made;
}

/** Rows of cells: strings are text, numbers are written and set to the right; {number, title} is a number that says more on hover. */
export function table(head, rows, totals = new Set()) {
  const whole = (value) => (/ /.test(String(value)) ? 'n' : 'n whole'); // browsers would break 7.4e-5 behind its hyphen
  const cell = (tag, value, right, title = null) => element(tag, { ...(right ? { class: tag === 'td' ? whole(value) : 'n' } : {}), title }, value instanceof Node ? value : String(value));
  const isNumber = (j) => rows.some((row) => typeof row[j] === 'number' || row[j]?.number);
  const text = (value) => (typeof value === 'number' ? significant(value) : (value?.number ?? value));
  return element('div', { class: 'scroll' }, element('table', {},
    element('thead', {}, element('tr', {}, ...head.map((h, j) => cell('th', h, isNumber(j))))),
    element('tbody', {}, ...rows.map((row, i) => element('tr', totals.has(i) ? { class: 'total' } : {},
      ...row.map((value, j) => cell('td', text(value), isNumber(j), value?.title ?? null)))))));
}

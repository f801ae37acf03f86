// SPDX-License-Identifier: Apache-2.0
// Units in which numbers are shown. Data are in SI and rad; a system names its length, mass, time and angle, and units of all other
// quantities follow: with mm, t and s a force (t mm/s^2) is in N, a stress in MPa.

const SI = { length: ['m', 1], mass: ['kg', 1], time: ['s', 1], angle: ['rad', 1] };
const DEGREE = ['deg', Math.PI / 180];

// by symbol: powers of length, mass, time, angle
const POWERS = {
  m: [1, 0, 0, 0], kg: [0, 1, 0, 0], s: [0, 0, 1, 0], rad: [0, 0, 0, 1],
  N: [1, 1, -2, 0], Pa: [-1, 1, -2, 0], J: [2, 1, -2, 0], W: [2, 1, -3, 0],
};
const PREFIX = [['m', 1e-3], ['', 1], ['k', 1e3], ['M', 1e6], ['G', 1e9], ['µ', 1e-6]];
const DIMENSIONS = ['length', 'mass', 'time', 'angle'];

/** Systems to choose from, the one to begin with first: the model's, with degrees where it has radians. */
export function systemsOf(run) {
  const own = run.units?.length ? run.units : SI;
  const plain = DIMENSIONS.slice(0, 3).every((d) => own[d][1] === SI[d][1]);
  const list = [];
  if (!plain) list.push({ key: 'model', label: `model: ${DIMENSIONS.map((d) => own[d][0]).join(', ')}`, ...own });
  if (!plain && own.angle[1] === 1) list.push({ key: 'model-deg', label: `model, degrees`, ...own, angle: DEGREE });
  list.push({ key: 'si-deg', label: 'SI, degrees', ...SI, angle: DEGREE }, { key: 'si', label: 'SI, radians', ...SI });
  if (own.length[0] !== 'mm') list.push({ key: 'mm', label: 'mm, t, s, degrees', length: ['mm', 1e-3], mass: ['t', 1e3], time: ['s', 1], angle: DEGREE });
  return list;
}

const close = (a, b) => Math.abs(a / b - 1) < 1e-9;

/** A symbol of SI in a system: the name and how large one of it is. */
function symbolIn(system, symbol) {
  const powers = POWERS[symbol];
  if (!powers) return { name: symbol, size: 1 };
  const basic = DIMENSIONS.find((_, k) => powers.every((p, i) => p === (i === k ? 1 : 0)));
  if (basic) return { name: system[basic][0], size: system[basic][1] };
  const size = DIMENSIONS.reduce((product, d, k) => product * system[d][1] ** powers[k], 1);
  const prefix = PREFIX.find(([, factor]) => close(size, factor));
  if (prefix) return { name: prefix[0] + symbol, size };
  const word = (sign) => ['mass', 'length', 'time'].map((d) => [system[d][0], sign * powers[DIMENSIONS.indexOf(d)]]).filter(([, p]) => p > 0)
    .map(([name, p]) => name + (p === 1 ? '' : `^${p}`)).join(' ');
  const under = word(-1);
  return { name: `(${word(1)}/${under.includes(' ') ? `(${under})` : under})`, size };
}

/** "N m", "rad/s^2" in a system: {unit, factor}, the factor being what a number in SI is divided by. */
export function unitIn(system, unit) {
  const [over, under] = unit.replaceAll('²', '^2').split('/');
  let factor = 1;
  const side = (text, sign) => text?.split(/[ *]/).filter(Boolean).map((piece) => {
    const [symbol, power = '1'] = piece.split('^'), { name, size } = symbolIn(system, symbol);
    factor *= size ** (sign * Number(power));
    return power === '1' ? name : `${name}^${power}`;
  }).join(' ');
  const top = side(over, 1), bottom = side(under, -1);
  return { unit: bottom ? `${top}/${bottom}` : top.replace(/^\((.*)\)$/, '$1'), factor };
}

/** The choice, and who is told of it. */
export class Units {
  constructor(runs) {
    this.systems = systemsOf(runs[0]);
    this.system = this.systems[0];
    this.listeners = [];
    this.known = new Map();
  }

  choose(key) {
    this.system = this.systems.find((s) => s.key === key) ?? this.systems[0];
    this.known.clear();
    for (const listener of this.listeners) listener(this);
  }

  listen(listener) { this.listeners.push(listener); }

  of(unit) {
    if (!this.known.has(unit)) this.known.set(unit, unitIn(this.system, unit));
    return this.known.get(unit);
  }

  name(unit) { return this.of(unit).unit; }

  value(number, unit) { return number / this.of(unit).factor; }

  /** Numbers of SI in the chosen units; the array itself where nothing changes. */
  values(numbers, unit) {
    const { factor } = this.of(unit);
    return factor === 1 || !numbers ? numbers : Array.from(numbers, (v) => (v === null ? null : v / factor));
  }
}

const STEPS = [['n', 1e-9], ['µ', 1e-6], ['m', 1e-3], ['', 1], ['k', 1e3], ['M', 1e6], ['G', 1e9]];

/** The unit with the prefix that suits the largest of some numbers: 13186 J is 13.186 kJ. */
export function readable(largest, unit) {
  const fitting = STEPS.filter(([, size]) => size <= Math.abs(largest) * (1 + 1e-12));
  const [prefix, factor] = Math.abs(largest) > 0 ? fitting.at(-1) ?? STEPS[0] : ['', 1];
  return { unit: prefix + unit, factor };
}

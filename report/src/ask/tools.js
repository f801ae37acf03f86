// SPDX-License-Identifier: Apache-2.0
// The tools of the picture: list of parts, names, axes, force arrows, measuring, picture and video; and what a click on a part does.
import * as THREE from 'three';
import { element } from '../format.js';
import { Card } from './card.js';
import { savePicture, saveTable, saveVideo } from './download.js';
import { partBox } from './extent.js';
import { Axes, Frame, Names, placesOf } from './marks.js';
import { Measure } from './measure.js';
import { onPick, pick } from './pick.js';
import { arrowColour, ForceArrows, Gravity, hasArrows, loadSources, loadsLeftOut, reactionSources } from './reactions.js';
import { Tree } from './tree.js';

const NARROW = 620; // px, as in style.css
const byId = (id) => document.getElementById(id);

/** page: {runs, view, player, units, looks, histories, options}. Returns what keys and tests use. */
export function makeTools(page, redraw) {
  const name = page.runs[0].name.replace(/\.h5$/, '');
  byId('csv').addEventListener('click', () => saveTable(page.histories.shown, page.units, name));
  if (!page.view) return null;
  return new Tools(page, redraw, name);
}

class Tools {
  constructor(page, redraw, name) {
    Object.assign(this, { page, redraw, name, buttons: {} });
    const { view, looks, units, player, histories, runs } = page;
    this.names = new Names(view, byId('names'), looks);
    this.axes = new Axes(view, looks);
    this.frame = new Frame(view);
    this.reactions = new ForceArrows(view, looks, reactionSources);
    this.loads = new ForceArrows(view, looks, loadSources);
    this.gravity = new Gravity(view, runs[0].gravity);
    this.measure = new Measure(view, byId('measured'), units);
    this.tree = new Tree(byId('tree'), runs, looks, { choose: (part) => {
      this.choose(this.find(part));
      if (innerWidth < NARROW) this.press('parts'); // there is room for one of them
    } });
    this.card = new Card(byId('picked'), { looks, units, player, groups: histories.groups, several: runs.length > 1,
      plot: (key, shown) => histories.plot(key, shown), isPlotted: (key) => histories.chosen.has(key), frame: () => this.frameChosen(), close: () => this.choose(null) });
    histories.listeners.push(() => this.card.show(this.card.picked));
    onPick(view.canvas, (x, y) => this.pickAt(x, y));
    byId('tools').replaceChildren(...this.makeButtons());
    looks.listen(() => { if (looks.alone !== null) this.frameNow(); });
  }

  // ---- choosing ----

  find(name) {
    const { actors } = this.page.view, shown = [...actors.filter((a) => a.object.visible), ...actors];
    const actor = shown.find(({ run }) => run.parts.some(([n]) => n === name));
    return actor && { actor, run: actor.run, part: actor.run.parts.findIndex(([n]) => n === name) };
  }

  pickAt(x, y) {
    const hit = pick(this.page.view, this.page.looks, x, y, { exact: this.measure.active });
    if (!this.measure.active) this.choose(hit);
    else if (hit) {
      this.measure.add(hit);
      this.redraw();
    }
  }

  choose(hit) {
    this.frame.chosen = hit;
    this.card.show(hit);
    this.tree.select(hit ? hit.run.parts[hit.part][0] : null);
    this.redraw();
  }

  close() {
    if (this.measure.active) this.press('measure');
    else if (this.frame.chosen) this.choose(null);
    else if (!byId('tree').hidden) this.press('parts');
  }

  // ---- views ----

  frameChosen() {
    const { actor, run, part } = this.frame.chosen, { view } = this.page, box = partBox(run, part, actor.pose, (run.parts[part][2] === 'joints' ? 0.15 : 0.05) * view.size);
    if (!box.isEmpty()) view.frame(box);
  }

  /** All that is shown at this time. */
  frameNow() {
    const { view, looks } = this.page, box = new THREE.Box3();
    for (const { run, pose, object } of view.actors)
      if (object.visible) for (const { part } of placesOf(run)) if (looks.look(run, part) !== 'hidden') box.union(partBox(run, part, pose));
    if (!box.isEmpty()) view.frame(box.expandByScalar(0.05 * view.size));
  }

  // ---- buttons ----

  press(key) { this.buttons[key]?.click(); }

  toggle(key, text, title, set, shortcut = null) {
    const button = element('button', { type: 'button', id: `tool-${key}`, title, 'aria-pressed': 'false', 'aria-keyshortcuts': shortcut, onclick: () => {
      const on = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(on));
      set(on);
      this.redraw();
    } }, ...[text].flat());
    return (this.buttons[key] = button);
  }

  makeButtons() {
    const action = (key, text, title, act) => element('button', { type: 'button', id: `tool-${key}`, title, onclick: act }, text);
    const key = (what) => { const made = element('span', { class: 'swatch' }); made.style.background = arrowColour(what); return made; };
    const list = [
      this.toggle('parts', 'Parts', 'list of parts: hide, transparent, alone, colour (key P)', (on) => {
        byId('tree').hidden = !on;
        if (on && innerWidth < NARROW) this.choose(null); // there is room for one of them
      }, 'P'),
      this.toggle('names', 'Names', 'names of parts (key N)', (on) => (this.names.shown = on), 'N'),
      this.toggle('axes', 'Axes', 'axes of joints', (on) => (this.axes.shown = on)),
    ];
    const { runs } = this.page, keys = (...pairs) => pairs.map(([what, text]) => element('span', { class: 'key' }, key(what), text));
    if (hasArrows(runs, reactionSources))
      list.push(this.toggle('forces', ['Joint forces', ...keys(['force', 'force'], ['moment', 'moment'])], 'forces and moments of joints and springs on body B; lengths grow with their cube root', (on) => (this.reactions.shown = on)));
    const heavy = Math.hypot(...runs[0].gravity) > 0, loaded = hasArrows(runs, loadSources), left = [...new Set(runs.flatMap(loadsLeftOut))];
    if (heavy || loaded)
      list.push(this.toggle('loads', ['Loads', ...keys(...(loaded ? [['load', 'force'], ['couple', 'moment']] : []), ...(heavy ? [['gravity', 'gravity']] : []))],
        `forces, moments and pressures that act from outside; lengths grow with their cube root${left.length ? `. Without arrows, since they depend on the motion, on inputs or on events: ${left.slice(0, 8).join(', ')}${left.length > 8 ? ' …' : ''}` : ''}`, (on) => (this.loads.shown = this.gravity.shown = on)));
    list.push(this.toggle('measure', 'Measure', 'distance of two points, angle of three (key M)', (on) => this.measure.start(on), 'M'),
      action('picture', 'PNG', 'save the picture', () => savePicture(this.page.view, this.caption(), this.name)),
      action('video', 'WebM', 'save a video of the motion, at the speed shown', ({ target }) => this.record(target)));
    return list;
  }

  caption() { return `${byId('title').textContent}   ${byId('clock').textContent}`; }

  record(button) {
    if (button.disabled) return;
    button.disabled = true;
    button.textContent = 'recording …';
    saveVideo(this.page.view, this.page.player, () => this.caption(), this.name)
      .then((blob) => (this.video = blob), (error) => (byId('stage-note').textContent = `No video: ${error.message}`))
      .finally(() => { button.disabled = false; button.textContent = 'WebM'; });
  }
}

// SPDX-License-Identifier: Apache-2.0
// How parts look: shown, pale or hidden, alone, in a colour of the reader's choice. Kept by name, so that all runs of a report follow.
import * as THREE from 'three';
import { lineColour, partColour } from '../colour.js';

const PALE = 0.22, PLAIN = { joints: 0x4a545e, springs: 0x8a8f5a };

export class Looks {
  constructor() {
    this.chosen = new Map(); // name: {look, colour}
    this.alone = null; // name of the only part to see
    this.byRun = false; // all parts of a run in its colour
    this.listeners = [];
  }

  listen(listener) { this.listeners.push(listener); }
  tell() { for (const listener of this.listeners) listener(this); }

  of(name) { return this.chosen.get(name) ?? { look: 'shown', colour: null }; }

  set(names, change) {
    for (const name of names) this.chosen.set(name, { ...this.of(name), ...change });
    this.tell();
  }

  isolate(name) {
    this.alone = name;
    this.tell();
  }

  reset() {
    this.chosen.clear();
    this.isolate(null);
  }

  /** 'shown', 'pale' or 'hidden' */
  look(run, part) {
    const name = run.parts[part]?.[0];
    if (this.alone !== null && name !== this.alone) return 'hidden';
    return this.of(name).look;
  }

  /** The colour that was chosen for it, or null. */
  own(run, part) { return this.of(run.parts[part]?.[0]).colour ?? (this.byRun ? lineColour(run.index) : null); }

  colour(run, part) { return this.own(run, part) ?? partColour(part); }

  /** As it is drawn: joints and springs have the colours of bodies.js. */
  drawn(run, part) { return this.own(run, part) ?? PLAIN[run.parts[part][2]] ?? partColour(part); }
}

const paleOf = (material) => {
  const pale = material.clone();
  return Object.assign(pale, { transparent: true, opacity: PALE, depthWrite: false });
};

/** One mesh of many parts: triangles of shown parts first, then pale ones; hidden ones are left out. Returns its two materials. */
export function sortByLook(geometry, material, pieces, look) {
  const materials = Array.isArray(material) ? material : [material, paleOf(material)];
  const of = (wanted) => pieces.filter(({ part }) => look(part) === wanted).map(({ index }) => index);
  const lists = [of('shown'), of('pale')], count = (list) => list.reduce((sum, piece) => sum + piece.length, 0);
  const index = new Uint32Array(count(lists[0]) + count(lists[1]));
  let at = 0;
  geometry.clearGroups();
  lists.forEach((list, k) => {
    const first = at;
    for (const piece of list) { index.set(piece, at); at += piece.length; }
    if (at > first) geometry.addGroup(first, at - first, k);
  });
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  return materials;
}

/** Instances of one mesh: pale ones are drawn by a twin of it, hidden ones by neither. */
export class Dressed {
  /** owner(item): the row of its part, -1 for the ground; plain(item): its colour when none was chosen */
  constructor(piece, run, owner) {
    Object.assign(this, { piece, run, owner });
  }

  dress(looks) {
    for (const entry of this.piece.meshes) {
      const { mesh, list } = entry;
      entry.plain ??= list.map((_, i) => { const c = new THREE.Color(); mesh.getColorAt(i, c); return c; });
      entry.look = list.map((item) => { const part = this.owner(item); return part < 0 ? (looks.alone === null ? 'shown' : 'hidden') : looks.look(this.run, part); });
      list.forEach((item, i) => {
        const part = this.owner(item), own = part < 0 ? null : looks.own(this.run, part);
        mesh.setColorAt(i, own ? new THREE.Color(own) : entry.plain[i]);
        entry.twin?.setColorAt(i, own ? new THREE.Color(own) : entry.plain[i]);
      });
      mesh.instanceColor.needsUpdate = true;
      if (!entry.twin && entry.look.includes('pale')) this.addTwin(entry);
      if (entry.twin) entry.twin.instanceColor.needsUpdate = true;
      entry.plainly = entry.look.every((look) => look === 'shown');
    }
  }

  addTwin(entry) {
    const { mesh, list } = entry;
    entry.twin = new THREE.InstancedMesh(mesh.geometry, paleOf(mesh.material), list.length);
    entry.twin.instanceColor = mesh.instanceColor.clone();
    entry.twin.frustumCulled = false;
    this.piece.object.add(entry.twin);
  }

  /** After the piece has placed its instances. */
  place() {
    for (const { mesh, twin, look, plainly } of this.piece.meshes) {
      if (twin) twin.visible = !plainly;
      if (!look || plainly) continue;
      const from = mesh.instanceMatrix.array;
      twin?.instanceMatrix.array.fill(0);
      look.forEach((l, i) => {
        if (l === 'shown') return;
        if (l === 'pale') twin.instanceMatrix.array.set(from.subarray(16 * i, 16 * i + 16), 16 * i);
        from.fill(0, 16 * i, 16 * i + 16);
      });
      if (twin) twin.instanceMatrix.needsUpdate = true;
    }
  }
}

/** Who an instance belongs to: a body's shapes to the body, shapes of the ground to themselves. */
export const ownerOf = (run) => (item) => ('surface' in item ? (item.node > 0 ? run.node_part[item.node] : item.part) : item.part ?? -1);

// SPDX-License-Identifier: Apache-2.0
// Energies of a rigid body from its motion: with the mass matrix over position x and directors d1, d2, d3 of its node,
//     kinetic = 1/2 sum M_ab u_a . u_b ,    u = (x', w x d1, w x d2, w x d3) ,    gravity = - sum M_0a g . a
import * as THREE from 'three';
import { valueNow } from '../channels.js';

const vector = (run, key, t) => {
  const list = ['x', 'y', 'z'].map((c) => valueNow(run, `${key}.${c}`, t));
  return list.includes(null) ? null : new THREE.Vector3(...list);
};

/** {kinetic, gravity, mass} in SI, or null where the file does not tell enough. */
export function bodyEnergies(run, name, t) {
  const row = run.bodies.findIndex(([part]) => part === name), M = run.inertia?.subarray(16 * row, 16 * row + 16);
  const x = vector(run, `${name}.position`, t), v = vector(run, `${name}.velocity`, t), w = vector(run, `${name}.omega`, t);
  const turn = ['x', 'y', 'z', 's'].map((c) => valueNow(run, `${name}.quaternion.${c}`, t));
  if (row < 0 || !(M?.[0] > 0) || !x || !v) return null;
  const q = new THREE.Quaternion(...(turn.includes(null) ? [0, 0, 0, 1] : turn)).normalize();
  const directors = [0, 1, 2].map((k) => new THREE.Vector3().setComponent(k, 1).applyQuaternion(q));
  const at = [x, ...directors], rate = [v, ...directors.map((d) => (w ? w.clone().cross(d) : new THREE.Vector3()))];
  const g = new THREE.Vector3(...run.gravity);
  let kinetic = 0, gravity = 0;
  for (let a = 0; a < 4; a++) {
    gravity -= M[a] * g.dot(at[a]);
    for (let b = 0; b < 4; b++) kinetic += 0.5 * M[4 * a + b] * rate[a].dot(rate[b]);
  }
  return { kinetic, gravity, mass: M[0] };
}

// SPDX-License-Identifier: Apache-2.0
// Which way is up: the axes right, up and towards of the picture (right-handed, along global axes), and the views made of them.

const axis = (k, sign = 1) => [0, 1, 2].map((i) => (i === k ? sign : 0));
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
const along = (way, v) => Math.abs(way[0] * v.x + way[1] * v.y + way[2] * v.z);
const negative = (v) => v.map((c) => (c ? -c : 0));

/** The axis nearest to the direction against gravity; z without gravity. */
function against(gravity = [0, 0, 0]) {
  const size = gravity.map(Math.abs), most = Math.max(...size), k = size.lastIndexOf(most);
  return most > 0 ? axis(k, -Math.sign(gravity[k])) : axis(2);
}

/** Axes that stand upright. A vertical x has y at its right, the others have x. */
function standing(gravity) {
  const up = against(gravity), right = axis(up[0] ? 1 : 0);
  return { right, up, towards: cross(right, up) };
}

const THIN = 0.08; // of the largest extent

/** {standing, axes, flat}: `axes` are those of the picture. What lies flat (`extent`: its size) is seen from above, unless gravity may move it down. */
export function upright(gravity, extent) {
  const stand = standing(gravity), { right, up, towards } = stand, [w, h, d] = [right, up, towards].map((a) => along(a, extent));
  const flat = !gravity?.some((g) => g) && h < THIN * Math.max(w, d) && h <= Math.min(w, d);
  return { standing: stand, flat, axes: flat ? { right, up: negative(towards), towards: up } : stand };
}

const sum = ({ right, up, towards }, [r, u, t]) => [0, 1, 2].map((k) => r * right[k] + u * up[k] + t * towards[k]);

/** Where one looks from at first: across what is flat, from a corner at everything else. */
export function firstView({ axes, flat }, extent) {
  const [w, h, d] = [axes.right, axes.up, axes.towards].map((a) => along(a, extent));
  if (flat) return sum(axes, [0.12, -0.1, 1]);
  if (d < THIN * Math.max(w, h)) return sum(axes, [0.28, 0.24, 1]);
  if (w < THIN * Math.max(d, h)) return sum(axes, [1, 0.24, -0.28]);
  if (h < THIN * Math.max(w, d)) return sum(axes, [0.6, 0.8, 1]);
  return sum(axes, [0.75, 0.55, 1]);
}

/** [name, direction] of the views along the axes; a little off them, so that up is known. */
export const plainViews = ({ axes }) => [['Front', [0, 1e-4, 1]], ['Side', [1, 1e-4, 0]], ['Top', [0, 1, 1e-4]]].map(([name, way]) => [name, sum(axes, way)]);

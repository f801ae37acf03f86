// SPDX-License-Identifier: Apache-2.0
// Colours: of lines and parts, and scales for fields. Colours of fields go through points that grow evenly in lightness.

const SEQUENTIAL = [[0.27, 0.34, 0.47], [0.19, 0.47, 0.60], [0.15, 0.62, 0.58], [0.47, 0.75, 0.43], [0.85, 0.80, 0.33], [0.96, 0.58, 0.26], [0.86, 0.26, 0.24]];
const DIVERGING = [[0.10, 0.32, 0.62], [0.32, 0.57, 0.79], [0.66, 0.79, 0.88], [0.86, 0.86, 0.84], [0.94, 0.75, 0.60], [0.87, 0.47, 0.34], [0.66, 0.13, 0.16]];

function table(points) {
  const rgb = new Float32Array(3 * 256);
  for (let i = 0; i < 256; i++) {
    const x = (i / 255) * (points.length - 1), k = Math.min(Math.floor(x), points.length - 2), f = x - k;
    for (let c = 0; c < 3; c++) rgb[3 * i + c] = points[k][c] * (1 - f) + points[k + 1][c] * f;
  }
  return rgb;
}

export const SCALE = { sequential: table(SEQUENTIAL), diverging: table(DIVERGING) };

/** Colour for a share from 0 to 1, for lines and points on a card: its dark end must be seen on a dark page too. */
export function shade(share, alpha = 1) {
  const k = 3 * Math.round(255 * Math.min(1, Math.max(0, share))), white = dark() ? 0.3 : 0;
  return `rgb(${[0, 1, 2].map((i) => Math.round(255 * (white + (1 - white) * SCALE.sequential[k + i]))).join(' ')} / ${alpha})`;
}

/** The same as light, not as the screen's numbers. */
export const LINEAR = Object.fromEntries(Object.entries(SCALE).map(([name, rgb]) => [name, rgb.map((v) => v ** 2.2)]));

export function gradient(scale) {
  const stops = [];
  for (let i = 0; i < 256; i += 15) stops.push(`rgb(${[0, 1, 2].map((c) => Math.round(255 * scale[3 * i + c])).join(' ')})`);
  return `linear-gradient(to right, ${stops.join(',')})`;
}

export const dark = () => matchMedia('(prefers-color-scheme: dark)').matches;

const LINES = {
  light: ['#1f5f8b', '#c0502e', '#2d7f5e', '#7b4ea3', '#a67c00', '#b0376b', '#4a5560', '#008b94'],
  dark: ['#6db3e3', '#f0936f', '#6fc7a0', '#b99be0', '#e0bf5c', '#e588b0', '#a9b4be', '#5cc9d0'],
};
export const lineColour = (i) => { const list = LINES[dark() ? 'dark' : 'light']; return list[i % list.length]; };

const PARTS = [0x5b88a8, 0xc98a5e, 0x6fa287, 0x9a86b8, 0xb8a25a, 0xb87a92, 0x7d8f9c, 0x5fa3a6];
export const partColour = (i) => PARTS[i % PARTS.length];

export const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

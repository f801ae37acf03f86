// SPDX-License-Identifier: Apache-2.0
// Amplitudes over frequency. The history is taken at even times (linear between stored states), its mean is taken away, and Hann's
// window keeps what does not fit the length from spreading.

export function fft(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2, angle = (-2 * Math.PI) / size;
    for (let k = 0; k < half; k++) {
      const c = Math.cos(angle * k), s = Math.sin(angle * k);
      for (let i = k; i < n; i += size) {
        const j = i + half, x = re[j] * c - im[j] * s, y = re[j] * s + im[j] * c;
        re[j] = re[i] - x, im[j] = im[i] - y, re[i] += x, im[i] += y;
      }
    }
  }
}

/** {frequency, amplitude}: a sine of amplitude A whose frequency is on the grid has A. */
export function spectrum(t, value) {
  if (t.length < 8) return null;
  const n = 2 ** Math.min(16, Math.max(6, Math.ceil(Math.log2(t.length)))), length = t[t.length - 1] - t[0];
  const samples = Math.min(n, t.length), re = new Float64Array(n), im = new Float64Array(n);
  if (!(length > 0)) return null;
  const dt = length / (samples - 1);
  let mean = 0;
  for (let i = 0, k = 0; i < samples; i++) {
    const at = t[0] + i * dt;
    while (k + 2 < t.length && t[k + 1] < at) k++;
    const f = t[k + 1] > t[k] ? Math.min(Math.max((at - t[k]) / (t[k + 1] - t[k]), 0), 1) : 0;
    re[i] = value[k] + f * (value[k + 1] - value[k]);
    mean += re[i] / samples;
  }
  let window = 0;
  for (let i = 0; i < samples; i++) {
    const w = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (samples - 1));
    re[i] = (re[i] - mean) * w;
    window += w;
  }
  fft(re, im);
  const frequency = new Float64Array(n / 2), amplitude = new Float64Array(n / 2);
  for (let i = 0; i < n / 2; i++) {
    frequency[i] = i / (n * dt);
    amplitude[i] = (2 * Math.hypot(re[i], im[i])) / window;
  }
  return { frequency, amplitude, samples, dt };
}

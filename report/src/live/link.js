// SPDX-License-Identifier: Apache-2.0
// The program behind the page: asks for what is new (long polling) and tells it what to do. See src/server/board.c for the other side.

/** Names of the first numbers of a sample. */
export const ENERGIES = ['t', 'kinetic', 'elastic', 'gravity', 'work_loads', 'work_drives', 'dissipated', 'algorithmic', 'balance', 'events'];

/** One answer: its JSON, samples and pose. */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  let at = 8 + length;
  const samples = new Float64Array(buffer, at, head.rows * head.width);
  at += samples.byteLength;
  const place = new Float32Array(buffer, at, 3 * head.nodes), turn = new Float32Array(buffer, at + place.byteLength, 4 * head.nodes);
  const paint = new Float32Array(buffer, at + place.byteLength + turn.byteLength, head.painted);
  return { ...head, samples, place, turn, paint };
}

export class Link {
  constructor() { this.seen = { state: 0, frame: 0, series: 0, samples: 0 }; }

  async poll() {
    const response = await fetch(`poll?${new URLSearchParams(this.seen)}`, { cache: 'no-store' });
    if (!response.ok) throw new Error(`the program answers ${response.status}`);
    const news = decode(await response.arrayBuffer());
    news.whole = news.series !== this.seen.series; // samples are all anew
    this.seen = { state: news.state_version, frame: news.frame, series: news.series, samples: news.first + news.rows };
    return news;
  }

  async scene() {
    const response = await fetch('scene', { cache: 'no-store' });
    if (!response.ok) throw new Error(`the program answers ${response.status}`);
    return response.text();
  }

  async post(verb, pairs) {
    try {
      const response = await fetch(`${verb}?${new URLSearchParams(pairs)}`, { method: 'POST' });
      return response.ok;
    } catch { return false; } // the banner says that the program is gone
  }
}

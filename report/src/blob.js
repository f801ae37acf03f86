// SPDX-License-Identifier: Apache-2.0
// Blobs of the page as typed arrays: base64, deflate, bytes sorted by place, differences of rows.
// See src/picture/report_blob.c for the other side.

const TYPE = { i16: Int16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Numbers of two bytes, rows added up on the way.
function gatherShorts(sorted, count, width) {
  const out = new Int16Array(count);
  for (let i = 0, j = count; i < width; i++, j++) out[i] = sorted[i] | (sorted[j] << 8);
  for (let i = width, j = count + width, k = 0; i < count; i++, j++, k++) out[i] = (sorted[i] | (sorted[j] << 8)) + out[k];
  return out;
}

// Words of four bytes at once.
function gatherWords(sorted, count, size) {
  const words = size / 4, out = new Uint32Array(words * count);
  const plane = (b) => sorted.subarray(b * count, (b + 1) * count);
  for (let w = 0; w < words; w++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => plane(4 * w + k));
    for (let i = 0, at = w; i < count; i++, at += words) out[at] = a[i] | (b[i] << 8) | (c[i] << 16) | (d[i] << 24);
  }
  return out.buffer;
}

/** Bytes unpacked so far, and until the first picture: the work of loading, for tests. */
export const unpacked = { bytes: 0, picture: 0 };

/** The array of a blob; its text leaves the page, for memory's sake. */
export async function unpack(blob) {
  const element = document.getElementById('blob' + blob.blob);
  const Type = TYPE[blob.type];
  const count = blob.rows * blob.width;
  if (!count) return new Type(0);
  const sorted = await inflate(bytesOfBase64(element.textContent));
  element.remove();
  if (sorted.length !== count * Type.BYTES_PER_ELEMENT) throw new Error('a part of the data of this page is damaged: write the page again');
  unpacked.bytes += sorted.length;
  return blob.type === 'i16' ? gatherShorts(sorted, count, blob.delta ? blob.width : count) : new Type(gatherWords(sorted, count, Type.BYTES_PER_ELEMENT));
}

/**
 * SHA-256 (FIPS 180-4).
 *
 * Of our own, because `crypto.subtle` is missing where a page comes over plain HTTP from another machine of the house, and
 * because a chain is many small hashes, for which a promise each costs more than the hash.
 */

const ROUNDS = 64;
const K = new Uint32Array(ROUNDS);
const START = new Uint32Array(8);

/** The constants are the first 32 bits of the fractional parts of the roots of the first primes. */
{
  const fraction = (/** @type {number} */ root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  let found = 0;
  for (let candidate = 2; found < ROUNDS; candidate += 1) {
    let prime = true;
    for (let factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) prime = false;
    if (!prime) continue;
    if (found < START.length) START[found] = fraction(Math.sqrt(candidate));
    K[found] = fraction(Math.cbrt(candidate));
    found += 1;
  }
}

const encoder = new TextEncoder();
const words = new Uint32Array(ROUNDS);

/** Return the SHA-256 of a text's UTF-8 bytes, as hex. @param {string} text @returns {string} */
export function sha256(text) {
  const state = Uint32Array.from(START);
  const blocks = padded(encoder.encode(text));
  for (let offset = 0; offset < blocks.byteLength; offset += 64) compress(state, blocks, offset);
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/**
 * Return the bytes, a single one bit, zeros, and the length in bits, as whole blocks of 64 bytes.
 *
 * @param {Uint8Array} bytes
 * @returns {DataView}
 */
function padded(bytes) {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

/** @param {Uint32Array} state @param {DataView} blocks @param {number} offset */
function compress(state, blocks, offset) {
  for (let i = 0; i < 16; i += 1) words[i] = blocks.getUint32(offset + 4 * i);
  for (let i = 16; i < ROUNDS; i += 1) {
    const near = words[i - 2];
    const far = words[i - 15];
    const small1 = ((near >>> 17) | (near << 15)) ^ ((near >>> 19) | (near << 13)) ^ (near >>> 10);
    const small0 = ((far >>> 7) | (far << 25)) ^ ((far >>> 18) | (far << 14)) ^ (far >>> 3);
    words[i] = words[i - 16] + small0 + words[i - 7] + small1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < ROUNDS; i += 1) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + big1 + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i += 1) state[i] += mixed[i];
}

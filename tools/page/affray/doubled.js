/** Keys that stand twice in an object: JSON.parse keeps the last of them alone, and the engine reads each. */

import { elements, pairs } from "./scan.js";

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/**
 * Tell whether a key stands twice in some object of a text.
 *
 * @param {string} text Valid JSON.
 * @param {unknown} parsed What JSON.parse made of it.
 */
export const hasDoubled = (text, parsed) => text.replace(STRING, "").split(":").length - 1 !== keysIn(parsed);

/** @param {any} value @returns {number} */
function keysIn(value) {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum, one) => sum + keysIn(one), Array.isArray(value) ? 0 : inner.length);
}

/**
 * Yield a value as often as it takes for each of its doubled keys to be the one that counts.
 *
 * @param {string} text Valid JSON.
 * @returns {Generator<any>} At least one value.
 */
export function* readings(text) {
  const whole = JSON.parse(text);
  yield whole;
  if (Array.isArray(whole)) {
    for (const [at, one] of elements(text).entries()) {
      for (const inner of readings(one)) yield whole.with(at, inner);
    }
  } else if (typeof whole === "object" && whole !== null) {
    for (const [key, one] of pairs(text)) {
      for (const inner of readings(one)) yield { ...whole, [key]: inner };
    }
  }
}

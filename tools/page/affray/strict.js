/** What JSON.parse takes and the engine does not read so: doubled keys, half a character, and what is nested without end. */

import { Unreadable } from "./forms.js";
import { elements, pairs } from "./scan.js";

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/** A surrogate that is escaped without its other half; pairs of backslashes are taken out before. */
const HALF = /\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]/;

/** So deep the engine reads. */
const DEEPEST = 900;

/**
 * Refuse a line that the engine does not read, although JSON.parse does.
 *
 * @param {string} text Valid JSON.
 * @throws {Unreadable}
 */
export function mustBeRead(text) {
  if (text.includes("\\u") && HALF.test(text.replaceAll("\\\\", ""))) throw new Unreadable("half a character");
  if (text.length <= DEEPEST) return;
  let depth = 0;
  for (const bracket of text.replace(STRING, "").match(/[[\]{}]/g) ?? []) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > DEEPEST) throw new Unreadable("it is nested without end");
  }
}

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

/** Stricter checks than JSON.parse, as in the engine: duplicate keys, lone surrogates, deep nesting. */

import { Unreadable } from "./forms.js";
import { elements, pairs } from "./scan.js";

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/** An escaped surrogate without its other half, in a text without pairs of backslashes. */
const HALF = /\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]/;

/** The deepest nesting that the engine reads. */
const DEEPEST = 900;

/**
 * Refuse a line that JSON.parse accepts and the engine does not.
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
 * Tell whether an object of a text has a duplicate key.
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
 * Yield variants of a value, so that each of its duplicate keys is used once.
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

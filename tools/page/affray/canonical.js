/** A state as JSON: read from what a server sends, and written so that equal histories give equal digests. */

import { read, table, write } from "./forms.js";
import { members } from "./scan.js";
import { sha256 } from "./sha256.js";

/** @typedef {import("./types.d.ts").Whole<import("./types.d.ts").State>} State */

/**
 * Read a state; everything that was left out is there.
 *
 * @param {string | object} json As text, if the exact words of pending actions matter for the digest.
 * @returns {State}
 */
export function readState(json) {
  return read("State", typeof json === "string" ? json : JSON.stringify(json));
}

/** Read a document in which there is a state, such as a snapshot. @param {string} text @returns {any} */
export function withState(text) {
  return { bands: {}, ...JSON.parse(text), state: readState(members(text).get("state") ?? "{}") };
}

/** Return the one JSON text that stands for this state. @param {State} state @returns {string} */
export function encode(state) {
  return write("State", state);
}

/** The first format that holds features of things as structs. */
const STRUCTURED = 6;

/** A feature as a trait of earlier formats. @param {import("./types.d.ts").Whole<import("./types.d.ts").Feature>} feature */
function writtenAsThen({ kind, of, parts }) {
  if (kind !== "adds") return `${kind}:${of}`;
  const all = Object.values({ value: 0, skill: "", modes: "", tags: "", label: "", ...parts });
  return [`${kind}:${of}`, ...all.map(String)].join("|");
}

/** @param {State} state */
function asThen({ items }) {
  return table(Object.fromEntries(Object.entries(items).map(([id, one]) => [
    id, { ...one, traits: [...one.traits, ...one.features.map(writtenAsThen)], features: [] },
  ])));
}

/**
 * Return the SHA-256 of that text without those who have left, as hex; the engine's own digest of the same state.
 *
 * A fight that was opened in an earlier format is written as it was then.
 *
 * @param {State} state
 * @returns {string}
 */
export function digest(state) {
  const then = state.format < STRUCTURED ? { items: asThen(state) } : {};
  return sha256(encode({ ...state, ...then, departed: table(), format: 0 }));
}

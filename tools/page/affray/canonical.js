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

/**
 * Return the SHA-256 of that text without those who have left, as hex; the engine's own digest of the same state.
 *
 * The state of a fight that was opened in an earlier format must be folded from its log, which holds it as it was then.
 *
 * @param {State} state
 * @returns {string}
 */
export function digest(state) {
  return sha256(encode({ ...state, departed: table(), format: 0 }));
}

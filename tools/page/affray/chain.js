/** The hash chain: whether the lines are those that were written, in their order, with none left out. */

import { readLog } from "./reading.js";
import { sha256 } from "./sha256.js";

/** @typedef {import("./reading.js").Line} Line */

/** A line that does not continue the chain of the lines before it. */
export class ChainBroken extends Error {
  /**
   * @param {string} reason
   * @param {number} position
   */
  constructor(reason, position) {
    super(reason);
    this.name = "ChainBroken";
    this.position = position;
  }
}

/**
 * Return the SHA-256 of a line's salt and payload, as hex; where the payload is hidden, the one that is told instead.
 *
 * @param {Line} line
 * @returns {string}
 */
export function payloadDigest(line) {
  return line.event === null ? line.digest : sha256(line.salt + line.text);
}

/**
 * Return the hash a line must have behind another.
 *
 * @param {string} previous
 * @param {Line} line
 * @returns {string}
 */
export function chained(previous, line) {
  const { position, time, more } = line;
  return sha256([previous, position, time, senderOf(line), more, readersOf(line), payloadDigest(line)].join("\n"));
}

/** Return what stands for who sent a line's command, and under which id, in the chain. @param {Line} line */
function senderOf({ who, cause, by, known_to, mask }) {
  if (by) return by;
  if (known_to === null && !mask) return `${who}\n${cause}`;
  return sha256([mask, known_to?.join() ?? "*", who, cause].join("\n"));
}

/** Return what stands for a line's audience in the chain. @param {Line} line */
function readersOf({ event, readers, audience, salt }) {
  if (event === null) return readers;
  return audience === null ? "*" : sha256(salt + audience.join());
}

/**
 * Check lines and return the hash of the last one.
 *
 * @param {Iterable<Line>} lines
 * @param {string} [previous] The hash before the first of them.
 * @param {number} [after] The position before the first of them.
 * @returns {string}
 * @throws {ChainBroken} At the first line that does not continue the chain.
 */
export function verifyChain(lines, previous = "", after = 0) {
  for (const line of lines) {
    after += 1;
    if (line.position !== after) throw new ChainBroken(`position ${line.position} where ${after} was due`, after);
    previous = chained(previous, line);
    if (line.hash !== previous) {
      throw new ChainBroken(`the hash of position ${after} does not fit what is written`, after);
    }
  }
  return previous;
}

/**
 * Check a whole log and return the hash of its head.
 *
 * @param {string} text JSON Lines.
 * @returns {string}
 */
export function verifyLog(text) {
  return verifyChain(readLog(text));
}

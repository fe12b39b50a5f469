/** The hash chain: it proves that the lines are unchanged, in order and complete. */

import { History } from "./history.js";
import { FORMAT } from "./reading.js";
import { sha256 } from "./sha256.js";

/** The first format whose chain frames texts by their length. */
const FRAMED = 4;

/** The first format whose chain holds the payload itself if every viewer may read it. */
const PLAIN = 6;

const UTF_8 = new TextEncoder();

/** @typedef {import("./reading.js").Line} Line */

/** A line that does not continue the chain of the lines before it. */
export class ChainBroken extends Error {
  /** @param {string} reason @param {number} position */
  constructor(reason, position) {
    super(reason);
    this.name = "ChainBroken";
    this.position = position;
  }
}

/**
 * Return the SHA-256 of a line's salt and payload, as hex; for a hidden payload, the sent digest.
 *
 * @param {Line} line
 * @returns {string}
 */
export function payloadDigest(line) {
  return line.event === null ? line.digest : sha256(line.salt + line.text);
}

/**
 * Return the hash that a line must have after another.
 *
 * @param {string} previous
 * @param {Line} line
 * @param {number} [format] The one the line is written in.
 * @returns {string}
 */
export function chained(previous, line, format = FORMAT) {
  const sender = senderOf(line, format);
  const readers = readersOf(line, format);
  const open = format >= PLAIN && readers === "*" && !line.salt && line.event !== null;
  const rest = [line.more, readers, open ? line.text : payloadDigest(line)];
  const texts = format >= FRAMED ? framed(line.time, ...sender) : "";
  const fields = texts ? [previous, line.position, ...rest] : [previous, line.position, line.time, ...sender, ...rest];
  return sha256(texts + fields.join("\n"));
}

/** Return texts as netstrings, one behind the other. @param {string[]} texts */
function framed(...texts) {
  return texts.map((text) => `${UTF_8.encode(text).length}:${text},`).join("");
}

/** Return the chain's text for the sender and the id of a line's command. @param {Line} line @param {number} format */
function senderOf({ who, cause, by, known_to, mask }, format) {
  if (by) return [by];
  if (known_to === null && !mask) return [who, cause];
  if (format >= FRAMED) return [sha256(framed(mask, known_to === null ? "*" : framed(...known_to), who, cause))];
  return [sha256([mask, known_to?.join() ?? "*", who, cause].join("\n"))];
}

/** Return the chain's text for a line's audience. @param {Line} line @param {number} format */
function readersOf({ event, readers, audience, salt }, format) {
  if (event === null || readers) return readers;
  if (audience === null) return "*";
  return sha256(format >= FRAMED ? framed(salt, ...audience) : salt + audience.join());
}

/**
 * Check lines and return the hash of the last one.
 *
 * @param {Iterable<Line>} lines
 * @param {string} [previous] The hash before the first of them.
 * @param {number} [after] The position before the first of them.
 * @param {number} [format] The one the first of them is written in, if it is not the opening, which says so itself.
 * @returns {string}
 * @throws {ChainBroken} At the first line that does not continue the chain.
 */
export function verifyChain(lines, previous = "", after = 0, format = FORMAT) {
  for (const line of lines) {
    after += 1;
    if (line.position !== after) throw new ChainBroken(`position ${line.position} where ${after} was due`, after);
    if (line.event?.type === "FightOpened") format = line.event.format;
    previous = chained(previous, line, format);
    if (line.hash !== previous) {
      throw new ChainBroken(`the hash of position ${after} does not fit what is written`, after);
    }
    if (line.event?.type === "FormatRaised") {
      if (line.event.format <= format) throw new ChainBroken(`position ${after} goes back to an earlier format`, after);
      format = line.event.format;
    }
  }
  return previous;
}

/**
 * Check the whole commands of a log, and return the hash of the last one.
 *
 * @param {string | Uint8Array} log JSON Lines. Only bytes show what is no UTF-8.
 * @returns {string}
 * @throws {ChainBroken | import("./reading.js").Unreadable}
 */
export function verifyLog(log) {
  return verifyChain(History.read(log).recorded);
}

/** The raw lines of a log, with their size and whether they are UTF-8. */

/** The decoder of a line. It keeps a byte order mark, since more than one is an error. */
export const LINE = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const ENCODER = new TextEncoder();
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A byte order mark. */
const MARK = [0xef, 0xbb, 0xbf];

/** The blanks that JSON allows around a line, and a line feed. */
const BLANKS = new Set(" \t\r\n");
const BLANK_BYTES = new Set([...BLANKS].map((one) => one.charCodeAt(0)));

/**
 * Return the length of a log without the empty lines at its end.
 *
 * @param {string | Uint8Array} log
 */
export function filledUpTo(log) {
  let at = log.length;
  if (typeof log === "string") while (at && BLANKS.has(log[at - 1])) at -= 1;
  else while (at && BLANK_BYTES.has(log[at - 1])) at -= 1;
  const end = typeof log === "string" ? log.indexOf("\n", at) : log.indexOf(LINE_FEED, at);
  return end < 0 ? log.length : end + 1;
}

/** The most and the least bytes of a line; an event in its envelope has no fewer. */
export const LONGEST_LINE = 2 ** 24;
export const SHORTEST_LINE = 64;

/** @typedef {{text: string, size: number, isText: boolean}} Split A line; of one that is no UTF-8, each byte is a character. */

/**
 * Split a log at its line feeds, and strip what Windows puts around a line.
 *
 * @param {string | Uint8Array} log
 * @returns {Split[]} The last one stands behind the last line feed.
 */
export function split(log) {
  if (typeof log === "string") {
    const texts = log.split("\n").map((line, index) => (index ? line : line.replace(/^\ufeff/, "")).replace(/\r$/, ""));
    return texts.map((text) => ({ text, size: sizeOf(text), isText: true }));
  }
  const lines = [];
  for (let from = 0, to = 0; to < log.length; from = to + 1) {
    to = log.indexOf(LINE_FEED, from);
    if (to < 0) to = log.length;
    const start = !from && MARK.every((byte, at) => log[at] === byte) ? MARK.length : from;
    lines.push(decode(log.subarray(start, to > start && log[to - 1] === CARRIAGE_RETURN ? to - 1 : to)));
  }
  return lines;
}

/** Return how many bytes a text has, counted only where it matters. @param {string} text */
const sizeOf = (text) => (3 * text.length <= LONGEST_LINE && text.length >= SHORTEST_LINE ? text.length : ENCODER.encode(text).length);

/** @param {Uint8Array} bytes @returns {Split} */
function decode(bytes) {
  try {
    return { text: LINE.decode(bytes), size: bytes.length, isText: true };
  } catch {
    const size = bytes.length;
    return { get text() { return Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""); }, size, isText: false };
  }
}

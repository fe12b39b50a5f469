/** The reader of lines: of a log in any known format, and of a feed, which may hide parts. */

import { filled, holdsRaw, mustBeWhole, read, Unreadable } from "./forms.js";
import { members, pairs } from "./scan.js";
import { EVENTS, FORMAT } from "./shapes.js";
import { filledUpTo, LINE, LONGEST_LINE, SHORTEST_LINE, split } from "./splitting.js";
import { hasDoubled, mustBeRead, readings } from "./strict.js";

export { FORMAT, Unreadable };

/** @typedef {import("./splitting.js").Split} Split */
/** @typedef {import("./types.d.ts").Whole<import("./types.d.ts").AnyEvent>} AnyEvent */

/**
 * @typedef {object} Line
 * @property {number} position 1 for the first event of a fight, without gaps.
 * @property {string} time When it was recorded, UTC.
 * @property {string} who Who sent the command, as claimed; empty if it is hidden from the viewer.
 * @property {string} cause Id of the command it belongs to; empty likewise.
 * @property {string} hash The chain.
 * @property {number} more How many events of the same command follow.
 * @property {string[] | null} audience Who may read the payload; null means every viewer.
 * @property {string} salt The salt of the payload's digest, if the payload is hidden from a viewer.
 * @property {string[] | null} known_to Who may know `who` and `cause`; null means every viewer.
 * @property {string} mask The salt of the digest of `who` and `cause`, if they are hidden from a viewer.
 * @property {string} by If they are hidden: their digest, the same for a whole command.
 * @property {AnyEvent | null} event The event; null if it is hidden from the viewer.
 * @property {string} digest If it is hidden: the digest of salt and payload.
 * @property {string} readers If it is hidden: the digest of salt and audience.
 * @property {string} says The event as a sentence, if a server sent the line; empty otherwise.
 * @property {string} text The payload exactly as it was written.
 */

/**
 * The differences of format 1. A type that changed its meaning also changed its name.
 *
 * @type {Record<string, (old: any) => any>}
 */
const UPCASTERS = {
  PassStanding: (old) => ({ type: "AskingSet", who: old.who, ask: old.unless === "asked" ? "always" : old.unless }),
};

const WORDS = ["time", "hash"];
const SENDER = ["who", "cause"];
const MARKS = ["salt", "mask", "by", "digest", "readers"];
const READERS = ["audience", "known_to"];
const NUMBERS = ["position", "more"];

/** The fields of a line of a log whose texts are read; an event is read later. */
const KNOWN = new Set([...WORDS, ...SENDER, "salt", "mask", ...READERS, ...NUMBERS]);

/** The fields that only a server sends, in place of hidden ones; a log ignores them. */
const SENT = ["by", "digest", "readers", "says"];

/** A number that looks like a fraction, perhaps inside a text. */
const FRACTION = /(?:[[,]|"\s*:)\s*-?\d+(?:\.\d|[eE][-+\d])/;

/** The first format without differences. */
const UNCHANGED = 2;

/**
 * Read one line.
 *
 * @param {string} text Without its newline.
 * @param {number} [number] Of the line, for messages.
 * @param {boolean} [kept] Whether it is a line of a log, which hides nothing.
 * @param {number} [format] The one it is written in. The first one takes what any of them holds.
 * @returns {Line}
 */
export function readLine(text, number = 0, kept = false, format = 1) {
  try {
    const envelope = kept ? readEnvelope(text, format) : JSON.parse(text);
    if (!kept) mustFit(envelope);
    if (!kept && FRACTION.test(text)) mustHoldWholes(text, format);
    const { position, time, who = "", cause = "", hash, more = 0, audience = null, salt = "" } = envelope;
    const { known_to = null, mask = "", by = "", digest = "", readers = "", says = "" } = envelope;
    if (!envelope.event && !digest) throw new Unreadable("neither an event nor its digest");
    let found = envelope.event ? null : "";
    const written = () => (found ??= members(text).get("event") ?? "");
    const event = envelope.event ? readEvent(envelope.event, written, format) : null;
    if (event && "format" in event && (event.format > FORMAT || event.format < 1)) {
      throw new Unreadable(`format ${event.format} is not known here`);
    }
    const sender = { who, cause, known_to, mask, by };
    const whole = { position, time, ...sender, hash, more, audience, salt, event, digest, readers, says };
    return { ...whole, get text() { return written(); } };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof Unreadable)) throw error;
    throw new Unreadable(error instanceof Unreadable ? error.reason : error.message, number);
  }
}

/**
 * Read the envelope of a line of a log.
 *
 * @param {string} text
 * @param {number} [format] The one that its event is checked in, as the engine reads it; without it no event is checked.
 * @throws {Unreadable | SyntaxError | TypeError}
 */
function readEnvelope(text, format) {
  const envelope = JSON.parse(text);
  mustBeRead(text);
  const doubled = hasDoubled(text, envelope);
  for (const one of doubled ? readings(text) : [envelope]) {
    for (const name of SENT) delete one[name];
    mustFit(one);
    if (!("event" in one)) throw new Unreadable("event is missing");
  }
  if (doubled && format) mustReadAlike(text, format);
  for (const name of SENT) delete envelope[name];
  if (FRACTION.test(text)) mustHoldWholes(text, format);
  return envelope;
}

/**
 * Refuse events that the engine refuses since a key of theirs, or they themselves, stand twice: it reads each.
 *
 * @param {string} text
 * @param {number} format
 */
function mustReadAlike(text, format) {
  for (const one of eventsOf(text, format)) {
    const types = pairs(one).filter(([key]) => key === "type").map(([, type]) => JSON.parse(type));
    if (new Set(types).size > 1) throw new Unreadable("an event with two types");
    for (const event of readings(one)) readEvent(event ?? {}, null, format);
  }
}

/**
 * Refuse numbers with a fraction or an exponent, which the engine refuses even where they come to whole ones.
 *
 * @param {string} text
 * @param {number} [format] Without it no event is looked at.
 */
function mustHoldWholes(text, format) {
  for (const [name, one] of pairs(text)) if (NUMBERS.includes(name)) mustBeWhole("int", one);
  for (const one of format ? eventsOf(text, format) : []) {
    const { type } = JSON.parse(one) ?? {};
    if (EVENTS.has(type)) mustBeWhole(type, one);
  }
}

/**
 * Return the texts of a line's events that the engine reads as they stand: all, if there are several, but in format 1 only the last.
 *
 * @param {string} text
 * @param {number} format
 */
function eventsOf(text, format) {
  const found = pairs(text).filter(([name]) => name === "event").map(([, one]) => one);
  return format < UNCHANGED ? found.slice(-1).filter((one) => !isUpcast(JSON.parse(one), format)) : found;
}

/** Tell whether an event is one that format 1 wrote otherwise. @param {any} event @param {number} format */
const isUpcast = (event, format) => format < UNCHANGED && Object.hasOwn(UPCASTERS, event?.type);

/** @param {any} envelope @throws {Unreadable} Something of it is missing, or is not what it must be. */
function mustFit(envelope) {
  for (const name of envelope.by ? WORDS : [...WORDS, ...SENDER]) {
    if (typeof envelope[name] !== "string") throw new Unreadable(`${name} is missing`);
  }
  if (typeof envelope.position !== "number") throw new Unreadable("position is missing");
  const { more = 0 } = envelope;
  if (!Number.isSafeInteger(more) || more < 0) throw new Unreadable("more must be a number");
  for (const name of MARKS) if (name in envelope && typeof envelope[name] !== "string") throw new Unreadable(`${name} must be text`);
  for (const name of READERS) if ((envelope[name] ?? null) !== null) filled(["str"], envelope[name]);
}

/**
 * Read an event; its exact text is only looked for where something of it counts, which takes longer than all else.
 *
 * @param {any} parsed
 * @param {(() => string) | null} written
 * @param {number} format
 * @returns {AnyEvent}
 */
function readEvent(parsed, written, format) {
  if (isUpcast(parsed, format)) return readEvent(UPCASTERS[parsed.type](parsed), null, UNCHANGED);
  if (!EVENTS.has(parsed.type)) throw new Unreadable(`${parsed.type} is no event that is known here`);
  const { type } = parsed;
  return { type, ...(written && holdsRaw(type) ? read(type, written()) : filled(type, parsed)) };
}

/**
 * Read the envelope of a line that may be no UTF-8: the engine leaves bytes in an event, and in fields that it does not know, to later readers.
 *
 * @param {Split} line
 */
function readSplit(line) {
  const { text, isText } = line;
  const envelope = readEnvelope(text);
  for (const [name, one] of isText ? [] : pairs(text)) {
    if (KNOWN.has(name)) LINE.decode(Uint8Array.from(one, (byte) => byte.charCodeAt(0)));
  }
  return envelope;
}

/**
 * Tell whether a command ends with a line: not with an empty one; one that cannot be read is left to the reader.
 *
 * @param {Split} line
 */
function endsACommand(line) {
  if (line.isText && !line.text.replace(/^[ \t\r]+/, "")) return false;
  try {
    return !readSplit(line).more;
  } catch {
    return true;
  }
}

/** Return the format that the first line of a log says it is written in. @param {Split} line @returns {number} */
function formatOf({ text, isText }) {
  if (!isText) throw new Unreadable("this is no UTF-8 text", 1);
  const { event } = JSON.parse(text);
  if (event?.type !== "FightOpened") throw new Unreadable("a log begins with FightOpened", 1);
  return event.format;
}

/** @param {Split} line @throws {Unreadable} It is no line of a log. */
function mustBeginALog(line) {
  try {
    readSplit(line);
  } catch {
    throw new Unreadable(line.size ? "this is no log of a fight" : "the log is empty", 1);
  }
}

/**
 * Read the whole commands of a log.
 *
 * A last line without its line feed was never finished. It is left out, with the command that it belongs to. So are
 * empty lines behind the last command.
 *
 * @param {string | Uint8Array} log JSON Lines. Only bytes show what is no UTF-8.
 * @returns {{lines: Line[], torn: boolean}} The lines, and whether anything behind them was left out.
 * @throws {Unreadable} At the first line that cannot be read; or there is no whole command.
 */
export function readWhole(log) {
  const end = filledUpTo(log);
  const parts = split(typeof log === "string" ? log.slice(0, end) : log.subarray(0, end));
  mustBeginALog(parts[0] ?? { text: "", size: 0, isText: true });
  let torn = parts.pop()?.size !== 0 || end < log.length;
  for (; parts.length && !endsACommand(parts[parts.length - 1]); parts.pop()) torn = true;
  if (!parts.length) throw new Unreadable("the log holds no whole command", 1);
  parts.forEach(({ size }, index) => {
    if (size > LONGEST_LINE) throw new Unreadable(`a line may have at most ${LONGEST_LINE} bytes`, index + 1);
    if (size < SHORTEST_LINE) throw new Unreadable("the line is too short for an event", index + 1);
  });
  let format = formatOf(parts[0]);
  const lines = parts.map(({ text, isText }, index) => {
    if (!isText) throw new Unreadable("this is no UTF-8 text", index + 1);
    const line = readLine(text, index + 1, true, format);
    if (line.event?.type === "FormatRaised") {
      if (line.event.format <= format) throw new Unreadable(`format ${line.event.format} is no later one`, index + 1);
      format = line.event.format;
    }
    return line;
  });
  lines.forEach(({ position }, index) => {
    if (position !== index + 1) throw new Unreadable(`position ${position} where ${index + 1} was due`, index + 1);
  });
  return { lines, torn };
}

/** Read the whole commands of a log. @param {string | Uint8Array} log JSON Lines. @returns {Line[]} */
export const readLog = (log) => readWhole(log).lines;

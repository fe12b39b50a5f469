/** Reading the lines of a log, of whatever known format, and of a feed, which may hide what they hold. */

import { filled, holdsRaw, read, table, typedFields, Unreadable } from "./forms.js";
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
 * @property {string} who Who sent the command, as claimed; empty where that is hidden from us.
 * @property {string} cause Id of the command it belongs to; empty likewise.
 * @property {string} hash The chain.
 * @property {number} more How many events of the same command follow.
 * @property {string[] | null} audience Who may read the payload; null is everybody.
 * @property {string} salt Joins the payload's digest where it is hidden from somebody.
 * @property {string[] | null} known_to Who may know `who` and `cause`; null is everybody.
 * @property {string} mask Joins what stands for the two where they are hidden from somebody.
 * @property {string} by Where they are hidden from us: what stands for the two, the same for a whole command.
 * @property {AnyEvent | null} event The fact; null where it is hidden from us.
 * @property {string} digest Where it is hidden from us: of salt and payload.
 * @property {string} readers Where it is hidden from us: of salt and audience.
 * @property {string} says The event as a sentence, where a server sent the line; empty otherwise.
 * @property {string} text The payload exactly as it was written.
 */

/**
 * What older versions wrote otherwise; a type that changed its meaning also changed its name.
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

/** What only a server sends, in the place of what it hides; in a log it means nothing. */
const SENT = ["by", "digest", "readers", "says"];

/** A number that looks like a fraction, perhaps inside a text. */
const FRACTION = /(?:[[,]|":)\s*-?\d+(?:\.\d|[eE][-+\d])/;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/**
 * Read one line.
 *
 * @param {string} text Without its newline.
 * @param {number} [number] Of the line, for messages.
 * @param {boolean} [kept] Whether it is a line of a log, which hides nothing.
 * @returns {Line}
 */
export function readLine(text, number = 0, kept = false) {
  try {
    const envelope = kept ? readEnvelope(text, mustBeReadable) : JSON.parse(text);
    if (!kept) mustFit(envelope);
    if (FRACTION.test(text)) mustBeWhole(text, envelope.event);
    if (kept) mustHaveOneType(text, envelope.event?.type);
    const { position, time, who = "", cause = "", hash, more = 0, audience = null, salt = "" } = envelope;
    const { known_to = null, mask = "", by = "", digest = "", readers = "", says = "" } = envelope;
    if (!envelope.event && !digest) throw new Unreadable("neither an event nor its digest");
    let found = envelope.event ? null : "";
    const written = () => (found ??= members(text).get("event") ?? "");
    const event = envelope.event ? readEvent(envelope.event, written) : null;
    const sender = { who, cause, known_to, mask, by };
    const whole = { position, time, ...sender, hash, more, audience, salt, event, digest, readers, says };
    return { ...whole, get text() { return written(); } };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof Unreadable)) throw error;
    throw new Unreadable(error instanceof Unreadable ? error.reason : error.message, number);
  }
}

/**
 * Read the envelope of a line of a log, whatever its event is.
 *
 * @param {string} text
 * @param {(one: any) => void} [check] Refuses an event that cannot be read, where a key is doubled.
 * @throws {Unreadable | SyntaxError | TypeError}
 */
function readEnvelope(text, check = () => {}) {
  const envelope = JSON.parse(text);
  mustBeRead(text);
  for (const one of hasDoubled(text, envelope) ? readings(text) : [envelope]) {
    for (const name of SENT) delete one[name];
    mustFit(one);
    if (!("event" in one)) throw new Unreadable("event is missing");
    if (one !== envelope) check(one);
  }
  for (const name of SENT) delete envelope[name];
  if (FRACTION.test(text)) mustBeWhole(text, null);
  return envelope;
}

/** @param {any} envelope @throws {Unreadable} Its event is not what it must be. */
function mustBeReadable({ event }) {
  if (event && EVENTS.has(event.type)) filled(event.type, event);
}

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
 * Refuse a number with a fraction or an exponent, which the engine refuses even where it comes to a whole one.
 *
 * @param {string} text
 * @param {any} event
 */
function mustBeWhole(text, event) {
  const outside = pairs(text);
  const inside = event ? members(new Map(outside).get("event") ?? "{}") : new Map();
  const typed = EVENTS.has(event?.type) ? typedFields(event.type) : [];
  const counts = outside.filter(([name]) => NUMBERS.includes(name)).map(([, one]) => one);
  const numbers = [...counts, ...typed.map((name) => inside.get(name))];
  for (const one of numbers) {
    if (one !== undefined && /\d[.eE]/.test(one.replace(STRING, ""))) throw new Unreadable(`${one} where a whole number was due`);
  }
}

/**
 * Refuse an event with two types, which the engine reads as the first and JavaScript as the last.
 *
 * @param {string} text
 * @param {string} type
 */
function mustHaveOneType(text, type) {
  const first = `"event":{"type":"${type}"`;
  const at = text.indexOf(first);
  if (at >= 0 && !text.includes('"type":', at + first.length)) return; // that is nearly always so, and soon seen
  const types = pairs(members(text).get("event") ?? "{}").filter(([key]) => key === "type").map(([, one]) => one);
  if (new Set(types).size > 1) throw new Unreadable("an event with two types");
}

/**
 * Read an event; its exact text is only looked for where something of it counts, which takes longer than all else.
 *
 * @param {any} parsed
 * @param {(() => string) | null} written
 * @returns {AnyEvent}
 */
function readEvent(parsed, written) {
  const upcast = Object.hasOwn(UPCASTERS, parsed.type) ? UPCASTERS[parsed.type] : undefined;
  if (upcast) return readEvent(upcast(parsed), null);
  if (!EVENTS.has(parsed.type)) throw new Unreadable(`${parsed.type} is no event that is known here`);
  if (parsed.format > FORMAT || parsed.format < 1) throw new Unreadable(`format ${parsed.format} is not known here`);
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
  const lines = parts.map((line, index) => {
    if (!line.isText) throw new Unreadable("this is no UTF-8 text", index + 1);
    return readLine(line.text, index + 1, true);
  });
  lines.forEach(({ position }, index) => {
    if (position !== index + 1) throw new Unreadable(`position ${position} where ${index + 1} was due`, index + 1);
  });
  if (lines[0].event?.type !== "FightOpened") throw new Unreadable("a log begins with FightOpened", 1);
  return { lines, torn };
}

/** Read the whole commands of a log. @param {string | Uint8Array} log JSON Lines. @returns {Line[]} */
export const readLog = (log) => readWhole(log).lines;

/** Reading the lines of a log, of whatever known format, and of a feed, which may hide what they hold. */

import { filled, holdsRaw, read, table, Unreadable } from "./forms.js";
import { members } from "./scan.js";
import { EVENTS, FORMAT } from "./shapes.js";

export { FORMAT, Unreadable };

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

/**
 * Read one line.
 *
 * @param {string} text Without its newline.
 * @param {number} [number] Of the line, for messages.
 * @returns {Line}
 */
export function readLine(text, number = 0) {
  try {
    const envelope = JSON.parse(text);
    for (const name of envelope.by ? WORDS : [...WORDS, ...SENDER]) {
      if (typeof envelope[name] !== "string") throw new Unreadable(`${name} is missing`);
    }
    if (!Number.isSafeInteger(envelope.position)) throw new Unreadable("position is missing");
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
  if (parsed.format > FORMAT) throw new Unreadable(`format ${parsed.format} is later than those known here`);
  const { type } = parsed;
  return { type, ...(written && holdsRaw(type) ? read(type, written()) : filled(type, parsed)) };
}

/** Read a whole log. @param {string} text JSON Lines. @returns {Line[]} */
export function readLog(text) {
  const lines = text.replace(/\n$/, "").split("\n").map((line, index) => readLine(line, index + 1));
  lines.forEach(({ position }, index) => {
    if (position !== index + 1) throw new Unreadable(`position ${position} where ${index + 1} was due`, index + 1);
  });
  if (lines[0].event?.type !== "FightOpened") throw new Unreadable("a log begins with FightOpened", 1);
  const { more } = lines[lines.length - 1];
  if (more) throw new Unreadable(`${more} more events of its command are missing`, lines.length);
  return lines;
}

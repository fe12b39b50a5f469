/** The canonical JSON of a state: equal histories give equal digests. */

import { read, table, write } from "./forms.js";
import { members } from "./scan.js";
import { sha256 } from "./sha256.js";

/** @typedef {import("./types.d.ts").Whole<import("./types.d.ts").State>} State */

/**
 * Read a state, with defaults filled in.
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

/** Return the canonical JSON text of a state. @param {State} state @returns {string} */
export function encode(state) {
  return write("State", state);
}

/** The first format that holds features and marks as structs. */
const STRUCTURED = 6;

/** @param {any} one @param {string} [by] */
const joined = (one, by = ",") => (Array.isArray(one) ? one.join(by) : String(one ?? ""));

/** Return a feature as a trait of earlier formats. @param {any} feature */
function traitOf({ kind, of, parts }) {
  const { value = 0, skill, modes, tags, label } = parts;
  return [`${kind}:${of}`, ...(kind === "adds" ? [value, skill, modes, tags, label] : [])].map((one) => joined(one)).join("|");
}

/** Return a mark as earlier formats held it. @param {string} name @param {string} about @param {any} held @returns {[string, any]} */
function markOf(name, about, held) {
  const kind = name.replace(/ prompt$/, "");
  const key = kind !== name ? `prompt/${kind}:${about}` : about ? `${name}/${about}` : name;
  if (Array.isArray(held)) return [key, held.join(key === "blow" ? "+" : ";")];
  if (held === null || typeof held !== "object") return [key, held];
  if (key === "turn") return [key, `${held.round}/${held.who}`];
  if (name === "modifier") return [key, held.value ?? null];
  if (kind === name) return [key, JSON.stringify(held)];
  return [key, `${"who" in held ? joined(held.who, ">") : held.what ?? ""}|${held.rule ?? ""}`];
}

/** Return the source of a number as earlier formats held it. @param {any} one */
function sourceOf(one) {
  if (typeof one === "string") return one;
  if (one.to) return `${one.of}${one.of.includes(",") ? "|" : ">"}${one.to}`;
  return [one.of, one.name, one.about].filter(Boolean).join("/");
}

/** Return what the rules wait for, with the sources of its numbers as earlier formats held them. @param {any} one */
const withSources = (one) => one && { ...one, sources: one.sources.map(sourceOf) };

/** Return a question with fields named after combatants, as earlier formats held it. @param {any} one */
function questionOf(one) {
  const nameOf = ({ name, about }) => (name === "distance" || name === "stress" ? about : `${name}:${about}`);
  const fieldOf = (field) => (field.about ? { ...field, name: nameOf(field), about: "" } : field);
  return one && { ...withSources(one), options: one.options.map((option) => ({ ...option, fields: option.fields.map(fieldOf) })) };
}

/** Return a table of pairs of combatants as earlier formats held it. @param {any} rows @param {string} between @returns {any} */
function pairs(rows, between) {
  const found = table();
  for (const one of Object.keys(rows)) for (const other of Object.keys(rows[one])) found[`${one}${between}${other}`] = rows[one][other];
  return found;
}

/** Return a state as it was before formats held structs. @param {State} state @returns {State} */
function asThen(state) {
  const items = table(state.items);
  for (const [id, one] of Object.entries(items)) items[id] = { ...one, traits: [...one.traits, ...one.features.map(traitOf)], features: [] };
  const marks = table();
  for (const [owner, noted] of [...Object.entries(state.marks), ...Object.entries(state.mark_parts)]) {
    marks[owner] ??= table();
    for (const [name, by] of Object.entries(noted)) {
      for (const [about, held] of Object.entries(by)) {
        const [key, value] = markOf(name, about, held);
        marks[owner][key] = value;
      }
    }
  }
  const combatants = table(state.combatants);
  for (const [id, one] of Object.entries(combatants)) combatants[id] = { ...one, traits: one.traits.map((trait) => (typeof trait === "string" ? trait : traitOf(trait))) };
  const places = table(state.places);
  for (const [id, one] of Object.entries(places)) {
    const sides = one.side_traits.map(({ side, trait }) => `${trait}:${side}`);
    places[id] = { ...one, traits: [...one.traits, ...sides], side_traits: [] };
  }
  const postponed = state.postponed.map((one) => ({ question: questionOf(one.question), awaited: withSources(one.awaited) }));
  const clocks = table();
  for (const [owner, held] of Object.entries(state.clocks)) {
    for (const [clock, by] of Object.entries(held)) {
      for (const [about, value] of Object.entries(by)) clocks[[owner, about, clock].filter(Boolean).join("/")] = value;
    }
  }
  const distances = pairs(state.distances, "|"), views = pairs(state.views, ">");
  return { ...state, combatants, items, places, distances, views, clocks, marks, mark_parts: table(), question: questionOf(state.question), awaited: withSources(state.awaited), postponed };
}

/**
 * Return the engine's digest of a state: the SHA-256 of its canonical text without departed combatants, as hex.
 *
 * @param {State} state
 * @returns {string}
 */
export function digest(state) {
  const then = state.format < STRUCTURED ? asThen(state) : state;
  return sha256(encode({ ...then, departed: table(), format: 0 }));
}

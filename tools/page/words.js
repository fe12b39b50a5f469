// Words for ids and numbers, and what the words of the rules mean: the vocabulary of the fight's system, from its server.

import { signal } from "@preact/signals";
import { cellOf, cellSaid } from "./ground.js";

const vocabulary = signal({});

/** What places are: `squares`, `hexes` or `zones`. */
const kindOfPlaces = signal("");

/** Set the vocabulary of a rule system, and the kind of its places. */
export function speak(words, map) {
  vocabulary.value = words ?? {};
  kindOfPlaces.value = map ?? "";
}

/** Return the declaration of a word of the rules; an empty one if it is undeclared. */
export const word = (kind, name) => (Object.hasOwn(vocabulary.value[kind] ?? {}, name) ? vocabulary.value[kind][name] : {});

/** Return the names of a kind in the order in which they are declared. */
export const declared = (kind) => Object.keys(vocabulary.value[kind] ?? {});

/** Return the message of a problem as a sentence. */
export const problemSaid = (problem) => capital(problem.detail || problem.message);

/** Return the unit of distances and of movement costs. */
export const unitSaid = () => vocabulary.value.places?.unit ?? "";

/** Return the word for one place of the map. */
export const unitOfPlaces = () => vocabulary.value.places?.one ?? "place";

/** The tables to whose words a game master's rulings can add others. */
const MADE_UP = ["conditions", "purposes", "stats", "traits", "views"];

/** Whether a word of the rules is declared. */
const isDeclared = (kind, name) => Object.hasOwn(vocabulary.value[kind] ?? {}, name);

/** Return the label of a word of the rules. A word that a person made up is quoted. */
export const label = (kind, name) => isDeclared(kind, name) ? word(kind, name).label || said(name)
  : name && MADE_UP.includes(kind) ? quoted(said(name)) : wordSaid(name);

/** Return the label of a form field of an action, a ruling or a question. */
export const asksFor = (kind, name, field) => capital(word(kind, name).asks?.[field] ?? label("fields", field));

/** Return the declared names of a kind with a role, such as the pools with the role health. */
export const withRole = (kind, role) => Object.entries(vocabulary.value[kind] ?? {}).flatMap(([name, one]) => (one.role === role ? [name] : []));

/** Add the names that an event introduces. */
export function learn(names, event) {
  if (event.type === "Joined") names[event.who] = nameSaid(event.name);
  else if (event.type === "ItemAdded") names[event.item] = nameSaid(event.name);
  else if (event.type === "RelationSet" && event.kind === "group") names[event.relation] = groupSaid(event.relation, names);
}

/** Return a group's name: that of its side, of the combatant it is named after, or the words of its id. */
function groupSaid(group, names, sides = []) {
  const plain = (text) => text.toLowerCase().replaceAll("-", " ");
  const side = sides.find((one) => plain(one) === plain(group));
  const of = group.replace(/-group$/, "");
  if (side || of === group || !Object.hasOwn(names, of)) return `the ${nameSaid(side ?? group.replaceAll("-", " "))}`;
  return `${names[of]}'s group`;
}

/** Return the names of the combatants, items and groups of a state, by id. */
export function namesIn(state) {
  const names = { gm: "the game master" };
  for (const [id, item] of Object.entries(state.items ?? {})) names[id] = nameSaid(item.name);
  const people = Object.entries(state.combatants ?? {});
  for (const [id, one] of people) names[id] = nameSaid(one.name);
  const sides = people.map(([, one]) => one.side);
  for (const [id, one] of Object.entries(state.relations ?? {})) if (one.kind === "group" && !Object.hasOwn(state.combatants, id)) names[id] = groupSaid(id, names, sides);
  return names;
}

export const called = (names, id) => (Object.hasOwn(names, id) ? names[id] : idSaid(id));

/** Return who sent a command: the game master, a combatant, or else a person's own name, which is quoted. */
export const authorSaid = (who, names) => (Object.hasOwn(names, who) ? who : quoted(who));

/** Quote words of a person's own. Quotes inside become single ones, no two side by side; an accent without a letter is left out, and a voiced mark without a kana. */
export const quoted = (text) => `“${text.replace(DOUBLE, (one) => WITHIN[one]).replace(UNVOICED, "").replace(LOOSE, "").replace(RUN, "$1")}”`;

/** Characters that look like a double quote, and the single one that each becomes inside quotes. */
const WITHIN = {
  "“": "‘", "”": "’", "„": "‚", "‟": "‛", '"': "'", "＂": "＇", "〝": "‘", "〞": "’", "〟": "‚", "❝": "❛", "❞": "❜", "❠": "❟",
  "⹂": "‚", "\u{1f676}": "‘", "\u{1f677}": "’", "\u{1f678}": "‚", "\u02ee": "\u02bc", "\u02ba": "\u02b9",
  "\u2033": "\u2032", "\u2036": "\u2035", "\u05f4": "\u05f3", "\u3003": "\u2032",
  "\u02dd": "\u02ca", "\u02f5": "\u02cb", "\u02f6": "\u02ca", "\u1cd3": "\u02c8", "\u2034": "\u2032", "\u2037": "\u2035", "\u2057": "\u2032",
  "\u1fcd": "\u1fbf", "\u1fce": "\u1fbf", "\u1fdd": "\u1ffe", "\u1fde": "\u1ffe",
};
const DOUBLE = new RegExp(`[${Object.keys(WITHIN).join("")}]`, "gu");

/** Characters that look like a single quote, and spaces, joiners and selectors that do not part two of them; marks of kana. */
const SINGLES = "‘’‚‛'＇❛❜❟\u02bc\u02b9\u2032\u2035\u05f3\u02ca\u02cb\u02c8\u1fbf\u1ffe`´\u02bb\u02bd\u02be\u02f4\u0374\u055a\u055d\u0384\u07f4\u07f5\u1fbd\u1fef\u1ffd\ua78b\ua78c\uff40";
const NARROW = "\u2006\u2008\u2009\u200a\u202f";
const WIDTHLESS = "\u200b\u200c\u200d\u2060\ufe00-\ufe0f\ufeff";
const VOICED = "\u3099-\u309c\uff9e\uff9f";
const KANA = "\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\uff66-\uff9d";
const UNVOICED = new RegExp(`(?<![${KANA}])[${VOICED}]`, "gu");
const LOOSE = new RegExp(`(?<=[${SINGLES}])[\\p{M}${WIDTHLESS}]+|(?<![\\p{L}\\p{N}\\p{M}])(?:(?![${WIDTHLESS}])\\p{M})+`, "gu");
const RUN = new RegExp(`([${SINGLES}])[${SINGLES}${NARROW}]*[${SINGLES}]`, "gu");

/** Titles and initials before a name, whose full stops end no sentence. */
const TITLES = /^(?:(?:St|Dr|Mr|Mrs|Ms|Sgt|Lt|[A-Z])\.\s*)+/;
const OF_SENTENCES = /[:;,!?=|<>()[\]{}"]|\.(?:\s|$)|(?:^|\s)-|-(?:\s|$)/;

/** Marks of sentences and arrows beyond ASCII, but for apostrophes, hyphens and points that stand within a word. */
const MARKS = /(?![\x00-\x7f‘’·‧・･\u2010\u2011\u0387\u055a\u05be\u05f3\u05f4\u0f0b\uff07´])(?:[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pd}\p{Po}\p{Sm}\p{Sk}]|[\u02d0\u2190-\u21ff\u2500-\u257f\u2794-\u27bf\u2b00-\u2bff\uffe8-\uffec\u{1f800}-\u{1f8ff}])/u;

/** Return a name as it stands in a sentence: one with punctuation, brackets or arrows in it is quoted. */
export const nameSaid = (name) => (OF_SENTENCES.test(name.replace(TITLES, "")) || MARKS.test(name) ? quoted(name) : name);

const PLAIN = /^(?:[a-z0-9]+(?:[-_][a-z]+){0,3}|-?[0-9]+(?:,-?[0-9]+)*|[A-Z]{3}-[A-Z]?[0-9]+|(?:[0-9]*d)?[0-9]+(?:[-+](?:[0-9]*d)?[0-9]+)*)?$/;

/** Return an undeclared word of the rules as text. Anything that does not look like a word is quoted. */
export const wordSaid = (word) => (PLAIN.test(word) ? said(word) : quoted(said(word)));

/** Return an id as text. An id with a blank, a capital or punctuation is quoted, since a person wrote it. */
export const idSaid = (id) => {
  const plain = id.replace(/[-:/#@|>+,]/g, "");
  return plain === plain.toLowerCase() && !/\s/.test(id) && nameSaid(plain) === plain ? id : quoted(id);
};

/** Return the label of a number that is added; one that a game master gave it is quoted. */
export function termSaid({ label: named, source = "" }) {
  if (named !== "ruling" && (source === "gm" || source.name === "modifier" || String(source).includes("/modifier/"))) return quoted(named);
  return isDeclared("purposes", named) ? label("purposes", named) : named.includes("_") ? wordSaid(named) : nameSaid(named);
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const plain = (number) => (number < 0 ? `−${-number}` : String(number));
export const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);
/** Return an undeclared text of the rules, such as the label of a modifier, with blanks for underscores. */
export const said = (text) => String(text).replaceAll("_", " ");

/** Whether places are cells of a grid. */
export const inCells = () => ["squares", "hexes"].includes(kindOfPlaces.value);

/** Return the cell of a place; nothing for a zone, whatever its name. */
const cellAt = (place) => (inCells() ? cellOf(place) : null);

/** Return a place as text: the numbers of a cell, or the name of a zone. */
export const placeSaid = (place) => (cellAt(place) ? cellSaid(cellAt(place)) : nameSaid(said(place).replaceAll("-", " ")));

/** Return places as a person types them: cells as text, zones by their ids. */
export const placesTyped = (places) => [places ?? []].flat().map((place) => (cellAt(place) ? cellSaid(cellAt(place)) : String(place))).join("; ");

/** Return the ids of typed places. Cells can be typed by id or as the page prints them. */
export const placesMeant = (typed) => typed.split(inCells() ? /;|(?<!,)\s+(?=[WN+-]?\d)/i : /[;,]/).map((place) => place.trim()).filter(Boolean)
  .map((place) => cellAt(place)?.join() ?? place);

/** Whether a value is the ids of cells, or of one. */
export const areCells = (value) => [value].flat().length > 0 && [value].flat().every((one) => typeof one === "string" && cellAt(one));

/** Return the labels of a place's traits, and of those of its sides. */
export const traitsOf = ({ traits, side_traits }) => [...traits.map((trait) => label("traits", trait)),
  ...side_traits.map(({ trait }) => `${label("traits", trait)}, on one side`)];

export const topic = (about) => about.split(":")[0];

export function series(parts, last = "and") {
  const all = [...parts];
  if (!all.length) return "nobody";
  const end = all.pop();
  return all.length ? `${all.join(", ")} ${last} ${end}` : end;
}

/** Return the purpose of a roll: `for attack`, `at the brink`. */
export const purposeSaid = (name) => word("purposes", topic(name)).says || `for ${label("purposes", topic(name))}`;

export const borne = (condition, count) => (count === 1 ? label("conditions", condition) : `${label("conditions", condition)} ${count}`);

/** Return the outcome of a roll: `a hit by 2`, `dies`. */
export const outcomeSaid = (event) =>
  (word("outcomes", event.outcome).says || label("outcomes", event.outcome))
    .replace(/\[(.*)\]/, event.margin && !event.rolled ? "$1" : "").replace("{margin}", Math.abs(event.margin)) +
  (event.rolled ? " by ruling" : "");

/** Return a parameter's value as text. */
export function valueSaid(value, names, actor = "") {
  if (Array.isArray(value)) return series(value.map((one) => valueSaid(one, names, actor)));
  if (typeof value === "number") return plain(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value !== null && typeof value === "object") return Object.values(value).map((one) => valueSaid(one, names, actor)).join(", ");
  const parts = value.split("+");
  if (parts.length > 1 && parts.every((one) => Object.hasOwn(names, one))) return series(parts.map((one) => names[one]));
  return names[`${actor}.${value}`] ?? (Object.hasOwn(names, value) ? names[value] : PLAIN.test(value) ? said(value) : idSaid(value));
}

export const diceWanted = (dice) => series(dice.map((one) => `${one.count}d${one.sides}`));

// From the many ways to declare something down to one: what is still open, and what one's picks leave over.

import { capital, label, placeSaid, said, valueSaid } from "./words.js";

const ORDER = ["target", "to", "path", "weapon", "skill", "spell", "item", "what"];
const NONE = "";

/** Group declarations by who makes them, in the order in which they are offered. */
export function byActor(declarations) {
  const found = new Map();
  for (const one of declarations) {
    const { actor, kind, manner = "standard" } = one.intent;
    const key = `${kind}|${manner}`;
    if (!found.has(actor)) found.set(actor, new Map());
    const kinds = found.get(actor);
    if (!kinds.has(key)) kinds.set(key, { key, kind, manner, says: one.says, offers: [] });
    kinds.get(key).offers.push(one);
  }
  return found;
}

/** Return how a kind of action is said on its button. */
export function kindSaid(group) {
  const verb = capital(label("actions", group.kind));
  return group.manner === "standard" ? verb : `${verb} (${label("manners", group.manner)})`;
}

/** Return a parameter of an offer as text that can be compared; nothing where it is left out. */
export function pickOf(offer, name) {
  const value = offer.intent.params?.[name];
  if (value === undefined || value === null) return NONE;
  return name === "path" ? String(value.at(-1)) : JSON.stringify(value);
}

/** Return the parameters that offers differ in. */
export function openFields(offers) {
  const names = [...new Set(offers.flatMap((one) => Object.keys(one.intent.params ?? {})))];
  const open = names.filter((name) => new Set(offers.map((one) => pickOf(one, name))).size > 1);
  const rank = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return open.sort((one, other) => rank(one) - rank(other));
}

/** Return the offers that one's picks leave over. */
export function remaining(offers, picks) {
  return offers.filter((one) => [...picks].every(([name, pick]) => pickOf(one, name) === pick));
}

/** Return picks with one more; earlier ones that do not go with it are given up. */
export function picked(offers, picks, name, pick) {
  const kept = new Map([[name, pick]]);
  for (const [other, value] of [...picks].reverse()) {
    if (other !== name && remaining(offers, new Map(kept).set(other, value)).length) kept.set(other, value);
  }
  return kept;
}

/** Return picks with what goes without saying: what may be left out is, and what has one value left is that. */
export function settled(offers, picks) {
  let all = new Map(picks);
  for (const name of openFields(offers)) {
    if (all.has(name)) continue;
    const values = new Set(remaining(offers, all).map((one) => pickOf(one, name)));
    if (values.size === 1) all.set(name, [...values][0]);
    else if (values.has(NONE)) all.set(name, NONE);
  }
  return all;
}

/** Return a pick for people. */
export function pickSaid(offers, name, pick, names, actor) {
  if (pick === NONE) return "none";
  if (name === "path") return capital(placeSaid(pick));
  const found = offers.find((one) => pickOf(one, name) === pick);
  const value = found.intent.params[name];
  return typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).map(([key, part]) => `${said(key)} ${valueSaid(part, names, actor)}`).join(", ")
    : capital(valueSaid(value, names, actor));
}

// What the server offers, told apart: who may act, what a field might be, what is wanted next, which ways lead where.

import { capital, label, placeSaid, valueSaid, word } from "./words.js";

/** Return who may act, those who are up first, each with the manners in which they may. */
export function byActor(actors, acting) {
  const found = new Map(acting.filter((who) => actors.some((one) => one.who === who)).map((who) => [who, []]));
  for (const { who, manner } of actors) found.set(who, [...(found.get(who) ?? []), manner]);
  return found;
}

/** Return how a kind of action is said on its button. */
export function kindSaid({ kind, manner }) {
  const verb = capital(label("actions", kind));
  return manner === "standard" ? verb : `${verb} (${label("manners", manner)})`;
}

/** Return how something that can be done to somebody is said: with what goes without saying, where it is not as usual. */
export function deedSaid(one, names, actor) {
  const told = one.fields.filter(({ field, usual, chosen }) => field !== one.aims && usual === undefined && chosen !== undefined && chosen !== "" && chosen !== null);
  return [kindSaid(one), told.map((field) => pickSaid(field, field.chosen, names, actor)).join(", ")].filter(Boolean).join(": ");
}

/** Return a value as text that can be compared. */
export const pickOf = (value) => JSON.stringify(value);

/** Return the values of a field that are possible. */
export const possible = (field) => field.choices.filter((one) => !one.refused);

/** Return the field that is still to be chosen, if there is one. */
export const wanted = (fields) => fields.find((one) => one.chosen === undefined);

/** Return the field whose values name such things, such as `combatant`: the one to be chosen next, or the first. */
export function naming(fields, names) {
  const those = fields.filter((one) => one.names === names && possible(one).length);
  return wanted(those) ?? those[0];
}

/** Whether fields of these names are how one goes somewhere. */
export const leads = (names = []) => ["path", "to"].some((one) => names.includes(one));

/** Return where a value leads that names a place, or several on the way there. */
export const goalOf = (value) => (Array.isArray(value) ? value.at(-1) : value);

/** Return a way that the server foresees: where it leads, over which places, at what cost, and whom it provokes. */
export function walked({ to, intent, prospect }) {
  const path = Object.values(intent.params ?? {}).find(Array.isArray) ?? to;
  return { to, path, intent, cost: prospect.way || null, provokes: prospect.provokes ?? [] };
}

/** Return per place the ways that lead there: those that provoke the fewest first, and of them the shortest. */
export function routesOf(ways) {
  const routes = Map.groupBy(ways.filter((one) => one.to), (one) => one.to);
  const worse = (one) => (one.provokes?.length ?? 0) * 1000 + (one.cost ?? (Array.isArray(one.path) ? one.path.length : 1));
  for (const those of routes.values()) those.sort((one, other) => worse(one) - worse(other));
  return routes;
}

/** Whether a field leaves no choice. */
export const alone = (field) => possible(field).length === 1 && !field.open;

/** Whether everything went without saying: there is only one way to do it. */
export const settled = (fields, whole) => Boolean(whole) && fields.every(alone);

/** Whether nothing behind some fields leaves a choice. */
export const lastChoice = (fields, after) => fields.slice(after).every(alone);

/** Return what was chosen of some fields. */
export const chosenOf = (fields) => Object.fromEntries(fields.map((one) => [one.field, one.chosen]));

/** Return what is refused by reason, each with the values or kinds that it stands against. */
export function byReason(refused) {
  const found = new Map();
  for (const one of refused) {
    const reason = `${one.refused.rule}|${one.refused.message}`;
    if (!found.has(reason)) found.set(reason, { refused: one.refused, those: [] });
    found.get(reason).those.push(one);
  }
  return [...found.values()];
}

/** Return a value for people. */
export function pickSaid({ names: what }, value, names, actor) {
  if (value === "" || value === null || (Array.isArray(value) && !value.length)) return "none";
  if (what === "place") return capital(placeSaid(goalOf(value)));
  if (!what && word("options", value).label) return capital(label("options", value));
  return capital(valueSaid(value, names, actor));
}

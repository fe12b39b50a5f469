// Helpers for the server's offers: acting combatants, possible values, the next field, and routes.

import { capital, label, placeSaid, valueSaid, word } from "./words.js";

/** Return the combatants that may act, the active ones first, each with the manners of their actions. */
export function groupByActor(actors, acting) {
  const found = new Map(acting.filter((who) => actors.some((one) => one.who === who)).map((who) => [who, []]));
  for (const { who, manner } of actors) found.set(who, [...(found.get(who) ?? []), manner]);
  return found;
}

/** Return the label of an action's button. */
export function describeAction({ kind, manner }) {
  const verb = capital(label("actions", kind));
  return manner === "standard" ? verb : `${verb} (${label("manners", manner)})`;
}

/** Return the label of an action against a target, with the preset values that are not the default. */
export function describeTargetedAction(one, names, actor) {
  const told = one.fields.filter(({ field, usual, chosen }) => field !== one.aims && usual === undefined && chosen !== undefined && chosen !== "" && chosen !== null);
  return [describeAction(one), told.map((field) => describeChoice(field, field.chosen, names, actor)).join(", ")].filter(Boolean).join(": ");
}

/** Return a value as text for comparison. */
export const pickOf = (value) => JSON.stringify(value);

/** Return the possible values of a field. */
export const possible = (field) => field.choices.filter((one) => !one.refused);

/** Return the first field without a chosen value, if there is one. */
export const wanted = (fields) => fields.find((one) => one.chosen === undefined);

/** Return the field whose values name a kind of thing, such as `combatant`: the next one to choose, or the first. */
export function naming(fields, names) {
  const those = fields.filter((one) => one.names === names && possible(one).length);
  return wanted(those) ?? those[0];
}

/** Whether one of these field names is the destination of a move. */
export const leads = (names = []) => ["path", "to"].some((one) => names.includes(one));

/** Return the destination of a value that is a place or a path. */
export const goalOf = (value) => (Array.isArray(value) ? value.at(-1) : value);

/** Return a previewed move as a route: its destination, path, cost, and the combatants that it provokes. */
export function toRoute({ to, intent, prospect }) {
  const path = Object.values(intent.params ?? {}).find(Array.isArray) ?? to;
  return { to, path, intent, cost: prospect.way || null, provokes: prospect.provokes ?? [] };
}

/** Group routes by destination, and sort them by provoked combatants, then by cost. */
export function groupRoutes(ways) {
  const routes = Map.groupBy(ways.filter((one) => one.to), (one) => one.to);
  const worse = (one) => (one.provokes?.length ?? 0) * 1000 + (one.cost ?? (Array.isArray(one.path) ? one.path.length : 1));
  for (const those of routes.values()) those.sort((one, other) => worse(one) - worse(other));
  return routes;
}

/** Whether a field has only one possible value. */
export const alone = (field) => possible(field).length === 1 && !field.open;

/** Whether an action is complete and has no choice left. */
export const settled = (fields, whole) => Boolean(whole) && fields.every(alone);

/** Whether no field after an index leaves a choice. */
export const lastChoice = (fields, after) => fields.slice(after).every(alone);

/** Return the chosen values by field. */
export const chosenOf = (fields) => Object.fromEntries(fields.map((one) => [one.field, one.chosen]));

/** Group refused values or actions by reason. */
export function groupByReason(refused) {
  const found = new Map();
  for (const one of refused) {
    const reason = `${one.refused.rule}|${one.refused.message}`;
    if (!found.has(reason)) found.set(reason, { refused: one.refused, those: [] });
    found.get(reason).those.push(one);
  }
  return [...found.values()];
}

/** Return a field's value as text. */
export function describeChoice({ names: what }, value, names, actor) {
  if (value === "" || value === null || (Array.isArray(value) && !value.length)) return "none";
  if (what === "place") return capital(placeSaid(goalOf(value)));
  if (!what && word("options", value).label) return capital(label("options", value));
  return capital(valueSaid(value, names, actor));
}

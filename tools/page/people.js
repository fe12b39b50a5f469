// Everybody in the fight, by side: bars or bands, conditions, what is in hand.

import { h } from "./dom.js";
import { borne, called, capital, diceWanted, label, placeSaid, purposeSaid, series, withRole, word } from "./words.js";

const FEW = 4;

/** Return the sides in the order they joined. */
function sidesOf(state) {
  return [...new Set(Object.values(state.combatants).map((one) => one.side))];
}

/** Return the number that gives a side its colour, 1 to 6. */
export function hueOf(state, side) {
  return (sidesOf(state).indexOf(side) % 6) + 1;
}

/** Return the pool that says how somebody fares; nothing where a system has none. */
export function vitalOf(combatant, band = {}) {
  return withRole("pools", "health").find((one) => one in combatant.pools || one in band);
}

/** Return the most there can be in a counter of somebody; nothing where that is not known. */
export const mostOf = (combatant, pool) => combatant.stats[word("pools", pool).most];

/** Return the counters worth showing: those that somebody has neither at nothing nor at their most. */
function tellingPools(people) {
  const pools = [...new Set(people.flatMap((one) => Object.keys(one.pools)))];
  return pools.filter((pool) => pools.length <= FEW || people.some((one) =>
    pool in one.pools && ![0, mostOf(one, pool) ?? 0].includes(one.pools[pool])));
}

/**
 * Return the sections of all sides.
 *
 * chosen: ids shown as chosen. choose: what a click on a name does, if anything; yours: ids that are marked as one's own.
 */
export function people(state, { bands = {}, yours = [], targets = null, choose = null } = {}) {
  const everybody = Object.values(state.combatants);
  const pools = tellingPools(everybody);
  return sidesOf(state).map((side) => {
    const members = everybody.filter((one) => one.side === side);
    return h("section", { class: "side", data: { hue: hueOf(state, side) }, "aria-label": `The ${side}` },
      h("h3", {}, `The ${side}`),
      h("ul", { class: "people" }, members.map((one) =>
        person(state, one, { band: bands[one.id] ?? {}, pools, own: yours.includes(one.id), targets, choose }))));
  });
}

function person(state, one, { band, pools, own, targets, choose }) {
  const vital = vitalOf(one, band);
  const up = state.acting.includes(one.id) && !state.ended;
  const target = targets?.has(one.id);
  const name = target
    ? h("button", { type: "button", class: "name pick", data: { key: `pick-${one.id}` }, "aria-label": `Choose ${one.name}`,
      onclick: () => choose(one.id) }, one.name)
    : h("span", { class: "name" }, one.name);
  return h("li", { class: `person${up ? " up" : ""}${target ? " target" : ""}`, data: { who: one.id } },
    h("div", { class: "line" },
      name,
      up ? h("span", { class: "tag turn" }, "up") : null,
      own ? h("span", { class: "tag" }, "yours") : null,
      state.concealed.includes(one.id) ? h("span", { class: "tag", title: "Nobody else knows of them" }, "hidden") : null,
      h("span", { class: "place" }, placeSaid(one.place))),
    vital ? bar(one, vital, band[vital], vital in (state.veiled[one.id] ?? {})) : null,
    h("p", { class: "details" }, details(state, one, pools.filter((pool) => pool !== vital), band)),
    chips(one));
}

function bar(one, pool, band, veiled) {
  const value = one.pools[pool];
  if (value === undefined) return h("div", { class: "vital" }, h("span", { class: "band", data: { band } }, band ?? "unknown"));
  const most = Math.max(mostOf(one, pool) ?? 0, value, 1);
  const inner = h("span", { class: "filled" });
  inner.style.width = `${Math.max(0, Math.min(100, (100 * value) / most))}%`;
  const level = 2 * value > most ? "good" : 4 * value > most ? "fair" : "poor";
  return h("div", { class: "vital" },
    h("div", { class: `bar ${level}`, role: "meter", "aria-label": `${one.name}, ${label("pools", pool)}`, "aria-valuemin": 0,
      "aria-valuemax": most, "aria-valuenow": value, "aria-valuetext": `${value} of ${most}` }, inner),
    h("span", { class: "number" }, `${value}`, h("small", {}, `/${most} ${label("pools", pool)}`)),
    veiled ? h("span", { class: "tag", title: "Others see no number, only how they fare" }, "shown roughly") : null);
}

function details(state, one, pools, band) {
  const counters = pools.filter((pool) => pool in one.pools || pool in band).map((pool) => {
    if (!(pool in one.pools)) return `${label("pools", pool)} ${band[pool]}`;
    const most = mostOf(one, pool);
    return `${label("pools", pool)} ${one.pools[pool]}${most ? `/${most}` : ""}${pool in (state.veiled[one.id] ?? {}) ? " (shown roughly)" : ""}`;
  });
  const own = Object.values(state.items).filter((item) => item.owner === one.id);
  const held = own.filter(inHand).map(heldSaid);
  const dice = own.filter((item) => item.base && !inHand(item))
    .map((item) => `${item.name} ${item.die ? `d${item.die}` : "destroyed"}${item.die && item.die !== item.base ? ` of d${item.base}` : ""}`);
  return [counters.join(" · "), held.join(", "), dice.join(" · ")].filter(Boolean)
    .map((text) => h("span", {}, text));
}

const inHand = (item) => word("positions", item.where).role === "hand";

function heldSaid(item) {
  const counters = Object.entries(item.counters).map(([name, value]) =>
    word("counters", name).role === "flag" ? `${value ? "" : "not "}${label("counters", name)}` : `${label("counters", name)} ${value}`);
  const all = [...(item.die ? [`d${item.die}`] : []), ...counters];
  return all.length ? `${item.name} (${all.join(", ")})` : item.name;
}

function chips(one) {
  const conditions = Object.entries(one.conditions);
  if (!conditions.length) return null;
  return h("ul", { class: "chips", "aria-label": `Conditions of ${one.name}` }, conditions.map(([name, sources]) =>
    h("li", { class: "chip" }, borne(name, Object.values(sources).reduce((sum, count) => sum + count, 0)))));
}

/** Return the turn order as a list; the slot that is up is marked. */
export function order(state, names) {
  if (!state.slots.length) return null;
  return h("ol", { class: "order", "aria-label": "Turn order" }, state.slots.map((slot) => {
    const up = slot.id === state.up && state.acting.length > 0 && !state.ended;
    return h("li", { class: up ? "up" : "", "aria-current": up ? "true" : null },
      capital(called(names, slot.id)), slot.score ? h("small", {}, ` ${slot.score}`) : null);
  }));
}

/** Return in one line whose turn it is or who is awaited. */
export function standing(state, names, phase) {
  if (state.question) return `${capital(series(state.question.of.map((who) => called(names, who)), "or"))} must answer`;
  if (state.awaited) {
    const { by, dice, purpose } = state.awaited;
    return `${capital(called(names, by))} must throw ${diceWanted(dice)} ${purposeSaid(purpose)}`;
  }
  if (state.ended) return `The fight is over, won by ${state.victors ? `the ${state.victors}` : "nobody"}`;
  if (state.window) {
    return `${capital(series(state.window.to.map((who) => called(names, who)), "or"))} may ${label("triggers", state.window.what)} or pass`;
  }
  if (state.acting.length) {
    const whose = series(state.acting.map((who) => called(names, who)));
    return `${capital(whose)} ${state.acting.length === 1 ? "is" : "are"} up`;
  }
  return capital(label("phases", phase));
}

/**
 * The fold: a handler for each event type computes the next state, for every rule system. It never refuses or rolls.
 *
 * States are immutable: a handler returns the changed parts, and the rest is shared.
 */

import { readState } from "./canonical.js";
import { table, Unreadable } from "./forms.js";
import { ABOUT_THE_RECORD } from "./shapes.js";

/** @typedef {import("./types.d.ts").Whole<import("./types.d.ts").State>} State */
/** @typedef {import("./types.d.ts").Whole<import("./types.d.ts").AnyEvent>} AnyEvent */
/** @typedef {(state: State, event: any) => Partial<State>} Handler */

/** The state before anything happened. @type {State} */
export const EMPTY = readState("{}");

/** @param {Record<string, any>} all @param {string} key */
function without(all, key) {
  const rest = table(all);
  delete rest[key];
  return rest;
}

/** @param {Record<string, any>} all @param {string} key @param {any} value */
function having(all, key, value) {
  const more = table(all);
  more[key] = value;
  return more;
}

/** Write a value into a table of tables, or take it away; a table that is empty is left out. @param {Record<string, any>} all @param {string[]} keys From the outermost table. @param {any} value */
function written(all, [key, ...inner], value) {
  const kept = inner.length ? written(all[key] ?? table(), inner, value) : value;
  return kept === null || (inner.length && !Object.keys(kept).length) ? without(all, key) : having(all, key, kept);
}

/** @param {Record<string, any>} all @param {string} key @param {object} fields */
function changed(all, key, fields) {
  if (!(key in all)) throw new Unreadable(`nothing is known of ${key}`);
  return having(all, key, { ...all[key], ...fields });
}

/** @param {State} state @param {string} who @param {object} fields */
function combatant(state, who, fields) {
  return { combatants: changed(state.combatants, who, fields) };
}

/** @param {State} state @param {string} who */
function known(state, who) {
  if (!(who in state.combatants)) throw new Unreadable(`nothing is known of ${who}`);
  return state.combatants[who];
}

/** @param {State} state @param {string} key @param {number} [count] One more than before, if not given. */
function counted(state, key, count = (state.counts[key] ?? 0) + 1) {
  return { counts: having(state.counts, key, count) };
}

/** The suffix of a ruling's kind that has its own numbering. */
const APART = ".apart";

/** Under which key an actor's declarations are numbered. @param {State} state @param {string} actor @param {string} kind */
function counter(state, actor, kind) {
  return state.dice_scheme > 1 ? `${actor}/${kind}.` : actor;
}

/** The id of what is asked or awaited. @param {Pick<State, "question" | "awaited">} of @returns {string} */
const waitsFor = ({ question, awaited }) => question?.id ?? awaited?.roll ?? "";

/** Put what is asked or awaited beneath what is asked or awaited now under another id. @param {State} state @param {string} id */
function postponing({ question, awaited, postponed }, id) {
  const beneath = !["", id].includes(waitsFor({ question, awaited }));
  return { question: null, awaited: null, postponed: beneath ? [...postponed, { question, awaited }] : postponed };
}

/** Take away what is asked or awaited under an id; what was beneath it comes back. @param {State} state @param {string} id */
function waitingNoMore(state, id) {
  const { postponed } = state;
  if (waitsFor(state) !== id) return { postponed: postponed.filter((one) => waitsFor(one) !== id) };
  return { question: null, awaited: null, ...postponed.at(-1), postponed: postponed.slice(0, -1) };
}

/** @type {Handler} */
const nothing = () => ({});

/** @type {Handler} */
const left = ({ stack, phases }, { item }) => ({
  stack: stack.at(-1)?.id === item ? stack.slice(0, -1) : stack.filter((one) => one.id !== item),
  phases: without(phases, item),
});

/** The events that leave the state unchanged. */
const TELLING = ["Rolled", "Judged", "Damaged", "Passed", "Noted", "Released", "AttemptRefused", ...ABOUT_THE_RECORD];

/** Tell whether two traits are the same: words, or features. @param {any} one @param {any} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What each type of event does. @type {Record<string, Handler>} */
export const HANDLERS = {
  ...Object.fromEntries(TELLING.map((type) => [type, nothing])),

  // the record and its dice
  FightOpened: (_, { fight, system, version, config, dice_scheme, format }) => ({ fight, system, version, config, dice_scheme, format }),
  DiceRenewed: (_, event) => ({ dice_generation: event.generation }),
  DiceSourceSet: (state, event) => (event.side
    ? { side_dice: having(state.side_dice, event.side, event.source) }
    : { dice_sources: having(state.dice_sources, event.owner, event.source) }),
  PlayerUndoSet: (_, event) => ({ player_undo: event.rule }),
  DiceAwaited: (state, { roll, by, purpose, dice, sources }) => ({
    ...postponing(state, roll), awaited: { roll, by, purpose, dice, sources },
  }),
  DiceEntered: (state, event) => waitingNoMore(state, event.roll),

  // the course of the fight
  PhaseEntered: (state, event) => ({ phases: having(state.phases, event.item, event.phase) }),
  RoundBegan: (_, event) => ({ round: event.round, counts: table() }),
  OrderSet: (_, event) => ({ slots: event.slots }),
  TurnBegan: (state, event) => ({
    up: event.slot,
    acting: event.members,
    ...(event.adds ? {} : counted(state, `${event.slot}/turn`)),
  }),
  MemberDone: (state, event) => ({ acting: state.acting.filter((who) => who !== event.who) }),
  TurnEnded: () => ({ acting: [] }),
  WindowOpened: (state, event) => ({
    window: { id: event.window, to: event.to, what: event.what },
    ...counted(state, event.window.split("#", 1)[0], event.nth),
  }),
  OfferDeclined: ({ window }, event) => {
    if (window === null || window.id !== event.window) return {};
    const nth = window.to.indexOf(event.who);
    return { window: { ...window, to: window.to.filter((_, index) => index !== nth) } };
  },
  WindowClosed: () => ({ window: null }),
  FightEnded: (_, event) => ({ ended: true, victors: event.victors, allied_victors: event.allies }),
  FightReopened: () => ({ ended: false, victors: "", allied_victors: [] }),

  // what is declared, asked and pending
  Declared: (state, event) => counted(state, counter(state, event.actor, event.kind)),
  Attempted: (state, event) => counted(state, `${event.actor}/attempt`),
  Ruled: (state, event) => counted(state, counter(state, "gm", event.apart ? event.kind + APART : event.kind)),
  Stacked: (state, { item, actor, kind, params, manner, tags, targets, confided, at, nth }) => ({
    stack: state.stack.toSpliced(at, 0, { id: item, actor, kind, params, manner, tags, targets, confided }),
    ...counted(state, counter(state, actor, item.includes(APART) ? kind + APART : kind), nth),
  }),
  Resolved: left,
  Fizzled: left,
  Dropped: left,
  Asked: (state, { question, of, about, options, sources }) => ({
    ...postponing(state, question), question: { id: question, of, about, options, sources },
  }),
  Answered: (state, event) => waitingNoMore(state, event.question),
  Withdrawn: (state, event) => waitingNoMore(state, event.what),
  AskingSet: ({ standing, stops, patience }, { who, ask, what, seconds }) => (who === "*" ? {
    stops: having(stops, what, ask),
    patience: what ? patience : seconds,
  } : {
    standing: ask === "always" ? without(standing, who) : having(standing, who, ask),
  }),

  // combatants
  Joined: (state, { who, name, side, stats, traits, pools, place }) => ({
    combatants: having(state.combatants, who, {
      id: who, name, side, stats, traits, pools, conditions: table(), endings: table(), place,
    }),
    departed: without(state.departed, who),
  }),
  Left: (state, { who }) => ({
    combatants: without(state.combatants, who), departed: having(state.departed, who, known(state, who)),
  }),
  SideChanged: (state, event) => combatant(state, event.who, { side: event.after }),
  StatChanged: (state, event) =>
    combatant(state, event.who, { stats: having(known(state, event.who).stats, event.stat, event.after) }),
  TraitChanged: (state, event) => {
    const rest = known(state, event.who).traits.filter((trait) => !isSame(trait, event.trait));
    return combatant(state, event.who, { traits: event.present ? [...rest, event.trait] : rest });
  },
  PoolChanged: (state, event) =>
    combatant(state, event.who, { pools: having(known(state, event.who).pools, event.pool, event.after) }),
  ConditionChanged: (state, { who, condition, source, after, ends }) => {
    const { conditions, endings } = known(state, who);
    return combatant(state, who, {
      conditions: written(conditions, [condition, source], after || null),
      endings: written(endings, [condition, source], after ? ends : null),
    });
  },
  Moved: (state, event) => combatant(state, event.who, { place: event.after }),

  // items, places, relations, marks, clocks
  ItemAdded: (state, { item, name, kind, owner, where, stats, traits, features, counters, die, base }) => ({
    items: having(state.items, item, { id: item, name, kind, owner, where, stats, traits, features, counters, die, base }),
  }),
  ItemCounted: ({ items }, { item, counter, after }) => ({
    items: changed(items, item, { counters: having(items[item]?.counters ?? {}, counter, after) }),
  }),
  ItemMoved: (state, event) => ({
    items: changed(state.items, event.item, { owner: event.owner, where: event.after }),
  }),
  DieStepped: (state, event) => ({ items: changed(state.items, event.item, { die: event.after }) }),
  ItemRemoved: ({ items }, { item }) => ({ items: without(changed(items, item, {}), item) }),
  DistanceSet: (state, event) => ({ distances: written(state.distances, event.pair, event.after) }),
  ViewSet: (state, event) => ({ views: written(state.views, [event.viewer, event.target], event.after) }),
  PlaceSet: (state, { place, traits, exits, side_traits }) => ({
    places: having(state.places, place, { id: place, traits, exits, side_traits }),
  }),
  RelationSet: ({ relations }, { relation, kind, members }) => ({
    relations: members.length
      ? having(relations, relation, { id: relation, kind, members })
      : without(relations, relation),
  }),
  MarkSet: ({ marks, mark_parts }, { owner, key, about, value, parts }) => {
    const keys = [owner, key, about];
    if (Object.keys(parts).length) return { mark_parts: written(mark_parts, keys, parts) };
    if (value === null && mark_parts[owner]?.[key]?.[about]) return { mark_parts: written(mark_parts, keys, null) };
    return { marks: written(marks, keys, value) };
  },
  ClockSet: (state, event) => ({ clocks: written(state.clocks, [event.owner, event.clock, event.about], event.after) }),

  // hidden facts
  Concealed: (state, { who, concealed }) => {
    const others = state.concealed.filter((other) => other !== who);
    return { concealed: concealed ? [...others, who] : others };
  },
  FoesSet: (_, event) => ({ foes: event.show, heroes: event.heroes }),
  Veiled: ({ veiled }, { who, pools }) => ({
    veiled: Object.keys(pools).length ? having(veiled, who, pools) : without(veiled, who),
  }),
};

/** Return the state after one more fact. @param {State} state @param {AnyEvent} event @returns {State} */
export function evolve(state, event) {
  return { ...state, ...HANDLERS[event.type](state, event) };
}

/**
 * Return the state after these events, which must be effective ones in order.
 *
 * @param {Iterable<AnyEvent>} events
 * @param {State} [onto]
 * @returns {State}
 */
export function fold(events, onto = EMPTY) {
  let state = onto;
  for (const event of events) state = evolve(state, event);
  return state;
}

/** The present phase: that of the pending action on top, or the fight's own. @param {State} state */
export function phaseOf(state) {
  return state.phases[state.stack.at(-1)?.id ?? ""] ?? "";
}

/** Whether nothing is half resolved. @param {State} state */
export function isQuiet(state) {
  return !state.stack.length && !state.question && !state.awaited && !state.window;
}

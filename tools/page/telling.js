// A sentence for each type of event.

import {
  actionSaid, borne, called, capital, change, counted, diceSaid, diceWanted, does, lying, namedSaid, owns, phrase, plain,
  purposeSaid, said, series, signed, stateOfThing, stowed, terms, topic, valueSaid,
} from "./words.js";

const because = (reason) => (reason ? ` – ${reason}` : "");
const many = (commands) => (commands === 1 ? "one command" : `${commands} commands`);
const fresh = (event) => (event.fresh ? " and fresh dice asked for" : "");

/** Return who a roll is for. */
export const roller = (event, names) => called(names, rollerId(event));
export const rollerId = (event) => event.purpose.split(":").slice(1).join(":") || event.by;

/** Return what a roll came to, as it follows the dice. */
export function outcomeSaid(event) {
  const article = ["hit", "miss", "success", "failure", "setback", "draw"].includes(event.outcome);
  return article ? `, a ${event.outcome} by ${Math.abs(event.margin)}` : `: ${said(event.outcome)}`;
}

export const poolSaid = (event) => `${said(event.pool)} ${change(plain(event.before), plain(event.after))}`;

export const conditionSaid = (event) =>
  event.after ? `is ${borne(event.condition, event.after)}` : `is no longer ${said(event.condition)}`;

/** Return what somebody chose, in the words of the option. */
export function answerSaid(event, says, names) {
  const filled = Object.entries(event.fields ?? {}).filter(([, value]) => value !== null && value !== "");
  const said = filled.map(([name, value]) => namedSaid(name, value, names, event.by)).join(", ");
  return `${called(names, event.by)}: ${says}${said ? ` (${said})` : ""}`;
}

/** Return a ruling: as a sentence where it has one, else much as it was typed. */
export function rulingSaid(kind, params, names) {
  if (kind === "join") return joining(params?.combatant, names);
  return [said(kind), ...Object.entries(params ?? {}).map(([name, value]) =>
    typeof value === "string" || Array.isArray(value) ? valueSaid(value, names)
      : namedSaid(name, value, names))].join(" ");
}

function joining(spec, names) {
  if (!spec?.name || !spec.side) return `join ${valueSaid(spec ?? null, names)}`;
  const several = spec.count > 1 ? `${spec.count} × ` : "";
  return `${several}${spec.name} ${several ? "join" : "joins"} the ${spec.side}`;
}

const NOTES = [
  [/^(\S+) has AC (\d+), shock_applies (true|false)$/, ([, who, ac, applies], names) =>
    `${called(names, who)} has AC ${ac}; Shock ${applies === "true" ? "harms even by a miss" : "does not count"}`],
  [/^(.+): surprising=(\w+)$/, ([, text, whom], names) => `${text}; surprising: the ${called(names, whom)}`],
];

/** Return a note; one that stands in logs as programs would say it, as people would. */
function noteSaid(text, names) {
  for (const [written, sentence] of NOTES) {
    const found = written.exec(text);
    if (found) return sentence(found, names);
  }
  return text;
}

const ENDS = {
  group: "the group is dissolved", mount: "rider and mount part", riding: "rider and mount part",
  seat: "nobody has that seat any more",
};

function markSaid(e, names) {
  const what = `${called(names, e.owner)}: ${said(e.key)}`;
  if (e.value === null || e.value === undefined || typeof e.value === "boolean") return e.value ? what : `${what} struck out`;
  return `${what} = ${typeof e.value === "string" ? called(names, e.value) : e.value}`;
}

/** Return an event as a sentence. */
export function tell(event, names) {
  return capital(TELLERS[event.type](event, names));
}

function whose(item, names) {
  const owner = item.split(".")[0];
  return Object.hasOwn(names, owner) ? owns(names[owner]) : "the";
}

const thing = (item, names) => `${whose(item, names)} ${called(names, item)}`;

/** Per type of event the function that tells it; none is missing. */
export const TELLERS = {
  FightOpened: (e) => `${e.fight}, a fight by the rules of ${e.system} ${e.version}`,
  FormatRaised: (e) => `from here on the log is written in format ${e.format}`,
  RulesetAdopted: (e) => `from here on the fight goes by version ${e.version} of its rules`,
  Rewound: (e) => `${many(e.commands)} taken back${fresh(e)}, to position ${e.to}${because(e.reason)}`,
  Restored: (e) => e.commands
    ? `${many(e.commands)} taken back, an amendment among them${fresh(e)}; what it replaced counts again, up to position ${e.lane}${because(e.reason)}`
    : `what was taken back is brought again, up to position ${e.lane}${because(e.reason)}`,
  Amended: (e) => `position ${e.position} is ${e.retracted ? "retracted" : "corrected"}, and what followed decided again${
    e.dropped?.length ? `; no longer possible: ${e.dropped.join(", ")}` : ""}${because(e.reason)}`,
  Previewed: (e) => `an amendment of position ${e.position} was looked at, which showed dice nobody had seen: ${(e.rolls ?? []).join(", ")}`,
  EntropyAdded: (e) => `stirred into the dice: “${e.words}”`,
  Closed: (e) => `the record is closed${e.seed ? `; the dice seed was ${e.seed}` : ""}${because(e.reason)}`,
  Forked: (e) => `${e.fight}, a what-if of ${e.parent} from position ${e.position}${because(e.reason)}`,
  DiceRenewed: () => "from here on the dice are fresh ones",
  DiceSourceSet: (e, n) => `${e.owner === "*" ? "everybody’s" : owns(called(n, e.owner))} dice are ${
    e.source === "entered" ? "real ones, entered" : "the engine’s"}`,
  Noted: (e, n) => `note: ${noteSaid(e.text, n)}`,
  Concealed: (e, n) => `${called(n, e.who)} ${e.concealed ? "is hidden from all who do not play them" : "is there for all to see"}`,
  Released: (e) => {
    if (!e.positions?.length) return "all words so far are for everybody to read";
    return `the words at ${e.positions.length > 1 ? "positions" : "position"} ${series(e.positions.map(String))} are for everybody to read`;
  },
  Veiled: (e, n) => {
    const [whose, pools] = [owns(called(n, e.who)), Object.keys(e.pools ?? {})];
    if (!pools.length) return `${whose} counters are shown as numbers`;
    return `${whose} ${series(pools.map(said))} ${pools.length === 1 ? "is" : "are"} only shown roughly`;
  },

  PhaseEntered: (e) => `phase${e.item ? ` of ${e.item}` : ""}: ${said(e.phase)}, on ${said(e.trigger)}`,
  RoundBegan: (e) => `round ${e.round}`,
  OrderSet: (e, n) => {
    const scored = e.slots.some((slot) => slot.score);
    return `turn order: ${e.slots.map((slot) => called(n, slot.id) + (scored ? ` ${slot.score}` : "")).join(", ") || "nobody yet"}`;
  },
  TurnBegan: (e, n) => e.members.length === 1 && e.members[0] === e.slot ? `${owns(called(n, e.slot))} turn`
    : `turn of ${called(n, e.slot)}: ${series(e.members.map((who) => called(n, who)))}`,
  MemberDone: (e, n) => `${called(n, e.who)} is done`,
  TurnEnded: (e, n) => `the turn of ${called(n, e.slot)} is over`,
  WindowOpened: (e, n) => `${series(e.to.map((who) => called(n, who)), "or")} may ${said(e.what)} now`,
  OfferDeclined: (e, n) => `${called(n, e.who)} lets it pass${e.standing ? " as always" : ""}`,
  WindowClosed: (e, n) => `nobody can answer any more (${e.how})${e.expired?.length
    ? `; ${series(e.expired.map((who) => called(n, who)))} could still have answered` : ""}`,
  FightEnded: (e) => `the fight is over, ${e.victors ? `the ${e.victors} win` : "nobody wins"}${e.why ? ` (${e.why})` : ""}`,

  Declared: (e, n) => actionSaid(e.actor, phrase(e.kind, e.params, n, e.actor), e.manner, n),
  Answered: (e, n) => answerSaid(e, said(e.choice), n),
  Passed: (e, n) => `${called(n, e.who)} lets it pass`,
  AskingSet: (e, n) => `${called(n, e.who)} ${{
    never: "lets everything pass from now on", targeted: "lets everything pass from now on unless aimed at",
    always: "wants to be asked again" }[e.ask] ?? e.ask}`,
  Ruled: (e, n) => `the game master rules: ${rulingSaid(e.kind, e.params, n)}${because(e.reason)}`,
  Stacked: (e, n) => `pending at ${e.at}: ${called(n, e.actor)} (${said(e.manner)}) to ${phrase(e.kind, e.params, n, e.actor)}`,
  Resolved: (e) => `${e.item} has taken place`,
  Fizzled: (e) => `${e.item} comes to nothing (${said(e.code)})`,
  Dropped: (e) => `${e.item} is called off (${e.why})`,
  Asked: (e, n) => `${series(e.of.map((who) => called(n, who)), "or")} is asked about ${said(topic(e.about))}: ${
    series((e.options ?? []).map((one) => `${said(one.choice)} (${one.says})`), "or")}`,
  Withdrawn: (e) => `what was wanted ${purposeSaid(e.what.split("/").at(-1))} is no longer wanted`,

  Rolled: (e, n) => `${roller(e, n)} ${does(n, rollerId(e), "roll")} ${purposeSaid(e.purpose)}: ${diceSaid(e)}`,
  Judged: (e) => `that is${outcomeSaid(e).replace(/^[,:]/, "")}`,
  DiceAwaited: (e, n) => `${owns(roller(e, n))} dice are awaited, ${diceWanted(e.dice)} ${purposeSaid(e.purpose)}`,
  DiceEntered: (e) => `dice entered: ${e.faces.join(", ")}`,

  Joined: (e, n) => {
    const pools = Object.entries(e.pools ?? {}).filter(([, value]) => value).map(([pool, value]) => `${said(pool)} ${value}`).join(", ");
    return `${called(n, e.who)} joins the ${e.side}${e.place ? ` at ${e.place}` : ""}${pools ? `: ${pools}` : ""}`;
  },
  Left: (e, n) => `${called(n, e.who)} is gone from the fight`,
  SideChanged: (e, n) => `${called(n, e.who)} leaves the ${e.before} and fights for the ${e.after}`,
  StatChanged: (e, n) => `${owns(called(n, e.who))} ${said(e.stat)} is corrected, ${change(plain(e.before), plain(e.after))}`,
  TraitChanged: (e, n) => `${called(n, e.who)} ${e.present ? "now has" : "no longer has"} ${said(e.trait)}`,
  Damaged: (e, n) => `${called(n, e.who)} takes ${e.amount || "nothing"}${terms(e.terms) ? `: ${terms(e.terms)}` : ""}`,
  PoolChanged: (e, n) => `${owns(called(n, e.who))} ${poolSaid(e)}`,
  ConditionChanged: (e, n) => `${called(n, e.who)} ${conditionSaid(e)}${e.source ? ` (${called(n, e.source.split(":")[0])})` : ""}`,
  ItemAdded: (e, n) => e.kind === "skill" ? `${called(n, e.owner)} knows ${e.name}`
    : `${called(n, e.owner) || "the ground"} has ${e.name}${e.where ? ` (${e.where})` : ""}`,
  ItemCounted: (e, n) => {
    const state = stateOfThing(e.counter, e.before, e.after);
    return `${thing(e.item, n)}${state ? ` ${state}` : `: ${counted(e.counter, e.before, e.after)}`}`;
  },
  ItemMoved: (e, n) => {
    const thing = `the ${called(n, e.item)}`;
    if (!e.owner) return e.after ? `${thing} is ${stowed(e.after)} now` : `${thing} is put away`;
    if (lying(e.after)) return `${owns(called(n, e.owner))} ${called(n, e.item)} is ${stowed(e.after)} now`;
    return `${called(n, e.owner)} puts ${thing} ${e.after ? `into the ${e.after}` : "away"}`;
  },
  DieStepped: (e, n) => e.after ? `${thing(e.item, n)} d${e.before} → d${e.after}` : `${thing(e.item, n)} is destroyed`,
  ItemRemoved: (e, n) => {
    const owner = e.item.split(".")[0];
    return Object.hasOwn(n, owner) ? `${n[owner]} no longer has ${called(n, e.item)}` : `the ${called(n, e.item)} is no longer there`;
  },
  Moved: (e, n) => e.before && !e.after ? `${called(n, e.who)} is off the map`
    : `${called(n, e.who)} goes${e.after ? `${e.before ? ` from ${e.before}` : ""} to ${e.after}` : ""}${e.cost ? ` for ${e.cost}` : ""}`,
  DistanceSet: (e, n) => `${series(e.pair.map((who) => called(n, who)))} are ${e.after} apart`,
  ViewSet: (e, n) => `${owns(called(n, e.viewer))} view of ${called(n, e.target)} is ${said(e.after)}`,
  PlaceSet: (e) => `${e.place} is ${e.traits?.length ? series(e.traits.map(said)) : "ordinary"}${
    e.exits?.length ? `, with ways to ${series(e.exits)}` : ""}`,
  RelationSet: (e, n) => e.members.length ? `${said(e.kind)}: ${series(e.members.map((one) =>
    `${called(n, one.who)}${one.role ? ` (${said(one.role)})` : ""}`))}` : ENDS[e.kind] ?? `the ${said(e.kind)} is over`,
  MarkSet: (e, n) => markSaid(e, n),
  ClockSet: (e, n) => `clock ${e.clock.split("/").map((part) => said(called(n, part))).join(", ")} ${signed(e.after - e.before)}: ${change(e.before, e.after)}`,
};

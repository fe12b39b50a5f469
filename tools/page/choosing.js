// The action being declared, field by field: the server's possible values, the player's choices, and the next fields.

import { batch, computed, signal } from "@preact/signals";
import { groupByActor, chosenOf, goalOf, lastChoice, naming, pickOf, possible, groupRoutes, settled, toRoute, wanted } from "./choices.js";
import { declared, word } from "./words.js";

/** How many foes the suggestion considers. */
const LIKELY = 3;

/** The choice in progress. It survives an update of the fight as far as it is still possible. */
export class Choosing {
  /** The combatants that may act, each with the manners of their actions. */
  actors = signal(new Map());
  actor = signal(null);
  /** Every action of the actor, in the order in which the rules declare them. */
  kinds = signal([]);
  /** The chosen action, its fields, and the complete intent when nothing is left to choose. */
  key = signal(null);
  fields = signal([]);
  whole = signal(null);
  refused = signal(null);
  /** The preview of the complete action, in a line. */
  promises = signal("");
  busy = signal(false);
  /** The actor's previewed moves, and whether the map shows them. */
  walks = signal([]);
  walking = signal(false);
  /** The route under the pointer, and the route that waits for confirmation. */
  pointed = signal(null);
  doubtful = signal(null);
  /** The suggested action of the actor. */
  likely = signal(null);
  /** The combatant whose turn ends automatically after the current action. */
  ending = null;

  /**
   * ask(who, manner) lists a combatant's actions; ask(who, manner, kind, chosen) lists the next fields of one.
   * aims(who, whom, manner) previews actions against a target; ways(who, manner) previews moves; send(intent) declares;
   * foes(who) lists the likeliest targets first; begins(who, manner) previews the first action of a turn without a
   * target; failed(problem) is called when a query fails.
   */
  constructor({ ask, aims, ways, send, foes, begins, failed }) {
    Object.assign(this, { ask, aims, waysOf: ways, send, foes, beginsWith: begins, failed, asked: 0, first: new Map(), picks: new Map() });
    this.kind = computed(() => this.kinds.value.find((one) => one.key === this.key.value));
    /** The possible targets, and the possible destinations with their routes. */
    this.targets = computed(() => {
      const field = naming(this.fields.value, "combatant");
      return field ? new Set(possible(field).map((one) => one.value)) : null;
    });
    this.ways = computed(() => {
      const field = naming(this.fields.value, "place");
      if (field) return groupRoutes(possible(field).map(({ value }) => ({ to: goalOf(value), path: value, value })));
      return this.walking.value ? groupRoutes(this.walks.value.map(toRoute)) : null;
    });
  }

  /**
   * Take the combatants that may act now, and fetch their actions. The choice in progress is made again as far as possible.
   *
   * acting: the combatants to list first; answers: whether they may react in a window, and so may pass.
   */
  async offer(actors, acting, answers = false) {
    this.answers = answers;
    const up = acting.filter((who) => actors.some((one) => one.who === who));
    batch(() => {
      this.actors.value = groupByActor(actors, acting);
      const actor = this.actor.value;
      if (!this.actors.value.has(actor) || (!this.key.value && up.length && !up.includes(actor))) {
        this.actor.value = [...this.actors.value.keys()][0] ?? null;
        this.drop();
      }
    });
    const { picks } = this;
    const key = this.key.value;
    const mine = await this.runQuery(() => this.load());
    if (!mine || !key) return;
    this.drop();
    if (this.kinds.value.some((one) => one.key === key && !one.refused)) {
      this.key.value = key;
      await this.runQuery((current) => this.loadFields([], picks, current));
    }
  }

  drop() {
    batch(() => {
      this.key.value = null;
      this.picks = new Map();
      this.fields.value = [];
      this.whole.value = null;
      this.refused.value = null;
      this.pointed.value = null;
      this.doubtful.value = null;
      this.promises.value = "";
      this.walking.value = false;
    });
  }

  /** Run a query, and return whether no newer query was started meanwhile. */
  async runQuery(work) {
    const asked = ++this.asked;
    const current = () => asked === this.asked;
    this.busy.value = true;
    try {
      await work(current);
    } finally {
      if (current()) this.busy.value = false;
    }
    return current();
  }

  /** Run a query that the player waits for; return whether it succeeded. */
  async runVisibly(work) {
    try {
      return await this.runQuery(work);
    } catch (problem) {
      this.drop();
      this.failed(problem);
      return false;
    }
  }

  async load() {
    const actor = this.actor.value;
    const found = await Promise.all((this.actors.value.get(actor) ?? []).map((manner) => this.ask(actor, manner)));
    if (actor !== this.actor.value) return;
    this.loadMoves(actor);
    this.first = new Map();
    const order = declared("actions");
    this.likely.value = null;
    const rank = ({ kind }) => order.indexOf(kind) + (order.includes(kind) ? 0 : order.length + 1);
    this.kinds.value = found.flatMap(({ manner, kinds }) => kinds.map((one) => ({ ...one, manner, key: `${one.kind}|${manner}` })))
      .sort((one, other) => rank(one) - rank(other));
    this.findSuggestion(actor);
  }

  /** Find the suggested action in the background: against a foe, else a first action, else a reaction. */
  async findSuggestion(actor) {
    const kinds = this.kinds.value;
    const strikes = !this.answers && kinds.some((one) => !one.refused && word("actions", one.kind).group === "fight");
    for (const who of strikes ? this.foes(actor).slice(0, LIKELY) : []) {
      const found = await this.against(who).catch(() => []);
      const [first] = found.filter((one) => !one.refused && word("actions", one.kind).group === "fight");
      const one = first && !first.whole ? await this.completeAction(actor, first, who).catch(() => first) : first;
      if (kinds !== this.kinds.value) return;
      const plain = Object.keys(one?.whole?.intent.params ?? {}).every((name) => name === one.aims); // no free text is needed
      const certain = one?.prospect?.harm || one?.prospect?.unknown?.length || plain;
      if (one?.whole && certain) {
        this.likely.value = { ...one, who };
        return;
      }
    }
    for (const manner of this.actors.value.get(actor) ?? []) {
      const { whole, prospect, promises } = await this.beginsWith(actor, manner).catch(() => null) ?? {};
      if (kinds !== this.kinds.value) return;
      const one = whole && kinds.find(({ key, refused }) => key === `${whole.intent.kind}|${manner}` && !refused);
      if (one && word("actions", one.kind).group !== "turn") {
        this.likely.value = { ...one, whole, prospect, promises };
        return;
      }
    }
  }

  /** Fetch the actor's moves in the background. */
  async loadMoves(actor) {
    this.walks.value = [];
    const asked = this.asked;
    const found = await Promise.all((this.actors.value.get(actor) ?? []).map((manner) => this.waysOf(actor, manner).catch(() => ({ ways: [] }))));
    if (asked === this.asked || actor === this.actor.value) this.walks.value = found.flatMap(({ ways }) => ways);
  }

  /** Complete an action against a target with the first possible value of its next field. */
  async completeAction(actor, one, whom) {
    const next = wanted(one.fields);
    return next && possible(next).length ? this.setNextField(actor, one, whom, possible(next)[0].value) : one;
  }

  /** Return an action with a value for its next field, and its preview. */
  async setNextField(actor, one, whom, value) {
    const next = wanted(one.fields);
    const known = one.fields.filter((field) => field.chosen !== undefined);
    const how = await this.ask(actor, one.manner, one.kind, { [one.aims]: whom, ...chosenOf(known), [next.field]: value });
    return { ...one, fields: [...known, ...how.fields], whole: how.whole, prospect: how.prospect, promises: how.promises };
  }

  /** Fetch the first fields of an action once, so that they can be fetched in advance. */
  begins({ key, kind, manner }) {
    const known = this.first;
    if (!known.has(key)) {
      known.set(key, this.ask(this.actor.value, manner, kind, {}));
      known.get(key).catch(() => known.delete(key));
    }
    return known.get(key);
  }

  /** Fetch the fields after some chosen ones, and restore earlier picks in them. */
  async loadFields(before, picks, current = () => true) {
    const kind = this.kind.value;
    if (!kind) return;
    const found = before.length ? await this.ask(this.actor.value, kind.manner, kind.kind, chosenOf(before)) : await this.begins(kind);
    if (!current() || kind.key !== this.key.value) return;
    batch(() => {
      this.fields.value = [...before, ...found.fields];
      this.whole.value = found.whole;
      this.refused.value = found.refused;
      this.promises.value = found.promises ?? "";
    });
    const at = this.fields.value.findIndex((one, nth) => nth >= before.length && picks.has(one.field)
      && pickOf(one.chosen) !== picks.get(one.field) && possible(one).some(({ value }) => pickOf(value) === picks.get(one.field)));
    if (at >= 0) await this.loadFields(this.upTo(at, JSON.parse(picks.get(this.fields.value[at].field))), picks, current);
  }

  /** Return the fields up to an index, with a value chosen for the last. */
  upTo(at, value) {
    return [...this.fields.value.slice(0, at), { ...this.fields.value[at], chosen: value }];
  }

  /** Choose a value of a field, unless the field is out of date. */
  async pick(field, value, { goes = false } = {}) {
    const at = this.fields.value.indexOf(field);
    if (at < 0) return;
    const due = !this.whole.value;
    this.picks.set(field.field, pickOf(value));
    const before = this.upTo(at, value);
    batch(() => {
      this.fields.value = [...before, ...this.fields.value.slice(before.length)];
      this.whole.value = null;
      this.pointed.value = null;
    });
    const done = await this.runVisibly((current) => this.loadFields(before, this.picks, current));
    if (done && this.whole.value && (goes || (due && lastChoice(this.fields.value, before.length)))) this.declare();
  }

  /** Choose a target on the map or in the list. */
  target(who) {
    return this.pick(naming(this.fields.value, "combatant"), who);
  }

  /** Show or hide the actor's moves on the map. */
  walk(on = !this.walking.value) {
    batch(() => {
      if (on) this.drop();
      this.walking.value = on && this.walks.value.length > 0;
    });
    return this.walking.value;
  }

  /** Move to a place; a move that provokes an attack needs a confirmation. */
  go(place, sure = false) {
    const way = this.ways.value?.get(place)?.[0];
    if (!way) return null;
    if (way.provokes?.length && !sure) {
      batch(() => {
        this.pointed.value = way;
        this.doubtful.value = way;
      });
      return null;
    }
    if (way.intent) {
      this.drop();
      return this.send(way.intent);
    }
    return this.pick(naming(this.fields.value, "place"), way.value, { goes: true });
  }

  async act(who) {
    batch(() => {
      this.actor.value = who;
      this.kinds.value = [];
      this.drop();
    });
    await this.runVisibly(() => this.load());
  }

  /** Choose an action. An action without choices is declared at once. A second click drops it. */
  async choose(kind) {
    const again = this.key.value === kind.key;
    this.drop();
    if (again) return;
    this.key.value = kind.key;
    const done = await this.runVisibly((current) => this.loadFields([], new Map(), current));
    if (done && settled(this.fields.value, this.whole.value)) this.declare();
  }

  /** Declare an action against a target if it is complete; otherwise, or with `ask`, show its fields. */
  async doTo({ key, aims, whole }, who, { ask = false, picks = {}, ends = false } = {}) {
    this.drop();
    this.ending = ends ? this.actor.value : null;
    if (whole && !ask) {
      this.send(whole.intent);
      return;
    }
    this.key.value = key;
    this.picks = new Map(Object.entries({ [aims]: who, ...picks }).map(([field, value]) => [field, pickOf(value)]));
    const done = await this.runVisibly((current) => this.loadFields([], this.picks, current));
    if (done && this.whole.value && !ask) this.declare();
  }

  /** Return the previewed actions against a target, the possible ones first. */
  async against(who) {
    const actor = this.actor.value;
    const found = await Promise.all((this.actors.value.get(actor) ?? []).map(async (manner) =>
      (await this.aims(actor, who, manner)).kinds.map((one) => ({ ...one, manner, key: `${one.kind}|${manner}` }))));
    const rank = (one) => this.kinds.value.findIndex(({ key }) => key === one.key);
    return found.flat().sort((one, other) => Boolean(one.refused) - Boolean(other.refused) || rank(one) - rank(other));
  }

  /** Return an action with its few variants: the field, its value, and the preview. */
  async waysTo(one, who, few) {
    const next = !one.refused && !one.whole ? wanted(one.fields) : null;
    const ways = next && !next.open ? possible(next) : [];
    if (ways.length < 2 || ways.length > few) return one;
    const each = await Promise.all(ways.map(({ value }) => this.setNextField(this.actor.value, one, who, value).catch(() => one)));
    return { ...one, ways: each.map(({ promises }, nth) => ({ field: next, value: ways[nth].value, promises })) };
  }

  declare() {
    const intent = this.whole.value?.intent;
    this.drop();
    if (intent) this.send(intent);
  }
}

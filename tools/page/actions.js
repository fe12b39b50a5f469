// What may be declared, as buttons: who, then what, then field by field what is still possible, and why the rest is not.

import { button, h } from "./dom.js";
import { byActor, byReason, chosenOf, goalOf, kindSaid, naming, pickOf, pickSaid, possible, settled, wanted } from "./choosing.js";
import { called, capital, said } from "./words.js";

/** With more values than this they are a list to choose from. */
const LISTED = 24;

/** With more reasons than this they are folded away. */
const FEW = 4;

/** The choice that somebody is making; it survives a new look at the fight as far as it is still possible. */
export class Actions {
  /**
   * ask(who, manner) tells what somebody may do, ask(who, manner, kind, chosen) how that goes on; send(intent) declares;
   * changed() is called when the choice has changed and must be drawn again, failed(problem) when nobody answers;
   * clause(name) leads to a clause.
   */
  constructor({ ask, send, changed, failed, clause }) {
    Object.assign(this, { ask, send, changed, failed, clause });
    this.actors = new Map();
    this.actor = null;
    this.kinds = [];
    this.asked = 0;
    this.busy = false;
    this.first = new Map();
    this.drop();
  }

  /** Take who may act now; what they may do is asked. What was being chosen is chosen again, as far as it goes. */
  async offer(actors, acting) {
    const up = acting.filter((who) => actors.some((one) => one.who === who));
    this.actors = byActor(actors, acting);
    if (!this.actors.has(this.actor) || (!this.key && up.length && !up.includes(this.actor))) {
      this.actor = [...this.actors.keys()][0] ?? null;
      this.drop();
    }
    const { key, picks } = this;
    const mine = await this.latest(() => this.load());
    if (!mine || !key) return;
    this.drop();
    if (this.kinds.some((one) => one.key === key && !one.refused)) {
      this.key = key;
      await this.latest(() => this.goOn([], picks));
    }
  }

  get kind() {
    return this.kinds.find((one) => one.key === this.key);
  }

  drop() {
    this.key = null;
    this.picks = new Map();
    this.fields = [];
    this.whole = null;
    this.refused = null;
  }

  /** Do what asks the server; tell whether nothing newer was asked meanwhile. */
  async latest(work) {
    const asked = ++this.asked;
    const current = () => asked === this.asked;
    this.busy = true;
    try {
      await work(current);
    } finally {
      if (current()) this.busy = false;
    }
    return current();
  }

  /** Do the same where somebody waits for it. */
  async shown(work) {
    const done = this.latest(work);
    this.changed();
    try {
      if (!(await done)) return;
    } catch (problem) {
      this.drop();
      this.failed(problem);
    }
    this.changed();
  }

  async load() {
    const { actor } = this;
    const found = await Promise.all((this.actors.get(actor) ?? []).map((manner) => this.ask(actor, manner)));
    if (actor !== this.actor) return;
    this.first = new Map();
    this.kinds = found.flatMap(({ manner, kinds }) => kinds.map((one) => ({ ...one, manner, key: `${one.kind}|${manner}` })));
  }

  /** Ask how a kind of action begins; once, so that it can be asked before it is wanted. */
  begins({ key, kind, manner }) {
    const known = this.first;
    if (!known.has(key)) known.set(key, this.ask(this.actor, manner, kind, {}));
    known.get(key).catch(() => known.delete(key));
    return known.get(key);
  }

  /** Ask what follows some fields, and pick again what was picked of those that follow. */
  async goOn(before, picks, current = () => true) {
    const { kind } = this;
    if (!kind) return;
    const known = chosenOf(before);
    const found = before.length ? await this.ask(this.actor, kind.manner, kind.kind, known) : await this.begins(kind);
    if (!current() || kind.key !== this.key) return;
    this.fields = [...before, ...found.fields];
    this.whole = found.whole;
    this.refused = found.refused;
    const at = this.fields.findIndex((one, nth) => nth >= before.length && picks.has(one.field)
      && pickOf(one.chosen) !== picks.get(one.field) && possible(one).some(({ value }) => pickOf(value) === picks.get(one.field)));
    if (at >= 0) await this.goOn(this.upTo(at, JSON.parse(picks.get(this.fields[at].field))), picks, current);
  }

  /** Return the fields up to one, of which that is chosen. */
  upTo(at, value) {
    return [...this.fields.slice(0, at), { ...this.fields[at], chosen: value }];
  }

  /** Return the combatants that can be chosen. */
  get targets() {
    const field = naming(this.fields, "combatant");
    return field ? new Set(possible(field).map((one) => one.value)) : null;
  }

  /** Return the places that can be gone to. */
  get cells() {
    const field = naming(this.fields, "place");
    return field ? new Set(possible(field).map((one) => goalOf(one.value)).filter(Boolean)) : null;
  }

  /** Choose somebody on the map or in the list. */
  target(who) {
    this.pick(naming(this.fields, "combatant"), who);
  }

  /** Choose a place on the map. */
  go(place) {
    const field = naming(this.fields, "place");
    const way = field && possible(field).find((one) => goalOf(one.value) === place);
    if (way) this.pick(field, way.value);
  }

  /** Choose a value of a field, unless what is shown is not what may be done any more. */
  pick(field, value) {
    const at = this.fields.indexOf(field);
    if (at < 0) return;
    this.picks.set(field.field, pickOf(value));
    const before = this.upTo(at, value);
    this.fields = [...before, ...this.fields.slice(before.length)];
    this.whole = null;
    this.shown((current) => this.goOn(before, this.picks, current));
  }

  act(who) {
    this.actor = who;
    this.kinds = [];
    this.drop();
    this.shown(() => this.load());
  }

  choose(kind) {
    const again = this.key === kind.key;
    this.drop();
    if (again) {
      this.changed();
      return;
    }
    this.key = kind.key;
    this.shown(async (current) => {
      await this.goOn([], new Map(), current);
      if (current() && settled(this)) this.declare();
    });
  }

  declare() {
    const intent = this.whole?.intent;
    this.drop();
    if (intent) this.send(intent);
  }

  /** Return the buttons. */
  view(names) {
    if (!this.actors.size) return null;
    const actors = [...this.actors.keys()];
    const may = this.kinds.filter((one) => !one.refused);
    return h("div", { class: "actions" },
      actors.length > 1 ? h("div", { class: "actors", role: "group", "aria-label": "Who acts" }, actors.map((who) =>
        button({ says: capital(called(names, who)), "aria-pressed": String(who === this.actor), data: { key: `actor-${who}` },
          onclick: () => this.act(who) }))) : h("h3", {}, capital(called(names, this.actor))),
      h("div", { class: "kinds", role: "group", "aria-label": `What ${called(names, this.actor)} may do` }, may.map((one) =>
        this.kindButton(one))),
      this.kind && (this.fields.length || !this.busy) ? this.details(names) : null,
      this.reasons(this.kinds.filter((one) => one.refused), (one) => kindSaid(one), "not-now"));
  }

  kindButton(one) {
    return button({ says: kindSaid(one), title: one.says, class: one.key === this.key ? "chosen" : "",
      "aria-expanded": one.fields?.length ? String(one.key === this.key) : null,
      data: { key: `kind-${one.key}`, kind: one.kind }, onclick: () => this.choose(one), onpointerenter: () => this.begins(one) });
  }

  details(names) {
    const next = wanted(this.fields);
    const says = this.whole ? this.whole.says : next ? `Choose ${nameOf(next).toLowerCase()}` : "…";
    return h("div", { class: "details-of" }, h("p", { class: "dim" }, capital(this.kind.says)),
      this.refused ? this.reasons([{ refused: this.refused }], () => "", "refused") : null,
      this.fields.map((field) => this.field(field, names)),
      h("div", { class: "row" },
        button({ says, class: "main declare", disabled: !this.whole, data: { key: "declare" }, onclick: () => this.declare() }),
        button({ says: "Never mind", class: "quiet", data: { key: "never-mind" }, onclick: () => {
          this.drop();
          this.changed();
        } })));
  }

  field(field, names) {
    const text = ({ value }) => pickSaid(field, value, names, this.actor);
    const not = field.choices.filter((one) => one.refused);
    return h("fieldset", { class: "field" }, h("legend", {}, fieldSaid(field)),
      possible(field).length > LISTED ? this.list(field, text) : h("div", { class: "values" }, possible(field).map((one) =>
        button({ says: text(one), "aria-pressed": String(pickOf(field.chosen) === pickOf(one.value)),
          data: { key: `pick-${field.field}-${pickOf(one.value)}`, field: field.field }, onclick: () => this.pick(field, one.value) }))),
      field.open ? this.free(field) : null,
      this.reasons(not, text, `not-${field.field}`));
  }

  list(field, text) {
    return h("select", { "aria-label": fieldSaid(field), data: { key: `field-${field.field}`, field: field.field },
      onchange: (event) => this.pick(field, JSON.parse(event.target.value)) },
    h("option", { value: "", disabled: true, selected: field.chosen === undefined }, "Choose …"),
    possible(field).map((one) => h("option", { value: pickOf(one.value), selected: pickOf(field.chosen) === pickOf(one.value) }, text(one))));
  }

  /** Return what takes free words, or any number. */
  free(field) {
    const number = !field.names;
    const given = h("input", { type: number ? "number" : "text", "aria-label": fieldSaid(field), maxlength: number ? null : 200, required: true,
      autocomplete: "off", value: String(field.chosen ?? ""), data: { key: `free-${field.field}`, keep: "" } });
    return h("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      this.pick(field, number ? Number(given.value) : given.value);
    } }, given, h("button", { type: "submit", data: { key: `take-${field.field}` } }, "Take"));
  }

  /** Return what is not possible, by reason; of many reasons only how many things there are, until one asks. */
  reasons(refused, text, key) {
    if (!refused.length) return null;
    const reasons = byReason(refused);
    const list = h("ul", { class: "not" }, reasons.map(({ refused: { message, rule }, those }) => {
      const what = those.map(text).filter(Boolean).join(", ");
      return h("li", {}, what ? [h("b", {}, what), ": "] : null, message, rule ? [" ", this.clause(rule)] : null);
    }));
    return key !== "not-now" && reasons.length <= FEW ? list
      : h("details", { class: "why-not", data: { key } }, h("summary", {}, key === "not-now" ? "What is not possible now" : `Not possible: ${refused.length}`), list);
  }
}

const leads = ({ field, names }) => names === "place" && ["path", "to"].includes(field);
const nameOf = (field) => (leads(field) ? "Where to" : capital(said(field.field)));
const fieldSaid = (field) => (leads(field) ? "Where to, also on the map" : nameOf(field));

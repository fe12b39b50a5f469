// What may be declared, as buttons: by combatant, by kind, then by what the kind wants to know.

import { button, h } from "./dom.js";
import { byActor, kindSaid, openFields, picked, pickOf, pickSaid, remaining, settled } from "./choosing.js";
import { called, capital, label, said, series } from "./words.js";

const LISTED = 24;

/** The choice that somebody is making; it survives a new look at the fight as far as it is still possible. */
export class Actions {
  /** send(intent) declares; changed() is called when the choice has changed and must be drawn again. */
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
    this.actor = null;
    this.key = null;
    this.picks = new Map();
    this.offered = new Map();
  }

  /** Take what is legal now; those whose turn it is come first. */
  offer(declarations, acting) {
    const offered = byActor(declarations);
    const up = acting.filter((who) => offered.has(who));
    const order = [...up, ...[...offered.keys()].filter((who) => !up.includes(who))];
    this.offered = new Map(order.map((who) => [who, offered.get(who)]));
    if (!offered.has(this.actor) || (!this.key && up.length && !up.includes(this.actor))) {
      this.actor = order[0] ?? null;
      this.drop();
    }
    const group = this.group;
    if (this.key && !group) this.drop();
    if (group && !remaining(group.offers, this.picks).length) this.picks = new Map();
  }

  get group() {
    return this.offered.get(this.actor)?.get(this.key);
  }

  drop() {
    this.key = null;
    this.picks = new Map();
  }

  /** Return the combatants that can be chosen as the target of what is being declared. */
  get targets() {
    return this.group && openFields(this.group.offers).includes("target")
      ? new Set(this.group.offers.map((one) => one.intent.params?.target).filter(Boolean)) : null;
  }

  /** Return the places that can be gone to. */
  get cells() {
    const name = this.placeField;
    return name ? new Set(this.group.offers.map((one) => placeOf(one, name)).filter(Boolean)) : null;
  }

  get placeField() {
    return this.group ? openFields(this.group.offers).find((name) => name === "path" || name === "to") : undefined;
  }

  pick(name, pick) {
    this.picks = picked(this.group.offers, this.picks, name, pick);
    this.changed();
  }

  /** Choose a target on the map or in the list. */
  target(who) {
    this.pick("target", JSON.stringify(who));
  }

  /** Choose a place on the map. */
  go(place) {
    const name = this.placeField;
    this.pick(name, name === "path" ? place : JSON.stringify(place));
  }

  /** Return the buttons. */
  view(names) {
    if (!this.offered.size) return null;
    const actors = [...this.offered.keys()];
    const kinds = [...this.offered.get(this.actor).values()];
    return h("div", { class: "actions" },
      actors.length > 1 ? h("div", { class: "actors", role: "group", "aria-label": "Who acts" }, actors.map((who) =>
        button({ says: capital(called(names, who)), "aria-pressed": String(who === this.actor), data: { key: `actor-${who}` },
          onclick: () => this.act(who) }))) : h("h3", {}, capital(called(names, this.actor))),
      h("div", { class: "kinds", role: "group", "aria-label": `What ${called(names, this.actor)} may do` }, kinds.map((group) =>
        button({ says: kindSaid(group), title: group.says, class: group.key === this.key ? "chosen" : "",
          "aria-expanded": group.offers.length > 1 ? String(group.key === this.key) : null,
          data: { key: `kind-${group.key}`, kind: group.kind }, onclick: () => this.choose(group) }))),
      this.group ? this.details(names) : null);
  }

  act(who) {
    this.actor = who;
    this.drop();
    this.changed();
  }

  choose(group) {
    if (group.offers.length === 1) {
      this.drop();
      this.send(group.offers[0].intent);
      return;
    }
    const again = this.key === group.key;
    this.drop();
    this.key = again ? null : group.key;
    this.changed();
  }

  details(names) {
    const { offers, says } = this.group;
    const picks = settled(offers, this.picks);
    const left = remaining(offers, picks);
    const fields = openFields(offers);
    const open = fields.filter((name) => !picks.has(name));
    return h("div", { class: "details-of" }, h("p", { class: "dim" }, capital(says)),
      fields.map((name) => this.field(name, offers, picks, names)),
      h("div", { class: "row" },
        button({ says: open.length ? `Choose ${series(open.map((name) => fieldSaid(name).split(",")[0].toLowerCase()))}` : this.sentence(left[0], names), class: "main declare",
          disabled: open.length > 0, data: { key: "declare" }, onclick: () => {
            this.drop();
            this.send(left[0].intent);
          } }),
        button({ says: "Never mind", class: "quiet", data: { key: "never-mind" }, onclick: () => {
          this.drop();
          this.changed();
        } })));
  }

  sentence(offer, names) {
    const { actor, kind, params, manner = "standard" } = offer.intent;
    return capital(`${called(names, actor)}: ${label("actions", kind)}`);
  }

  field(name, offers, picks, names) {
    const possible = [...new Set(offers.map((one) => pickOf(one, name)))];
    const others = new Map([...this.picks].filter(([other]) => other !== name));
    const fits = new Set(remaining(offers, others).map((one) => pickOf(one, name)));
    const text = (pick) => pickSaid(offers, name, pick, names, this.actor);
    if (possible.length > LISTED) {
      return h("label", { class: "field" }, h("span", {}, fieldSaid(name)),
        h("select", { data: { key: `field-${name}`, field: name }, onchange: (event) => this.pick(name, event.target.value) },
          h("option", { value: "", disabled: true, selected: !picks.has(name) }, "Choose …"),
          possible.map((pick) => h("option", { value: pick, selected: picks.get(name) === pick }, text(pick)))));
    }
    return h("fieldset", { class: "field" }, h("legend", {}, fieldSaid(name)),
      h("div", { class: "values" }, possible.map((pick) => button({ says: text(pick),
        class: fits.has(pick) ? "" : "unfit", "aria-pressed": String(picks.get(name) === pick),
        data: { key: `pick-${name}-${pick}`, field: name }, onclick: () => this.pick(name, pick) }))));
  }
}

function placeOf(offer, name) {
  const value = offer.intent.params?.[name];
  return name === "path" ? value?.at(-1) : value;
}

const fieldSaid = (name) => capital({ path: "where to, also on the map", to: "where to, also on the map", ep: "energy" }[name] ?? said(name));

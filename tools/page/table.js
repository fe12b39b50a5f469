// The table: a fight as it is, and what one may do in it.

import { Actions } from "./actions.js";
import { phaseOf, Problem } from "./affray/index.js";
import { amend } from "./amend.js";
import { board, keepInSight } from "./board.js";
import { clauses } from "./clause.js";
import { announce, button, fill, h, icon, refill, toast } from "./dom.js";
import { order, people, standing } from "./people.js";
import { showReceipt } from "./receipt.js";
import { closedSaid, downloads, openRecord } from "./record.js";
import { onlyThoseWhoKnow } from "./readers.js";
import { pendingOf } from "./replay.js";
import { rule } from "./rulings.js";
import { StoryView } from "./storyview.js";
import { capital, label, namesIn } from "./words.js";
import { standingPasses, stirring, waiting } from "./waiting.js";

/** How many entries of the story are read out at once. */
const NEWS = 4;

/** How long one can look at what happened before the engine goes on. */
const PAUSE_MS = 600;

/** What players say themselves, and may take back as long as nothing followed. */
const SPOKEN = new Set(["Declared", "Answered", "Passed", "AskingSet", "DiceEntered"]);

/** Show a fight and follow it. Returns what leaves it again. */
export async function table(root, client, fight, about, { linkState }) {
  const shown = new Table(root, client, fight, about, linkState);
  return () => shown.close();
}

class Table {
  constructor(root, client, fight, about, linkState) {
    this.client = client;
    this.fight = fight;
    this.about = about;
    this.me = about.you;
    this.own = about.you.owns ?? [];
    this.legal = { head: 0, waits: [] };
    this.news = [];
    this.autos = new Set();
    this.asked = 0;
    this.carried = 0;
    this.sentAt = -1;
    this.linkState = linkState;
    this.actions = new Actions({
      ask: (who, manner, kind, chosen) => kind ? this.client.howMay(fight, who, kind, { manner, chosen, fill: true })
        : this.client.whatMay(fight, who, { manner }),
      send: (intent) => this.send(intent, true), changed: () => this.draw(), clause: (name) => this.clauseOf(name),
      failed: (problem) => problem instanceof Problem && this.refuse(problem) });
    this.dialog = h("dialog", { class: "sheet" });
    this.story = new StoryView({ live: true, receipt: (at) => this.receipt(at),
      choose: this.isGm ? (entry) => this.correct(entry) : null });
    this.build(root);
    this.end = new AbortController();
    this.following = client.follow(fight, { whole: true, signal: this.end.signal, changed: () => this.changed(),
      away: () => linkState("Connection lost – trying again …"), back: () => linkState(""),
      failed: (problem) => linkState(problem.status === 401 ? "This link is no longer valid." : `Not connected: ${problem.message}`) });
  }

  get isGm() {
    return this.me.role === "gm";
  }

  close() {
    this.end.abort();
    this.following.close();
  }

  build(root) {
    this.status = h("section", { class: "panel status-panel", "aria-label": "Where the fight stands" });
    this.scene = h("section", { class: "panel scene", "aria-label": "Everybody and the map" });
    this.refusal = h("div", { class: "refusal", role: "alert" });
    this.now = h("div", { class: "now-list", tabindex: -1 });
    this.words = this.isGm ? this.sayForm() : null;
    this.sides = h("div", { class: "row" });
    this.playing = this.isGm ? h("details", { class: "playing" }, h("summary", {}, "Let the engine play"),
      h("p", { class: "dim" }, "Whenever one of these sides is up or asked, it fights on sensibly, until you take it back."), this.sides) : null;
    const who = { gm: "game master", player: "player", spectator: "spectator" }[this.me.role];
    fill(root, h("div", { class: "view table" }, this.status, this.scene,
      h("div", { class: "column" },
        h("section", { class: "panel now", "aria-labelledby": "now-title" },
          h("header", {}, h("h2", { id: "now-title" }, "What now?"), h("span", { class: "tag me" }, ["", "gm", who].includes(this.me.name) ? who : `${this.me.name}, ${who}`)),
          this.refusal, this.now, this.tools(), this.words, this.playing),
        h("section", { class: "panel telling", "aria-labelledby": "story-title" },
          h("header", {}, h("h2", { id: "story-title" }, "The story"),
            this.isGm ? h("span", { class: "dim" }, "a number in front of a line corrects it") : null), this.story.list)),
      this.dialog));
  }

  tools() {
    if (this.me.role === "spectator") return null;
    const deed = (type, shows) => button({ says: type, shows, data: { key: shows },
      onclick: ({ currentTarget: { ariaDisabled } }) => ariaDisabled === "true" || this.send({ type }, true) });
    this.record = this.isGm ? button({ says: "Record …", data: { key: "record" }, onclick: () => this.openRecord() }) : null;
    return h("div", { class: "row tools", role: "group", "aria-label": "The record" },
      this.undo = deed("Undo", "undo"), this.isGm ? [this.redo = deed("Redo", "redo"),
        button({ says: "Rule …", data: { key: "rule" }, onclick: () => this.ruling() })] : null, this.record);
  }

  sayForm() {
    const words = h("input", { type: "text", id: "words", placeholder: "who does what", autocomplete: "off", spellcheck: "false", maxlength: 500 });
    return h("details", { class: "saying" }, h("summary", {}, "Say it in words"), h("form", { class: "row", onsubmit: async (event) => {
      event.preventDefault();
      if (words.value && await this.send({ type: "Said", words: words.value, reason: "" }, true)) words.value = "";
    } }, h("label", { class: "unseen", for: "words" }, "What is done, as on the command line"), words,
      this.saying = h("button", { type: "submit" }, "Say")), this.saidTo = h("div"));
  }

  /** A command came in: draw what is known, then ask what may be done now. */
  async changed() {
    if (!this.following?.ready) return;
    this.draw();
    const asked = ++this.asked;
    const after = this.story.settled;
    try {
      const [legal, told] = await Promise.all([this.client.whoMay(this.fight), this.client.story(this.fight, after)]);
      if (asked !== this.asked) return;
      await this.actions.offer(legal.actors, this.following.state.acting);
      if (asked !== this.asked) return;
      this.news.push(...this.story.show(this.following.history, told.entries, after));
      this.story.follow();
      this.legal = legal;
      this.draw();
      this.say();
      this.playOn();
    } catch (problem) {
      if (asked === this.asked && problem instanceof Problem) this.refuse(problem);
    }
  }

  draw() {
    const { state, bands, history, position } = this.following;
    const names = this.names(state);
    const current = this.current;
    document.body.dataset.position = String(position);
    document.body.dataset.legal = String(this.legal.head);
    const phase = phaseOf(state);
    if (this.saidTo) fill(this.saidTo, onlyThoseWhoKnow(state));
    if (this.playing) this.drawSides(state);
    refill(this.status, h("div", { class: "heading" }, h("h1", {}, state.fight || this.fight),
      h("p", { class: "facts" }, h("span", {}, this.about.title), h("span", {}, state.round ? `Round ${state.round}` : "Before the first round"),
        phase ? h("span", {}, capital(label("phases", phase))) : null, history.closed ? h("span", {}, "Closed") : null)),
      h("p", { class: "standing" }, standing(state, names, phase)), order(state, names));
    const choices = current ? { targets: this.actions.targets, cells: this.actions.cells, choose: (who) => this.actions.target(who),
      go: (place) => this.actions.go(place) } : {};
    keepInSight(this.scene, () => refill(this.scene, h("div", { class: "stage" }, board(state, this.about.map, choices), pendingOf(state, names),
      h("div", { class: "sides" }, people(state, { bands, yours: this.me.role === "player" ? this.own : [], ...choices })))));
    this.waits();
    if (this.me.role !== "spectator") this.closeTools(Boolean(history.closed));
    if (!current && this.now.hasChildNodes()) return;
    const chose = this.now.contains(document.activeElement);
    refill(this.now, current ? this.choices(state, names) : h("p", { class: "dim" }, "One moment …"));
    if (chose && !this.now.contains(document.activeElement)) this.now.focus({ preventScroll: true });
  }

  /** Show which sides the engine may play; the check marks stay. */
  drawSides(state) {
    const sides = [...new Set(Object.values(state.combatants).map((one) => one.side))];
    refill(this.sides, sides.map((side, nth) => h("label", { class: "check", for: `auto-${nth}` },
      h("input", { type: "checkbox", id: `auto-${nth}`, data: { key: `auto-${side}` }, checked: this.autos.has(side), onchange: ({ target }) => {
        if (target.checked) this.autos.add(side);
        else this.autos.delete(side);
        this.playOn();
      } }), capital(side))));
  }

  /** Let the engine do what comes next, if it plays whoever is up or asked; real dice are left to people. */
  playOn() {
    const { state, position } = this.following;
    if (!this.current || state.ended || state.awaited) return;
    const turn = state.acting.length ? state.acting : (this.legal.actors ?? []).map(({ who }) => who); // or whose may be next
    const concerned = state.question?.of ?? state.window?.to ?? turn;
    const side = concerned.map((who) => state.combatants[who]?.side).find((one) => this.autos.has(one));
    if (!side) return;
    clearTimeout(this.next);
    this.next = setTimeout(async () => {
      const still = this.current && this.following.position === position && this.autos.has(side);
      if (!still || this.end.signal.aborted || await this.send({ type: "Auto", side }, true)) return;
      if (this.current && this.following.position === position) this.autos.delete(side); // it cannot go on, and says why
      this.draw();
    }, PAUSE_MS);
  }

  /** Say whether an answer is waited for. */
  waits() {
    const underWay = !this.current || this.sentAt === this.following.position;
    this.now.setAttribute("aria-busy", String(underWay || this.actions.busy));
    this.saying?.setAttribute("aria-disabled", String(underWay));
  }

  /** Whether what is offered belongs to what is shown, and all that was sent from here has come back. */
  get current() {
    const { position } = this.following;
    return this.legal.head === position && position >= this.carried;
  }

  /** A closed record can only be shared; and what could only be refused is shown so, but keeps the focus. */
  closeTools(closed) {
    const { history } = this.following;
    const last = history.head ? history.commandOf(history.head)[0] : null;
    const mine = this.isGm ? history.path.length > 1 : last?.who === this.me.name && SPOKEN.has(last.event?.type);
    this.undo.setAttribute("aria-disabled", String(!mine));
    this.redo?.setAttribute("aria-disabled", String(!history.undone.length));
    for (const one of this.record?.parentElement.children ?? []) one.hidden = closed && one !== this.record;
    for (const one of [this.words, this.playing]) if (one) one.hidden = closed;
  }

  /** Say what is new and whose turn it is to people who do not see the page; of much at once, only the end. */
  say() {
    const { state } = this.following;
    const text = [...this.news.slice(-NEWS), standing(state, this.names(state), phaseOf(state))].join(". ");
    this.news = [];
    if (text !== this.said) announce(text);
    this.said = text;
  }

  /** Return the names known from the story, and of those whose coming was hidden from us. */
  names(state) {
    const names = this.story.names;
    for (const [id, name] of Object.entries(namesIn(state))) names[id] ??= name;
    return names;
  }

  choices(state, names) {
    const { history } = this.following;
    if (history.closed) return [closedSaid(history, this.fight), this.isGm ? downloads(this.client, this.fight, ["log.jsonl"]) : null];
    const send = (intent) => this.send(intent);
    const cards = waiting(this.legal.waits, state, names, { own: this.own, send, meant: this.legal.meant });
    const actions = this.actions.view(names);
    const idle = !cards.length && !actions;
    return [cards, actions, idle ? h("p", { class: "dim" }, this.me.role === "spectator" ? "You are looking on."
      : state.ended ? "The fight is over." : "Nothing to do for you just now.") : null,
    this.me.role === "player" ? standingPasses(state, names, this.own, send) : null,
    this.me.role === "spectator" ? null : stirring(history.recorded, send)];
  }

  /** Send a command; says whether it was carried out. `bound` ties it to what is seen here. A second click is no second one. */
  async send(intent, bound = false) {
    const { position } = this.following;
    if (!this.current || this.sentAt === position) return false;
    this.sentAt = position;
    fill(this.refusal);
    this.waits();
    try {
      await this.submit(intent, bound);
      return true;
    } catch (problem) {
      this.refuse(problem);
      return false;
    } finally {
      if (this.sentAt === position) this.sentAt = -1;
      this.waits();
    }
  }

  async submit(intent, bound) {
    const { head } = await this.client.command(this.fight, intent, bound ? { expected: this.following.position } : {});
    this.carried = Math.max(this.carried, head);
  }

  async refuse(problem) {
    if (problem.code === "out_of_date") {
      fill(this.refusal, h("p", {}, "Somebody was quicker; the fight has moved on. Look again."));
      return;
    }
    const shown = h("p", {}, icon("warning"), h("span", {}, capital(problem.detail || problem.message), problem.rule
      ? [" ", this.clauseOf(problem.rule)] : null));
    fill(this.refusal, shown);
    const text = problem.rule ? (await this.clause(problem.rule)) : null;
    if (text && this.refusal.contains(shown)) shown.after(h("blockquote", {}, h("b", {}, `${text.title}. `), text.says));
  }

  /** Return what leads to a clause in the book of the fight's rules. */
  clauseOf(name) {
    return clauses(this.following.history.recorded[0]?.event?.system)(name);
  }

  async clause(name) {
    try {
      this.clauses ??= await this.client.json(`/fights/${encodeURIComponent(this.fight)}/clauses`);
    } catch {
      return null;
    }
    return this.clauses[name];
  }

  async ruling() {
    try {
      this.forms ??= await this.client.json(`/fights/${encodeURIComponent(this.fight)}/rulings`);
      rule(this.dialog, this.forms, this.following.state, (intent) => this.submit(intent, true));
    } catch (problem) {
      this.refuse(problem);
    }
  }

  openRecord() {
    const { history, state, position } = this.following;
    openRecord(this.dialog, { client: this.client, fight: this.fight, at: position, over: state.ended,
      send: history.closed ? null : (intent) => this.submit(intent, true) });
  }

  correct(entry) {
    const { history } = this.following;
    const line = history.recorded[entry.input - 1];
    if (!line?.event || !history.isEffective(line.position)) {
      toast("Only what a command said, and what still counts, can be corrected.");
      return;
    }
    amend(this.dialog, { line, names: this.story.names, before: history.stateAt(history.parent(line.position) || 1),
      options: optionsOf(history, line.event.question), preview: (intent) => this.client.preview(this.fight, intent),
      send: (intent) => this.submit(intent, true) });
  }

  receipt(position) {
    showReceipt(this.dialog, this.following.history.recorded, position, this.story.names,
      (at) => this.client.explain(this.fight, at));
  }
}

/** Return the ways to answer a question that was asked. */
function optionsOf(history, question) {
  return history.recorded.find(({ event }) => event?.type === "Asked" && event.question === question)?.event.options;
}

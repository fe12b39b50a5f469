// The replay view: a recorded fight, from a file or a server, played, stepped and scrubbed.

import { digest, History, marks, moment, step, verifyChain } from "./affray/index.js";
import { board, keepInSight } from "./board.js";
import { announce, button, fill, h, icon, toast } from "./dom.js";
import { Luck } from "./luck.js";
import { order, people, standing } from "./people.js";
import { showReceipt } from "./receipt.js";
import { closedSaid } from "./record.js";
import { sentenceOf, StoryView } from "./storyview.js";
import { Timeline } from "./timeline.js";
import { called, capital, label } from "./words.js";

const UNITS = { event: "event", command: "command", turn: "turn", round: "round" };
const PACE = 700;
const GUESS = "Some of this fight is hidden from you: what is shown between two moments that you were told is our best guess.";

/** Show a history, and its story as a server tells it. Returns what takes the view down again. */
export function replay(root, history, { story, map, title, explain = null, audit = null, record = null, foreseen = null, name = "FIGHT" }) {
  return new Replay(root, history, { story, map, title, explain, audit, record, foreseen, name }).close;
}

/** Read a log file's text into a history. */
export const historyOf = (text) => History.read(text);

class Replay {
  constructor(root, history, { story, map, title, explain, audit, record, foreseen, name }) {
    Object.assign(this, { history, map, title, explain, audit, record, name });
    this.unit = "command";
    this.position = 0;
    this.marks = marks(history, "event");
    this.stops = { event: this.marks };
    this.playing = null;
    this.dialog = h("dialog", { class: "sheet" });
    this.story = new StoryView({ receipt: (at) => this.receipt(at), choose: (entry) => this.go(entry.to) });
    this.timeline = new Timeline((at) => this.go(at));
    this.luck = new Luck(history, foreseen, (at) => this.go(at));
    this.build(root);
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.close = () => {
      this.stop();
      this.luck.close();
      document.removeEventListener("keydown", this.keys);
    };
    this.story.show(history, story);
    this.timeline.draw(history);
    this.luck.draw(this.stopsBy(this.unit));
    this.check();
    this.go(this.marks[0]);
  }

  build(root) {
    this.status = h("div", { class: "status" });
    this.stage = h("div", { class: "stage" });
    this.findings = h("div", { class: "findings" });
    this.proof = h("p", { class: "proof", role: "status" });
    const undone = h("input", { type: "checkbox", id: "undone", checked: true,
      onchange: () => this.story.list.classList.toggle("hide-undone", !undone.checked) });
    const lanes = this.history.lanes().length;
    fill(root, h("div", { class: "view replay" },
      h("section", { class: "panel scene", "aria-label": "The fight now" }, this.status, this.stage),
      h("section", { class: "panel telling", "aria-labelledby": "story-title" },
        h("header", {}, h("h2", { id: "story-title" }, "The story"),
          lanes ? h("label", { class: "check", for: "undone" }, undone, `Taken back (${lanes})`) : null),
        this.story.list),
      h("section", { class: "panel fares", "aria-labelledby": "fares-title" },
        h("h2", { id: "fares-title" }, "How they fared"), this.timeline.element),
      this.luck.panel,
      h("section", { class: "panel proofs", "aria-labelledby": "record-title" },
        h("h2", { id: "record-title" }, "The record"), this.proof,
        closedSaid(this.history, this.name),
        this.audit || this.record ? h("div", { class: "row" },
          this.audit ? button({ says: "Audit this fight", onclick: () => this.judge() }) : null,
          this.record ? button({ says: "Share it, or begin a what-if …", onclick: () => this.share() }) : null) : null,
        this.findings),
      this.transport(), this.dialog));
  }

  transport() {
    this.scrubber = h("input", { type: "range", min: 0, step: 1, class: "scrubber", "aria-label": "Where in the fight",
      oninput: () => this.go(this.stopsBy(this.unit)[Number(this.scrubber.value)]) });
    this.where = h("output", { class: "where" });
    this.play = button({ shows: "play", label: "Play", class: "play", onclick: () => this.toggle() });
    const units = h("select", { "aria-label": "Step by", onchange: () => this.by(units.value) },
      Object.entries(UNITS).map(([value, text]) => h("option", { value, selected: value === this.unit }, text)));
    return h("section", { class: "panel transport", "aria-label": "Playback" },
      h("div", { class: "controls" },
        button({ shows: "first", label: "To the beginning", onclick: () => this.go(this.marks[0]) }),
        button({ shows: "back", label: "One step back", onclick: () => this.step(-1) }),
        this.play,
        button({ shows: "forward", label: "One step on", onclick: () => this.step(1) }),
        button({ shows: "last", label: "To the end", onclick: () => this.go(this.marks.at(-1)) }),
        h("label", { class: "unit" }, h("span", {}, "by"), units),
        h("div", { class: "slide" }, this.luck.curve, this.scrubber), this.where, this.luck.now));
  }

  by(unit) {
    this.unit = unit;
    this.luck.draw(this.stopsBy(unit));
    this.slide(this.position);
  }

  /** Return where one can stop, by event, command, turn or round. */
  stopsBy(unit) {
    this.stops[unit] ??= marks(this.history, unit);
    return this.stops[unit];
  }

  /** Put the scrubber at the last of its stops that is not behind a position. */
  slide(position) {
    const stops = this.stopsBy(this.unit);
    let at = stops.length - 1;
    while (at > 0 && stops[at] > position) at -= 1;
    this.scrubber.max = String(stops.length - 1);
    this.scrubber.value = String(at);
  }

  step(direction, unit = this.unit) {
    const next = step(this.stopsBy(unit), this.position, direction);
    if (next === this.position) return false;
    this.go(next);
    return true;
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.position >= this.marks.at(-1)) this.go(this.marks[0]);
    this.playing = setInterval(() => this.step(1) || this.stop(), PACE);
    this.playShown(true);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.playShown(false);
  }

  playShown(on) {
    this.play.replaceChildren(icon(on ? "pause" : "play"));
    this.play.setAttribute("aria-label", on ? "Pause" : "Play");
    this.play.title = on ? "Pause" : "Play";
  }

  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || this.dialog.open) return;
    if (event.target.closest?.("select, textarea, input:not([type=range]):not([type=checkbox])")) return;
    const pressed = event.target.closest?.("button, a, summary, [role=button]");
    const moves = { ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), ArrowDown: () => this.step(1, "turn"),
      ArrowUp: () => this.step(-1, "turn"), PageDown: () => this.step(1, "round"), PageUp: () => this.step(-1, "round"),
      Home: () => this.go(this.marks[0]), End: () => this.go(this.marks.at(-1)), ".": () => this.step(1, "event"),
      ",": () => this.step(-1, "event"), " ": pressed ? null : () => this.toggle() };
    if (!moves[event.key]) return;
    event.preventDefault();
    if (event.key !== " ") this.stop();
    moves[event.key]();
  }

  go(position) {
    if (!position) return;
    this.position = position;
    const state = this.history.stateAt(position);
    const effective = this.history.isEffective(position) || position === this.marks.at(-1);
    this.draw(state, position, effective);
    this.slide(position);
    this.scrubber.setAttribute("aria-valuetext", `Position ${position}, round ${state.round}`);
    fill(this.where, h("b", {}, String(position)), ` of ${this.history.recorded.length}`);
    this.story.at(position);
    this.timeline.show(position);
    this.luck.at(position);
    this.number(state, position);
  }

  draw(state, position, effective) {
    const names = this.story.names;
    const { phase } = moment(this.history, position);
    const { event, says } = this.history.at(position);
    fill(this.status,
      h("div", { class: "heading" }, h("h1", {}, state.fight || "A fight"),
        h("p", { class: "facts" }, h("span", {}, this.title), h("span", {}, state.round ? `Round ${state.round}` : "Before the first round"),
          phase ? h("span", {}, capital(label("phases", phase))) : null)),
      effective ? null : h("p", { class: "warning" }, "This was taken back: it is not part of the fight as it counts."),
      this.history.partial ? h("p", { class: "guess" }, GUESS) : null,
      h("p", { class: "standing" }, standing(state, names, phase)), order(state, names),
      h("p", { class: "event" }, h("span", { class: "dim" }, `${position} `), this.sentence(says),
        ["Rolled", "Damaged"].includes(event?.type) ? button({ says: "Receipt", class: "quiet", onclick: () => this.receipt(position) }) : null));
    const map = board(state, this.map);
    keepInSight(this.stage, () => fill(this.stage, map, pendingOf(state, names), h("div", { class: "sides" }, people(state))));
    if (!this.playing) announce(this.sentence(says));
  }

  /** Return what is said of the present position: the event itself, or the entry of the story it closes. */
  sentence(says) {
    const entry = this.unit !== "event" && this.story.entryAt(this.position);
    if (entry) return sentenceOf(entry);
    return says || "Something that is hidden from you";
  }

  async number(state, position) {
    const found = await digest(state);
    if (this.position !== position) return;
    this.status.dataset.digest = found;
    this.status.dataset.position = String(position);
  }

  receipt(position) {
    this.stop();
    showReceipt(this.dialog, this.history.recorded, position, this.story.names, this.explain);
  }

  share() {
    this.stop();
    this.record(this.dialog, this.history.commandOf(this.position).at(-1).position);
  }

  async check() {
    try {
      const head = await verifyChain(this.history.recorded);
      this.proof.dataset.proof = "whole";
      fill(this.proof, icon("check"), h("span", {}, "The hash chain is whole, up to ", h("code", { title: head }, head.slice(0, 12)), "."));
    } catch (broken) {
      this.proof.dataset.proof = "broken";
      fill(this.proof, icon("warning"), h("span", {}, broken.position ? `The hash chain is broken at position ${broken.position}.`
        : `The hash chain could not be verified: ${broken.message}`));
    }
  }

  async judge() {
    fill(this.findings, h("p", { class: "dim" }, "Auditing …"));
    try {
      const { verdict, summary, report, says } = await this.audit();
      const missing = (report?.missing ?? []).map(({ layer, what, remedy }) => h("li", {}, `${layer}: ${what}; needed: ${remedy}`));
      fill(this.findings, h("p", { class: JUDGED[verdict] }, summary),
        missing.length ? h("h3", {}, "Not judged") : null, missing.length ? h("ul", { class: "rows" }, missing) : null,
        h("ol", { class: "rows" }, (report?.findings ?? []).map((one, nth) => h("li", {},
          button({ says: String(one.position), class: "at", onclick: () => this.go(one.position) }), " ",
          says[nth]))));
    } catch (problem) {
      fill(this.findings);
      toast(problem.detail ?? problem.message, "bad");
    }
  }
}

/** How the page shows what an audit comes to. */
const JUDGED = { clean: "good", incomplete: "open", found: "warning" };

/** Return what is declared and unresolved, the uppermost first. */
export function pendingOf(state, names) {
  if (!state.stack.length) return null;
  return h("section", { class: "pending", "aria-label": "Pending" }, h("h3", {}, "Pending, the uppermost first"),
    h("ol", {}, [...state.stack].reverse().map((item) => h("li", {}, h("b", {}, capital(called(names, item.actor))), " ",
      label("actions", item.kind), item.targets?.length ? ` → ${item.targets.map((who) => called(names, who)).join(", ")}` : ""))));
}

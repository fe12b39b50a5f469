// The story on the page: entries that can be chosen, numbers that open their receipt, what was taken back struck through.

import { fill, h, pressable } from "./dom.js";
import { learn } from "./words.js";

const RECORD = new Set(["FightOpened", "FormatRaised", "RulesetAdopted", "Rewound", "Restored", "Amended", "Previewed",
  "EntropyAdded", "Closed", "Forked"]);
const DEPTHS = ["round", "turn", "act"];

/** Tells a history and follows it as it grows. */
export class StoryView {
  /** receipt(position) shows a receipt; choose(entry) is a click on an entry. */
  constructor({ live = false, receipt, choose = null }) {
    this.receipt = receipt;
    this.choose = choose;
    this.list = h("ol", { class: "story", role: "list", "aria-label": "The story", tabindex: 0 });
    this.pinned = true;
    let last = 0;
    this.list.addEventListener("scroll", () => {
      const { scrollTop, scrollHeight, clientHeight } = this.list;
      if (scrollHeight - scrollTop - clientHeight < 40) this.pinned = true;
      else if (scrollTop < last) this.pinned = false;
      last = scrollTop;
    });
    if (live) new ResizeObserver(() => this.follow()).observe(this.list);
    this.reset();
  }

  reset() {
    this.entries = [];
    this.names = { gm: "the game master" };
    this.read = 0;
    this.head = 0;
    this.rows = [];
    this.current = null;
    fill(this.list);
  }

  /** How many entries cannot change any more; what is told is asked for from there on. */
  get settled() {
    return Math.max(0, this.entries.length - 1);
  }

  /**
   * Show what is new in a history; returns the new entries' texts, but none of those that were there from the beginning.
   *
   * told: the entries behind the first `after` ones, as the server tells them.
   */
  show(history, told, after = 0) {
    const lines = history.recorded;
    if (lines.length < this.read) this.reset();
    const known = this.read ? this.entries.length : Infinity;
    const fresh = lines.slice(this.read);
    for (const line of fresh) if (line.event) learn(this.names, line.event);
    this.read = lines.length;
    const there = told.filter((entry) => entry.position <= lines.length);
    this.entries.splice(after, this.entries.length - after, ...there);
    const first = fresh.some((line) => RECORD.has(line.event?.type)) ? 0 : after;
    for (let at = first; at < this.entries.length; at += 1) this.draw(at, history, lines);
    this.head = history.head;
    return this.entries.slice(known).map(textOf);
  }

  draw(at, history, lines) {
    const entry = this.entries[at];
    const first = lines[entry.position - 1].event;
    entry.undone = !RECORD.has(first?.type) && !history.isEffective(entry.position);
    entry.record = RECORD.has(first?.type) && first.type !== "FightOpened";
    const text = textOf(entry) + entry.undone;
    const known = this.rows[at];
    if (known?.text === text) return;
    const row = { text, entry, element: this.row(entry) };
    if (known) known.element.replaceWith(row.element);
    else this.list.append(row.element);
    this.rows[at] = row;
    if (this.current === known && known) this.current = row;
  }

  row(entry) {
    const parts = entry.parts.map((part) => !part.position ? part.text
      : pressable({ class: "roll", "aria-haspopup": "dialog", data: { position: part.position },
        title: "Why this number?" }, () => this.receipt(part.position), part.text));
    const notes = entry.notes?.length ? h("span", { class: "notes" }, ` ${entry.notes.join(" · ")}`) : null;
    const mark = h(this.choose ? "button" : "span", this.choose ? { type: "button", class: "at",
      "aria-label": `Position ${entry.position}`, onclick: () => this.choose(entry) } : { class: "at" }, String(entry.position));
    return h("li", { class: `entry ${DEPTHS[entry.depth]}${entry.begins ? " begins" : ""}${entry.record ? " record" : ""}${entry.undone ? " undone" : ""}`,
      data: { position: entry.position } }, mark,
      entry.undone ? h("del", {}, parts, notes) : h("span", { class: "text" }, parts, notes));
  }

  /** Return the entry that tells a position. */
  entryAt(position) {
    return this.rows.findLast((row) => row.entry.position <= position)?.entry;
  }

  /** Mark the entry that tells a position, and dim what comes later. */
  at(position) {
    let found = -1;
    this.rows.forEach((row, nth) => {
      if (row.entry.position <= position) found = nth;
    });
    this.rows.forEach((row, nth) => row.element.classList.toggle("later", nth > found));
    this.current?.element.removeAttribute("aria-current");
    this.current = this.rows[found] ?? null;
    if (!this.current) return;
    this.current.element.setAttribute("aria-current", "step");
    intoView(this.list, this.current.element);
  }

  /** Keep the newest entry in sight, unless somebody has scrolled up to read. */
  follow() {
    if (this.pinned) this.list.scrollTop = this.list.scrollHeight;
  }
}

/** Return what an entry says. */
const textOf = (entry) => sentenceOf(entry) + (entry.notes?.length ? ` (${entry.notes.join(", ")})` : "");

/** Return the same without the notes. */
export const sentenceOf = (entry) => entry.parts.map((part) => part.text).join("");

/** Scroll a list alone; `scrollIntoView` would move the page as well. */
function intoView(list, element) {
  const [top, bottom] = [element.offsetTop - list.offsetTop, element.offsetTop - list.offsetTop + element.offsetHeight];
  if (top < list.scrollTop + 40 || bottom > list.scrollTop + list.clientHeight - 40) {
    list.scrollTop = top - list.clientHeight / 3;
  }
}

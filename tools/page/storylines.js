// The entries of the story from the server, with their undone marks and the names they introduce.

import { signal } from "@preact/signals";
import { learn } from "./words.js";

const RECORD = new Set(["FightOpened", "FormatRaised", "RulesetAdopted", "Rewound", "Restored", "Amended", "Previewed",
  "EntropyAdded", "Closed", "Forked", "UndoDeclined", "UndoRequested"]);

/** The entries of a story, as a signal that grows with the history. */
export class StoryLines {
  /** The entries, each with `undone` and `record`. An unchanged entry stays the same object. */
  entries = signal([]);
  names = signal({ gm: "the game master" });
  read = 0;

  /** How many entries cannot change any more. The story is fetched from there on. */
  get settled() {
    return Math.max(0, this.entries.value.length - 1);
  }

  /**
   * Take the new lines of a history, and return the new entries. The first call returns none.
   *
   * told: the server's entries after the first `after` ones.
   */
  take(history, told, after = 0) {
    const lines = history.recorded;
    const before = this.entries.value;
    const known = this.read ? before.length : Infinity;
    const names = { ...this.names.value };
    const fresh = lines.slice(this.read);
    for (const line of fresh) if (line.event) learn(names, line.event);
    this.read = lines.length;
    const judged = fresh.some((line) => RECORD.has(line.event?.type));
    const kept = before.slice(0, after).map((entry) => (judged ? this.markEntry(entry, history) : entry));
    const there = told.filter((entry) => entry.position <= lines.length).map((entry) => this.markEntry(entry, history));
    this.names.value = names;
    this.entries.value = [...kept, ...there];
    return this.entries.value.slice(known);
  }

  markEntry(entry, history) {
    const record = RECORD.has(history.at(entry.position).event?.type);
    const undone = !record && !history.isEffective(entry.position);
    return entry.undone === undone ? entry : { ...entry, undone, record: record && history.at(entry.position).event.type !== "FightOpened" };
  }
}

/** Return the text of an entry. */
export const textOf = (entry) => sentenceOf(entry) + (entry.notes?.length ? ` (${entry.notes.join(", ")})` : "");

/** Return the text of an entry without its notes. */
export const sentenceOf = (entry) => unbroken(entry.parts.map((part) => part.text).join(""));

/** Return the summary of an entry. */
export const gistOf = (entry) => (entry.gist ? unbroken(entry.gist) : sentenceOf(entry));

/** Keep the values before and after an arrow on one line. */
const unbroken = (text) => text.replaceAll(" → ", "\u00a0→\u00a0");

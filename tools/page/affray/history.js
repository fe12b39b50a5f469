/**
 * The record as a tree: which events are effective, and how undo, redo and amendments change that.
 *
 * No event is ever erased. `Rewound`, `Restored` and `Amended` only move the effective head. Effective are the head's
 * ancestors. An event's parent is the effective head at the time of its recording.
 */

import { EMPTY } from "./fold.js";
import { Unreadable } from "./forms.js";
import { mustBePossible } from "./possible.js";
import { readWhole } from "./reading.js";
import { mustMakeSense } from "./sense.js";
import { ABOUT_THE_RECORD, FORMAT, VOIDING } from "./shapes.js";
import { States } from "./states.js";

/** @typedef {import("./reading.js").Line} Line */
/** @typedef {import("./fold.js").State} State */
/** @typedef {{position: number, hash: string, state: State}} Snapshot */

/** Whether an event is a pass that the table sent for a combatant. @param {any} event */
const isSentPass = (event) => event?.type === "Passed" && Boolean(event.why);

/**
 * The known record of one fight.
 *
 * `recorded` holds every line behind the `start`; `path` the positions of those that count; `undone` the ends of the lanes
 * that redo brings back, the last one last; `floor` is the effective head at which a fork left its parent, and `forked`
 * the position at which it did; `request` that of a player's undo request that waits for the game master; `closed` the
 * position at which the record ended; 0 is none of each.
 */
export class History {
  /** @type {Line[]} */ recorded = [];
  /** @type {number[]} */ path = [];
  /** @type {number[]} */ undone = [];
  floor = 0;
  forked = 0;
  request = 0;
  closed = 0;
  format = FORMAT;
  system = "";
  version = "";
  /** Whether the log ended within a command, which was ignored. */
  torn = false;
  /** Whether events are hidden from the viewer. Then a state between two snapshots is an estimate. */
  partial = false;

  /** @type {number[]} */ #parents = [];
  /** @type {Line | null} The first line of the last command. */ #first = null;
  /** @type {Map<number, State>} States whose positions are yet to come. */ #ahead = new Map();
  /** @type {Line[]} The lines that took a lane back. */ #left = [];
  #root;
  #states;

  /**
   * @param {Iterable<Line>} [lines]
   * @param {Snapshot} [start] The state before the lines, in a history that does not start with the first line.
   */
  constructor(lines = [], start = { position: 0, hash: "", state: EMPTY }) {
    this.start = start;
    this.#root = start.position;
    this.#states = new States(this);
    for (const line of lines) this.add(line);
  }

  /**
   * Read a whole log, and refuse impossible records.
   *
   * @param {string | Uint8Array} log JSON Lines. Only bytes show what is no UTF-8.
   * @throws {Unreadable} At the first line that the engine refuses, too.
   */
  static read(log) {
    const { lines, torn } = readWhole(log);
    const history = new History();
    for (const line of lines) {
      mustBePossible(history, line);
      mustMakeSense(history, line);
      history.add(line);
    }
    void history.state; // an event that fits nothing before it is refused, and the state is kept
    history.torn = torn;
    return history;
  }

  /** The last position. */
  get head() {
    return this.start.position + this.recorded.length;
  }

  /** The hash at the last position. */
  get headHash() {
    return this.recorded.at(-1)?.hash ?? this.start.hash;
  }

  /** The position of the last effective event. */
  get tip() {
    return this.path.at(-1) ?? this.#root;
  }

  /** The present effective state. @returns {State} @throws {import("./states.js").Unknown} */
  get state() {
    return this.#states.of(this.tip);
  }

  /** Append a line, and move the effective head accordingly. @param {Line} line */
  add(line) {
    const { position, event } = line;
    if (position !== this.head + 1) throw new Unreadable(`position ${position} where ${this.head + 1} was due`);
    if (!this.recorded.at(-1)?.more) this.#first = line;
    this.recorded.push(line);
    this.partial ||= event === null;
    if (event !== null && ABOUT_THE_RECORD.has(event.type)) {
      this.#note(position, event);
      this.#parents.push(this.tip);
    } else {
      this.#parents.push(this.tip);
      this.path.push(position);
      if (event?.type === "FightOpened") [this.format, this.system, this.version] = [event.format, event.system, event.version];
      const first = this.#first?.event?.type;
      if (first !== "Rewound" && first !== "Restored") this.undone = [];
      if (!isSentPass(this.#first?.event)) this.request = 0;
    }
    const state = this.#ahead.get(position);
    if (state) this.snapshot(position, state);
  }

  /**
   * Apply an event about the record to the effective path; other events leave the path unchanged.
   *
   * @param {number} position
   * @param {any} event
   */
  #note(position, event) {
    if (VOIDING.has(event.type)) this.request = event.type === "UndoRequested" ? position : 0;
    switch (event.type) {
      case "Rewound":
        this.#cut(event.to);
        this.undone.push(event.lane);
        break;
      case "Restored":
        this.#bring(event.lane);
        if (this.undone.at(-1) === event.lane) this.undone.pop();
        else if (event.commands) this.undone.push(event.left);
        break;
      case "Amended":
        this.#cut(event.to);
        this.undone = [];
        break;
      case "Forked":
        [this.floor, this.forked] = [this.tip, position];
        this.undone = [];
        break;
      case "RulesetAdopted":
        this.version = event.version;
        break;
      case "FormatRaised":
        this.format = event.format;
        break;
      case "Closed":
        this.closed = position;
        break;
    }
    if (["Rewound", "Restored", "Amended"].includes(event.type)) this.#left.push(this.at(position));
  }

  /** @param {number} to */
  #cut(to) {
    this.path.length = this.#upTo(to);
    if (!this.path.length) this.#root = Math.min(to, this.start.position);
  }

  /** @param {number} tip */
  #bring(tip) {
    const lane = this.lane(tip);
    this.#cut(lane.length ? this.parent(lane[0]) : tip);
    this.path.push(...lane);
  }

  /** Count the positions of the path up to this one. @param {number} position */
  #upTo(position) {
    let [low, high] = [0, this.path.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.path[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Return the line at a position. @param {number} position @returns {Line} */
  at(position) {
    return this.recorded[position - this.start.position - 1];
  }

  /** Tell whether an event counts. @param {number} position */
  isEffective(position) {
    const nth = this.#upTo(position);
    return nth > 0 ? this.path[nth - 1] === position : position === this.#root;
  }

  /** Return the lines that count behind one position and up to another. @param {number} [after] @param {number} [to] */
  effective(after = 0, to = this.head) {
    return this.path.slice(this.#upTo(after), this.#upTo(to)).map((position) => this.at(position));
  }

  /** Return the position of the last event that counted before this one. @param {number} position */
  parent(position) {
    return this.#parents[position - this.start.position - 1];
  }

  /** Return the position whose state was the present one once this was recorded. @param {number} position */
  tipAt(position) {
    const type = this.at(position)?.event?.type;
    return type !== undefined && ABOUT_THE_RECORD.has(type) ? this.parent(position) : position;
  }

  /** Return the positions that counted once a position was recorded, in order. @param {number} position */
  lineOf(position) {
    const line = [];
    for (let at = this.tipAt(position); at > this.start.position; at = this.parent(at)) line.push(at);
    return line.reverse();
  }

  /** Return the positions from where a lane leaves the path up to its tip. @param {number} tip */
  lane(tip) {
    const lane = [];
    for (let at = tip; at > this.start.position && !this.isEffective(at); at = this.parent(at)) lane.push(at);
    return lane.reverse();
  }

  /**
   * Return the lanes that are not effective now, in the order in which they were left.
   *
   * @returns {{tip: number, positions: number[], since: number, how: string, again: boolean}[]} The positions that are in
   *   none of the lanes before it; since when it counts no more, by what, and whether redo would bring it again.
   */
  lanes() {
    const seen = new Set();
    const lanes = [];
    for (const { position, event } of this.#left) {
      const { type, lane, left } = /** @type {any} */ (event);
      const tip = type === "Restored" ? left : lane;
      const positions = this.lane(tip).filter((at) => !seen.has(at));
      for (const at of positions) seen.add(at);
      if (positions.length) {
        lanes.push({ tip, positions, since: position, how: type, again: this.undone.includes(tip) });
      }
    }
    return lanes;
  }

  /**
   * Return the state at a position of any lane.
   *
   * @param {number} position
   * @returns {State}
   * @throws {import("./states.js").Unknown}
   */
  stateAt(position) {
    return this.#states.of(this.tipAt(position));
  }

  /**
   * Take a state at a position from the server, if hidden events lead there.
   *
   * @param {number} position Of a line that is here, or is yet to come.
   * @param {State} state
   */
  snapshot(position, state) {
    if (position > this.head) {
      this.#ahead.set(position, state);
      return;
    }
    this.#ahead.delete(position);
    this.#states.keep(this.tipAt(position), state);
  }

  /**
   * Replace a sealed line by its full form.
   *
   * @param {Line} line A line whose position is not here changes nothing.
   * @throws {Unreadable} It is not the line that was sealed.
   */
  open(line) {
    const { position } = line;
    const sealed = this.at(position);
    if (!sealed) return;
    if (sealed.hash !== line.hash) throw new Unreadable(`position ${position} is not what was sealed`);
    this.recorded[position - this.start.position - 1] = line;
    this.partial = this.recorded.some(({ event }) => event === null);
    this.#states.forget();
  }

  /** Return the lines of the command that a position belongs to. @param {number} position */
  commandOf(position) {
    const nth = position - this.start.position - 1;
    let first = nth;
    while (this.recorded[first - 1]?.more) first -= 1;
    return this.recorded.slice(first, nth + 1 + this.recorded[nth].more);
  }
}

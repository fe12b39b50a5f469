/** The states of a fight by position, with a cache for quick steps back and forth. */

import { evolve } from "./fold.js";
import { Unreadable } from "./forms.js";

/** @typedef {import("./fold.js").State} State */

/** The most events between two cached states. */
const EVERY = 32;

/** An error: the state after a position does not follow from the known events; a snapshot would give it. */
export class Unknown extends Error {
  /** @param {number} position */
  constructor(position) {
    super(`the state at position ${position} does not follow from what is known here`);
    this.name = "Unknown";
    this.position = position;
  }
}

/** The states of one history, by their last effective event. */
export class States {
  /** @type {Map<number, State>} States from the server. */ #told = new Map();
  /** @type {Map<number, State>} */ #kept = new Map();
  /** @type {[number, State]} */ #latest;
  #history;

  /** @param {import("./history.js").History} history */
  constructor(history) {
    this.#history = history;
    const { position, state } = history.start;
    this.#latest = [position, state];
    this.keep(position, state);
  }

  /** Take a state from the server. @param {number} tip @param {State} state */
  keep(tip, state) {
    this.#told.set(tip, state);
    this.#kept.set(tip, state);
    this.#latest = [tip, state];
  }

  /** Drop every folded state, since more of the events is known than before. */
  forget() {
    this.#kept = new Map(this.#told);
    const { position, state } = this.#history.start;
    this.#latest = [position, state];
  }

  /** Return a state, folded from the nearest one before it. @param {number} tip @returns {State} @throws {Unknown} */
  of(tip) {
    const history = this.#history;
    const behind = [];
    let at = tip;
    while (at !== this.#latest[0] && !this.#kept.has(at)) {
      if (at <= history.start.position) throw new Unknown(tip);
      behind.push(at);
      at = history.parent(at);
    }
    let state = at === this.#latest[0] ? this.#latest[1] : /** @type {State} */ (this.#kept.get(at));
    for (const position of behind.reverse()) {
      state = this.#after(state, history.at(position));
      if (position % EVERY === 0) this.#kept.set(position, state);
    }
    this.#latest = [tip, state];
    return state;
  }

  /**
   * Fold an event; a hidden event changes nothing visible.
   *
   * @param {State} state
   * @param {import("./reading.js").Line} line
   */
  #after(state, { position, event }) {
    if (event === null) return state;
    try {
      return evolve(state, event);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if (this.#history.partial) return state;
      throw new Unreadable(`${event.type}: ${error.reason}`, position);
    }
  }
}

/** A subscription to a fight: its record and its state, kept up to date. */

import { History } from "./history.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./feed.js").Message} Message */
/** @typedef {import("./fold.js").State} State */

/**
 * @typedef {object} FollowOptions
 * @property {boolean} [whole] Whether to fetch the whole record; otherwise it starts with the present state.
 * @property {(following: Following) => void} [changed] Called when a whole command has arrived, or another state.
 * @property {(line: import("./reading.js").Line, following: Following) => void} [line] Called with each line.
 * @property {(line: import("./reading.js").Line, following: Following) => void} [opened] Called with each earlier line
 *   that can now be read in full, after it has been replaced.
 * @property {(following: Following) => void} [ready] Called when all lines so far have arrived.
 * @property {(head: number) => void} [settled] Called whenever no more lines are on their way, with the head that a command
 *   may expect.
 * @property {() => void} [present] Called when a player comes or goes.
 * @property {() => void} [scene] Called when the pictures change.
 * @property {(says: string) => void} [headline] Called with the headline, at first and whenever it changes.
 * @property {(error: unknown) => void} [away] Called when the connection is lost; it will be retried.
 * @property {() => void} [back] Called when the connection is back.
 * @property {(error: unknown) => void} [failed] Called when it ends for good, such as with a refused token.
 * @property {AbortSignal} [signal] Ends it.
 */

/**
 * A followed fight. `bands` holds words instead of hidden numbers, by combatant and pool; `done` settles when
 * it ends.
 */
export class Following {
  history = new History();
  /** @type {Record<string, Record<string, string>>} */ bands = {};
  ready = false;
  /** @type {{position: number, state: State} | null} */ #told = null;
  #options;
  #end = new AbortController();

  /** @param {Client} client @param {string} fight @param {FollowOptions} [options] */
  constructor(client, fight, options = {}) {
    this.#options = options;
    options.signal?.addEventListener("abort", () => this.close());
    if (options.signal?.aborted) this.close();
    this.done = this.#run(client.feed(fight, { after: options.whole ? 0 : undefined, present: Boolean(options.present),
      headline: Boolean(options.headline), scene: Boolean(options.scene), settled: Boolean(options.settled), signal: this.#end.signal }));
  }

  /** The position of the present state. The lines that lead there may arrive later. */
  get position() {
    return Math.max(this.history.head, this.#told?.position ?? 0);
  }

  /** The present state. @returns {State} */
  get state() {
    return this.#told && this.#told.position > this.history.head ? this.#told.state : this.history.state;
  }

  /** Stop following. */
  close() {
    this.#end.abort();
  }

  /** @param {AsyncGenerator<Message>} messages */
  async #run(messages) {
    try {
      for await (const message of messages) this.#take(message);
    } catch (error) {
      this.close();
      if (!this.#options.failed) throw error;
      this.#options.failed(error);
    }
  }

  /** @param {Message} message */
  #take(message) {
    const { changed, line, opened, ready, settled, present, headline, scene, away, back } = this.#options;
    switch (message.type) {
      case "snapshot":
        if (!this.history.head && !this.#options.whole) this.history = new History([], message);
        else this.history.snapshot(message.position, message.state);
        this.#told = message;
        this.bands = message.bands;
        changed?.(this);
        break;
      case "line":
        this.history.add(message.line);
        line?.(message.line, this);
        if (!message.line.more && (this.ready || !this.#options.whole)) changed?.(this);
        break;
      case "opened":
        this.history.open(message.line);
        opened?.(message.line, this);
        break;
      case "ready":
        this.ready = true;
        ready?.(this);
        if (this.#options.whole) changed?.(this);
        break;
      case "settled":
        settled?.(message.head);
        break;
      case "present":
        present?.();
        break;
      case "scene":
        scene?.();
        break;
      case "headline":
        headline?.(message.says);
        break;
      case "away":
        away?.(message.error);
        break;
      case "back":
        back?.();
        break;
    }
  }
}

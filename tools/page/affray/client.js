/** Asking a server: every route as a method. */

import { withState } from "./canonical.js";
import { feed } from "./feed.js";
import { Following } from "./following.js";
import { Problem, Unreachable } from "./problem.js";
import { readLine } from "./reading.js";
import { elements, members } from "./scan.js";

/** @typedef {import("./feed.js").FeedOptions} FeedOptions */
/** @typedef {import("./following.js").FollowOptions} FollowOptions */
/** @typedef {{type: string, [field: string]: unknown}} Intent */
/** @typedef {{id?: string, expected?: number, signal?: AbortSignal}} CommandOptions */
/** @typedef {import("./reading.js").Line} Line */
/** @typedef {import("./fold.js").State} State */
/** @typedef {import("./types.d.ts").WhoMay} WhoMay */
/** @typedef {import("./types.d.ts").WhatMay} WhatMay */
/** @typedef {import("./types.d.ts").HowMay} HowMay */
/** @typedef {import("./types.d.ts").Forecast} Forecast */
/** @typedef {import("./types.d.ts").Forecasts} Forecasts */

/** How often a command is sent again, under the same id, when it is not known whether it arrived. */
const TRIES = 4;

/** How long the first pause before that is; each one is twice as long as the one before. */
const PAUSE_MS = 250;

/** @param {number} milliseconds @returns {Promise<void>} */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Return a new id for a command. `crypto.randomUUID` is missing where a page comes over plain HTTP. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One person's way to a server. */
export class Client {
  /**
   * @param {object} [options]
   * @param {string} [options.base] Address of the server; the page's own, if not given.
   * @param {string} [options.token] Who we are.
   * @param {typeof globalThis.fetch} [options.fetch]
   * @param {(milliseconds: number) => Promise<void>} [options.wait] How to wait before something is tried again.
   */
  constructor({ base = "", token = "", fetch = (...request) => globalThis.fetch(...request), wait = pause } = {}) {
    this.base = base.replace(/\/$/, "");
    this.token = token;
    this.wait = wait;
    this.fetch = fetch;
  }

  /**
   * Ask for something below `/api`, and return the answer if it is a good one.
   *
   * @param {string} path
   * @param {{method?: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal}} [request]
   * @returns {Promise<Response>}
   * @throws {Problem | Unreachable}
   */
  async ask(path, { method = "GET", body, headers = {}, signal } = {}) {
    /** @type {Record<string, string>} */
    const all = { Accept: "application/json", ...headers };
    if (this.token) all.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) all["Content-Type"] = body instanceof Blob ? body.type : "application/json";
    let response;
    try {
      const sent = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
      response = await this.fetch(`${this.base}/api${path}`, { method, headers: all, body: sent, signal, cache: "no-store" });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable(error);
    }
    if (!response.ok) throw await Problem.of(response);
    return response;
  }

  /** @param {string} path @param {Parameters<Client["ask"]>[1]} [request] @returns {Promise<any>} */
  async json(path, request) {
    return (await this.ask(path, request)).json();
  }

  /** @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
  post(path, body, signal) {
    return this.json(path, { method: "POST", body, signal });
  }

  /** Whether the server is there, and its version. */
  health() {
    return this.json("/health");
  }

  /** The fights this token may see. */
  fights() {
    return this.json("/fights");
  }

  /** Open a fight. @param {{id: string, encounter?: object, toml?: string, dice?: string}} wanted */
  open(wanted) {
    return this.post("/fights", wanted);
  }

  /** What a fight is, where it stands, and who we are in it. @param {string} fight */
  fight(fight) {
    return this.json(at(fight));
  }

  /** Make a token for somebody. @param {string} fight @param {{role: string, name: string, owns?: string[]}} viewer */
  grant(fight, viewer) {
    return this.post(`${at(fight)}/grants`, viewer);
  }

  /** Who holds a token of a fight: never the token, but the `id` to take it back by. @param {string} fight */
  grants(fight) {
    return this.json(`${at(fight)}/grants`);
  }

  /** Take back one token, or all but our own; answers who still holds one. @param {string} fight @param {string} [id] */
  takeBack(fight, id) {
    return this.json(`${at(fight)}/grants${id === undefined ? "" : `?id=${encodeURIComponent(id)}`}`, { method: "DELETE" });
  }

  /**
   * The state, now or once a position was recorded.
   *
   * @param {string} fight
   * @param {number} [position]
   * @returns {Promise<{position: number, hash: string, state: State, digest?: string, bands: Record<string, Record<string, string>>}>}
   */
  async state(fight, position) {
    const response = await this.ask(`${at(fight)}/state${query({ at: position })}`);
    return withState(await response.text());
  }

  /**
   * Lines of the record.
   *
   * @param {string} fight
   * @param {{after?: number, limit?: number}} [which]
   * @returns {Promise<{head: number, hash: string, lines: Line[]}>}
   */
  async log(fight, { after, limit } = {}) {
    const response = await this.ask(`${at(fight)}/log${query({ after, limit })}`);
    return linesIn(await response.text());
  }

  /** Who may act now, of ours, and what else is waited for. @param {string} fight @returns {Promise<WhoMay>} */
  whoMay(fight) {
    return this.json(`${at(fight)}/legal`);
  }

  /**
   * What somebody of ours may do, and the refusal of everything else.
   *
   * @param {string} fight
   * @param {string} who
   * @param {{manner?: string}} [how]
   * @returns {Promise<WhatMay>}
   */
  whatMay(fight, who, { manner } = {}) {
    return this.json(`${at(fight)}/legal/${encodeURIComponent(who)}${query({ manner })}`);
  }

  /**
   * Which field of an action is to be chosen next, and what it might be; or the whole action.
   *
   * @param {string} fight
   * @param {string} who
   * @param {string} kind
   * @param {{manner?: string, chosen?: Record<string, unknown>, fill?: boolean}} [how] `fill` takes what nobody chose to
   *     be as usual, or the only thing it can be.
   * @returns {Promise<HowMay>}
   */
  howMay(fight, who, kind, { manner, chosen, fill } = {}) {
    const said = query({ manner, chosen: chosen && JSON.stringify(chosen), fill });
    return this.json(`${at(fight)}/legal/${encodeURIComponent(who)}/${encodeURIComponent(kind)}${said}`);
  }

  /**
   * Send a command. It has one id, however often it must be sent, so that it is carried out once.
   *
   * @param {string} fight
   * @param {Intent} intent
   * @param {CommandOptions} [options]
   * @returns {Promise<{head: number, hash: string, repeated: boolean, lines: Line[], waiting: any}>}
   * @throws {Problem | Unreachable}
   */
  async command(fight, intent, { id = newId(), expected, signal } = {}) {
    const body = { id, intent, ...(expected !== undefined && { expected }) };
    for (let tried = 1; ; tried += 1) {
      try {
        const response = await this.ask(`${at(fight)}/commands`, { method: "POST", body, signal });
        return linesIn(await response.text());
      } catch (error) {
        const unsure = error instanceof Unreachable || (error instanceof Problem && error.status === 503);
        if (!unsure || (error instanceof Problem && error.code === "altered") || tried === TRIES) throw error;
      }
      await this.wait(PAUSE_MS * 2 ** (tried - 1));
    }
  }

  /**
   * Say a command in the words of the command line, such as `ilse attack captain ep=1`.
   *
   * @param {string} fight
   * @param {string} words
   * @param {CommandOptions & {reason?: string}} [options]
   */
  say(fight, words, { reason = "", ...options } = {}) {
    return this.command(fight, { type: "Said", words, reason }, options);
  }

  /**
   * Let the engine do what a side would do next, by a policy; for game masters.
   *
   * @param {string} fight
   * @param {string} side
   * @param {CommandOptions & {policy?: string}} [options]
   */
  auto(fight, side, { policy = "sensible", ...options } = {}) {
    return this.command(fight, { type: "Auto", side, policy }, options);
  }

  /** Take back the last commands. @param {string} fight @param {Partial<import("./types.d.ts").Undo> & CommandOptions} [what] */
  undo(fight, { id, expected, signal, ...fields } = {}) {
    return this.command(fight, { ...fields, type: "Undo" }, { id, expected, signal });
  }

  /** Allow or decline what a player asks to take back. @param {string} fight @param {Partial<import("./types.d.ts").AnswerUndo> & CommandOptions} [what] */
  answerUndo(fight, { id, expected, signal, ...fields } = {}) {
    return this.command(fight, { ...fields, type: "AnswerUndo" }, { id, expected, signal });
  }

  /** Bring them back. @param {string} fight @param {Partial<import("./types.d.ts").Redo> & CommandOptions} [what] */
  redo(fight, { id, expected, signal, ...fields } = {}) {
    return this.command(fight, { ...fields, type: "Redo" }, { id, expected, signal });
  }

  /** What an amendment would come to. @param {string} fight @param {Intent} amend @param {{id?: string}} [options] */
  preview(fight, amend, { id = newId() } = {}) {
    return this.post(`${at(fight)}/preview`, { id, intent: amend });
  }

  /** Begin a what-if of its own. @param {string} fight @param {{id: string, at?: number, reason?: string}} wanted */
  fork(fight, wanted) {
    return this.post(`${at(fight)}/fork`, wanted);
  }

  /** Check chain, dice and rules. @param {string} fight */
  audit(fight) {
    return this.json(`${at(fight)}/audit`);
  }

  /**
   * Begin to foresee a fight: the odds from a position on, or what dice and decisions were worth in all of it.
   *
   * @param {string} fight
   * @param {{what: "odds" | "luck", at?: number, side?: string, within?: number, trials?: number}} wish
   * @returns {Promise<Forecast>} What is known by now, most likely nothing: ask for it again by its id.
   */
  foresee(fight, wish) {
    return this.post(`${at(fight)}/forecasts`, wish);
  }

  /** Everything that was asked to be foreseen. @param {string} fight @returns {Promise<Forecasts>} */
  forecasts(fight) {
    return this.json(`${at(fight)}/forecasts`);
  }

  /** What is known by now of a forecast. @param {string} fight @param {string} id @returns {Promise<Forecast>} */
  forecast(fight, id) {
    return this.json(`${at(fight)}/forecasts/${encodeURIComponent(id)}`);
  }

  /** Want a forecast no more. @param {string} fight @param {string} id @returns {Promise<Forecasts>} */
  dropForecast(fight, id) {
    return this.json(`${at(fight)}/forecasts/${encodeURIComponent(id)}`, { method: "DELETE" });
  }

  /**
   * A fight told in sentences: the lines behind the first `after` ones. The last one can still grow.
   *
   * @param {string} fight
   * @param {number} [after]
   * @returns {Promise<import("./types.d.ts").Story>}
   */
  story(fight, after) {
    return this.json(`${at(fight)}/story${query({ after })}`);
  }

  /** Whose turn it was all through a fight. @param {string} fight @returns {Promise<import("./types.d.ts").Headlines>} */
  headlines(fight) {
    return this.json(`${at(fight)}/headlines`);
  }

  /** What a fight has cost everybody by now. @param {string} fight @returns {Promise<import("./types.d.ts").Cost>} */
  cost(fight) {
    return this.json(`${at(fight)}/cost`);
  }

  /** Who follows a fight now. @param {string} fight @returns {Promise<import("./types.d.ts").WhoIsThere>} */
  present(fight) {
    return this.json(`${at(fight)}/present`);
  }

  /** A link as a QR code, an SVG picture. @param {string} link @returns {Promise<Blob>} */
  async code(link) {
    return (await this.ask("/code", { method: "POST", body: { link }, headers: { Accept: "image/svg+xml" } })).blob();
  }

  /** How far two places are apart. @param {string} fight @param {string} here @param {string} there @returns {Promise<{distance: number | null, says: string}>} */
  apart(fight, here, there) {
    return this.json(`${at(fight)}/apart${query({ here, there })}`);
  }

  /** The pictures of a fight, as far as we may see them. @param {string} fight @returns {Promise<any>} */
  scene(fight) {
    return this.json(`${at(fight)}/scene`);
  }

  /** Set all of them: `version` is the one we know. @param {string} fight @param {object} wanted @returns {Promise<any>} */
  setScene(fight, wanted) {
    return this.json(`${at(fight)}/scene`, { method: "PUT", body: wanted });
  }

  /** Keep a picture for a fight. @param {string} fight @param {Blob} picture @returns {Promise<{name: string, media: string, width: number, height: number}>} */
  upload(fight, picture) {
    return this.post(`${at(fight)}/pictures`, picture);
  }

  /** Delete a picture, wherever it stands. @param {string} fight @param {string} name */
  async removePicture(fight, name) {
    await this.ask(`${at(fight)}/pictures/${encodeURIComponent(name)}`, { method: "DELETE" });
  }

  /** Where a picture is, for an image to show. @param {string} name */
  picture(name) {
    return `${this.base}/api/pictures/${encodeURIComponent(name)}`;
  }

  /** The words of a fight's rules. @param {string} fight @returns {Promise<import("./types.d.ts").Vocabulary>} */
  vocabulary(fight) {
    return this.json(`${at(fight)}/vocabulary`);
  }

  /** A log that we have as a file, told in sentences. @param {string} log @returns {Promise<import("./types.d.ts").Told>} */
  told(log) {
    return this.post("/told", { log });
  }

  /** Why a position is as it is. @param {string} fight @param {number} position */
  explain(fight, position) {
    return this.json(`${at(fight)}/explain/${position}`);
  }

  /**
   * A file to share.
   *
   * @param {string} fight
   * @param {"export.md" | "export.html" | "rolls.csv" | "events.csv" | "log.jsonl"} name
   * @returns {Promise<Blob>}
   */
  async export(fight, name) {
    return (await this.ask(`${at(fight)}/${name}`, { headers: { Accept: "*/*" } })).blob();
  }

  /** Follow a fight, message by message. @param {string} fight @param {FeedOptions} [options] */
  feed(fight, options) {
    return feed(this, fight, options);
  }

  /** Follow a fight, and keep its record and state. @param {string} fight @param {FollowOptions} [options] */
  follow(fight, options) {
    return new Following(this, fight, options);
  }
}

/** @param {string} fight */
function at(fight) {
  return `/fights/${encodeURIComponent(fight)}`;
}

/** @param {Record<string, string | number | boolean | undefined>} fields */
function query(fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length ? `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}` : "";
}

/** Read a document with lines, each with its payload's own text. @param {string} text @returns {any} */
function linesIn(text) {
  const { lines, ...rest } = JSON.parse(text);
  const found = lines && elements(members(text).get("lines") ?? "[]").map((line) => readLine(line));
  return found ? { ...rest, lines: found } : rest;
}


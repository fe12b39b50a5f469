/** The HTTP client of an Affray server: a method for each route. */

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

/** How often a command is sent again under the same id, if the client does not know whether it arrived. */
const TRIES = 4;

/** The first pause before a command is sent again; each pause doubles. */
const PAUSE_MS = 250;

/** @param {number} milliseconds @returns {Promise<void>} */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Return a new id for a command. `crypto.randomUUID` is missing in a page over plain HTTP. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A client with one viewer's token. */
export class Client {
  /**
   * @param {object} [options]
   * @param {string} [options.base] Address of the server; the page's own, if not given.
   * @param {string} [options.token] The viewer's token.
   * @param {typeof globalThis.fetch} [options.fetch]
   * @param {(milliseconds: number) => Promise<void>} [options.wait] How to wait before a retry.
   */
  constructor({ base = "", token = "", fetch = (...request) => globalThis.fetch(...request), wait = pause } = {}) {
    this.base = base.replace(/\/$/, "");
    this.token = token;
    this.wait = wait;
    this.fetch = fetch;
  }

  /**
   * Send a request below `/api`, and return the successful answer.
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

  /** Return the server's health and version. */
  health() {
    return this.json("/health");
  }

  /** Return the fights that this token may see. */
  fights() {
    return this.json("/fights");
  }

  /** Open a fight. @param {{id: string, encounter?: object, toml?: string, dice?: string}} wanted */
  open(wanted) {
    return this.post("/fights", wanted);
  }

  /** Return a fight's description, its progress, and the viewer's role. @param {string} fight */
  fight(fight) {
    return this.json(at(fight));
  }

  /** Make a token for a viewer. @param {string} fight @param {{role: string, name: string, owns?: string[]}} viewer */
  grant(fight, viewer) {
    return this.post(`${at(fight)}/grants`, viewer);
  }

  /** Return the holders of a fight's tokens: never a token, but the `id` to revoke it by. @param {string} fight */
  grants(fight) {
    return this.json(`${at(fight)}/grants`);
  }

  /** Revoke one token, or all but the client's own; return the remaining holders. @param {string} fight @param {string} [id] */
  takeBack(fight, id) {
    return this.json(`${at(fight)}/grants${id === undefined ? "" : `?id=${encodeURIComponent(id)}`}`, { method: "DELETE" });
  }

  /**
   * Return the state, now or at a position.
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
   * Return lines of the record.
   *
   * @param {string} fight
   * @param {{after?: number, limit?: number}} [which]
   * @returns {Promise<{head: number, hash: string, lines: Line[]}>}
   */
  async log(fight, { after, limit } = {}) {
    const response = await this.ask(`${at(fight)}/log${query({ after, limit })}`);
    return linesIn(await response.text());
  }

  /** Return the viewer's combatants that may act now, and the awaited inputs. @param {string} fight @returns {Promise<WhoMay>} */
  whoMay(fight) {
    return this.json(`${at(fight)}/legal`);
  }

  /**
   * Return a combatant's actions, the impossible ones with their refusal.
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
   * Return the next field of an action with its choices, or the complete action.
   *
   * @param {string} fight
   * @param {string} who
   * @param {string} kind
   * @param {{manner?: string, chosen?: Record<string, unknown>, fill?: boolean}} [how] `fill` sets each field without a
   *     choice to its default, or to its only possible value.
   * @returns {Promise<HowMay>}
   */
  howMay(fight, who, kind, { manner, chosen, fill } = {}) {
    const said = query({ manner, chosen: chosen && JSON.stringify(chosen), fill });
    return this.json(`${at(fight)}/legal/${encodeURIComponent(who)}/${encodeURIComponent(kind)}${said}`);
  }

  /**
   * Send a command. Every retry has the same id, so that the server carries it out once.
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
   * Send a command in the words of the command line, such as `ilse attack captain ep=1`.
   *
   * @param {string} fight
   * @param {string} words
   * @param {CommandOptions & {reason?: string}} [options]
   */
  say(fight, words, { reason = "", ...options } = {}) {
    return this.command(fight, { type: "Said", words, reason }, options);
  }

  /**
   * Let the engine act for a side by a policy; for game masters.
   *
   * @param {string} fight
   * @param {string} side
   * @param {CommandOptions & {policy?: string}} [options]
   */
  auto(fight, side, { policy = "sensible", ...options } = {}) {
    return this.command(fight, { type: "Auto", side, policy }, options);
  }

  /** Undo the last commands. @param {string} fight @param {Partial<import("./types.d.ts").Undo> & CommandOptions} [what] */
  undo(fight, { id, expected, signal, ...fields } = {}) {
    return this.command(fight, { ...fields, type: "Undo" }, { id, expected, signal });
  }

  /** Allow or decline a player's undo request. @param {string} fight @param {Partial<import("./types.d.ts").AnswerUndo> & CommandOptions} [what] */
  answerUndo(fight, { id, expected, signal, ...fields } = {}) {
    return this.command(fight, { ...fields, type: "AnswerUndo" }, { id, expected, signal });
  }

  /** Redo undone commands. @param {string} fight @param {Partial<import("./types.d.ts").Redo> & CommandOptions} [what] */
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
   * Start a forecast: the odds from a position on, or the luck of the whole fight.
   *
   * @param {string} fight
   * @param {{what: "odds" | "luck", at?: number, side?: string, within?: number, trials?: number}} wish
   * @returns {Promise<Forecast>} The forecast, usually without results yet: poll it by its id.
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
   * Return a fight's story after its first `after` entries. The last entry can still grow.
   *
   * @param {string} fight
   * @param {number} [after]
   * @returns {Promise<import("./types.d.ts").Story>}
   */
  story(fight, after) {
    return this.json(`${at(fight)}/story${query({ after })}`);
  }

  /** Return the headlines of a fight. @param {string} fight @returns {Promise<import("./types.d.ts").Headlines>} */
  headlines(fight) {
    return this.json(`${at(fight)}/headlines`);
  }

  /** Return the cost of a fight so far, by combatant. @param {string} fight @returns {Promise<import("./types.d.ts").Cost>} */
  cost(fight) {
    return this.json(`${at(fight)}/cost`);
  }

  /** Return the connected viewers of a fight. @param {string} fight @returns {Promise<import("./types.d.ts").WhoIsThere>} */
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

  /** Return the vocabulary of a fight's rules. @param {string} fight @returns {Promise<import("./types.d.ts").Vocabulary>} */
  vocabulary(fight) {
    return this.json(`${at(fight)}/vocabulary`);
  }

  /** Return the story of a log file. @param {string} log @returns {Promise<import("./types.d.ts").Told>} */
  told(log) {
    return this.post("/told", { log });
  }

  /** Why a position is as it is. @param {string} fight @param {number} position */
  explain(fight, position) {
    return this.json(`${at(fight)}/explain/${position}`);
  }

  /**
   * Return an export of a fight.
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


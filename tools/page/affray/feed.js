/** The feed of a fight: it reconnects after a lost connection, without gaps and without duplicates. */

import { withState } from "./canonical.js";
import { Problem } from "./problem.js";
import { readLine } from "./reading.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./reading.js").Line} Line */
/** @typedef {import("./fold.js").State} State */

/**
 * @typedef {object} FeedOptions
 * @property {number} [after] Start after this position; 0 is the whole record. If not given, start with the state.
 * @property {boolean} [present] Whether to report when a player comes or goes.
 * @property {boolean} [headline] Whether to report the headline.
 * @property {boolean} [scene] Whether to report changed pictures.
 * @property {boolean} [settled] Whether to report whenever all recorded lines have arrived.
 * @property {AbortSignal} [signal] Ends it.
 */

/**
 * @typedef {{type: "line", line: Line}
 *   | {type: "opened", line: Line}
 *   | {type: "snapshot", position: number, hash: string, state: State, bands: Record<string, Record<string, string>>}
 *   | {type: "ready", head: number}
 *   | {type: "present", head: number}
 *   | {type: "scene", head: number}
 *   | {type: "settled", head: number}
 *   | {type: "headline", head: number, says: string}
 *   | {type: "away", error: unknown}
 *   | {type: "back"}} Message
 *   A line of the record; an earlier line that can be read in full from now on; the state at a position, also
 *   before the lines that lead there; all lines so far have arrived; a viewer came or went; the pictures
 *   changed; no more lines are on their way, so that a command may expect this head; the headline;
 *   the connection is lost and will be retried; the connection is back.
 */

/** The silence after which the connection counts as lost, longer than two heartbeats of the server. */
const SILENCE_MS = 40_000;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Yield the messages of a fight's feed, until the signal ends it.
 *
 * @param {Client} client
 * @param {string} fight
 * @param {FeedOptions} [options]
 * @returns {AsyncGenerator<Message, void, void>}
 * @throws {Problem} The server refuses, and a retry would not help.
 */
export async function* feed(client, fight, { after, present = false, headline = false, scene = false, settled = false, signal } = {}) {
  const wanted = Object.entries({ present, headline, scene, settled }).filter(([, on]) => on).map(([name]) => `${name}=true`).join("&");
  const path = `/fights/${encodeURIComponent(fight)}/feed${wanted && `?${wanted}`}`;
  let last = after;
  let failures = 0;
  let gone = false;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const end = () => connection.abort();
    signal?.addEventListener("abort", end);
    try {
      /** @type {Record<string, string>} */
      const headers = { Accept: "text/event-stream" };
      if (last !== undefined) headers["Last-Event-ID"] = String(last);
      const { body } = await client.ask(path, { headers, signal: connection.signal });
      if (gone) yield { type: "back" };
      gone = false;
      for await (const { event, data } of events(/** @type {ReadableStream<Uint8Array>} */ (body))) {
        failures = 0;
        if (event === "lagging") break;
        const message = read(event, data);
        if (message?.type === "line") {
          const { position } = message.line;
          if (last !== undefined && position <= last) continue;
          last = position;
        } else if (message?.type === "snapshot") {
          last ??= message.position;
        }
        if (message) yield message;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Problem && error.status < 500) throw error;
      if (!gone) yield { type: "away", error };
      gone = true;
    } finally {
      signal?.removeEventListener("abort", end);
      connection.abort();
    }
    if (signal?.aborted) return;
    failures += 1;
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    await client.wait(longest * (0.5 + Math.random() / 2));
  }
}

const BESIDE = new Set(["ready", "present", "headline", "scene", "settled"]);

/** @param {string} event @param {string} data @returns {Message | undefined} */
function read(event, data) {
  if (event === "line" || event === "opened") return { type: event, line: readLine(data) };
  if (BESIDE.has(event)) return { type: event, ...JSON.parse(data) };
  if (event === "snapshot") return { type: "snapshot", ...withState(data) };
  return undefined;
}

/**
 * Yield the events of a text/event-stream; a comment is an event without a name.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{event: string, data: string}>}
 */
export async function* events(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event = "";
  /** @type {string[]} */
  let data = [];
  try {
    for (;;) {
      const { value, done } = await withinTime(reader.read());
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = /** @type {string} */ (lines.pop());
      for (const raw of lines) {
        const line = raw.replace(/\r$/, "");
        if (line === "") {
          yield { event, data: data.join("\n") };
          [event, data] = ["", []];
        } else if (line.startsWith("event:")) {
          event = line.slice(6).trim();
        } else if (line.startsWith("data:")) {
          data.push(line.slice(5).replace(/^ /, ""));
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
async function withinTime(promise) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const silence = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error("nothing comes any more")), SILENCE_MS);
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, silence]));
  } finally {
    clearTimeout(timer);
  }
}

// The store of the page. The fight's feed and the server's answers update its signals. A component that reads a signal
// renders again when the signal changes. No view keeps a copy.

import { batch, computed, signal } from "@preact/signals";
import { newId, Problem, Unreachable } from "./affray/index.js";
import { Choosing } from "./choosing.js";
import { foesOf } from "./near.js";
import { toast } from "./parts.js";
import { hang } from "./pictures.js";
import { StoryLines } from "./storylines.js";
import { namesIn, problemSaid, word } from "./words.js";

/** The connection problem as a sentence; empty while the connection works. */
export const connection = signal("");

/** The commands of players, which they may undo until another command follows. */
const SPOKEN = new Set(["Declared", "Answered", "Passed", "AskingSet", "DiceEntered"]);

/** How long a command that could not be sent waits for the next try, unless the connection is back earlier. */
const AGAIN_MS = 3000;

/** The status of answers by which a proxy says that the server behind it is away. */
const AWAY = new Set([502, 503, 504]);

/** Whether a command did not reach the server, or nothing is known of it. */
const isUnsent = (problem) => problem instanceof Unreachable || (AWAY.has(problem.status) && !problem.code);

/** One viewer at one fight: the visible state, the legal actions, and the results of sent commands. */
export class Seat {
  /** Whether the whole record has arrived. */
  ready = signal(false);
  state = signal(null);
  position = signal(0);
  /** The last recorded position that has arrived. The state can arrive before the lines that lead to it. */
  head = signal(0);
  /** Words instead of hidden numbers, by combatant and counter. */
  bands = signal({});
  /** The combatants that may act and the awaited inputs, at the position `head`. */
  legal = signal({ head: 0, actors: [], waits: [], meant: "" });
  /** The dangers to combatants that this viewer sees, the gravest first. */
  perils = signal([]);
  /** The headline from the server: whose turn it is, or the awaited player. */
  headline = signal("");
  /** The connected viewers, as the server lists them. They are fetched again when a viewer comes or goes. */
  present = signal({ people: [], spectators: 0 });
  /** The links that this page made, by seat. The server stores no token that it could show again. */
  given = signal({});
  /** The seats whose links this page revoked, so that the game master can make new links. */
  gone = signal([]);
  /** The story so far. */
  story = new StoryLines();
  /** What the engine plays for this seat: sides, and the combatant whose single turn it plays. */
  autoplay = signal({ sides: [], turn: null });
  /** The automatic answers, by question and combatants. */
  habits = signal(new Map());
  /** Whether a command waits until the server can be reached again. */
  unsent = signal(false);
  /** Why this seat can do nothing more: the status of the answer, 401 for its link or 404 for the fight; 0 if it can. */
  lost = signal(0);
  /** The last refusal: `{ message, rule, text }`. */
  refusal = signal(null);
  /** The component of the sheet over the table; nothing if no sheet is open. */
  sheet = signal(null);
  /** The position at which a pending command was sent, and the last position that a sent command reached. */
  sentAt = signal(-1);
  carried = signal(0);

  /** client: the API client; fight: its name; about: the server's description of it. */
  constructor(client, fight, about) {
    Object.assign(this, { client, fight, about, me: about.you, own: about.you.owns ?? [] });
    this.names = computed(() => ({ ...(this.state.value ? namesIn(this.state.value) : {}), ...this.story.names.value }));
    this.closed = computed(() => Boolean(this.history?.closed));
    /** Whether the legal actions belong to the shown position, and every sent command has arrived. */
    this.current = computed(() => this.legal.value.head === this.position.value && this.position.value >= this.carried.value);
    this.underWay = computed(() => !this.current.value || this.sentAt.value === this.position.value);
    const at = `/fights/${encodeURIComponent(fight)}`;
    this.choosing = new Choosing({
      ask: (who, manner, kind, chosen) => kind ? client.howMay(fight, who, kind, { manner, chosen, fill: true })
        : client.whatMay(fight, who, { manner }),
      aims: (who, whom, manner) => client.json(`${at}/aims/${encodeURIComponent(who)}/${encodeURIComponent(whom)}?manner=${encodeURIComponent(manner)}`),
      ways: (who, manner) => client.json(`${at}/ways/${encodeURIComponent(who)}?manner=${encodeURIComponent(manner)}`),
      send: (intent) => this.send(intent, true),
      begins: async (who, manner) => this.begins(who) ? client.json(`${at}/likely/${encodeURIComponent(who)}?manner=${encodeURIComponent(manner)}`) : null,
      foes: (who) => foesOf(this.state.value, who, this.history?.recorded ?? [], about.map),
      failed: (problem) => this.reportFailure(problem) });
    this.asked = 0;
    /** The position at which the turn began in which this viewer lets all windows go by; below 0 if there is none. */
    this.ignored = -1;
    this.end = new AbortController();
    /** Called with the new story entries when a whole command and the next legal actions have arrived. */
    this.onNews = () => {};
  }

  get isGm() {
    return this.me.role === "gm" && !this.lost.value;
  }

  /** Whether this viewer can send commands. */
  get plays() {
    return this.me.role !== "spectator" && !this.lost.value;
  }

  /** The record so far. A component that reads it renders again as it grows. */
  get history() {
    return this.head.value ? this.following.history : null;
  }

  /** Follow the fight until `close`. A command that waited when the page was loaded anew is sent now. */
  follow() {
    const kept = this.unsentBefore();
    if (kept) this.keepSending(kept.intent, false, kept.options).catch((problem) => this.refuseCommand(problem));
    this.following = this.client.follow(this.fight, { whole: true, signal: this.end.signal, changed: () => this.changed(), ready: () => this.look(), present: () => this.look(), scene: () => hang(this.client, this.fight),
      headline: (says) => { this.headline.value = says; },
      away: () => { connection.value = "Connection lost – trying again …"; }, back: () => this.reconnect(),
      failed: (problem) => {
        if (!this.lose(problem)) connection.value = `Not connected: ${problem.message}`;
      } });
  }

  /** The connection is back: send at once what waits for it. */
  reconnect() {
    connection.value = "";
    if (this.refusal.value?.offline) this.refusal.value = null;
    this.sendAgain?.();
  }

  /** Leave the fight if a problem says that its link or the fight is gone; return whether it does. */
  lose({ status }) {
    if (status !== 401 && status !== 404) return false;
    batch(() => {
      this.lost.value = status;
      this.sheet.value = null;
      this.refusal.value = null;
      this.autoplay.value = { sides: [], turn: null };
    });
    connection.value = "";
    this.choosing.drop();
    this.close();
    return true;
  }

  /** Whether a combatant is active and has not acted yet in this turn. */
  begins(who) {
    const lines = this.history?.recorded ?? [];
    const from = lines.findLastIndex(({ event }) => event?.type === "TurnBegan");
    return this.state.value.acting.includes(who)
      && !lines.slice(from).some(({ event }) => event?.type === "Declared" && event.actor === who && word("actions", event.kind).told !== false);
  }

  /** Fetch the pictures again when the known combatants change. The server sends a portrait only with its combatant. */
  refreshPictures(people) {
    const known = people.join(" ");
    if (known !== this.known) hang(this.client, this.fight);
    this.known = known;
  }

  /** Fetch the connected viewers. */
  async look() {
    try {
      this.present.value = await this.client.present(this.fight);
    } catch {
      // The next viewer who comes or goes triggers another fetch.
    }
  }

  close() {
    if (this.unsent.value) toast("Your last command was not sent.", "bad");
    this.end.abort();
    this.sendAgain?.();
    this.following?.close();
  }

  /** Show a command that arrived, then fetch the legal actions. */
  async changed() {
    const { following } = this;
    if (!following?.ready) return;
    batch(() => {
      this.state.value = following.state;
      this.bands.value = following.bands;
      this.position.value = following.position;
      this.head.value = following.history.head;
      this.ready.value = true;
    });
    this.refreshPictures(Object.keys(following.state.combatants));
    const asked = ++this.asked;
    const after = this.story.settled;
    try {
      const [legal, told] = await Promise.all([this.client.whoMay(this.fight), this.client.story(this.fight, after)]);
      if (asked !== this.asked) return;
      const passing = legal.waits.filter(({ kind }) => kind === "pass").map(({ intent }) => intent.who);
      await this.choosing.offer(legal.actors, passing.length ? passing : following.state.acting, passing.length > 0);
      if (asked !== this.asked) return;
      let news;
      batch(() => {
        news = this.story.take(following.history, told.entries, after);
        this.legal.value = legal;
        this.headline.value = legal.headline;
        if (JSON.stringify(legal.perils) !== JSON.stringify(this.perils.value)) this.perils.value = legal.perils;
        if (this.refusal.value?.at < following.position) this.refusal.value = null;
      });
      this.onNews(news);
    } catch (problem) {
      if (asked === this.asked && !isUnsent(problem)) this.reportFailure(problem); // the feed reports a lost connection
    }
  }

  /** Send a command, and return whether it was accepted. `bound` makes it fail if the fight has moved on. A double click sends once. */
  async send(intent, bound = false) {
    const position = this.position.value;
    if (!this.current.value || this.sentAt.value === position) return false;
    batch(() => {
      this.sentAt.value = position;
      this.refusal.value = null;
    });
    try {
      await this.keepSending(intent, bound);
      return true;
    } catch (problem) {
      this.refuseCommand(problem);
      return false;
    } finally {
      if (this.sentAt.value === position) this.sentAt.value = -1;
    }
  }

  /** Send commands one after the other, until one is refused. */
  async sendAll(intents) {
    try {
      for (const intent of intents) await this.keepSending(intent, false);
    } catch (problem) {
      this.refuseCommand(problem);
    }
  }

  /** Send a command at once. @throws {Problem | Unreachable} The server refuses it, or cannot be reached. */
  submit(intent, bound = true) {
    return this.deliver(intent, bound ? { expected: this.position.value } : {});
  }

  async deliver(intent, options) {
    const { head } = await this.client.command(this.fight, intent, options);
    this.carried.value = Math.max(this.carried.value, head);
  }

  /** Send a command. While the server cannot be reached, keep it and send it again under its id, so that it counts once. */
  async keepSending(intent, bound, options = { id: newId(), ...(bound && { expected: this.position.value }) }) {
    try {
      for (;;) {
        try {
          return await this.deliver(intent, options);
        } catch (problem) {
          if (!isUnsent(problem) || this.end.signal.aborted) throw problem;
          this.unsent.value = true;
          sessionStorage.setItem(this.unsentKey, JSON.stringify({ intent, options }));
          await new Promise((again) => {
            this.sendAgain = again;
            setTimeout(again, AGAIN_MS);
          });
          if (this.end.signal.aborted) throw problem;
        }
      }
    } finally {
      this.unsent.value = false;
      sessionStorage.removeItem(this.unsentKey);
    }
  }

  /** The key under which this window keeps the command that waits for the server. */
  get unsentKey() {
    return `affray-unsent:${this.fight}`;
  }

  /** Return the command that waited before the page was loaded anew, with its id; null if there was none. */
  unsentBefore() {
    return JSON.parse(sessionStorage.getItem(this.unsentKey));
  }

  /** Show why a command was refused; it is lost with its link. */
  refuseCommand(problem) {
    this.refuse(problem);
    if (problem.status === 401) toast("Your last command was not carried out.", "bad");
  }

  /** Show a refusal, and then the text of its clause when that has been fetched. */
  async refuse(problem) {
    const at = this.position.value;
    if (problem.status === 401 && this.lose(problem)) return;
    if (isUnsent(problem)) {
      this.refusal.value = { at, message: "No connection to the server. Nothing was changed.", rule: "", offline: true };
      return;
    }
    if (problem.code === "out_of_date") {
      this.refusal.value = { at, message: "Another player acted first. The table has been updated.", rule: "" };
      return;
    }
    const refusal = { at, message: problemSaid(problem), rule: problem.rule ?? "" };
    this.refusal.value = refusal;
    const text = problem.rule ? await this.clause(problem.rule) : null;
    if (text && this.refusal.value === refusal) this.refusal.value = { ...refusal, text };
  }

  /** Show why a query failed. Any other error is a bug of the page. */
  reportFailure(problem) {
    if (problem instanceof Problem || problem instanceof Unreachable) this.refuse(problem);
    else throw problem;
  }

  async clause(name) {
    try {
      this.clauses ??= await this.client.json(`/fights/${encodeURIComponent(this.fight)}/clauses`);
    } catch {
      return null;
    }
    return this.clauses[name];
  }

  async rulings() {
    this.forms ??= await this.client.json(`/fights/${encodeURIComponent(this.fight)}/rulings`);
    return this.forms;
  }

  /** Whether this viewer can undo the last command. */
  get undoable() {
    const history = this.history;
    const said = history?.recorded.findLast(({ event }) => event?.type !== "UndoDeclined" && event?.type !== "UndoRequested");
    const last = said && !this.request ? history.commandOf(said.position)[0] : null;
    return this.isGm ? history?.path.length > 1 : last?.who === this.me.name && SPOKEN.has(last.event?.type);
  }

  /** The line of the pending undo request; nothing if there is none. */
  get request() {
    const history = this.history;
    return history?.request && !history.closed ? history.at(history.request) : null;
  }

  get redoable() {
    return Boolean(this.history?.undone.length);
  }

  /** The name of the rule system. */
  get system() {
    return this.history?.recorded[0]?.event?.system;
  }
}

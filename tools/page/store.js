// The one store of the page. It is fed by the fight's feed and by what the server answers, as signals: whatever reads
// one of them is drawn anew when it changes, and no view keeps a copy of its own.

import { batch, computed, signal } from "@preact/signals";
import { Problem, Unreachable } from "./affray/index.js";
import { Choosing } from "./choosing.js";
import { foesOf } from "./near.js";
import { hang } from "./pictures.js";
import { StoryLines } from "./storylines.js";
import { namesIn, problemSaid, word } from "./words.js";

/** What is wrong with the connection, as a sentence; nothing while it is well. */
export const connection = signal("");

/** What players say themselves, and may take back as long as nothing followed. */
const SPOKEN = new Set(["Declared", "Answered", "Passed", "AskingSet", "DiceEntered"]);

/** A fight at which somebody sits: what they see of it, what they may do, and what became of what they sent. */
export class Seat {
  /** Whether all that was recorded has come. */
  ready = signal(false);
  state = signal(null);
  position = signal(0);
  /** How much of the record is there: the state can be told before the lines that lead to it. */
  head = signal(0);
  /** Per combatant and counter, in words, what is hidden in numbers. */
  bands = signal({});
  /** Who may act and what is waited for, at the position `head`. */
  legal = signal({ head: 0, actors: [], waits: [], meant: "" });
  /** Whose turn it is, or whom the table waits for: the server's words. */
  headline = signal("");
  /** Who is here, as the server says it; asked anew whenever somebody comes or goes. */
  present = signal({ people: [], spectators: 0 });
  /** The links that were made from here, by whose they are: no server keeps a token that it could show again. */
  given = signal({});
  /** Those whose links were taken back from here, so that they can be given another one. */
  gone = signal([]);
  /** The story so far. */
  story = new StoryLines();
  /** Why the last thing that was sent or asked was refused: `{ message, rule, text }`. */
  refusal = signal(null);
  /** The sheet that lies over the table: a function that draws it. */
  sheet = signal(null);
  /** The position at which something was sent that has not come back, and how far what was sent led. */
  sentAt = signal(-1);
  carried = signal(0);

  /** client: asks the server; fight: its name; about: what the server says of it. */
  constructor(client, fight, about) {
    Object.assign(this, { client, fight, about, me: about.you, own: about.you.owns ?? [] });
    this.isGm = this.me.role === "gm";
    this.plays = this.me.role !== "spectator";
    this.names = computed(() => ({ ...(this.state.value ? namesIn(this.state.value) : {}), ...this.story.names.value }));
    this.closed = computed(() => Boolean(this.history?.closed));
    /** Whether what is offered belongs to what is shown, and all that was sent from here has come back. */
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
      failed: (problem) => this.unanswered(problem) });
    this.asked = 0;
    this.end = new AbortController();
    /** Called with the new entries of the story once a command is there as a whole and what may be done then is known. */
    this.onNews = () => {};
  }

  /** The record so far; whoever reads it is drawn anew as it grows. */
  get history() {
    return this.head.value ? this.following.history : null;
  }

  /** Follow the fight until `close`. */
  follow() {
    this.following = this.client.follow(this.fight, { whole: true, signal: this.end.signal, changed: () => this.changed(), ready: () => this.look(), present: () => this.look(), scene: () => hang(this.client, this.fight),
      headline: (says) => { this.headline.value = says; },
      away: () => { connection.value = "Connection lost – trying again …"; }, back: () => { connection.value = ""; },
      failed: (problem) => {
        connection.value = problem.status === 401 ? "This link is no longer valid." : `Not connected: ${problem.message}`;
      } });
  }

  /** Whether somebody is up who has done nothing yet in their turn. */
  begins(who) {
    const lines = this.history?.recorded ?? [];
    const from = lines.findLastIndex(({ event }) => event?.type === "TurnBegan");
    return this.state.value.acting.includes(who)
      && !lines.slice(from).some(({ event }) => event?.type === "Declared" && event.actor === who && word("actions", event.kind).told !== false);
  }

  /** Ask for the pictures whenever others are known of than before: a portrait is told only to who knows whom it shows. */
  meet(people) {
    const known = people.join(" ");
    if (known !== this.known) hang(this.client, this.fight);
    this.known = known;
  }

  /** Ask who is here. */
  async look() {
    try {
      this.present.value = await this.client.present(this.fight);
    } catch {
      // Whoever comes or goes next makes this be asked again.
    }
  }

  close() {
    this.end.abort();
    this.following?.close();
  }

  /** A command came in: show what is known, then ask what may be done now. */
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
    this.meet(Object.keys(following.state.combatants));
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
        if (this.refusal.value?.at < following.position) this.refusal.value = null;
      });
      this.onNews(news);
    } catch (problem) {
      if (asked === this.asked) this.unanswered(problem);
    }
  }

  /** Send a command; says whether it was carried out. `bound` ties it to what is seen here. A second click is no second one. */
  async send(intent, bound = false) {
    const position = this.position.value;
    if (!this.current.value || this.sentAt.value === position) return false;
    batch(() => {
      this.sentAt.value = position;
      this.refusal.value = null;
    });
    try {
      await this.submit(intent, bound);
      return true;
    } catch (problem) {
      this.refuse(problem);
      return false;
    } finally {
      if (this.sentAt.value === position) this.sentAt.value = -1;
    }
  }

  /** Send commands one after the other, as long as each is carried out. */
  async sendAll(intents) {
    try {
      for (const intent of intents) await this.submit(intent, false);
    } catch (problem) {
      this.refuse(problem);
    }
  }

  /** Send a command at once. @throws {Problem} It is refused. */
  async submit(intent, bound = true) {
    const { head } = await this.client.command(this.fight, intent, bound ? { expected: this.position.value } : {});
    this.carried.value = Math.max(this.carried.value, head);
  }

  /** Say why something was refused, with the text of its clause as soon as that is there. */
  async refuse(problem) {
    const at = this.position.value;
    if (problem.code === "out_of_date") {
      this.refusal.value = { at, message: "Another player acted first. The table has been updated.", rule: "" };
      return;
    }
    const refusal = { at, message: problemSaid(problem), rule: problem.rule ?? "" };
    this.refusal.value = refusal;
    const text = problem.rule ? await this.clause(problem.rule) : null;
    if (text && this.refusal.value === refusal) this.refusal.value = { ...refusal, text };
  }

  /** Say why something that was asked was refused. That nobody answers is said where one follows; all else is a fault of the page. */
  unanswered(problem) {
    if (problem instanceof Problem) this.refuse(problem);
    else if (!(problem instanceof Unreachable)) throw problem;
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

  /** Whether the last command can be taken back from here, and whether there is one to bring again. */
  get undoable() {
    const history = this.history;
    const said = history?.recorded.findLast(({ event }) => event?.type !== "UndoDeclined" && event?.type !== "UndoRequested");
    const last = said && !this.request ? history.commandOf(said.position)[0] : null;
    return this.isGm ? history?.path.length > 1 : last?.who === this.me.name && SPOKEN.has(last.event?.type);
  }

  /** The line of a player's undo request that waits for the game master; nothing where none does. */
  get request() {
    const history = this.history;
    return history?.request && !history.closed ? history.at(history.request) : null;
  }

  get redoable() {
    return Boolean(this.history?.undone.length);
  }

  /** The system's name, as its book is called. */
  get system() {
    return this.history?.recorded[0]?.event?.system;
  }
}

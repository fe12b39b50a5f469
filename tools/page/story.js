// The story: neighbouring events in one entry, so that a turn reads like a table's memory of it.
//
// An entry is {position, to, depth, parts, notes, undone, input}. A part is text, or {text, position} where a number can
// be clicked for its receipt. `input` is the position of the command's own event, which an amendment can name.

import { ABOUT_THE_RECORD } from "./affray/index.js";
import { answerSaid, outcomeSaid, poolSaid, roller, rollerId, tell } from "./telling.js";
import {
  actionSaid, borne, called, capital, counted, diceSaid, does, learn, owns, phrase, purposeSaid, said, stowed, topic,
} from "./words.js";

export const ROUND = 0;
export const TURN = 1;
export const ACT = 2;

/** What is not told: what other events tell better, and what the map and the table of distances show. */
export const SILENT = new Set(["Asked", "DiceAwaited", "DiceEntered", "DistanceSet", "MarkSet", "MemberDone", "OfferDeclined",
  "Passed", "PhaseEntered", "PlaceSet", "TurnEnded", "WindowClosed", "WindowOpened"]);
const BUDGETS = new Set(["action", "actions", "belt", "main", "move", "moves"]);
const SAID_BY_WHAT_FOLLOWS = new Set(["begin_turn", "roll_initiative"]);
const CONDITIONS_JOIN = ["head", "turn", "ruling", "roll"];
const INPUTS = new Set(["Declared", "Answered", "Passed", "Ruled", "DiceEntered"]);

/** Grows with the record; what was told stays, so that a feed only adds to it. */
export class Story {
  constructor() {
    this.names = { gm: "the game master" };
    this.entries = [];
    this.pending = new Map();
    this.stacked = new Map();
    this.struck = new Set();
    this.rolls = new Map();
    this.options = new Map();
    this.depth = TURN;
    this.input = 0;
  }

  /** Tell one line of a log; a line whose payload is hidden from us is not told. */
  add(line) {
    if (!line.event) return;
    const event = line.event;
    learn(this.names, event);
    if (ABOUT_THE_RECORD.has(event.type)) this.turnBack();
    if (INPUTS.has(event.type)) this.input = line.position;
    if (event.type === "Asked") this.options.set(event.question, event.options);
    if (!SILENT.has(event.type)) (TOLD[event.type] ?? sentence)(this, event, line.position);
    if (this.last) this.last.to = line.position;
  }

  /** What was taken back may go on or be declared once more: nothing of it is over. */
  turnBack() {
    this.settle();
    this.pending = new Map(this.stacked);
    this.struck.clear();
  }

  get last() {
    return this.entries.at(-1);
  }

  begin(depth, parts, position, about = "", whom = "") {
    this.settle();
    const listed = Array.isArray(parts) ? parts : [parts];
    this.entries.push({ position, to: position, depth, parts: listed, notes: [], about, whom, input: this.input });
  }

  /** Let an action that others answer before it has taken place say that it is only meant. */
  settle() {
    const waiting = this.last?.about.startsWith("head ") && this.pending.get(this.last.about.slice(5));
    if (!waiting) return;
    this.last.parts = [capital(actionSaid(...waiting, this.names, false))];
    this.last.about = "";
  }

  joins(event) {
    return this.last && (this.last.whom === event.who || this.last.whom === "*");
  }

  begins(words) {
    return words.includes(this.last?.about.split(" ")[0]);
  }
}

function sentence(story, event, position) {
  story.begin(story.depth, tell(event, story.names), position);
}

function note(story, event, text) {
  story.last.notes.push(story.last.whom === "*" ? `${called(story.names, event.who ?? event.owner)} ${text}` : text);
}

function listed(story, key, title, piece, position, roll) {
  const about = `list ${key}`;
  const part = roll ? { text: piece, position } : piece;
  if (story.last?.about === about) story.last.parts.push(", ", part);
  else story.begin(story.depth, [`${capital(title)}: `, part], position, about);
}

const head = (depth) => (story, event, position) => {
  story.depth = event.type === "FightEnded" ? TURN : story.depth;
  story.begin(depth, tell(event, story.names), position, event.type);
};

const TOLD = {
  FightOpened: head(ROUND),
  RoundBegan: head(ROUND),
  FightEnded: head(ROUND),

  TurnBegan(story, event, position) {
    story.depth = ACT;
    story.begin(TURN, tell(event, story.names), position, "turn", event.members.length === 1 ? event.members[0] : "*");
  },

  Joined(story, event, position) {
    story.begin(TURN, tell(event, story.names), position, "joined", event.who);
  },

  ItemAdded(story, event, position) {
    if (story.last?.whom !== event.owner) return sentence(story, event, position);
    const where = event.where.includes("hand") ? ` in ${event.where}` : event.where && ` (${event.where})`;
    story.last.notes.push(`${event.name}${event.die ? ` d${event.die}` : ""}${where}`);
  },

  Declared(story, event, position) {
    if (SAID_BY_WHAT_FOLLOWS.has(event.kind)) return;
    story.begin(story.depth, tell(event, story.names), position, "head", event.actor);
    story.last.manner = event.manner;
  },

  Ruled(story, event, position) {
    story.begin(story.depth, tell(event, story.names), position, "ruling", "*");
  },

  Answered(story, event, position) {
    const option = story.options.get(event.question)?.find((one) => one.choice === event.choice);
    const says = option?.says || said(event.choice);
    story.begin(story.depth, capital(answerSaid(event, says, story.names)), position, "answer", event.by);
  },

  Stacked(story, event) {
    const action = [event.actor, phrase(event.kind, event.params, story.names, event.actor), event.manner];
    story.pending.set(event.item, action);
    story.stacked.set(event.item, action);
    story.struck.delete(event.item);
    if (story.last?.about === "head" && story.last.whom === event.actor) story.last.about = `head ${event.item}`;
  },

  Resolved(story, event) {
    if (story.last?.about === `head ${event.item}`) story.last.about = "head done";
    story.pending.delete(event.item);
  },

  Fizzled: fizzled,
  Dropped: fizzled,

  Rolled(story, event, position) {
    story.rolls.set(event.roll, event);
    const item = event.roll.replace(/^g\d+:/, "").split("/").slice(0, 3).join("/");
    const action = story.pending.get(item);
    const dice = { text: diceSaid(event), position };
    if (action && action[0] === event.by && !event.purpose.includes(":") && !story.struck.has(item)) {
      story.struck.add(item);
      if (story.last.about === `head ${item}`) {
        story.last.parts.push(": ", dice);
        story.last.about = `roll ${event.roll}`;
      } else {
        const acts = capital(actionSaid(...action, story.names));
        story.begin(story.depth, [`${acts}: `, dice], position, `roll ${event.roll}`, event.by);
      }
    } else if (event.against === null || event.against === undefined) {
      const purpose = topic(event.purpose);
      listed(story, purpose, said(purpose), `${roller(event, story.names)} ${dice.text}`, position, true);
    } else {
      const who = capital(roller(event, story.names));
      const whom = event.purpose.split(":")[1] || event.by;
      story.begin(story.depth, [`${who} ${does(story.names, rollerId(event), "roll")} ${purposeSaid(event.purpose)}: `, dice], position,
        `roll ${event.roll}`, whom);
    }
  },

  Judged(story, event, position) {
    const rolled = story.rolls.get(event.roll);
    if (story.last?.about === `roll ${event.roll}`) story.last.parts.push(outcomeSaid(event));
    else if (rolled) {
      const whose = capital(owns(roller(rolled, story.names)));
      story.begin(story.depth, `${whose} ${said(topic(rolled.purpose))}${outcomeSaid(event)}`, position);
    } else sentence(story, event, position);
  },

  Damaged(story, event, position) {
    story.begin(story.depth, { text: tell(event, story.names), position }, position, `damage ${event.who}`);
  },

  PoolChanged(story, event, position) {
    if (BUDGETS.has(event.pool)) return;
    const text = poolSaid(event);
    if (story.last?.about === `damage ${event.who}`) {
      story.last.parts.push(`. ${capital(text)}`);
      story.last.about = `hurt ${event.who}`;
    } else if (story.joins(event)) note(story, event, text);
    else listed(story, `pool ${event.pool}`, said(event.pool),
      `${called(story.names, event.who)} ${text.slice(said(event.pool).length + 1)}`, position);
  },

  ConditionChanged(story, event, position) {
    const short = event.after ? `now ${borne(event.condition, event.after)}` : `no longer ${said(event.condition)}`;
    if (story.last?.about.startsWith("head") && story.last.whom === event.who && event.condition === story.last.manner) return;
    if (story.last?.about === `hurt ${event.who}`) {
      story.last.parts.push(`. ${capital(short)}`);
      story.last.about = `changed ${event.who}`;
    } else if (story.joins(event) && story.begins(CONDITIONS_JOIN)) note(story, event, short);
    else sentence(story, event, position);
  },

  Moved(story, event, position) {
    if (!(story.last?.about.startsWith("head") && story.last.whom === event.who)) return sentence(story, event, position);
    if (event.before) story.last.notes.push(`from ${event.before}`);
    if (event.cost) story.last.notes.push(`cost ${event.cost}`);
    story.last.about = "";
  },

  ItemCounted(story, event, position) {
    if (story.last?.whom !== event.item.split(".")[0]) return sentence(story, event, position);
    const moved = counted(event.counter, event.before, event.after).replace("is no", "no");
    story.last.notes.push(`${called(story.names, event.item)} ${moved}`);
  },

  ItemMoved(story, event, position) {
    if (story.last?.whom !== event.owner) return sentence(story, event, position);
    story.last.notes.push(`${called(story.names, event.item)} ${stowed(event.after)}`);
  },
};

function fizzled(story, event, position) {
  const [actor, what] = story.pending.get(event.item) ?? ["", event.item];
  story.pending.delete(event.item);
  if (story.last?.about === `head ${event.item}`) story.last.about = "head done";
  const verb = event.type === "Fizzled" ? "can no longer" : "does not get to";
  const why = event.type === "Fizzled" ? said(event.code) : event.why;
  story.begin(story.depth, capital(`${called(story.names, actor)} ${verb} ${what} (${why})`), position);
}

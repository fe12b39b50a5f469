/**
 * What Affray writes and reads as JSON: the lines of a log (format 6), a fight's state, what commands ask.
 *
 * Made by `python -m affray.tools.clients` from the Python structs; not to be edited. A field with a question mark is
 * left out where it is as usual. The JavaScript client fills those in: its values are `Whole<…>`.
 */

/** The parameters of an action or a ruling; `affray schema SYSTEM` describes them. */
export type Params = { [name: string]: unknown };

/** The same with nothing left out, and nothing to be written. */
export type Whole<T> = T extends object ? { readonly [K in keyof T]-?: Whole<T[K]> } : T;

/** What a text names stands in its type alone. */
export type ActionName = string;
export type Clause = string;
export type ClockName = string;
export type CombatantId = string;
export type CommandId = string;
export type ConditionName = string;
export type CounterName = string;
export type DieKind = string;
export type EndingName = string;
export type FateName = string;
export type Hash = string;
export type ItemId = string;
export type ItemKind = string;
export type MannerName = string;
export type MarkName = string;
export type MarkTopic = string;
export type NoteKind = string;
export type OptionName = string;
export type OutcomeName = string;
export type PendingId = string;
export type Person = string;
export type PhaseName = string;
export type PlaceId = string;
export type PoolName = string;
export type PositionName = string;
export type PurposeName = string;
export type QuestionId = string;
export type RelationId = string;
export type RelationKind = string;
export type RoleName = string;
export type RollId = string;
export type RulingName = string;
export type SeveralId = string;
export type SideName = string;
export type SlotId = string;
export type SourceId = string;
export type StatName = string;
export type SubjectId = string;
export type Text = string;
export type ThingName = string;
export type TopicName = string;
export type TraitName = string;
export type TriggerName = string;
export type ViewName = string;
export type WindowId = string;
export type Words = string;

/** The stream begins; always its first event. */
export interface FightOpened {
  type: "FightOpened";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Version of the log format the whole stream is written in. */
  format: number;
  /** Name of the fight, for people. */
  fight: Words;
  /** The ruleset and its version. */
  system: Text;
  version: Text;
  /** The SHA-256 of the ruleset's code and data, as hex. */
  digest: Hash;
  /** Every configuration key with the value this fight uses. */
  config: Record<string, number | string | boolean | null | string[]>;
  /**
   * The commitment to the dice seed, as hex; empty where only entered dice are used. From format 6 on an HMAC-SHA-256
   * under the seed, which covers all lines of the opening; before its SHA-256.
   */
  commitment?: Hash;
  /**
   * The scheme that names and derives dice, for the whole record. 1: a declaration is numbered among all of its
   * actor's, and the seed is the key. 2: it is numbered among those of its kind, and the key is bound to the
   * commitment, or in format 5 to the opening.
   */
  dice_scheme?: number;
}

/** A later log format applies from here on. */
export interface FormatRaised {
  type: "FormatRaised";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The format of every line behind this one. */
  format: number;
}

/** Another version of the rules applies from here on; no action was half resolved. */
export interface RulesetAdopted {
  type: "RulesetAdopted";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The ruleset's version. */
  version: Text;
  /** SHA-256 over its code and data, as hex. */
  digest: Hash;
}

/** The effective head moved back; the events after it stay as a lane. */
export interface Rewound {
  type: "Rewound";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Position of the last event that still counts. */
  to: number;
  /** Position of the last event that was taken back; `Restored` names it to restore the lane. */
  lane: number;
  /** The number of commands that were taken back. */
  commands: number;
  /** Whether fresh dice were asked for; `DiceRenewed` then follows. */
  fresh?: boolean;
  /** The reason, in the sender's words. */
  reason?: Words;
  /** Position of the player's request that this grants; 0 without one. */
  request?: number;
}

/** A player's request to take back fallen dice; the game master decides. */
export interface UndoRequested {
  type: "UndoRequested";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Position of the last event that would still count. */
  to: number;
  /** Position of the last event that would be taken back: the head at the time of the request. */
  lane: number;
  /** The number of commands that would be taken back. */
  commands: number;
  /** The reason, in the player's words. */
  reason?: Words;
}

/** The game master declined an undo request; the commands keep counting. */
export interface UndoDeclined {
  type: "UndoDeclined";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Position of the request. */
  request: number;
  /** The reason, in the game master's words. */
  reason?: Words;
}

/** The effective head moved to the end of a lane that had been taken back. */
export interface Restored {
  type: "Restored";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Position of the lane's last event, now the head. */
  lane: number;
  /** Position of the head that was left for it. */
  left: number;
  /** The number of commands that this took back, if an amendment is among them; 0 if a lane was restored. */
  commands?: number;
  /** Whether fresh dice were asked for; `DiceRenewed` then follows. */
  fresh?: boolean;
  /** The reason, in the sender's words. */
  reason?: Words;
}

/** An earlier command was corrected; the fight is decided again from there. The rest of this command records it. */
export interface Amended {
  type: "Amended";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Position of the input event that was corrected. */
  position: number;
  /** Position of the last event before it, where the new lane starts. */
  to: number;
  /** Position of the last event of the lane that was left; `Restored` names it to restore the lane. */
  lane: number;
  /** Whether the input was removed and not replaced. */
  retracted?: boolean;
  /** Positions of the later inputs that were no longer possible, or no longer asked for. */
  dropped?: number[];
  /** The reason, in the sender's words. */
  reason?: Words;
}

/** An amendment drew unseen dice and was not carried out: a preview, or a refusal. */
export interface Previewed {
  type: "Previewed";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Position of the input event it would have corrected. */
  position: number;
  /** Ids of the rolls that drew dice for the first time under the present dice key. */
  rolls: RollId[];
  /** These dice, by roll and group. Earlier releases did not record them. */
  dice?: ShownDice[];
}

/** A group of equal dice that a game master saw before they fell. */
export interface ShownDice {
  /** Id of the roll that they belong to. */
  roll: RollId;
  /** The number of dice shown, from the group's first; some may have been seen before. */
  count: number;
  /** As in `Dice`. */
  sides: number;
  /** "die" where it is left out. */
  kind?: DieKind;
  item?: ItemId;
}

/**
 * A player added words to the dice key, before the first roll. From format 5 on they are accepted only while no die has
 * been previewed either (`Previewed`).
 */
export interface EntropyAdded {
  type: "EntropyAdded";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Free text; all such texts join the seed, in this order. */
  words: Words;
}

/** The record ends; no event follows. */
export interface Closed {
  type: "Closed";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The dice seed that the opening committed to, as hex; empty if all dice were entered. */
  seed?: Hash;
  /** The reason, in the sender's words. */
  reason?: Words;
}

/** The stream became a separate what-if; everything before is a parent's copy. */
export interface Forked {
  type: "Forked";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The name of this stream. */
  fight: Words;
  /** The name of the parent stream. */
  parent: Words;
  /**
   * The last position that both streams share. This event follows it directly, or after a `FormatRaised` if the parent
   * has an older format.
   */
  position: number;
  /**
   * The commitment to the seed of all later dice, as in `FightOpened`; the parent's commitment if its seed was public.
   * From format 6 on a new one covers this line and all lines before it.
   */
  commitment?: Hash;
  /** The reason, in the sender's words. */
  reason?: Words;
}

/** The engine's dice have new names from here on, so that repeats meet fresh dice. */
export interface DiceRenewed {
  type: "DiceRenewed";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** A number, unique in the whole record, that becomes part of every later dice name. */
  generation: number;
}

/** The source of a combatant's or side's dice: entered faces, or the engine. */
export interface DiceSourceSet {
  type: "DiceSourceSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id, or `*` for all combatants without another setting; empty if a side is named. */
  owner: CombatantId;
  /** `engine` or `entered`. */
  source: Text;
  /** A side in place of a combatant: all its combatants without a setting for themselves. */
  side?: SideName;
}

/** The game master's rule for players' undo of fallen dice, from here on. */
export interface PlayerUndoSet {
  type: "PlayerUndoSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** `consent` if the undo waits for the game master (the default), `free` if it does not. */
  rule: "consent" | "free";
}

/** A remark without effect: words of a game master, or a note of the rules. */
export interface Noted {
  type: "Noted";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The words of a game master. Up to format 5 a note of the rules is a text, too; it cites clauses. */
  text?: Words;
  /** The kind of a note of the rules, which names the meaning of its parts; empty for words. */
  kind?: NoteKind;
  /** The parts of a note of the rules, by name. */
  parts?: Record<string, number | string | boolean | null | string[]>;
}

/** The flow machine took one of its declared steps. */
export interface PhaseEntered {
  type: "PhaseEntered";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The phase it leads to. */
  phase: PhaseName;
  /** The command or outcome that led there. */
  trigger: TriggerName;
  /** The pending action that entered the phase; empty for the fight's own phase. */
  item?: PendingId;
}

/** A round began; 1 is the first, 0 holds everything before it. */
export interface RoundBegan {
  type: "RoundBegan";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  round: number;
}

/** The turn order was set. */
export interface OrderSet {
  type: "OrderSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  slots: Slot[];
}

/** A place in the turn order. */
export interface Slot {
  /** Combatant id, or the name of the group that acts together. */
  id: SlotId;
  /** Ids of the combatants that act in it, in joining order. */
  members: CombatantId[];
  /** The number that the order sorts by, highest first; its meaning is the system's. */
  score?: number;
}

/** The turn of a slot began. */
export interface TurnBegan {
  type: "TurnBegan";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The slot's id. */
  slot: SlotId;
  /** The members of the slot that have a turn now. */
  members: CombatantId[];
  /** Whether concealed members are added to a turn that was recorded without them. */
  adds?: boolean;
}

/** One member of the active slot ended its turn. */
export interface MemberDone {
  type: "MemberDone";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  who: CombatantId;
}

/** The turn of the active slot ended for this round. */
export interface TurnEnded {
  type: "TurnEnded";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  slot: SlotId;
}

/** A window opened: the combatants asked may interrupt, each answers or passes. */
export interface WindowOpened {
  type: "WindowOpened";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the window; passes name it. */
  window: WindowId;
  /** Its subject: a pending action, or a moment between turns. */
  about: PendingId;
  /** Its number among the windows about this subject, from 1. */
  nth: number;
  /** Ids of the combatants that may answer. */
  to: CombatantId[];
  /** The kind of offer, such as `announce` or `reinsert`. */
  what: TriggerName;
}

/** A combatant declined an offer. */
export interface OfferDeclined {
  type: "OfferDeclined";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the window. */
  window: WindowId;
  /** Id of the combatant. */
  who: CombatantId;
  /** True if a standing pass answered for them. */
  standing?: boolean;
}

/** A window closed: no combatant can answer in it any longer. */
export interface WindowClosed {
  type: "WindowClosed";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the window. */
  window: WindowId;
  /** `passed` by all, `taken` by an answer, or `ruled` shut. */
  how: Text;
  /** Ids of the combatants that could still have answered. */
  expired?: CombatantId[];
}

/** The fight is over. */
export interface FightEnded {
  type: "FightEnded";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The winning side; empty if no side won. */
  victors?: SideName;
  /** Further sides that have won with it. */
  allies?: SideName[];
  /** The reason of the end, in a word of the rules. */
  why?: EndingName;
}

/** A fight that was over goes on, because enemies can fight each other again. */
export interface FightReopened {
  type: "FightReopened";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
}

/** Input: a combatant declares an action. */
export interface Declared {
  type: "Declared";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id, or `gm` for an action that the game master starts. */
  actor: CombatantId;
  /** The action's name in the ruleset. */
  kind: ActionName;
  /** The action's parameters; their struct belongs to the ruleset. */
  params: Params;
  /**
   * The manner of playing: `standard`, `readied` …; each system declares its manners. "standard" where it is left out.
   */
  manner?: MannerName;
  /**
   * Whether the sender, who knew of a concealed combatant, added free text. Until the text is released, only viewers
   * who know of that combatant may read it.
   */
  confided?: boolean;
}

/** Input: a player attempts an action that only a concealed combatant prevents. The game master decides the outcome. */
export interface Attempted {
  type: "Attempted";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** As in `Declared`. */
  actor: CombatantId;
  kind: ActionName;
  params: Params;
  /** "standard" where it is left out. */
  manner?: MannerName;
  confided?: boolean;
}

/** The rule that prevents an attempt. Only the game master may ever read it. */
export interface AttemptRefused {
  type: "AttemptRefused";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the combatant that makes the attempt. */
  actor: CombatantId;
  /** The refusal that the declaration would meet. */
  code: Text;
  /**
   * The concealed combatants that prevent the action: without any single one of them it would be accepted. If there is
   * no such combatant, all concealed combatants.
   */
  because_of?: CombatantId[];
}

/** Input: a question was answered. */
export interface Answered {
  type: "Answered";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the question. */
  question: QuestionId;
  /** Id of the combatant that answered, one of those asked. */
  by: CombatantId;
  /** The chosen option. */
  choice: OptionName;
  /** Values for the option's fields, such as `ep`. */
  fields?: Record<string, number | string | boolean | null>;
  /** Values for the fields about combatants or sides: by the id or the side, then by the field. */
  about?: Record<SeveralId, Record<string, number | string | boolean | null>>;
  /** As in `Declared`. */
  confided?: boolean;
  /** The reason, in the sender's words. */
  reason?: Words;
}

/** Input: a combatant passes in a window, or all combatants pass that are asked. */
export interface Passed {
  type: "Passed";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the window. */
  window: WindowId;
  /** Combatant id; `*` for all that are asked. */
  who: CombatantId;
  /**
   * The reason why the table passed for them; empty if a player did. `not worth`: their rules rate none of their
   * actions as useful. `time`: their time was up.
   */
  why?: "" | "not worth" | "time";
}

/** Input: how often a combatant is asked in windows; a standing pass, or its end. */
export interface AskingSet {
  type: "AskingSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id; `*` for the whole table. No combatant is asked more often than the table stops. */
  who: CombatantId;
  /**
   * `always`, `worthwhile` (when one of their actions is worth it, or an action is aimed at them), `targeted` (only
   * when a pending action is aimed at them) or `never`.
   */
  ask: "always" | "never" | "targeted" | "worthwhile";
  /** The kind of window that a setting of the whole table is for; empty for all other kinds. */
  what?: TriggerName;
  /**
   * For the whole table: the timeout, in seconds, after which a window passes for those that have not answered; 0 for
   * none.
   */
  seconds?: number;
}

/** Input: a ruling of the game master, with a reason; its effects follow as facts. */
export interface Ruled {
  type: "Ruled";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The ruling's name. */
  kind: RulingName;
  /** The intent ("4 damage"); its struct belongs to the engine or the ruleset. */
  params: Params;
  /** The reason, in the game master's words. */
  reason: Words;
  /** Whether it is numbered apart from other rulings of its kind, because it is about a concealed combatant. */
  apart?: boolean;
}

/** An action is pending: declared, not yet resolved. */
export interface Stacked {
  type: "Stacked";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /**
   * Its id, which is the prefix of its dice names: round, actor, and in dice scheme 2 the kind with its number, such as
   * `1/ilse/attack.2`; in dice scheme 1 the number alone.
   */
  item: PendingId;
  /** The same as in the declaration. */
  actor: CombatantId;
  kind: ActionName;
  params: Params;
  manner: MannerName;
  /** Its index on the stack; 0 lies at the bottom and resolves last. */
  at: number;
  /** Its number among the actor's declarations of this kind in this round; in dice scheme 1 among all of them. */
  nth: number;
  /** Traits by which the system decides precedence. */
  tags?: TraitName[];
  /** Ids of the combatants that the action names as targets. */
  targets?: CombatantId[];
  confided?: boolean;
}

/** A pending action was carried out and left the stack. */
export interface Resolved {
  type: "Resolved";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  item: PendingId;
}

/** A pending action became impossible and left the stack without effect or die. */
export interface Fizzled {
  type: "Fizzled";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Its id. */
  item: PendingId;
  /** The refusal that a declaration would meet now. */
  code: Text;
}

/** A pending action was taken off the stack. */
export interface Dropped {
  type: "Dropped";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Its id. */
  item: PendingId;
  /** `fight over`, or the game master's reason. */
  why: Words;
}

/** The rules need a choice before they can go on. */
export interface Asked {
  type: "Asked";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the question; the answer names it. */
  question: QuestionId;
  /** Ids of the combatants that may answer; the game master always may. */
  of: CombatantId[];
  /** The kind of choice, such as `forfeit`. */
  about: TopicName;
  /** The possible answers. */
  options: Option[];
  /** The veiled counters that the options tell, such as the one that bounds a number. */
  sources?: (SourceId | Source)[];
}

/** An option of a question. */
export interface Option {
  /** Its name. */
  choice: OptionName;
  /** Its effect, in a few words. */
  says: Text;
  /** The values that an answer must supply. */
  fields?: Field[];
}

/** A value that an answer must supply with an option. */
export interface Field {
  /** Its key in the answer. */
  name: Text;
  /** `int`, `text` or `id`. */
  kind: Text;
  /** The combatant or side that the value is about; the name is a key among the values about it then. */
  about?: SeveralId;
  /** Bounds of an `int`, both included. */
  low?: number;
  high?: number;
  /** The ids that an `id` may be. */
  among?: string[];
  /** Whether it may be left out. */
  optional?: boolean;
}

/** The source of a number or a refusal, where no id names it: a mark, a cause of a condition, a line of sight. */
export interface Source {
  /** The combatant or pending action with the mark or condition; the place or combatant where a line begins. */
  of: SubjectId;
  /** The name of the mark, or the cause of the condition. */
  name?: MarkName;
  /** The topic of the mark. */
  about?: MarkTopic;
  /** The place or combatant where the line ends: a view, a distance, the side of a hex. */
  to?: SubjectId;
}

/** A question, or a request for real dice, is withdrawn without an answer. */
export interface Withdrawn {
  type: "Withdrawn";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the question or roll. */
  what: RollId;
}

/** Dice fell and were read. */
export interface Rolled {
  type: "Rolled";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the roll; every face can be derived from it and the seed. */
  roll: RollId;
  /** Id of the combatant that rolls. */
  by: CombatantId;
  /** Its purpose, such as `attack`. */
  purpose: PurposeName;
  /** Every face, group by group. */
  dice: Faces[];
  /** The reading with the modifiers. */
  total: number;
  /**
   * The way to read the faces: `sum`, `highest`, `lowest`, `sixes`, or `digits` side by side. "sum" where it is left
   * out.
   */
  reading?: Text;
  /** The sources of the dice: dice, levels of advantage, steps of a size; no part of the total. */
  pool?: Modifier[];
  /** The numbers added, each with its source. */
  modifiers?: Modifier[];
  /** The number to reach, if there is one. */
  against?: number | null;
  /** `engine` or `entered`. "engine" where it is left out. */
  source?: Text;
}

/** A group of equal dice that fell. */
export interface Faces {
  /** As in `Dice`. */
  sides: number;
  /** The faces, in the order of the dice's names. */
  faces: number[];
  /** "die" where it is left out. */
  kind?: DieKind;
  item?: ItemId;
  /** One word for each die: `kept`, `set aside`, `discarded` …; empty means all were kept. */
  fates?: FateName[];
}

/** A number added to a roll, or dice added to a pool or taken from it. */
export interface Modifier {
  /** The number. */
  value: number;
  /** Its name, for people. */
  label: Words;
  /** The thing that grants it: a stat, item, condition or mark. */
  source?: SourceId | Source;
  /** The clause that grants it. */
  rule?: Clause;
  /** Further combatants with a veiled counter that the number tells. */
  tells?: CombatantId[];
}

/** The outcome of a roll. */
export interface Judged {
  type: "Judged";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the roll. */
  roll: RollId;
  /** `hit`, `miss`, `holds on`, `dies`, `success`, `setback` … */
  outcome: OutcomeName;
  /**
   * The difference to the number to reach, as the dice fell; 0 is exactly enough. It is also 0 after a roll that is
   * sealed for a veiled counter, and if the rules do not announce it.
   */
  margin?: number;
  /** The outcome by the dice alone, if the game master overruled it. */
  rolled?: OutcomeName;
}

/** Real dice must be rolled and entered before the rules go on. */
export interface DiceAwaited {
  type: "DiceAwaited";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the roll. */
  roll: RollId;
  /** Id of the combatant that rolls. */
  by: CombatantId;
  /** The purpose of the roll. */
  purpose: PurposeName;
  /** The dice to throw. */
  dice: Dice[];
  /** The veiled counters of the roller that take part. */
  sources?: (SourceId | Source)[];
}

/** A group of equal dice that a roll requests. */
export interface Dice {
  /** The number of dice and their size. */
  count: number;
  sides: number;
  /** Their meaning: `d20`, `attribute`, `skill`, `gear`, `stress` … "die" where it is left out. */
  kind?: DieKind;
  /** The item they come from, if it matters. */
  item?: ItemId;
  /** `highest` or `lowest` if only that die counts; the others are discarded. */
  keep?: Text;
}

/** Input: the faces of real dice, in the order they were requested. */
export interface DiceEntered {
  type: "DiceEntered";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  roll: RollId;
  faces: number[];
}

/** A combatant entered the fight with everything about it resolved. */
export interface Joined {
  type: "Joined";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id. */
  who: CombatantId;
  /** The name that people read. */
  name: Words;
  /** The side's name. Combatants of different sides are enemies unless a relation says otherwise. */
  side: SideName;
  /** The sheet's numbers. */
  stats: Record<StatName, number>;
  /** Counters at the start. */
  pools: Record<PoolName, number>;
  /** The sheet's words: skills, disciplines, flags. A feature is one that names a second thing: a class. */
  traits?: (TraitName | Feature)[];
  /** Zone, hex or cell; empty where the fight has no map. */
  place?: PlaceId;
}

/** A property of a thing that a word alone cannot say, such as the ammunition that it shoots. */
export interface Feature {
  /** The kind of property: `shoots`, `needs`, `adds` … */
  kind: TraitName;
  /** The word of the rules that it is about, such as `arrow`. */
  of?: Text;
  /** Further parts, by name; the rule system owns their struct. */
  parts?: Record<Text, boolean | number | Text | Text[] | null>;
}

/** A combatant is gone from the fight, including its body. */
export interface Left {
  type: "Left";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  who: CombatantId;
}

/** A combatant fights for another side. */
export interface SideChanged {
  type: "SideChanged";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  who: CombatantId;
  before: SideName;
  after: SideName;
}

/** A number on the sheet was corrected. */
export interface StatChanged {
  type: "StatChanged";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  who: CombatantId;
  stat: StatName;
  before: number;
  after: number;
}

/** A word or a feature on the sheet was added or struck out. */
export interface TraitChanged {
  type: "TraitChanged";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  who: CombatantId;
  trait: TraitName | Feature;
  present: boolean;
}

/** A counter of a combatant changed: hit points, wounds, energy, actions left. */
export interface PoolChanged {
  type: "PoolChanged";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id. */
  who: CombatantId;
  /** Name as in the combatant's sheet, such as `health`. */
  pool: PoolName;
  /** Its value before and after the change; never below 0. */
  before: number;
  after: number;
}

/** Damage was computed; the change of a pool follows as another event. */
export interface Damaged {
  type: "Damaged";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id of the combatant that is hit. */
  who: CombatantId;
  /** The numbers added and subtracted, each with its source. */
  terms: Modifier[];
  /** Their sum, never below 0. */
  amount: number;
}

/** A condition came, went, or changed its count or its end. */
export interface ConditionChanged {
  type: "ConditionChanged";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id. */
  who: CombatantId;
  /** Its name. */
  condition: ConditionName;
  /** Its count before and after the change; 0 is none. */
  before: number;
  after: number;
  /** The cause, where it matters, such as a grapple's id. */
  source?: SourceId;
  /** The moment when it expires; `null` if it has no set end, or is gone. */
  ends?: Ending | null;
}

/** The moment a condition expires; at the latest the end of the fight. */
export interface Ending {
  /** The kind of moment. "Own turn" is the turn of the combatant that has the condition. */
  moment: "end of fight" | "end of own turn" | "end of round" | "start of own turn";
  /** The round of that moment; 0 for the end of the fight. */
  round?: number;
}

/** A thing is in the fight: a weapon, a piece of armour, a skill that is learnt. */
export interface ItemAdded {
  type: "ItemAdded";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Id: the owner's id and the item's name. */
  item: ItemId;
  /** The name that people read. */
  name: Words;
  /** `weapon`, `armor`, `skill` … */
  kind: ItemKind;
  /** Combatant id, or empty for a thing that lies at a place. */
  owner: CombatantId;
  /** The position on the body: in a hand, on the belt, worn …; empty where it does not matter. */
  where?: PositionName;
  /** Its numbers and words. */
  stats?: Record<StatName, number>;
  traits?: TraitName[];
  /** Its properties that are more than a word. */
  features?: Feature[];
  /** Values that change in use, such as `loaded`. */
  counters?: Record<CounterName, number>;
  /** The size of its usage die, now and undamaged; 0 for none. */
  die?: number;
  base?: number;
}

/** A counter of an item changed: loaded, shots, rating. */
export interface ItemCounted {
  type: "ItemCounted";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  item: ItemId;
  counter: CounterName;
  before: number;
  after: number;
}

/** An item changed its owner or its place on the body. */
export interface ItemMoved {
  type: "ItemMoved";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The item's id. */
  item: ItemId;
  /** The new owner's id; empty if the item lies at a place. */
  owner: CombatantId;
  /** The position before and after: `hand`, `belt`, `pack`, a place … */
  before: PositionName;
  after: PositionName;
}

/** A usage die changed its size; 0 means that the item is destroyed. */
export interface DieStepped {
  type: "DieStepped";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  item: ItemId;
  before: number;
  after: number;
}

/** An item is gone for good. */
export interface ItemRemoved {
  type: "ItemRemoved";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  item: ItemId;
}

/** A combatant changed its place. */
export interface Moved {
  type: "Moved";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id. */
  who: CombatantId;
  /** Zone, hex or cell; empty where the fight has no map. */
  before: PlaceId;
  after: PlaceId;
  /** The steps from `before`, ending with `after`. */
  path?: PlaceId[];
  /** The movement spent, in the system's unit of length. */
  cost?: number;
}

/** The distance between two combatants, in a fight without a map. */
export interface DistanceSet {
  type: "DistanceSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The two ids in alphabetical order. */
  pair: [CombatantId, CombatantId];
  /** The distance in the system's unit; `null` where none was set before. */
  before: number | null;
  after: number;
}

/** The view one combatant has of another: `clear`, `blocked`, or a cover. */
export interface ViewSet {
  type: "ViewSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  viewer: CombatantId;
  target: CombatantId;
  before: ViewName;
  after: ViewName;
}

/** The traits of a zone changed, or those of an unusual cell or hex. */
export interface PlaceSet {
  type: "PlaceSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The place's id. */
  place: PlaceId;
  /** `difficult`, `blocked`, `indoors` …; empty means ordinary. */
  traits?: TraitName[];
  /** The places that a zone leads to. */
  exits?: PlaceId[];
  /** The traits of the sides of a hex. */
  side_traits?: SideTrait[];
}

/** A trait of one side of a hex, such as cover along it. */
export interface SideTrait {
  /** The number of the side, from 0 to 5, in the order of the neighbouring hexes. */
  side: number;
  /** The word of the rules. */
  trait: TraitName;
}

/** A relation between combatants: a melee, a grapple, rider and mount, a group. */
export interface RelationSet {
  type: "RelationSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The relation's id. */
  relation: RelationId;
  /** The kind of relation. */
  kind: RelationKind;
  /** The members' ids, in joining order; empty ends the relation. */
  members: Member[];
}

/** A combatant in a relation, with its role: `rider`, `mount`, `grappler` … */
export interface Member {
  who: CombatantId;
  role?: RoleName;
}

/** A rule system stored a value for its own use, or a struct. */
export interface MarkSet {
  type: "MarkSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id, `fight`, or another subject of the mark. */
  owner: SubjectId;
  /** The mark's name. */
  key: MarkName;
  /** What it is about, where a subject can have several of that name, such as one for each waived clause. */
  about?: MarkTopic;
  /** The value stored: one, or a list of ids. `null` removes the mark, unless it has parts. */
  value: number | string | boolean | null | string[];
  /** The fields of the struct that is stored, each by its name. The rule system owns the struct. */
  parts?: Record<string, number | string | boolean | null | (string | Record<string, number | string | boolean | null | string[]>)[]>;
  /** The moment when it stops to matter, as a text for people. */
  until?: Text;
}

/** A clock shows another number: seconds, or rounds to live. */
export interface ClockSet {
  type: "ClockSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The kind of clock. */
  clock: ClockName;
  /** The combatant or thing that it runs for; empty for the fight. */
  owner?: SubjectId;
  /** What it is about, where an owner can have several of a kind, such as an injury. */
  about?: Text;
  /** The number before and after. */
  before: number;
  after: number;
}

/**
 * A combatant was concealed or revealed. While it is concealed, only its player and the game master may know that it is
 * there.
 */
export interface Concealed {
  type: "Concealed";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id; it may join later. */
  who: CombatantId;
  /** Whether it is hidden from here on. */
  concealed: boolean;
}

/**
 * Counters of a combatant were hidden or shown. While they are hidden, only its player and the game master may read
 * them. Others see an estimate.
 */
export interface Veiled {
  type: "Veiled";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** Combatant id. */
  who: CombatantId;
  /** The counters that are hidden from here on, each with the value that counts as unhurt; empty for none. */
  pools: Record<PoolName, number>;
}

/**
 * The setting of a fight was changed that says what players read of their foes. `Veiled` events follow, one for each
 * foe. Unless the setting is `open`, sheets and numbers of things of foes are hidden too.
 */
export interface FoesSet {
  type: "FoesSet";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** What they read. */
  show: "hidden" | "open" | "rough";
  /** The sides of the players. The combatants of all other sides are foes. */
  heroes?: SideName[];
}

/** Sealed words about concealed combatants became readable by all viewers. */
export interface Released {
  type: "Released";
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
  /** The log positions of the commands that hold them; empty for all words so far. */
  positions?: number[];
}

/** An event with its place in the stream: one line of a log. */
export interface Recorded {
  /** The log position: 1 for the first event of a stream, without gaps. */
  position: number;
  /** The time of recording, UTC, ISO 8601 with milliseconds. */
  time: Text;
  /** The sender of the command, as claimed. */
  who: Person;
  /** Id of the command it belongs to. */
  cause: CommandId;
  /** SHA-256 over the previous hash, this envelope and the payload's digest, as hex. */
  hash: Hash;
  /** The fact. */
  event: AnyEvent;
  /** The number of events of the same command that follow; 0 marks the command's last. */
  more?: number;
  /** The combatants whose players may read the payload; `null` if all viewers may. */
  audience?: CombatantId[] | null;
  /** A random text that is hashed with a payload that is hidden from some viewers. */
  salt?: Hash;
  /** The combatants whose players may know `who` and `cause`, in all lines of a command; `null` if all viewers may. */
  known_to?: CombatantId[] | null;
  /** A random text that is hashed with `who` and `cause` where they are hidden from some viewers. */
  mask?: Hash;
}

/** A line for one viewer. */
export interface WireLine {
  /** As in `Recorded`. */
  position: number;
  time: string;
  /** As in `Recorded`; empty where they are hidden from the viewer. */
  who?: string;
  cause?: string;
  hash: string;
  more?: number;
  /**
   * The SHA-256, as hex, of the mask, the ids that may know `who` and `cause`, and the two values, if these are hidden;
   * the same for a whole command.
   */
  by?: string;
  /** The payload exactly as the log has it; absent if it is sealed. */
  event?: AnyEvent | null;
  /** The event as a sentence; empty where it is sealed. It is no part of the chain. */
  says?: string;
  /** The SHA-256 of salt and payload, as hex; only of a sealed line. */
  digest?: string;
  /** The SHA-256 of salt and audience, as hex; only of a sealed line, or one whose words were released. */
  readers?: string;
  /**
   * The values of an event with an audience, for viewers who may read it. If its words were released, the audience is
   * left out, because it names hidden combatants.
   */
  audience?: string[] | null;
  salt?: string;
  /** The values of a command with a hidden sender, for viewers who may know the sender. */
  known_to?: string[] | null;
  mask?: string;
}

/** The state of a fight at one moment. */
export interface State {
  system?: Text;
  version?: Text;
  fight?: Words;
  config?: Record<string, number | string | boolean | null | string[]>;
  /** The fight's own phase under `""`, and that of each pending action under its id. */
  phases?: Record<PendingId, PhaseName>;
  round?: number;
  combatants?: Record<CombatantId, Combatant>;
  items?: Record<ItemId, Item>;
  relations?: Record<RelationId, Relation>;
  places?: Record<PlaceId, Place>;
  /** The distance of each pair, by the alphabetically first and by the other, in a fight without a map. */
  distances?: Record<CombatantId, Record<CombatantId, number>>;
  /** The view by viewer and target, if it is not clear. */
  views?: Record<CombatantId, Record<CombatantId, ViewName>>;
  /** The values that a system stored, by owner, by key, and by what each is about. */
  marks?: Record<SubjectId, Record<MarkName, Record<MarkTopic, number | string | boolean | null | string[]>>>;
  /** The fields of the structs that a system stored, likewise. */
  mark_parts?: Record<SubjectId, Record<MarkName, Record<MarkTopic, Record<string, number | string | boolean | null | (string | Record<string, number | string | boolean | null | string[]>)[]>>>>;
  /** The numbers that clocks show, by owner, by kind, and by what each is about. */
  clocks?: Record<SubjectId, Record<ClockName, Record<Text, number>>>;
  /** The turn order. `up` is the active slot, `acting` lists its members that still have a turn. */
  slots?: Slot[];
  up?: SlotId;
  acting?: CombatantId[];
  /** The pending actions; the last one resolves next. */
  stack?: Pending[];
  /**
   * The number of declarations of each actor in this round, by kind (`ilse/attack.`) in dice scheme 2; also the turns
   * of each slot, and the windows about each pending action.
   */
  counts?: Record<CombatantId, number>;
  question?: Question | null;
  awaited?: Awaited | null;
  /** Questions and requests for dice beneath `question` and `awaited`; the last one comes back next. */
  postponed?: Postponed[];
  window?: Window | null;
  /**
   * The frequency with which a combatant is asked in windows: `worthwhile`, `targeted` or `never`; absent for always.
   */
  standing?: Record<CombatantId, string>;
  /** The setting for when the table stops, by kind of window; under `""` for all other kinds. */
  stops?: Record<TriggerName, string>;
  /** The timeout in seconds after which a window passes for those asked; 0 for none. */
  patience?: number;
  /** As in `FightOpened`. */
  dice_scheme?: number;
  /** The format that the fight was opened in; 0 before. */
  format?: number;
  dice_generation?: number;
  /** The dice source of a combatant, or of `*`; absent for the engine. */
  dice_sources?: Record<CombatantId, string>;
  /** The dice source of a side; that of a combatant takes precedence. */
  side_dice?: Record<SideName, string>;
  /**
   * Whether a player's undo of fallen dice waits for the game master's `consent`, or is `free`. "consent" where it is
   * left out.
   */
  player_undo?: "consent" | "free";
  ended?: boolean;
  victors?: SideName;
  allied_victors?: SideName[];
  /** The combatants that left, as they were then; their things stay theirs until they are taken. */
  departed?: Record<CombatantId, Combatant>;
  /** The combatants that only their players and the game master know of. */
  concealed?: CombatantId[];
  /** The hidden counters of each combatant, each with the value that counts as unhurt. */
  veiled?: Record<CombatantId, Record<PoolName, number>>;
  /** What players read of combatants that are not on a side of `heroes`. "open" where it is left out. */
  foes?: "hidden" | "open" | "rough";
  /** The sides of the players; empty if `foes` was never set. */
  heroes?: SideName[];
}

/** A combatant. */
export interface Combatant {
  id: CombatantId;
  name: Words;
  side: SideName;
  /** The sheet's numbers and words. */
  stats?: Record<StatName, number>;
  traits?: (TraitName | Feature)[];
  /** Counters: hit points, energy, actions left. */
  pools?: Record<PoolName, number>;
  /** The count of each condition, by source (`""` if the source does not matter). */
  conditions?: Record<ConditionName, Record<SourceId, number>>;
  /** The moment at which a condition expires, by condition and source; absent without one. */
  endings?: Record<ConditionName, Record<SourceId, Ending>>;
  /** Zone, hex or cell; empty without a map. */
  place?: PlaceId;
}

/** A thing: a weapon, armour, a learnt skill. See `ItemAdded` for the attributes. */
export interface Item {
  id: ItemId;
  name: Words;
  kind: ItemKind;
  owner?: CombatantId;
  where?: PositionName;
  stats?: Record<StatName, number>;
  traits?: TraitName[];
  features?: Feature[];
  counters?: Record<CounterName, number>;
  die?: number;
  base?: number;
}

/** A relation: a melee, a grapple, rider and mount, a group, allies. */
export interface Relation {
  id: RelationId;
  kind: RelationKind;
  members: Member[];
}

/** A zone, or an unusual cell or hex. */
export interface Place {
  id: PlaceId;
  traits?: TraitName[];
  exits?: PlaceId[];
  side_traits?: SideTrait[];
}

/** A declared action that is not resolved yet. `kind` and `params` together are an action of the ruleset. */
export interface Pending {
  id: PendingId;
  actor: CombatantId;
  kind: ActionName;
  params: Params;
  manner: MannerName;
  tags?: TraitName[];
  targets?: CombatantId[];
  /** Whether it holds free text by a sender who knew of a concealed combatant. */
  confided?: boolean;
}

/** A choice that the rules wait for. */
export interface Question {
  id: QuestionId;
  of: CombatantId[];
  about: TopicName;
  options: Option[];
  sources?: (SourceId | Source)[];
}

/** Real dice that the rules wait for. */
export interface Awaited {
  roll: RollId;
  by: CombatantId;
  purpose: PurposeName;
  dice: Dice[];
  sources?: (SourceId | Source)[];
}

/** A question or request for dice that waits until a later one is settled. */
export interface Postponed {
  question?: Question | null;
  awaited?: Awaited | null;
}

/** An open window, and the combatants `to` that may still answer. */
export interface Window {
  id: WindowId;
  to: CombatantId[];
  what: TriggerName;
}

/** Take back the last commands. */
export interface Undo {
  type: "Undo";
  /** The number of commands. */
  commands?: number;
  /** Instead of a number, the effective position to go back to. */
  to?: number | null;
  /** Whether later declarations meet fresh dice, even if they are the same as before. */
  fresh?: boolean;
  /** The reason, in the sender's words. */
  reason?: string;
}

/** Allow or decline a player's undo request. */
export interface AnswerUndo {
  type: "AnswerUndo";
  /** Position of the request; by default the pending one. */
  request?: number | null;
  /** Whether the undo is carried out. */
  allow?: boolean;
  /** The reason, in the sender's words. */
  reason?: string;
}

/** Restore commands that were taken back. */
export interface Redo {
  type: "Redo";
  /** Position of the last event of the lane; by default the lane that was taken back last. */
  lane?: number | null;
  /** The reason, in the sender's words. */
  reason?: string;
}

/** Correct one earlier command, and decide the rest of the fight again. The dice and answers stay the same. */
export interface Amend {
  type: "Amend";
  /** Position of any event of the command to correct. */
  position: number;
  /** The input events that replace it; empty to retract it. */
  instead?: (Declared | Answered | Passed | AskingSet | Ruled | DiceEntered)[];
  /** Input events for questions that were never asked before: answers, passes, entered dice, in any order. */
  answers?: (Declared | Answered | Passed | AskingSet | Ruled | DiceEntered)[];
  /** The reason, in the sender's words. */
  reason?: string;
}

/** Add a player's words to the dice key, before the first die falls. */
export interface Stir {
  type: "Stir";
  words: string;
}

/** End the record and reveal the dice seed. */
export interface Close {
  type: "Close";
  /** Whether to close even a fight that is not over. */
  unfinished?: boolean;
  /** The reason, in the sender's words. */
  reason?: string;
}

/** The summary of a fight. */
export interface About {
  id: string;
  name: string;
  system: string;
  title: string;
  version: string;
  /** The kind of place on its map: `squares`, `hexes`, `zones`, or empty without a map. */
  map: string;
  head: number;
  hash: string;
  closed: boolean;
  ended: boolean;
  you: Viewer;
  waiting: Waiting;
}

/** A viewer of a fight. */
export interface Viewer {
  /** The role; only `role` and `owns` decide what the viewer may see. */
  role: "gm" | "player" | "spectator";
  /** The viewer's name. */
  name?: string;
  /** Ids of the combatants they play. */
  owns?: string[];
}

/** The awaited input of a fight, and its senders. */
export interface Waiting {
  for: "action" | "answer" | "dice" | "nothing" | "pass";
  of: string[];
  /** The awaited input as a sentence addressed to the viewer: `Your turn: Ilse`. */
  headline?: string;
  question?: Question | null;
  dice?: Awaited | null;
  window?: Window | null;
}

/** The audit of a fight; clean if everything was checked without findings. */
export interface Audited {
  clean: boolean;
  verdict: "clean" | "found" | "incomplete";
  summary: string;
  report: Report;
  /** The findings of the report, as sentences. */
  says: string[];
  /** The notes of the report that are no faults, as sentences. */
  listed: string[];
}

/** The report of an audit. */
export interface Report {
  /** The values in the log's opening. */
  fight: string;
  system: string;
  version: string;
  /** The numbers of events and commands; in a log with an incomplete end, those of whole commands. */
  events: number;
  commands: number;
  /** The hash of the last of these events. */
  head: string;
  /** Whether the record is closed. */
  closed: boolean;
  /** The results of these layers. */
  dice: DiceChecked;
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules: RulesJudged;
  /** The faults, in the order of the log. */
  findings: Finding[];
  /** The parts that could not be judged. */
  missing: Missing[];
  /** The line after which reading stopped, because of too many findings or jumps of the record; 0 if all was read. */
  stopped: number;
  /** Lists of events that are no faults: a game master's */
  rulings: Listed[];
  entered: Listed[];
  redeclared: Redeclared[];
  /** The undo requests of players, with the declined ones. */
  requests: Listed[];
  /** Every undo, redo and amendment, with each command and each die that it took back. */
  takebacks: Takeback[];
  amended: Listed[];
  stirred: Listed[];
  renewed: Renewed[];
  /** Each preview that showed dice before they fell. */
  looks: Listed[];
  /** The positions where the log left a parent; of a fork of a fork, both. */
  forks: ListedFork[];
  /** The number of undos. */
  taken_back: number;
  /** The name of the parent, if this is a fork. */
  fork_of: string;
  /** The number of checkpoints that the log extends. */
  checkpoints: number;
  /** The last position that a checkpoint covers; later positions are not signed. */
  covered: number;
  /** The first event from the future, if any and if the time of the audit is known; listed, and no fault. */
  ahead?: Ahead | null;
}

/** The numbers of rolls by result. */
export interface DiceChecked {
  /** Whether the seed is known: revealed by the log, or kept beside it, and promised by it. */
  known?: boolean;
  /** The number of engine rolls that were derived again from their names. */
  checked?: number;
  /** The number of engine rolls that could not be derived, while the seed is secret. */
  unchecked?: number;
  /** The number of engine rolls that could not be derived, because they fell under a parent's seed. */
  parents?: number;
  /** The number of entered rolls. */
  entered?: number;
}

/** The numbers of inputs by result. */
export interface RulesJudged {
  /** The number of inputs that were decided again. */
  judged?: number;
  /** The number of inputs that could not be decided again. */
  unjudged?: number;
  /** The reason why judging stopped at some moment; empty if it did not stop. */
  why_not?: string;
  /** The reason why some inputs were not judged: another version of the rules recorded them. */
  other_version?: string;
  /** Whether the code of the rules differs from the code that recorded the fight, in the same version. */
  other_code?: boolean;
}

/** A fault of the log. */
export interface Finding {
  /** The layer that found it. */
  layer: "checkpoint" | "dice" | "record" | "rules";
  /** Its position in the log; for a missing event, the missing position. */
  position: number;
  /** The line of the log. */
  line: number;
  /** The fault, in one word. */
  code: string;
  /** The expected text and the text found; empty where the events say it. */
  expected?: string;
  found?: string;
  /** The expected event and the recorded one, where the rules decide otherwise; `null` for no event. */
  due?: AnyEvent | null;
  written?: AnyEvent | null;
  /** The clauses that expect otherwise. */
  rules?: Clause[];
}

/** A part of the log that could not be judged. */
export interface Missing {
  /** The layer that could not judge it. */
  layer: "checkpoint" | "dice" | "record" | "rules";
  /** The part and the reason, as a sentence. */
  what: string;
  /** The means to judge it. */
  remedy: string;
}

/** An event that is no fault, but of interest. */
export interface Listed {
  /** Its position. */
  position: number;
  /** The sender of the command, as claimed. */
  who: string;
  /** The event. */
  event: AnyEvent;
}

/** A declaration after an undo that differs from the undone one, or met other dice. */
export interface Redeclared {
  position: number;
  who: string;
  event: AnyEvent;
  /** Position of the undone input. */
  instead_of: number;
  /** Whether it is the same declaration, and only the dice differ. */
  again?: boolean;
  /** The dice of the undone declaration, in any command. */
  before?: RollShown[];
  /** The dice that fell now. */
  after?: RollShown[];
}

/** The faces of a roll. */
export interface RollShown {
  /** Its id. */
  roll: string;
  /** The faces of each group of dice. */
  faces: number[][];
}

/** An undo, or a redo or amendment that took commands back. */
export interface Takeback {
  /** As in `Listed`. */
  position: number;
  /** The time of recording. */
  time: string;
  who: string;
  /** The commands that it took back, in the order of the record. */
  commands: UndoneCommand[];
  /** Position of the request that it grants; 0 if it grants none. */
  request?: number;
  /** Position of the input that an amendment corrects or retracts; 0 for an undo or redo. */
  amends?: number;
  /** The number of further commands that an amendment decided again unchanged, with the same dice. */
  kept?: number;
}

/** A command that was taken back. */
export interface UndoneCommand {
  position: number;
  who: string;
  event: AnyEvent;
  /** The dice that had fallen in it. */
  rolls?: RollShown[];
  /** Position of the input declared in its place, the same or another; 0 if there is none. */
  instead?: number;
}

/** A request for fresh dice. */
export interface Renewed {
  /** As in `Listed`. */
  position: number;
  who: string;
  /** The generation of the dice from there on. */
  generation: number;
  /** The rolls that were taken back and fell again. */
  fell: Fell[];
}

/** A roll that fell twice. */
export interface Fell {
  /** Its id, without the generation of its dice. */
  roll: string;
  /** The faces before fresh dice were asked for, by group. */
  before: number[][];
  /** The faces since then. */
  after: number[][];
}

/** A fork: the event that separates a log from its parent. */
export interface ListedFork {
  position: number;
  who: string;
  event: AnyEvent;
  /** Whether the dice from there on fall under another seed than before. */
  own_dice?: boolean;
}

/** An event recorded later than the time of the audit. */
export interface Ahead {
  /** The first such position. All later ones are too, because recorded times never decrease. */
  position: number;
  /** The time of recording, as the log claims. */
  time: string;
}

/** The outcome of a command, with the log lines it recorded. */
export interface Carried {
  head: number;
  hash: string;
  repeated: boolean;
  lines: WireLine[];
  waiting: Waiting;
}

/** A clause of the rules, in our own words. */
export interface Clause {
  section: string;
  title: string;
  says: string;
}

/** The explanation of an event, with a sentence for each position, and the receipt. */
export interface Explanation {
  /** The fight's name. */
  fight: string;
  /** The event's log position. */
  position: number;
  /** The event. */
  event: AnyEvent;
  /** The event as a sentence. */
  text: string;
  /** The command that recorded the event, with its claimed sender. */
  command: Sent;
  /** The log position that took the event back; `null` if the event is effective. */
  undone_by: number | null;
  /** The events that led to it, from the first cause to the event itself. */
  chain: Row[];
  /** The account of its dice, if it is a roll. */
  receipt: Receipt | null;
  /** The terms of its amount, if it is damage. */
  harm: Harm | null;
  /** The events that followed from it in the same resolution. */
  consequences: Row[];
  /** All events that granted one of its numbers. */
  granted: Row[];
  /** The texts of all cited clauses. */
  clauses: Record<Clause, Cited>;
}

/** The command that an event belongs to, with the claimed sender. */
export interface Sent {
  id: string;
  who: string;
  time: string;
  position: number;
}

/** An event as a line: its position, its sentence, its clauses. */
export interface Row {
  position: number;
  text: string;
  /** The clauses that caused it; empty where the engine's own book-keeping did. */
  rules?: Clause[];
}

/** The full account of one roll. */
export interface Receipt {
  /** Position of the declaration that it belongs to, or of the phase that the flow ran. */
  declared: number;
  /** As in `Rolled`. */
  roll: string;
  by: string;
  purpose: string;
  reading: string;
  /** Group by group. */
  dice: Group[];
  /** The terms that the number of dice comes from. */
  pool: Term[];
  /** The modifiers of the reading. */
  modifiers: Term[];
  total: number;
  source: string;
  against?: number | null;
  /** Position of the entered faces, if any. */
  entered?: number;
  /** Positions of the judgements of the roll. */
  judged?: number[];
  /** The damage that followed in the same resolution. */
  damage?: Harm[];
}

/** A group of equal dice; `sides`, `kind` and `item` are as in `Faces`. */
export interface Group {
  sides: number;
  kind: string;
  dice: Die[];
  item?: string;
}

/** A die that counts in a roll, or was thrown for it. */
export interface Die {
  /** The face that it shows. */
  face: number;
  /** `kept`, `discarded` or `set aside`. */
  fate: string;
  /** `engine`, `entered`, or `roll` if it was thrown in an earlier roll. */
  origin: string;
  /** The engine's name of the block with its word; empty for other dice. */
  name?: string;
  /** The index of the word in the block, from 1. */
  word?: number;
  /** The position of its entry, or of the earlier roll that threw it. */
  at?: number;
}

/** A modifier, and the events that granted it. */
export interface Term {
  /** As in `Modifier`. */
  value: number;
  label: string;
  source?: SourceId | Source;
  rule?: Clause;
  /** Positions of the granting events; empty where the rules themselves grant it. */
  granted?: number[];
}

/** Damage that followed from a roll, with its terms. */
export interface Harm {
  at: number;
  who: string;
  terms: Term[];
  amount: number;
}

/** The text of a clause, in our own words. */
export interface Cited {
  title: string;
  says: string;
}

/** The fights that the caller may enter. */
export interface Fights {
  fights: ListedFight[];
}

/** A fight in the list. */
export interface ListedFight {
  id: string;
  you: Viewer;
}

/** A token; it is shown once and kept only as a hash. */
export interface Granted {
  token: string;
  link: string;
}

/** The health of the server. */
export interface Health {
  ok: boolean;
  version: string;
  /** Random characters that are new at each start; they tell whether an address leads to this server. */
  server: string;
}

/** The fields of an action that are open to choose, or the whole declaration. */
export interface HowMay {
  /** The log position that the answer is for. */
  head: number;
  /** The fields that leave a choice beyond those given. The last one is still to be chosen, unless `whole` is there. */
  fields: ToChoose[];
  /** The complete action, if every field is chosen. */
  whole?: MayDeclare | null;
  /** The reason why no completion of the action is legal. */
  refused?: Refusal | null;
  /** The preview of the complete action. */
  prospect?: Prospect | null;
  /** The preview as one line of text. */
  promises?: string;
  /** Whether the rules list more values than were tried; values for near places are tried first. */
  farther?: boolean;
}

/** A field of an action that is still open to choose. */
export interface ToChoose {
  /** The field's name as it is recorded. */
  field: string;
  /** The kind of thing that its texts name, such as `combatant`; empty for numbers and booleans. */
  names: string;
  /** The candidate values; empty if the field is open. */
  choices: Value[];
  /** Whether any value is possible: free text, or a number without bounds. */
  open?: boolean;
  /** The default value; absent if the field is required or its default is not legal. */
  usual?: string | number | boolean | string[] | null;
  /** The value that was filled in; absent if the client must still choose. */
  chosen?: string | number | boolean | string[] | null;
}

/** A candidate for a field. */
export interface Value {
  /** The value as it is recorded. */
  value: string | number | boolean | string[] | null;
  /** The reason why no completion of the action with this value is legal; `null` if one is. */
  refused?: Refusal | null;
}

/** The reason why an action may not be declared. */
export interface Refusal {
  /** The reason as a code; `unusable` for a request that cannot be parsed. */
  code: string;
  /** The reason as a sentence. */
  message: string;
  /** The clause that forbids the action. */
  rule?: Clause;
  /** The cause of the refusal: the id or name of a thing, or a struct, such as for a view. */
  source?: SourceId | Source;
  /** The field whose value cannot be parsed. */
  field?: string;
}

/** A complete legal action, as an intent to send and as a typed command. */
export interface MayDeclare {
  kind: "declaration";
  intent: Declared;
  says: string;
  line: string;
}

/** The preview of a declaration. Unknown or inapplicable values are left out. */
export interface Prospect {
  /** The chance that it works, such as a hit chance: from 0 to 1. */
  chance?: number | null;
  /** The harm if it works. */
  harm?: HarmDone | null;
  /** The harm to the target even if it does not work. */
  failing?: HarmDone | null;
  /** The chance that the actor is hurt in turn, by the same dice. */
  risk?: number | null;
  /** The harm to the actor in that case. */
  suffers?: HarmDone | null;
  /** The place where the actor ends. */
  to?: PlaceId;
  /** The cost of the way, in the unit of places. */
  way?: number;
  /** The costs of declaring it. */
  costs?: Cost[];
  /** The combatants that may strike because of it, in the order in which they are asked. */
  provokes?: Provoked[];
  /** The names of these fields that would have a value if no fact behind them were hidden or left to a choice. */
  unknown?: string[];
  /** Further facts, in a sentence or two of the system. */
  says?: string;
}

/** A range of likely harm. */
export interface HarmDone {
  /** The harm, before it is limited by how much the target has left. */
  least: number;
  mean: number;
  most: number;
  /** The counter that it is taken from; empty where the rules take it from none. */
  pool?: PoolName;
}

/** The amount that declaring an action takes from a counter. */
export interface Cost {
  pool: PoolName;
  amount: number;
}

/** A combatant that may strike because of an action, and the clause that lets it. */
export interface Provoked {
  who: CombatantId;
  rule?: Clause;
}

/** The actions of a combatant in one manner. Illegal ones carry their refusal. */
export interface WhatMay {
  /** The log position that the answer is for. */
  head: number;
  /** The combatant. */
  who: CombatantId;
  /** The manner of declaring. */
  manner: string;
  /** Every action that the combatant has. */
  kinds: Kind[];
}

/** An action that a combatant has. */
export interface Kind {
  /** The action's name. */
  kind: ActionName;
  /** The action's effect, in a few words. */
  says: string;
  /** The action's fields, in the order in which they are chosen. */
  fields?: string[];
  /** The reason why no choice of fields makes the action legal now; `null` if it is legal. */
  refused?: Refusal | null;
}

/** The combatants that may act now, and the awaited inputs. */
export interface WhoMay {
  /** The log position that the answer is for. */
  head: number;
  /** The combatants that may declare an action, once for each manner. */
  actors: Mover[];
  /** The awaited answers, dice and passes. */
  waits: (MayAnswer | MayPass | MayEnter)[];
  /** The latest unresolved declaration, as a sentence; empty without one. */
  meant: string;
  /** The combatant whose turn it is, or the input that the table waits for, as a sentence for the viewer. */
  headline?: string;
  /** The dangers to the combatants that the viewer sees, the gravest first. */
  perils?: ShownPeril[];
}

/** A combatant that may declare an action now, and the manner of declaring it. */
export interface Mover {
  who: CombatantId;
  manner: string;
}

/** A pending question, with its options. */
export interface MayAnswer {
  kind: "answer";
  question: string;
  of: string[];
  about: string;
  options: Option[];
  /** The question as a sentence, with its recipients and the roll it is about. */
  says: string;
  /** The declaration that is unresolved meanwhile, as a sentence; empty without one. */
  meant?: string;
  /** The roll that the question is about, with its dice and the result so far; empty without one. */
  rolled?: string;
  /** The stakes of each option, by option. */
  stakes?: Record<string, string>;
  /** The same sentence without the roll, for a client that shows the roll separately. */
  asks?: string;
}

/** A pass in an open window, as an intent to send and as a typed command. */
export interface MayPass {
  kind: "pass";
  intent: Passed;
  says: string;
  line: string;
}

/** Real dice that must be entered. */
export interface MayEnter {
  kind: "faces";
  roll: string;
  by: string;
  purpose: string;
  dice: Dice[];
  says: string;
}

/** A danger to a combatant, in words. */
export interface ShownPeril {
  who: CombatantId;
  peril: string;
  grade: "close" | "mortal" | "worn";
  pc?: boolean;
  rule?: string;
  count?: number | null;
  most?: number | null;
  left?: number | null;
  about?: string;
  item?: ItemId;
  help?: ActionName;
  helpers?: Helper[];
  /** The danger in a word or two, with its count: `dying 2/6`. */
  label: string;
  /** The danger, and what comes of it. */
  says: string;
  /** Who can help, and how; empty if no combatant can by the rules. */
  helps?: string;
}

/** A combatant that can end another's danger. */
export interface Helper {
  who: CombatantId;
  /** The number of moves it needs to get there: 0 or 1. */
  moves: number;
}

/** A part of a log. */
export interface Lines {
  head: number;
  hash: string;
  lines: WireLine[];
}

/** The state at a position, as its viewer may see it. */
export interface Moment {
  position: number;
  hash: string;
  state: State;
  /** The digest of the whole state; empty for a viewer who does not see everything. */
  digest?: string;
  /** The bands of hidden counters, by combatant and counter: `unhurt`, `hurt`, `badly hurt` or `down`. */
  bands?: Record<string, Record<string, string>>;
}

/** A fight that was opened, with its links. */
export interface Opened {
  id: string;
  head: number;
  links: Links;
}

/** The links to a fight, one for each role; those of players by name. */
export interface Links {
  gm: string;
  players: Record<string, string>;
  spectator: string;
}

/** The preview of an amendment. */
export interface Preview {
  /** The log position of the present head. */
  head: number;
  preview?: true;
  /** The log position of the corrected input. */
  position: number;
  /** The log position of the last event before the corrected input. */
  to: number;
  /** Whether the input is retracted, without a replacement. */
  retracted: boolean;
  /** The events that would follow `to`, from the corrected command on. */
  events: AnyEvent[];
  /** The first difference in the later events; `null` without one. */
  parting: Differs | null;
  /** The changes of the final state. They are preliminary while `needs` is set. */
  changes: Change[];
  /** The changes as sentences. */
  says: string[];
  /** The first round with another turn order; 0 without one. */
  order: number;
  /** The later inputs that are no longer possible. Accepting the amendment drops them. */
  dropped: NoPlace[];
  /**
   * The question, the dice or the window that needs an answer, because the fight as recorded never asked it. The
   * amendment is refused (`answer_needed`) until its `answers` hold the answer; the next preview shows the next need.
   */
  needs: Question | Awaited | Window | null;
  /** The log positions of the later inputs that cannot be replayed before that answer. */
  waiting: number[];
  /** The ids of the rolls whose dice the fight as recorded never drew. */
  drawn: string[];
}

/** The first later event that differs; dropped inputs do not count. */
export interface Differs {
  /** The log position of the recorded event. */
  position: number;
  /** The recorded event and the amended one; `null` where a side has no further event. */
  one: AnyEvent | null;
  other: AnyEvent | null;
}

/** A difference between two states. */
export interface Change {
  /** The kind of difference. */
  about: "clock" | "condition" | "counter" | "die" | "distance" | "fight" | "item" | "order" | "place" | "pool" | "relation" | "side" | "stat" | "terrain" | "trait" | "view" | "where";
  /** The combatant, item, place or relation. */
  of: string;
  /** The name of the pool, condition, stat, counter …, or the number of a hex's side; empty where `about` suffices. */
  name: string;
  /** The value in each state; `null` where it does not exist. */
  one: number | string | boolean | null | string[];
  other: number | string | boolean | null | string[];
}

/** A later input that would be dropped. */
export interface NoPlace {
  /** The log position of the input. */
  position: number;
  /** The input. */
  event: AnyEvent;
  /** The input as a sentence. */
  says: string;
  /** The refusal by the rules; `null` if the input answers a question that is no longer asked or reached. */
  why: Fault | null;
}

/** An error, as `--json` prints it. */
export interface Fault {
  /**
   * `refused`, `out_of_date`, `superseded`, `full`, `reused`, `diverged`, `unusable`, `log`, `store`, `altered`,
   * `unsure` or `usage`.
   */
  kind: string;
  /** The reason as a sentence. */
  message: string;
  /** The reason as a code. */
  code?: string;
  /** The clause that forbids the command. */
  rule?: Clause;
  /** The place of the fault; the line is 0 if unknown. */
  field?: string;
  line?: number;
  file?: string;
  /** The cause of a refusal, as in `Refused`; for wrong usage the command. */
  source?: SourceId | Source;
  /** A line that would work instead, as typed. */
  example?: string;
}

/** A ruling with the JSON Schema of its fields. */
export interface RulingForm {
  kind: string;
  says: string;
  /** The fields in the order in which a typed command gives them. */
  words: string[];
  /** The fields that hold combatant ids, and those that hold item ids. */
  people: string[];
  things: string[];
  schema: Schema;
  /**
   * The kind of name that a text field holds, by field. It is a vocabulary table such as `pools`, or a kind of object
   * in the fight, such as `combatant` and `place`.
   */
  names: Record<string, string>;
}

/** A JSON Schema, with the keywords that this API uses. */
export interface Schema {
  title?: string;
  description?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  enum?: (string | number | boolean | null)[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: boolean | Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

/** A problem document. */
export interface Problem {
  /** The code behind `urn:affray:`. */
  type: string;
  /** The kind of problem, in a few words. */
  title: string;
  /** The status of an HTTP answer. */
  status: number;
  /** The reason, as a sentence. */
  detail: string;
  /** The reason, as a code. */
  code: string;
  /** The clause that forbids the command. */
  rule?: Clause;
  /** The cause of a refusal: the id or name of a thing, or a struct, such as for a view. */
  source?: SourceId | Source;
  /** A line that would work in the place of refused words; `detail` ends with it. */
  example?: string;
  /** The part of the request that cannot be parsed. */
  field?: string;
  /** The line of the faulty input, counted from 1; 0 if unknown. */
  line?: number;
  /** The present head's log position and hash, if the fight has moved on. */
  head?: number | null;
  hash?: string;
  /** The present version of a document that another client changed; empty if it was deleted. */
  version?: string;
  /** The log position of the earlier command with the same id, or of the last safe state to rewind to. */
  position?: number | null;
}

/** A fight told in sentences, from one of its story lines on. */
export interface Story {
  /** The log position up to which the story is told. */
  head: number;
  /** The story lines. */
  entries: StoryEntry[];
  /** The number of lines in the whole story. */
  count: number;
}

/** A line of a story. */
export interface StoryEntry {
  /** The log positions of the first and the last event that it tells. */
  position: number;
  to: number;
  /** 0 for a round, 1 for a turn, 2 for an action or event in it. */
  depth: number;
  /** The text in parts; numbers of rolls and damage name the event that can be explained. */
  parts: Piece[];
  /** The side effects, as sentences. */
  notes?: string[];
  /** The log position of its input: the declaration, answer, pass, entered dice or ruling; 0 for none. */
  input?: number;
  /** Whether a turn begins with it. */
  begins?: boolean;
  /**
   * The result in few words: the gravest consequence, or else the result of its roll; empty if the line itself is as
   * short.
   */
  gist?: string;
  /**
   * The severity of the result. 6: a combatant is out of the fight. 5: a combatant cannot act. 4: a combatant takes
   * harm. 3: a combatant has less health. 2: another lasting or decisive change. 1: an action was decided without any
   * of these. 0: none.
   */
  grave?: number;
}

/** A part of a line. */
export interface Piece {
  /** The words. */
  text: string;
  /** The log position of the roll or damage that the text is a number of, for an explanation; 0 for other words. */
  position?: number;
}

/** A log told in sentences. */
export interface Told {
  /** One sentence for each event, in order. */
  says: string[];
  /** The story of the log. */
  entries: StoryEntry[];
  /** The headlines, each with the log position from which it applies. */
  headlines: Headline[];
  /** The vocabulary of the rule system. */
  vocabulary: Vocabulary;
  /** The kind of place on its map: `squares`, `hexes`, `zones`, or empty without a map. */
  map: string;
  /** The title of the rule system. */
  title: string;
}

/** The headline that holds from a position on. */
export interface Headline {
  position: number;
  says: string;
}

/** The words of a rule system, by kind and name. */
export interface Vocabulary {
  pools?: Record<string, PoolWord>;
  stats?: Record<string, StatWord>;
  traits?: Record<string, TraitWord>;
  conditions?: Record<string, ConditionWord>;
  perils?: Record<string, PerilWord>;
  counters?: Record<string, CounterWord>;
  marks?: Record<string, Word>;
  purposes?: Record<string, PurposeWord>;
  outcomes?: Record<string, OutcomeWord>;
  dice?: Record<string, Word>;
  fates?: Record<string, Word>;
  actions?: Record<string, Deed>;
  rulings?: Record<string, Deed>;
  manners?: Record<string, MannerWord>;
  questions?: Record<string, QuestionWord>;
  fields?: Record<string, FieldWord>;
  options?: Record<string, Word>;
  items?: Record<string, ItemWord>;
  positions?: Record<string, PositionWord>;
  relations?: Record<string, RelationWord>;
  roles?: Record<string, RoleWord>;
  phases?: Record<string, Word>;
  triggers?: Record<string, Word>;
  views?: Record<string, Word>;
  clocks?: Record<string, ClockWord>;
  refusals?: Record<string, Word>;
  endings?: Record<string, EndingWord>;
  moments?: Record<string, Word>;
  notes?: Record<string, NoteWord>;
  sources?: Record<string, SourceWord>;
  numbers?: Record<string, NumberWord>;
  places?: Places;
}

/** A counter of a combatant. */
export interface PoolWord {
  label?: string;
  /** Its label where there is little room. */
  short?: string;
  /** The text for an amount of it, such as `{} actions`; the number and the label if empty. */
  says?: string;
  /** The text for one of it, such as `one action`; as any other number if empty. */
  one?: string;
  /** The stat that holds its maximum; empty if there is none. */
  most?: string;
  /** The clause that forbids values above the maximum; if empty, a ruling may exceed it. */
  most_by?: string;
  /** Other stats, purposes of rolls and actions that give it away; they are hidden with it. */
  told_by?: string[];
  /**
   * Its role: how much harm is left to take, how many actions are left, or anything else. "resource" where it is left
   * out.
   */
  role?: "budget" | "health" | "resource";
  /** Whether it outlasts the fight, so that it is reported among the fight's costs. */
  lasts?: boolean;
  /** Whether it counts harm suffered or protection used up, so that more of it is worse. */
  rises?: boolean;
  /** Whether players do not read it of foes unless the fight is set so, as is always so of health. */
  guarded?: boolean;
}

/** A number of a combatant or of a thing. */
export interface StatWord {
  label?: string;
  /** Where a sheet lists a combatant's number. */
  group?: "" | "attributes" | "defences" | "skills" | "talents";
  /**
   * The text for it on a sheet, with numbers of the same thing: `{dice}d{sides} damage`; the label and the number if
   * empty.
   */
  says?: string;
  /** Whether a sheet leaves it out, such as a number that the text of another one says. */
  quiet?: boolean;
}

/** A word on a sheet, or of a place. */
export interface TraitWord {
  label?: string;
  /**
   * The drawing of such a place: impassable, at extra cost, with cover, or hard to see through; empty for none of
   * these.
   */
  ground?: "" | "blocked" | "cover" | "difficult" | "haze";
  /** Whether such a combatant is drawn larger than others. */
  size?: "" | "large";
}

/** A condition of a combatant. */
export interface ConditionWord {
  label?: string;
  /** The sentence for a combatant that gains it, such as `goes down`; `is` with the label if empty. */
  gained?: string;
  /** The sentence for a combatant that loses it; `is no longer` with the label if empty. */
  lost?: string;
  /** Out of the fight, unable to act, counted (its count is shown), or a plain flag. "flag" where it is left out. */
  role?: "counted" | "flag" | "helpless" | "out";
  /** Whether it is reported among the turning points of the fight. */
  turns?: boolean;
  /** Whether it outlasts the fight, as an injury does, so that it is reported among the fight's costs. */
  lasts?: boolean;
}

/** A danger to a combatant, such as bleeding to death. Its tests must all hold; an empty one always does. */
export interface PerilWord {
  label?: string;
  /**
   * The danger and what comes of it, with `{who}`, `{count}`, `{most}`, `{about}`, `{item}` and the numbers of the
   * configuration by name. A text in square brackets is left out if there is no such thing.
   */
  says: string;
  /** Whether it threatens a life, brings such a threat close, or wears a thing down. */
  grade: "close" | "mortal" | "worn";
  /** The clause. */
  rule?: Clause;
  /** The trait of those whom it concerns, such as player characters; any if empty. */
  trait?: string;
  /** The conditions that a combatant in danger has, and those of which it has none. */
  conditions?: string[];
  unless?: string[];
  /** A counter, and its value in danger or any lower one. */
  pool?: string;
  at_most?: number;
  /** A running clock, and what it is about; any subject if empty. */
  clock?: string;
  about?: string[];
  /** The end of the id of a thing, behind that of its owner, and the kinds of things; any if empty. */
  item?: string;
  kinds?: string[];
  /** The size down to which a thing's die was worn, a flag of it that is set, and one that is not. */
  die?: number;
  counter?: string;
  no_counter?: string;
  /** The pool that counts towards the end; if empty, the clock, or the first condition if it is counted. */
  count?: string;
  /** The option that holds the number at which it ends; if empty, a clock ends at 0. */
  most?: string;
  /** The action with which another combatant ends it, and the values of its other fields. */
  help?: string;
  how?: Record<string, string>;
}

/** A counter of a thing. */
export interface CounterWord {
  label?: string;
  /** The amount of the thing, a flag (0 or 1), or another number. "number" where it is left out. */
  role?: "amount" | "flag" | "number";
  /** The sentence when a thing's flag is set, such as `is lit`; `is` with the label if empty. */
  gained?: string;
  /** The sentence when a thing's flag is cleared; `is no longer` with the label if empty. */
  lost?: string;
  /**
   * Whether it outlasts the fight, as with missiles that are spent and gear that is worn, so that it is reported among
   * the fight's costs.
   */
  lasts?: boolean;
}

/** A word of the rules. */
export interface Word {
  /** Its text for people; its name with blanks if empty. */
  label?: string;
}

/** The purpose of a roll. */
export interface PurposeWord {
  label?: string;
  /** The text behind `rolls`; `for` with the label if empty. */
  says?: string;
  /**
   * The role of its total where damage is done: it is harm, it reduces harm, or anything else. "other" where it is left
   * out.
   */
  role?: "guards" | "hurts" | "other";
}

/** An outcome of a roll. */
export interface OutcomeWord {
  label?: string;
  /**
   * The outcome in a sentence, such as `a hit[ by {margin}]`; the label if empty. The text in brackets is left out
   * where the number was just met.
   */
  says?: string;
}

/** An action or a ruling. Actions are offered in the order of declaration. */
export interface Deed {
  label?: string;
  /**
   * The sentence for it, in the infinitive, with its parameters by name: `attack {target}[ with {weapon}]`. The text in
   * square brackets is left out where a parameter in it is.
   */
  says: string;
  /** The parameters that the sentence leaves out, because its costs or effects show them. */
  quiet?: string[];
  /** The heading under which it is offered. */
  group?: string;
  /** The name of its picture. */
  icon?: string;
  /** Whether it is reported; if not, the events that follow say the same. */
  told?: boolean;
  /** Whether all who may do it do so at once, each with nothing to decide: a roll for initiative. */
  each?: boolean;
  /** Whether it ends the actor's turn. */
  ends?: boolean;
  /** Its short form for typing. */
  letter?: string;
  /** The labels of its parameters in a form, where the parameter's name is not enough. */
  asks?: Record<string, string>;
}

/** A manner of playing an action. */
export interface MannerWord {
  label?: string;
  /**
   * The sentence for it, in the infinitive, such as `answer and {what}`; if empty, the label precedes the action, in
   * brackets.
   */
  says?: string;
  /** Whether it is not shown at all. */
  plain?: boolean;
}

/** A question of the rules. */
export interface QuestionWord {
  label?: string;
  /**
   * The question as a sentence: `{who}` is asked, about `{whom}`, while `{actor}` does `{action}`, after the roll
   * `{roll}`. A text in square brackets is left out if there is no such thing.
   */
  says?: string;
  /** The stakes of each option, if the option's own words do not give them. */
  stakes?: Record<string, string>;
  /**
   * The effect of each option, in the infinitive, such as `let the roll stand`; if empty, the option's own words follow
   * a colon.
   */
  does?: Record<string, string>;
  /** The labels of the fields of its answers, where the field's name is not enough. */
  asks?: Record<string, string>;
  /** Whether a player may give a standing answer, for every time it is asked. */
  always?: boolean;
}

/** A field of an answer. */
export interface FieldWord {
  label?: string;
  /** The text for it with its value `{}`, such as `for {} rounds`; its label before the value if empty. */
  says?: string;
  /** The text for the value 1, such as `for one round`; as any other number if empty. */
  one?: string;
  /** The text for a missing value, such as `the usual one`; if empty, *nobody*, *none* or *as it is*. */
  otherwise?: string;
  /** Whether it takes free text of a person, which is quoted. */
  free?: boolean;
  /** The kind of thing that its ids name. */
  names?: "" | "combatant" | "item";
}

/** A kind of thing. */
export interface ItemWord {
  label?: string;
  /** The sentence for a combatant that gets one, such as `knows {name}`; `has` with its name if empty. */
  says?: string;
}

/** A position of a thing. */
export interface PositionWord {
  label?: string;
  /** The text behind `is`, such as `in the belt` or `thrown`; `in the` with the label if empty. */
  says?: string;
  /** Its role: in a hand, worn on the body, or anywhere else. "elsewhere" where it is left out. */
  role?: "elsewhere" | "hand" | "worn";
}

/** A relation of combatants. */
export interface RelationWord {
  label?: string;
  /** The sentence while it holds, such as `one player plays {members}`; its label before them if empty. */
  says?: string;
  /** The sentence when it ends, such as `rider and mount part`. */
  over?: string;
  /** Its name in a sentence, such as `the player of {members}`; its name if empty. */
  called?: string;
  /** The role of the member that also plays the other, and the other's role; empty if each plays itself. */
  leads?: string;
  led?: string;
  /** The state of a member, such as `in melee with {foes}`; if empty, the role's `stands` is used. */
  stands?: string;
  /** Whether it is one of enemies: members of a single side cannot form it. */
  opposed?: boolean;
  /** The minimum number of members. */
  fewest?: number;
  /**
   * The content of its id: names of its `members`, a `number`, or a `word` such as that of a side. "members" where it
   * is left out.
   */
  ids?: "members" | "number" | "word";
}

/** A role in a relation. */
export interface RoleWord {
  label?: string;
  /** The state of a member in it, such as `rides {others}`; not shown if empty. */
  stands?: string;
}

/** A clock. */
export interface ClockWord {
  label?: string;
  /** The sentence when it advances, such as `{by} seconds pass`; `{whose}` is its owner. */
  says?: string;
}

/** The reason why a fight is over, as it follows the winner. */
export interface EndingWord {
  label?: string;
  /** The text without a winner; the label if empty. */
  undecided?: string;
}

/** A kind of note that the rules make. */
export interface NoteWord {
  label?: string;
  /** The note as a sentence with its parts, such as `{who} casts {what}: {outcome}`. */
  says: string;
  /**
   * The kind of each part. A `flag` is true or false; `text` is of the rules, and `words` is free text, which is
   * quoted.
   */
  parts?: Record<string, "combatant" | "combatants" | "flag" | "item" | "number" | "side" | "text" | "words">;
  /** The known texts of a part of kind `text`. Other texts are quoted. */
  texts?: string[];
  /** The note as scenarios and logs up to format 5 write it, with the same parts; `{who.name}` is a name. */
  written: string;
  /** The clauses that identify notes of this kind in such logs. */
  rules?: Clause[];
}

/** A word of the rules that a condition comes from, such as an injury. */
export interface SourceWord {
  label?: string;
  /** The source with the number behind the word as `{}`, such as `until second {}`; empty if there is none. */
  says?: string;
}

/** A word of the rules that a number in a roll comes from, even if a combatant has the same name. */
export interface NumberWord {
  label?: string;
  /** Whether it stands for the margin of a roll. */
  margin?: boolean;
}

/** The places of a system. */
export interface Places {
  /** The word for a place, such as `cell`. "place" where it is left out. */
  one?: string;
  /** The unit of distances and of the cost of movement, such as `m`. */
  unit?: string;
}

/** The forecasts of a fight, finished and unfinished. */
export interface Forecasts {
  forecasts: Forecast[];
}

/** A forecast: the request, and the result so far. */
export interface Forecast {
  /** The id to poll or cancel the forecast with. */
  id: string;
  what: "luck" | "odds";
  /** The log position of the head that the forecast is for, and its hash. */
  position: number;
  hash: string;
  /** The progress: `waiting` for its turn, `working`, `done`, or `failed`. */
  stage: "done" | "failed" | "waiting" | "working";
  /** The units of work that are done, and the most that can be needed. */
  done?: number;
  of?: number;
  /** The odds of the fight's end; preliminary until the stage is `done`. */
  odds?: Odds | null;
  /** The worth of dice and decisions, once the stage is `done`. */
  luck?: Luck | null;
  /** The reason for a failed forecast. */
  wrong?: string;
}

/** The forecast of a fight's end. */
export interface Odds {
  /** The log position and the round that the forecast starts from. */
  position: number;
  round: number;
  /** The number of simulated fights. */
  trials: number;
  /** Whether the requested precision was reached. */
  enough: boolean;
  /** The policy that chose all actions. */
  policy: string;
  /** The word that the dice of the trials are derived from. */
  seed: string;
  /** The chance that each side wins, by side. */
  wins: Record<string, Share>;
  /** The chance that a trial does not end. */
  unended: Share;
  /**
   * The number of trials that did not end, by reason. `stalemate`: nothing would change any more. `stuck`: no combatant
   * found a legal action. `limit`: the trial reached its maximum length.
   */
  why_not: Record<"limit" | "stalemate" | "stuck", number>;
  /** The round in which the fight ends. */
  rounds: Range;
  /** The chance that each combatant is out of the fight at its end, by combatant. */
  falls: Record<string, Share>;
  /** The pools at the end, by combatant and pool. */
  pools: Record<string, Record<string, Remaining>>;
  /** The lasting conditions that some trials give or remove, by combatant. */
  conditions: Record<string, Record<string, Affliction>>;
  /** The items that some trials wear, use up or lose, by item id. */
  things: Record<string, Thing>;
}

/** A share of the trials: its 95 % interval, and the number of trials in it. */
export interface Share {
  share: number;
  low: number;
  high: number;
  count: number;
}

/** A mean, and the 10 %, 50 % and 90 % quantiles over the trials. */
export interface Range {
  mean: number;
  p10: number;
  p50: number;
  p90: number;
}

/** A pool: its value now, and its value at the end. */
export interface Remaining {
  now: number;
  mean: number;
  p10: number;
  p50: number;
  p90: number;
}

/** A condition: its count now, the share of trials that end with it, and the mean count. */
export interface Affliction {
  now: number;
  share: Share;
  mean: number;
}

/** The state of an item at the end of the trials. */
export interface Thing {
  /** The present owner. */
  owner: string;
  /** The chance that it is lost for good. */
  gone: Share;
  /** The chance that its usage die is used up; `null` without one. */
  destroyed?: Share | null;
  /** The size of its usage die. */
  die?: Remaining | null;
  /** Its counters that last from fight to fight. */
  counters?: Record<string, Remaining>;
}

/** Worth of dice and decisions to a side; the opening and all changes sum to the result. */
export interface Luck {
  side: string;
  /** Number of fights played from each moment; all other numbers count these. */
  trials: number;
  /** Whether the fight was fought to its end. */
  ended: boolean;
  /** Number of trials that the side won from the opening. */
  opening: number;
  /**
   * Changes by dice, by combatants and by the game master, and changes that cannot be attributed, since the rules have
   * changed.
   */
  luck: number;
  decisions: number;
  rulings: number;
  unclear: number;
  /** Their sum: all or none of the trials if the fight has ended. */
  result: number;
  moves: Swing[];
  turning: Turning[];
}

/** The change of the chance to win by a roll, a decision or a ruling. */
export interface Swing {
  /** The log position of the event. */
  position: number;
  by: "decision" | "luck" | "ruling" | "unclear";
  who: string;
  /** The number of trials that the side won, before and after it. */
  before: number;
  after: number;
  /** Whether chance alone could make such a difference. */
  noise: boolean;
}

/** A turning point: its position and its sentence. */
export interface Turning {
  position: number;
  says: string;
}

/** All stored documents of a kind. */
export interface AllSaved {
  saved: Saved[];
}

/** A stored encounter or party, without its content. */
export interface Saved {
  name: string;
  /** The title in its file. */
  title: string;
  /** Its rule system. */
  system: string;
  /** An opaque version of the document; it changes with each write. */
  version: string;
  /** The time of the last write. */
  changed: string;
  /** The number of combatants on each side. */
  sides?: Record<string, number>;
}

/** The encounters that come with the program. */
export interface AllShipped {
  encounters: Shipped[];
}

/** An encounter that is shipped with the program. */
export interface Shipped {
  /** The names of its folder and its file. */
  system: string;
  name: string;
  /** The title in its file. */
  title: string;
  /** The title of its rule system. */
  rules: string;
  /** Its description: the first sentence of the comment at the top of its file. */
  says: string;
  /** The number of combatants on each side. */
  sides: Record<string, number>;
}

/** The faults of an encounter or a party, with both its forms. */
export interface Checked {
  ok: boolean;
  /** The first fault, with its field and its line in the TOML that was sent. */
  fault?: Problem | null;
  /** All faults that one check can find; `fault` is the first of them. */
  faults?: Problem[];
  /** The combatants that the encounter would bring into a fight. */
  people?: Person[];
  /** The content as an object. */
  content?: Record<string, unknown>;
  /** The content as the text of a TOML file; TOML that was sent is returned unchanged. */
  toml?: string;
}

/** A combatant that an encounter would bring into a fight. */
export interface Person {
  /** The id and the name that the combatant would have in the fight. */
  id: string;
  name: string;
  /** The index of its `[[combatant]]` entry, counted from 0. */
  entry: number;
}

/** The tables of a system, with the names that an encounter can use. */
export interface Library {
  system: string;
  title: string;
  tables: LibraryTable[];
}

/** A table of a rule system. */
export interface LibraryTable {
  /** The table's name, such as `weapons`. */
  kind: string;
  /** The table's title for people. */
  title: string;
  /** The encounter fields that name its rows: `combatant[].weapons[]` for a list, `combatant[].skills{}` for keys. */
  fields: string[];
  /** The table of an encounter file that may define more rows. */
  own: string;
  /** The text that may follow a key. */
  suffix: string;
  /** The table's rows. */
  lines: LibraryLine[];
}

/** A row of a table. */
export interface LibraryLine {
  /** The key by which an encounter names the row. */
  key: string;
  /** The row's values, by field; a missing field has its default. */
  values: Record<string, unknown>;
}

/** A changed party, with one line for each change. */
export interface PartyChanged {
  party: SavedWhole;
  lines: CostLine[];
}

/** A stored encounter or party, with its content. */
export interface SavedWhole {
  name: string;
  title: string;
  system: string;
  version: string;
  changed: string;
  sides?: Record<string, number>;
  content: Record<string, unknown>;
  toml: string;
  /** The fault that keeps it from starting a fight, if it has one. */
  fault?: Problem | null;
  /** The image behind the map of an encounter's fights, if it has one. */
  background?: Background | null;
}

/** An image behind the map. */
export interface Background {
  /** The name of the image. */
  picture: string;
  /** The number of map places that 100 pixels of the image cover. */
  scale?: number;
  /** The position of the image's corner, in map places. */
  x?: number;
  y?: number;
}

/** A line of the changes to a party. */
export interface CostLine {
  /** The subject: a cost of the fight, a recovery, or a note. */
  kind: "cost" | "note" | "recovers";
  /** The combatant that the line is about. */
  who: string;
  /** The line. */
  text: string;
  /** The clauses that the change follows from. */
  rules?: Clause[];
}

/** The scene of a fight, as far as the viewer may see it. */
export interface Scene {
  /** An opaque version of the scene; it changes with each change. */
  version: string;
  background?: Background | null;
  /** The names of portrait images, by combatant. */
  portraits?: Record<string, string>;
  /** The names of all uploaded images; empty for a viewer who is no game master. */
  pictures?: string[];
}

/** The rule systems of this server. */
export interface Systems {
  systems: System[];
}

/** A rule system of this server. */
export interface System {
  name: string;
  title: string;
  version: string;
  /** The kind of place on its maps: `squares`, `hexes`, `zones`, or empty without a map. */
  map: string;
  /** Whether the system has a template encounter. */
  template: boolean;
}

/** A stored image: its name, its media type, and its size in pixels. */
export interface Uploaded {
  name: string;
  media: string;
  width: number;
  height: number;
}

/** The fights of this server. */
export interface Home {
  /** The fights that are described, latest change first. */
  fights: AtHome[];
  /** The names of the other fights. */
  more: string[];
}

/** A fight of this server. */
export interface AtHome {
  /** The name of the fight on this server. */
  id: string;
  /** The title in its encounter. */
  name?: string;
  system?: string;
  title?: string;
  /** The current round; 0 before the first. */
  round?: number;
  ended?: boolean;
  closed?: boolean;
  /** The combatant whose turn it is, or the input that the table waits for, as a sentence. */
  headline?: string;
  /** The time of the last event. */
  changed?: string;
  /** The holders of its tokens. */
  people?: Holder[];
  /** The number of game masters and players who follow it now. */
  here?: number;
  /** The reason why it cannot be opened; empty if it can. */
  wrong?: string;
}

/** The holder of a token, without the token itself. */
export interface Holder {
  /** The id that revokes the token. */
  id: string;
  role: "gm" | "player" | "spectator";
  name: string;
  owns?: string[];
  /** The time when the token was issued; empty if unknown. */
  since?: string;
  /** Whether the token is the caller's own. */
  you?: boolean;
}

/** The clients that follow a fight now. */
export interface WhoIsThere {
  /** The game masters and players; for a game master also the spectators. */
  people: Present[];
  /** The number of open streams of spectators. */
  spectators: number;
}

/** A client that follows a fight now. */
export interface Present {
  /** The role and the name in the client's token. */
  role: string;
  name: string;
  /** The combatants of the client that the reader may see. */
  owns?: string[];
  /** The number of open streams with this token. */
  streams?: number;
  /** Whether this client is the reader. */
  you?: boolean;
}

/** Every fact of a fight there is; `type` says which. */
export type AnyEvent =
  | Amended
  | Answered
  | Asked
  | AskingSet
  | AttemptRefused
  | Attempted
  | ClockSet
  | Closed
  | Concealed
  | ConditionChanged
  | Damaged
  | Declared
  | DiceAwaited
  | DiceEntered
  | DiceRenewed
  | DiceSourceSet
  | DieStepped
  | DistanceSet
  | Dropped
  | EntropyAdded
  | FightEnded
  | FightOpened
  | FightReopened
  | Fizzled
  | FoesSet
  | Forked
  | FormatRaised
  | ItemAdded
  | ItemCounted
  | ItemMoved
  | ItemRemoved
  | Joined
  | Judged
  | Left
  | MarkSet
  | MemberDone
  | Moved
  | Noted
  | OfferDeclined
  | OrderSet
  | Passed
  | PhaseEntered
  | PlaceSet
  | PlayerUndoSet
  | PoolChanged
  | Previewed
  | RelationSet
  | Released
  | Resolved
  | Restored
  | Rewound
  | Rolled
  | RoundBegan
  | Ruled
  | RulesetAdopted
  | SideChanged
  | Stacked
  | StatChanged
  | TraitChanged
  | TurnBegan
  | TurnEnded
  | UndoDeclined
  | UndoRequested
  | Veiled
  | ViewSet
  | WindowClosed
  | WindowOpened
  | Withdrawn;

/** Everything a command may ask. */
export type Intent =
  | Declared
  | Answered
  | Passed
  | AskingSet
  | DiceEntered
  | Ruled
  | Undo
  | AnswerUndo
  | Redo
  | Amend
  | Stir
  | Close;

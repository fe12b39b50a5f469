/**
 * Made by `python -m affray.tools.clients` from the Python structs; not to be edited.
 *
 * Per struct its fields in order: name, form, and what it is where it is left out (no third entry: it never is).
 * A form is "int", "int?" (or null), "str", "bool", "scalar" (any of these), "setting" (a scalar or a list of texts),
 * "part" (a scalar or a list of texts and tables of settings), {or: struct} for a text or a struct, {among: words} for
 * one of some words, "raw" for JSON whose text counts, a struct's name, [form] for a list, [form, n] for a list of n,
 * {of: form} for a table.
 */

/** The latest format of a log that is known here. */
export const FORMAT = 6;

/** Every type of event. */
export const EVENTS = new Set([
  "Amended", "Answered", "Asked", "AskingSet", "AttemptRefused", "Attempted", "ClockSet", "Closed", "Concealed",
  "ConditionChanged", "Damaged", "Declared", "DiceAwaited", "DiceEntered", "DiceRenewed", "DiceSourceSet", "DieStepped",
  "DistanceSet", "Dropped", "EntropyAdded", "FightEnded", "FightOpened", "FightReopened", "Fizzled", "FoesSet", "Forked",
  "FormatRaised", "ItemAdded", "ItemCounted", "ItemMoved", "ItemRemoved", "Joined", "Judged", "Left", "MarkSet",
  "MemberDone", "Moved", "Noted", "OfferDeclined", "OrderSet", "Passed", "PhaseEntered", "PlaceSet", "PlayerUndoSet",
  "PoolChanged", "Previewed", "RelationSet", "Released", "Resolved", "Restored", "Rewound", "Rolled", "RoundBegan",
  "Ruled", "RulesetAdopted", "SideChanged", "Stacked", "StatChanged", "TraitChanged", "TurnBegan", "TurnEnded",
  "UndoDeclined", "UndoRequested", "Veiled", "ViewSet", "WindowClosed", "WindowOpened", "Withdrawn",
]);

/** Events that no lane holds: they say what counts. */
export const ABOUT_THE_RECORD = new Set([
  "Amended", "Closed", "EntropyAdded", "Forked", "FormatRaised", "Previewed", "Restored", "Rewound", "RulesetAdopted",
  "UndoDeclined", "UndoRequested",
]);

/** Events that follow from nothing recorded before them. */
export const STARTS = new Set([
  "Amended", "Answered", "AskingSet", "Attempted", "Closed", "Declared", "DiceEntered", "DiceRenewed", "EntropyAdded",
  "FightOpened", "Forked", "FormatRaised", "Passed", "Previewed", "Restored", "Rewound", "Ruled", "RulesetAdopted",
  "UndoDeclined", "UndoRequested",
]);

/** Events behind which a player's earlier undo request no longer waits. */
export const VOIDING = new Set([
  "Amended", "EntropyAdded", "Forked", "Previewed", "Restored", "Rewound", "UndoDeclined", "UndoRequested",
]);

/** The dice scheme of each format, from 1 on. */
export const DICE_SCHEMES = [1, 1, 1, 1, 2, 2];

/** Nobody throws more dice at once. */
export const MOST_DICE = 1000;

/** No die has more sides. */
export const MOST_SIDES = 1000;

/** The systems whose places are cells. */
export const ON_CELLS = new Set(["hexblade", "vestige", "wwn"]);

export const SHAPES = {
  FightOpened: [
    ["rules", ["str"], []], ["format", "int"], ["fight", "str"], ["system", "str"], ["version", "str"],
    ["digest", "str"], ["config", {"of": "setting"}], ["commitment", "str", ""], ["dice_scheme", "int", 1],
  ],
  FormatRaised: [["rules", ["str"], []], ["format", "int"]],
  RulesetAdopted: [["rules", ["str"], []], ["version", "str"], ["digest", "str"]],
  Rewound: [
    ["rules", ["str"], []], ["to", "int"], ["lane", "int"], ["commands", "int"], ["fresh", "bool", false],
    ["reason", "str", ""], ["request", "int", 0],
  ],
  UndoRequested: [["rules", ["str"], []], ["to", "int"], ["lane", "int"], ["commands", "int"], ["reason", "str", ""]],
  UndoDeclined: [["rules", ["str"], []], ["request", "int"], ["reason", "str", ""]],
  Restored: [
    ["rules", ["str"], []], ["lane", "int"], ["left", "int"], ["commands", "int", 0], ["fresh", "bool", false],
    ["reason", "str", ""],
  ],
  Amended: [
    ["rules", ["str"], []], ["position", "int"], ["to", "int"], ["lane", "int"], ["retracted", "bool", false],
    ["dropped", ["int"], []], ["reason", "str", ""],
  ],
  Previewed: [["rules", ["str"], []], ["position", "int"], ["rolls", ["str"]], ["dice", ["ShownDice"], []]],
  ShownDice: [["roll", "str"], ["count", "int"], ["sides", "int"], ["kind", "str", "die"], ["item", "str", ""]],
  EntropyAdded: [["rules", ["str"], []], ["words", "str"]],
  Closed: [["rules", ["str"], []], ["seed", "str", ""], ["reason", "str", ""]],
  Forked: [
    ["rules", ["str"], []], ["fight", "str"], ["parent", "str"], ["position", "int"], ["commitment", "str", ""],
    ["reason", "str", ""],
  ],
  DiceRenewed: [["rules", ["str"], []], ["generation", "int"]],
  DiceSourceSet: [["rules", ["str"], []], ["owner", "str"], ["source", "str"], ["side", "str", ""]],
  PlayerUndoSet: [["rules", ["str"], []], ["rule", {"among": ["consent", "free"]}]],
  Noted: [["rules", ["str"], []], ["text", "str", ""], ["kind", "str", ""], ["parts", {"of": "setting"}, {}]],
  PhaseEntered: [["rules", ["str"], []], ["phase", "str"], ["trigger", "str"], ["item", "str", ""]],
  RoundBegan: [["rules", ["str"], []], ["round", "int"]],
  OrderSet: [["rules", ["str"], []], ["slots", ["Slot"]]],
  Slot: [["id", "str"], ["members", ["str"]], ["score", "int", 0]],
  TurnBegan: [["rules", ["str"], []], ["slot", "str"], ["members", ["str"]], ["adds", "bool", false]],
  MemberDone: [["rules", ["str"], []], ["who", "str"]],
  TurnEnded: [["rules", ["str"], []], ["slot", "str"]],
  WindowOpened: [
    ["rules", ["str"], []], ["window", "str"], ["about", "str"], ["nth", "int"], ["to", ["str"]], ["what", "str"],
  ],
  OfferDeclined: [["rules", ["str"], []], ["window", "str"], ["who", "str"], ["standing", "bool", false]],
  WindowClosed: [["rules", ["str"], []], ["window", "str"], ["how", "str"], ["expired", ["str"], []]],
  FightEnded: [["rules", ["str"], []], ["victors", "str", ""], ["allies", ["str"], []], ["why", "str", ""]],
  FightReopened: [["rules", ["str"], []]],
  Declared: [
    ["rules", ["str"], []], ["actor", "str"], ["kind", "str"], ["params", "raw"], ["manner", "str", "standard"],
    ["confided", "bool", false],
  ],
  Attempted: [
    ["rules", ["str"], []], ["actor", "str"], ["kind", "str"], ["params", "raw"], ["manner", "str", "standard"],
    ["confided", "bool", false],
  ],
  AttemptRefused: [["rules", ["str"], []], ["actor", "str"], ["code", "str"], ["because_of", ["str"], []]],
  Answered: [
    ["rules", ["str"], []], ["question", "str"], ["by", "str"], ["choice", "str"], ["fields", {"of": "scalar"}, {}],
    ["about", {"of": {"of": "scalar"}}, {}], ["confided", "bool", false], ["reason", "str", ""],
  ],
  Passed: [
    ["rules", ["str"], []], ["window", "str"], ["who", "str"], ["why", {"among": ["", "not worth", "time"]}, ""],
  ],
  AskingSet: [
    ["rules", ["str"], []], ["who", "str"], ["ask", {"among": ["always", "never", "targeted", "worthwhile"]}],
    ["what", "str", ""], ["seconds", "int", 0],
  ],
  Ruled: [["rules", ["str"], []], ["kind", "str"], ["params", "raw"], ["reason", "str"], ["apart", "bool", false]],
  Stacked: [
    ["rules", ["str"], []], ["item", "str"], ["actor", "str"], ["kind", "str"], ["params", "raw"], ["manner", "str"],
    ["at", "int"], ["nth", "int"], ["tags", ["str"], []], ["targets", ["str"], []], ["confided", "bool", false],
  ],
  Resolved: [["rules", ["str"], []], ["item", "str"]],
  Fizzled: [["rules", ["str"], []], ["item", "str"], ["code", "str"]],
  Dropped: [["rules", ["str"], []], ["item", "str"], ["why", "str"]],
  Asked: [
    ["rules", ["str"], []], ["question", "str"], ["of", ["str"]], ["about", "str"], ["options", ["Option"]],
    ["sources", [{"or": "Source"}], []],
  ],
  Option: [["choice", "str"], ["says", "str"], ["fields", ["Field"], []]],
  Field: [
    ["name", "str"], ["kind", "str"], ["about", "str", ""], ["low", "int", 0], ["high", "int", 0],
    ["among", ["str"], []], ["optional", "bool", false],
  ],
  Source: [["of", "str"], ["name", "str", ""], ["about", "str", ""], ["to", "str", ""]],
  Withdrawn: [["rules", ["str"], []], ["what", "str"]],
  Rolled: [
    ["rules", ["str"], []], ["roll", "str"], ["by", "str"], ["purpose", "str"], ["dice", ["Faces"]], ["total", "int"],
    ["reading", "str", "sum"], ["pool", ["Modifier"], []], ["modifiers", ["Modifier"], []], ["against", "int?", null],
    ["source", "str", "engine"],
  ],
  Faces: [["sides", "int"], ["faces", ["int"]], ["kind", "str", "die"], ["item", "str", ""], ["fates", ["str"], []]],
  Modifier: [
    ["value", "int"], ["label", "str"], ["source", {"or": "Source"}, ""], ["rule", "str", ""], ["tells", ["str"], []],
  ],
  Judged: [["rules", ["str"], []], ["roll", "str"], ["outcome", "str"], ["margin", "int", 0], ["rolled", "str", ""]],
  DiceAwaited: [
    ["rules", ["str"], []], ["roll", "str"], ["by", "str"], ["purpose", "str"], ["dice", ["Dice"]],
    ["sources", [{"or": "Source"}], []],
  ],
  Dice: [["count", "int"], ["sides", "int"], ["kind", "str", "die"], ["item", "str", ""], ["keep", "str", ""]],
  DiceEntered: [["rules", ["str"], []], ["roll", "str"], ["faces", ["int"]]],
  Joined: [
    ["rules", ["str"], []], ["who", "str"], ["name", "str"], ["side", "str"], ["stats", {"of": "int"}],
    ["pools", {"of": "int"}], ["traits", [{"or": "Feature"}], []], ["place", "str", ""],
  ],
  Feature: [["kind", "str"], ["of", "str", ""], ["parts", {"of": "setting"}, {}]],
  Left: [["rules", ["str"], []], ["who", "str"]],
  SideChanged: [["rules", ["str"], []], ["who", "str"], ["before", "str"], ["after", "str"]],
  StatChanged: [["rules", ["str"], []], ["who", "str"], ["stat", "str"], ["before", "int"], ["after", "int"]],
  TraitChanged: [["rules", ["str"], []], ["who", "str"], ["trait", {"or": "Feature"}], ["present", "bool"]],
  PoolChanged: [["rules", ["str"], []], ["who", "str"], ["pool", "str"], ["before", "int"], ["after", "int"]],
  Damaged: [["rules", ["str"], []], ["who", "str"], ["terms", ["Modifier"]], ["amount", "int"]],
  ConditionChanged: [
    ["rules", ["str"], []], ["who", "str"], ["condition", "str"], ["before", "int"], ["after", "int"],
    ["source", "str", ""], ["ends", "Ending", null],
  ],
  Ending: [
    ["moment", {"among": ["end of fight", "end of own turn", "end of round", "start of own turn"]}], ["round", "int", 0],
  ],
  ItemAdded: [
    ["rules", ["str"], []], ["item", "str"], ["name", "str"], ["kind", "str"], ["owner", "str"], ["where", "str", ""],
    ["stats", {"of": "int"}, {}], ["traits", ["str"], []], ["features", ["Feature"], []],
    ["counters", {"of": "int"}, {}], ["die", "int", 0], ["base", "int", 0],
  ],
  ItemCounted: [["rules", ["str"], []], ["item", "str"], ["counter", "str"], ["before", "int"], ["after", "int"]],
  ItemMoved: [["rules", ["str"], []], ["item", "str"], ["owner", "str"], ["before", "str"], ["after", "str"]],
  DieStepped: [["rules", ["str"], []], ["item", "str"], ["before", "int"], ["after", "int"]],
  ItemRemoved: [["rules", ["str"], []], ["item", "str"]],
  Moved: [
    ["rules", ["str"], []], ["who", "str"], ["before", "str"], ["after", "str"], ["path", ["str"], []],
    ["cost", "int", 0],
  ],
  DistanceSet: [["rules", ["str"], []], ["pair", ["str", 2]], ["before", "int?"], ["after", "int"]],
  ViewSet: [["rules", ["str"], []], ["viewer", "str"], ["target", "str"], ["before", "str"], ["after", "str"]],
  PlaceSet: [
    ["rules", ["str"], []], ["place", "str"], ["traits", ["str"], []], ["exits", ["str"], []],
    ["side_traits", ["SideTrait"], []],
  ],
  SideTrait: [["side", "int"], ["trait", "str"]],
  RelationSet: [["rules", ["str"], []], ["relation", "str"], ["kind", "str"], ["members", ["Member"]]],
  Member: [["who", "str"], ["role", "str", ""]],
  MarkSet: [
    ["rules", ["str"], []], ["owner", "str"], ["key", "str"], ["about", "str", ""], ["value", "setting"],
    ["parts", {"of": "part"}, {}], ["until", "str", ""],
  ],
  ClockSet: [
    ["rules", ["str"], []], ["clock", "str"], ["owner", "str", ""], ["about", "str", ""], ["before", "int"],
    ["after", "int"],
  ],
  Concealed: [["rules", ["str"], []], ["who", "str"], ["concealed", "bool"]],
  Veiled: [["rules", ["str"], []], ["who", "str"], ["pools", {"of": "int"}]],
  FoesSet: [["rules", ["str"], []], ["show", {"among": ["hidden", "open", "rough"]}], ["heroes", ["str"], []]],
  Released: [["rules", ["str"], []], ["positions", ["int"], []]],
  State: [
    ["system", "str", ""], ["version", "str", ""], ["fight", "str", ""], ["config", {"of": "setting"}, {}],
    ["phases", {"of": "str"}, {}], ["round", "int", 0], ["combatants", {"of": "Combatant"}, {}],
    ["items", {"of": "Item"}, {}], ["relations", {"of": "Relation"}, {}], ["places", {"of": "Place"}, {}],
    ["distances", {"of": {"of": "int"}}, {}], ["views", {"of": {"of": "str"}}, {}],
    ["marks", {"of": {"of": {"of": "setting"}}}, {}], ["mark_parts", {"of": {"of": {"of": {"of": "part"}}}}, {}],
    ["clocks", {"of": {"of": {"of": "int"}}}, {}], ["slots", ["Slot"], []], ["up", "str", ""], ["acting", ["str"], []],
    ["stack", ["Pending"], []], ["counts", {"of": "int"}, {}], ["question", "Question", null],
    ["awaited", "Awaited", null], ["postponed", ["Postponed"], []], ["window", "Window", null],
    ["standing", {"of": "str"}, {}], ["stops", {"of": "str"}, {}], ["patience", "int", 0], ["dice_scheme", "int", 1],
    ["format", "int", 0], ["dice_generation", "int", 0], ["dice_sources", {"of": "str"}, {}],
    ["side_dice", {"of": "str"}, {}], ["player_undo", {"among": ["consent", "free"]}, "consent"],
    ["ended", "bool", false], ["victors", "str", ""], ["allied_victors", ["str"], []],
    ["departed", {"of": "Combatant"}, {}], ["concealed", ["str"], []], ["veiled", {"of": {"of": "int"}}, {}],
    ["foes", {"among": ["hidden", "open", "rough"]}, "open"], ["heroes", ["str"], []],
  ],
  Combatant: [
    ["id", "str"], ["name", "str"], ["side", "str"], ["stats", {"of": "int"}, {}], ["traits", [{"or": "Feature"}], []],
    ["pools", {"of": "int"}, {}], ["conditions", {"of": {"of": "int"}}, {}], ["endings", {"of": {"of": "Ending"}}, {}],
    ["place", "str", ""],
  ],
  Item: [
    ["id", "str"], ["name", "str"], ["kind", "str"], ["owner", "str", ""], ["where", "str", ""],
    ["stats", {"of": "int"}, {}], ["traits", ["str"], []], ["features", ["Feature"], []],
    ["counters", {"of": "int"}, {}], ["die", "int", 0], ["base", "int", 0],
  ],
  Relation: [["id", "str"], ["kind", "str"], ["members", ["Member"]]],
  Place: [["id", "str"], ["traits", ["str"], []], ["exits", ["str"], []], ["side_traits", ["SideTrait"], []]],
  Pending: [
    ["id", "str"], ["actor", "str"], ["kind", "str"], ["params", "raw"], ["manner", "str"], ["tags", ["str"], []],
    ["targets", ["str"], []], ["confided", "bool", false],
  ],
  Question: [
    ["id", "str"], ["of", ["str"]], ["about", "str"], ["options", ["Option"]], ["sources", [{"or": "Source"}], []],
  ],
  Awaited: [
    ["roll", "str"], ["by", "str"], ["purpose", "str"], ["dice", ["Dice"]], ["sources", [{"or": "Source"}], []],
  ],
  Postponed: [["question", "Question", null], ["awaited", "Awaited", null]],
  Window: [["id", "str"], ["to", ["str"]], ["what", "str"]],
};

/**
 * Made by `python -m affray.tools.clients` from the Python structs; not to be edited.
 *
 * Per struct its fields in order: name, form, and what it is where it is left out (no third entry: it never is).
 * A form is null for plain JSON, "raw" for JSON whose text counts, a struct's name, [form] for a list, {of: form} for a
 * table.
 */

/** The latest format of a log that is known here. */
export const FORMAT = 4;

/** Every type of event. */
export const EVENTS = new Set([
  "Amended", "Answered", "Asked", "AskingSet", "ClockSet", "Closed", "Concealed", "ConditionChanged", "Damaged",
  "Declared", "DiceAwaited", "DiceEntered", "DiceRenewed", "DiceSourceSet", "DieStepped", "DistanceSet", "Dropped",
  "EntropyAdded", "FightEnded", "FightOpened", "Fizzled", "Forked", "FormatRaised", "ItemAdded", "ItemCounted",
  "ItemMoved", "ItemRemoved", "Joined", "Judged", "Left", "MarkSet", "MemberDone", "Moved", "Noted", "OfferDeclined",
  "OrderSet", "Passed", "PhaseEntered", "PlaceSet", "PoolChanged", "Previewed", "RelationSet", "Released", "Resolved",
  "Restored", "Rewound", "Rolled", "RoundBegan", "Ruled", "RulesetAdopted", "SideChanged", "Stacked", "StatChanged",
  "TraitChanged", "TurnBegan", "TurnEnded", "Veiled", "ViewSet", "WindowClosed", "WindowOpened", "Withdrawn",
]);

/** Events that no lane holds: they say what counts. */
export const ABOUT_THE_RECORD = new Set([
  "Amended", "Closed", "EntropyAdded", "Forked", "FormatRaised", "Previewed", "Restored", "Rewound", "RulesetAdopted",
]);

/** Events that follow from nothing recorded before them. */
export const STARTS = new Set([
  "Amended", "Answered", "AskingSet", "Closed", "Declared", "DiceEntered", "DiceRenewed", "EntropyAdded", "FightOpened",
  "Forked", "FormatRaised", "Passed", "Previewed", "Restored", "Rewound", "Ruled", "RulesetAdopted",
]);

export const SHAPES = {
  FightOpened: [
    ["rules", null, []], ["format", null], ["fight", null], ["system", null], ["version", null], ["digest", null],
    ["config", {"of": null}], ["commitment", null, ""],
  ],
  FormatRaised: [["rules", null, []], ["format", null]],
  RulesetAdopted: [["rules", null, []], ["version", null], ["digest", null]],
  Rewound: [
    ["rules", null, []], ["to", null], ["lane", null], ["commands", null], ["fresh", null, false], ["reason", null, ""],
  ],
  Restored: [
    ["rules", null, []], ["lane", null], ["left", null], ["commands", null, 0], ["fresh", null, false],
    ["reason", null, ""],
  ],
  Amended: [
    ["rules", null, []], ["position", null], ["to", null], ["lane", null], ["retracted", null, false],
    ["dropped", null, []], ["reason", null, ""],
  ],
  Previewed: [["rules", null, []], ["position", null], ["rolls", null]],
  EntropyAdded: [["rules", null, []], ["words", null]],
  Closed: [["rules", null, []], ["seed", null, ""], ["reason", null, ""]],
  Forked: [
    ["rules", null, []], ["fight", null], ["parent", null], ["position", null], ["commitment", null, ""],
    ["reason", null, ""],
  ],
  DiceRenewed: [["rules", null, []], ["generation", null]],
  DiceSourceSet: [["rules", null, []], ["owner", null], ["source", null]],
  Noted: [["rules", null, []], ["text", null]],
  PhaseEntered: [["rules", null, []], ["phase", null], ["trigger", null], ["item", null, ""]],
  RoundBegan: [["rules", null, []], ["round", null]],
  OrderSet: [["rules", null, []], ["slots", ["Slot"]]],
  Slot: [["id", null], ["members", null], ["score", null, 0]],
  TurnBegan: [["rules", null, []], ["slot", null], ["members", null]],
  MemberDone: [["rules", null, []], ["who", null]],
  TurnEnded: [["rules", null, []], ["slot", null]],
  WindowOpened: [["rules", null, []], ["window", null], ["about", null], ["nth", null], ["to", null], ["what", null]],
  OfferDeclined: [["rules", null, []], ["window", null], ["who", null], ["standing", null, false]],
  WindowClosed: [["rules", null, []], ["window", null], ["how", null], ["expired", null, []]],
  FightEnded: [["rules", null, []], ["victors", null, ""], ["why", null, ""]],
  Declared: [
    ["rules", null, []], ["actor", null], ["kind", null], ["params", "raw"], ["manner", null, "standard"],
    ["confided", null, false],
  ],
  Answered: [
    ["rules", null, []], ["question", null], ["by", null], ["choice", null], ["fields", {"of": null}, {}],
    ["confided", null, false],
  ],
  Passed: [["rules", null, []], ["window", null], ["who", null], ["why", null, ""]],
  AskingSet: [["rules", null, []], ["who", null], ["ask", null], ["what", null, ""], ["seconds", null, 0]],
  Ruled: [["rules", null, []], ["kind", null], ["params", "raw"], ["reason", null]],
  Stacked: [
    ["rules", null, []], ["item", null], ["actor", null], ["kind", null], ["params", "raw"], ["manner", null],
    ["at", null], ["nth", null], ["tags", null, []], ["targets", null, []], ["confided", null, false],
  ],
  Resolved: [["rules", null, []], ["item", null]],
  Fizzled: [["rules", null, []], ["item", null], ["code", null]],
  Dropped: [["rules", null, []], ["item", null], ["why", null]],
  Asked: [["rules", null, []], ["question", null], ["of", null], ["about", null], ["options", ["Option"]]],
  Option: [["choice", null], ["says", null], ["fields", ["Field"], []]],
  Field: [
    ["name", null], ["kind", null], ["low", null, 0], ["high", null, 0], ["among", null, []], ["optional", null, false],
  ],
  Withdrawn: [["rules", null, []], ["what", null]],
  Rolled: [
    ["rules", null, []], ["roll", null], ["by", null], ["purpose", null], ["dice", ["Faces"]], ["total", null],
    ["reading", null, "sum"], ["pool", ["Modifier"], []], ["modifiers", ["Modifier"], []], ["against", null, null],
    ["source", null, "engine"],
  ],
  Faces: [["sides", null], ["faces", null], ["kind", null, "die"], ["item", null, ""], ["fates", null, []]],
  Modifier: [["value", null], ["label", null], ["source", null, ""], ["rule", null, ""]],
  Judged: [["rules", null, []], ["roll", null], ["outcome", null], ["margin", null, 0]],
  DiceAwaited: [["rules", null, []], ["roll", null], ["by", null], ["purpose", null], ["dice", ["Dice"]]],
  Dice: [["count", null], ["sides", null], ["kind", null, "die"], ["item", null, ""], ["keep", null, ""]],
  DiceEntered: [["rules", null, []], ["roll", null], ["faces", null]],
  Joined: [
    ["rules", null, []], ["who", null], ["name", null], ["side", null], ["stats", {"of": null}], ["pools", {"of": null}],
    ["traits", null, []], ["place", null, ""],
  ],
  Left: [["rules", null, []], ["who", null]],
  SideChanged: [["rules", null, []], ["who", null], ["before", null], ["after", null]],
  StatChanged: [["rules", null, []], ["who", null], ["stat", null], ["before", null], ["after", null]],
  TraitChanged: [["rules", null, []], ["who", null], ["trait", null], ["present", null]],
  PoolChanged: [["rules", null, []], ["who", null], ["pool", null], ["before", null], ["after", null]],
  Damaged: [["rules", null, []], ["who", null], ["terms", ["Modifier"]], ["amount", null]],
  ConditionChanged: [
    ["rules", null, []], ["who", null], ["condition", null], ["before", null], ["after", null], ["source", null, ""],
  ],
  ItemAdded: [
    ["rules", null, []], ["item", null], ["name", null], ["kind", null], ["owner", null], ["where", null, ""],
    ["stats", {"of": null}, {}], ["traits", null, []], ["counters", {"of": null}, {}], ["die", null, 0],
    ["base", null, 0],
  ],
  ItemCounted: [["rules", null, []], ["item", null], ["counter", null], ["before", null], ["after", null]],
  ItemMoved: [["rules", null, []], ["item", null], ["owner", null], ["before", null], ["after", null]],
  DieStepped: [["rules", null, []], ["item", null], ["before", null], ["after", null]],
  ItemRemoved: [["rules", null, []], ["item", null]],
  Moved: [["rules", null, []], ["who", null], ["before", null], ["after", null], ["path", null, []], ["cost", null, 0]],
  DistanceSet: [["rules", null, []], ["pair", null], ["before", null], ["after", null]],
  ViewSet: [["rules", null, []], ["viewer", null], ["target", null], ["before", null], ["after", null]],
  PlaceSet: [["rules", null, []], ["place", null], ["traits", null, []], ["exits", null, []]],
  RelationSet: [["rules", null, []], ["relation", null], ["kind", null], ["members", ["Member"]]],
  Member: [["who", null], ["role", null, ""]],
  MarkSet: [["rules", null, []], ["owner", null], ["key", null], ["value", null], ["until", null, ""]],
  ClockSet: [["rules", null, []], ["clock", null], ["before", null], ["after", null]],
  Concealed: [["rules", null, []], ["who", null], ["concealed", null]],
  Veiled: [["rules", null, []], ["who", null], ["pools", {"of": null}]],
  Released: [["rules", null, []], ["positions", null, []]],
  State: [
    ["system", null, ""], ["version", null, ""], ["fight", null, ""], ["config", {"of": null}, {}],
    ["phases", {"of": null}, {}], ["round", null, 0], ["combatants", {"of": "Combatant"}, {}],
    ["items", {"of": "Item"}, {}], ["relations", {"of": "Relation"}, {}], ["places", {"of": "Place"}, {}],
    ["distances", {"of": null}, {}], ["views", {"of": null}, {}], ["marks", {"of": {"of": null}}, {}],
    ["clocks", {"of": null}, {}], ["slots", ["Slot"], []], ["up", null, ""], ["acting", null, []],
    ["stack", ["Pending"], []], ["counts", {"of": null}, {}], ["question", "Question", null],
    ["awaited", "Awaited", null], ["window", "Window", null], ["standing", {"of": null}, {}],
    ["stops", {"of": null}, {}], ["patience", null, 0], ["dice_generation", null, 0], ["dice_sources", {"of": null}, {}],
    ["ended", null, false], ["victors", null, ""], ["concealed", null, []], ["veiled", {"of": {"of": null}}, {}],
  ],
  Combatant: [
    ["id", null], ["name", null], ["side", null], ["stats", {"of": null}, {}], ["traits", null, []],
    ["pools", {"of": null}, {}], ["conditions", {"of": {"of": null}}, {}], ["place", null, ""],
  ],
  Item: [
    ["id", null], ["name", null], ["kind", null], ["owner", null, ""], ["where", null, ""], ["stats", {"of": null}, {}],
    ["traits", null, []], ["counters", {"of": null}, {}], ["die", null, 0], ["base", null, 0],
  ],
  Relation: [["id", null], ["kind", null], ["members", ["Member"]]],
  Place: [["id", null], ["traits", null, []], ["exits", null, []]],
  Pending: [
    ["id", null], ["actor", null], ["kind", null], ["params", "raw"], ["manner", null], ["tags", null, []],
    ["targets", null, []], ["confided", null, false],
  ],
  Question: [["id", null], ["of", null], ["about", null], ["options", ["Option"]]],
  Awaited: [["roll", null], ["by", null], ["purpose", null], ["dice", ["Dice"]]],
  Window: [["id", null], ["to", null], ["what", null]],
};

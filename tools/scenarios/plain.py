"""The outcome lines of events that need no context."""

from affray import events as facts
from affray.events import Event

PLAIN: dict[type[Event], str] = {
    # the course of the fight
    facts.RoundBegan: "round {0.round}",
    facts.FightReopened: "the fight goes on",
    facts.MemberDone: "{0.who} done",
    facts.TurnEnded: "turn {0.slot} ends",
    # combatants
    facts.Joined: "{0.who} joins {0.side}",
    facts.Left: "{0.who} leaves",
    facts.SideChanged: "{0.who} side {0.before} > {0.after}",
    facts.StatChanged: "{0.who} sheet {0.stat} {0.before} > {0.after}",
    facts.PoolChanged: "{0.who} {0.pool} {0.before} > {0.after}",
    facts.Concealed: "{0.who} concealed: {0.concealed}",
    # things and places
    facts.ItemAdded: "{0.item} added",
    facts.ItemRemoved: "{0.item} removed",
    facts.ItemCounted: "{0.item} {0.counter} {0.before} > {0.after}",
    facts.DieStepped: "{0.item} d{0.before} > d{0.after}",
    facts.ViewSet: "{0.viewer} sees {0.target} {0.before} > {0.after}",
    # the record
    facts.Withdrawn: "{0.what} taken back",
    facts.DiceSourceSet: "dice of {0.owner}{0.side}: {0.source}",
    facts.DiceRenewed: "fresh dice",
    facts.Rewound: "taken back: {0.commands}",
    facts.UndoRequested: "undo asked for: {0.commands}",
    facts.UndoDeclined: "undo declined: {0.request}",
    facts.PlayerUndoSet: "players' undo: {0.rule}",
    facts.Restored: "brought back",
    facts.Amended: "amended: {0.position}",
    facts.Previewed: "previewed: {0.position}",
    facts.EntropyAdded: "stirred in: {0.words}",
    facts.RulesetAdopted: "rules of version {0.version}",
    facts.Closed: "closed",
    facts.Forked: "forked from {0.parent}",
}
"""The templates of lines that only repeat an event's fields."""

FIRST_WORDS = {text.partition(" ")[0] for text in PLAIN.values() if not text.startswith("{")} | frozenset(
    ("asks", "awaits", "clock", "distance", "fight", "mark", "note:", "order", "place", "stack", "turn", "window")
)
"""The words that a line may begin with, besides names and the kinds of relations."""

FREE = frozenset({"note:", "fight"})
"""The first words of lines with free text."""

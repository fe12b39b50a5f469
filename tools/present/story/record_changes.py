"""Sentences about the record of a fight and the source of its dice; they join the table of ``sentences``."""

from affray import events as facts
from affray.engine.texts import id_said, quote

from .words import Names, Sentences, describe_shown_dice, name_of, possessive, side_said

RECORD_CHANGES = Sentences()
"""The functions that tell an event about the record, by event type."""

RECORD_CHANGES.tell(
    facts.FormatRaised, lambda event, names: f"From here on the log is written in format {event.format}"
)
RECORD_CHANGES.tell(
    facts.RulesetAdopted,
    lambda event, names: f"From here on the fight goes by version {id_said(event.version)} of its rules",
)
RECORD_CHANGES.tell(facts.EntropyAdded, lambda event, names: f"stirred into the dice: {quote(event.words)}")
RECORD_CHANGES.tell(facts.DiceRenewed, lambda event, names: "from here on the dice are fresh ones")


@RECORD_CHANGES.tells(facts.Rewound)
def _(event: facts.Rewound, names: Names) -> str:
    granted = ", as the game master allows" if event.request else ""
    return f"{_many(event.commands)} taken back{_fresh(event)}, to position {event.to}{granted}{_because(event.reason)}"


@RECORD_CHANGES.tells(facts.UndoRequested)
def _(event: facts.UndoRequested, names: Names) -> str:
    asked = f"undo asked for: {_many(event.commands)}, to position {event.to}"
    return f"{asked}; the game master decides{_because(event.reason)}"


@RECORD_CHANGES.tells(facts.UndoDeclined)
def _(event: facts.UndoDeclined, names: Names) -> str:
    return f"the game master declines the undo asked for at position {event.request}{_because(event.reason)}"


@RECORD_CHANGES.tells(facts.PlayerUndoSet)
def _(event: facts.PlayerUndoSet, names: Names) -> str:
    if event.rule == "free":
        return "players take back fallen dice without asking"
    return "players ask the game master before they take back fallen dice"


@RECORD_CHANGES.tells(facts.Restored)
def _(event: facts.Restored, names: Names) -> str:
    if event.commands:
        return (
            f"{_many(event.commands)} taken back, an amendment among them{_fresh(event)}; "
            f"what it replaced counts again, up to position {event.lane}{_because(event.reason)}"
        )
    return f"what was taken back is brought again, up to position {event.lane}{_because(event.reason)}"


@RECORD_CHANGES.tells(facts.Amended)
def _(event: facts.Amended, names: Names) -> str:
    done = "retracted" if event.retracted else "corrected"
    no_more = f"; no longer possible: {', '.join(map(str, event.dropped))}" if event.dropped else ""
    return f"position {event.position} is {done}, and what followed decided again{no_more}{_because(event.reason)}"


@RECORD_CHANGES.tells(facts.Previewed)
def _(event: facts.Previewed, names: Names) -> str:
    return (
        f"an amendment of position {event.position} was looked at, which showed dice nobody had seen: "
        f"{describe_shown_dice(event)}"
    )


@RECORD_CHANGES.tells(facts.Closed)
def _(event: facts.Closed, names: Names) -> str:
    seed = f"; the dice seed was {id_said(event.seed)}" if event.seed else ""
    return f"the record is closed{seed}{_because(event.reason)}"


@RECORD_CHANGES.tells(facts.Forked)
def _(event: facts.Forked, names: Names) -> str:
    what = f"{quote(event.fight)}, a what-if of {quote(event.parent)} from position {event.position}"
    return f"{what}{_because(event.reason)}"


@RECORD_CHANGES.tells(facts.DiceSourceSet)
def _(event: facts.DiceSourceSet, names: Names) -> str:
    one = side_said(event.side) if event.side else name_of(names, event.owner)
    whose = "everybody's" if event.owner == facts.EVERYBODY else possessive(one)
    return f"{whose} dice are {'real ones, entered' if event.source == 'entered' else 'the engine’s'}"


def _many(commands: int) -> str:
    return "one command" if commands == 1 else f"{commands} commands"


def _fresh(event: facts.Rewound | facts.Restored) -> str:
    return " and fresh dice asked for" if event.fresh else ""


def _because(reason: str) -> str:
    return f" – {quote(reason)}" if reason else ""

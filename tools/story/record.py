"""Sentences about the record itself: what was taken back, amended, forked and closed, and whose dice fall."""

from __future__ import annotations

from affray import events as facts

from .words import Names, Sentences, called, owns

RECORD = Sentences()
"""Per type of event the function that tells it."""

RECORD.tell(facts.FormatRaised, lambda event, names: f"From here on the log is written in format {event.format}")
RECORD.tell(
    facts.RulesetAdopted, lambda event, names: f"From here on the fight goes by version {event.version} of its rules"
)
RECORD.tell(
    facts.FightOpened, lambda event, names: f"{event.fight}, a fight by the rules of {event.system} {event.version}"
)
RECORD.tell(facts.EntropyAdded, lambda event, names: f"stirred into the dice: “{event.words}”")
RECORD.tell(facts.DiceRenewed, lambda event, names: "from here on the dice are fresh ones")
RECORD.tell(facts.Noted, lambda event, names: f"note: {event.text}")


@RECORD.tells(facts.Rewound)
def _(event: facts.Rewound, names: Names) -> str:
    return f"{_many(event.commands)} taken back{_fresh(event)}, to position {event.to}{_because(event.reason)}"


@RECORD.tells(facts.Restored)
def _(event: facts.Restored, names: Names) -> str:
    if event.commands:
        many = _many(event.commands)
        return (
            f"{many} taken back, an amendment among them{_fresh(event)}; "
            f"what it replaced counts again, up to position {event.lane}{_because(event.reason)}"
        )
    return f"what was taken back is brought again, up to position {event.lane}{_because(event.reason)}"


@RECORD.tells(facts.Amended)
def _(event: facts.Amended, names: Names) -> str:
    done = "retracted" if event.retracted else "corrected"
    positions = ", ".join(map(str, event.dropped))
    no_more = f"; no longer possible: {positions}" if positions else ""
    because = _because(event.reason)
    return f"position {event.position} is {done}, and what followed decided again{no_more}{because}"


@RECORD.tells(facts.Previewed)
def _(event: facts.Previewed, names: Names) -> str:
    rolls = ", ".join(event.rolls)
    return f"an amendment of position {event.position} was looked at, which showed dice nobody had seen: {rolls}"


@RECORD.tells(facts.Closed)
def _(event: facts.Closed, names: Names) -> str:
    seed = f"; the dice seed was {event.seed}" if event.seed else ""
    return f"the record is closed{seed}{_because(event.reason)}"


@RECORD.tells(facts.Forked)
def _(event: facts.Forked, names: Names) -> str:
    return f"{event.fight}, a what-if of {event.parent} from position {event.position}{_because(event.reason)}"


@RECORD.tells(facts.DiceSourceSet)
def _(event: facts.DiceSourceSet, names: Names) -> str:
    whose = "everybody's" if event.owner == "*" else owns(called(names, event.owner))
    return f"{whose} dice are {'real ones, entered' if event.source == 'entered' else 'the engine’s'}"


def _many(commands: int) -> str:
    return "one command" if commands == 1 else f"{commands} commands"


def _fresh(event: facts.Rewound | facts.Restored) -> str:
    return " and fresh dice asked for" if event.fresh else ""


def _because(reason: str) -> str:
    return f" – {reason}" if reason else ""

"""Alterations that only a checkpoint can catch: scalars that can change in a clean log.

Each kind of scalar belongs to a line of the list in ``docs/verify.md``, here by the words that the line begins with.
"""

from __future__ import annotations

from pathlib import Path

VERIFY = Path(__file__).parents[2] / "docs" / "verify.md"

SENDER = "who sent a command"
CHOICE = "an answer, a declaration or a ruling"
NOTHING_RESTS = "what nothing rests on"
REMARK = "what the record remarks about itself"
LOOK = "a look at dice (`Previewed`), left out or put in"
RETRACTED = "whether an answer, a pass, entered dice or a declaration in a window stands in the place"
OPENING = "in the same fights, with nothing decided again: the names of combatants"
BESIDE = "what an answer, a pass or a declaration says beside its choice"
FORK = "what a fork of a closed fight is called"

LISTED = {
    "Amended.dropped": REMARK,
    "Amended.reason": REMARK,
    "Amended.retracted": RETRACTED,
    "Answered.about": CHOICE,
    "Answered.by": SENDER,
    "Answered.confided": BESIDE,
    "Answered.fields": CHOICE,
    "Answered.reason": BESIDE,
    "Attempted.confided": BESIDE,
    "AskingSet.ask": NOTHING_RESTS,
    "Closed.reason": REMARK,
    "Declared.confided": BESIDE,
    "Declared.manner": CHOICE,
    "Forked.fight": FORK,
    "Forked.parent": FORK,
    "Forked.reason": REMARK,
    "Passed.why": BESIDE,
    "Previewed.dice.count": LOOK,
    "Previewed.dice.item": LOOK,
    "Previewed.dice.kind": LOOK,
    "Previewed.dice.sides": LOOK,
    "Previewed.position": LOOK,
    "Previewed.rolls": LOOK,
    "Recorded.audience": REMARK,
    "Recorded.cause": SENDER,
    "Recorded.known_to": REMARK,
    "Recorded.time": SENDER,
    "Recorded.who": SENDER,
    "Restored.commands": REMARK,
    "Restored.reason": REMARK,
    "Rewound.reason": REMARK,
    "UndoDeclined.reason": REMARK,
    "UndoRequested.reason": REMARK,
    "Ruled.params": NOTHING_RESTS,
    "Ruled.reason": NOTHING_RESTS,
}
"""Kinds of scalars behind the opening, each with the line of the list that says so."""

SELDOM = {
    *("Amended.dropped", "Amended.retracted", "Answered.about", "Answered.by", "Answered.fields"),
    *("Previewed.position", "Ruled.params"),
}
"""Those that can be altered without a trace only at few places, which a sample may miss."""

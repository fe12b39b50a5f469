"""Drawn bytes as the next input of a fight: legal, foolish, or impossible."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
from msgspec import Raw

from affray.engine.analysis.policies import choose_random_action, list_choices_by_kind
from affray.engine.commands import Amend, Intent, Redo, Undo
from affray.engine.fight import Fight
from affray.engine.history.amend import AMENDABLE
from affray.engine.history.timeline import split_by_input
from affray.events import Answered, AskingSet, Declared, DiceEntered, Event, Passed
from tests.engine.choices import Choices
from tests.engine.drawing import who
from tests.engine.ruled import make_ruling

Move = Callable[[Fight, Choices], Intent | None]

EAGER = {"attack": 6, "skill": 3, "end_turn": 3, "ready": 3, "pass": 3, "forfeit": 1, "begin": 1}
"""How likely each kind of action is taken where several are offered; all others count 2."""

REACH = 12
"""An amendment corrects one of so many last inputs."""


def act(fight: Fight, choices: Choices) -> Intent | None:
    """Do something legal: first one of the kinds, then one of that kind."""
    found = list_choices_by_kind(fight)
    dice = Random(choices.below(1 << 16))
    while found:
        kind = choices.by_weight([(EAGER.get(kind, 2), kind) for kind in found])
        intent = choose_random_action(found.pop(kind), kind, dice)
        if intent is not None:
            return intent
    return None


def rule_at_a_moment(fight: Fight, choices: Choices) -> Intent:
    """Rule something."""
    return make_ruling(fight, choices)


def undo(fight: Fight, choices: Choices) -> Intent:
    """Take back one command or a few, or go back to some position, with the same dice or fresh ones."""
    fresh = choices.below(3) == 0
    if choices.below(4):
        return Undo(commands=1 + choices.below(3), fresh=fresh, reason="a bad call")
    return Undo(to=1 + choices.below(fight.head), fresh=fresh, reason="back to that moment")


def redo(fight: Fight, choices: Choices) -> Intent:
    """Redo the latest undo, or the lane that ends at a position."""
    if choices.below(3):
        return Redo(reason="it was right")
    return Redo(lane=1 + choices.below(fight.head), reason="that one")


def amend(fight: Fight, choices: Choices) -> Intent | None:
    """Correct an earlier command to something else that was legal then, or retract it."""
    inputs = [part[0] for part in split_by_input(fight.history.effective()) if isinstance(part[0].event, AMENDABLE)]
    if not inputs:
        return None
    wrong = choices.of(inputs[-REACH:])
    better = act(fight.copy_at(wrong.position - 1), choices) if choices.below(4) else None
    return Amend(position=wrong.position, instead=(better,) if isinstance(better, Event) else (), reason="misheard")


def stand(fight: Fight, choices: Choices) -> Intent:
    """Set or end a standing pass."""
    return AskingSet(who=who(fight.table.draft, choices), ask=choices.of(("never", "targeted", "always")))


def blunder(fight: Fight, choices: Choices) -> Intent:
    """Ask for something that is most likely refused."""
    draft = fight.table.draft
    somebody = who(draft, choices)
    kind = choices.of((*sorted(fight.ruleset.actions), "dance"))
    params = choices.of(
        ({}, {"target": who(draft, choices)}, {"target": somebody, "ep": 99}, {"to": "9,9"}, {"skill": "lunge"})
    )
    question = draft.question.id if draft.question else "0/nobody/1/forfeit"
    roll = draft.awaited.roll if draft.awaited else "0/nobody/1/attack"
    return choices.of(
        (
            Declared(
                actor=choices.of((somebody, "gm", "stranger")),
                kind=kind,
                params=Raw(msgspec.json.encode(params)),
                manner=choices.of((*fight.ruleset.turns.manners, "sideways")),
            ),
            Answered(question=question, by=somebody, choice=choices.of(("yes", "maybe", "strike")), fields={"ep": 77}),
            Passed(window=draft.window.id if draft.window else "0/window", who=somebody),
            DiceEntered(roll=roll, faces=choices.of(((0,), (21,), (3, 4), ()))),
            make_ruling(fight, choices, "reorder" if "reorder" in fight.ruleset.rulings else "relate"),
        )
    )


MOVES: tuple[tuple[int, Move], ...] = (
    (60, act),
    (12, rule_at_a_moment),
    (6, undo),
    (5, redo),
    (4, amend),
    (5, stand),
    (8, blunder),
)
"""How likely each is."""


def move(fight: Fight, drawn: bytes) -> Intent | None:
    """Return what is asked next, or nothing where nothing is left to do."""
    choices = Choices(drawn)
    if fight.history.undone and choices.below(3) == 0:
        return redo(fight, choices)
    return choices.by_weight(MOVES)(fight, choices)

"""Whatever picks among legal actions: somebody who does anything at all, and a sensible fighter."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from affray.events import Answered, DiceEntered, Event, Field, Option, Scalar

from .fight import Fight
from .legal import Answer, Declaration, Faces, Legal, Pass, legal

Policy = Callable[[Fight, Random], Event | None]
"""Returns what it does next, or nothing if nothing is left to do."""


def anything(fight: Fight, dice: Random) -> Event | None:
    """Do anything that is legal."""
    choices = list(legal(fight.ruleset, fight.table))
    return _made(dice.choice(choices), dice) if choices else None


def sensible(fight: Fight, dice: Random) -> Event | None:
    """Do what looks best to the ruleset; between equally good things, any."""
    choices = list(legal(fight.ruleset, fight.table))
    if not choices:
        return None
    worth = [(_worth(fight, choice), dice.random(), choice) for choice in choices]
    return _made(max(worth, key=lambda one: one[:2])[2], dice, sensibly=True)


def _worth(fight: Fight, choice: Legal) -> float:
    if not isinstance(choice, Declaration):
        return 20.0
    intent = choice.intent
    action = fight.ruleset.action(intent.kind, intent.params)
    return fight.ruleset.appraise(fight.table, intent.actor, action, intent.manner)


def _made(choice: Legal, dice: Random, *, sensibly: bool = False) -> Event:
    if isinstance(choice, Declaration | Pass):
        return choice.intent
    if isinstance(choice, Faces):
        faces = tuple(dice.randint(1, one.sides) for one in choice.dice for _ in range(one.count))
        return DiceEntered(roll=choice.roll, faces=faces)
    return _answered(choice, dice, sensibly)


def _answered(choice: Answer, dice: Random, sensibly: bool) -> Answered:
    """Answer a question; a sensible fighter takes the first option, which a ruleset lists as the usual one."""
    option: Option = choice.options[0] if sensibly else dice.choice(choice.options)
    fields: dict[str, Scalar] = {
        field.name: _filled(field, dice)
        for field in option.fields
        if not (field.optional and (sensibly or dice.random() < 0.5))
    }
    return Answered(question=choice.question, by=dice.choice(choice.of), choice=option.choice, fields=fields)


def _filled(field: Field, dice: Random) -> Scalar:
    if field.kind == "int":
        return dice.randint(field.low, field.high)
    return dice.choice(field.among) if field.kind == "id" else "so it happens"

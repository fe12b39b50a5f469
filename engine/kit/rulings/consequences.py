"""Consequences of a test that the game master calls for: harm or a condition."""

from collections.abc import Callable
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from affray.engine.core.changes import set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.endings import RULING, ending, lasts_through
from affray.engine.core.loading import load
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Clause, Id, Modifier, Moment, Text

from .dice import read_dice, throw_harm
from .values import UNSAID

Rounds = Annotated[int, Meta(ge=0, le=99)]
"""The number of rounds that a condition lasts, counting the present one; 0 for a condition without an end."""

Until = Moment | Literal[""]
"""The moment when a condition ends; empty for a condition without an end."""

MostHarm = Annotated[int, Meta(ge=0, le=999)]
"""The amount of harm that follows; 0 for none."""

HarmDice = Annotated[Text, Meta(max_length=20)]
"""The dice of harm that follows, such as ``2d6+1``; empty for none."""


class Consequence(NamedTuple):
    """A consequence that the game master states.

    Attributes:
        harm: The amount of harm.
        dice: Alternatively the dice of harm, such as ``2d6+1``.
        cause: The cause of the harm, such as fire.
        condition: A condition that follows.
        rounds: The number of rounds that it lasts.
        until: Alternatively the moment when it ends.
    """

    harm: int
    dice: str
    cause: str
    condition: str
    rounds: int
    until: Until


def consequence_of(told: Struct) -> Consequence:
    """Return the consequence in the fields of a ruling or its action."""
    return Consequence(*(getattr(told, name) for name in Consequence._fields))


def check_consequence(what: Consequence) -> None:
    """Refuse a contradictory or incomplete consequence.

    That is both fixed harm and dice, both rounds and a moment, malformed dice, a cause without harm, or an end without
    a condition.

    Raises:
        Unusable: names the field and a value that would work.
    """
    if what.dice:
        read_dice(what.dice)
        if what.harm:
            raise Unusable("say either how much harm, or its dice", "dice")
    if what.cause != UNSAID and not (what.harm or what.dice):
        raise Unusable("say how much harm it does, such as dice=2d6", "cause")
    if what.rounds and not what.condition:
        raise Unusable("say which condition lasts so many rounds", "condition")
    if what.until and not what.condition:
        raise Unusable("say which condition ends then", "condition")
    if what.rounds and what.until:
        raise Unusable("say either rounds or until", "until")


def apply_consequence(
    table: Table, who: Id, what: Consequence, hurt: Callable[[Table, Id, Modifier], Rule[None]], rule: Clause
) -> Rule[None]:
    """Apply harm and a condition after a test, then apply the rules to the combatant.

    Args:
        who: The combatant that was tested.
        hurt: Applies harm by the rules of the system.
        rule: The clause by which the test was made.
    """
    harm = what.harm
    if what.dice:  # viewers cannot read those of a concealed combatant
        harm = yield from throw_harm(what.dice, "harm", lambda: "gm" if table.is_known(who) else who, rule)
    if harm and who in table.draft.combatants:
        yield from hurt(table, who, Modifier(value=harm, label=what.cause, source="gm", rule=rule))
    if not what.condition or who not in table.draft.combatants:
        return
    yield from _give_condition(table, who, what, rule)
    yield from load(table.draft.system).corrections.correct(table, who)


def _give_condition(table: Table, who: Id, what: Consequence, rule: Clause) -> Rule[None]:
    """Give the condition. If an earlier ruling gave it, the later end applies."""
    condition, one = what.condition, table[who]
    if not (what.rounds or what.until):
        if not one.has(condition):
            yield set_condition(table, who, condition, 1, rule)
        return
    ends = ending(table, who, what.until or "end of round", what.rounds or 1)
    held = one.ending(condition, RULING)
    if held == ends or (what.rounds and lasts_through(held, ends.round)):
        return
    count = one.conditions.get(condition, {}).get(RULING, 1)
    yield load(table.draft.system).corrections.set_condition_until(table, who, condition, count, RULING, ends)

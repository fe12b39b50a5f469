"""Defaults of a rule system, used where it declares none of its own."""

from collections.abc import Iterable
from typing import NamedTuple

from affray.engine.errors import Refused
from affray.events import Clause, ConditionChanged, Ending, Event, Field, Id, OptionName, Scalar

from .actions import Action
from .changes import condition_set
from .effects import Rule
from .prospect import NOTHING_KNOWN, NOTHING_TO_SEE, Glance, Prospect
from .state import Question
from .table import Table


def no_such_action(kind: str) -> Refused:
    """Refuse what is on no list of actions."""
    return Refused("unknown_action", "", f"there is no action {kind}", kind)


def on_top(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Put what is declared on top of the stack."""
    return len(table.draft.stack), ()


def nothing_follows(_: Table) -> Rule[str]:
    """Let the fight go on where it stands."""
    yield from ()
    return ""


def nothing_to_correct(_: Table, __: Id) -> Rule[None]:
    """Leave a combatant that the game master changed as it is."""
    yield from ()


def whoever_acts(table: Table) -> Iterable[tuple[Id, str]]:
    """Return the combatants that have the turn; before the first round the game master."""
    return [(who, "standard") for who in (table.draft.acting if table.draft.round else ("gm",))]


def all_alike(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Like every declaration as well as any other."""
    return 0.0


def as_ever(table: Table, who: Id) -> float:
    """Let combatants stay as fit as they are: nothing but wounds wears them out."""
    return 1.0


def nothing_known(table: Table, actor: Id, action: Action, manner: str) -> Prospect:
    """Say nothing beforehand of what a declaration promises."""
    return NOTHING_KNOWN


def nothing_to_see(table: Table, who: Id) -> Glance:
    """Let counters and relations tell everything of a combatant."""
    return NOTHING_TO_SEE


def ways_between(table: Table, here: Id, there: Id) -> int | None:
    """Return the number of ways between two places, in either direction; nothing without a path."""
    places, far, queue = table.draft.places, {here: 0}, [here]
    for place in queue:  # it grows meanwhile, the nearest first
        beside = {*places[place].exits, *(name for name, one in places.items() if place in one.exits)}
        for one in beside & places.keys() - far.keys():
            far[one] = far[place] + 1
            queue.append(one)
    return far.get(there)


class Reply(NamedTuple):
    """An answer to a question: the option, and the values of its fields."""

    choice: OptionName
    fields: dict[str, Scalar] = {}


def the_usual_answer(table: Table, question: Question) -> Reply:
    """Take the first option, which a ruleset lists as the usual one, and the first value of each field it must have.

    That is the least energy, the shortest distance, a clear view.
    """
    option = question.options[0]
    return Reply(option.choice, {field.name: first_value(field) for field in option.fields})


def first_value(field: Field) -> Scalar:
    """Return the lowest number a field may have, the first of what it may name, or some words."""
    return field.low if field.kind == "int" else (*field.among, "so it happens")[0]


def no_foes(_: Table) -> frozenset[tuple[Id, Id]]:
    """Return no pair of enemies that would let a fight go on that is over."""
    return frozenset()


def never(_: Table, __: Event) -> bool:
    """Take every event of the system's own for one that matters."""
    return False


def condition_until(
    table: Table, who: Id, condition: str, count: int, source: Id, ends: Ending | None
) -> ConditionChanged:
    """Give a condition with an end, or end it."""
    return condition_set(table, who, condition, count, source=source, ends=ends)


def nobody(_: Table, __: Id) -> bool:
    """Let no combatant set its turn aside."""
    return False


def nothing_to_tidy(_: Table) -> Rule[None]:
    """Change nothing: no ruling of the system has consequences to tidy up."""
    yield from ()

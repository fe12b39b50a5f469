"""The defaults of a rule system."""

from collections.abc import Iterable
from typing import NamedTuple

from affray.engine.errors import Refused
from affray.events import Clause, ConditionChanged, Ending, Event, Field, Id, OptionName, Scalar

from .actions import Action
from .changes import set_condition
from .effects import Rule
from .preview import NOTHING_KNOWN, NOTHING_TO_SEE, Glance, Prospect
from .state import Question
from .table import Table


def no_such_action(kind: str) -> Refused:
    """Return the refusal of an action that is not in the system."""
    return Refused("unknown_action", "", f"there is no action {kind}", kind)


def put_on_top(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Put a declared action on top of the stack."""
    return len(table.draft.stack), ()


def follow_with_nothing(_: Table) -> Rule[str]:
    """Fire no trigger: the fight goes on where it stands."""
    yield from ()
    return ""


def correct_nothing(_: Table, __: Id) -> Rule[None]:
    """Yield nothing: a combatant that the game master changed needs no correction."""
    yield from ()


def list_acting(table: Table) -> Iterable[tuple[Id, str]]:
    """List the combatants that have the turn; before round 1 the game master."""
    return [(who, "standard") for who in (table.draft.acting if table.draft.round else ("gm",))]


def rate_all_alike(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Rate every declaration alike."""
    return 0.0


def full_fitness(table: Table, who: Id) -> float:
    """Return full fitness: only wounds wear combatants out."""
    return 1.0


def preview_nothing(table: Table, actor: Id, action: Action, manner: str) -> Prospect:
    """Preview nothing of a declaration."""
    return NOTHING_KNOWN


def empty_glance(table: Table, who: Id) -> Glance:
    """Return an empty glance: counters and relations show everything."""
    return NOTHING_TO_SEE


def count_ways_between(table: Table, here: Id, there: Id) -> int | None:
    """Count the ways between two zones, in either direction; ``None`` without a path."""
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


def choose_default_answer(table: Table, question: Question) -> Reply:
    """Choose the first option, and the first value of each of its fields.

    A ruleset lists its usual option first. First values are the least energy, the shortest distance, a clear view.
    """
    option = question.options[0]
    return Reply(option.choice, {field.name: first_value(field) for field in option.fields})


def first_value(field: Field) -> Scalar:
    """Return a field's lowest number, the first of its ids, or a fixed text."""
    return field.low if field.kind == "int" else (*field.among, "so it happens")[0]


def list_no_foes(_: Table) -> frozenset[tuple[Id, Id]]:
    """Return no pair of enemies, so that no ruling reopens an ended fight."""
    return frozenset()


def is_never_passing(_: Table, __: Event) -> bool:
    """Count none of the system's own events as passing time only."""
    return False


def condition_until(
    table: Table, who: Id, condition: str, count: int, source: Id, ends: Ending | None
) -> ConditionChanged:
    """Build the event that gives a condition with an end, or ends it."""
    return set_condition(table, who, condition, count, source=source, ends=ends)


def keeps_no_turn(_: Table, __: Id) -> bool:
    """Tell that no combatant sets its turn aside."""
    return False


def tidy_nothing(_: Table) -> Rule[None]:
    """Yield nothing: rulings of the system leave nothing to tidy up."""
    yield from ()

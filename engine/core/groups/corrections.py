"""The rules about what the game master changes, and what it makes untrue."""

from collections.abc import Callable

from msgspec import Struct

from affray.engine.core.changes import set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import ConditionChanged, Ending, Id

from .turns import follow_with_nothing


def correct_nothing(_: Table, __: Id) -> Rule[None]:
    """Yield nothing: a combatant that the game master changed needs no correction."""
    yield from ()


def tidy_nothing(_: Table) -> Rule[None]:
    """Yield nothing: rulings of the system leave nothing to tidy up."""
    yield from ()


def list_no_foes(_: Table) -> frozenset[tuple[Id, Id]]:
    """Return no pair of enemies, so that no ruling reopens an ended fight."""
    return frozenset()


def condition_until(
    table: Table, who: Id, condition: str, count: int, source: Id, ends: Ending | None
) -> ConditionChanged:
    """Build the event that gives a condition with an end, or ends it."""
    return set_condition(table, who, condition, count, source=source, ends=ends)


class CorrectionRules(Struct, frozen=True, kw_only=True):
    """The rules about what the game master changes.

    Attributes:
        correct: The rule for a combatant after the game master changed its pools, conditions or sheet.
        tidy: The rule that runs after a ruling, to correct what became inconsistent: melees, mounts, groups, turns.
        list_foes: Returns every pair of enemies that can still fight, among combatants that every viewer may know of. A
            ruling after the end that adds a pair reopens the fight.
        reopen: The rule that reopens it; returns the trigger by which the fight continues.
        relations: The kinds of relations that a game master may set by name; those with roles or consequences have
            separate rulings.
        set_condition_until: Builds the event that changes a combatant's condition with an end, from its count and the
            source that determines the end.
    """

    correct: Callable[[Table, Id], Rule[None]] = correct_nothing
    tidy: Callable[[Table], Rule[None]] = tidy_nothing
    list_foes: Callable[[Table], frozenset[tuple[Id, Id]]] = list_no_foes
    reopen: Callable[[Table], Rule[str]] = follow_with_nothing
    relations: tuple[str, ...] = ("allies",)
    set_condition_until: Callable[[Table, Id, str, int, Id, Ending | None], ConditionChanged] = condition_until

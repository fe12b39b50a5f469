"""What follows from a test that the game master calls for: harm, a condition, or nothing."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from affray.engine.core.changes import condition_set
from affray.engine.core.effects import Rule
from affray.engine.core.endings import RULING, ending, lasts_through
from affray.engine.core.ruleset import load
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Clause, Id

Rounds = Annotated[int, Meta(ge=0, le=99)]
"""For how many rounds a condition lasts, the present one included; 0: until something ends it."""

MostHarm = Annotated[int, Meta(ge=0, le=999)]
"""How much harm follows; 0 is none."""


def check_consequence(condition: str, rounds: int) -> None:
    """Refuse an end of no condition.

    Raises:
        Unusable: no condition is named that could end.
    """
    if rounds and not condition:
        raise Unusable("say which condition lasts so many rounds", "condition")


def apply_consequence(
    table: Table,
    who: Id,
    harm: int,
    condition: str,
    rounds: int,
    hurt: Callable[[Table, Id, int], Rule[None]],
    rule: Clause,
) -> Rule[None]:
    """Let harm and a condition follow from a test; the rules then look at the combatant as after a ruling.

    Args:
        who: The combatant that was tested.
        hurt: Does harm by the rules of the system.
        rule: The clause by which the test was made.
    """
    if harm:
        yield from hurt(table, who, harm)
    if not condition or who not in table.draft.combatants:
        return
    ruleset = load(table.draft.system)
    if rounds:
        ends = ending(table, who, "end of round", rounds)
        if not lasts_through(table[who].ending(condition, RULING), ends.round):
            count = table[who].conditions.get(condition, {}).get(RULING, 1)
            yield ruleset.set_condition_until(table, who, condition, count, RULING, ends)
    elif not table[who].has(condition):
        yield condition_set(table, who, condition, 1, rule)
    yield from ruleset.corrected(table, who)

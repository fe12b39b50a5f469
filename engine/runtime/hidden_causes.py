"""Which concealed combatants a refusal is due to."""

from collections.abc import Callable, Sequence

from affray.engine.core.actions import Action
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.open_parts import rests_on_concealed
from affray.engine.core.table import Table
from affray.engine.errors import STUMBLES, Missing, Refused, Unusable
from affray.events import Id, Left, RelationSet

ATTEMPT = "attempt"
"""What everybody reads where an action fails because of concealed combatants alone: no reason but this."""

Check = Callable[[Table], object]
"""Raises ``Refused`` or ``Unusable`` where the rules forbid something on a table."""


def hidden_causes(table: Table, check: Check, actor: Id) -> tuple[Id, ...]:
    """Return the concealed combatants that make a check fail, one by one or all together.

    Args:
        check: Fails on the table.
        actor: The combatant whose action is checked; never a cause.

    Returns:
        Nothing where the check fails without any concealed combatant, too.
    """
    concealed = [who for who in table.draft.concealed if who in table.draft.combatants and who != actor]
    alone = tuple(who for who in concealed if _passes(table, check, [who]))
    return alone or (tuple(concealed) if len(concealed) > 1 and _passes(table, check, concealed) else ())


def prevented_by(table: Table, action: Action, actor: Id, *, begun: bool) -> tuple[Id, ...]:
    """Return the concealed combatants that make a pending action impossible.

    Args:
        begun: Whether it has begun to resolve.

    Returns:
        Nothing also where its rule refused for a reason of its own.
    """

    def check(table: Table) -> None:
        if begun:
            action.check_ground(table, actor)
        else:
            action.check(table, actor, "pending")

    try:
        check(table)
    except (Refused, Missing):
        return hidden_causes(table, check, actor)
    return ()


def table_without(table: Table, absent: Sequence[Id]) -> Table:
    """Return a copy of a table on which some combatants are not there."""
    draft = Draft(table.draft.freeze())
    for who in absent:
        evolve(draft, Left(who=who))
    for one in tuple(draft.relations.values()):
        left = tuple(member for member in one.members if member.who not in absent)
        if left != one.members:
            ends = rests_on_concealed(one, absent, table.draft)
            evolve(draft, RelationSet(relation=one.id, kind=one.kind, members=() if ends else left))
    return Table(draft, table.config)


def _passes(table: Table, check: Check, absent: Sequence[Id]) -> bool:
    """Tell whether a check passes where some combatants are not there."""
    try:
        check(table_without(table, absent))
    except (Refused, Unusable, *STUMBLES):  # the rules may need whoever is absent
        return False
    return True

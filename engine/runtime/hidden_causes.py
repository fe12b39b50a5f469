"""Which concealed combatants a refusal is due to."""

from collections.abc import Callable, Collection

from affray.engine.core.actions import Action
from affray.engine.core.draft import Draft
from affray.engine.core.table import Table
from affray.engine.errors import STUMBLES, Missing, Refused, Unusable
from affray.engine.visibility import leave_out
from affray.events import Id

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


def _passes(table: Table, check: Check, absent: Collection[Id]) -> bool:
    """Tell whether a check passes where some combatants are not there."""
    try:
        check(Table(Draft(leave_out(table.draft.freeze(), absent)), table.config))
    except (Refused, Unusable, *STUMBLES):  # the rules may need whoever is absent
        return False
    return True

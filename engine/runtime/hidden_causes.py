"""The concealed combatants that cause a refusal."""

from collections.abc import Callable, Collection

from affray.engine.core.actions import Action
from affray.engine.core.draft import Draft
from affray.engine.core.table import Table
from affray.engine.errors import RULE_ERRORS, NotInFight, Refused, Unusable
from affray.engine.visibility import leave_out
from affray.events import Id

ATTEMPT = "attempt"
"""The only reason that viewers read if concealed combatants make an action fail."""

Check = Callable[[Table], object]
"""A check that raises ``Refused`` or ``Unusable`` where a table's rules forbid the action."""


def find_hidden_causes(table: Table, check: Check, actor: Id) -> tuple[Id, ...]:
    """Return the concealed combatants that make a check fail, each alone or together.

    Args:
        check: Fails on the table.
        actor: The combatant whose action is checked; never a cause.

    Returns:
        The combatants; none if the check fails even without concealed combatants.
    """
    concealed = [who for who in table.draft.concealed if who in table.draft.combatants and who != actor]
    alone = tuple(who for who in concealed if _passes(table, check, [who]))
    return alone or (tuple(concealed) if len(concealed) > 1 and _passes(table, check, concealed) else ())


def find_preventers(table: Table, action: Action, actor: Id, *, begun: bool) -> tuple[Id, ...]:
    """Return the concealed combatants that make a pending action impossible.

    Args:
        begun: Whether it has begun to resolve.

    Returns:
        The combatants; none if the rule refused for another reason.
    """

    def check(table: Table) -> None:
        if begun:
            action.check_ground(table, actor)
        else:
            action.check(table, actor, "pending")

    try:
        check(table)
    except (Refused, NotInFight):
        return find_hidden_causes(table, check, actor)
    return ()


def _passes(table: Table, check: Check, absent: Collection[Id]) -> bool:
    """Tell whether a check passes without some combatants."""
    try:
        check(Table(Draft(leave_out(table.draft.freeze(), absent)), table.config))
    except (Refused, Unusable, *RULE_ERRORS):  # the rules may need an absent combatant
        return False
    return True

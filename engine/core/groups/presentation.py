"""Facts that a system computes for people. No rule depends on them."""

from collections.abc import Callable

from msgspec import Struct

from affray.engine.core.actions import Action
from affray.engine.core.preview import NOTHING_KNOWN, NOTHING_TO_SEE, Glance, Prospect
from affray.engine.core.table import Table
from affray.events import Id


def preview_nothing(table: Table, actor: Id, action: Action, manner: str) -> Prospect:
    """Preview nothing of a declaration."""
    return NOTHING_KNOWN


def empty_glance(table: Table, who: Id) -> Glance:
    """Return an empty glance: counters and relations show everything."""
    return NOTHING_TO_SEE


def reach_nobody(table: Table, helper: Id, whom: Id) -> int | None:
    """Let no combatant help another."""
    return None


class Presentation(Struct, frozen=True, kw_only=True):
    """The facts that a system computes for people.

    Attributes:
        preview: Previews a legal declaration, as people are shown it: chance, harm, way, strikes that it provokes. It
            reads the table alone, so that it tells nothing that is not in it.
        glance: Returns computed facts about a combatant for the game master.
        moves_to_help: Returns the number of moves, 0 or 1, that a combatant needs to get to another and help; ``None``
            if it cannot. It is asked about those in danger, and reads the table alone.
    """

    preview: Callable[[Table, Id, Action, str], Prospect] = preview_nothing
    glance: Callable[[Table, Id], Glance] = empty_glance
    moves_to_help: Callable[[Table, Id, Id], int | None] = reach_nobody

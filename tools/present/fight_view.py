"""A read-only view of a fight, sufficient to parse words, list offers and make sentences."""

from contextlib import suppress

from msgspec import Struct

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.runtime.offers import list_movers
from affray.engine.runtime.validation import check_open
from affray.events import Senseless

WAITING = "waiting for the game master"
"""The only message to a viewer while the fight waits for a fact that is hidden from them."""


class Glimpse(Struct, frozen=True):
    """A moment of a fight as a viewer sees it.

    Attributes:
        waits_unseen: Whether the fight waits for a fact hidden from the viewer.
        halted: Whether no combatant that the viewer sees may declare an action meanwhile.
    """

    ruleset: Ruleset
    table: Table
    history: History
    waits_unseen: bool = False
    halted: bool = False

    @property
    def head(self) -> int:
        """The position up to which it is seen."""
        return self.history.head


def glimpse(ruleset: Ruleset, whole: Table, seen: Table, history: History) -> Glimpse:
    """Return a moment of a fight as a viewer sees it.

    Args:
        whole: The moment with nothing hidden.
        seen: The moment as redacted for the viewer.
    """
    was, now = whole.draft, seen.draft
    if history.closed:
        return Glimpse(ruleset, seen, history)
    for wanted, id in (("question", "id"), ("awaited", "roll"), ("window", "id")):
        if (first := getattr(was, wanted)) is not None:  # the viewer may see an older question beneath it
            hidden = getattr(getattr(now, wanted), id, "") != getattr(first, id)
            return Glimpse(ruleset, seen, history, hidden, hidden)
    people = set[str]()
    if not was.ended:
        with suppress(Senseless):
            people = {who for who, _ in list_movers(ruleset, whole)}
    unseen = people & (was.combatants.keys() - now.combatants.keys())
    halted = bool(unseen) and unseen == people
    return Glimpse(ruleset, seen, history, halted or bool(was.acting and not now.acting and not was.ended), halted)


def is_waiting_unseen(fight: Fight) -> bool:
    """Tell whether a fight waits for a fact that is hidden from its viewer."""
    return isinstance(fight, Glimpse) and fight.waits_unseen


def must_not_be_halted(fight: Fight) -> None:
    """Refuse declarations while the fight waits for a hidden answer.

    Raises:
        Refused: it does.
    """
    if isinstance(fight, Glimpse) and fight.halted:
        raise Refused("waiting", "", WAITING)


def must_go_on(fight: Fight) -> None:
    """Refuse declarations in a closed record, or while a hidden answer is awaited.

    Raises:
        Refused: The record is closed, or the fight is halted for this viewer.
    """
    check_open(fight.history.closed)
    must_not_be_halted(fight)

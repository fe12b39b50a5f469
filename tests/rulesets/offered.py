"""What an action offers, before it is looked at what is legal."""

from __future__ import annotations

from affray.engine.core.actions import Action
from affray.engine.fight import Fight
from affray.engine.runtime.offer_tree import Branch, No, Offers


class Unchecked(Branch):
    """An action of which every combination of the values that the rules list is a leaf."""

    __slots__ = ()

    def _partial_refusal(self) -> No | None:
        return None


def list_offered_actions(fight: Fight, kind: type[Action], who: str, manner: str = "standard") -> list[Action]:
    """Return every way in which somebody might declare an action, legal or not."""
    return list(Unchecked(Offers(fight.ruleset, fight.table, who, manner), kind).leaves())

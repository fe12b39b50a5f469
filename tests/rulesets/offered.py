"""Candidates of an action, before the legality check."""

from __future__ import annotations

from affray.engine.core.actions import Action
from affray.engine.fight import Fight
from affray.engine.runtime.offer_tree import Branch, No, Offers


class Unchecked(Branch):
    """An action with a leaf for every combination of listed values."""

    __slots__ = ()

    def _partial_refusal(self) -> No | None:
        return None


def list_offered_actions(fight: Fight, kind: type[Action], who: str, manner: str = "standard") -> list[Action]:
    """List every candidate declaration of a combatant, legal or not."""
    return list(Unchecked(Offers(fight.ruleset, fight.table, who, manner), kind).leaves())

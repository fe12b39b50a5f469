"""Pebbles: children throw pebbles at each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from affray.rules import (
    EVERYWHERE, CombatantEntry, CorrectionRules, EncounterFile, EncounterRules, Event, Id, Joined, Ruleset, TurnRules,
    by_kind, decode_encounter, name_combatants,
)  # fmt: skip

from .flow import FLOW
from .rules import Begin, EndTurn, Throw, aftermath, correct_child, upcoming


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of an encounter's ``[config]``, each with a default.

    Attributes:
        sides: The number of sides of a die (PEB-7).
    """

    sides: Annotated[int, Meta(ge=2, le=100)] = 6


class Child(CombatantEntry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[combatant]]`` of an encounter file, with bounds on each number."""

    pebbles: Annotated[int, Meta(ge=1, le=99)] = 3


class Encounter(EncounterFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter file of Pebbles."""

    combatant: Annotated[tuple[Child, ...], Meta(min_length=1)]


def build_encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight.

    Raises:
        Unusable: a field is wrong; says which.
    """
    taken: set[Id] = set()
    return [
        Joined(who=who, name=name, side=child.side, stats={"pebbles": child.pebbles}, pools={"pebbles": child.pebbles})
        for index, child in enumerate(decode_encounter(content, Encounter).combatant)
        for who, name in name_combatants(child.name, child.count, f"combatant[{index}]", taken)
    ]


RULESET = Ruleset(
    name="pebbles",
    title="Pebbles",
    package=__name__,
    flow=FLOW,
    config=Config,
    actions=by_kind(Begin, EndTurn, Throw),
    rulings=by_kind(*EVERYWHERE),
    encounters=EncounterRules(build_encounter),
    turns=TurnRules(procedures={"upcoming": upcoming}, aftermath=aftermath),
    corrections=CorrectionRules(correct=correct_child),
)

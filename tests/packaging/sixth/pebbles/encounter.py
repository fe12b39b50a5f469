"""From an encounter file to the events that set up the fight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from affray.engine.core.ids import named
from affray.engine.kit.encounters import told
from affray.events import Event, Id, Joined

from .config import Config


class Child(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ``[[combatant]]`` of an encounter file."""

    name: str
    side: str
    count: Annotated[int, Meta(ge=1, le=50)] = 1
    pebbles: Annotated[int, Meta(ge=1, le=99)] = 3


class Encounter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An encounter file of Pebbles."""

    system: str
    combatant: Annotated[tuple[Child, ...], Meta(min_length=1)]
    name: str = ""
    config: dict[str, Any] = {}


def encounter(content: Mapping[str, Any], config: Config) -> list[Event]:
    """Return the events that set up a fight; an ``Unusable`` says what is wrong in which field."""
    events: list[Event] = []
    taken: set[Id] = set()
    for index, child in enumerate(told(content, Encounter).combatant):
        for who, name in named(child.name, child.count, f"combatant[{index}]", taken):
            taken.add(who)
            pools = {"pebbles": child.pebbles}
            events.append(Joined(who=who, name=name, side=child.side, stats=pools, pools=pools))
    return events

"""The preferred declaration of a sensible fighter at a moment of a fight."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from affray.engine import Fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.runtime.offer_tree import Offers
from affray.events import Answered, Declared, Event, Passed


def describe_next_action(fight: Fight) -> str:
    """Return what is done next in words: who, what and its parameters; ``pass`` and who, where a window is let go."""
    return describe_input(choose_sensibly(fight, Random(0)))


def describe_input(intent: Event | None) -> str:
    """Return an input in words."""
    match intent:
        case Declared():
            said: dict[str, Any] = msgspec.json.decode(intent.params)
            manner = "" if intent.manner == "standard" else f"{intent.manner} "
            words = [f"{name}={_value(value)}" for name, value in said.items()]
            return " ".join([intent.actor, f"{manner}{intent.kind}", *words])
        case Passed():
            return f"pass {intent.who}"
        case Answered():
            return f"{intent.by} answers {intent.choice}"
        case _:
            return str(intent)


def _value(value: object) -> str:
    return ";".join(map(str, value)) if isinstance(value, list) else str(value)


def list_wishes(fight: Fight, actor: str, manner: str = "standard") -> list[str]:
    """List the legal declarations of a combatant, best first, as typed words."""
    assert fight.ruleset.fighter.prefer is not None
    way = Offers(fight.ruleset, fight.table, actor, manner)
    found = fight.ruleset.fighter.prefer(fight.table, actor, manner)
    return [describe_input(way.intent(action)) for action in found if way.refusal_of(action) is None]

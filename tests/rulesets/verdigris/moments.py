"""Moments of fights, for what a scenario cannot say: who there is, and what was done, as in a scenario's ``given``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields

from affray.engine.core.actions import Action
from affray.engine.core.state import State
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.events import Id
from affray.tools.scenarios.scenario_file import Scenario
from affray.tools.scenarios.scenario_run import run_scenario
from tests.rulesets.offered import list_offered_actions as everything

HALL_AND_YARD = [{"name": "hall", "exits": ["yard"]}, {"name": "yard"}]
"""Two zones with a way between them."""


def one_of_us(name: str, **told: Any) -> dict[str, Any]:
    """Return a player character."""
    return {"name": name, "side": "party", "pc": True, **told}


def orc(name: str, **told: Any) -> dict[str, Any]:
    """Return an enemy, an orc if nothing else is said."""
    return {"name": name, "side": "enemies", "block": "orc", **told}


def moment(told: dict[str, Any], *given: str) -> Fight:
    """Open a fight and do what is given, each with its dice behind a colon; all of it must be possible."""
    encounter = {"system": "verdigris", **told}
    scenario = Scenario(
        file=Path("moment"), at=0, title="", proves=(), encounter=encounter, given=given, steps=(), state={}
    )
    trial = run_scenario(scenario)
    assert trial.failure is None, trial.failure
    return trial.fight


def describe_declaration(action: Action) -> str:
    """Return a declaration in words, with all that differs from what is usual."""
    words = [action.kind]
    for field in fields(action):
        value = getattr(action, field.name)
        if field.default is NODEFAULT or value != field.default:
            words.append(f"{field.encode_name}={' '.join(value) if isinstance(value, tuple) else value}")
    return " ".join(words)


def list_offer_words(fight: Fight, who: Id, kind: str) -> list[str]:
    """List a combatant's candidates for an action, as words without its name, legal or not."""
    return [
        describe_declaration(one).removeprefix(kind).strip()
        for one in everything(fight, fight.ruleset.actions[kind], who)
    ]


ADA, ORC = one_of_us("Ada"), orc("Orc")


def open_with_orc(*people: dict[str, Any], **file: Any) -> State:
    """Open a fight of these people, and of an orc."""
    return moment({"combatant": [*people, ORC], **file}).state


def unusable(*people: dict[str, Any], **file: Any) -> tuple[str, str]:
    """Return where an encounter of these people, and of an orc, cannot be used, and what is said of it."""
    with pytest.raises(Unusable) as fault:
        open_with_orc(*people, **file)
    return fault.value.field or "", str(fault.value)

"""Fights of Vestige for tests: four people on a board, and what is done in them."""

from __future__ import annotations

from typing import Any

from affray.engine.fight import Fight
from affray.events import DiceEntered, Ruled
from tests.rulesets.statistics import make_declaration, open_unstored_fight, params, submit_intent

FIGHTER: dict[str, Any] = {"agility": 10, "might": 3, "health": 9, "ep": 3, "ep_max": 5}
PEOPLE: dict[str, dict[str, Any]] = {
    "ada": {"name": "Ada", "side": "heroes", "at": "0,0", "weapons": ["sword", "bow"], "skills": ["lunge"]},
    "bo": {"name": "Bo", "side": "foes", "at": "1,0", "weapons": ["axe"], "agility": 12},
    "cy": {"name": "Cy", "side": "heroes", "at": "0,1", "weapons": ["spear"]},
    "di": {"name": "Di", "side": "foes", "at": "4,0", "health": 4, "weapons": ["bow"]},
}


def four(config: dict[str, Any] | None = None, **other: dict[str, Any]) -> Fight:
    """Open a fight of the four, with changed entries for some; those that are ``None`` are absent."""
    people = [{**FIGHTER, **one, **other.get(who, {})} for who, one in PEOPLE.items() if other.get(who, {}) is not None]
    return open_unstored_fight({"system": "vestige", "board": {}, "config": config or {}, "combatant": people})


def rule_in_vestige(fight: Fight, kind: str, **said: Any) -> None:
    """Rule something."""
    submit_intent(fight, Ruled(kind=kind, params=params(**said), reason="so it is"))


def act_in_vestige(fight: Fight, who: str, kind: str, *faces: int, **said: Any) -> None:
    """Let a combatant act, and enter a face for each awaited die."""
    submit_intent(fight, make_declaration(who, kind, **said))
    for face in faces:
        assert fight.state.awaited is not None
        submit_intent(fight, DiceEntered(roll=fight.state.awaited.roll, faces=(face,)))


def begin_vestige_fight(fight: Fight) -> Fight:
    """Begin a fight of the four, who come in order of their names."""
    rule_in_vestige(fight, "dice", owner="*", source="entered")
    act_in_vestige(fight, "gm", "begin", *range(20, 20 - len(fight.state.combatants), -1))
    return fight

"""Moments of a fight, made by what was done before."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from affray.engine import Command, Fight, Refused, begin_fight
from affray.events import Event, Ruled
from affray.tools.parse import intent_parser
from affray.tools.scenarios.scripted import ScriptedDice
from tests.engine.fights import SEED, noon
from tests.rulesets.statistics import make_declaration, params, submit_intent

GROG = {
    "name": "Grog",
    "side": "a",
    "pc": True,
    "power": 8,
    "weapons": ["greatsword", "dirk"],
    "protection": ["maille"],
}
MIRA = {"name": "Mira", "side": "a", "pc": True, "grace": 8, "weapons": ["shortsword", "dagger", "longbow"]}
ORC = {"name": "Orc", "side": "b", "weapons": ["orc_spear"], "protection": ["maille", "helmet"]}
BANDIT = {"name": "Bandit", "side": "b", "weapons": ["musket"]}


def moment(*people: dict[str, Any], ruled: tuple[Ruled, ...] = (), begun: bool = True, **said: Any) -> Fight:
    """Return a fight of these combatants after some rulings, begun or not."""
    told = {"system": "wyrd", "combatant": list(people), **said}
    fight = begin_fight("a moment", told, who="gm", seed=SEED, clock=noon)
    if begun:
        submit_intent(fight, make_declaration("gm", "begin"))
    for one in ruled:
        submit_intent(fight, one)
    return fight


def ruling(kind: str, **said: Any) -> Ruled:
    """Return a ruling."""
    return Ruled(kind=kind, params=params(**said), reason="so it is")


_FILE = (Path(__file__).parent / "scenarios/cast.toml").read_text("utf-8")
CAST: dict[str, dict[str, Any]] = {one["name"].lower(): one for one in tomllib.loads(_FILE)["combatant"]}
"""Those who act in the scenarios."""


class Scene:
    """Some of the cast in a fight, who do what is said in words, with the dice behind `` : ``."""

    def __init__(self, roster: str, *given: str, change: dict[str, dict[str, Any]] | None = None, **said: Any) -> None:
        people = [{**CAST[who], **(change or {}).get(who, {})} for who in roster.split()]
        told = {"system": "wyrd", "combatant": people, **said}
        self.dice = ScriptedDice()
        self.fight = begin_fight("a scene", told, who="gm", seed=None, clock=noon, dice=self.dice)
        for one in given:
            self.does(one)

    def does(self, said: str) -> list[Event]:
        """Do something, and return what came of it."""
        do, _, dice = said.partition(" : ")
        self.dice.script(dice)
        intent = intent_parser.intent(self.fight, do, "")
        done = self.fight.submit(Command(id=str(self.fight.head), who="gm", intent=intent)).recorded
        assert not self.dice.left, self.dice.left
        assert self.dice.missing is None, self.dice.missing
        return [one.event for one in done]

    def refuses(self, said: str) -> Refused:
        """Try something, and return why it is refused."""
        with pytest.raises(Refused) as caught:
            self.does(said)
        return caught.value

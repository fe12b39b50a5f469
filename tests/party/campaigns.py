"""Evenings that are played in the tests: a party, an encounter that it joins, and the fight to its end."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from affray.engine.analysis.policies import choose_sensibly
from affray.engine.commands import Command
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.events import Ruled
from affray.tools.encounters.party.placement import join_party
from affray.tools.parse.intent_parser import intent

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
MOST_COMMANDS = 1_500


def encounter(system: str, name: str) -> dict[str, Any]:
    """Return an encounter of the repository."""
    return tomllib.loads((ENCOUNTERS / system / f"{name}.toml").read_text("utf-8"))


def open_party_fight(encounter: dict[str, Any], party: dict[str, Any], seed: int) -> Fight:
    """Open a fight of an encounter with a party."""
    return begin_fight("evening", join_party(encounter, party).content, who="gm", seed=bytes([seed]) * 32)


def fight_sensibly(fight: Fight, commands: int = MOST_COMMANDS) -> Fight:
    """Let both sides fight sensibly for so many commands; the game master ends what is not over then."""
    dice, nth = Random(1), 0
    while nth < commands and (wanted := choose_sensibly(fight, dice)) is not None:
        nth += 1
        fight.submit(Command(id=f"c{nth}", who="gm", intent=wanted))
    if not fight.state.ended:
        rule_in_campaign(fight, "end")
    return fight


def rule_in_campaign(fight: Fight, words: str) -> None:
    """Let the game master rule something."""
    meant = intent(fight, f"rule {words}")
    assert isinstance(meant, Ruled)
    fight.submit(Command(id=f"r{fight.head}", who="gm", intent=replace(meant, reason="so it is")))

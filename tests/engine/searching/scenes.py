"""Fights with a known best action, and fights in which no die may fall."""

from __future__ import annotations

from typing import Any, NoReturn

from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Fight, begin_fight
from affray.engine.history.timeline import History
from affray.events import Dice, Id, Ruled
from tests.engine.fights import SEED, noon, submit_accepted
from tests.rulesets.statistics import make_declaration


def open_unplayed_fight(encounter: dict[str, Any], seed: bytes = SEED) -> Fight:
    """Return an unplayed fight of an encounter."""
    return begin_fight("searched", encounter, who="gm", seed=seed, clock=noon)


class NoDice:
    """Dice that must not fall: those of a fight, while it is only looked at."""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> NoReturn:
        """Fail."""
        raise AssertionError(f"{roll} was thrown")


def not_to_be_thrown(fight: Fight) -> Fight:
    """Return the same fight, where it stands, with dice that must not fall."""
    return Fight(fight.name, fight.ruleset, History(fight.history.recorded), dice=NoDice())


class Idle:
    """A fight in which the policy without a search prefers to do nothing."""

    def __init__(self, fight: Fight) -> None:
        end_turn = fight.ruleset.actions["end_turn"]
        self.ruleset = replace(
            fight.ruleset, fighter=replace(fight.ruleset.fighter, prefer=lambda table, actor, manner: (end_turn(),))
        )
        self.table = fight.table


def open_at_the_brink() -> Fight:
    """Return a duel on Ilse's turn, the last before she falls.

    Both are at the brink, where who is hit dies in 19 of 20 times. Ilse has two blows that hit in 6 of 20 times each;
    Brand's hit in 19 of 20.
    """
    ilse = {"agility": 10, "might": 9, "accuracy": 0, "health": 1, "ep": 5, "ep_max": 9}
    brand = {"agility": 15, "might": 9, "accuracy": 8, "health": 1, "ep": 0, "ep_max": 0}
    encounter = {
        "system": "vestige",
        "name": "at the brink",
        "config": {"brink_target": 20},
        "combatant": [
            {"name": "Ilse", "side": "red", "weapons": ["sword"], "protection": 0, **ilse},
            {"name": "Brand", "side": "blue", "weapons": ["sword"], "protection": 0, **brand},
        ],
        "distance": [{"between": ["ilse", "brand"], "metres": 1}],
    }
    for nth in range(20):
        fight = open_unplayed_fight(encounter, bytes([nth]) * 32)
        submit_accepted(fight, make_declaration("gm", "begin"))
        if fight.state.acting == ("ilse",):
            for who in ("ilse", "brand"):
                submit_accepted(
                    fight, Ruled(kind="pool", params=Raw(HURT % who.encode()), reason="they have fought before")
                )
            return fight
    raise AssertionError("Ilse is never the first")


HURT = b'{"who":"%s","pool":"health","by":-1}'

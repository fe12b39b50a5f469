"""Wyrd's engagement and shot against mathematics: the bands of the test, what armor leaves, and the wound."""

from __future__ import annotations

from typing import Any, NamedTuple

import icepool
import pytest
from icepool import d

from affray.engine import begin_fight
from affray.events import Damaged, Event, Judged, Rolled
from tests.engine.fights import SEED, noon, submit_accepted
from tests.rulesets.statistics import SHARE, agree, chances, make_declaration, sample_outcomes

TIMES = 12_000 // SHARE
SPEAR, LEATHERS, POWER = 8, 4, 6
"""What the foe strikes back with, and what the one who engages is protected by."""


class Case(NamedTuple):
    """The dice sizes of a test and its opposition."""

    ability: int
    weapons: tuple[int, ...]
    armor: tuple[int, ...]
    power: int


def gear(**sizes: tuple[str, int]) -> dict[str, dict[str, Any]]:
    """Return unnamed pieces, each of a kind and a size."""
    return {key: {"name": key, "kind": kind, "die": die, "hands": 1} for key, (kind, die) in sizes.items()}


def make_test_encounter(case: Case, *tags: str) -> dict[str, Any]:
    """Return an encounter of a testing combatant, and of a foe."""
    weapons = {f"weapon{nth}": ("weapon", die) for nth, die in enumerate(case.weapons)}
    armor = {kind: (kind, die) for kind, die in zip(("body", "head", "shield"), case.armor, strict=False)}
    own = gear(spear=("weapon", SPEAR), leathers=("body", LEATHERS), **weapons, **armor)
    for weapon in weapons:
        own[weapon]["tags"] = list(tags)
    grog = {"name": "Grog", "side": "a", "pc": True, "grace": case.ability, "power": POWER, "protection": ["leathers"]}
    orc = {
        "name": "Orc",
        "side": "b",
        "power": max(4, case.power),
        "current": {"power": case.power},
        "weapons": ["spear"],
        "protection": list(armor),
    }
    return {
        "system": "wyrd",
        "config": {"npc_morale": False},
        "gear": own,
        "combatant": [{**grog, "weapons": list(weapons), "hands": list(weapons)}, orc],
    }


def outcome(events: list[Event]) -> tuple[str, str, int, str]:
    """Return the result of the test, the combatant that is hit, the remaining damage, and the wound."""
    by = {one.roll: one.purpose for one in events if isinstance(one, Rolled)}
    judged = {by[one.roll].partition(":")[0]: one.outcome for one in events if isinstance(one, Judged)}
    hit = next((one for one in events if isinstance(one, Damaged)), None)
    return judged["test"], hit.who if hit else "", hit.amount if hit else 0, judged.get("power", "")


def wound(power: int, remaining: int, sides: int) -> str:
    """Return the wound for a face of Power and the remaining damage."""
    if not remaining:
        return ""
    if power > remaining:
        return "incidental"
    if power > 1:
        return "debilitating"
    return "severe" if sides > 2 else "mortal"


def model_hit(band: str, who: str, damage: Any, armor: Any, sides: int) -> Any:
    """Return the results of a hit: damage and armor are dice, and so is Power."""

    def left(dealt: int, stopped: int, power: int) -> tuple[str, str, int, str]:
        remaining = max(0, dealt - stopped)
        return band, who, remaining, wound(power, remaining, sides)

    return icepool.map(left, damage, armor, d(sides))


def band(faces: tuple[int, ...]) -> str:
    """Return the result of a test by its faces."""
    if max(faces) < 4:
        return "failure"
    if max(faces) < 6:
        return "setback"
    return "multiple success" if sum(face >= 6 for face in faces) > 1 else "success"


def highest(*sizes: int) -> Any:
    """Return the highest of some dice; 0 of none."""
    return icepool.highest([d(size) for size in sizes]) if sizes else icepool.Die([0])


@pytest.mark.parametrize(
    "case",
    [Case(6, (10,), (6,), 6), Case(8, (6, 4), (6, 4, 2), 4), Case(4, (12,), (), 2)],
    ids=["a greatsword and maille", "two weapons against heavy armor", "the weak against the nearly dead"],
)
def test_an_engagement_comes_out_as_often_as_it_should(case: Case) -> None:
    fight = begin_fight("many", make_test_encounter(case), who="gm", seed=SEED, clock=noon)
    submit_accepted(fight, make_declaration("gm", "begin"))
    intent = make_declaration("grog", "engage", target="orc", ability="grace")

    def exchange(*faces: int) -> Any:
        if max(faces) < 4:
            return model_hit("failure", "grog", d(SPEAR), d(LEATHERS), POWER)
        return model_hit(band(faces), "orc", max(faces[1:]), highest(*case.armor), case.power)

    found, rolls = sample_outcomes(fight, intent, outcome, TIMES)
    exact = icepool.map(exchange, d(case.ability), *(d(size) for size in case.weapons))
    assert rolls >= 2 * TIMES
    assert agree(found, chances(exact)) == []


def test_a_shot_comes_out_as_often_as_it_should() -> None:
    """Armor is a size smaller; a miss without an answer harms no combatant."""
    case = Case(8, (8,), (6, 4, 2), 6)
    fight = begin_fight("many", make_test_encounter(case, "ranged"), who="gm", seed=SEED, clock=noon)
    submit_accepted(fight, make_declaration("gm", "begin"))

    def shot(grace: int, bow: int) -> Any:
        if max(grace, bow) < 4:
            return icepool.Die([("failure", "", 0, "")])
        return model_hit(band((grace, bow)), "orc", bow, highest(4, 2, 2), case.power)

    found, rolls = sample_outcomes(fight, make_declaration("grog", "fire", target="orc"), outcome, TIMES)
    assert rolls >= TIMES
    assert agree(found, chances(icepool.map(shot, d(8), d(8)))) == []

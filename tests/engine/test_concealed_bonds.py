"""Relations that a concealed combatant is in: rulings on it leave nothing for others to read."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import begin_fight, load
from affray.engine.visibility import project_state
from affray.events import Rolled
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.twins import SPECTATOR, NamedDice, fold_open_events, hiding, open_events
from tests.rulesets.statistics import make_declaration
from tests.rulesets.systems import PRESENT

FOES: dict[str, dict[str, Any]] = {
    "wwn": {"hp": 4, "attack": 0},
    "verdigris": {"block": "bandit", "at": "road"},
    "vestige": {"block": "minion"},
    "wyrd": {"grace": 4, "power": 4, "weapons": ["spear"]},
}
KNIGHT: dict[str, Any] = {
    "strength": 3,
    "agility": 3,
    "intelligence": 2,
    "charisma": 3,
    "dodge": 3,
    "withstand": 2,
    "panic": 3,
    "hp": 5,
}


def against(system: str, heroes: dict[str, Any], *foes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return an encounter of heroes against foes, the Lurker among them."""
    foe = {"side": "enemies", **FOES[system]}
    people = [{"side": "party", **heroes}, *[foe | one for one in ({"name": "Lurker"}, {"name": "Grub"}, *foes)]]
    return {"system": system, "name": "n", "combatant": people, **more}


ENCOUNTERS = {
    "a group in wwn": against("wwn", {"name": "Ada", "pc": True, "hp": 9, "attack": 1}, {"name": "Snag"}),
    "a group in vestige": against("vestige", {"name": "Runa", "block": "hero"}, {"name": "Snag"}),
    "a rider's melee in verdigris": against(
        "verdigris",
        {"name": "Ilka", **KNIGHT, "pc": True, "at": "road", "mount": "destrier"},
        zone=[{"name": "road", "exits": ["wood"]}, {"name": "wood"}],
        melee=[{"members": ["ilka", "lurker"]}],
    ),
    "a melee of two heroes in wyrd": against(
        "wyrd",
        {"name": "Sigrid", "count": 2, "pc": True, "grace": 8, "weapons": ["spear"]},
        melee=[{"members": ["sigrid-a", "sigrid-b", "lurker"]}],
    ),
}
RULINGS: dict[str, dict[str, Any]] = {
    "leave": {},
    "side": {"side": "party"},
    "unable": {"able": False},
}


EVERY = [(bond, kind) for bond, told in ENCOUNTERS.items() for kind in RULINGS if kind in load(told["system"]).rulings]


@pytest.mark.parametrize(("bond", "kind"), EVERY)
def test_a_ruling_on_somebody_concealed_writes_nothing_of_its_bonds(bond: str, kind: str) -> None:
    """An open event about the end of a melee or group would reveal the sealed ruling's subject."""
    told = hiding(ENCOUNTERS[bond], "Lurker")
    fight = begin_fight("drawn", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
    before = open_events(fight)
    rule(fight, kind, who="lurker", **RULINGS[kind])
    assert open_events(fight) == before


@pytest.mark.parametrize("system", PRESENT)
def test_the_side_of_somebody_concealed_decides_not_whether_a_relation_is_seen(system: str) -> None:
    """Two open allies stay allies, on any side of a concealed third combatant."""
    fight = begin_fight(
        "drawn", load_shipped_encounters()[f"{system}/template"], who="gm", seed=None, dice=NamedDice(), clock=noon
    )
    sides: dict[str, list[str]] = {}
    for one in fight.state.combatants.values():
        sides.setdefault(one.side, []).append(one.id)
    ours, theirs = sorted(sides.values(), key=len, reverse=True)[:2]
    hidden = theirs[0]
    rule(fight, "conceal", who=hidden)
    rule(fight, "relate", relation="allies", members=[*ours[:2], hidden])
    before = open_events(fight)
    for side in (fight.state.combatants[ours[0]].side, fight.state.combatants[hidden].side):
        rule(fight, "side", who=hidden, side=side)
        assert open_events(fight) == before
        relations = project_state(SPECTATOR, fight.state).relations
        assert [one.who for one in relations["allies"].members] == ours[:2]
        assert relations["allies"] == fold_open_events(open_events(fight)).relations["allies"]


def test_no_concealed_member_of_a_group_decides_when_it_rolls() -> None:
    """Grub was before Brute and has left; the Lurker is before both, or last."""
    foe = {"hp": 4, "attack": 0}
    lurker = {"name": "Lurker", "side": "foes", "concealed": True, **foe}
    names = (("Grub", "foes"), ("Brute", "brutes"), ("Snag", "foes"), ("Snarl", "foes"))
    known = [{"name": name, "side": side, **foe} for name, side in names]
    known += [{"name": "Ada", "side": "party", "pc": True, "hp": 9, "attack": 1}]
    orders = []
    for people in ([lurker, *known], [*known, lurker]):
        told = {"system": "wwn", "name": "n", "combatant": people}
        fight = begin_fight("drawn", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
        rule(fight, "leave", who="grub")
        submit_accepted(fight, make_declaration("gm", "begin"))
        orders.append([event.by for event in open_events(fight) if isinstance(event, Rolled)])
    assert orders[0] == orders[1]
    assert orders[0].index("brute") < orders[0].index("snag")

"""Preferences of a sensible fighter of Worlds Without Number, computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight
from affray.engine.rulesets.wwn import RULESET
from affray.engine.rulesets.wwn.policy import appraise
from tests.rulesets.statistics import make_declaration, open_unstored_fight, submit_intent
from tests.rulesets.wwn.moments import rule

ASHA: dict[str, Any] = {"name": "Asha", "side": "heroes", "pc": True, "attack": 3, "str": 14, "hp": 20}
ASHA |= {"skills": {"stab": 1, "shoot": 1}, "weapons": ["sword_long", "dagger", "bow_large"]}
RAIDER: dict[str, Any] = {"name": "Raider", "side": "raiders", "block": "raider"}


def worth(fight: Fight, kind: str, manner: str = "standard", actor: str = "asha", **said: Any) -> float:
    """Return how good something looks."""
    return appraise(fight.table, actor, RULESET.actions[kind](**said), manner)


def blow(fight: Fight, manner: str = "standard") -> float:
    """Return how good it looks to strike the raider with the sword."""
    return worth(fight, "attack", manner, target="raider", weapon="asha.sword_long")


def near(asha: dict[str, Any] | None = None, raider: dict[str, Any] | None = None, apart: int = 5) -> Fight:
    """Open a fight of the two without a map."""
    people = [{**ASHA, **(asha or {})}, {**RAIDER, **(raider or {})}]
    return open_unstored_fight({"system": "wwn", "apart": apart, "combatant": people})


def test_a_blow_is_worth_what_it_does_and_what_shock_does() -> None:
    """At +5 against 13 she hits with 8 to 20, 13 of 20: 5.5 on average, otherwise Shock 3; the raider has 8 hp."""
    assert blow(near()) == pytest.approx(60 + 40 * (0.65 * 5.5 + 0.35 * 3) / 8)


def test_a_snap_waits_for_something_better() -> None:
    """At -4 she hits in 9 of 20, for the Main Action; against who does nothing it is not made."""
    snap = blow(near(), "snap")
    assert snap == pytest.approx(40 * (0.45 * 5.5 + 0.55 * 3) / 8 - 30)


def test_armor_that_shock_does_not_reach_is_worth_less() -> None:
    """Against 14 she hits with 9 to 20, and a miss does nothing."""
    assert blow(near(raider={"ac": 14})) == pytest.approx(60 + 40 * 0.6 * 5.5 / 8)


def test_what_a_sheet_says_counts_as_soon_as_it_is_corrected() -> None:
    """It is remembered what sheet and weapon add, as long as they stay what they are."""
    fight = near()
    before = blow(fight)
    rule(fight, "sheet", who="asha", stat="attack", to=5)
    assert blow(fight) == pytest.approx(60 + 40 * (0.75 * 5.5 + 0.25 * 3) / 8)
    rule(fight, "sheet", who="asha", stat="attack", to=3)
    assert blow(fight) == before
    rule(fight, "trait", who="asha", trait="pc", present=False)  # a foe's attack number contains everything
    assert blow(fight) == pytest.approx(60 + 40 * (0.55 * 4.5 + 0.45 * 2) / 8)


@pytest.mark.parametrize(
    ("ac", "chance"), [(0, 0.95), (6, 0.95), (7, 0.95), (8, 0.9), (25, 0.05), (24, 0.1), (40, 0.05)]
)
def test_nothing_is_sure(ac: int, chance: float) -> None:
    """A 1 misses and a 20 hits, so the chance is from 1 to 19 of 20."""
    shock = 0 if ac > 13 else (1 - chance) * 3
    found = blow(near(raider={"ac": ac}))
    assert found == pytest.approx(60 + 40 * (chance * 5.5 + shock) / 8)


def test_armor_counts() -> None:
    """A raider at +1 against mail and a shield, 15, hits with 14 to 20: 3.5 on average, and its Shock is stopped."""
    fight = near({"armor": "mail_shirt", "shield": "shield_small", "hp": 8})
    found = worth(fight, "attack", actor="raider", target="asha")
    assert found == pytest.approx(60 + 40 * 0.35 * 3.5 / 8)


def test_two_weapons_do_2_more_and_hit_1_less() -> None:
    found = worth(near(), "attack", target="raider", weapon="asha.sword_long", dual="asha.dagger")
    assert found == pytest.approx(60 + 40 * (0.6 * 7.5 + 0.4 * 3) / 8 + 2)


def test_a_thrown_weapon_is_lost() -> None:
    """At 20 feet with a dagger: +4 without her strength, 12 of 20 hit for 2.5, and no Shock."""
    found = worth(near(apart=20), "attack", target="raider", weapon="asha.dagger", mode="throw")
    assert found == pytest.approx(60 + 40 * 0.6 * 2.5 / 8 / 2)


def test_who_is_easily_felled_comes_first() -> None:
    """The measure is the share of the remaining hit points that a blow takes, at most all of them."""
    assert blow(near(raider={"ac": 14, "hp": 80})) == pytest.approx(60 + 40 * 0.6 * 5.5 / 80)
    assert blow(near(raider={"ac": 14, "hp": 2})) == pytest.approx(60 + 40 * 0.6)


def test_a_rider_comes_before_the_mount() -> None:
    beast = blow(near(raider={"ac": 14, "mount": True, "war_trained": True}))
    assert beast - 60 == pytest.approx((blow(near(raider={"ac": 14})) - 60) / 2)


def test_going_nearer_is_better_than_going_less_near() -> None:
    """Without a map the longer way; only without a foe in reach; with the Main Action only as a last choice."""
    sword = {"weapons": ["sword_long"]}
    far, close = near(sword, apart=40), near(sword)
    assert worth(far, "move", feet=30) == 30 + 5 + 3
    assert worth(far, "move", feet=10) == 30 + 5 + 1
    assert worth(far, "move", feet=30, payment="main") == 30 + 5 + 3 - 35
    assert worth(close, "move", feet=30) == 30 - 60
    assert worth(near(sword, apart=10), "move", feet=5) == 30 + 5 + 0.5
    pike = {"weapons": ["pike"]}
    assert worth(near(pike, apart=10), "move", feet=5) == 30 - 60
    assert worth(near(pike, apart=15), "move", feet=5) == 30 + 5 + 0.5
    bow = {"weapons": ["bow_large"]}
    assert worth(near(bow, apart=600), "move", feet=5) == 30 - 60
    assert worth(near(bow, apart=605), "move", feet=5) == 30 + 5 + 0.5


def open_map_with_foes(*foes: str, weapons: tuple[str, ...] = ("sword_long",)) -> Fight:
    """Open a fight on a map: Asha at 0,0, a friend beside her, and foes."""
    people = [{**ASHA, "weapons": list(weapons), "at": "0,0"}, {**ASHA, "name": "Bran", "at": "0,1"}]
    people += [{**RAIDER, "name": f"Raider {nth}", "at": at} for nth, at in enumerate(foes)]
    return open_unstored_fight({"system": "wwn", "board": {}, "combatant": people})


def test_a_way_on_the_map_is_worth_what_it_brings_nearer() -> None:
    """Half the feet gained toward the then nearest foe; ways that gain none are left out."""
    fight = open_map_with_foes("6,0", "0,-8")
    assert worth(fight, "move", path=("1,0", "2,0")) == 30 + (30 - 20) / 2
    assert worth(fight, "move", path=("-1,0",)) == 30 - 60
    assert worth(fight, "move", path=("0,-1",)) == 30 - 60
    assert worth(fight, "move", path=("0,-1", "0,-2", "0,-3", "0,-4")) == 30 + (30 - 20) / 2
    assert worth(open_map_with_foes("1,0"), "move", path=("2,0",)) == 30 - 60


def test_nobody_goes_to_those_who_are_out_of_the_fight() -> None:
    """Without other foes no fighter moves."""
    fight = open_map_with_foes("3,0", "6,0")
    submit_intent(fight, make_declaration("gm", "begin"))
    rule(fight, "unable", who="raider-0")
    assert worth(fight, "move", path=("1,0",)) == 30 + (30 - 25) / 2
    rule(fight, "unable", who="raider-1")
    assert worth(fight, "move", path=("1,0",)) == 30 - 60


def test_the_rest_in_its_order() -> None:
    """Help first, then stand up; an empty bow before walking about; and no one throws things away."""
    fight = near()
    order = [
        ("stabilize", {"target": "raider"}),
        ("stand", {}),
        ("reload", {}),
        ("end_turn", {}),
        ("mount", {"mount": "raider"}),
        ("improvise", {"what": "sing"}),
        ("cast", {"spell": "light"}),
        ("ready", {"item": "dagger"}),
        ("draw", {"item": "dagger"}),
        ("test", {"who": "asha", "attribute": "str", "skill": "stab"}),
        ("withdraw", {}),
        ("dismount", {}),
        ("prone", {}),
        ("drop", {"item": "dagger"}),
    ]
    found = [worth(fight, kind, **said) for kind, said in order]
    assert found == [90, 70, 32, 10, 5, 4, 3, 2, 1, 0, -10, -20, -30, -60]
    assert worth(fight, "stow", item="dagger") == -30


def test_a_fight_is_begun_without_surprise() -> None:
    """A sensible game master rules no surprise unasked."""
    fight = near()
    assert worth(fight, "begin", actor="gm") == 2
    assert worth(fight, "begin", actor="gm", surprised="raiders") == 0

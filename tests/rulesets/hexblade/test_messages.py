"""Refusals state the fault and a remedy: numbers, names, the next combatant."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.errors import Refused
from affray.engine.fight import Fight
from affray.events import AnySource
from tests.rulesets.hexblade.fights import a_fight, act_in_hexblade, rule_in_hexblade


def describe_refusal(fight: Fight, actor: str, action: str, **said: Any) -> tuple[str, str, AnySource]:
    """Return the code, the message and the source of a refusal; the game master's if no actor is given."""
    with pytest.raises(Refused) as no:
        act_in_hexblade(fight, actor, action, **said) if actor else rule_in_hexblade(fight, action, **said)
    return no.value.code, no.value.message, no.value.source


def test_whose_turn_it_is_not() -> None:
    fight = a_fight()
    assert describe_refusal(fight, "bo", "end_turn") == ("HEX-001", "it is not the turn of Bo", "bo")
    act_in_hexblade(fight, "ash", "end_turn")
    assert describe_refusal(fight, "brute", "begin_turn") == (
        "HEX-003",
        "Brute is not next in the order; Bo is next",
        "brute",
    )
    assert describe_refusal(fight, "ash", "begin_turn") == ("HEX-001", "Ash has acted already; Bo is next", "ash")


def test_how_far_it_is_and_what_is_left() -> None:
    fight = a_fight()
    rule_in_hexblade(fight, "pool", who="ash", pool="movement", to=9)
    rule_in_hexblade(fight, "terrain", place="-1,0", traits=["difficult"])
    source = "ash.movement"
    dear = "entering W1,0 costs 10 feet; Ash has 9"
    assert describe_refusal(fight, "ash", "move", to="-1,0") == ("HEX-070", dear, source)
    assert describe_refusal(fight, "ash", "move", path=["-1,0"]) == ("HEX-070", dear, source)
    far = "10 feet are more than the 9 feet Ash has left"
    assert describe_refusal(fight, "ash", "move", path=["1,-1", "2,-2"]) == ("HEX-067", far, source)
    assert describe_refusal(fight, "ash", "move", to="-2,0") == (
        "HEX-067",
        "that is more than the 9 feet Ash has left",
        source,
    )
    assert describe_refusal(fight, "ash", "attack", target="far")[1] == "Far is 4 hexes away, not adjacent to Ash"


def test_who_holds_nobody() -> None:
    fight = a_fight()
    assert describe_refusal(fight, "ash", "break_free") == ("HEX-061", "Ash is not held", "ash.grappled")
    assert describe_refusal(fight, "ash", "break_free", target="bo") == (
        "HEX-061",
        "Ash is not held by Bo",
        "ash.grappled",
    )
    act_in_hexblade(fight, "ash", "grapple", target="brute", faces=(20, 1))
    rule_in_hexblade(fight, "grant", who="ash")
    assert describe_refusal(fight, "ash", "break_free", target="bo")[1] == "Ash is not held by Bo"
    assert describe_refusal(fight, "ash", "grapple", target="brute")[1:] == (
        "Ash and Brute hold each other already",
        "grapple:ash:brute",
    )
    assert describe_refusal(fight, "ash", "stand")[1] == "Ash is grappled and cannot spend movement"


def test_what_makes_somebody_unable() -> None:
    fight = a_fight()
    assert (
        describe_refusal(fight, "", "unable", who="ash", able=True)[1]
        == "Ash is able to act already; say: rule unable ash"
    )
    rule_in_hexblade(fight, "unable", who="brute")
    said = "Brute is unable to act already; say: rule unable brute able=yes"
    assert describe_refusal(fight, "", "unable", who="brute")[1] == said
    rule_in_hexblade(fight, "condition", who="bo", condition="dazed")
    rule_in_hexblade(fight, "outcome", who="bo", to="down")
    assert describe_refusal(fight, "", "free_attack", who="bo", target="brute") == (
        "HEX-G03",
        "Bo is not able to act",
        "bo.down",
    )


def test_what_is_so_already() -> None:
    fight = a_fight()
    rule_in_hexblade(fight, "outcome", who="bo", to="down")
    assert describe_refusal(fight, "", "outcome", who="bo", to="down")[1] == "Bo is down already"


def test_who_is_where_one_wants_to_go() -> None:
    fight = a_fight()
    assert describe_refusal(fight, "ash", "move", to="0,1") == ("HEX-067", "Bo is at 0,1", "bo")
    assert describe_refusal(fight, "ash", "move", to="1,0") == ("HEX-067", "Brute is at 1,0", "brute")
    assert describe_refusal(fight, "ash", "move", path=["1,0", "2,0"]) == (
        "HEX-067",
        "Brute bars the way at 1,0",
        "brute",
    )
    assert describe_refusal(fight, "ash", "move", to="0,0") == ("HEX-067", "Ash is there already", "ash")
    rule_in_hexblade(fight, "terrain", place="-1,0", traits=["blocked"])
    assert describe_refusal(fight, "ash", "move", to="-1,0") == ("HEX-067", "W1,0 cannot be entered", "-1,0")
    assert describe_refusal(fight, "ash", "move", path=["-1,0"]) == ("HEX-067", "W1,0 cannot be entered", "-1,0")
    assert describe_refusal(fight, "", "place", who="ash", to="0,1")[1] == "Bo is at 0,1, and a hex holds one combatant"

"""Choices of a sensible fighter of Hexblade, moment by moment."""

from __future__ import annotations

from typing import Any

from affray.engine.fight import Fight
from affray.events import Ruled
from tests.rulesets.preferred import describe_next_action, list_wishes
from tests.rulesets.statistics import make_declaration, open_unstored_fight, params, submit_intent

ASH: dict[str, Any] = {"name": "Ash", "side": "party", "block": "fighter", "at": "0,0"}
BRUTE: dict[str, Any] = {"name": "Brute", "side": "foes", "block": "brute", "initiative": 1}


def ashs_turn(*foes: str, hex_feet: int = 5, **board: Any) -> Fight:
    """Return a fight with brutes in some hexes, on Ash's turn."""
    brutes = [{**BRUTE, "name": f"Brute {nth}", "at": place} for nth, place in enumerate(foes)]
    config = {"hex_feet": hex_feet}
    fight = open_unstored_fight({"system": "hexblade", "config": config, "board": board, "combatant": [ASH, *brutes]})
    submit_intent(fight, Ruled(kind="trait", params=params(who="ash", trait="pc", present=False), reason="to be first"))
    submit_intent(fight, make_declaration("gm", "begin"))
    submit_intent(fight, make_declaration("ash", "begin_turn"))
    return fight


def test_one_walks_up_to_the_nearest() -> None:
    assert describe_next_action(ashs_turn("4,0", "0,9")) == "ash move path=1,0;2,0;3,0"


def test_who_cannot_walk_a_hex_runs() -> None:
    """A fighter walks 30 feet and runs 15 more; a hex of 46 feet is too wide for all."""
    walks, runs, stays = (ashs_turn("4,0", hex_feet=feet) for feet in (30, 45, 46))
    assert describe_next_action(walks) == "ash move path=1,0"
    assert describe_next_action(runs) == "ash sprint"
    submit_intent(runs, make_declaration("ash", "sprint"))
    assert describe_next_action(runs) == "ash move path=1,0"
    assert list_wishes(stays, "ash") == ["ash end_turn"]
    submit_intent(stays, Ruled(kind="pool", params=params(who="ash", pool="movement", to=50), reason="a horse"))
    assert describe_next_action(stays) == "ash move path=1,0"


def test_who_has_no_movement_at_all_runs() -> None:
    fight = ashs_turn("4,0")
    submit_intent(
        fight, Ruled(kind="sheet", params=params(who="ash", stat="movement", to=0), reason="a sprained ankle")
    )
    submit_intent(fight, Ruled(kind="pool", params=params(who="ash", pool="movement", to=0), reason="a sprained ankle"))
    assert describe_next_action(fight) == "ash sprint"


def test_one_goes_to_whom_one_gets_to() -> None:
    """The nearest is walled in."""
    walls = ["4,0", "2,0", "3,-1", "3,1", "2,1", "4,-1"]
    assert describe_next_action(ashs_turn("3,0", "0,5", blocked=walls)) == "ash move path=0,1;0,2;0,3;0,4"
    assert list_wishes(ashs_turn("3,0", blocked=walls), "ash") == ["ash end_turn"]


def test_one_goes_round_what_no_run_gets_one_over() -> None:
    """A fence is 80 feet wide here; a fighter that took it for a way would go back and forth for ever."""
    fence = ["-1,-1", "-1,0", "-1,1", "1,0"]
    fight = ashs_turn("-2,0", hex_feet=40, difficult=fence, blocked=["0,-2"])
    way = []
    for _ in range(4):
        submit_intent(fight, make_declaration("ash", "sprint"))
        way.append(describe_next_action(fight).removeprefix("ash move path="))
        submit_intent(fight, make_declaration("ash", "move", path=[way[-1]]))
        for pool, to in (("actions", 1), ("movement", 30)):
            submit_intent(fight, Ruled(kind="pool", params=params(who="ash", pool=pool, to=to), reason="another turn"))
    assert way == ["0,1", "-1,2", "-2,2", "-2,1"]

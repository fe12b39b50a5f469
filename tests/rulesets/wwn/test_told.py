"""Further texts about outcomes: margins of rolls, and reasons of refusals."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight
from affray.engine.core.draft import Draft
from affray.engine.errors import Refused, Unusable
from affray.engine.runtime.decider import Decider
from affray.engine.visibility import Viewer, can_read, project_state
from affray.events import Answered, Declared, Event, Joined, Judged, Passed, Rolled
from tests.rulesets.statistics import make_declaration, open_unstored_fight, params, standing_back, submit_intent
from tests.rulesets.wwn.moments import Thrown, make_wwn_ruling, rule

ASHA: dict[str, Any] = {"name": "Asha", "side": "heroes", "pc": True, "attack": 3, "str": 14, "dex": 18, "hp": 20}
ASHA |= {"skills": {"stab": 1, "exert": 0, "ride": 0}, "weapons": ["sword_long", "dagger"]}
RAIDER: dict[str, Any] = {"name": "Raider", "side": "raiders", "block": "raider"}
NAG: dict[str, Any] = {"name": "Nag", "side": "heroes", "block": "riding_horse"}


def margins(fight: Fight, intent: Event, *faces: int, answer: dict[str, Any] | None = None) -> list[tuple[str, int]]:
    """Return what each roll was judged to be, and by how much it was made or missed."""
    course = Decider(fight.ruleset, Draft(fight.state), fight.table.config, Thrown(*faces))
    events = list(course.carry_out(intent))
    if course.draft.question is not None and answer is not None:
        asked = course.draft.question
        choice = answer.pop("choice")
        events += course.carry_out(Answered(question=asked.id, by=asked.of[0], choice=choice, fields=answer))
    return [(one.outcome, one.margin) for one in events if isinstance(one, Judged)]


def begin_on_ashas_turn(config: dict[str, Any] | None = None, *more: dict[str, Any], **asha: Any) -> Fight:
    """Begin a fight of Asha and a raider side by side, without interrupts, on her turn."""
    people = [{**ASHA, **asha}, RAIDER, *more]
    fight = open_unstored_fight({"system": "wwn", "apart": 5, "combatant": people, "config": config or {}})
    standing_back(fight)
    rule(fight, "mount_check", mount="nag", check="none") if more else None
    submit_intent(fight, make_declaration("gm", "begin"))
    if fight.state.acting != ("asha",):
        submit_intent(fight, make_declaration("raider", "end_turn"))
    return fight


BLOW = make_declaration("asha", "attack", target="raider", weapon="asha.sword_long")


def test_an_attack_tells_by_how_much_it_hits_or_misses() -> None:
    """Not where the armor class is a secret."""
    fight = begin_on_ashas_turn()
    assert margins(fight, BLOW, 10, 1) == [("hit", 2)]
    assert margins(fight, BLOW, 5) == [("miss", -3)]
    assert margins(begin_on_ashas_turn({"announce_ac": False}), BLOW, 10, 1) == [("hit", 0)]


def test_a_secret_armor_class_still_stands_on_the_sheet() -> None:
    """The setting keeps it out of the roll; the sheet of a known combatant is open to every viewer."""
    fight = begin_on_ashas_turn({"announce_ac": False})
    spectator = Viewer(role="spectator")
    submit_intent(fight, BLOW)
    rolls = [one.event for one in fight.history.recorded if isinstance(one.event, Rolled)]
    assert [one.against for one in rolls if one.purpose == "attack"] == [None]
    known = [one.event for one in fight.history.recorded if can_read(spectator, one)]
    assert [one.stats["ac"] for one in known if isinstance(one, Joined) and one.who == "raider"] == [13]
    assert project_state(spectator, fight.state).combatants["raider"].stats["ac"] == 13


def test_a_check_tells_by_how_much_it_is_made_or_missed() -> None:
    fight = begin_on_ashas_turn()
    test = make_wwn_ruling("test", who="asha", attribute="str", skill="exert", difficulty=9)
    assert margins(fight, test, 6, 4) == [("success", 2)]
    assert margins(fight, test, 2, 4) == [("failure", -2)]
    against = make_wwn_ruling("test", who="asha", attribute="str", skill="exert", against="raider")
    assert margins(fight, against, 6, 4, 2, 3) == [("success", 6)]
    assert margins(fight, against, 1, 1, 2, 3) == [("failure", -2)]


def test_morale_tells_by_how_much_it_holds_or_breaks() -> None:
    fight = begin_on_ashas_turn()
    assert margins(fight, make_wwn_ruling("morale", side="raiders"), 3, 2) == [("held", 2)]
    assert margins(fight, make_wwn_ruling("morale", side="raiders"), 6, 4) == [("failed", -3)]


@pytest.mark.parametrize(
    ("check", "faces", "told"),
    [
        ("morale", (2, 2), ("held", 2)),
        ("morale", (3, 3), ("held", 0)),
        ("morale", (3, 4), ("failed", -1)),
        ("instinct", (10,), ("held", 2)),
        ("instinct", (8,), ("held", 0)),
        ("instinct", (7,), ("failed", -1)),
    ],
)
def test_a_beast_tells_by_how_much_it_keeps_its_nerve(
    check: str, faces: tuple[int, ...], told: tuple[str, int]
) -> None:
    fight = begin_on_ashas_turn(None, NAG, rides="nag")
    submit_intent(fight, make_declaration("asha", "end_turn"))
    rule(fight, "mount_check", mount="nag", check=check)
    assert margins(fight, make_declaration(fight.state.acting[0], "end_turn"), *faces) == [told]


def test_forcing_a_beast_tells_by_how_much() -> None:
    fight = begin_on_ashas_turn(None, NAG, rides="nag")
    submit_intent(fight, make_declaration("asha", "end_turn"))
    rule(fight, "mount_check", mount="nag", check="morale", difficulty=10)
    obey = {"choice": "obey", "attribute": "dex"}
    assert margins(fight, make_declaration("raider", "end_turn"), 6, 6, 6, 3, answer=obey) == [
        ("failed", -6),
        ("success", 1),
    ]


def said_of(fight: Fight, intent: Event) -> str:
    """Return in what words something is refused."""
    try:
        submit_intent(fight, intent)
    except (Refused, Unusable) as error:
        return error.message
    raise AssertionError("it is not refused")


def test_refusals_say_what_is_wrong_and_what_would_be_right() -> None:
    fight = begin_on_ashas_turn()
    spear = make_declaration("asha", "attack", target="raider", weapon="asha.dagger", mode="throw")
    rule(fight, "distance", one="asha", other="raider", to=65)
    assert said_of(fight, BLOW) == "Raider is 65 ft away, beyond 5 ft"
    assert said_of(fight, spear) == "Raider is 65 ft away, beyond 60 ft"
    assert said_of(fight, make_declaration("asha", "move", feet=35)) == "35 ft is more than the 30 ft Asha has"
    way_out = "beside whom, or away from whom, as in: move feet=30"
    assert said_of(fight, make_declaration("asha", "move")) == f"say how many feet, at least 1, {way_out}"
    weak = begin_on_ashas_turn({"dual_wield_min_stab": 2})
    two = Declared(
        actor="asha", kind="attack", params=params(target="raider", weapon="asha.dagger", dual="asha.sword_long")
    )
    assert said_of(weak, two) == "Asha needs Stab-2 to fight with two weapons"
    said = said_of(fight, make_wwn_ruling("quick", group="wolves"))
    assert said == "there are the groups raider"


def test_on_a_map_they_say_where() -> None:
    asha, raider = {**ASHA, "at": "0,0"}, {**RAIDER, "at": "2,0"}
    fight = open_unstored_fight({"system": "wwn", "board": {"blocked": ["0,2"]}, "combatant": [asha, raider]})
    standing_back(fight)
    submit_intent(fight, make_declaration("gm", "begin"))
    if fight.state.acting != ("asha",):
        submit_intent(fight, make_declaration("raider", "end_turn"))

    def way(*path: str, to: str = "") -> str:
        return said_of(fight, make_declaration("asha", "move", **({"to": to} if to else {"path": path})))

    assert way(to="2,0") == way("1,0", "2,0") == "Raider stands at 2,0"
    assert way("2,1") == "2,1 is not next to Asha at 0,0"
    assert way("1,1", "3,1") == "3,1 is not next to 1,1"
    assert way("1,1", "0,2") == way(to="0,2") == "0,2 cannot be entered"
    assert way(*(f"0,-{nth}" for nth in range(1, 8))) == "35 ft is more than the 30 ft Asha has"
    assert way(to="0,-7") == "35 ft is more than the 30 ft Asha has"
    assert way(to="0,0") == "Asha stands there already"
    assert way("here") == "a square is written x,y, such as 3,1"


def test_who_has_let_a_moment_pass_is_told_so() -> None:
    fight = open_unstored_fight({"system": "wwn", "apart": 5, "combatant": [ASHA, {**RAIDER, "count": 2}]})
    submit_intent(fight, make_declaration("gm", "begin"))
    while fight.state.acting != ("asha",):
        submit_intent(fight, make_declaration(fight.state.acting[0], "end_turn"))
    submit_intent(fight, make_declaration("asha", "cast", spell="light"))
    window = fight.state.window
    assert window is not None
    submit_intent(fight, Passed(window=window.id, who="raider-a"))
    snap = Declared(actor="raider-a", kind="attack", params=params(target="asha"), manner="snap")
    assert said_of(fight, snap) == "Raider A has let this moment pass"


def test_a_distance_that_is_left_open_stays_as_it_was() -> None:
    """An unstated distance of a combatant stays the same."""
    fight = begin_on_ashas_turn()
    submit_intent(fight, make_declaration("asha", "move", feet=5))
    question = fight.state.question
    assert question is not None
    submit_intent(fight, Answered(question=question.id, by="gm", choice="stated", about={"raider": {"distance": None}}))
    assert (fight.state.question, fight.state.distances["asha"]["raider"]) == (None, 5)

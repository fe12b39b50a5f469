"""Which clauses are cited, all of them and no other, where it depends on what happens."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine import Fight
from affray.engine.core.draft import Draft
from affray.engine.runtime.decider import Decider
from affray.events import Answered, Asked, Declared, Event, PhaseEntered, Stacked, WindowOpened, give_values
from affray.tools.parse.typed_names import name_fields
from tests.rulesets.statistics import make_declaration, open_unstored_fight, standing_back, submit_intent
from tests.rulesets.wwn.moments import Thrown, make_wwn_ruling, rule

ASHA: dict[str, Any] = {"name": "Asha", "side": "heroes", "pc": True, "attack": 3, "str": 14, "dex": 14, "hp": 20}
ASHA |= {"skills": {"stab": 1}, "armor": "mail_shirt", "shield": "shield_small+1"}
RAIDER: dict[str, Any] = {"name": "Raider", "side": "raiders", "ac": 13, "hp": 8, "attack": 1, "morale": 7}
RAIDER |= {"weapons": ["mace", "dagger"], "dual_wields": True}
NAG: dict[str, Any] = {"name": "Nag", "side": "heroes", "block": "riding_horse"}
GREY: dict[str, Any] = {"name": "Grey", "side": "heroes", "block": "warhorse"}


COURSE = (Asked, PhaseEntered, Stacked, WindowOpened)
"""What says the same clauses whatever happens."""


def list_cited_clauses(fight: Fight, intent: Event, *faces: int, answers: tuple[str, ...] = ()) -> str:
    """Return the clauses of what comes of something, event by event, without the name of the system."""
    course = Decider(fight.ruleset, Draft(fight.state), fight.table.config, Thrown(*faces))
    events = list(course.carry_out(intent))
    for said in answers:
        asked = course.draft.question
        assert asked is not None
        choice, *words = said.split()
        pairs = [one.split("=") for one in words]
        option = next(one for one in asked.options if one.choice == choice)
        values = [(name_fields(option)[key], int(value) if value.isdigit() else value) for key, value in pairs]
        answer = Answered(question=asked.id, by=asked.of[0], choice=choice)
        events += course.carry_out(give_values(answer, values))
    kept = [one for one in events if getattr(one, "rules", ()) and not isinstance(one, COURSE)]
    told = [(type(one).__name__, *getattr(one, "rules", ())) for one in kept]
    return "; ".join(" ".join(words) for words in told).replace("WWN-", "")


def begin_uninterrupted(
    *more: dict[str, Any], first: str = "asha", config: dict[str, Any] | None = None, **asha: Any
) -> Fight:
    """Begin a fight of Asha and a raider side by side, without interrupts."""
    people = [{**ASHA, "weapons": ["sword_short", "dagger"], **asha}, RAIDER, *more]
    fight = open_unstored_fight({"system": "wwn", "apart": 5, "combatant": people, "config": config or {}})
    standing_back(fight)
    for mount in [one["name"].lower() for one in more]:
        if "war_trained" not in fight.state.combatants[mount].traits:
            rule(fight, "mount_check", mount=mount, check="none")
    submit_intent(fight, make_declaration("gm", "begin"))
    while fight.state.acting != (first,):
        submit_intent(fight, make_declaration(fight.state.acting[0], "end_turn"))
    return fight


def attack(actor: str, target: str, weapon: str = "", **said: Any) -> Declared:
    return make_declaration(
        actor, "attack", target=target, **({"weapon": f"{actor}.{weapon}"} if weapon else {}), **said
    )


HURT = "Rolled 025; Damaged 025; PoolChanged 025"
SHOCK = "Damaged 036 T09 T11; PoolChanged 036 T09 T11"


def test_an_attack() -> None:
    """A hit, the faces that settle it, and Shock."""
    fight, blow = begin_uninterrupted(), attack("asha", "raider", "sword_short")
    start = "PoolChanged 008; Noted 035 T06; Rolled 008"
    assert list_cited_clauses(fight, blow, 12, 3) == f"{start}; Judged 008 T07; {HURT}"
    assert list_cited_clauses(fight, blow, 20, 3) == f"{start}; Judged 008 T07 T08; {HURT}"
    assert list_cited_clauses(fight, blow, 5) == f"{start}; Judged 029; {SHOCK}"
    assert list_cited_clauses(fight, blow, 1) == f"{start}; Judged 029 T08; {SHOCK}"
    rule(fight, "pool", who="raider", pool="hp", to=3)
    felled = f"{HURT} T33; ConditionChanged T33; FightEnded G02"
    assert list_cited_clauses(fight, blow, 12, 3) == f"{start}; Judged 008 T07; {felled}"


def test_two_weapons_of_which_one_is_a_shield() -> None:
    fight, blow = begin_uninterrupted(), attack("asha", "raider", "sword_short", dual="asha.shield_small")
    start = "PoolChanged 008; ConditionChanged 046 047 048; Noted 035 T06; Rolled 008 044 T05"
    damage = "Rolled 025; Damaged 025 042; PoolChanged 025 042"
    assert list_cited_clauses(fight, blow, 12, 3) == f"{start}; Judged 008 T07; {damage}"
    assert (
        list_cited_clauses(fight, blow, 2)
        == f"{start}; Judged 029; Damaged 036 T09 T11 042; PoolChanged 036 T09 T11 042"
    )


def test_a_throw_in_melee() -> None:
    start = (
        "PoolChanged 008; ItemMoved T14; ItemMoved T14; Noted 035 T06 038; Rolled 008 014 T18 T61; ItemMoved 038 T22"
    )
    found = list_cited_clauses(begin_uninterrupted(), attack("asha", "raider", "dagger", mode="throw"), 12, 3)
    assert found == f"{start}; Judged 008 T07; {HURT}"


def test_an_attack_of_a_foe_on_somebody_with_a_magic_shield() -> None:
    """Two weapons of a foe need no skill; a shield that was used counts no longer."""
    fight = begin_uninterrupted(first="raider")
    start = "PoolChanged 008; Noted 035 T06 T66; Rolled 008"
    assert list_cited_clauses(fight, attack("raider", "asha", "dagger"), 19, 3) == f"{start}; Judged 008 T07; {HURT}"
    two = attack("raider", "asha", "mace", dual="raider.dagger")
    assert list_cited_clauses(fight, two, 19, 3) == f"{start} 044; Judged 008 T07; {HURT}"
    assert list_cited_clauses(fight, attack("raider", "asha", "dagger"), 2) == f"{start}; Judged 029 037"
    rule(fight, "condition", who="asha", condition="shield_committed")
    assert (
        list_cited_clauses(fight, attack("raider", "asha", "dagger"), 2)
        == f"PoolChanged 008; Noted 035 T06 047; Rolled 008; Judged 029; {SHOCK}"
    )


@pytest.mark.parametrize(
    ("fate", "fall"),
    [
        ("mortally_wounded", "MarkSet T33; ConditionChanged T33; MarkSet T33"),
        ("dead", "ConditionChanged T33 T64"),
        ("out", "MarkSet T33; ConditionChanged T33 T64"),
    ],
)
def test_a_hero_who_falls(fate: str, fall: str) -> None:
    fight = begin_uninterrupted(first="raider", config={"pc_at_zero": fate})
    rule(fight, "pool", who="asha", pool="hp", to=1)
    found = list_cited_clauses(fight, attack("raider", "asha"), 19, 3)
    assert (
        found == f"PoolChanged 008; Noted 035 T06 T66; Rolled 008; Judged 008 T07; {HURT} T33; {fall}; FightEnded G02"
    )


def test_leaving_a_melee() -> None:
    away = make_declaration("raider", "move", feet=10)
    found = list_cited_clauses(begin_uninterrupted(first="raider"), away, 12, 3, answers=("stated asha=15", "strike"))
    blow = f"Noted 035 T06; Rolled 008; Judged 008 T07; {HURT}"
    assert found == f"PoolChanged T13; {blow}; Moved T13; DistanceSet T13"


def test_a_riding_beast_and_its_rider() -> None:
    """Costs paid by the beast, with the Main Action, or by the rider."""
    fight = begin_uninterrupted(NAG, rides="nag")
    way = "PoolChanged 055; PoolChanged 055; Moved 055"
    main = make_declaration("nag", "move", feet=5, pay="main")
    assert (
        list_cited_clauses(fight, make_declaration("nag", "move", feet=5), answers=("stated",))
        == f"PoolChanged 053 054 055; {way}"
    )
    assert list_cited_clauses(fight, main, answers=("stated",)) == f"PoolChanged 053 054 055 T12 T50; {way}"
    blow = list_cited_clauses(fight, attack("asha", "raider", "sword_short"), 12, 3)
    assert blow == f"PoolChanged 008; Noted 035 T06; Rolled 008 014; Judged 008 T07; {HURT}"
    assert (
        list_cited_clauses(fight, make_wwn_ruling("distance", one="asha", other="raider", to=20)) == "DistanceSet 053"
    )
    rule(fight, "distance", one="asha", other="raider", to=20)
    assert list_cited_clauses(fight, make_wwn_ruling("melee", members=["asha", "nag", "raider"])) == "DistanceSet 053"
    rule(fight, "melee", members=["asha", "nag", "raider"])
    down = "PoolChanged 057 T12 T50; RelationSet 057; DistanceSet 057"
    assert list_cited_clauses(fight, make_declaration("asha", "dismount", pay="main")) == down
    rule(fight, "allow", who="nag", target="raider")
    start = "PoolChanged 053 054 008 059; Noted 035 T06; Rolled 008 059"
    assert list_cited_clauses(fight, attack("nag", "raider"), 12, 3) == f"{start}; Judged 008 T07; {HURT}"


def test_a_warhorse() -> None:
    """It attacks separately, and may fall."""
    fight = begin_uninterrupted(GREY, rides="grey")
    start = "PoolChanged 053 054 008 058 T32; Noted 035 T06; Rolled 008 058 T32"
    assert list_cited_clauses(fight, attack("grey", "raider"), 12, 3) == f"{start}; Judged 008 T07; {HURT}"
    fight = begin_uninterrupted(GREY, rides="grey", first="raider")
    rule(fight, "pool", who="grey", pool="hp", to=1)
    blow = f"PoolChanged 008; Noted 035 T06; Rolled 008 G04; Judged 008 T07; {HURT} T33 064"
    fall = "ConditionChanged T33; RelationSet 064; DistanceSet 064; ConditionChanged 064"
    assert list_cited_clauses(fight, attack("raider", "grey"), 19, 3) == f"{blow}; {fall}"


def test_the_course_of_rounds() -> None:
    """The order of the first round stays, unless it is rolled again."""
    fight = begin_uninterrupted(GREY, rides="grey", first="raider")
    done = "MemberDone 003; TurnEnded 003"
    assert (
        list_cited_clauses(fight, make_declaration("raider", "end_turn"))
        == f"{done}; RoundBegan G01 T36; TurnBegan 006; MarkSet 054"
    )
    fight = begin_uninterrupted(first="raider", config={"reroll_initiative": True})
    rolls = "Rolled 001 002; Rolled 003 004; OrderSet 006 007"
    assert (
        list_cited_clauses(fight, make_declaration("raider", "end_turn"), 8, 1)
        == f"{done}; {rolls}; RoundBegan G01; TurnBegan 006"
    )

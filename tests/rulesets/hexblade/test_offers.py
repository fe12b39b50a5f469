"""Candidates of each action of Hexblade before the legality check, and the actors of each phase."""

from __future__ import annotations

import pytest

from affray.engine.core.actions import Action
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.fight import Fight
from affray.engine.rulesets.hexblade.attack.melee import Attack
from affray.engine.rulesets.hexblade.attack.shots import Shoot
from affray.engine.rulesets.hexblade.chapters.disarm import Disarm
from affray.engine.rulesets.hexblade.chapters.downtime import RecoverAmmo, Repair
from affray.engine.rulesets.hexblade.chapters.grapple import BreakFree, Grapple
from affray.engine.rulesets.hexblade.chapters.knock_prone import KnockProne
from affray.engine.rulesets.hexblade.chapters.maneuvers import Cast, Maneuver, Use
from affray.engine.rulesets.hexblade.gear import Draw
from affray.engine.rulesets.hexblade.movement.moving import Move
from affray.engine.rulesets.hexblade.turns.order import list_movers, next_slot
from affray.engine.runtime.offer_tree import FieldStep, Offers
from tests.rulesets.hexblade.fights import TOLD, a_fight, act_in_hexblade, rule_in_hexblade
from tests.rulesets.offered import list_offered_actions as everything
from tests.rulesets.statistics import make_declaration, open_unstored_fight, submit_intent


def list_hexblade_offers(fight: Fight, kind: type[Action], who: str = "ash") -> list[Action]:
    """Return a combatant's candidates for a kind of action."""
    return everything(fight, kind, who)


def everything_of(fight: Fight) -> Offers:
    """Return what Ash may declare."""
    return Offers(fight.ruleset, fight.table, "ash", "standard")


def refused_way(fight: Fight, way: Move) -> str:
    """Return the clause by which Ash may not go a way."""
    with pytest.raises(Refused) as refused:
        way.check(fight.table, "ash", "standard")
    return refused.value.rule


@pytest.mark.parametrize("kind", [Attack, Disarm, Grapple, KnockProne, Shoot])
def test_blows_are_offered_against_everybody_else(kind: type[Action]) -> None:
    """In any order of joining and of names; the check decides about distance."""
    fight = a_fight()
    assert [one.target for one in list_hexblade_offers(fight, kind)] == ["brute", "bo", "zeno", "far"]  # type: ignore[attr-defined]
    assert [one.target for one in list_hexblade_offers(fight, kind, "far")] == ["brute", "ash", "bo", "zeno"]  # type: ignore[attr-defined]


def test_shoving_is_offered_against_enemies_who_are_adjacent() -> None:
    fight = a_fight()
    assert list_hexblade_offers(fight, Maneuver) == [
        Maneuver(what="shove", target="brute"),
        Maneuver(what="shove", target="zeno"),
    ]
    assert list_hexblade_offers(fight, Maneuver, "bo") == [Maneuver(what="shove", target="brute")]
    assert list_hexblade_offers(fight, Maneuver, "brute") == [
        Maneuver(what="shove", target="ash"),
        Maneuver(what="shove", target="bo"),
    ]
    assert list_hexblade_offers(fight, Maneuver, "far") == []


def test_whatever_else_is_tried_may_be_against_anybody_or_nobody() -> None:
    step = everything_of(a_fight()).step("maneuver", {"what": "sing"})
    assert isinstance(step, FieldStep)
    assert [one.value for one in step.choices] == ["", "brute", "bo", "zeno", "far"]
    assert {one.refused for one in step.choices} == {None}


def test_a_spell_is_offered_on_nobody_and_on_everybody_else() -> None:
    fight = a_fight()
    whom = ["", "brute", "ash", "zeno", "far"]
    assert list_hexblade_offers(fight, Cast, "bo") == [Cast(spell="bo.flash", target=one) for one in whom]
    assert list_hexblade_offers(fight, Cast) == []


def test_what_is_carried_is_offered_for_use_and_bare_hands_are_not() -> None:
    fight = a_fight()
    assert list_hexblade_offers(fight, Use) == [Use(item=f"ash.{one}") for one in ("lamp", "long-sword", "rope")]


def test_what_is_carried_or_lies_about_is_offered_to_be_taken() -> None:
    """No other combatant's items."""
    fight = a_fight()
    rule_in_hexblade(fight, "drop", item="brute.great-sword")
    found = {one.item for one in list_hexblade_offers(fight, Draw)}  # type: ignore[attr-defined]
    assert {"ash.lamp", "ash.rope", "ash.long-sword", "brute.great-sword"} <= found
    assert {one.partition(".")[0] for one in found} == {"ash", "brute"}
    assert "brute.unarmed" not in found


def test_breaking_free_is_offered_of_each_who_holds_one() -> None:
    fight = a_fight()
    assert list_hexblade_offers(fight, BreakFree) == [BreakFree()]
    act_in_hexblade(fight, "ash", "grapple", target="brute", faces=(20, 1))
    assert list_hexblade_offers(fight, BreakFree) == [BreakFree(), BreakFree(target="brute")]
    assert list_hexblade_offers(fight, BreakFree, "brute") == [BreakFree(), BreakFree(target="ash")]


def test_ways_are_offered_within_the_feet_that_are_left() -> None:
    """No way leads through an enemy or ends on a combatant; off the map there is none."""
    fight = a_fight()
    rule_in_hexblade(fight, "pool", who="ash", pool="movement", to=10)
    ends = {one.path[-1]: one.path for one in list_hexblade_offers(fight, Move)}  # type: ignore[attr-defined]
    assert ends == {
        "1,-1": ("1,-1",),
        "-1,0": ("-1,0",),
        "-1,1": ("-1,1",),
        "2,-2": ("1,-1", "2,-2"),
        "1,-2": ("1,-1", "1,-2"),
        "2,-1": ("1,-1", "2,-1"),
        "-1,-1": ("-1,0", "-1,-1"),
        "-2,0": ("-1,0", "-2,0"),
        "-2,1": ("-1,0", "-2,1"),
        "-2,2": ("-1,1", "-2,2"),
        "-1,2": ("-1,1", "-1,2"),
        "1,1": ("0,1", "1,1"),
        "0,2": ("0,1", "0,2"),
    }
    assert list_hexblade_offers(fight, Move, "bo") == []
    rule_in_hexblade(fight, "outcome", who="zeno", to="slain")
    rule_in_hexblade(fight, "outcome", who="zeno", to="stands")
    assert list_hexblade_offers(fight, Move, "zeno") == []


def test_who_says_where_to_needs_no_way() -> None:
    assert everything_of(a_fight()).step("move", {"to": "1,-1"}) == Move(to="1,-1")


WAYS = (Move(), Move(to="1,-1"), Move(to="there"))


def test_who_is_held_is_told_so_before_a_way_is_looked_for() -> None:
    """Also of a way that makes no sense."""
    fight = a_fight()
    act_in_hexblade(fight, "ash", "grapple", target="brute", faces=(20, 1))
    assert {refused_way(fight, way) for way in WAYS} == {"HEX-G02"}
    no = dict(everything_of(fight).kinds())["move"]
    assert isinstance(no, Refused)
    assert no.rule == "HEX-G02"


def test_who_is_off_the_map_is_told_so_before_a_way_is_looked_for() -> None:
    fight = a_fight()
    rule_in_hexblade(fight, "outcome", who="ash", to="slain")
    rule_in_hexblade(fight, "outcome", who="ash", to="stands")
    assert {refused_way(fight, way) for way in WAYS} == {"HEX-071"}


def test_after_the_fight_missiles_and_damaged_things_are_offered() -> None:
    fight = a_fight()
    rule_in_hexblade(fight, "item", item="bo.arrow", counter="spent", to=3)
    rule_in_hexblade(fight, "recoverable", item="bo.arrow")
    rule_in_hexblade(fight, "wear", item="ash.long-sword", to="damaged")
    assert list_hexblade_offers(fight, RecoverAmmo, "bo") == [RecoverAmmo(), RecoverAmmo(item="bo.arrow")]
    assert list_hexblade_offers(fight, RecoverAmmo) == [RecoverAmmo()]
    assert list_hexblade_offers(fight, Repair, "bo") == [Repair(item="ash.long-sword")]


def test_who_may_act_is_asked_for_each_phase() -> None:
    """Before the fight the game master, then those without a roll, the next, the active one; finally all."""
    fight = open_unstored_fight(TOLD)
    assert list(list_movers(fight.table)) == [("gm", "standard")]
    rule_in_hexblade(fight, "dice", owner="*", source="entered")
    act_in_hexblade(fight, "gm", "begin")
    assert list(list_movers(fight.table)) == [("ash", "standard"), ("bo", "standard")]
    act_in_hexblade(fight, "ash", "roll_initiative", faces=(19,))
    assert list(list_movers(fight.table)) == [("bo", "standard")]
    act_in_hexblade(fight, "bo", "roll_initiative", faces=(3,))
    assert list(list_movers(fight.table)) == [("ash", "standard")]
    act_in_hexblade(fight, "ash", "begin_turn")
    assert list(list_movers(fight.table)) == [("ash", "standard")]
    submit_intent(fight, make_declaration("ash", "maneuver", what="shove", target="brute"))
    assert list(list_movers(fight.table)) == []
    rule_in_hexblade(fight, "end")
    assert [who for who, _ in list_movers(fight.table)] == ["brute", "ash", "bo", "zeno", "far"]
    assert {manner for _, manner in list_movers(fight.table)} == {"standard"}


def test_what_is_remembered_of_the_order_holds_for_that_order_and_round() -> None:
    """A combatant put before those who acted is next; the next round starts from the beginning."""
    fight = a_fight()
    act_in_hexblade(fight, "ash", "end_turn")
    draft = fight.table.draft
    table = Table(draft, fight.table.config)
    ids = [slot.id for slot in draft.slots]
    assert ids == ["ash", "bo", "zeno", "brute", "far"]
    first = next_slot(table)
    assert first is not None
    assert first.id == "bo"
    draft.slots = tuple(sorted(draft.slots, key=lambda slot: slot.id != "far"))
    again = next_slot(table)
    assert again is not None
    assert again.id == "far"
    assert next_slot(table) == again
    draft.counts.clear()
    draft.round += 1
    draft.slots = tuple(sorted(draft.slots, key=lambda slot: slot.id != "ash"))
    assert next_slot(table) == draft.slots[0]

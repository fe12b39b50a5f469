"""Preferences of a sensible fighter of Hexblade: the weak first, weapons before fists, no friends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from affray.engine.core.actions import Action
from affray.engine.core.table import Table
from affray.engine.fight import Fight
from affray.engine.kit.odds import combine, find_mean
from affray.engine.rulesets.hexblade.attack.melee import Attack
from affray.engine.rulesets.hexblade.attack.shots import Shoot
from affray.engine.rulesets.hexblade.chapters.disarm import Disarm
from affray.engine.rulesets.hexblade.chapters.downtime import RecoverAmmo, Repair
from affray.engine.rulesets.hexblade.chapters.grapple import BreakFree, Grapple
from affray.engine.rulesets.hexblade.chapters.knock_prone import KnockProne
from affray.engine.rulesets.hexblade.chapters.maneuvers import Cast, Maneuver, Use
from affray.engine.rulesets.hexblade.gear import Draw, find_armor, find_die, find_melee_weapon, list_weapon_modifiers
from affray.engine.rulesets.hexblade.movement.moving import Move, Sprint, Stand
from affray.engine.rulesets.hexblade.odds import Arms, Roll, blow_harm, oppose_rolls
from affray.engine.rulesets.hexblade.policy import appraise
from affray.engine.rulesets.hexblade.turns.procedures import Begin, BeginTurn, EndTurn, RollInitiative
from affray.events import DiceEntered, Event, Ruled
from tests.rulesets.statistics import make_declaration, open_unstored_fight, params, submit_intent

ASH = {"name": "Ash", "side": "party", "block": "fighter", "at": "0,0", "belt": ["rope"], "pack": ["lamp"]}
BO = {"name": "Bo", "side": "party", "block": "archer", "at": "0,2"}
BRUTE = {"name": "Brute", "side": "foes", "block": "brute", "at": "3,0"}
SCOUT = {"name": "Scout", "side": "foes", "block": "bandit", "hp": 8, "at": "6,0"}

Said = tuple[str, dict[str, Any]]


def at_table(*rulings: Said, **other: dict[str, Any]) -> Table:
    """Return a fight of four, with changed entries for some, after some rulings."""
    people = [{**one, **other.get(str(one["name"]).lower(), {})} for one in (ASH, BO, BRUTE, SCOUT)]
    fight = open_unstored_fight({"system": "hexblade", "board": {}, "combatant": people})
    submit_intent(fight, make_declaration("gm", "begin"))
    for kind, said in rulings:
        submit_intent(fight, Ruled(kind=kind, params=params(**said), reason="so it is"))
    return fight.table


def likes(table: Table, who: str, action: Action) -> float:
    """Return how good an action looks."""
    return appraise(table, who, action, "standard")


GONE: Said = ("outcome", {"who": "brute", "to": "down"})
BARE: Said = ("drop", {"item": "ash.long-sword"})


@pytest.mark.parametrize(
    ("who", "action", "rulings"),
    [
        ("ash", Attack(target="bo"), []),
        ("ash", Attack(target="brute"), [GONE]),
        ("ash", Shoot(target="bo"), []),
    ],
)
def test_a_blow_is_for_an_enemy_who_stands(who: str, action: Action, rulings: list[Said]) -> None:
    assert likes(at_table(*rulings), who, action) == -90


def test_a_blow_is_worth_what_it_takes_less_what_the_answer_takes() -> None:
    """By the chances of the book: who rolls higher, and what armour leaves of the damage."""
    table = at_table()
    mine, theirs = _blade(table, "ash"), _blade(table, "brute")
    ends = oppose_rolls(Roll(mine.bonus), Roll(theirs.bonus))
    won, lost = ends["wins"] + ends["both"], ends["loses"] + ends["both"]
    taken = find_share_taken(mine._replace(armor=_armor(table, "brute")), table.pool("brute", "hp"))
    paid = find_share_taken(theirs._replace(armor=_armor(table, "ash")), table.pool("ash", "hp"))
    assert likes(table, "ash", Attack(target="brute")) == pytest.approx(65 + 10 * float(won * taken - lost * paid))


def _blade(table: Table, who: str) -> Arms:
    """Return a weapon whose attribute is added to the roll and to the damage."""
    weapon = find_melee_weapon(table, who)
    bonus = sum(term.value for term in list_weapon_modifiers(table, who, weapon))
    return Arms(find_die(weapon), bonus)


def _armor(table: Table, who: str) -> int:
    armor = find_armor(table, who)
    return find_die(armor) if armor else 0


def find_share_taken(arms: Arms, left: int) -> Fraction:
    return find_mean(combine(lambda amount: min(amount, left), blow_harm(arms))) / left


def test_the_weak_come_first_and_fists_are_the_worse_weapon() -> None:
    table = at_table()
    assert likes(table, "ash", Attack(target="scout")) > likes(table, "ash", Attack(target="brute")) > 60
    assert 40 < likes(at_table(BARE), "ash", Attack(target="brute")) < 50
    bare = at_table(("drop", {"item": "bo.dagger"}))
    assert likes(table, "bo", Shoot(target="brute")) == likes(bare, "bo", Shoot(target="brute")) > 65


def test_the_plain_ones_have_fixed_worths() -> None:
    """Beginning before anything else, standing up, and ending the turn before what is mostly foolish."""
    worth: dict[Action, float] = {
        Begin(): 90,
        RollInitiative(): 90,
        BeginTurn(): 90,
        Stand(): 70,
        Grapple(target="brute"): -20,
        KnockProne(target="brute"): -10,
        Disarm(target="brute"): -10,
        Maneuver(what="shove"): -30,
        Sprint(): 5,
        EndTurn(): 10,
        Cast(spell="flash"): 15,
        Use(item="ash.rope"): -5,
        RecoverAmmo(): 20,
        Repair(item="ash.long-sword"): 20,
    }
    table = at_table()
    assert {action: likes(table, "ash", action) for action in worth} == worth


@pytest.mark.parametrize(
    ("to", "worth"), [("1,0", 31), ("2,0", 32), ("0,1", -60), ("-1,0", -60), ("0,0", -60), ("1,-1", -60)]
)
def test_a_way_is_worth_the_hexes_it_brings_the_nearest_enemy_nearer(to: str, worth: float) -> None:
    """The brute is three hexes away; ways that come no nearer are worth nothing."""
    table = at_table()
    assert likes(table, "ash", Move(to=to)) == worth
    assert likes(table, "ash", Move(path=("1,0", to))) == worth


def test_a_way_is_measured_to_the_nearest_enemy_wherever_it_leads() -> None:
    """Nearer to the far one is no nearer, unless that becomes the nearest."""
    table = at_table(brute={"at": "-4,0"}, scout={"at": "5,0"})
    assert likes(table, "ash", Move(to="1,0")) == -60
    assert likes(table, "ash", Move(to="2,0")) == 30 + 4 - 3
    assert likes(table, "ash", Move(to="-2,0")) == 30 + 4 - 2


def test_whoever_is_beside_an_enemy_stays_there() -> None:
    assert likes(at_table(brute={"at": "1,0"}), "ash", Move(to="0,1")) == -60
    assert likes(at_table(brute={"at": "2,0"}), "ash", Move(to="1,0")) == 31


def test_only_enemies_who_stand_and_are_on_the_map_draw_anybody() -> None:
    """The nearest one is down, then off the map; without any, no combatant moves."""
    assert likes(at_table(GONE), "ash", Move(to="2,0")) == 30 + 6 - 4
    slain: Said = ("outcome", {"who": "brute", "to": "slain"})
    assert likes(at_table(slain), "ash", Move(to="2,0")) == 30 + 6 - 4
    assert likes(at_table(slain, ("outcome", {"who": "scout", "to": "slain"})), "ash", Move(to="2,0")) == -60


@pytest.mark.parametrize(
    ("rulings", "worth"),
    [
        ([], -60),
        ([("item", {"item": "bo.arrow", "counter": "left", "to": 0})], 31),
        ([("wear", {"item": "bo.shortbow", "to": "broken"})], 31),
        ([("drop", {"item": "bo.shortbow"})], 31),
        ([("wear", {"item": "bo.shortbow", "to": "damaged"})], -60),
    ],
)
def test_an_archer_stays_where_it_can_shoot(rulings: list[Said], worth: float) -> None:
    assert likes(at_table(*rulings), "bo", Move(to="1,1")) == worth


def test_only_who_is_held_wants_to_break_free() -> None:
    """A combatant that holds another, or that is not held, has better actions."""
    fight = open_unstored_fight({"system": "hexblade", "board": {}, "combatant": [ASH, {**BRUTE, "at": "1,0"}, SCOUT]})
    submit_intent(fight, Ruled(kind="dice", params=params(owner="*", source="entered"), reason="real dice"))
    submit_intent(fight, make_declaration("gm", "begin"))
    for intent, *faces in ((make_declaration("ash", "roll_initiative"), 20), (make_declaration("ash", "begin_turn"),)):
        submit_with_dice(fight, intent, *faces)
    assert [likes(fight.table, who, BreakFree()) for who in ("ash", "brute")] == [-20, -20]
    submit_with_dice(fight, make_declaration("ash", "grapple", target="brute"), 20, 1)
    assert fight.state.relations
    assert [likes(fight.table, who, BreakFree()) for who in ("ash", "brute", "scout")] == [-20, 40, -20]


def submit_with_dice(fight: Fight, intent: Event, *faces: int) -> None:
    """Do something, and enter a face for each die that is awaited."""
    submit_intent(fight, intent)
    for face in faces:
        assert fight.state.awaited is not None
        submit_intent(fight, DiceEntered(roll=fight.state.awaited.roll, faces=(face,)))


AXE = {"weapons": ["long-sword", "hand-axe", "shortbow"]}


@pytest.mark.parametrize(
    ("item", "rulings", "worth"),
    [
        ("ash.hand-axe", [BARE], 60),
        ("ash.long-sword", [BARE], 60),
        ("ash.hand-axe", [], -20),
        ("ash.rope", [BARE], -20),
        ("ash.shortbow", [BARE], -20),
        ("ash.hand-axe", [BARE, ("wear", {"item": "ash.hand-axe", "to": "broken"})], -20),
        ("ash.hand-axe", [BARE, ("wear", {"item": "ash.hand-axe", "to": "damaged"})], 60),
        ("ash.hand-axe", [("wear", {"item": "ash.long-sword", "to": "broken"})], 60),
    ],
)
def test_bare_hands_want_a_blade(item: str, rulings: list[Said], worth: float) -> None:
    assert likes(at_table(*rulings, ash=AXE), "ash", Draw(item=item)) == worth


@pytest.mark.parametrize(
    ("foe", "rulings", "worth"),
    [
        ("1,0", [], 60),
        ("2,0", [], -20),
        ("2,0", [("item", {"item": "ash.arrow", "counter": "left", "to": 0})], 60),
        ("2,0", [("wear", {"item": "ash.shortbow", "to": "broken"})], 60),
        ("1,0", [("outcome", {"who": "brute", "to": "down"})], -20),
    ],
)
def test_an_archer_draws_a_blade_when_somebody_is_near(foe: str, rulings: list[Said], worth: float) -> None:
    """Or when there is nothing to shoot with any more."""
    table = at_table(*rulings, ash={"weapons": ["shortbow", "hand-axe"]}, brute={"at": foe})
    assert likes(table, "ash", Draw(item="ash.hand-axe")) == worth

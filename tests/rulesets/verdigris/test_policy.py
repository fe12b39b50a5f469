"""Preferences of a sensible fighter of Verdigris."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import fields

from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.actions import Action
from affray.engine.fight import Fight
from affray.engine.kit.odds import combine, find_mean
from affray.engine.kit.sheets import stat
from affray.engine.rulesets.verdigris.attack.attacks import Attack
from affray.engine.rulesets.verdigris.chapters.called_shots import CalledShot
from affray.engine.rulesets.verdigris.gear.things import bonus_of, damage_of
from affray.engine.rulesets.verdigris.movement.leaving import LeaveMelee
from affray.engine.rulesets.verdigris.movement.moving import EnterMelee, Move
from affray.engine.rulesets.verdigris.odds import Pool, Target, damage
from affray.engine.rulesets.verdigris.policy import appraise
from affray.engine.rulesets.verdigris.turns.initiative import Begin
from affray.engine.runtime.offers import LegalAction, list_legal_actions
from tests.rulesets.verdigris.moments import HALL_AND_YARD, moment, one_of_us, orc

FAVOURED = {
    "heal": 65.0,
    "mount_attack": 62.0,
    "struggle": 58.0,
    "light_match": 57.0,
    "reload": 55.0,
    "begin_turn": 50.0,
    "roll_initiative": 50.0,
    "draw": 47.0,
    "control_mount": 46.0,
    "douse": 40.0,
    "break_grapple": 30.0,
    "tick_minute": 30.0,
    "called_shot": 20.0,
    "calm": 15.0,
    "ready": 12.0,
    "end_turn": 10.0,
    "stand": 9.0,
    "grapple": 8.0,
    "use": 2.0,
    "spend_inspiration": 1.0,
    "surprise_check": -5.0,
    "mount": -5.0,
    "take_pack_item": -5.0,
    "improvise": -10.0,
    "leave_melee": -10.0,
    "dismount": -20.0,
    "drop": -50.0,
}
"""Whatever is liked for what it is, whoever does it: to help, to be ready to strike, not to give anything away."""


def rate_action(fight: Fight, who: str, action: Action) -> float:
    """Return the appraisal of a combatant's action."""
    return appraise(fight.table, who, action, "standard")


def fight(*given: str, **ada: Any) -> Fight:
    """Ada and Bram in the hall with an orc, an ogre and a rider; a goblin in the yard, and a tower behind."""
    zones = [*HALL_AND_YARD, {"name": "tower", "exits": ["yard"]}]
    people = [
        one_of_us("Ada", **{"at": "hall", **ada}),
        one_of_us("Bram", at="hall"),
        orc("Orc", at="hall"),
        orc("Ogre", block="ogre", at="hall"),
        orc("Rider", at="hall", mount="courser"),
        orc("Goblin", block="goblin", at="yard"),
    ]
    return moment({"zone": zones, "combatant": people}, "begin", *given)


def test_what_is_liked_for_what_it_is() -> None:
    """In this order, every declarable action that does not depend on the moment."""
    kinds = fight().ruleset.actions
    found = {}
    for kind, action in kinds.items():
        if kind not in {
            "attack",
            "begin",
            "enter_melee",
            "move",
            "check",
            "damage",
            "free_attack",
            "harm",
            "morale",
            "nerve",
        }:
            needed = {field.name: "orc" for field in fields(action) if field.required}
            found[kind] = rate_action(fight(), "ada", action(**needed))
    assert dict(sorted(found.items(), key=lambda one: (-one[1], one[0]))) == FAVOURED


def test_a_fight_is_begun_without_a_surprise() -> None:
    assert rate_action(fight(), "gm", Begin()) > rate_action(fight(), "gm", Begin(surprising="party")) == 0


def test_nothing_is_done_before_a_fight_that_cannot_begin() -> None:
    """Without an able party member there is no fight, and no observer of an ambush."""
    people = [one_of_us("Ada", at="hall"), orc("Orc", at="hall")]
    fight = moment({"zone": HALL_AND_YARD, "combatant": people}, "rule condition ada unconscious")
    assert [way for way in list_legal_actions(fight.ruleset, fight.table) if isinstance(way, LegalAction)] == []
    assert choose_sensibly(fight, Random(0)) is None


def test_an_attack_promises_more_with_a_better_weapon_on_somebody_weaker() -> None:
    """Damage and gear dice count, and how much of what is left of the hit points they take; the rider first."""
    here = fight(weapons=["spear"])
    spear = rate_action(here, "ada", Attack(target="orc"))
    assert rate_action(here, "ada", Attack(target="orc", grip="two")) > spear
    assert rate_action(here, "ada", Attack(target="orc", weapon="ada.unarmed")) < spear
    assert rate_action(here, "ada", Attack(target="ogre")) < spear
    rider = rate_action(here, "ada", Attack(target="rider", strike="rider"))
    assert rate_action(here, "ada", Attack(target="rider", strike="mount")) == rider - 1


def test_an_attack_is_worth_what_the_book_says_of_its_dice() -> None:
    """The mean of the damage that the tables of the book show, up to the hit points that are left, over these."""
    here = fight(weapons=["spear"])
    orc, spear = here.table["orc"], here.table.item("ada.spear")
    dice = stat(here.table, "ada", "strength") + stat(here.table, "ada", "heavy weapons") + bonus_of(spear, "one")
    target = Target(orc.stats["dodge"], orc.stats["withstand"])
    taken = combine(lambda amount: min(amount, orc.pools["hp"]), damage(Pool(dice), target, damage_of(spear, "one")))
    assert rate_action(here, "ada", Attack(target="orc")) == pytest.approx(
        60 + 10 * float(find_mean(taken)) / orc.pools["hp"]
    )


def test_a_weapon_for_two_hands_is_held_in_both() -> None:
    """The war pick is flexible, and does less in one hand; the long sword always takes both."""
    sword = fight(weapons=["long-sword"])
    assert rate_action(sword, "ada", Attack(target="orc")) == rate_action(
        sword, "ada", Attack(target="orc", grip="two")
    )
    pick = fight(weapons=["war-pick"])
    assert rate_action(pick, "ada", Attack(target="orc")) < rate_action(pick, "ada", Attack(target="orc", grip="two"))


def test_who_is_down_already_is_no_good_target() -> None:
    here = fight("rule condition orc unconscious 1", weapons=["dagger"])
    assert 40 < rate_action(here, "ada", Attack(target="orc")) < 41


@pytest.mark.parametrize(
    ("weapons", "wants"), [([], True), (["dagger"], True), (["long-sword"], True), (["shortbow"], False)]
)
def test_who_has_nothing_to_shoot_closes_in(weapons: list[str], wants: bool) -> None:
    assert rate_action(fight(weapons=weapons), "ada", EnterMelee(target="orc")) == (45.0 if wants else 5.0)


def test_what_is_not_in_hand_is_not_shot_with() -> None:
    """A bow on the back, a shield in the other hand."""
    arms = [{"weapon": "dagger"}, {"weapon": "shortbow", "where": "belt"}]
    assert rate_action(fight(weapons=arms, shield="heater"), "ada", EnterMelee(target="orc")) == 45.0


def test_where_to_go() -> None:
    """To enemies, if none are near; not away from any, nor out of a melee, nor with a bow in hand."""
    here = "rule place ada tower"
    assert rate_action(fight(here), "ada", Move(to="yard")) == 40.0
    gone = (here, "rule place goblin hall")
    assert rate_action(fight(*gone), "ada", Move(to="yard")) == 30.0
    assert rate_action(fight(here, "rule condition goblin unconscious 1"), "ada", Move(to="yard")) == 30.0
    assert rate_action(fight(), "ada", Move(to="yard")) == -60.0
    assert rate_action(fight(here, weapons=["shortbow"]), "ada", Move(to="yard")) == -60.0
    melee = fight("rule place bram yard", "rule place ada yard", "rule melee ada;goblin")
    assert rate_action(melee, "ada", Move(to="tower")) == -60.0


def test_animals_and_friends_draw_nobody() -> None:
    """A riderless horse of the enemies', and Bram, are no reason to stay or to go."""
    alone = fight("rule place ada tower", "rule place bram tower", "rule condition rider slain 1")
    moved = ("rule place ada tower", "rule condition rider slain 1", "rule place rider-courser tower")
    assert rate_action(alone, "ada", Move(to="yard")) == 40.0
    assert rate_action(fight(*moved), "ada", Move(to="yard")) == 40.0
    away = (*moved, "rule place goblin hall", "rule place rider-courser yard")
    assert rate_action(fight(*away), "ada", Move(to="yard")) == 30.0


def test_who_melees_does_not_go_without_leaving() -> None:
    """A combatant in a melee of fallen enemies prefers to stay."""
    down = ("rule melee ada;goblin", "rule condition goblin unconscious 1")
    melee = fight("rule place ada yard", *down)
    assert rate_action(melee, "ada", Move(to="tower")) == -60.0


def test_who_flees_would_rather_leave() -> None:
    here = fight("rule condition ada fleeing 1")
    assert rate_action(here, "ada", LeaveMelee()) == 50.0
    assert rate_action(here, "bram", LeaveMelee()) == -10.0
    assert rate_action(here, "ada", CalledShot(target="orc", purpose="vital")) == 20.0

"""Candidates of players and the game master, by action, before the rules' checks; and the actors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from affray.engine import Fight
from affray.engine.core.actions import Action
from affray.engine.rulesets.wyrd.attack.engage import Engage
from affray.engine.rulesets.wyrd.attack.foe_attacks import Attack
from affray.engine.rulesets.wyrd.attack.shots import Fire
from affray.engine.rulesets.wyrd.chapters.recovery import Revive
from affray.engine.rulesets.wyrd.chapters.spells import Spell
from affray.engine.rulesets.wyrd.chapters.stunts import Stunt
from affray.engine.rulesets.wyrd.movement.moving import Move
from affray.engine.rulesets.wyrd.rulings.fight import Harm
from affray.engine.runtime.offers import list_legal_actions, list_movers
from tests.rulesets.offered import list_offered_actions
from tests.rulesets.statistics import make_declaration, submit_intent
from tests.rulesets.wyrd.moments import BANDIT, GROG, MIRA, ORC, moment, ruling


def offers(fight: Fight, who: str, kind: str) -> list[str]:
    """Return a combatant's candidates for an action: their values, joined by commas; ``-`` for none."""
    found = list_offered_actions(fight, fight.ruleset.actions[kind], who)
    return [_short(msgspec.json.decode(msgspec.json.encode(one))) for one in found]


def _short(said: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in said.items()) or "-"


def test_every_enemy_is_engaged_plainly_pushed_by_either_ability_and_with_each_weapon() -> None:
    fight = moment(GROG, MIRA, ORC, BANDIT)
    assert offers(fight, "grog", "engage") == [
        line
        for foe in ("orc", "bandit")
        for line in (
            f"target={foe}",
            f"push=True,target={foe}",
            f"ability=power,target={foe}",
            f"ability=grace,target={foe}",
            f"target={foe},weapon=grog.greatsword",
            f"target={foe},weapon=grog.dirk",
        )
    ]


def test_weapons_in_hand_come_first_main_hand_and_off_hand() -> None:
    fight = moment({**MIRA, "in_hand": ["dagger", "shortsword"]}, ORC)
    assert offers(fight, "mira", "engage")[4:] == ["target=orc,weapon=mira.dagger", "target=orc,weapon=mira.shortsword"]


def test_only_who_has_something_to_shoot_is_offered_a_shot() -> None:
    fight = moment(GROG, MIRA, ORC, BANDIT)
    assert not [line for line in _all(fight) if line.startswith("grog fire")]
    assert offers(fight, "mira", "fire") == [
        "target=orc",
        "push=True,target=orc",
        "target=orc,weapon=mira.longbow",
        "target=bandit",
        "push=True,target=bandit",
        "target=bandit,weapon=mira.longbow",
    ]


def test_foes_attack_with_what_is_at_hand_with_melee_weapons_and_with_what_shoots() -> None:
    fight = moment(GROG, {**MIRA, "pc": False, "side": "b"})
    assert offers(fight, "mira", "attack") == [
        "target=grog",
        "target=grog,weapon=mira.shortsword",
        "target=grog,weapon=mira.dagger",
        "target=grog,weapon=mira.longbow",
    ]


def test_what_is_knocked_away_or_destroyed_is_not_offered() -> None:
    ruled = (ruling("condition", who="grog", condition="disarmed"), ruling("step", item="mira.dagger", by=-5))
    fight = moment(GROG, MIRA, ORC, ruled=ruled)
    assert offers(fight, "grog", "engage")[4:] == ["target=orc,weapon=grog.dirk"]
    assert offers(fight, "mira", "engage")[4:] == ["target=orc,weapon=mira.shortsword"]


def test_each_known_stunt_against_each_enemy() -> None:
    fight = moment(GROG, MIRA, ORC, BANDIT)
    effects = ("shoved", "prone", "disarmed", "armor_step_down")
    assert offers(fight, "mira", "stunt") == [
        f"effect={effect},target={foe}" for effect in effects for foe in ("orc", "bandit")
    ]


def test_protection_is_put_on_or_taken_off() -> None:
    fight = moment({**GROG, "protection": ["maille", "helmet"]}, ORC)
    assert offers(fight, "grog", "wear") == ["item=grog.helmet,off=True", "item=grog.maille,off=True"]
    submit_intent(fight, make_declaration("grog", "wear", item="grog.helmet", off=True))
    assert offers(fight, "grog", "wear") == ["item=grog.helmet", "item=grog.maille,off=True"]


def test_each_weapon_that_shoots_may_be_reloaded_or_the_first_that_is_empty() -> None:
    fight = moment(GROG, {**MIRA, "weapons": ["musket", "wheellock", "dagger"]}, ORC)
    assert offers(fight, "mira", "reload") == ["weapon=mira.musket", "weapon=mira.wheellock", "-"]
    assert offers(fight, "grog", "reload") == ["-"]


def test_without_places_one_moves_into_contact() -> None:
    fight = moment(GROG, MIRA, ORC, BANDIT)
    into = [f"contact={foe}{how}" for foe in ("orc", "bandit") for how in ("", ",pay=action")]
    assert offers(fight, "grog", "move") == ["-", "pay=action", *into]


PLACES = [{"name": "gate", "exits": ["yard"]}, {"name": "yard"}, {"name": "tower"}]


def places(fight: Fight, who: str) -> list[str]:
    """Return the places that a combatant is offered, for the move and without contact."""
    return [one for one in offers(fight, who, "move") if "contact" not in one and "pay" not in one]


def test_one_goes_through_the_exits_of_a_place_or_anywhere_if_it_names_none() -> None:
    people = ({**GROG, "at": "gate"}, {**MIRA, "at": "yard"}, {**ORC, "at": "tower"})
    fight = moment(*people, place=PLACES)
    assert places(fight, "grog") == ["-", "to=yard"]
    assert places(fight, "mira") == ["-", "to=gate", "to=tower"]
    assert [one for one in offers(fight, "mira", "move") if "contact" in one and "pay" not in one] == [
        "to=tower,contact=orc"
    ]


def test_places_that_nothing_is_known_of_lead_nowhere() -> None:
    fight = moment({**GROG, "at": "gate"}, {**ORC, "at": "gate"})
    assert places(fight, "grog") == ["-"]


def test_whoever_is_down_may_be_revived() -> None:
    fallen = tuple(ruling("condition", who=who, condition="incapacitated") for who in ("mira", "orc"))
    fight = moment(GROG, MIRA, ORC, BANDIT, ruled=fallen)
    assert offers(fight, "grog", "revive") == ["target=mira", "target=orc"]
    held = moment(GROG, MIRA, ORC, BANDIT, ruled=(ruling("condition", who="mira", condition="prone"),))
    assert offers(held, "grog", "revive") == []


def test_the_fight_begins_plainly_by_the_encounter_roll_or_with_a_surprise() -> None:
    fight = moment(GROG, ORC, begun=False)
    assert offers(fight, "gm", "begin") == ["-", "pcs_surprised=True", "cause=encounter_roll"]
    assert list_movers(fight.ruleset, fight.table) == [("gm", "standard")]


def test_in_a_turn_those_who_are_not_done_act() -> None:
    fight = moment(GROG, MIRA, ORC)
    assert list_movers(fight.ruleset, fight.table) == [("grog", "standard"), ("mira", "standard")]
    submit_intent(fight, make_declaration("grog", "end_turn"))
    assert list_movers(fight.ruleset, fight.table) == [("mira", "standard")]


def test_after_the_fight_all_but_the_dead_mend_and_rest() -> None:
    worn = {**GROG, "current": {"maille": 4, "power": 4}, "fatigue": 2}
    dead = ruling("condition", who="mira", condition="dead")
    fight = moment(worn, MIRA, ORC, ruled=(dead, ruling("end")))
    assert list_movers(fight.ruleset, fight.table) == [("grog", "standard"), ("orc", "standard")]
    assert offers(fight, "grog", "repair") == ["item=grog.maille"]
    assert offers(fight, "grog", "rest") == ["-", "kind=downtime"]
    assert [line for line in _all(fight) if not line.startswith("orc")] == [
        "grog repair item=grog.maille",
        "grog rest -",
        "grog rest kind=downtime",
    ]


def _all(fight: Fight) -> Iterator[str]:
    for one in list_legal_actions(fight.ruleset, fight.table):
        said = one.intent
        yield f"{said.actor} {said.kind} {_short(msgspec.json.decode(bytes(said.params)))}"  # type: ignore[union-attr]


def test_while_something_is_asked_nobody_acts() -> None:
    fight = moment(GROG, MIRA, ORC)
    submit_intent(fight, make_declaration("grog", "improvise", what="hide"))
    assert list_movers(fight.ruleset, fight.table) == []
    mending = moment({**GROG, "current": {"maille": 4}}, ORC, ruled=(ruling("end"),))
    submit_intent(mending, make_declaration("grog", "repair", item="grog.maille"))
    assert list_movers(mending.ruleset, mending.table) == []


@pytest.mark.parametrize(
    ("action", "targets"),
    [
        (Spell(what="light"), ()),
        (Spell(what="fire", target="orc"), ("orc",)),
        (Stunt(effect="other", what="swings"), ()),
        (Stunt(effect="prone", target="orc"), ("orc",)),
        (Engage(target="orc"), ("orc",)),
        (Fire(target="orc"), ("orc",)),
        (Attack(target="grog"), ("grog",)),
        (Revive(target="mira"), ("mira",)),
        (Harm(who="orc", amount=1), ("orc",)),
        (Move(), ()),
    ],
)
def test_an_action_knows_at_whom_it_is_aimed(action: Action, targets: tuple[str, ...]) -> None:
    assert action.targets() == targets


def test_the_off_hand_comes_before_what_is_carried() -> None:
    people = {**MIRA, "weapons": ["dagger", "dirk", "mace"], "in_hand": ["dirk", "mace"]}
    found = offers(moment(people, ORC), "mira", "engage")[4:]
    assert found == [f"target=orc,weapon=mira.{one}" for one in ("dirk", "mace", "dagger")]

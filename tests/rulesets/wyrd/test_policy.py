"""Preferences of a sensible fighter: the best preview, standing foes, a target in reach."""

from __future__ import annotations

import pytest

from affray.engine import Fight
from affray.engine.core.actions import Action
from affray.engine.kit.odds import combine, find_mean
from affray.engine.rulesets.wyrd.attack.engage import Engage
from affray.engine.rulesets.wyrd.attack.foe_attacks import Attack
from affray.engine.rulesets.wyrd.attack.shots import Fire
from affray.engine.rulesets.wyrd.chapters.recovery import Repair, Rest, Revive
from affray.engine.rulesets.wyrd.chapters.spells import Spell
from affray.engine.rulesets.wyrd.chapters.stunts import Improvise, Stunt
from affray.engine.rulesets.wyrd.gear.handling import Reload, Wear
from affray.engine.rulesets.wyrd.movement.moving import Move
from affray.engine.rulesets.wyrd.odds import blow_effects, success_chance
from affray.engine.rulesets.wyrd.policy import appraise
from affray.engine.rulesets.wyrd.rulings.fight import Harm
from affray.engine.rulesets.wyrd.turns.sides import Begin
from affray.engine.rulesets.wyrd.turns.turn import EndTurn
from tests.rulesets.wyrd.moments import BANDIT, GROG, MIRA, ORC, moment, ruling


def worth(fight: Fight, actor: str, action: Action) -> float:
    """Return how good a declaration looks."""
    return appraise(fight.table, actor, action, "standard")


def find_blow_worth(dice: tuple[int, ...], arms: tuple[int, ...], armor: tuple[int, ...] = (), power: int = 6) -> float:
    """Return the worth of a blow by the book's chances; without a die it needs no test."""
    left = float(find_mean(combine(lambda came: came.remaining, blow_effects(arms, armor, power)))) / power
    return 60 + 40 * left * (float(success_chance(dice)) if dice else 1)


def test_blows_are_worth_what_they_promise_by_the_chances_of_the_book() -> None:
    """The chance that the test works, and what armor leaves of the weapon's dice; 4 less for the fatigue of a push."""
    fight = moment(GROG, {**MIRA, "in_hand": ["shortsword", "dagger"]}, ORC, BANDIT)
    maille_and_helmet, shot_at = (6, 4), (4, 2)
    found = {
        "greatsword in hand": worth(fight, "grog", Engage(target="orc")),
        "dirk": worth(fight, "grog", Engage(target="orc", weapon="grog.dirk")),
        "with grace": worth(fight, "grog", Engage(target="orc", ability="grace")),
        "pushed": worth(fight, "grog", Engage(target="orc", push=True)),
        "two weapons": worth(fight, "mira", Engage(target="orc")),
        "the bow at hand": worth(fight, "mira", Fire(target="orc")),
        "the bow, pushed": worth(fight, "mira", Fire(target="orc", push=True)),
        "a foe's spear": worth(fight, "orc", Attack(target="grog")),
        "a foe's bare hands": worth(fight, "bandit", Attack(target="grog")),
        "a foe's musket": worth(fight, "bandit", Attack(target="grog", weapon="bandit.musket")),
    }
    wanted = {
        "greatsword in hand": find_blow_worth((8, 10), (10,), maille_and_helmet),
        "dirk": find_blow_worth((8, 4), (4,), maille_and_helmet),
        "with grace": find_blow_worth((6, 10), (10,), maille_and_helmet),
        "pushed": find_blow_worth((8, 10, 6), (10,), maille_and_helmet) - 4,
        "two weapons": find_blow_worth((8, 6, 4), (6, 4), maille_and_helmet),
        "the bow at hand": find_blow_worth((8, 8), (8,), shot_at),
        "the bow, pushed": find_blow_worth((8, 8, 6), (8,), shot_at) - 4,
        "a foe's spear": find_blow_worth((), (8,), (6,), 8),
        "a foe's bare hands": find_blow_worth((), (1,), (6,), 8),
        "a foe's musket": find_blow_worth((), (10,), (4,), 8),
    }
    assert found == pytest.approx(wanted)
    assert found["greatsword in hand"] > max(found["dirk"], found["with grace"], found["pushed"])


def test_who_is_down_is_hit_last() -> None:
    """Less than ending the turn is worth, so that they are left alone."""
    fight = moment(GROG, ORC, BANDIT, ruled=(ruling("condition", who="orc", condition="incapacitated"),))
    assert worth(fight, "grog", Engage(target="orc")) == 0
    assert worth(fight, "grog", Engage(target="orc")) < worth(fight, "grog", EndTurn())


@pytest.mark.parametrize(
    ("action", "wanted"),
    [
        (Begin(), 2),
        (Begin(pcs_surprised=True), 0),
        (Begin(cause="encounter_roll"), 0),
        (Reload(), 40),
        (Revive(target="mira"), 70),
        (Stunt(effect="prone", target="orc"), 8),
        (EndTurn(), 10),
        (Spell(what="light"), 5),
        (Improvise(what="hide"), 5),
        (Wear(item="grog.maille"), 1),
        (Repair(item="grog.maille"), 6),
        (Rest(), 5),
        (Harm(who="orc", amount=1), 0),
    ],
)
def test_what_is_no_blow_has_its_fixed_worth(action: Action, wanted: float) -> None:
    assert worth(moment(GROG, MIRA, ORC), "grog", action) == wanted


PLACES = [{"name": "gate"}, {"name": "yard"}, {"name": "tower"}]
FAR = ({**GROG, "at": "gate"}, {**MIRA, "at": "gate"}, {**ORC, "at": "yard"}, {**BANDIT, "at": "yard"})


def test_a_move_is_worth_it_if_it_brings_an_enemy_into_reach() -> None:
    fight = moment(*FAR, place=PLACES)
    assert worth(fight, "grog", Move(to="yard", contact="orc")) == 35
    assert worth(fight, "grog", Move(to="yard")) == 30
    assert worth(fight, "grog", Move(to="tower")) == 12
    assert worth(fight, "grog", Move()) == 0


def test_nobody_moves_off_who_has_an_enemy_at_hand() -> None:
    fight = moment({**GROG, "at": "gate"}, {**ORC, "at": "gate"}, {**BANDIT, "at": "yard"}, place=PLACES)
    assert worth(fight, "grog", Move(to="yard", contact="bandit")) == 0


def test_those_who_are_down_draw_nobody() -> None:
    fallen = ruling("condition", who="orc", condition="incapacitated")
    fight = moment(*FAR[:3], {**BANDIT, "at": "tower"}, place=PLACES, ruled=(fallen,))
    assert worth(fight, "grog", Move(to="yard")) == 12
    assert worth(fight, "grog", Move(to="yard", contact="orc")) == 12
    assert worth(fight, "grog", Move(to="tower")) == 30


def test_one_who_is_down_keeps_nobody_at_hand() -> None:
    fallen = ruling("condition", who="orc", condition="incapacitated")
    people = ({**GROG, "at": "gate"}, {**ORC, "at": "gate"}, {**BANDIT, "at": "yard"})
    fight = moment(*people, place=PLACES, ruled=(fallen,))
    assert worth(fight, "grog", Move(to="yard", contact="bandit")) == 35


def test_the_action_is_spent_on_moving_only_without_a_move_and_a_bow() -> None:
    fight = moment(*FAR, place=PLACES)
    spent = Move(to="yard", contact="orc", payment="action")
    assert worth(fight, "grog", spent) == 0
    moved = moment(
        *FAR, place=PLACES, ruled=tuple(ruling("grant", who=who, by=-1, pool="moves") for who in ("grog", "mira"))
    )
    assert worth(moved, "grog", spent) == 35
    assert worth(moved, "mira", spent) == 0
    assert worth(moved, "mira", Move(to="yard", contact="orc")) == 35

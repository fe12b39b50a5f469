"""Exact chances against the engine itself: every face of every die is thrown once, and each ending weighed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

from affray.engine.core.draft import Draft
from affray.engine.fight import Fight
from affray.engine.kit.odds import combine
from affray.engine.rulesets.hexblade import odds as hexblade
from affray.engine.rulesets.verdigris import odds as verdigris
from affray.engine.rulesets.wwn import odds as wwn
from affray.engine.rulesets.wyrd import odds as wyrd
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import Faces
from affray.events import Answered, Dice, Event, Id, PoolChanged
from tests.rulesets.statistics import make_declaration, open_unstored_fight, standing_back, submit_intent
from tests.rulesets.wyrd.test_statistics import Case, gear, outcome


class Odometer:
    """Dice that show all faces in turn, the last die fastest."""

    def __init__(self) -> None:
        self.sides: list[int] = []
        self.shown: list[int] = []
        self._at = 0

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces:
        """Return the faces that are due; a die that was not there before shows 1."""
        return tuple(tuple(self._next(one.sides) for _ in range(one.count)) for one in dice)

    def _next(self, sides: int) -> int:
        if self._at == len(self.shown):
            self.sides.append(sides)
            self.shown.append(1)
        self._at += 1
        return self.shown[self._at - 1]

    @property
    def weight(self) -> Fraction:
        """Return the probability of the shown faces."""
        found = Fraction(1)
        for sides in self.sides:
            found /= sides
        return found

    def turn(self) -> bool:
        """Go on to the next faces; tell whether there are any."""
        while self.shown and self.shown[-1] == self.sides[-1]:
            self.shown.pop()
            self.sides.pop()
        if self.shown:
            self.shown[-1] += 1
        self._at = 0
        return bool(self.shown)


def enumerate_outcomes(
    fight: Fight, intent: Event, read: Callable[[list[Event]], Any], replies: Mapping[str, str] | None = None
) -> dict[Any, Fraction]:
    """Return what comes of a declaration, with exact chances."""
    state, config = fight.state, fight.table.config
    dice, found = Odometer(), dict[Any, Fraction]()
    while True:
        course = Decider(fight.ruleset, Draft(state), config, dice)
        events = list(course.carry_out(intent))
        while (asked := course.draft.question) is not None:
            choice = (replies or {}).get(asked.about.partition(":")[0], asked.options[0].choice)
            events += course.carry_out(Answered(question=asked.id, by=asked.of[0], choice=choice))
        came = read(events)
        found[came] = found.get(came, Fraction(0)) + dice.weight
        if not dice.turn():
            return found


def read_losses(*people: Id) -> Callable[[list[Event]], tuple[int, ...]]:
    """Return what reads how many hit points each of some people lost."""

    def read(events: list[Event]) -> tuple[int, ...]:
        hurt = {one.who: one.before - one.after for one in events if isinstance(one, PoolChanged) and one.pool == "hp"}
        return tuple(hurt.get(one, 0) for one in people)

    return read


def test_an_engagement_in_wyrd() -> None:
    """An ability d6 with a d4 and armor d2 against armor d4 and a weapon d4; both may be wounded."""
    own = gear(spear=("weapon", 4), leathers=("body", 2), blade=("weapon", 4), maille=("body", 4))
    grog = {"name": "Grog", "side": "a", "pc": True, "grace": 6, "power": 4, "protection": ["leathers"]}
    orc = {"name": "Orc", "side": "b", "power": 4, "weapons": ["spear"], "protection": ["maille"]}
    told = {"system": "wyrd", "config": {"npc_morale": False}, "gear": own}
    fight = open_unstored_fight({**told, "combatant": [{**grog, "weapons": ["blade"], "hands": ["blade"]}, orc]})
    submit_intent(fight, make_declaration("gm", "begin"))
    found = enumerate_outcomes(fight, make_declaration("grog", "engage", target="orc", ability="grace"), outcome)
    case = Case(6, (4,), (4,), 4)
    mine = wyrd.Fighter(case.ability, case.weapons, (2,), 4)
    foe = wyrd.Fighter(6, (4,), case.armor, case.power)
    who = {wyrd.HIT: "orc", wyrd.HURT: "grog"}
    exact = combine(
        lambda one: (one.band, who[one.who], one.struck.remaining, one.struck.wound), wyrd.exchange_results(mine, foe)
    )
    assert found == exact


def test_a_blow_in_hexblade() -> None:
    """Both strike with a dagger, d4, and wear nothing: ties, critical hits, and both at once."""
    people = [
        {"name": name, "side": name, "block": "fighter", "hp": 99, "hp_max": 99, "str": strength, "dex": 0, "pc": pc}
        | {"weapons": ["club"], "armor": "none", "at": f"{at},0", "initiative": 1}
        for at, (name, strength, pc) in enumerate((("Ash", 2, True), ("Foe", 0, False)))
    ]
    fight = open_unstored_fight({"system": "hexblade", "board": {}, "combatant": people})
    for words in (("gm", "begin"), ("ash", "roll_initiative")):
        submit_intent(fight, make_declaration(*words))
    if fight.state.slots[0].id == "foe":
        for word in ("begin_turn", "end_turn"):
            submit_intent(fight, make_declaration("foe", word))
    submit_intent(fight, make_declaration("ash", "begin_turn"))
    found = enumerate_outcomes(fight, make_declaration("ash", "attack", target="foe"), read_losses("foe", "ash"))
    exact = hexblade.exchange_losses(hexblade.Roll(2), hexblade.Roll(0), hexblade.Arms(4, 2), hexblade.Arms(4, 0))
    assert found == exact


@pytest.mark.parametrize("ac", [12, 14])
def test_an_attack_in_wwn(ac: int) -> None:
    """A long sword: hits, Shock on a miss, and the least that a hit does."""
    asha = {"name": "Asha", "side": "heroes", "pc": True, "attack": 3, "str": 14, "hp": 20, "skills": {"stab": 1}}
    raider = {"name": "Raider", "side": "raiders", "ac": ac, "hp": 60, "attack": 1, "weapons": ["sword_short"]}
    people = [{**asha, "weapons": ["sword_long"]}, raider]
    fight = open_unstored_fight({"system": "wwn", "combatant": people, "melee": [{"members": ["asha", "raider"]}]})
    standing_back(fight)
    submit_intent(fight, make_declaration("gm", "begin"))
    if fight.state.acting != ("asha",):
        submit_intent(fight, make_declaration("raider", "end_turn"))
    found = enumerate_outcomes(fight, make_declaration("asha", "attack", target="raider"), read_losses("raider"))
    assert found == combine(lambda one: (one[1],), wwn.attack_outcome(5, ac, wwn.Weapon(1, 8, 1, 3, 13)))


def test_an_attack_in_verdigris() -> None:
    """A few dice against one of Dodge and one of Withstand, not pushed."""
    ada = {"name": "Ada", "side": "party", "pc": True, "strength": 2, "agility": 1, "dodge": 1, "withstand": 1}
    ada |= {"panic": 1, "hp": 5, "skills": {"light weapons": 0}, "weapons": ["dagger"]}
    orc: dict[str, Any] = {"name": "Orc", "side": "enemies", "block": "orc", "hp": 40, "hp_max": 40}
    orc |= {"dodge": 1, "withstand": 1, "armor": ""}
    fight = open_unstored_fight(
        {"system": "verdigris", "combatant": [ada, orc], "melee": [{"members": ["ada", "orc"]}]}
    )
    submit_intent(fight, make_declaration("gm", "begin"))
    submit_intent(fight, make_declaration("ada", "roll_initiative"))
    while fight.state.acting != ("ada",):
        if fight.state.acting:
            submit_intent(fight, make_declaration("orc", "end_turn"))
        else:
            first = "ada" if fight.table.draft.mark("fight", "side_due") == "party" else "orc"
            submit_intent(fight, make_declaration(first, "begin_turn"))
    bonus = fight.state.items["ada.dagger"].counters["bonus"]
    found = enumerate_outcomes(
        fight, make_declaration("ada", "attack", target="orc"), read_losses("orc"), {"push": "keep"}
    )
    pool, target = verdigris.Pool(2 + bonus), verdigris.Target(1, 1)
    assert found == combine(lambda amount: (amount,), verdigris.damage(pool, target, 1))

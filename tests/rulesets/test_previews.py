"""Previews of an attack, compared with the same attack made thousands of times by the rules.

Each is made from one moment of a fight as the system's own encounters lead to it, with dice of its own every time. How
often it hurts, and how much, may differ from what was told by ``WIDE`` standard errors (``statistics.py``); nobody
interrupts, and every question is answered in the usual way, which pushes nothing.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import pytest

from affray.engine import Fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.preview import HarmDone, Prospect
from affray.events import Damaged, Declared, Event
from affray.tools.api.legal_actions import expand_action
from affray.tools.api.targeting import may_do_to
from tests.rulesets.statistics import (
    SHARE,
    WIDE,
    agree,
    open_unstored_fight,
    sample_outcomes,
    standing_back,
    submit_intent,
)

TIMES = 40_000 // SHARE
ENCOUNTERS = Path(__file__).parents[2] / "encounters"

PLAIN = [
    ("hexblade", "common-room", "attack"),
    ("hexblade", "common-room", "shoot"),
    ("verdigris", "gatehouse", "attack"),
    ("verdigris", "ogre-cave", "attack"),
    ("vestige", "bridge", "attack"),
    ("wwn", "ambush", "attack"),
    ("wwn", "ford", "attack"),
    ("wyrd", "mill", "engage"),
    ("wyrd", "powder", "fire"),
]
"""An attack of each kind that there is in a system, and the encounter in which it comes about."""


def course(system: str, name: str) -> Iterator[Fight]:
    """Yield a fight command by command, as sensible fighters fight it."""
    fight = open_unstored_fight(tomllib.loads((ENCOUNTERS / system / f"{name}.toml").read_text("utf-8")))
    standing_back(fight)
    chance = Random(7)
    while not fight.state.ended:
        yield fight
        intent = choose_sensibly(fight, chance)
        assert intent is not None
        submit_intent(fight, intent)


def attack(system: str, name: str, kind: str) -> tuple[Fight, Declared, Prospect]:
    """Return the first plain attack of a kind that may or may not succeed."""
    for fight in course(system, name):
        for who in fight.state.acting:
            for whom in fight.state.combatants:
                for one in may_do_to(fight, who, whom, "standard").kinds:
                    known = one.prospect
                    if one.kind == kind and one.whole and known and known.chance and known.chance < 1:
                        return fight, one.whole.intent, known
    raise AssertionError(f"nobody makes a {kind}")


@pytest.mark.parametrize(("system", "name", "kind"), PLAIN)
def test_an_attack_hurts_as_often_and_as_much_as_people_are_told(system: str, name: str, kind: str) -> None:
    fight, blow, known = attack(system, name, kind)
    target, actor = fight.ruleset.decode_declaration(blow).targets()[0], blow.actor

    def hurt(events: list[Event]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        done = [one for one in events if isinstance(one, Damaged)]
        return tuple(one.amount for one in done if one.who == target), tuple(
            one.amount for one in done if one.who == actor
        )

    found, _ = sample_outcomes(fight, blow, hurt, TIMES)
    taken = [hits for (hits, _), count in found.items() for _ in range(count)]
    assert known.chance is not None
    assert known.harm is not None
    if known.failing is None:
        assert agree_on(taken, known.chance) == []
        near(taken, known.harm)
    else:  # a miss hurts too, and always as much
        likely = known.chance * known.harm.mean + (1 - known.chance) * known.failing.mean
        assert abs(fmean(map(sum, taken)) - likely) <= WIDE * pstdev(map(sum, taken)) / TIMES**0.5 + 1e-3
    if known.suffers is not None:
        assert known.risk is not None
        suffered = [hits for (_, hits), count in found.items() for _ in range(count)]
        assert agree_on(suffered, known.risk) == []
        near(suffered, known.suffers)


def agree_on(hurt: list[tuple[int, ...]], chance: float) -> list[str]:
    """Return what is too far from a chance that is told in four digits."""
    return agree(Counter(map(bool, hurt)), {True: chance, False: 1 - chance})


def near(hurt: list[tuple[int, ...]], told: HarmDone) -> None:
    """Check that those who were hit lost about as much as was told, never less and never more."""
    amounts = [sum(hits) for hits in hurt if hits]
    assert told.least <= min(amounts) <= max(amounts) <= told.most
    assert abs(fmean(amounts) - told.mean) <= WIDE * pstdev(amounts) / len(amounts) ** 0.5 + 1e-3


@pytest.mark.parametrize(("system", "name", "kind"), PLAIN)
def test_a_declaration_says_the_same_however_it_is_come_to(system: str, name: str, kind: str) -> None:
    """Aimed at a target, or chosen field by field; and its cost is that of declaring it."""
    fight, blow, known = attack(system, name, kind)
    chosen = {"target": fight.ruleset.decode_declaration(blow).targets()[0]}
    now = expand_action(fight, blow.actor, kind, "standard", chosen, fill=True)
    assert (now.prospect, now.whole and now.whole.intent) == (known, blow)
    before = fight.state.combatants[blow.actor].pools
    submit_intent(fight, blow)
    after = fight.state.combatants[blow.actor].pools
    assert known.costs
    assert all(before[one.pool] - after[one.pool] == one.amount for one in known.costs)

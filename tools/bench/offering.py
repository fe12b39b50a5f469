"""Measure listing what may be done: who, one declaration step by step, and everything."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter

from affray.engine.analysis.policies import any_of, sensible
from affray.engine.commands import Command
from affray.engine.core.ruleset import available, load, template
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.engine.runtime.offers import Declaration, legal, offers

from .brawl import NOON, SEED
from .measured import Measured

COMMANDS, TIMES = 60, 5


def offering() -> Iterator[Measured]:
    """Measure each rule system's template fight, wherever somebody may declare something."""
    for system in available():
        asked = {"who may act": 0.0, "any one declaration": 0.0, "the whole list": 0.0}
        moments = listed = 0
        for fight in _moments(system):
            dice = Random(fight.head)
            asked["who may act"] += _shortest(lambda: offers(fight.ruleset, fight.table))  # noqa: B023 - called at once
            asked["any one declaration"] += _shortest(lambda: any_of(fight, dice))  # noqa: B023
            asked["the whole list"] += _shortest(lambda: list(legal(fight.ruleset, fight.table)))  # noqa: B023
            listed += sum(isinstance(one, Declaration) for one in legal(fight.ruleset, fight.table))
            moments += 1
        for what, seconds in asked.items():
            yield Measured(what=f"offered in {system}: {what}", value=moments / seconds, unit="times/s")
        yield Measured(what=f"offered in {system}: declarations in the list", value=listed / moments, unit="on average")


def _moments(system: str) -> Iterator[Fight]:
    """Yield a system's template fight whenever somebody may declare something, while both sides fight sensibly."""
    fight = begin_fight("offered", tomllib.loads(template(load(system))), who="gm", seed=SEED, clock=lambda: NOON)
    chance = Random(1)
    for nth in range(COMMANDS):
        intent = sensible(fight, chance)
        if intent is None:
            return
        fight.submit(Command(id=str(nth), who="gm", intent=intent))
        if offers(fight.ruleset, fight.table):
            yield fight


def _shortest(run: Callable[[], object]) -> float:
    """Return the shortest of several times, in seconds."""
    times = []
    for _ in range(TIMES):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times)

"""Measurements of legal actions: actors, actions, fields, and the whole list."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random
from timeit import repeat
from typing import Any

from msgspec import json

from affray.engine.analysis.policies import choose_random_legal
from affray.engine.core.loading import available
from affray.engine.fight import Fight
from affray.engine.runtime.offers import LegalAction, build_offer_trees, list_legal_actions
from affray.tools.api.legal_actions import expand_action, list_actions, list_actors

from .brawl import begin_brawl, sensibly
from .crowd import FOES, crowd, encounter_of
from .measurement import Measured

COMMANDS, TIMES = 60, 5

MOMENTS = 12
"""Moments of a fight with a crowd that are measured. The first round has most combatants."""


def offering() -> Iterator[Measured]:
    """Measure the legal actions in each rule system's template fight."""
    for system in available():
        asked = {"who may act": 0.0, "any one declaration": 0.0, "the whole list": 0.0}
        moments = listed = 0
        for fight in _moments(system):
            dice = Random(fight.head)
            asked["who may act"] += _shortest(lambda: build_offer_trees(fight.ruleset, fight.table))  # noqa: B023 - called at once
            asked["any one declaration"] += _shortest(lambda: choose_random_legal(fight, dice))  # noqa: B023
            asked["the whole list"] += _shortest(lambda: list(list_legal_actions(fight.ruleset, fight.table)))  # noqa: B023
            listed += sum(isinstance(one, LegalAction) for one in list_legal_actions(fight.ruleset, fight.table))
            moments += 1
        for what, seconds in asked.items():
            yield Measured(what=f"offered in {system}: {what}", value=moments / seconds, unit="times/s")
        yield Measured(what=f"offered in {system}: declarations in the list", value=listed / moments, unit="on average")


def answering() -> Iterator[Measured]:
    """Measure the server's answers about legal actions, in a fight with many foes."""
    for system in available():
        slowest = largest = 0.0
        for fight in islice(_moments(system, crowd(system)), MOMENTS):
            for ask in _asks(fight):
                slowest = max(slowest, _shortest(lambda: json.encode(ask())))  # noqa: B023 - called at once
                largest = max(largest, len(json.encode(ask())))
        said = f"answered in {system}, {FOES} foes: the"
        yield Measured(what=f"{said} slowest of who, what, how", value=slowest * 1e3, unit="ms")
        yield Measured(what=f"{said} largest of who, what, how", value=largest / 1e3, unit="kB")


def _asks(fight: Fight) -> Iterator[Callable[[], object]]:
    """Yield each query on the first steps of the tree."""
    yield lambda: list_actors(fight)
    for one in list_actors(fight).actors:
        yield partial(list_actions, fight, one.who, one.manner)
        for known in list_actions(fight, one.who, one.manner).kinds:
            yield partial(expand_action, fight, one.who, known.kind, one.manner, {}, fill=True)


def _moments(system: str, encounter: dict[str, Any] | None = None) -> Iterator[Fight]:
    """Yield a fight each time a combatant can declare an action.

    The engine plays both sides.
    """
    fight = begin_brawl(encounter or encounter_of(system))
    for _ in islice(sensibly(fight, Random(1)), COMMANDS):
        if build_offer_trees(fight.ruleset, fight.table):
            yield fight


def _shortest(run: Callable[[], object]) -> float:
    """Return the shortest time of several runs, in seconds."""
    return min(repeat(run, number=1, repeat=TIMES))

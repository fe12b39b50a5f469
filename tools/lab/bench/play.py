"""Measurements of fights that the engine plays, compared with deciding them again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import NamedTuple

from affray.engine.analysis.odds import MOST
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.draft import Draft
from affray.engine.core.loading import available
from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.engine.integrity.commitment import engine_dice
from affray.engine.runtime.decider import Decider
from affray.events import Event

from .brawl import begin_brawl, decided_again
from .crowd import encounter_of
from .measurement import Measured, best


class Played(NamedTuple):
    """A fight that the engine played: first state, dice seed, inputs."""

    fight: Fight
    opening: State
    seed: bytes
    intents: list[Event]


def playing(fights: int = 20) -> Iterator[Measured]:
    """Measure template fights that the engine plays, without a record."""
    for system in available():
        played = [play_template(system, nth) for nth in range(fights)]
        plays, decides = best(partial(_play_all, played), partial(decide_all, played), times=5)
        yield Measured(what=f"whole fights of {system} that play themselves", value=fights / plays, unit="fights/s")
        yield Measured(what=f"playing / deciding the same again, {system}", value=plays / decides, unit="ratio")


def play_template(system: str, nth: int) -> Played:
    """Let the engine play a template fight."""
    seed = nth.to_bytes(32, "big")
    fight = begin_brawl(encounter_of(system), seed)
    opening = fight.state
    return Played(fight, opening, seed, _play(fight, opening, seed))


def _play(fight: Fight, opening: State, seed: bytes) -> list[Event]:
    """Let the engine play both sides in memory; return the inputs."""
    decider = Decider(fight.ruleset, Draft(opening), fight.table.config, engine_dice(fight.history.recorded, seed))
    chance = Random(0)
    intents: list[Event] = []
    while len(intents) < MOST and (intent := choose_sensibly(decider, chance)) is not None:
        decider.carry_out(intent)
        intents.append(intent)
    return intents


def _play_all(played: list[Played]) -> None:
    """Play all fights again."""
    for one in played:
        _play(one.fight, one.opening, one.seed)


def decide_all(played: list[Played]) -> int:
    """Decide the inputs of all fights again; return how many events that makes."""
    again = (decided_again(one.fight, one.opening, one.intents, one.seed) for one in played)
    return sum(len(events) for one in again for events in one)

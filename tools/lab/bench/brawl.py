"""An endless fight with any number of combatants, for measuring."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Raw

from affray.engine.analysis.policies import choose_sensibly
from affray.engine.commands import Command
from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.engine.integrity.commitment import engine_dice
from affray.engine.opening import begin_fight
from affray.engine.runtime.decider import Decider
from affray.engine.stores import FileStore, Store
from affray.events import Declared, Event, Id, Passed

SEED = bytes(range(32))
NOON = "2026-01-01T12:00:00.000Z"


def brawl(combatants: int) -> dict[str, Any]:
    """Build an encounter of fighters in two lines, who never fall."""
    people = []
    for nth in range(combatants):
        side, row = ("red", 0) if nth % 2 == 0 else ("blue", 1)
        people.append(
            {"name": f"{side} {nth}", "side": side, "block": "hero", "health": 999, "might": 2}
            | {"at": f"{nth // 2 * 3},{row}", "weapons": ["sword", "bow"]}
        )
    return {"system": "vestige", "name": "brawl", "board": {}, "combatant": people}


def begin_brawl(encounter: dict[str, Any], seed: bytes = SEED, store: Store | None = None) -> Fight:
    """Begin a fight for measuring; its clock stands still."""
    return begin_fight("brawl", encounter, who="gm", seed=seed, store=store, clock=lambda: NOON)


def fighting(fight: Fight) -> Iterator[Event]:
    """Yield the endless commands of fighters in two lines.

    Each strikes twice, at times with ep; about one combatant holds a readied action.
    """
    yield _declaration("gm", "begin")
    turn = 0
    while True:
        draft = fight.table.draft
        if draft.window is not None:
            yield from _answering(fight)
            continue
        who = draft.acting[0]
        turn += 1
        foe = _facing(who)
        if foe in draft.combatants:
            yield _declaration(who, "attack", target=foe, ep=int(turn % 3 == 2 and fight.table.pool(who, "ep") > 1))
            yield from _answering(fight)
            yield _declaration(who, "attack", target=foe)
            yield from _answering(fight)
        readies = turn % max(10, len(draft.combatants)) == 0 and fight.table.pool(who, "ep")
        yield _declaration(who, "ready" if readies else "end_turn")


def _answering(fight: Fight) -> Iterator[Event]:
    """Yield the replies in windows: an attacked combatant strikes, others pass."""
    while (window := fight.table.draft.window) is not None:
        who = window.to[0]
        targeted = any(who in pending.targets for pending in fight.table.draft.stack)
        if targeted:
            yield _declaration(who, "attack", manner="readied", target=_facing(who))
        else:
            yield Passed(window=window.id, who=who)


def _facing(who: Id) -> Id:
    """Return the enemy opposite a fighter."""
    side, nth = who.split("-")
    number = int(nth)
    return f"blue-{number + 1}" if side == "red" else f"red-{number - 1}"


def _declaration(actor: Id, kind: str, manner: str = "standard", **params: Any) -> Declared:
    """Build a declaration."""
    return Declared(actor=actor, kind=kind, params=Raw(json.dumps(params).encode()), manner=manner)


def recorded_brawl(combatants: int, events: int, store: Store | None = None) -> tuple[Fight, list[Event]]:
    """Play a fight of at least so many events; return it with its inputs."""
    fight = begin_brawl(brawl(combatants), store=store)
    intents = []
    for number, intent in enumerate(fighting(fight)):
        fight.submit(Command(id=str(number), who="gm", intent=intent))
        intents.append(intent)
        if fight.head >= events:
            break
    return fight, intents


def recorded_lines(combatants: int, events: int) -> tuple[Fight, list[Event], Sequence[bytes]]:
    """Play such a fight; return it with its inputs and its stored lines."""
    with tempfile.TemporaryDirectory() as folder:
        store = FileStore(Path(folder), durable=False)
        fight, intents = recorded_brawl(combatants, events, store)
        return fight, intents, store.read("brawl")


def decided_again(fight: Fight, opening: State, intents: Sequence[Event], seed: bytes = SEED) -> Iterator[list[Event]]:
    """Decide inputs again from the first state in memory; yield the events of each."""
    decider = Decider(fight.ruleset, Draft(opening), fight.table.config, engine_dice(fight.history.recorded, seed))
    return map(decider.carry_out, intents)


def sensibly(fight: Fight, chance: Random) -> Iterator[Event]:
    """Let the engine play both sides; yield each command after it is carried out."""
    while (intent := choose_sensibly(fight, chance)) is not None:
        fight.submit(Command(id=str(fight.head), who="gm", intent=intent))
        yield intent

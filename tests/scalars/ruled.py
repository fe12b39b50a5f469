"""A closed fight with nearly every ruling, so that it has events that played fights lack."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import Raw

from affray.engine.analysis.policies import choose_best
from affray.engine.commands import Close, Command, Intent
from affray.engine.fight import Fight
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.opening import begin_fight
from affray.events import Ruled
from tests.engine.fights import salt
from tests.engine.memory import MemoryStore
from tests.forging import encode_log
from tests.tampering.fights import OTHER_SEED, ROOT, SEED, Closed, clock, closed_lines


@cache
def ruled_fight() -> Closed:
    """Return a closed fight of Vestige with rulings of many kinds."""
    encounter = msgspec.toml.decode((ROOT / "encounters" / "vestige" / "bridge.toml").read_bytes())
    fight = begin_fight("vestige", encounter, who="gm", seed=SEED, clock=clock(), salts=salt)
    dice = Random(3)
    _go_on(fight, dice, 8)
    _rule(fight, "conceal", who="bandit-c")
    _rule(fight, "note", text="She holds her breath behind the wall.")
    _rule(fight, "veil", who="captain", pools=["health"])
    _rule(fight, "foes", show="rough", heroes=["heroes"])
    _rule(fight, "foes", show="open")
    _rule(fight, "sheet", who="ilse", stat="might", to=3)
    _rule(fight, "trait", who="ilse", trait="lunge")
    _rule(fight, "trait", who="ilse", trait="lunge", present=False)
    _rule(fight, "side", who="bandit-b", side="heroes")
    _rule(fight, "release")
    _rule(fight, "reveal", who="bandit-c")
    _rule(fight, "leave", who="bandit-a")
    while fight.state.question is None and not fight.state.ended:
        _go_on(fight, dice, 1)
    _rule(fight, "cancel", item=fight.state.stack[-1].id)
    _rule(fight, "join", combatant={"name": "Bandit A", "side": "bandits", "block": "minion", "at": "7,4"})
    _go_on(fight, dice, 4)
    _rule(fight, "end", victors="heroes")
    _rule(fight, "join", combatant={"name": "Bandit D", "side": "bandits", "block": "minion", "at": "7,5"})
    _rule(fight, "end", victors="heroes")
    _do(fight, Close(reason="enough"))
    return closed_lines("ruled", encode_log(fight.history.recorded))


def _parent() -> tuple[Fight, MemoryStore, Callable[[], str], Random]:
    """Return a fight to fork after a few commands, with its store, its clock and the dice of what follows."""
    encounter = msgspec.toml.decode((ROOT / "encounters" / "vestige" / "alley.toml").read_bytes())
    store, time, dice = MemoryStore(), clock(), Random(2)
    parent = begin_fight("parent", encounter, who="gm", seed=SEED, store=store, clock=time, salts=salt)
    _go_on(parent, dice, 6)
    return parent, store, time, dice


@cache
def forked_fight() -> tuple[Closed, tuple[bytes, ...]]:
    """Return a closed fork of a fight that is still open, and its parent's lines."""
    parent, store, time, dice = _parent()
    wanted = ForkRequest(parent="parent", name="fork", at=parent.head, who="gm", reason="what if?")
    forked = fork_fight(wanted, store, store, fresh=OTHER_SEED, clock=time)
    _go_on(forked, dice, 10)
    _do(forked, Close(unfinished=True))
    return closed_lines("fork", encode_log(forked.history.recorded)), tuple(store.read("parent"))


@cache
def fork_of_closed_fight() -> tuple[Closed, tuple[bytes, ...]]:
    """Return a closed fork of a closed fight, which goes on under the same public seed, and its parent's lines."""
    parent, store, time, dice = _parent()
    _do(parent, Close(unfinished=True))
    wanted = ForkRequest(parent="parent", name="fork", who="gm", reason="what if?")
    forked = fork_fight(wanted, store, store, fresh=OTHER_SEED, clock=time)
    _go_on(forked, dice, 6)
    _do(forked, Close(unfinished=True))
    return closed_lines("fork of a closed fight", encode_log(forked.history.recorded)), tuple(store.read("parent"))


FORKS = {"fork": forked_fight, "fork of a closed fight": fork_of_closed_fight}


def _do(fight: Fight, intent: Intent) -> None:
    fight.submit(Command(id=f"c{fight.head}", who="gm", intent=intent))


def _rule(fight: Fight, kind: str, **params: Any) -> None:
    _do(fight, Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is ruled"))


def _go_on(fight: Fight, dice: Random, commands: int) -> None:
    for _ in range(commands):
        intent = choose_best(fight, dice)
        if intent is not None:
            _do(fight, intent)

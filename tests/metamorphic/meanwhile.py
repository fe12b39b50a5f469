"""A ruling made while something is asked, awaited or open leads where the same ruling leads that was made before it.

``python -m tests.metamorphic.meanwhile SYSTEM [SEED [TRIES]]`` prints each kind of ruling that leads elsewhere, once.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from affray.engine import Command, Fight, load
from affray.engine.commands import Intent
from affray.engine.dice import NamedDice, SeenDice
from affray.engine.errors import Refused, Unusable
from affray.engine.history import History
from affray.engine.legal import legal
from affray.engine.policies import made
from affray.engine.state import State
from affray.events import INPUTS, Passed, Rolled, Ruled
from tests.engine.choices import Choices
from tests.engine.fights import NAME, SEED, noon
from tests.engine.ruled import ruled
from tests.engine.waiting import Moment, moments

WAITING = ("question", "awaited", "window")
"""What a fight may wait for in the middle of something."""


class Elsewhere(NamedTuple):
    """A ruling that led elsewhere when it was made meanwhile.

    Attributes:
        command, ruling: What had led to the waiting, and what was ruled.
        what: In what the two fights differ.
        meanwhile, before: How each of them is.
    """

    command: str
    ruling: str
    what: str
    meanwhile: str
    before: str


_WINDOW = re.compile(r"/window#\d+|(?<=\"nth\":)\d+(?=,\"to\")")

Counts = Counter[str]
"""How many rulings were compared, refused in either order, and how many had changed what led to the waiting."""


def elsewhere(system: str, dice: Random, counts: Counts, *, tries: int) -> Iterator[Elsewhere]:
    """Try so many rulings at every moment of a system's scenarios that waits; yield what leads elsewhere."""
    kinds = sorted(load(system).rulings)
    for moment in moments(system):
        state = moment.fight().state
        if not any(getattr(state, what) for what in WAITING):
            continue
        last = [one for one in moment.recorded if one.cause == moment.recorded[-1].cause]
        if not isinstance(last[0].event, INPUTS):
            continue
        for _ in range(tries):
            ruling = ruled(moment.fight(), Choices(dice.randbytes(8)), dice.choice(kinds))
            found = compared(moment, len(moment.recorded) - len(last), ruling, dice, counts)
            if found:
                yield Elsewhere(said(last[0].event), said(ruling), *found)


def compared(moment: Moment, before: int, ruling: Ruled, dice: Random, counts: Counts) -> tuple[str, str, str] | None:
    """Return in what the two orders differ, if they can be compared and do."""
    command = moment.recorded[before].event
    one = played(moment, len(moment.recorded), (ruling,))
    other = played(moment, before, (ruling, command)) if one is not None else None
    if one is None or other is None:
        counts["refused"] += 1
        return None
    if without_waiting(one.state) != without_waiting(other.state):
        counts["otherwise before"] += 1
        return None
    counts["compared"] += 1
    for what in WAITING:
        left, right = getattr(one.state, what), getattr(other.state, what)
        if what == "window" and left is not None and right is not None:
            right = replace(right, id=left.id)
        if left != right:
            return what, str(left), str(right)
    ours, theirs = (list(legal(fight.ruleset, fight.table)) for fight in (one, other))
    if one.state.window is None and ours != theirs:
        return "offers", str([x for x in ours if x not in theirs]), str([x for x in theirs if x not in ours])
    for offer in dice.sample(ours, min(2, len(ours))):
        intent = made(offer, Random(dice.random()))
        left, right = (followed(fight, intent) for fight in (one, other))
        if left != right:
            return f"what follows {said(intent)}", left, right
    return None


def played(moment: Moment, end: int, intents: Sequence[Intent]) -> Fight | None:
    """Return the fight of a moment's record up to a position, with more commands; ``None`` if one is refused."""
    history = History()
    history.add(moment.recorded[:end])
    seen = {one.event.roll: one.event for one in moment.recorded if isinstance(one.event, Rolled)}
    source = SeenDice(seen, NamedDice(SEED))
    fight = Fight(NAME, load(moment.system), history, clock=noon, dice=source)
    for nth, intent in enumerate(intents):
        try:
            fight.submit(Command(id=f"m{nth}", who="gm", intent=intent))
        except (Refused, Unusable):
            return None
    return fight


def followed(fight: Fight, intent: Intent) -> str:
    """Return what would follow a command that is offered; windows are counted from the first on in both."""
    history = History()
    history.add(fight.history.recorded)
    then = Fight(NAME, fight.ruleset, history, clock=noon, dice=NamedDice(SEED))
    if isinstance(intent, Passed) and then.state.window is not None:
        intent = replace(intent, window=then.state.window.id)
    try:
        came = then.submit(Command(id="f", who="gm", intent=intent)).recorded
    except (Refused, Unusable) as no:
        return f"{type(no).__name__}: {no}"
    return _WINDOW.sub("/window", " ".join(said(one.event) for one in came))


def without_waiting(state: State) -> bytes:
    """Return a state without what it waits for, and how often anything was asked."""
    counts = {who: count for who, count in state.counts.items() if "/" not in who}
    plain = replace(state, question=None, awaited=None, window=None, counts=counts)
    return msgspec.json.encode(plain, order="deterministic")


def said(intent: object) -> str:
    """Return a command or an event in one line."""
    return msgspec.json.encode(intent).decode()


def main(system: str, seed: str = "0", tries: str = "30") -> None:
    """Print what leads elsewhere, each kind of ruling and difference once."""
    counts: Counts = Counter()
    shown: Counter[tuple[str, str]] = Counter()
    for one in elsewhere(system, Random(seed), counts, tries=int(tries)):
        shown[one.ruling.split('"')[7], one.what[:40]] += 1
        if shown[one.ruling.split('"')[7], one.what[:40]] == 1:
            print(f"{one.what}\n  command    {one.command}\n  ruling     {one.ruling}")
            print(f"  meanwhile  {one.meanwhile[:1500]}\n  before     {one.before[:1500]}\n", flush=True)
    print(dict(counts), shown.total(), "lead elsewhere")


if __name__ == "__main__":
    main(*sys.argv[1:])

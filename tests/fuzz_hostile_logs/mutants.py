"""Impossible logs: recorded fights with changes, and valid hashes."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from tests.forging import number_objs

from .changes import WAYS
from .damage import BYTES
from .logs import LONGEST, SEEDS, encode_chained, seed


def make_stranger_mutant(number: int) -> tuple[str, bytes]:
    """Return a unique log for every number, and the description of its changes."""
    dice = Random(number)
    nth = dice.randrange(len(SEEDS))
    name, entries = seed(nth)
    length = len(entries) if dice.random() < 0.1 else dice.randint(1, min(LONGEST, len(entries)))
    while length < len(entries) and entries[length - 1].get("more"):
        length += 1
    log = deepcopy(list(entries[:length]))
    done = []
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        way = dice.choice(WAYS)
        done.append(f"{way.__name__.strip('_')} {way(log, nth, dice)}")
    if dice.random() < 0.9:
        number_objs(log)
    content = encode_chained(log)
    if dice.random() < 0.04:
        mangle = dice.choice(BYTES)
        done.append(mangle.__name__)
        content = mangle(content)
    return f"{number} ({name}): {', '.join(done)}", content

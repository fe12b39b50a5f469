"""Pairs of fights one after the other, until enough answers have been compared."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .playing import Found, TwinServers
from .side import Side


class Difference(NamedTuple):
    """A pair of fights that can be told apart, and in what."""

    seed: int
    label: str
    text: str


class Search(NamedTuple):
    """The results of pairs of fights of a system."""

    system: str
    counts: Counter[str]
    differences: list[Difference]


def search(
    system: str,
    *,
    answers: int,
    seeds: Sequence[int] = (),
    first: int = 0,
    allowed: Collection[str] | None = None,
    tell: Callable[[Difference], None] = lambda _: None,
) -> Search:
    """Play pairs of fights of a system.

    Args:
        answers: How many pairs of answers are compared at least.
        seeds: Pairs that are played in any case, before those from ``first`` on.
        allowed: Kinds of differences; any other one ends the search. All are allowed if not given.
        tell: Is told of each difference as it is found.
    """
    return asyncio.run(_search(system, answers, seeds, first, allowed, tell))


async def _search(
    system: str,
    answers: int,
    seeds: Sequence[int],
    first: int,
    allowed: Collection[str] | None,
    tell: Callable[[Difference], None],
) -> Search:
    found = Search(system, Counter(), [])
    with ExitStack() as stack:
        one, other = (Side(Path(stack.enter_context(TemporaryDirectory())), twin) for twin in ("one", "other"))
        for nth, seed in enumerate(chain(seeds, count(first))):
            if nth >= len(seeds) and found.counts["answers"] >= answers:
                break
            name = f"twins-{system}-{nth}"
            played = await TwinServers((one, other), name, system, seed).play()
            found.counts.update(played.counts)
            if played.told is not None:
                found.differences.append(Difference(seed, played.told.label, _text(system, seed, played)))
                tell(found.differences[-1])
                if allowed is not None and played.told.label not in allowed:
                    break
    return found


def _text(system: str, seed: int, found: Found) -> str:
    """Return how a pair of fights is told apart, and how to see it again."""
    assert found.told is not None
    assert found.viewer is not None
    lines = [
        f"{system}: {found.told.label} differs, to the {found.viewer.role} {found.viewer.name}",
        f"  python -m tests.twins --only {system}:{seed}",
        f"  {found.pair.name}, secret: {found.pair.secret}",
        f"  one    {found.told.one}",
        f"  other  {found.told.other}",
        *(f"  sent   {one}" for one in found.sent),
    ]
    return "\n".join(lines)

"""Claims of a log about itself: system, version, settings, format, being a fork; and its key."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from affray import events
from affray.engine.integrity.commitment import find_promise
from affray.events import Amended, DiceRenewed, Event, FightOpened, Forked, FormatRaised, RulesetAdopted
from tests.forging import fitting, rechain_log
from tests.tampering.edits import Site, Tampered, edits, one_line
from tests.tampering.fights import OTHER_SEED, Closed


@edits
def openings(fight: Closed) -> Iterator[Site]:
    """Open the fight under another system, version, setting, format or name."""
    opened = fight.log[0].event
    assert isinstance(opened, FightOpened)
    known = dict(opened.config)
    fewer = dict(list(known.items())[1:])
    changes: tuple[tuple[str, dict[str, Any]], ...] = (
        ("another system", {"system": "unheard-of"}),
        ("another version", {"version": "99"}),
        ("a setting that nobody knows", {"config": {**known, "unheard_of": 1}}),
        ("a setting left out", {"config": fewer}),
        ("a later format", {"format": 99}),
        ("the code of the rules, or the name", {"digest": "00" * 32}),
        ("the code of the rules, or the name", {"fight": "another"}),
    )
    for nth, (what, change) in enumerate(changes):
        row = f"opening: {what}"
        yield Site(f"{row} {nth}", partial(one_line, row, fight, 1, replace(opened, **change)))
    for format in (1, 2, 3):
        earlier = replace(opened, format=format)
        yield Site(f"format {format}", partial(one_line, "opening: an earlier format", fight, 1, earlier))


@edits
def claims_inserted(fight: Closed) -> Iterator[Site]:
    """Raise the format, adopt other rules, or call it a fork, where the log says nothing of that."""
    opened, end = fight.log[0].event, len(fight.log) - 1
    assert isinstance(opened, FightOpened)
    for format in (99, 1, opened.format):
        row = "format: raised to a later one" if format == 99 else "format: raised to an earlier one, or none"
        yield Site(f"{row} {format}", partial(_claim, row, fight, end, FormatRaised(format=format)))
    for version in (opened.version, "99"):
        adopted = RulesetAdopted(version=version, digest=opened.digest)
        which = "in the version there was" if version == opened.version else "in a version that nobody knows"
        row = f"rules: adopted {which}"
        yield Site(row, partial(_claim, row, fight, fight.opening, adopted))
    forked = Forked(fight="mine", parent="theirs", position=end, commitment=opened.commitment)
    yield Site("fork", partial(_claim, "fork: said of it, under the seed there was", fight, end, forked))
    yield Site("fork, own", partial(_own_fork, fight, end, forked))
    elsewhere = replace(forked, position=end - 1)
    yield Site("fork, elsewhere", partial(_claim, "fork: another position", fight, end, elsewhere))
    behind = replace(forked, position=end + 1)
    yield Site("fork, behind", partial(_claim, "fork: behind the end", fight, end + 1, behind))


def _claim(row: str, fight: Closed, after: int, event: Event, *end: Event) -> Tampered:
    """Insert a claim behind a position; nothing fits it better, so positions alone are made right."""
    log = fight.log
    new = replace(log[after - 1], event=event, cause="claimed", more=0, position=after + 1)
    rest = [replace(one, event=other) for one, other in zip(log[after:], end, strict=False)] or list(log[after:])
    left = [*log[:after], new, *rest]
    forged = fitting(left)
    forged[after] = replace(forged[after], event=event)
    return Tampered(row, left, after + 1, forged, after + 1, after + 1)


def _own_fork(fight: Closed, end: int, forked: Forked) -> Tampered:
    """Call it a fork under a seed of the forger's, which the fork promises and the end reveals."""
    row, closed = "fork: said of it, under a seed of one's own", events.Closed(seed=OTHER_SEED.hex())
    draft = _claim(row, fight, end, replace(forked, commitment="00"), closed)
    mine = find_promise(rechain_log(draft.forged)[: end + 1]).commit_to(OTHER_SEED)
    return _claim(row, fight, end, replace(forked, commitment=mine), closed)


@edits
def dice_ground(fight: Closed) -> Iterator[Site]:
    """Give an amendment fresh dice of a chosen generation."""
    for one in fight.log:
        if isinstance(one.event, Amended):
            yield Site("ground", partial(_ground, fight, one.position))


def _ground(fight: Closed, after: int) -> Tampered:
    log = fight.log
    new = replace(log[after - 1], event=DiceRenewed(generation=4743), position=after + 1)
    left = [*log[:after], new, *log[after:]]
    row = "dice: a generation of one's choice, in an amendment"
    return Tampered(row, left, after + 1, fitting(left), after + 1, after)


@edits
def keys(fight: Closed) -> Iterator[Site]:
    """Give another key than the promised one with the log as it was before it was closed."""
    log = list(fight.log[:-1])
    given = (("another one", OTHER_SEED), ("a part of it", fight.seed[:16]), ("a part of it", b""), ("none", None))
    at = find_promise(log).position
    for nth, (what, key) in enumerate(given):
        yield Site(f"key {nth}", partial(Tampered, f"key: {what}", log, at, log, 0, 0, key=key))

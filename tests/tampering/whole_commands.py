"""Whole commands struck out, swapped, joined and split; tails cut off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from msgspec.structs import replace

from affray.events import ABOUT_THE_RECORD, Amended, DiceRenewed, EntropyAdded, Event, Recorded, Restored, Rewound
from tests.forging import command_at, fitting, list_commands
from tests.tampering.edits import Site, Tampered, edits, is_start, left_alone, rewritten_from
from tests.tampering.fights import Closed
from tests.tampering.rolls import first_other_throw

BACK = (Amended, Restored, Rewound)
"""The events that say where the record goes back to."""


@edits
def commands_struck_out(fight: Closed) -> Iterator[Site]:
    """Strike out each command, and leave what came later."""
    for command in list_commands(fight.log)[1:-1]:
        kind = type(command[0].event).__name__
        yield Site(f"strike out {kind}", partial(_without, fight, command))


def _without(fight: Closed, command: Sequence[Recorded]) -> Tampered:
    log, first, last = fight.log, command[0].position, command[-1].position
    left = [*log[: first - 1], *log[last:]]
    forged = fitting(left)
    if isinstance(command[0].event, EntropyAdded):
        return Tampered(
            "struck out: words stirred in", left, first, forged, first_other_throw(forged, fight.seed), first
        )
    return left_alone("struck out: a command", "struck out: a command nothing rests on", fight, left, forged, first)


@edits
def commands_swapped(fight: Closed) -> Iterator[Site]:
    """Swap each command with the next; times stay in order."""
    said = list_commands(fight.log)[1:-1]
    returns = {position for other in fight.log for position in list_named_positions(other.event)}
    for one, two in pairwise(said):
        kinds = {type(one[0].event), type(two[0].event)}
        last = two[-1].position + (not ABOUT_THE_RECORD.isdisjoint(kinds))  # such an event is never gone back to
        if kinds.isdisjoint(BACK) and returns.isdisjoint(range(one[0].position, last)):
            yield Site(f"swap {type(one[0].event).__name__}", partial(_swap_commands, fight, one, two))


def list_named_positions(event: Event) -> Iterator[int]:
    """Yield the positions that an event about the record names; of the input it corrects, what stands before it too."""
    if type(event) in ABOUT_THE_RECORD:
        yield from (getattr(event, field, 0) for field in ("to", "lane", "left", "position"))
        yield getattr(event, "position", 1) - 1


def _swap_commands(fight: Closed, one: Sequence[Recorded], two: Sequence[Recorded]) -> Tampered:
    """Swap two commands, neither of which names a position to return to, which would change."""
    log, first, last = fight.log, one[0].position, two[-1].position
    left = [*log[: first - 1], *two, *one, *log[last:]]
    later = [replace(new, time=two[0].time) for new in one]
    earlier = [replace(new, time=one[0].time) for new in two]
    forged = fitting([*log[: first - 1], *earlier, *later, *log[last:]])
    if isinstance(one[0].event, EntropyAdded) and isinstance(two[0].event, EntropyAdded):
        throw = first_other_throw(forged, fight.seed)
        return Tampered("swapped: words stirred in", left, first, forged, throw, first)
    row, unfelt = "swapped: two commands", "swapped: two commands that do not touch each other"
    return left_alone(row, unfelt, fight, left, forged, first)


@edits
def commands_joined(fight: Closed) -> Iterator[Site]:
    """Make one command of each two that follow each other."""
    said = list_commands(fight.log)[1:]
    for one, two in pairwise(said):
        if not isinstance(one[0].event, Amended):
            yield Site("join two commands", partial(_join, fight, one, two))


def _join(fight: Closed, one: Sequence[Recorded], two: Sequence[Recorded]) -> Tampered:
    log, first, last = fight.log, two[0].position, two[-1].position
    same = [replace(new, who=one[0].who, time=one[0].time, cause=one[0].cause) for new in two]
    left = [*log[: first - 1], *same, *log[last:]]
    return Tampered("joined: two commands", left, first, fitting(left), first, one[0].position)


@edits
def commands_split(fight: Closed) -> Iterator[Site]:
    """Make two commands of one, before each consequence."""
    for one in fight.log[fight.opening :]:
        if not is_start(one):
            yield Site("split a command", partial(_split, fight, one))


def _split(fight: Closed, one: Recorded) -> Tampered:
    log, position = fight.log, one.position
    first, last = command_at(log, position)
    rest = [replace(new, cause="forged") for new in log[position - 1 : last]]
    left = [*log[: position - 1], *rest, *log[last:]]
    return Tampered("split: a command", left, position, fitting(left), position, first)


BETWEEN = "cut off: between two inputs of an amendment"


@edits
def tails_cut_off(fight: Closed) -> Iterator[Site]:
    """Cut off everything behind each position."""
    log = fight.log
    for one in log[:-1]:
        first, last = command_at(log, one.position)
        if one.position == last:
            row = "cut off: whole commands"
        elif first == 1:
            row = "cut off: within the opening"
        elif isinstance(log[first - 1].event, Amended) and is_start(log[one.position]):
            row = BETWEEN
        elif isinstance(log[one.position].event, DiceRenewed):
            row = "cut off: fresh dice"
        else:
            row = "cut off: within a command"
        yield Site(row, partial(_cut_off, fight, one.position, row))


def _cut_off(fight: Closed, last: int, row: str) -> Tampered:
    left = list(fight.log[:last])
    forged = fitting(left)
    at = last + 1
    if row == BETWEEN:  # found where the inputs of the lane are counted
        at = max(nth for nth in range(command_at(left, last)[0], last + 1) if is_start(left[nth - 1]))
    return Tampered(row, left, last + 1, forged, at, rewritten_from(forged, fight.log))

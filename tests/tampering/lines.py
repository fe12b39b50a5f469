"""Single lines struck out, doubled, swapped and forged."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from affray.events import (
    ABOUT_THE_RECORD,
    INPUTS,
    Amended,
    Declared,
    DiceRenewed,
    Joined,
    PoolChanged,
    Recorded,
)
from tests.forging import Log, command_at, fitting, head, list_commands
from tests.tampering.anew import parts_at
from tests.tampering.edits import Site, Tampered, edits, is_start, left_alone, make_moved_log
from tests.tampering.fights import Closed


@edits
def lines_struck_out(fight: Closed) -> Iterator[Site]:
    """Strike out each line but the last, which is a tail."""
    for one in fight.log[fight.opening : -1]:
        yield Site(f"strike out {_manner(fight, one)}", partial(_strike_out, fight, one))


def _strike_out(fight: Closed, one: Recorded) -> Tampered | None:
    log, position = fight.log, one.position
    left = [*log[: position - 1], *log[position:]]
    manner = _manner(fight, one)
    if manner == "a whole command":
        return None  # commands_struck_out does that
    if manner in LEFT_ALONE:
        forged = fitting(left)
        unfelt = f"struck out: {manner}, nothing rests on"
        tampered = left_alone(f"struck out: {manner}", unfelt, fight, left, forged, position)
        return drop_amended_input(tampered, unfelt) if manner == ONE_LINE else tampered
    return make_moved_log(f"struck out: {manner}", fight, left, position)


ONE_LINE = "a one-line input in an amendment"
LEFT_ALONE = ("the head of an amendment", "fresh dice in an amendment", ONE_LINE)


def drop_amended_input(tampered: Tampered, unfelt: str) -> Tampered | None:
    """Return a log whose amendment lacks an input, found by the count of its inputs, at the last of them.

    They are not counted where the rules find the fault in that lane; the edit is then not drawn.
    """
    first, last = command_at(tampered.forged, tampered.first)
    end = max(nth for nth in range(first + 1, last + 1) if is_start(tampered.forged[nth - 1]))
    return (
        tampered._replace(row=f"struck out: {ONE_LINE}", at=end)
        if tampered.row == unfelt or tampered.at > last
        else None
    )


def _manner(fight: Closed, one: Recorded) -> str:
    """Return what a line is."""
    log = fight.log
    first, last = command_at(log, one.position)
    amends = isinstance(log[first - 1].event, Amended)
    if not is_start(one):
        return "a consequence"
    if first == last:
        return "a whole command"
    if isinstance(one.event, DiceRenewed):
        return "fresh dice in an amendment" if amends else "fresh dice"
    if not amends:
        return "an input, what followed left"
    if one.position == first:
        return "the head of an amendment"
    one_line = one.position == last or is_start(log[one.position])
    return ONE_LINE if one_line else "an input in an amendment, what followed left"


@edits
def lines_doubled(fight: Closed) -> Iterator[Site]:
    """Write each line behind the opening twice."""
    for one in fight.log[fight.opening : -1]:
        kind = "an input" if is_start(one) else "a consequence"
        inside = is_start(one) and isinstance(head(fight.log, one.position), Amended)
        kind = f"{kind} in an amendment" if inside else kind
        yield Site(f"double {kind}", partial(_double, fight, one, f"doubled: {kind}"))


def _double(fight: Closed, one: Recorded, row: str) -> Tampered | None:
    log, position = fight.log, one.position
    left = [*log[:position], one, *log[position:]]
    if row == "doubled: an input in an amendment":
        if isinstance(one.event, Amended):
            return None  # which goes back a second time
        tampered = left_alone(row, row, fight, left, fitting(left), position + 1)
        return tampered._replace(left_at=position)
    return make_moved_log(row, fight, left, position)


@edits
def neighbours_swapped(fight: Closed) -> Iterator[Site]:
    """Swap each line with the next; the forger leaves the envelopes where they are."""
    for one, two in zip(fight.log[fight.opening :], fight.log[fight.opening + 1 :], strict=False):
        if one.event != two.event and (row := _neighbours(fight.log, one, two)):
            yield Site(row, partial(_swap, fight, one, two, f"swapped: {row}"))


def _neighbours(log: Log, one: Recorded, two: Recorded) -> str:
    """Return what two neighbouring lines are to each other; nothing for whole commands, which are swapped elsewhere."""
    amended = isinstance(head(log, one.position), Amended) or isinstance(head(log, two.position), Amended)
    if not amended and (isinstance(one.event, DiceRenewed) or isinstance(two.event, DiceRenewed)):
        return "fresh dice and what is beside them"
    if not is_start(one):
        return "a consequence and the next input" if is_start(two) else "two consequences"
    if not is_start(two):
        opens = command_at(log, one.position)[0] == one.position
        return "an input and what followed" if opens else "two consequences"
    if type(one.event) in ABOUT_THE_RECORD or type(two.event) in ABOUT_THE_RECORD:
        return ""
    return "two inputs"


def _swap(fight: Closed, one: Recorded, two: Recorded, row: str) -> Tampered:
    log, position = fight.log, one.position
    left = [*log[: position - 1], two, one, *log[position + 1 :]]
    swapped = (replace(one, event=two.event), replace(two, event=one.event))
    forged = [*log[: position - 1], *swapped, *log[position + 1 :]]
    if row == "swapped: two inputs":
        return left_alone(row, "swapped: two commands that do not touch each other", fight, left, forged, position)
    return Tampered(row, left, position, forged, position, position)


@edits
def consequences_forged(fight: Closed) -> Iterator[Site]:
    """Add five hit points to a combatant, after each line."""
    who = next(one.event for one in fight.log if isinstance(one.event, Joined))
    pool = next(iter(who.pools))
    healed = PoolChanged(who=who.who, pool=pool, before=who.pools[pool], after=who.pools[pool] + 5)
    for one in fight.log[fight.opening : -1]:
        kind = "behind fresh dice" if isinstance(one.event, DiceRenewed) else ""
        yield Site(f"forge a consequence {kind}", partial(_insert, fight, one.position, healed))


def _insert(fight: Closed, after: int, event: PoolChanged) -> Tampered:
    log = fight.log
    new = replace(log[after - 1], event=event)
    forged = make_moved_log("forged: a consequence", fight, [*log[:after], new, *log[after:]], after, after + 1)
    left = [*log[:after], replace(new, position=after + 1), *log[after:]]
    return forged._replace(left=left, left_at=after + 1)


@edits
def declarations_forged(fight: Closed) -> Iterator[Site]:
    """Insert a declaration from elsewhere between two commands, without its consequences."""
    declared = [one.event for one in fight.log if isinstance(one.event, Declared)]
    for nth, command in enumerate(list_commands(fight.log)[1:-1]):
        after = command[-1].position
        event = declared[nth * 7 % len(declared)]
        yield Site("forge a declaration", partial(_declare, fight, after, event))


def _declare(fight: Closed, after: int, event: Declared) -> Tampered:
    log = fight.log
    new = replace(log[after - 1], event=event, cause="forged", who="gm", more=0)
    left = [*log[:after], replace(new, position=after + 1), *log[after:]]
    forged = fitting([*log[:after], new, *log[after:]])
    at = parts_at(forged, after + 1, fight.seed)
    assert at is not None
    return Tampered("forged: a declaration", left, after + 1, forged, at, after + 1)


@edits
def lines_behind_the_end(fight: Closed) -> Iterator[Site]:
    """Go on after the record was closed."""
    log = fight.log
    for one in log[fight.opening : -1]:
        if type(one.event) in INPUTS:
            new = replace(one, position=len(log) + 1, cause="forged", more=0, time=log[-1].time)
            at = len(log) + 1
            yield Site(
                "behind the end", partial(Tampered, "forged: behind the end", [*log, new], at, [*log, new], at, at)
            )

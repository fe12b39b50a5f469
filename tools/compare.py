"""The command ``compare``: where two lanes or forks of a fight part, and how they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click
from msgspec import Struct

from affray.engine.analysis.diff import Comparison, compared
from affray.engine.core.evolve import fold
from affray.engine.core.state import State
from affray.engine.errors import Unusable
from affray.engine.history.timeline import History
from affray.events import Recorded

from .options import fight_argument, json_option
from .places import said_of
from .printing import say, say_json
from .replay import read_back
from .story.differing import differences
from .story.telling import detail
from .story.words import names_of


class Decider(Struct, frozen=True):
    """One line of a fight.

    Attributes:
        title: What it is called in the comparison.
        recorded: Its whole record.
        line: What counts in it.
        end: The state that leads to.
    """

    title: str
    recorded: Sequence[Recorded]
    line: Sequence[Recorded]
    end: State


@click.command(short_help="Say where two lines of a fight part, and how they differ.")
@fight_argument
@click.argument("other", metavar="[OTHER]", required=False)
@click.option("--lane", type=int, metavar="N", help="Instead of OTHER: what counted once position N was recorded.")
@json_option
def compare(said: str, other: str | None, lane: int | None, as_json: bool) -> None:
    """Say where a fight and its fork, two forks, or a fight and a lane of its own part, and how differently they end.

    A lane is what was taken back or amended: name its last position, as log --undone --verbose shows it.
    """
    if (other is None) == (lane is None):
        raise click.UsageError("say OTHER, the fight to compare with, or --lane N")
    one = _whole(said)
    two = _whole(other) if other is not None else _lane(one, lane or 0)
    common = _common(one.recorded, two.recorded)
    found = compared([each.event for each in one.line], [each.event for each in two.line], (one.end, two.end))
    if as_json:
        say_json(_for_machines(one, two, common, found))
        return
    for line in _told(one, two, common, found):
        say(line)


def _whole(said: str) -> Decider:
    with said_of(said):
        history = History()
        history.add(read_back(said))
        line = list(history.effective())
        return Decider(said, history.recorded, line, fold(line))


def _lane(one: Decider, position: int) -> Decider:
    """Return what counted once a position was recorded.

    Raises:
        Unusable: there is no such position.
    """
    if not 1 <= position <= len(one.recorded):
        raise Unusable(f"must be from 1 to {len(one.recorded)}", "--lane")
    history = History()
    history.add(one.recorded)
    line = [history.at(each) for each in history.line(position)]
    with said_of(one.title):
        return Decider(f"the lane to {position}", one.recorded, line, fold(line))


def _common(one: Sequence[Recorded], two: Sequence[Recorded]) -> int:
    """Return up to which position two records are the same; hashes are equal only where everything before them is.

    Raises:
        Unusable: they have not even the first event in common.
    """
    same = sum(ours.hash == theirs.hash for ours, theirs in zip(one, two, strict=False))
    if not same:
        raise Unusable("these two have no beginning in common; a fight is compared with its fork", "OTHER")
    return same


def _told(one: Decider, two: Decider, common: int, found: Comparison) -> Iterator[str]:
    """Yield the comparison line by line."""
    if one.recorded is not two.recorded:
        yield f"{one.title} and {two.title} are one record up to position {common}."
    if found.parting is None:
        yield "Both went the same way throughout."
        return
    names = names_of([*one.recorded, *two.recorded])
    yield "They part here:"
    width = max(len(one.title), len(two.title))
    for course in (one, two):
        at = found.parting.index
        text = detail(course.line[at], names) if at < len(course.line) else "       goes no further"
        yield f"  {course.title:<{width}} {text}"
    if found.order:
        yield f"The turn order differs from round {found.order}."
    changes = differences(found.changes, names)
    yield f"The ends differ, {one.title} → {two.title}:" if changes else "They end the same."
    yield from (f"  {line}" for line in changes)


def _for_machines(one: Decider, two: Decider, common: int, found: Comparison) -> dict[str, object]:
    at = found.parting.index if found.parting else 0
    sides = [
        {"fight": course.title, "parts": course.line[at] if found.parting and at < len(course.line) else None}
        for course in (one, two)
    ]
    return {
        "common": common,
        "same": found.parting is None,
        "one": sides[0],
        "other": sides[1],
        "changes": found.changes,
        "order": found.order,
    }


__all__ = ["compare"]

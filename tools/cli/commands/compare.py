"""The command ``compare``: where two forks or lanes part, and how they differ."""

from collections.abc import Iterator, Sequence

import click
from msgspec import Struct

from affray.engine.analysis.diff import Comparison, compare_streams
from affray.engine.core.evolve import fold
from affray.engine.core.state import State
from affray.engine.errors import Unusable
from affray.engine.history.timeline import History
from affray.events import Recorded
from affray.tools.api.store_url import said_of
from affray.tools.cli.completion import values
from affray.tools.cli.options import fight_argument, json_option
from affray.tools.cli.printing import say, say_json
from affray.tools.present.story.diff_text import list_differences
from affray.tools.present.story.narration import detail
from affray.tools.present.story.words import names_of

from .replay import read_back


class Lane(Struct, frozen=True):
    """A branch of a fight: title, whole record, events that count, and final state."""

    title: str
    recorded: Sequence[Recorded]
    line: Sequence[Recorded]
    end: State


@click.command()
@fight_argument
@click.argument("other", metavar="[OTHER]", required=False, shell_complete=values.fights)
@click.option("--lane", type=int, metavar="N", help="Instead of OTHER: the lane that ends at position N.")
@json_option
def compare(said: str, other: str | None, lane: int | None, as_json: bool) -> None:
    """Say where two fights or lanes part, and how differently they end.

    Compare a fight with its fork, two forks of a fight, or a fight with one of its own lanes. A lane
    holds events that were undone or amended. Name its last position, as log --undone --verbose shows it.
    """
    if (other is None) == (lane is None):
        raise click.UsageError("say OTHER, the fight to compare with, or --lane N")
    one = _whole(said)
    two = _whole(other) if other is not None else _lane(one, lane or 0)
    common = _common(one.recorded, two.recorded)
    found = compare_streams([each.event for each in one.line], [each.event for each in two.line], (one.end, two.end))
    if as_json:
        say_json(_for_machines(one, two, common, found))
        return
    for line in _tell_comparison(one, two, common, found):
        say(line)


def _whole(said: str) -> Lane:
    """Read a fight as a lane of its effective events."""
    with said_of(said):
        history = History(read_back(said))
        line = list(history.effective())
        return Lane(said, history.recorded, line, fold(line))


def _lane(one: Lane, position: int) -> Lane:
    """Build the lane of the events that counted once a position was recorded."""
    if not 1 <= position <= len(one.recorded):
        raise Unusable(f"must be from 1 to {len(one.recorded)}", "--lane")
    history = History(one.recorded)
    line = [history.at(each) for each in history.list_ancestors(position)]
    with said_of(one.title):
        return Lane(f"the lane to {position}", one.recorded, line, fold(line))


def _common(one: Sequence[Recorded], two: Sequence[Recorded]) -> int:
    """Return the last position up to which two records are identical."""
    same = sum(ours.hash == theirs.hash for ours, theirs in zip(one, two, strict=False))
    if not same:
        raise Unusable("these two have no beginning in common; a fight is compared with its fork", "OTHER")
    return same


def _tell_comparison(one: Lane, two: Lane, common: int, found: Comparison) -> Iterator[str]:
    """Yield the comparison line by line."""
    if one.recorded is not two.recorded:
        yield f"{one.title} and {two.title} are one record up to position {common}."
    if found.parting is None:
        yield "Both went the same way throughout."
        return
    names = names_of([*one.recorded, *two.recorded])
    yield "They part here:"
    width = max(len(one.title), len(two.title))
    for lane in (one, two):
        at = found.parting.index
        text = detail(lane.line[at], names) if at < len(lane.line) else "       goes no further"
        yield f"  {lane.title:<{width}} {text}"
    if found.order:
        yield f"The turn order differs from round {found.order}."
    changes = list_differences(found.changes, names)
    yield f"The ends differ, {one.title} → {two.title}:" if changes else "They end the same."
    yield from (f"  {line}" for line in changes)


def _for_machines(one: Lane, two: Lane, common: int, found: Comparison) -> dict[str, object]:
    """Build the JSON answer of a comparison."""
    at = found.parting.index if found.parting else 0
    sides = [
        {"fight": lane.title, "parts": lane.line[at] if found.parting and at < len(lane.line) else None}
        for lane in (one, two)
    ]
    return {
        "common": common,
        "same": found.parting is None,
        "one": sides[0],
        "other": sides[1],
        "changes": found.changes,
        "order": found.order,
    }

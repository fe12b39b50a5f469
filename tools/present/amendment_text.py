"""The preview of an amendment, line by line."""

from collections.abc import Iterator
from itertools import chain, islice

from affray.engine.analysis.diff import Comparison, compare_streams, find_divergence
from affray.engine.core.state import Awaited, Question
from affray.engine.fight import Fight
from affray.engine.history.amend import Amendment
from affray.engine.history.replay import NotReplayed
from affray.engine.history.timeline import split_by_input
from affray.engine.texts import id_said, quote
from affray.events import Event, Recorded, seal
from affray.tools.parse.faults import fault_of
from affray.tools.parse.typed_names import name_fields

from .fault_text import lines_of
from .story.diff_text import list_differences
from .story.narration import tell, tell_story
from .story.story import ACT
from .story.words import Names, names_of
from .waiting_text import waiting_sentence


def lane_of(fight: Fight, seen: Amendment) -> list[Recorded]:
    """Return the events that an amendment would record after the head."""
    last = fight.history.recorded[-1]
    events = seen.all_events()
    return seal(events, after=last.position, previous=last.hash, time=last.time, who=last.who, cause="a preview")[0]


def preview_lines(fight: Fight, seen: Amendment) -> Iterator[str]:
    """Yield a preview line by line."""
    history, lane = fight.history, lane_of(fight, seen)
    names = names_of([*history.recorded, *lane])
    yield f"Position {seen.position} was: {tell(history.at(seen.position).event, names, verbose=True)}"
    if seen.instead:
        yield "Corrected:"
        first = list(chain.from_iterable(islice(split_by_input(lane[1:]), len(seen.instead))))
        for line in tell_story(first, names, [history.at(one) for one in history.list_ancestors(seen.to)]):
            line.depth = ACT
            yield str(line)
    else:
        yield "Retracted: nothing takes its place."
    yield from _afterwards(fight, seen, names)
    if seen.drawn:
        yield f"Dice that were not rolled before: {', '.join(map(id_said, seen.drawn))}"
    if seen.needs is not None:
        yield from _list_questions(fight, seen, names)


def _afterwards(fight: Fight, seen: Amendment, names: Names) -> Iterator[str]:
    """Tell what changes in what followed, and in the final state."""
    found = compare_amended(fight, seen)
    parted = find_parting(fight, seen)
    if parted is None and seen.needs is None and _list_kept(fight, seen):
        yield f"Everything {'else ' if seen.dropped else ''}that was done later goes as it did."
    elif parted is not None:
        position, was, now = parted
        yield f"Goes differently from position {position}: {_event(was, names)} → {_event(now, names)}"
    if found.order:
        yield f"The turn order differs from round {found.order}."
    yield from _list_dropped(seen, names)
    if seen.needs is None:
        changes = list_differences(found.changes, names)
        yield "The end, before → after:" if changes else "It ends the same."
        yield from (f"  {line}" for line in changes)


def _list_dropped(seen: Amendment, names: Names) -> Iterator[str]:
    """Tell which later inputs would be dropped."""
    refused = [one for one in seen.dropped if one.why is not None]
    if refused:
        yield "No longer possible:"
        for one in refused:
            yield f"  {_line(one, names)}"
            yield f"         {_why(one)}"
    unasked = [one for one in seen.dropped if one.why is None]
    if unasked:
        yield "No longer asked for, or no longer reached:"
        yield from (f"  {_line(one, names)}" for one in unasked)


def _line(one: NotReplayed, names: Names) -> str:
    return f"{one.position:>5}  {tell(one.event, names, verbose=True)}"


def _why(one: NotReplayed) -> str:
    assert one.why is not None
    return lines_of(fault_of(one.why))[0]


def _event(event: Event | None, names: Names) -> str:
    return quote(tell(event, names, verbose=True) or "") if event is not None else "nothing more"


def _list_questions(fight: Fight, seen: Amendment, names: Names) -> Iterator[str]:
    """Tell what must be answered before the rest can be decided, and how to say it."""
    yield f"Needs an answer: {waiting_sentence(seen.after, fight.ruleset)}"
    many = "one later input waits" if len(seen.waiting) == 1 else f"{len(seen.waiting)} later inputs wait"
    yield f"{many} for that. Amend again, and answer with:"
    if isinstance(seen.needs, Question):
        for option in seen.needs.options:
            fields = "".join(f" {name}=…" for name, field in name_fields(option).items() if not field.optional)
            yield f"  --answer '{option.choice}{fields}'"
    elif isinstance(seen.needs, Awaited):
        yield "  --answer 'FACES'"
    elif seen.needs is not None:
        yield from (f"  --answer 'pass {who}'" for who in seen.needs.to)


def compare_amended(fight: Fight, seen: Amendment) -> Comparison:
    """Compare the fight as it is with the amended one."""
    history = fight.history
    now = [one.event for one in history.effective()]
    then = [one.event for one in history.effective(to=seen.to)] + list(seen.events)
    return compare_streams(now, then, (seen.before, seen.after))


def _list_kept(fight: Fight, seen: Amendment) -> list[list[Recorded]]:
    """List the later commands that keep their place in the amended course."""
    gone = {one.position for one in seen.dropped} | set(seen.waiting)
    later = islice(split_by_input(fight.history.effective(after=seen.to)), 1, None)
    return [part for part in later if part[0].position not in gone]


def find_parting(fight: Fight, seen: Amendment) -> tuple[int, Event | None, Event | None] | None:
    """Return the first later difference: position, recorded event, decided event."""
    was = [one for part in _list_kept(fight, seen) for one in part]
    lane = lane_of(fight, seen)[1:]
    now = [one.event for part in islice(split_by_input(lane), len(seen.instead), None) for one in part]
    found = find_divergence([one.event for one in was], now)
    if found is None:
        return None
    return was[min(found.index, len(was) - 1)].position if was else seen.lane, found.one, found.other

"""Checks of a fight's opening: its settings, and the events that set it up."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from affray.engine.core.ruleset import Ruleset
from affray.events import SETTING_UP, Event, FightOpened, ItemAdded, Joined, PhaseEntered, Recorded


def opening_faults(
    ruleset: Ruleset, config: Struct, opening: FightOpened, segment: Sequence[Recorded]
) -> Iterator[tuple[int, str, str, str]]:
    """Yield the faults of an opening: the event's index, a code, expected and found.

    Args:
        ruleset: The rule system, in the version that recorded it.
        config: The settings with all defaults.
    """
    if (found := _plain(opening.config)) != (due := _plain(config)):
        yield 0, "config", f"every setting: {due}", found
    begun = PhaseEntered(phase=ruleset.flow.initial, trigger="opened")
    there: set[tuple[type[Event], str]] = set()
    for nth, one in enumerate(segment):
        event = one.event
        if isinstance(event, Joined | ItemAdded):
            new = type(event), event.who if isinstance(event, Joined) else event.item
            if new in there:
                yield nth, "opening", "somebody or something new", f"{new[1]} again"
            there.add(new)
        if nth == 1 and event != begun:
            yield nth, "opening", f"the phase {begun.phase}", type(event).__name__
        elif nth > 1 and type(event) not in SETTING_UP:
            yield nth, "opening", "what sets up a fight", type(event).__name__


def _plain(config: object) -> str:
    return msgspec.json.encode(msgspec.to_builtins(config)).decode()

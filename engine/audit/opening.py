"""The opening of a fight: the settings it names, and what it sets up; who joins with what is taken as recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from affray.engine.ruleset import Ruleset
from affray.events import SETTING_UP, FightOpened, PhaseEntered, Recorded


def opening_faults(
    ruleset: Ruleset, config: Struct, opening: FightOpened, segment: Sequence[Recorded]
) -> Iterator[tuple[int, str, str, str]]:
    """Yield what no program of ours opens a fight with: the how-manieth event, a code, what is due, what is found.

    Args:
        ruleset: In the version that recorded it.
        config: The settings, whole.
        opening: The first event.
        segment: The whole command.
    """
    if (found := _plain(opening.config)) != (due := _plain(config)):
        yield 0, "config", f"every setting: {due}", found
    begun = PhaseEntered(phase=ruleset.flow.initial, trigger="opened")
    for nth, one in enumerate(segment):
        if nth == 1 and one.event != begun:
            yield nth, "opening", f"the phase {begun.phase}", type(one.event).__name__
        elif nth > 1 and type(one.event) not in SETTING_UP:
            yield nth, "opening", "what sets up a fight", type(one.event).__name__


def _plain(config: object) -> str:
    return msgspec.json.encode(msgspec.to_builtins(config), order="deterministic").decode()

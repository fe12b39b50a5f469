"""Writing logs in an earlier format, as the programs of that time did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from msgspec.structs import replace

from affray.engine import forking, opening
from affray.engine.history import recorder
from affray.engine.integrity import commitment
from affray.events import FORMAT, Event, Recorded, seal
from tests.forging import spell_in


@contextmanager
def writing(format: int) -> Iterator[None]:
    """Let programs write a format, with its chain, so that a log of that format is not raised to the present one."""
    seal_promise = commitment.seal_promise
    recorder.FORMAT = forking.FORMAT = format  # type: ignore[attr-defined]
    recorder.seal = partial(seal_as_then, format=format)  # type: ignore[attr-defined]
    opening.seal_promise = partial(seal_promise, format=format)  # type: ignore[attr-defined]
    commitment.seal = seal_as_then  # type: ignore[attr-defined,assignment]
    try:
        yield
    finally:
        recorder.FORMAT = forking.FORMAT = FORMAT  # type: ignore[attr-defined]
        opening.seal_promise = seal_promise  # type: ignore[attr-defined]
        commitment.seal = recorder.seal = seal  # type: ignore[attr-defined]


def seal_as_then(events: list[Event], *, format: int, **rest: Any) -> tuple[list[Recorded], list[bytes]]:
    """Put events into envelopes as a format spells them; return the events as they are today."""
    recorded, lines = seal([spell_in(one, format) for one in events], format=format, **rest)
    return [replace(one, event=event) for one, event in zip(recorded, events, strict=True)], lines

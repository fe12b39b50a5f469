"""Writing logs in an earlier format, as the programs of that time did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from affray.engine import forking, opening
from affray.engine.history import recorder
from affray.events import FORMAT, seal


@contextmanager
def writing(format: int) -> Iterator[None]:
    """Let programs write a format, with its chain, so that a log of that format is not raised to the present one."""
    recorder.FORMAT = forking.FORMAT = format  # type: ignore[attr-defined]
    opening.seal = partial(seal, format=format)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        recorder.FORMAT = forking.FORMAT = FORMAT  # type: ignore[attr-defined]
        opening.seal = seal  # type: ignore[attr-defined]

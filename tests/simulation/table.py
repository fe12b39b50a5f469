"""The drawn values, and those never drawn, as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterator

from affray.engine import load
from tests.engine.encounters import RULED

from .playing import SORTS
from .progress import Progress

ROWS = (
    *("fights", "rounds", "events", "commands", *SORTS.values(), "refused"),
    *("restarts", "restarts in the middle of something"),
)


def format_counts(known: dict[str, Progress]) -> str:
    """Return how much was drawn of each kind, a column for each system."""
    ends = sorted({row for one in known.values() for row in one.drawn if row.startswith(("ended: ", "no end: "))})
    rows = [[row, *(f"{one.drawn.get(row, 0):,}" for one in known.values())] for row in (*ROWS, *ends)]
    rows += [
        [f"kinds of {sort}s, of all", *(_kinds(system, sort, one) for system, one in known.items())]
        for sort in ("action", "ruling")
    ]
    rows.append(["failed", *(f"{len(one.failed):,}" for one in known.values())])
    head = ["drawn", *known], ["---", *("---:" for _ in known)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (*head, *rows))


def never(system: str, sort: str, one: Progress) -> list[str]:
    """Return the kinds of a system's actions or rulings that were never drawn."""
    return [kind for kind in _all(system, sort) if f"{sort} {kind}" not in one.drawn]


def left_out(known: dict[str, Progress]) -> Iterator[str]:
    """Yield a line for each kind that was never drawn, and one for each code by which fights were played."""
    for system, one in known.items():
        for sort in ("action", "ruling"):
            for kind in never(system, sort, one):
                yield f"never drawn: {system}, {sort} {kind}"
        for code, count in one.by.items():
            yield f"{system}: {count:,} fights by the code {code}"


def _kinds(system: str, sort: str, one: Progress) -> str:
    every = len(_all(system, sort))
    return f"{every - len(never(system, sort, one))} of {every}"


def _all(system: str, sort: str) -> list[str]:
    return sorted(load(system).actions if sort == "action" else RULED[system])

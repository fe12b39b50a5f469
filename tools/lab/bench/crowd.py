"""The template fight of a rule system with many foes, for measuring."""

import tomllib
from collections.abc import Iterator
from itertools import count, cycle, islice
from typing import Any

from affray.engine.core.coordinates import CELLS
from affray.engine.core.loading import load, template

FOES = 21
ROW = 7
"""Number of foes side by side on a map."""


def encounter_of(system: str) -> dict[str, Any]:
    """Read a rule system's template encounter; nothing of its foes is hidden, so each run decides the same."""
    return tomllib.loads(template(load(system))) | {"foes": "open"}


def crowd(system: str, foes: int = FOES) -> dict[str, Any]:
    """Build the template encounter with many foes.

    They are of the last entry that stands for several combatants.
    """
    encounter = encounter_of(system)
    entry = next(one for one in reversed(encounter["combatant"]) if one.get("count", 1) > 1)
    entry["count"] = foes
    places = entry.get("at")
    if isinstance(places, list):
        free = _cells(encounter) if load(system).board.kind in CELLS else cycle(places)
        entry["at"] = list(islice(free, foes))
    return encounter


def _cells(encounter: dict[str, Any]) -> Iterator[str]:
    """Yield free cells behind all combatants, row by row."""
    said = [one["at"] for one in encounter["combatant"] if "at" in one]
    behind = 1 + max(int(at.partition(",")[0]) for one in said for at in ([one] if isinstance(one, str) else one))
    return (f"{behind + nth % ROW},{nth // ROW}" for nth in count())

"""The encounters that come with the program, to begin with."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import affray
from affray.engine.core.loading import available, load
from affray.tools.api.schemas.library import Shipped
from affray.tools.parse.encounter_file import read_encounter

FOLDER = Path(affray.__file__).parent / "encounters"

FIRST = ("vestige", "ford")
"""The encounter for newcomers: an even fight on a map of squares."""


@cache
def list_shipped() -> tuple[Shipped, ...]:
    """List the shipped encounters of installed rule systems, the first to try first."""
    files = [(system, file) for system in available() for file in sorted((FOLDER / system).glob("*.toml"))]
    found = [_describe(system, file) for system, file in files]
    return tuple(sorted(found, key=lambda one: (one.system, one.name) != FIRST))


def text_of(system: str, name: str) -> str | None:
    """Return the file of a shipped encounter; ``None`` if there is none."""
    known = any((one.system, one.name) == (system, name) for one in list_shipped())
    return (FOLDER / system / f"{name}.toml").read_text("utf-8") if known else None


def sides_in(content: object) -> dict[str, int]:
    """Count the combatants on each side of an encounter, which may be invalid."""
    entries = content.get("combatant") if isinstance(content, dict) else None
    sides: dict[str, int] = {}
    for one in entries if isinstance(entries, list) else ():
        side, count = (one.get("side"), one.get("count", 1)) if isinstance(one, dict) else (None, 1)
        if isinstance(side, str):
            sides[side] = sides.get(side, 0) + (count if isinstance(count, int) else 1)
    return sides


def _describe(system: str, file: Path) -> Shipped:
    text, content = read_encounter(file)
    return Shipped(system, file.stem, content["name"], load(system).title, _says(text), sides_in(content))


def _says(text: str) -> str:
    """Return the first sentence of the comment at the top of a file."""
    comment = re.match(r"(?:# \S.*\n)*", text)
    said = " ".join(line.removeprefix("# ") for line in comment[0].splitlines()) if comment else ""
    return re.split(r"(?<=[.!?]) ", said, maxsplit=1)[0]

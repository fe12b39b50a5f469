"""The rule systems, and what the page of each one numbers."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from affray.engine.core.loading import available, load
from affray.engine.core.ruleset import Ruleset

ENGINE = Path(__file__).parents[2] / "engine"


class System(NamedTuple):
    """The numbered parts of a rules page.

    Attributes:
        clauses: How its clauses are numbered, and the last number of each kind.
        example: The letter its worked examples begin with, and how many there are.
        refusing: The functions of the system's own that are given the code of a refusal first.
    """

    clauses: dict[str, int]
    example: tuple[str, int]
    refusing: tuple[str, ...] = ()

    def numbered(self) -> list[str]:
        """Return every clause number, in order."""
        return [form.format(number) for form, last in self.clauses.items() for number in range(1, last + 1)]

    def examples(self) -> list[str]:
        """Return what the file of each worked example is called up to the first dash."""
        letter, count = self.example
        return [f"{letter}{number:02}" for number in range(1, count + 1)]


SYSTEMS = {
    "hexblade": System({"HEX-{:03}": 82, "HEX-G{:02}": 5, "HEX-T{:02}": 54}, ("x", 18), ("refusal",)),
    "verdigris": System({"VER-{:03}": 102, "VER-S{:02}": 31, "VER-T{:02}": 80}, ("v", 23), ("no", "must_be_allowed")),
    "vestige": System({"VES-{:03}": 61, "VES-G{:02}": 4, "VES-T{:02}": 55}, ("b", 16)),
    "wwn": System({"WWN-{:03}": 70, "WWN-G{:02}": 5, "WWN-T{:02}": 79}, ("w", 19)),
    "wyrd": System({"WYR-{:03}": 73, "WYR-G{:02}": 6, "WYR-T{:02}": 66}, ("y", 14)),
}

PRESENT = [name for name in SYSTEMS if name in available()]
RULESETS: dict[str, Ruleset] = {name: load(name) for name in PRESENT}


def folder(system: str) -> Path:
    """Return where a system's code and data are."""
    return ENGINE / "rulesets" / system

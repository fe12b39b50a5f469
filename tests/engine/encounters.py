"""The encounters that are played in tests: generated ones of every system, and those that come with Affray."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from affray.engine.visibility import FOES
from tests.engine.drawing import FIRST, Drawn, Kind, Say, everywhere
from tests.rulesets.systems import PRESENT, folder

FOLDER = Path(__file__).parents[2] / "encounters"

DRAWN: dict[str, Drawn] = {system: import_module(f"tests.rulesets.{system}.drawn").DRAWN for system in PRESENT}
NEVER = {("verdigris", "reorder")}
"""Rulings of every other system that a system does not have: sides act by initiative, in no order of slots."""

RULED: dict[str, dict[str, Say]] = {
    system: {kind: say for kind, say in {**everywhere(one), **one.ruled}.items() if (system, kind) not in NEVER}
    for system, one in DRAWN.items()
}
"""What is said for each kind of ruling there is, per system."""

BEFORE: dict[str, dict[str, Kind]] = {system: {**FIRST, **one.first} for system, one in DRAWN.items()}
"""What must have been done before something can be, per system."""


def encounters(system: str = "") -> st.SearchStrategy[dict[str, Any]]:
    """Draw an encounter of a system, or of any."""
    if system:
        return DRAWN[system].encounters()
    return st.sampled_from(sorted(DRAWN)).flatmap(lambda any_of_them: DRAWN[any_of_them].encounters())


def load_shipped_encounters() -> dict[str, dict[str, Any]]:
    """Return the content of the encounter files that come with Affray, templates included, by system and name.

    Foes are open in all of them; a test about unread foes says so itself.
    """
    found = [path for path in sorted(FOLDER.glob("*/*.toml")) if path.parent.name in PRESENT]
    found += [folder(system) / "template.toml" for system in PRESENT]
    told = {f"{path.parent.name}/{path.stem}": tomllib.loads(path.read_text("utf-8")) for path in found}
    return {name: {key: part for key, part in one.items() if key != FOES} for name, one in told.items()}


def with_an_end(told: dict[str, Any]) -> dict[str, Any]:
    """Return the encounter with everything left out for which blows might never settle it."""
    return DRAWN[told["system"]].with_an_end(told)

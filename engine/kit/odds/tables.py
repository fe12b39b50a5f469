"""The tables of exact chances of a rule system."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from affray.events import Clause

if TYPE_CHECKING:
    from affray.engine.core.ruleset import Ruleset

Shape = Literal["shares", "curves"]
"""Whether the chances of a row are those of all that can come and sum to 1, or each is one of its own."""


class OddsRow(Struct, frozen=True, kw_only=True):
    """One case of a table.

    Attributes:
        case: What is thrown, or against what.
        chances: One a column.
        mean: What comes on average, where that means something.
    """

    case: str
    chances: tuple[Fraction, ...]
    mean: Fraction | None = None


class OddsTable(Struct, frozen=True, kw_only=True):
    """Exact chances behind clauses that roll.

    Attributes:
        clauses: Those it stands for; it is shown at the first.
        title: What is asked.
        cases: What the rows differ in.
        columns: What can come.
        over: What the columns count, where they are numbers.
        rows: The cases.
        says: What is taken for granted.
        shape: See ``Shape``.
        averages: What the mean of a row is of; empty where rows have none.
    """

    clauses: tuple[Clause, ...]
    title: str
    cases: str
    columns: tuple[str, ...]
    rows: tuple[OddsRow, ...]
    over: str = ""
    says: str = ""
    shape: Shape = "shares"
    averages: str = ""


def tables_of(ruleset: Ruleset) -> tuple[OddsTable, ...]:
    """Return a system's tables under its default configuration, if it has ``odds_tables.py`` in its folder."""
    if not (files(ruleset.package) / "odds_tables.py").is_file():
        return ()
    made: Callable[[object], tuple[OddsTable, ...]] = import_module(f"{ruleset.package}.odds_tables").tables
    return made(ruleset.config())

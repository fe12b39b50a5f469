"""Exact chances: distributions as fractions, and the tables that rule systems show."""

from .chances import Chances, OddsRow, grid, listed, numbered, reached, shared, signed, split
from .exact import (
    Exact, added, at_least, chance, die, drawn, each, followed, highest, highest_of, lowest_of, mean, repeated, sure,
)  # fmt: skip
from .tables import OddsTable, Shape, tables_of, worded

__all__ = [
    "Chances", "Exact", "OddsRow", "OddsTable", "Shape", "added", "at_least", "chance", "die", "drawn", "each",
    "followed", "grid", "highest", "highest_of", "listed", "lowest_of", "mean", "numbered", "reached", "repeated",
    "shared", "signed", "split", "sure", "tables_of", "worded",
]  # fmt: skip

"""Exact chances: distributions as fractions, and the tables that rule systems show."""

from __future__ import annotations

from .exact import (
    Exact,
    added,
    chance,
    die,
    drawn,
    each,
    followed,
    highest,
    highest_of,
    lowest_of,
    mean,
    repeated,
    sure,
)
from .tables import OddsRow, OddsTable, Shape, tables_of

__all__ = [
    "Exact",
    "OddsRow",
    "OddsTable",
    "Shape",
    "added",
    "chance",
    "die",
    "drawn",
    "each",
    "followed",
    "highest",
    "highest_of",
    "lowest_of",
    "mean",
    "repeated",
    "sure",
    "tables_of",
]

"""Exact chances: distributions as fractions, and the tables that rule systems show."""

from .chances import (
    Chances, OddsRow, add_remaining_chance, format_signed, label_numbers, make_chances, split_by_outcome,
    tabulate, tabulate_at_least,
)  # fmt: skip
from .exact import (
    Distribution, add_rolls, chain_rolls, combine, die, find_chance, find_chance_at_least, find_mean,
    highest_of, lowest_of, make_certain, repeat_roll, take_highest, weigh,
)  # fmt: skip
from .tables import OddsTable, Shape, add_texts, list_odds_tables

__all__ = [
    "Chances", "Distribution", "OddsRow", "OddsTable", "Shape", "add_remaining_chance", "add_rolls", "add_texts",
    "chain_rolls", "combine", "die", "find_chance", "find_chance_at_least", "find_mean", "format_signed",
    "highest_of", "label_numbers", "list_odds_tables", "lowest_of", "make_certain", "make_chances", "repeat_roll",
    "split_by_outcome", "tabulate", "tabulate_at_least", "take_highest", "weigh",
]  # fmt: skip

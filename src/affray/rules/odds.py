"""Exact chances, for the book of a rule system and for its previews: distributions as fractions, and tables of them."""

from typing import TYPE_CHECKING

from affray.engine.kit.odds import (
    Chances, Distribution, OddsRow, OddsTable, add_remaining_chance, add_rolls, add_texts, chain_rolls, combine, die,
    find_chance, find_chance_at_least, find_mean, format_signed, highest_of, label_numbers, lowest_of, make_certain,
    make_chances, repeat_roll, split_by_outcome, tabulate, tabulate_at_least, take_highest, weigh,
)  # fmt: skip

__all__ = [
    "Chances", "Distribution", "OddsRow", "OddsTable", "add_remaining_chance", "add_rolls", "add_texts", "chain_rolls",
    "combine", "die", "find_chance", "find_chance_at_least", "find_mean", "format_signed", "highest_of",
    "label_numbers", "lowest_of", "make_certain", "make_chances", "repeat_roll", "split_by_outcome", "tabulate",
    "tabulate_at_least", "take_highest", "weigh",
]  # fmt: skip

if not TYPE_CHECKING:  # to a type checker, a module with this function would hold every name

    def __getattr__(name: str) -> object:
        """Find a name that has another name now."""
        from affray._surface import find_old_name  # noqa: PLC0415 - only old names need it

        return find_old_name(__name__, name)

"""Suggestions for misspelt words."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest_of(word: str, known: Iterable[str]) -> str:
    """Return the known word nearest to a misspelt one, or an empty text."""
    by_small_letters = {one.casefold(): one for one in known}
    close = get_close_matches(word.casefold(), list(by_small_letters), n=1)
    return by_small_letters[close[0]] if close else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` with the nearest known word, or an empty text."""
    close = nearest_of(word, known)
    return f"; did you mean {close}?" if close else ""

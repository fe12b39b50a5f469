"""The chances of an odds table: one for each case and column."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from msgspec import Struct

from .exact import Distribution, find_chance_at_least, find_mean

S = TypeVar("S")
T = TypeVar("T")


class OddsRow(Struct, frozen=True, kw_only=True):
    """A row of an odds table: one case.

    Attributes:
        case: The dice of the case, or their target.
        chances: One for each column.
        mean: The mean outcome, where a mean makes sense.
    """

    case: str
    chances: tuple[Fraction, ...]
    mean: Fraction | None = None


class Chances(NamedTuple):
    """The columns and rows of an odds table, without its texts."""

    columns: tuple[str, ...]
    rows: tuple[OddsRow, ...]


def make_chances(
    columns: Iterable[str], cases: Mapping[str, Iterable[Fraction]], means: Iterable[Fraction] = ()
) -> Chances:
    """Build a table from given chances, and means if there are any."""
    rows = zip_longest(cases.items(), means)
    return Chances(
        columns=tuple(columns),
        rows=tuple(OddsRow(case=case, chances=tuple(some), mean=average) for (case, some), average in rows),
    )


def add_remaining_chance(
    columns: Iterable[str], cases: Mapping[str, Iterable[Fraction]], means: Iterable[Fraction] = ()
) -> Chances:
    """Build a table from given chances, with a last column for the remaining chance."""
    given = {case: tuple(some) for case, some in cases.items()}
    return make_chances(columns, {case: (*some, 1 - sum(some, Fraction(0))) for case, some in given.items()}, means)


def split_by_outcome(
    columns: Mapping[str, T], cases: Mapping[str, Distribution[T]], means: Iterable[Fraction] = ()
) -> Chances:
    """Build a table with a column for each outcome of a distribution."""
    nothing = Fraction(0)
    return make_chances(
        columns, {case: [part.get(one, nothing) for one in columns.values()] for case, part in cases.items()}, means
    )


def tabulate(columns: Mapping[str, T], cases: Mapping[str, S], of: Callable[[S, T], Fraction]) -> Chances:
    """Build a table by calling a function for each case and column."""
    return make_chances(columns, {case: [of(one, other) for other in columns.values()] for case, one in cases.items()})


def tabulate_at_least(columns: Mapping[str, int], cases: Mapping[str, Distribution[int]]) -> Chances:
    """Build a table of the chances to reach each column's number, with means."""
    chances = {case: [find_chance_at_least(part, least) for least in columns.values()] for case, part in cases.items()}
    return make_chances(columns, chances, map(find_mean, cases.values()))


def label_numbers(numbers: Iterable[int], says: str = "{}") -> dict[str, int]:
    """Return numbers by their labels."""
    return {says.format(one): one for one in numbers}


def format_signed(number: int, zero: str = "+0") -> str:
    """Return a number with its sign, and 0 as ``zero``."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else zero

"""The numbers of a table: a chance for each of its cases and columns."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from msgspec import Struct

from .exact import Exact, at_least, mean

S = TypeVar("S")
T = TypeVar("T")


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


class Chances(NamedTuple):
    """The columns of a table and its rows; words about it are elsewhere."""

    columns: tuple[str, ...]
    rows: tuple[OddsRow, ...]


def listed(columns: Iterable[str], cases: Mapping[str, Iterable[Fraction]], means: Iterable[Fraction] = ()) -> Chances:
    """Return the chances of each case as they are given, and its mean if there are any."""
    rows = zip_longest(cases.items(), means)
    return Chances(
        columns=tuple(columns),
        rows=tuple(OddsRow(case=case, chances=tuple(some), mean=average) for (case, some), average in rows),
    )


def shared(columns: Iterable[str], cases: Mapping[str, Iterable[Fraction]], means: Iterable[Fraction] = ()) -> Chances:
    """Return the chances of each case with the rest as its last column."""
    given = {case: tuple(some) for case, some in cases.items()}
    return listed(columns, {case: (*some, 1 - sum(some, Fraction(0))) for case, some in given.items()}, means)


def split(columns: Mapping[str, T], cases: Mapping[str, Exact[T]], means: Iterable[Fraction] = ()) -> Chances:
    """Return for each case the chances of the outcomes that are its columns."""
    nothing = Fraction(0)
    return listed(
        columns, {case: [part.get(one, nothing) for one in columns.values()] for case, part in cases.items()}, means
    )


def grid(columns: Mapping[str, T], cases: Mapping[str, S], of: Callable[[S, T], Fraction]) -> Chances:
    """Return a chance for each case and column, by what they stand for."""
    return listed(columns, {case: [of(one, other) for other in columns.values()] for case, one in cases.items()})


def reached(columns: Mapping[str, int], cases: Mapping[str, Exact[int]]) -> Chances:
    """Return for each case the chances of as much as its columns or more, and its mean."""
    chances = {case: [at_least(part, least) for least in columns.values()] for case, part in cases.items()}
    return listed(columns, chances, map(mean, cases.values()))


def numbered(numbers: Iterable[int], says: str = "{}") -> dict[str, int]:
    """Return numbers by what is said of each."""
    return {says.format(one): one for one in numbers}


def signed(number: int, zero: str = "+0") -> str:
    """Return a number with its sign, and 0 as it is said here."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else zero

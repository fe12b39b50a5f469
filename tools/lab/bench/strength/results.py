"""Results of pairs of games, and the file that keeps them for an interrupted run."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from affray.engine.errors import StoreFailed, Unusable
from affray.events import UNREADABLE

from .games import GAMES, Match, Pair
from .sequential import Sequential, p_value

HEADINGS = (
    f"{'system':<10} {'policy':<10} {'against':<10} {'pairs':>5} {'won both':>8} {'split':>5} {'lost both':>9} {'p':>9}"
    f" {'sequential test':>22} {'first':>7} {'unended':>7} {'ms a decision':>13} {'trials a decision':>17}"
)
"""Headings of the table. *first* is the share of games that the first side won."""


class Kept(Struct, frozen=True, kw_only=True):
    """A line of the file: a pair and its match."""

    match: Match
    pair: Pair


def read_pairs(file: Path, match: Match) -> dict[int, Pair]:
    """Read the pairs of a match from a file, by number; skip other matches.

    Raises:
        StoreFailed: the file cannot be read.
        Unusable: the file holds other content.
    """
    try:
        lines = file.read_bytes().splitlines() if file.exists() else []
    except OSError as error:
        raise StoreFailed(f"{file}: {error.strerror or error}") from None
    found = {}
    for number, line in enumerate(lines, start=1):
        try:
            one = msgspec.json.decode(line, type=Kept)
        except UNREADABLE as error:
            raise Unusable(f"{file}, line {number}, is no pair of games: {error}", "--keep") from None
        if one.match == match:
            found[one.pair.number] = one.pair
    return found


def keeping(file: Path, match: Match, pair: Pair) -> None:
    """Append a pair to the file.

    Raises:
        StoreFailed: the file cannot be written.
    """
    try:
        with file.open("ab") as lines:
            lines.write(msgspec.json.encode(Kept(match=match, pair=pair)) + b"\n")
    except OSError as error:
        raise StoreFailed(f"{file}: {error.strerror or error}") from None


class Result:
    """The result of the pairs of a match.

    Attributes:
        won, split, lost: Pairs that the policy won, split, and lost. A pair is split if neither policy won both games,
            even if a game did not end.
        verdict: Verdict of the sequential test, or empty as long as it is unsure.
        after: Number of pairs after which the test was sure.
    """

    def __init__(self, match: Match, test: Sequential) -> None:
        self.won = self.split = self.lost = 0
        self.verdict, self.after = "", 0
        self._match, self._test = match, test
        self._pairs: list[Pair] = []

    def add(self, pair: Pair) -> None:
        """Count another pair."""
        self._pairs.append(pair)
        self.won += pair.won == GAMES
        self.lost += pair.lost == GAMES
        self.split = len(self._pairs) - self.won - self.lost
        if not self.verdict:
            self.verdict, self.after = self._test.verdict(self.won, self.lost), len(self._pairs)

    def line(self) -> str:
        """Format the result as a line of the table."""
        match, many = self._match, len(self._pairs)
        sure = f"{self.verdict} after {self.after}" if self.verdict else "not sure"
        return (
            f"{match.system:<10} {match.policy:<10} {match.against:<10} {many:>5} {self.won:>8} {self.split:>5}"
            f" {self.lost:>9} {p_value(self.won, self.lost):>9.2g} {sure:>22} {self._first:>7.1%} {self._unended:>7}"
            f" {self._milliseconds:>13.2f} {self._trials:>17.1f}"
        )

    def for_machines(self) -> dict[str, object]:
        """Build the JSON form; ``first`` is the share of games that the first side won."""
        return {
            "system": self._match.system,
            "policy": self._match.policy,
            "against": self._match.against,
            "changes": self._match.changes,
            "budget": self._match.budget,
            "pairs": len(self._pairs),
            "won_both": self.won,
            "split": self.split,
            "lost_both": self.lost,
            "p": p_value(self.won, self.lost),
            "verdict": self.verdict,
            "after": self.after if self.verdict else None,
            "first": self._first,
            "unended": self._unended,
            "ms_a_decision": self._milliseconds,
            "trials_a_decision": self._trials,
        }

    @property
    def _first(self) -> float:
        return sum(pair.first for pair in self._pairs) / (GAMES * len(self._pairs))

    @property
    def _unended(self) -> int:
        return sum(pair.unended for pair in self._pairs)

    @property
    def _milliseconds(self) -> float:
        return sum(pair.seconds for pair in self._pairs) * 1000 / self._decisions

    @property
    def _trials(self) -> float:
        return sum(pair.trials for pair in self._pairs) / self._decisions

    @property
    def _decisions(self) -> int:
        return max(1, sum(pair.decisions for pair in self._pairs))

"""The results of all mutants, in rows by family and chain."""

from __future__ import annotations

from collections import Counter, defaultdict

from tests.fuzz_audit.checking import Checked

VERDICTS = ("record", "dice", "rules", "incomplete", "honest", "same")


class MutantTable:
    """Counts.

    Attributes:
        wrong: The mutants with which something is wrong.
    """

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self._rows: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._most: dict[tuple[str, str], tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))

    def count(self, family: str, fit: str, told: str, checked: Checked) -> None:
        """Count one."""
        row = family, "left" if fit == "left" else "recomputed"
        self._rows[row][checked.verdict] += 1
        self._rows[row]["mutants"] += 1
        self._rows[row]["wrong"] += bool(checked.wrong)
        seconds, mb = self._most[row]
        self._most[row] = max(seconds, checked.seconds), max(mb, checked.mb)
        if checked.wrong:
            self.wrong.append(f"{told}: {checked.wrong}")

    def __str__(self) -> str:
        head = "".join(f"{name:>11}" for name in ("mutants", *VERDICTS, "wrong"))
        told = [f"{'mutation':<12}{'chain':<12}{head}{'slowest':>10}{'memory':>10}"]
        total: Counter[str] = Counter()
        for (family, chain), row in sorted(self._rows.items()):
            total.update(row)
            seconds, mb = self._most[family, chain]
            told.append(f"{family:<12}{chain:<12}{_cells(row)}{seconds:>8.2f} s{mb:>7.0f} MB")
        return "\n".join([*told, f"{'all':<24}{_cells(total)}"])


def _cells(row: Counter[str]) -> str:
    return "".join(f"{row[name]:>11,}" for name in ("mutants", *VERDICTS, "wrong"))

"""Faults are drawn alike from the same seed, and a test that sees one kills it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.planted.faults import ROOT, in_file, sample
from tests.planted.report import equivalents, interval

CODE = """
from functools import cache

MOST = 3
Way = int | str


class Blow(Struct, frozen=True, strict=True):
    power: int | None = None


@cache
def many(kind: int | None, *, most: int = 4) -> int | None:
    return kind + most if kind and not most else None
"""
FAULTS = {
    (4, "NumberReplacer"),
    (8, "ReplaceTrueWithFalse"),
    (13, "NumberReplacer"),
    (14, "AddNot"),
    (14, "ReplaceAndWithOr"),
    (14, "ReplaceBinaryOperator"),
    (14, "ReplaceUnaryOperator"),
}
"""All but what nobody could notice: types, aliases of types, ``frozen``, ``cache``, ``*`` among parameters."""


def test_faults_are_where_they_could_be_noticed(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text(CODE, "utf-8")
    found = [one for one in in_file(str(file)) if one.source() is not None]
    assert {(one.line, one.kind) for one in found} == FAULTS
    assert (
        "return kind + most if kind and not most else None",
        "return kind - most if kind and not most else None",
    ) in [one.lines() for one in found]


def test_the_same_seed_draws_the_same_faults() -> None:
    where = ROOT / "engine" / "rulesets" / "vestige"
    drawn = sample(where, 20, seed=3)
    assert len(set(drawn)) == 20
    assert sample(where, 10, seed=3) == drawn[:10]
    assert sample(where, 10, seed=4) != drawn[:10]


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"), [(90, 100, 0.826, 0.945), (200, 200, 0.981, 1.0), (0, 10, 0.0, 0.278), (0, 0, 0, 1)]
)
def test_the_interval_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert interval(hits, of) == pytest.approx((low, high), abs=0.0006)


def test_every_equivalent_fault_names_a_line_that_is_there() -> None:
    for file, was, _ in equivalents():
        assert was in [line.strip() for line in (ROOT / file).read_text("utf-8").splitlines()]


def test_a_small_fixed_sample_is_killed(tmp_path: Path) -> None:
    """What was found out is kept: a second run tells the same."""
    words = ("events/envelope.py", "--count", "5", "--seed", "3", "--tests", "tests/events/test_chain.py")
    command = [sys.executable, "-m", "tests.planted", *words, "--kept", str(tmp_path)]
    told = [subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False) for _ in range(2)]
    assert [one.stderr for one in told] == ["", ""]
    ended = [one.stdout.splitlines()[-2:] for one in told]
    assert ended == [["killed 5, survived 0, equivalent 0", "score 100.0% (95 %: 56.6% to 100.0%)"]] * 2

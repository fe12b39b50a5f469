"""The benchmarks that measure odds: whether they come true, and how long they take."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from affray.tools.lab.bench.calibration.measurement import Position, bins, brier
from tests.tools.program import affray, duel


def positions(*said: tuple[float, bool]) -> list[Position]:
    """Return positions that were given so much and were won or not."""
    return [Position(given=given, won=won) for given, won in said]


def test_who_is_given_all_and_loses_is_as_wrong_as_can_be() -> None:
    assert brier(positions((1.0, False), (0.0, True))) == 1.0
    assert brier(positions((1.0, True), (0.0, False))) == 0.0
    assert brier(positions((0.5, True), (0.3, False))) == pytest.approx((0.25 + 0.09) / 2)


def test_positions_lie_with_those_that_were_given_much_the_same() -> None:
    """A tenth holds its lower end, and the last one both."""
    found = bins(positions((0.0, False), (0.05, True), (0.1, False), (1.0, True), (0.95, True)))
    assert [(part.low, part.won.count, part.won.of) for part in found] == [(0.0, 1, 2), (0.1, 0, 1), (0.9, 2, 2)]
    assert found[0].given == pytest.approx(0.025)


def test_what_never_comes_true_is_told_from_what_does() -> None:
    """Nine of thirty are what 30 % promises; none of thirty is not."""
    said = positions(*[(0.3, nth < 9) for nth in range(30)])
    assert bins(said)[0].true
    assert not bins(positions(*[(0.3, False)] * 30))[0].true


def test_calibration_is_told_and_drawn_and_the_number_of_processes_makes_no_difference(tmp_path: Path) -> None:
    ran = ("bench", "odds", "verdigris", "wyrd", "--fights", "4", "--trials", "4", "--json")
    one = affray(tmp_path, *ran, "--svg", "odds.svg")
    assert one.out == affray(tmp_path, *ran, "--jobs", "2", PYTHONHASHSEED="1").out
    told = [json.loads(line) for line in one.out.splitlines()]
    assert [(found["system"], found["positions"]) for found in told] == [("verdigris", 4), ("wyrd", 4)]
    assert all(sum(part["positions"] for part in found["bins"]) == 4 for found in told)
    picture = ElementTree.fromstring((tmp_path / "odds.svg").read_text(encoding="utf-8"))
    dots = [one for one in picture.iter() if one.get("class", "").startswith("dot")]
    assert len(dots) == sum(len(found["bins"]) for found in told)


def test_how_long_foreseeing_takes_is_measured_in_a_recorded_fight(tmp_path: Path) -> None:
    ran = affray(tmp_path, "bench", "foresee", duel(tmp_path).name, "--positions", "2", "--within", "30", "--jobs", "1")
    odds, luck = ran.out.splitlines()
    assert odds.startswith("odds to 30 points, slowest of 2 moments")
    assert luck.startswith("luck of ")
    assert odds.endswith(" s")
    assert luck.endswith(" s")

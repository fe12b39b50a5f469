"""Faults are drawn alike from the same seed, and a test that sees one kills it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome as Outcome
from cosmic_ray.work_item import WorkerOutcome, WorkResult

from tests.mutation.__main__ import fill_session, forget_survivors, read_outcomes
from tests.mutation.faults import (
    ROOT,
    find_changed_line,
    kind_of,
    list_code,
    list_faults,
    read_equivalents,
    read_mutated,
    sample,
)
from tests.mutation.meet import find_changed_lines
from tests.mutation.report import KILLED, interval
from tests.mutation.seeing import FEW, Seen, could_see

CODE = """
from functools import cache, lru_cache

MOST = 3
Way = int | str


class Blow(Struct, frozen=True, strict=True):
    power: int | None = None


@lru_cache(maxsize=16)
@cache
def many(kind: int | None, *, most: int = 4) -> int | None:
    return kind + most if kind and not most else None


@lru_cache(maxsize=64)
def few(kind: int) -> int:
    return kind
"""
FAULTS = {
    (4, "NumberReplacer"),
    (8, "ReplaceTrueWithFalse"),
    (14, "NumberReplacer"),
    (15, "AddNot"),
    (15, "ReplaceAndWithOr"),
    (15, "ReplaceBinaryOperator"),
    (15, "ReplaceUnaryOperator"),
}
"""All but what nobody could notice: types, aliases of types, ``frozen``, ``cache``, ``*`` among parameters."""


def test_faults_are_where_they_could_be_noticed(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text(CODE, "utf-8")
    found = [one for one in list_faults(str(file)) if read_mutated(one) is not None]
    assert {(one.start_pos[0], kind_of(one)) for one in found} == FAULTS
    assert (
        "return kind + most if kind and not most else None",
        "return kind - most if kind and not most else None",
    ) in map(find_changed_line, found)


DICE = "engine/runtime/dice.py"


def test_the_same_seed_draws_the_same_faults() -> None:
    files = ["events/chain.py", "events/envelope.py"]
    drawn = sample(files, 20, seed=3)
    assert len(set(map(repr, drawn))) == 20
    assert sample(files, 10, seed=3) == drawn[:10]
    assert sample(files, 10, seed=4) != drawn[:10]


def test_several_rooms_are_drawn_from_but_for_what_is_left_out() -> None:
    files = list_code((ROOT / "engine", ROOT / "events"), (ROOT / "engine" / "rulesets",))
    assert {DICE, "engine/integrity/audit/audit.py", "events/chain.py"} <= set(files)
    assert not [file for file in files if file.startswith("engine/rulesets/")]


def test_a_part_of_a_ruleset_meets_its_own_tests_and_all_else_those_of_the_engine() -> None:
    assert "tests/rulesets/wyrd" in could_see(["engine/rulesets/wyrd/flow.py"])
    of_the_engine = could_see(list_code((ROOT / "engine", ROOT / "events"), (ROOT / "engine/rulesets",)))
    assert {"tests/engine", "tests/events", "tests/serve/test_commands.py"} <= set(of_the_engine)
    assert not {"tests/tools/test_commands.py", "tests/serve/test_serve.py"} & set(of_the_engine)  # these start it


def test_what_was_killed_stays_known_where_survivors_are_forgotten(tmp_path: Path) -> None:
    session = tmp_path / "some.sqlite"
    drawn = sample([DICE], 2, seed=1)
    fill_session(session, drawn)
    with use_db(session, WorkDB.Mode.open) as database:
        for nth, what in enumerate((Outcome.KILLED, Outcome.SURVIVED)):
            database.set_result(f"{nth}", WorkResult(WorkerOutcome.NORMAL, test_outcome=what))
    assert len([*read_outcomes(session)]) == 2
    forget_survivors(session)
    assert [*read_outcomes(session)] == [(drawn[0], KILLED)]


def test_a_fault_is_found_in_the_copy_that_holds_it(tmp_path: Path) -> None:
    """By its first and last line."""
    was = (ROOT / DICE).read_text("utf-8").splitlines(keepends=True)
    (tmp_path / DICE).parent.mkdir(parents=True)
    (tmp_path / DICE).write_text("".join(was), "utf-8")
    assert find_changed_lines([DICE], tmp_path) is None
    (tmp_path / DICE).write_text("".join([*was[:9], "another = 1\n", *was[11:]]), "utf-8")
    assert find_changed_lines([DICE], tmp_path) == (DICE, 10, 10)


def test_what_no_test_comes_by_is_shown_to_some_of_those_at_hand() -> None:
    """The fastest of them first, then all there is time for; of what tests come by these alone, if not few."""
    near, far = (f"{room}/test_some.py::test_it" for room in ("tests/engine", "tests/serve"))
    many = [f"{near}[{nth}]" for nth in range(FEW)]
    seconds = {near: 0.1, far: 0.1, **dict.fromkeys(many, 0.5)}
    nobody = Seen(seconds, {DICE: {}})
    assert nobody.choose_tests(DICE, 7, 7, 1.0) == [near, far, many[0]]
    assert nobody.choose_tests(DICE, 7, 7, 8.0) == [near, *many[:3], far, *many[3:]] == nobody.fastest(8.0)
    assert Seen(seconds, {DICE: {7: many}}).choose_tests(DICE, 7, 7, 8.0) == many
    assert Seen(seconds, {DICE: {7: many[1:], 1: [far]}}).choose_tests(DICE, 6, 7, 8.0) == [*many[1:], far]


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"), [(90, 100, 0.826, 0.945), (200, 200, 0.981, 1.0), (0, 10, 0.0, 0.278), (0, 0, 0, 1)]
)
def test_the_interval_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert interval(hits, of) == pytest.approx((low, high), abs=0.0006)


def test_every_equivalent_fault_names_a_line_that_is_there() -> None:
    for file, was, _ in read_equivalents():
        assert was in [line.strip() for line in (ROOT / file).read_text("utf-8").splitlines()]


def test_a_small_fixed_sample_is_killed(tmp_path: Path) -> None:
    """Results are stored: a second run gives the same."""
    words = ("events/envelope.py", "--count", "3", "--seed", "3", "--tests", "tests/events/test_chain.py")
    command = [sys.executable, "-m", "tests.mutation", *words, "--jobs", "1", "--kept", str(tmp_path)]
    told = [subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False) for _ in range(2)]
    assert [one.stderr for one in told] == ["", ""]
    ended = [one.stdout.splitlines()[-2:] for one in told]
    assert ended == [["killed 3, survived 0, equivalent 0", "score 100.0% (95 %: 43.8% to 100.0%)"]] * 2

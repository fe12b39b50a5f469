"""Faults are drawn alike from the same seed, and a test that sees one kills it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import pytest

from tests.planted.choosing import could_see
from tests.planted.faults import ROOT, Where, in_file, sample
from tests.planted.planting import KILLED, SURVIVED, end_after, verdict
from tests.planted.report import equivalents, interval
from tests.planted.running import Known
from tests.planted.seeing import FEW, Seen

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
    found = [one for one in in_file(str(file)) if one.source() is not None]
    assert {(one.line, one.kind) for one in found} == FAULTS
    assert (
        "return kind + most if kind and not most else None",
        "return kind - most if kind and not most else None",
    ) in [one.lines() for one in found]


def test_the_same_seed_draws_the_same_faults() -> None:
    where = Where((ROOT / "events" / "envelope.py", ROOT / "events" / "chain.py"))
    drawn = sample(where, 20, seed=3)
    assert len(set(drawn)) == 20
    assert sample(where, 10, seed=3) == drawn[:10]
    assert sample(where, 10, seed=4) != drawn[:10]


def test_several_rooms_are_drawn_from_but_for_what_is_left_out() -> None:
    where = Where((ROOT / "engine", ROOT / "events"), (ROOT / "engine" / "rulesets",))
    assert {"engine/runtime/dice.py", "engine/integrity/audit/audit.py", "events/chain.py"} <= set(where.files())
    assert not [file for file in where.files() if file.startswith("engine/rulesets/")]
    assert where.name == "engine+events-without-engine.rulesets"


def test_a_part_of_a_ruleset_meets_its_own_tests_and_all_else_those_of_the_engine() -> None:
    assert "tests/rulesets/wyrd" in could_see(Where((ROOT / "engine/rulesets/wyrd/flow.py",)))
    of_the_engine = could_see(Where((ROOT / "engine", ROOT / "events"), (ROOT / "engine/rulesets",)))
    assert {"tests/engine", "tests/events", "tests/serve/test_commands.py"} <= set(of_the_engine)
    assert not {"tests/tools/test_commands.py", "tests/serve/test_serve.py"} & set(of_the_engine)  # these start it


def test_what_was_killed_stays_known_where_survivors_are_forgotten(tmp_path: Path) -> None:
    one, other = sample(Where((ROOT / "engine" / "runtime" / "dice.py",)), 2, seed=1)
    known = Known(tmp_path / "code.killed", tmp_path / "all.left")
    known.keep(one, KILLED)
    known.keep(other, SURVIVED)
    assert known.read() == {repr(one): KILLED, repr(other): SURVIVED}
    assert known._replace(survived=tmp_path / "another.left").read() == {repr(one): KILLED}


def test_what_no_test_comes_by_is_shown_to_some_of_those_at_hand() -> None:
    """The fastest of them first, then all there is time for; of what tests come by these alone, if not few."""
    fault = sample(Where((ROOT / "engine" / "runtime" / "dice.py",)), 1, seed=1)[0]
    near, far = (f"{room}/test_some.py::test_it" for room in ("tests/engine", "tests/serve"))
    many = [f"{near}[{nth}]" for nth in range(FEW)]
    seconds = {near: 0.1, far: 0.1, **dict.fromkeys(many, 0.5)}
    nobody = Seen(seconds, {fault.file: {}})
    assert nobody.tests(fault, 1.0) == [near, far, many[0]]
    assert nobody.tests(fault, 8.0) == [near, *many[:3], far, *many[3:]]
    lines = dict.fromkeys(range(fault.line, fault.line + 1), many)
    assert Seen(seconds, {fault.file: lines}).tests(fault, 8.0) == many
    assert Seen(seconds, {fault.file: {fault.line: many[1:], 1: [far]}}).tests(fault, 8.0) == [*many[1:], far]


def _works() -> None:
    while True:
        pass


def _waits() -> None:
    lock = Lock()
    lock.acquire()
    lock.acquire()


@pytest.mark.parametrize(("does", "processor", "clock"), [(_works, 1, 60), (_waits, 60, 0.1)])
def test_what_never_ends_is_ended_and_counts_as_noticed(
    does: Callable[[], None], processor: int, clock: float, tmp_path: Path
) -> None:
    child = os.fork()
    if not child:
        end_after(processor, clock, os.open(tmp_path / "log", os.O_WRONLY | os.O_CREAT))
        does()
    assert verdict(os.waitpid(child, 0)[1]) == KILLED


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
    words = ("events/envelope.py", "--count", "3", "--seed", "3", "--tests", "tests/events/test_chain.py")
    command = [sys.executable, "-m", "tests.planted", *words, "--kept", str(tmp_path)]
    told = [subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False) for _ in range(2)]
    assert [one.stderr for one in told] == ["", ""]
    ended = [one.stdout.splitlines()[-2:] for one in told]
    assert ended == [["killed 3, survived 0, equivalent 0", "score 100.0% (95 %: 43.8% to 100.0%)"]] * 2

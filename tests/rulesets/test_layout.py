"""Every rule system has the same anatomy: who knows one folder finds any rule in another."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from affray.engine.analysis.policies import choose_best
from affray.engine.commands import Command
from affray.engine.core.loading import available, load, template
from affray.engine.opening import begin_fight
from affray.events import Declared, PoolChanged
from affray.tools.book.code import clauses_named, find_deciders

RULESETS = Path(__file__).parents[2] / "engine" / "rulesets"

FILES = {
    *("README.md", "__init__.py", "book.json", "book.toml", "clauses.toml", "config.py", "flow.py", "marks.py"),
    *("library.py", "odds.py", "odds.toml", "odds_tables.py", "preview.py", "ruleset.py", "scenarios.toml"),
    *("tables.py", "template.toml", "vocabulary.toml"),
}
"""What stands in every folder."""

ROOMS = ("sheet", "encounter", "turns", "attack", "harm", "movement", "gear", "rulings", "policy")
"""What has one place in every folder: a module or a folder of this name."""

FOLDERS = {"chapters", "data"}
"""What only one system has, named as its rulebook does; and the tables of the book."""

MAY_BE = {"worth.py"}
"""What stands in a folder where it is too long for another room: what an attack promises, beside the policy."""

MOST = 9
"""Through so many modules of a system an attack that hurts may run."""


@pytest.mark.parametrize("system", available())
def test_a_folder_has_the_same_rooms_as_all_others(system: str) -> None:
    folder = RULESETS / system
    there = {one.name for one in folder.iterdir() if not one.name.startswith("__pycache__")}
    rooms = {f"{room}.py" if (folder / f"{room}.py").is_file() else room for room in ROOMS}
    assert there - MAY_BE == FILES | rooms | FOLDERS
    assert {one.suffix for one in (folder / "data").iterdir()} == {".toml"}


@pytest.mark.parametrize("system", available())
def test_each_clause_is_decided_by_one_function(system: str) -> None:
    """The first line of its docstring names the clause, and no other function's does."""
    ruleset = load(system)
    found = find_deciders(ruleset)
    decided = {clause: [one.name for one in found.get(clause, ())] for clause in ruleset.clauses}
    several = {clause: names for clause, names in decided.items() if len(names) > 1}
    nobody = [clause for clause, names in decided.items() if not names and not ruleset.clauses[clause].unobservable]
    assert (several, nobody) == ({}, [])


def test_a_line_names_clauses_singly_or_by_their_first_and_last() -> None:
    known = ("VES-001", "VES-002", "VES-003", "VES-004", "VES-T1")
    line = "Roll, and wound (VES-001, VES-002 to VES-003, VES-T1)."
    assert clauses_named(line, known) == ("VES-001", "VES-002", "VES-003", "VES-T1")
    assert clauses_named("Roll (VES-002 to 004).", known) == ("VES-002", "VES-003", "VES-004")
    assert clauses_named("Roll (WWN-002).", known) == ()


@contextmanager
def list_called_modules(package: str) -> Iterator[set[str]]:
    """Collect the modules of a package that call a function."""
    found: set[str] = set()

    def call(frame: FrameType, what: str, _: Any) -> None:
        name = str(frame.f_globals.get("__name__", ""))
        if what == "call" and name.startswith(f"{package}."):
            found.add(name.removeprefix(f"{package}."))

    sys.setprofile(call)
    try:
        yield found
    finally:
        sys.setprofile(None)


def attacks(system: str, seed: int) -> Iterator[set[str]]:
    """Yield the modules of each harmful attack, from its declaration to its result."""
    ruleset = load(system)
    health = ruleset.vocabulary.with_role("health")
    fight = begin_fight("traced", tomllib.loads(template(ruleset)), who="gm", seed=bytes(32), clock=lambda: "")
    chance = Random(seed)
    running: set[str] = set()
    hurts = False
    for nth in range(400):
        intent = choose_best(fight, chance)
        if intent is None:
            return
        begins = isinstance(intent, Declared) and not fight.table.draft.stack
        with list_called_modules(ruleset.package) as modules:
            recorded = fight.submit(Command(id=str(nth), who="gm", intent=intent)).recorded
        running = modules if begins else running | modules
        hurts |= any(
            isinstance(one.event, PoolChanged) and one.event.pool in health and one.event.before != one.event.after
            for one in recorded
        )
        if not fight.table.draft.stack:
            if hurts:
                yield running
            running, hurts = set(), False


@pytest.mark.parametrize("system", available())
def test_an_attack_that_hurts_runs_through_few_modules(system: str) -> None:
    """A plain attack, without reaction and further effects."""
    assert any(len(modules) <= MOST for seed in range(1, 9) for modules in attacks(system, seed))

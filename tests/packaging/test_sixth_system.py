"""A third-party rule system, built by the guide: a separate package, found by its entry point."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest

from tests.packaging.conftest import OFFLINE, ROOT, pip, run_installed

PATTERN = ROOT / "tools" / "systems" / "pattern"

FOUGHT = """
import sys
from pathlib import Path
from random import Random
from affray.engine import Command, FileStore, begin_fight, digest, open_fight
from affray.engine.analysis.policies import choose_anything, choose_sensibly
from affray.tools.parse.encounter_file import read_encounter

_, told = read_encounter(Path("pebbles.toml"))
for policy in (choose_anything, choose_sensibly):
    store = FileStore(Path.cwd())
    fight = begin_fight(policy.__name__, told, who="gm", seed=bytes(32), store=store)
    chance = Random(1)
    while (intent := policy(fight, chance)) is not None:
        fight.submit(Command(id=str(fight.head), who="gm", intent=intent))
    again = open_fight(policy.__name__, store)
    print(again.state.ended, digest(again.state) == digest(fight.state), again.state.victors in ("north", "south"))
"""


@pytest.fixture(scope="module")
def somebody(elsewhere: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the sixth system beside Affray, in the environment that knows no checkout."""
    copy = tmp_path_factory.mktemp("sixth") / "package"
    run_affray_there(elsewhere, "new-system", "pebbles", "-o", str(copy))
    python = elsewhere / "env" / "bin" / "python"
    pip("--python", python, "install", *OFFLINE, "--no-build-isolation", copy, cwd=copy)
    shutil.copytree(copy, elsewhere / "project")
    return elsewhere


def run_affray_there(place: Path, *words: str) -> str:
    """Run the installed program there."""
    return run_installed(place / "env" / "bin" / "affray", *words, cwd=place)


def test_it_touches_no_file_of_ours() -> None:
    """No file of the three rooms has its name."""
    rooms = (ROOT / "engine", ROOT / "events", ROOT / "tools")
    files = [path for room in rooms for path in room.rglob("*.py") if not path.is_relative_to(PATTERN)]
    assert [path for path in files if "pebbles" in path.read_text("utf-8").lower()] == []


def test_its_own_tests_pass(somebody: Path) -> None:
    """As its author runs them: the check with 50 fights, and the scenarios."""
    told = run_installed(somebody / "env" / "bin" / "python", "-m", "pytest", "-q", "project", cwd=somebody)
    assert "2 passed" in told


def test_its_clauses_schema_and_diagram_are_there(somebody: Path) -> None:
    assert "PEB-3" in run_affray_there(somebody, "rules", "pebbles")
    assert "upcoming --> turn: comes_up" in run_affray_there(somebody, "diagram", "pebbles").replace("  ", " ")
    assert "pebbles.action.throw" in json.loads(run_affray_there(somebody, "schema", "pebbles"))["$defs"]


def test_its_scenarios_hold(somebody: Path) -> None:
    run_affray_there(somebody, "scenario", "--template", "pebbles", "-o", "scenarios.toml")
    assert "3 of 3 scenarios hold" in run_affray_there(somebody, "scenario", "scenarios.toml")


def test_its_template_opens_and_is_played_as_people_play(somebody: Path) -> None:
    run_affray_there(somebody, "new", "--template", "pebbles", "-o", "pond.toml")
    run_affray_there(somebody, "new", "pond.toml")
    run_affray_there(somebody, "do", "pond.jsonl", "begin")
    assert "Twin A" in run_affray_there(somebody, "do", "pond.jsonl", "kit", "throw", "twin-a")
    run_affray_there(somebody, "answer", "pond.jsonl", "duck")
    run_affray_there(somebody, "rule", "pond.jsonl", "pool", "twin-b", "pebbles", "to=0", "--reason", "he slipped")
    assert "out" in run_affray_there(somebody, "show", "pond.jsonl")
    run_affray_there(somebody, "undo", "pond.jsonl")
    assert "Kit" in run_affray_there(somebody, "log", "pond.jsonl")


def test_random_fights_of_it_end_and_are_read_again(somebody: Path) -> None:
    run_affray_there(somebody, "new", "--template", "pebbles")
    said = run_installed(somebody / "env" / "bin" / "python", "-c", FOUGHT, cwd=somebody)
    assert said.split("\n")[:2] == ["True True True", "True True True"]


def test_it_imports_the_public_surface_alone() -> None:
    """An author needs no module of ours but ``affray.rules``."""
    modules = {
        node.module
        for file in (PATTERN / "pebbles").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("affray")
    }
    assert modules == {"affray.rules"}


def test_it_is_small() -> None:
    """All its Python, blank lines and docstrings included."""
    assert sum(len(file.read_text("utf-8").splitlines()) for file in (PATTERN / "pebbles").rglob("*.py")) < 230

"""``affray new-system`` writes a package that has no fault, under any name that a system can have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from affray.engine.core.loading import load
from affray.engine.errors import Unusable
from affray.tools.scenarios.scenario_file import read_scenarios
from affray.tools.scenarios.scenario_run import run_scenario
from affray.tools.systems.check import check_system
from affray.tools.systems.new_system import check_system_name, write_system
from tests.rulesets.own_system import install_copy
from tests.tools.program import affray

FILES = [
    *("README.md", "pyproject.toml", "tests/test_to_3.py"),
    *("to_3/__init__.py", "to_3/clauses.toml", "to_3/flow.py", "to_3/rules.py", "to_3/scenarios.toml"),
    *("to_3/template.toml", "to_3/vocabulary.toml"),
]


def test_it_is_whole_under_another_name(tmp_path: Path) -> None:
    project = tmp_path / "project"
    assert [path.relative_to(project).as_posix() for path in write_system("to_3", project)] == FILES
    (tmp_path / "site").mkdir()
    with install_copy(tmp_path / "site", project / "to_3"):
        ruleset = load("to_3")
        assert (ruleset.name, ruleset.title, len(ruleset.clauses)) == ("to_3", "To 3", 10)
        assert next(iter(ruleset.clauses)) == "TO-1"
        assert check_system("to_3", 2).faults == ()
        runs = [run_scenario(one) for one in read_scenarios(project / "to_3" / "scenarios.toml")]
        assert [run.failure for run in runs] == [None, None, None]


def test_it_imports_from_the_public_surface_alone(tmp_path: Path) -> None:
    texts = [path.read_text("utf-8") for path in write_system("marbles", tmp_path / "project")]
    imported = {name for text in texts for name in re.findall(r"^\s*(?:from|import) ([\w.]+)", text, re.MULTILINE)}
    own = {".flow", ".rules"}
    assert imported - own == {
        "__future__", "affray.rules", "collections.abc", "msgspec", "pathlib", "subprocess", "sys", "typing",
    }  # fmt: skip
    assert not any("pebbles:RULESET" in text or "PEB-" in text for text in texts)


@pytest.mark.parametrize(
    ("name", "like"),
    [("Seconds", "seconds"), ("my duel", "my_duel"), ("7", "duel"), ("class", "duel"), ("wwn", "wwn_house")],
)
def test_a_name_that_cannot_be_is_refused_with_one_that_can(name: str, like: str) -> None:
    with pytest.raises(Unusable, match=f"such as {like}$"):
        check_system_name(name)
    check_system_name(like)


def test_the_program_says_how_to_go_on(tmp_path: Path) -> None:
    ran = affray(tmp_path, "new-system", "marbles")
    assert ran.out.splitlines()[0] == "wrote marbles, with 10 files"
    assert "  affray rules marbles --check" in ran.out.splitlines()
    again = affray(tmp_path, "new-system", "marbles")
    assert (again.code, again.err) == (2, "name: marbles exists already; choose another with -o FOLDER\n")
    assert affray(tmp_path, "new-system", "json").err.startswith("name: there is a package json already")
    other = affray(tmp_path, "new-system", "marbles", "-o", "other", "--json").json
    assert (other["system"], other["folder"], len(other["files"])) == ("marbles", "other", 10)


def test_an_action_that_does_not_end_the_turn_needs_no_row_of_the_flow(tmp_path: Path) -> None:
    """The first action that an author adds, such as one that may be done several times a turn."""
    project = tmp_path / "project"
    write_system("marbles", project)
    rules = project / "marbles" / "rules.py"
    text = rules.read_text("utf-8")
    throw = text.index("class Throw")
    changed = re.sub(r"yield MemberDone\(.*\)", "yield from ()", text[throw:])
    assert changed != text[throw:]
    rules.write_text(text[:throw] + changed, "utf-8")
    (tmp_path / "site").mkdir()
    with install_copy(tmp_path / "site", project / "marbles"):
        assert [fault for fault in check_system("marbles", 3).faults if "no row" in fault.message] == []

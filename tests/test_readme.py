"""README shows what the program prints and counts the clauses; docs/commands.md names every command."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from affray.engine import load
from affray.tools.cli.command_registry import COMMANDS
from tests.rulesets.systems import PRESENT
from tests.tools.program import affray

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text("utf-8")
SHOWN = [
    (command, lines.splitlines())
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for command, lines in re.findall(r"^\$ affray (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]
"""Each command that README shows, with the lines it shows of what it prints; … stands for others."""


@pytest.mark.parametrize(("command", "lines"), SHOWN, ids=[command for command, _ in SHOWN])
def test_a_command_prints_what_is_shown_of_it(command: str, lines: list[str]) -> None:
    printed = iter(affray(ROOT, *shlex.split(command)).out.splitlines())
    wanted = [line for line in lines if line != "…"]
    assert wanted
    assert [line for line in wanted if line not in printed] == []


def commands_in(page: str) -> set[str]:
    """Return the commands that a page names in code within its prose."""
    code = re.findall(r"`[^`]+`", re.sub("```.*?```", "", page, flags=re.DOTALL))
    return {name for part in code for name in re.findall(r"affray ([a-z]+(?:-[a-z]+)*)", part)}


def test_the_page_of_commands_names_every_command_and_no_other() -> None:
    assert commands_in(COMMANDS_PAGE) == {*COMMANDS}


def test_readme_names_no_command_that_is_not_there() -> None:
    assert commands_in(README) <= {*COMMANDS}


def test_its_first_screen_shows_the_page_the_replay_and_a_receipt() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README[: README.index("```console")])
    assert len(shown) == 3
    assert all((ROOT / file).is_file() for file in shown)


@pytest.mark.parametrize("system", PRESENT)
def test_the_clauses_of_each_system_are_counted(system: str) -> None:
    (row,) = re.findall(rf"^\| `{system}` \|.*\| (\d+) \|$", README, re.MULTILINE)
    assert int(row) == len(load(system).clauses), "count again in the table of README.md"

"""The first minutes: the output for the bare name, for help, and for typing errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from affray.tools.cli.command_registry import COMMANDS, GROUPS
from tests.tools.program import AFFRAY, affray
from tests.tools.terminal import type_at_terminal

COLOUR = "\x1b["


def list_commands_in(text: str) -> list[str]:
    """Return the commands that a text lists, each in a line with what it does."""
    return [name for name in re.findall(r"^  ([a-z-]+) +[A-Z].*\.$", text, re.MULTILINE) if name in COMMANDS]


def test_alone_it_greets_and_says_what_to_try_first_and_which_commands_there_are(tmp_path: Path) -> None:
    ran = affray(tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Affray runs a tabletop fight by the rules, and writes down everything.\n\nTry first:\n")
    assert list_commands_in(ran.out) == list(COMMANDS)
    assert COLOUR not in ran.out


def test_what_it_says_to_try_first_works_one_after_the_other(tmp_path: Path) -> None:
    proposed = re.findall(r"^  affray (.*?)  ", affray(tmp_path).out, re.MULTILINE)
    assert [words.split()[0] for words in proposed] == ["demo", "new", "new", "play"]
    for words in proposed:
        ran = affray(tmp_path, *words.split())
        assert (ran.code, ran.err) == (0, ""), words


@pytest.mark.parametrize("columns", ["80", "120"])
def test_help_lists_the_commands_in_groups_each_in_one_line(tmp_path: Path, columns: str) -> None:
    out = affray(tmp_path, "--help", COLUMNS=columns).out
    assert list_commands_in(out) == list(COMMANDS)
    assert [line[:-1] for line in out.splitlines() if re.fullmatch("[A-Z].*:", line)] == [*GROUPS, "Options"]
    assert "..." not in out.partition("Run a fight")[2]
    assert max(map(len, out.splitlines())) <= 80


def test_help_may_be_said_as_a_command(tmp_path: Path) -> None:
    for words in ((), ("show",), ("bench", "serve")):
        assert affray(tmp_path, "help", *words) == affray(tmp_path, *words, "--help")


def test_of_an_unknown_command_the_nearest_is_named(tmp_path: Path) -> None:
    near, far = affray(tmp_path, "shwo", "bridge.jsonl"), affray(tmp_path, "brew")
    assert near == (2, "", "affray: there is no command shwo; did you mean show?\n")
    assert far == (2, "", "affray: there is no command brew; affray --help lists them\n")
    assert affray(tmp_path, "shwo", "--json").json["error"]["code"] == "usage"


def test_wrong_usage_names_the_help_of_its_command(tmp_path: Path) -> None:
    assert affray(tmp_path, "show") == (2, "", "affray: Missing argument 'FIGHT'.\naffray show --help says more\n")


def test_at_a_terminal_headings_stand_out_unless_somebody_wants_no_colour(tmp_path: Path) -> None:
    assert f"{COLOUR}1mTry first" in type_at_terminal(tmp_path, [AFFRAY], "", TERM="xterm")
    assert COLOUR not in type_at_terminal(tmp_path, [AFFRAY], "", TERM="xterm", NO_COLOR="1")

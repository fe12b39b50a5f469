"""Completing words in a shell: what the installed program answers to its scripts, and bash itself with one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from affray.engine.core.loading import available
from affray.engine.opening import begin_fight
from affray.engine.stores import SqliteStore
from affray.tools.cli.command_registry import COMMANDS
from affray.tools.cli.play.completion_grammar import completions
from affray.tools.parse.encounter_file import read_encounter
from tests.tools.program import AFFRAY, Ran, affray, duel, rebuild_from_log
from tests.tools.terminal import type_at_terminal

MAY = ("attack", "delay", "end_turn", "move", "ready", "shift", "swap")
"""What Ilse may do on her first turn."""

SHELLS = ("bash", "zsh", "fish")
BRIDGE = Path(__file__).parents[2] / "encounters" / "vestige" / "bridge.toml"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder with a duel on Ilse's first turn, two fights in a database, an encounter and a folder."""
    duel(tmp_path)
    for name in ("bridge", "brook"):
        _, content = read_encounter(BRIDGE)
        begin_fight(name, content, who="gm", seed=bytes(32), store=SqliteStore(tmp_path / "club.db"))
    (tmp_path / "old").mkdir()
    return tmp_path


def complete_line(folder: Path, line: str, shell: str = "fish", breaks: str = "") -> Ran:
    """Ask for what may stand at the end of a line, as a shell's script does."""
    return affray(folder, COMP_LINE=line, _AFFRAY_COMPLETE=shell, COMP_WORDBREAKS=breaks)


def list_completions(folder: Path, line: str, shell: str = "fish", breaks: str = "") -> list[str]:
    """Return the words that may stand at the end of a line."""
    ran = complete_line(folder, line, shell, breaks)
    assert (ran.code, ran.err) == (0, "")
    return [one.split("\t")[1] for one in ran.out.splitlines()]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_a_script_that_asks_the_program(tmp_path: Path, shell: str) -> None:
    ran = affray(tmp_path, "completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert f"_AFFRAY_COMPLETE={shell}" in ran.out
    program = shutil.which(shell)
    if program is not None:
        (tmp_path / "script").write_text(ran.out, "utf-8")
        subprocess.run([program, "-n", "script"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_are_completed_with_what_they_do(tmp_path: Path, shell: str) -> None:
    assert list_completions(tmp_path, "affray ", shell) == list(COMMANDS)
    assert complete_line(tmp_path, "affray sh", shell).out == f"plain\tshow\t{COMMANDS['show'].says}\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("affray show --a", ["--at"]),
        ("affray show ", ["club.db#", "duel.jsonl", "old/"]),
        ("affray show du", ["duel.jsonl"]),
        ("affray show clu", ["club.db#bridge", "club.db#brook"]),
        ("affray show club.db#bro", ["club.db#brook"]),
        ("affray show sqlite:club.db#", ["sqlite:club.db#bridge", "sqlite:club.db#brook"]),
        ("affray stats duel.jsonl clu", ["club.db#bridge", "club.db#brook"]),
        ("affray new ", ["duel.toml", "old/"]),
        ("affray new --template ", [*available()]),
        ("affray rules ves", ["vestige"]),
        ("affray rules vestige ves-00", [f"VES-00{nth}" for nth in range(1, 10)]),
        ("affray do duel.jsonl ", ["ilse"]),
        ("affray do duel.jsonl ilse at", ["attack"]),
        ("affray do duel.jsonl ilse attack ", ["bram"]),
        ("affray do duel.jsonl ilse attack bram ", [f"ep={nth}" for nth in range(6)]),
        ("affray do duel.jsonl ilse attack bram ep=", [f"ep={nth}" for nth in range(6)]),
        ("affray do club.db#bridge ", ["begin"]),
        ("affray legal duel.jsonl ilse attack ", ["bram"]),
        ("affray rule duel.jsonl conc", ["conceal"]),
        ("affray rule duel.jsonl pool ", ["ilse", "bram"]),
        ("affray rule duel.jsonl pool bram he", ["health"]),
        ("affray rule duel.jsonl pool bram health ", ["to=", "by="]),
        ("affray stand duel.jsonl ", ["ilse", "bram"]),
        ("affray stand duel.jsonl ilse ", ["always", "worthwhile", "targeted", "never"]),
        ("affray odds duel.jsonl --if 'ilse att", ["ilse attack bram"]),
        ("affray odds duel.jsonl --if ilse", [f"ilse {one}" for one in MAY]),
        ("affray explain duel.jsonl --why-not 'ilse attack ", ["ilse attack bram"]),
        ("affray luck duel.jsonl --side ", ["red", "blue"]),
        ("affray luck duel.jsonl --side=b", ["--side=blue"]),
        ("affray play duel.jsonl --auto ", ["red", "blue"]),
        ("affray regress duel.jsonl --set brink_t", ["brink_target="]),
        ("affray completion ", list(SHELLS)),
        ("affray show nothere.jsonl --at ", []),
        ("affray do nothere.jsonl ", []),
        ("affray do duel.jsonl nobody ", []),
        ("affray brew ", []),
    ],
)  # fmt: skip
def test_what_may_stand_there(table: Path, line: str, wanted: list[str]) -> None:
    assert list_completions(table, line) == wanted


def test_an_answer_is_completed_and_so_is_what_it_wants_to_know(tmp_path: Path) -> None:
    """In the closed fight of the road, where Ilka is asked whether she pushes."""
    affray(tmp_path, "demo", "--copy", "tried")
    affray(tmp_path, "fork", "tried/replays/verdigris/closed-toll-road.jsonl", "-o", "road.jsonl", "--at", "373")
    assert list_completions(tmp_path, "affray answer road.jsonl ") == ["keep", "push"]
    assert list_completions(tmp_path, "affray do road.jsonl ") == []


def test_what_a_correction_may_say_is_that_of_the_moment_it_corrects(table: Path) -> None:
    affray(table, "do", "duel.jsonl", "ilse", "end_turn")
    affray(table, "answer", "duel.jsonl", "pass")
    said = [one for one in affray(table, "log", "--verbose", "duel.jsonl").out.splitlines() if "ends the turn" in one]
    number = re.findall(r"\d+", said[0])[0]
    assert list_completions(table, f"affray amend duel.jsonl {number} ") == ["ilse"]
    assert list_completions(table, "affray do duel.jsonl ") == ["bram"]


def test_bash_replaces_only_what_it_takes_for_a_word(table: Path) -> None:
    """It breaks words at ``=`` and ``:``, unless they are quoted."""
    breaks = " \t\n\"'><=;|&(:"
    assert list_completions(table, "affray do duel.jsonl ilse attack bram ep=", "bash", breaks) == list("012345")
    assert list_completions(table, "affray show sqlite:club.db#bro", "bash", breaks) == ["club.db#brook"]
    assert list_completions(table, "affray show sqlite:club.db#bro", "bash") == ["sqlite:club.db#brook"]
    assert list_completions(table, "affray luck duel.jsonl --side=b", "bash", breaks) == ["blue"]


def test_no_name_of_a_file_controls_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "evil\x1b[2J.jsonl").touch()
    (tmp_path / "two\nlines.jsonl").touch()
    assert list_completions(tmp_path, "affray show ") == []


def test_tab_in_bash_completes_a_whole_command(table: Path) -> None:
    """As typed at a terminal: ``affray do du[Tab]il[Tab]att[Tab]br[Tab]ep=1``."""
    script = affray(table, "completion", "bash").out
    (table / "bashrc").write_text(f"PATH={AFFRAY.parent}:$PATH\nbind 'set bell-style none'\n{script}", "utf-8")
    keys = "affray do du\til\tatt\tbr\tep=1\nexit\n"
    shown = type_at_terminal(table, ["bash", "--noprofile", "--rcfile", "bashrc", "-i"], keys, HISTFILE="")
    assert "affray do duel.jsonl ilse attack bram ep=1" in shown
    assert "Ilse means to attack Bram" in shown or "Ilse attacks Bram" in shown, shown


@pytest.mark.parametrize(
    ("opened", "side"),
    [
        ('"ban', "bandits$(touch ran)"),
        ('--side="ban', "bandits`touch ran`"),
        ("'ban", "bandits';touch ran;'"),
        ('"ban', 'bandits";touch ran;"'),
        ("ban", "bandits$(touch ran)"),
    ],
)
def test_no_completed_name_is_a_command(table: Path, opened: str, side: str) -> None:
    """Bash puts a word behind an opened quote as it is; a stranger's file can hold any name."""
    quoted = side.replace('"', '\\"')
    raider = f'[[combatant]]\nname = "Bob"\nside = "{quoted}"\nblock = "raider"\n'
    (table / "t.toml").write_text(
        f'system = "wwn"\n{raider}{raider.replace("Bob", "Al").replace(quoted, "guards")}', "utf-8"
    )
    assert affray(table, "new", "t.toml").code == 0
    script = affray(table, "completion", "bash").out
    (table / "bashrc").write_text(f"PATH={AFFRAY.parent}:$PATH\nbind 'set bell-style none'\n{script}", "utf-8")
    asked = opened if opened.startswith("--") else f"--side {opened}"
    mark = opened.removeprefix("--side=")[0].strip("b")
    keys = f"affray luck t.jsonl {asked}\t{mark}\nexit\n{mark}\nexit\n\x04\x04\x04"
    type_at_terminal(table, ["bash", "--noprofile", "--rcfile", "bashrc", "-i"], keys, HISTFILE="")
    assert not (table / "ran").exists()


def test_tab_in_a_conversation_completes_a_line_and_the_next_one_remembers_it(table: Path) -> None:
    """``at[Tab]ep=1`` is Ilse's attack on the only one there is; the arrow key brings it back another time."""
    shown = type_at_terminal(table, [AFFRAY, "play", "duel.jsonl"], "at\tbr\tep=1\nquit\n")
    assert "> attack bram ep=1" in shown
    assert rebuild_from_log(table / "duel.jsonl").state.awaited is not None
    history = table / ".local" / "state" / "affray" / "history"
    assert history.read_text("utf-8").splitlines() == ["attack bram ep=1", "quit"]
    assert history.stat().st_mode & 0o777 == 0o600
    again = type_at_terminal(table, [AFFRAY, "play", "duel.jsonl"], "\x1b[A\x1b[A\x01legal \nquit\n")
    assert "> legal attack bram ep=1" in again


def test_no_line_is_remembered_where_somebody_wants_none(table: Path) -> None:
    type_at_terminal(table, [AFFRAY, "play", "duel.jsonl"], "why\nquit\n", AFFRAY_HISTORY="off")
    assert not (table / ".local").exists()


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("un", ["undo"]),
        ("undo ", ["fresh"]),
        ("a", ["answer", "apart", "attack", "auto"]),
        ("attack ", ["bram"]),
        ("? ilse at", ["attack"]),
        ("rule pool br", ["bram"]),
        ("auto ", ["all", "blue", "red"]),
        ("auto red ", ["anything", "searching", "sensible"]),
        ("pass ", []),
        ("stand ilse n", ["never"]),
        ("help ", []),
        ("nobody ", []),
    ],
)
def test_every_line_of_a_conversation_can_be_completed(table: Path, line: str, wanted: list[str]) -> None:
    assert completions(rebuild_from_log(table / "duel.jsonl"), line) == wanted

"""Files that a command writes by name: no loss of irreplaceable ones, and no half written ones."""

from __future__ import annotations

import ast
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import affray.tools
from affray.engine.errors import StoreFailed, Unusable
from affray.tools.cli.command_registry import COMMANDS
from affray.tools.cli.main import main, run
from affray.tools.text.output_files import write_output
from tests.tools.program import duel

OPENS = {"open", "os.open", "io.open", "os.link", "os.rename", "os.replace", "shutil.copy", "shutil.move"}
METHODS = {"write_text", "write_bytes", "touch", "open", "rename", "hardlink_to", "symlink_to"}

MAY = {
    "text/output_files.py": "writes every file that a user names",
    "cli/printing.py": "opens /dev/null",
    "cli/standard_streams.py": "opens standard streams that were closed",
    "cli/play/line_editing.py": "keeps the lines of conversations, in a private file of their user",
    "lab/bench/cluster.py": "what the programs of a cluster say, in a folder that goes with it",
    "systems/new_system.py": "writes a new system, into a folder that it has just made",
    "lab/bench/strength/results.py": "appends to the pairs of a file in which it has read nothing else",
}
"""Who opens files in tools, and why."""

WRITERS = {
    "stats --svg": ["stats", "duel.jsonl", "--svg"],
    "luck --svg": ["luck", "duel.jsonl", "--trials", "10", "--svg"],
    "explain --html": ["explain", "duel.jsonl", "20", "--html"],
    "export": ["export", "duel.jsonl", "--format", "html", "-o"],
    "export a table": ["export", "duel.jsonl", "--format", "rolls", "-o"],
    "key": ["key", "anna", "-o"],
    "checkpoint": ["checkpoint", "duel.jsonl", "--key", "signer", "-o"],
    "template": ["new", "--template", "vestige", "-o"],
    "scenario --write": ["scenario", "--write"],
    "fork": ["fork", "duel.jsonl", "-o"],
    "new": ["new", "duel.toml", "-o"],
    "party": ["party", "new", "--from", "duel.toml"],
}
"""Every command that writes where it is told to, up to the name."""

ASKS = {name: words for name, words in WRITERS.items() if name not in ("scenario --write", "fork", "new", "party")}
"""Those of them that take ``--force``, and a file of any name."""


def opening_calls() -> Iterator[tuple[str, str]]:
    """Yield each call in tools that may open a file for writing, with its module."""
    (folder,) = map(Path, affray.tools.__path__)
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                flags = name == "opened" and any("os.O_" in ast.unparse(one) for one in node.args)
                if name in OPENS or flags or (method in METHODS and name not in ("self.open", "session.open")):
                    yield str(file.relative_to(folder)), name


def test_one_function_opens_every_output_file() -> None:
    assert {where for where, _ in opening_calls()} == set(MAY)


EDITED: dict[str, Callable[[str], bytes]] = {
    "mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "blank": lambda text: b"\xef\xbb\xbf\r\n " + text.encode(),
    "utf16": lambda text: text.encode("utf-16"),
    "big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
}
"""What an editor may make of a text when it saves it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Path:
    """A folder with everything that must not be lost, under its own name and others."""
    monkeypatch.chdir(tmp_path)
    duel(tmp_path)
    shutil.copy("duel.toml", "enc.toml")
    assert run(main, ["new", "enc.toml", "-o", "fights.db#duel"]) == 0
    assert run(main, ["key", "anna", "-o", "signer"]) == 0
    Path("duel.key").write_text("ab" * 32 + "\n", "ascii")
    Path("duel.torn").write_bytes(Path("duel.jsonl").read_bytes().splitlines()[-1][:300])
    Path("grants.json").write_text("{}\n")
    for kept, copy in (
        ("duel.jsonl", "log.html"),
        ("duel.key", "key.svg"),
        ("fights.db", "db.md"),
        ("duel.torn", "torn"),
    ):
        shutil.copy(kept, copy)
    for kept in ("duel.jsonl", "duel.key", "duel.torn", "signer"):
        text = Path(kept).read_text("utf-8")
        for how, edited in EDITED.items():
            Path(f"{kept.replace('.', '-')}.{how}").write_bytes(edited(text))
    Path("link.html").symlink_to("duel.jsonl")
    os.link("duel.jsonl", "hard.html")
    Path("dangling.svg").symlink_to("new.key")
    os.mkfifo("fifo")
    Path("sub").mkdir()
    capfd.readouterr()
    return tmp_path


TREASURES = [
    "duel.jsonl", "duel.key", "duel.torn", "fights.db", "grants.json", "log.html", "key.svg", "db.md", "link.html",
    "hard.html", "dangling.svg", "signer", "fifo", "sub", "DUEL.KEY", "new.jsonl", "new.key", "fights.db-wal",
    "sub/../duel.jsonl", "/dev/null",
    *(f"{kept}.{how}" for kept in ("duel-jsonl", "duel-key", "duel-torn", "signer") for how in EDITED),
]  # fmt: skip


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return the files of a folder with their contents."""
    return {
        str(one.relative_to(folder)): (one.lstat().st_ino, one.read_bytes() if one.is_file() else b"")
        for one in folder.rglob("*")
    }


@pytest.mark.parametrize("command", ASKS)
def test_no_command_replaces_what_cannot_be_had_again(
    folder: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not by any name, not through a link, and not even with ``--force``."""
    before = contents(folder)
    for treasure in TREASURES:
        for force in ([], ["--force"]):
            code = run(main, [*WRITERS[command], treasure, *force])
            out, err = capfd.readouterr()
            assert (code, out) == (2, ""), (treasure, force, out)
            assert treasure in err, err
            assert err.count("\n") == 1
    assert contents(folder) == before


@pytest.mark.parametrize("command", ["fork", "new", "scenario --write"])
def test_what_writes_fights_and_scenarios_replaces_none(
    folder: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)
    for treasure in TREASURES:
        if treasure not in ("new.jsonl", "fifo"):
            assert run(main, [*WRITERS[command], treasure]) == 2, treasure
            capfd.readouterr()
    assert contents(folder) == before


@pytest.mark.parametrize("command", ASKS)
def test_a_file_that_is_there_is_replaced_only_when_asked(
    folder: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """It keeps who may read it, and a link stays a link."""
    Path("mine").write_text("mine", "utf-8")
    Path("mine").chmod(0o640)
    Path("to-mine").symlink_to("mine")
    refused = run(main, [*WRITERS[command], "to-mine"])
    assert (refused, Path("mine").read_text("utf-8")) == (2, "mine")
    assert "to-mine exists already; choose another, or replace it with --force" in capfd.readouterr().err
    assert run(main, [*WRITERS[command], "to-mine", "--force"]) == 0
    assert Path("mine").read_bytes() not in (b"mine", b"")
    assert stat.S_IMODE(Path("mine").stat().st_mode) == 0o640
    assert Path("to-mine").is_symlink()


@pytest.mark.parametrize("command", ASKS)
def test_a_new_file_appears_with_all_its_content(folder: Path, command: str) -> None:
    before = set(contents(folder))
    assert run(main, [*WRITERS[command], "sub/fresh"]) == 0
    assert set(contents(folder)) - before == {"sub/fresh"}
    secret = command == "key"
    assert stat.S_IMODE(Path("sub/fresh").stat().st_mode) & 0o077 == (0 if secret else 0o066 & ~umask())


def umask() -> int:
    """The user's umask."""
    now = os.umask(0)
    os.umask(now)
    return now


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the new file nor its draft; and an older one is as it was."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "old").write_text("old", "utf-8")
    monkeypatch.setattr(os, "fsync", full)
    for name in ("old", "new"):
        with pytest.raises(StoreFailed, match="No space left on device; nothing was written"):
            write_output(tmp_path / name, "x" * 10_000, force=True)
    assert contents(tmp_path).keys() == {"old"}
    assert (tmp_path / "old").read_text("utf-8") == "old"


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def appears(_: int) -> None:
        (tmp_path / "new").write_text("theirs", "utf-8")

    monkeypatch.setattr(os, "fsync", appears)
    with pytest.raises(StoreFailed, match="exists already"):
        write_output(tmp_path / "new", "ours", force=False)
    assert (tmp_path / "new").read_text("utf-8") == "theirs"
    assert contents(tmp_path).keys() == {"new"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no/where", "there is no folder"),
        ("loop", "leads nowhere|symbolic links"),
        ("n" * 300, "name too long"),
        (".", "is a folder"),
    ],
)
def test_where_no_file_can_be(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises((Unusable, StoreFailed), match=f"(?i){why}"):
        write_output(tmp_path / name, "x", force=True)
    assert contents(tmp_path).keys() == {"loop"}


def test_every_command_is_known_here() -> None:
    """A new command is looked at: does it write a file? Then it belongs to ``WRITERS``."""
    assert set(COMMANDS) == {words[0] for words in WRITERS.values()} | {
        "show", "legal", "do", "answer", "roll", "rule", "stand", "play", "log", "replay", "undo", "redo", "amend",
        "compare", "stir", "close", "audit", "rules", "regress", "schema", "diagram", "serve", "pipe", "bench",
        "odds", "balance", "demo", "completion", "tables", "apart", "join", "new-system",
    }  # fmt: skip

"""Output is harmless: no text of a fight moves the cursor, forges a line or reverses text."""

from __future__ import annotations

import ast
import io
import re
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import affray.tools
from affray.engine import FileStore, open_fight
from affray.tools.cli.main import main, run
from affray.tools.present.documents import document
from affray.tools.text.printable import json_text, printable
from tests.tools.hostile import EVIL, FORGED, forge_with_evil, readable

REPLAYS = Path(__file__).parents[2] / "replays"
OWN_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

COMMANDS = {
    "show": "show F",
    "show then": "show F --at 200",
    "legal": "legal F",
    "log": "log F",
    "log verbose": "log F --verbose --undone",
    "chances": "log F --chances",
    "replay": "replay F",
    "audit": "audit F",
    "compare": "compare F --lane 300",
    "regress": "regress F",
    "stats": "stats F --all",
    "explain": "explain F 400",
    "why not": "explain F --why-not 'ilse dance'",
    "markdown": "export F",
    "html": "export F --format html",
    "rolls": "export F --format rolls",
    "events": "export F --format events",
    "do": "do F nobody dance",
    "ruling": "rule F note rain --reason because",
    "undo": "undo F",
    "redo": "redo F",
    "amend": "amend F 400 --retract --reason because",
    "answer": "answer F perhaps",
    "stand": "stand F nobody never",
    "fork": "fork F -o fork.jsonl",
    "close": "close F",
}
"""Everything that says something of a fight."""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=[False, True], ids=["labels", "everything"])
def fight(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A fight with evil in its labels alone, or in everything; it opens, so that all of it is shown."""
    forge_with_evil(REPLAYS / "vestige" / "version-1-goes-on.jsonl", tmp_path / "evil.jsonl", everything=request.param)
    assert open_fight("evil", FileStore(tmp_path), mend=True).history.head > 400
    return "evil.jsonl"


def said_by(words: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and everything that is printed."""
    capfd.readouterr()
    code = run(main, words)
    out, err = capfd.readouterr()
    return code, (out + err).replace("\r\n", "\n")  # the line ends of a table are those of its format


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_nothing_that_is_printed_does_anything(fight: str, words: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Every printed line of every command is the program's own."""
    line = [fight if word == "F" else word.strip("'") for word in re.findall(r"'[^']*'|\S+", words)]
    code, said = said_by(line, capfd)
    assert code in (0, 1, 2, 3)
    assert said
    readable(said)


@pytest.mark.parametrize("words", ["show F", "log F", "audit F", "legal F", "replay F", "do F nobody dance"])
def test_machines_get_the_same_texts_without_raw_controls(
    fight: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """JSON has its own way to write such characters: the terminal sees none, a program all of them."""
    _, said = said_by([*words.replace("F", fight).split(), "--json"], capfd)
    readable(said)
    assert msgspec.json.decode(said)


def test_a_conversation_about_such_a_fight(
    fight: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what is typed comes back as a line."""
    typed = (
        "?",
        "show",
        "log",
        "why",
        f"dance {EVIL.splitlines()[0]}",
        "rule note rain because it rains",
        "undo",
        "help",
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed) + "\n"))
    _, said = said_by(["play", fight], capfd)
    readable(said)


@pytest.mark.parametrize("words", ["show F", "log F", "audit F", "stats F", "rules vestige VES-001"])
def test_a_terminal_sees_no_sequences_but_our_colours(fight: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", seen := Terminal())
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "150")
    run(main, words.replace("F", fight).split())
    readable(OWN_COLOURS.sub("", seen.getvalue()))


@pytest.mark.parametrize(
    "words",
    [
        [f"do{EVIL}"],
        ["show", f"none{EVIL}.jsonl"],
        ["show", f"none{EVIL}"],
        ["show", f"none{EVIL}.db#x"],
        ["show", f"nowhere{EVIL}.db#{EVIL}"],
        ["new", f"none{EVIL}.toml"],
        ["new", "--template", f"vestig{EVIL}"],
        ["rules", f"vestig{EVIL}"],
        ["rules", "vestige", f"VES{EVIL}"],
        ["show", f"postgresql://me:secret{EVIL}@nowhere/x#y"],
        ["show", "x.jsonl", f"--no-such{EVIL}"],
        ["key", f"anna{EVIL}", "-o", "mine"],
        ["scenario", f"none{EVIL}"],
        ["audit", "x.jsonl", "--checkpoint", f"none{EVIL}"],
    ],
)
@pytest.mark.parametrize("machine", [False, True])
def test_what_was_typed_is_quoted_harmlessly(
    words: list[str], machine: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """A foreign file may have any name, and a shell completes it."""
    words = [word.replace("\x00", "") for word in words]  # no argument can hold one
    _, said = said_by([*words, *(["--json"] if machine else [])], capfd)
    assert said
    assert "secret" not in said
    readable(said)


@given(st.text())
def test_printable_leaves_one_line_of_visible_marks(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert all(one.isprintable() or one.isspace() for one in shown)
    assert printable(shown) == shown
    assert shown == text or not text.isprintable()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_means_the_same(text: str) -> None:
    written = json_text({"said": text})
    assert msgspec.json.decode(written) == {"said": text}
    assert written == printable(written)


def test_what_shows_is_left_as_it_is() -> None:
    assert printable("Ílsé → “Wrath” − 3 \u00a0 \u3000 🗡") == "Ílsé → “Wrath” − 3 \u00a0 \u3000 🗡"
    assert printable("a\x1b[2J\nb\u202e") == r"a\x1b[2J\nb\u202e"
    assert printable("\udcff") == r"\udcff"
    assert FORGED in printable(EVIL)


def printers() -> dict[str, list[str]]:
    """The functions in each module of tools that print without ``printing`` and ``screen``."""
    (folder,) = map(Path, affray.tools.__path__)
    found: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            prints = name in ("print", "click.echo", "click.secho", "click.style", "escape", "Console", "Text")
            writes = name.startswith(("sys.stdout.", "sys.stderr.")) and "write" in name
            if prints or writes or (isinstance(node, ast.ImportFrom) and node.module in ("html", "markupsafe")):
                found.setdefault(str(file.relative_to(folder)), []).append(name or "html")
    return found


def test_nothing_prints_past_the_one_place() -> None:
    """The pipe speaks to programs alone, in JSON, and promises them the very bytes of a log."""
    documents = {"present/documents/document.py", "book/linked.py"}
    aside = {"lab/forecast_process.py", "server/log_file_story.py"}
    assert set(printers()) == {"pipe/pipe.py", "cli/printing.py", "cli/terminal.py"} | aside | documents


def test_what_is_put_into_a_document_is_text() -> None:
    class Named:
        def __str__(self) -> str:
            return "<a\x00\n>"

    for name in ("<a\x00\n>", Named()):
        shown = document("present/charts/chart.svg", name=name, says="", across=1, tall=1, shapes=[])
        assert r'<title id="name">&lt;a\x00\n&gt;</title>' in shown


def test_no_template_puts_in_anything_unescaped() -> None:
    (folder,) = map(Path, affray.tools.__path__)
    templates = [
        file for file in folder.rglob("*") if file.suffix in (".html", ".svg") and "{%" in file.read_text("utf-8")
    ]
    assert len(templates) >= 6
    assert [file for file in templates if re.search(r"\|\s*safe|autoescape", file.read_text("utf-8"))] == []

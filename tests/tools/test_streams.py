"""Standard streams that are closed, full or of another encoding, and words that are no text: never a traceback."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from affray.engine.integrity.signed_note import signing_key
from affray.engine.stores import FileStore
from affray.tools.cli import main
from affray.tools.cli.command_registry import COMMANDS
from affray.tools.cli.standard_streams import make_ready
from tests.tools.program import AFFRAY, duel, surroundings

WORDS = {
    "new": ["new", "duel.toml", "-o", "fresh.jsonl"],
    "show": ["show", "duel.jsonl"],
    "apart": ["apart", "duel.jsonl", "ilse"],
    "legal": ["legal", "duel.jsonl"],
    "do": ["do", "duel.jsonl", "ilse", "attack", "bram"],
    "answer": ["answer", "duel.jsonl", "yes"],
    "roll": ["roll", "duel.jsonl", "12"],
    "rule": ["rule", "duel.jsonl", "note", "rain", "--reason", "Ærgerlich"],
    "join": ["join", "duel.jsonl", "pack.toml"],
    "stand": ["stand", "duel.jsonl", "ilse", "never"],
    "play": ["play", "duel.jsonl"],
    "log": ["log", "duel.jsonl"],
    "explain": ["explain", "duel.jsonl", "20"],
    "stats": ["stats", "duel.jsonl", "--all"],
    "odds": ["odds", "duel.jsonl", "--trials", "2"],
    "luck": ["luck", "duel.jsonl", "--trials", "10"],
    "balance": ["balance", "duel.toml", "--trials", "2"],
    "replay": ["replay", "duel.jsonl", "--step"],
    "undo": ["undo", "duel.jsonl"],
    "redo": ["redo", "duel.jsonl"],
    "amend": ["amend", "duel.jsonl", "22", "--retract", "--reason", "no"],
    "fork": ["fork", "duel.jsonl", "-o", "fork.jsonl"],
    "compare": ["compare", "duel.jsonl", "--lane", "20"],
    "export": ["export", "duel.jsonl"],
    "stir": ["stir", "duel.jsonl", "words"],
    "close": ["close", "duel.jsonl"],
    "key": ["key", "anna"],
    "checkpoint": ["checkpoint", "duel.jsonl", "--key", "signer"],
    "audit": ["audit", "duel.jsonl"],
    "rules": ["rules", "vestige"],
    "scenario": ["scenario", "folder"],
    "regress": ["regress", "duel.jsonl"],
    "schema": ["schema", "vestige"],
    "diagram": ["diagram", "vestige"],
    "serve": ["serve", "nothing.toml"],
    "pipe": ["pipe", "duel.jsonl"],
    "demo": ["demo", "--copy", "tried"],
    "completion": ["completion", "bash"],
    "tables": ["tables", "vestige"],
    "party": ["party", "new", "heroes.toml", "--from", "nothing.toml"],
    "new-system": ["new-system", "pebbles", "-o", "own"],
    "bench": ["bench", "--help"],
}
"""A run of each command that ends by itself."""

QUICK = ("rule", "play", "rules", "pipe", "stand")
"""Commands of every kind: they write, converse, show, talk to programs; one is refused."""

CAFE = os.fsdecode(b"caf\xe9")
"""A word in Latin-1, as Python gets it."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A duel, and a key."""
    monkeypatch.chdir(tmp_path)
    duel(tmp_path)
    (tmp_path / "signer").write_text(signing_key("anna", bytes(32)) + "\n", "utf-8")
    return tmp_path


def run_with_streams(
    words: list[str], *, closed: tuple[int, ...] = (), out: str = "", err: str = "", said: bytes = b"", **variables: str
) -> tuple[int, bytes, bytes]:
    """Run the program with streams that are closed, or lead somewhere else."""

    def before() -> None:
        for number, file in ((1, out), (2, err)):
            if file:
                os.dup2(os.open(file, os.O_WRONLY), number)
        for number in closed:
            os.close(number)

    done = subprocess.run(
        [AFFRAY, *words],
        input=said,
        capture_output=True,
        timeout=60,
        env=surroundings(**variables),
        preexec_fn=before,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert b"Exception ignored" not in done.stderr, done.stderr.decode()
    return done.returncode, done.stdout, done.stderr


def here(words: list[str], monkeypatch: pytest.MonkeyPatch, encoding: str = "utf-8") -> tuple[int, bytes]:
    """Run a command in this process, where all it prints is of one encoding."""
    both = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    with monkeypatch.context() as changed:
        changed.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        changed.setattr(sys, "stdout", both)
        changed.setattr(sys, "stderr", both)
        make_ready()
        code = main.run(main.main, words)
    both.flush()
    buffer = both.detach()
    assert isinstance(buffer, io.BytesIO)
    return code, buffer.getvalue()


def test_every_command_is_here() -> None:
    assert WORDS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", WORDS)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_an_output_that_knows_few_characters_gets_simpler_ones(
    command: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = here(WORDS[command], monkeypatch, encoding)
    assert code in (0, 1, 2)
    assert said or command == "pipe"
    if encoding == "ascii" and command not in (
        "export",
        "schema",
        "diagram",
        "checkpoint",
    ):  # documents are UTF-8 wherever they go
        said.decode("ascii")


def test_an_ascii_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run_with_streams(["show", "duel.jsonl"], PYTHONIOENCODING="ascii:strict", LC_ALL="C")
    assert (code, err) == (0, b"")
    assert b"> Ilse" in out


def test_machines_get_utf_8_in_any_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["rule", "duel.jsonl", "note", "Ærger 🗡", "--reason", "−", "--json"]
    code, said = here(words, monkeypatch, "ascii")
    assert code == 0
    assert "Ærger 🗡" in str(msgspec.json.decode(said))


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("command", QUICK)
def test_a_closed_stream_is_as_good_as_nothing(folder: Path, command: str, closed: tuple[int, ...]) -> None:
    """And no file that is opened later takes its place: a log would hold what was meant for people."""
    before = (folder / "duel.jsonl").read_bytes()
    assert run_with_streams(WORDS[command], closed=closed)[0] == 0
    written = (folder / "duel.jsonl").read_bytes()
    assert written.startswith(before)
    assert all(line.startswith(b'{"position":') for line in written.splitlines())


@pytest.mark.parametrize("store", ["fresh.jsonl", "fresh.db#duel"])
def test_nothing_is_printed_into_a_fight_that_is_opened(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_with_streams(["new", "duel.toml", "-o", store], closed=(0, 1, 2))[0] == 0
    assert here(["replay", store], monkeypatch)[0] == 0


@pytest.mark.parametrize("command", ["rule", "play", "rules"])
def test_a_full_disk_behind_the_outputs(command: str) -> None:
    assert run_with_streams(WORDS[command], out="/dev/full", err="/dev/full")[0] == 2
    code, _, err = run_with_streams(WORDS[command], out="/dev/full")
    assert (code, err) == (2, b"standard output: No space left on device\n")


def test_a_complaint_that_nobody_can_be_told(folder: Path) -> None:
    """The exit code says it, also where the store warns first."""
    assert run_with_streams(["show", "none.jsonl"], err="/dev/full")[0] == 2
    with (folder / "duel.jsonl").open("ab") as log:
        log.write(b"half a line")
    assert run_with_streams(["do", "duel.jsonl", "nobody", "dance"], err="/dev/full")[0] == 2
    assert run_with_streams(["rule", "duel.jsonl", "note", "x", "--reason", "x"], err="/dev/full")[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["show", f"{CAFE}.jsonl"],
        ["show", f"{CAFE}.jsonl", "--json"],
        ["show", f"{CAFE}.db#x"],
        [CAFE],
        ["do", "duel.jsonl", CAFE, "attack", "bram"],
        ["rule", "duel.jsonl", "note", CAFE, "--reason", "x"],
        ["rule", "duel.jsonl", "note", "x", "--reason", CAFE, "--json"],
        ["export", "duel.jsonl", "-o", f"{CAFE}.html"],
        ["new", f"{CAFE}.toml"],
        ["key", CAFE],
        ["serve", "--store", CAFE],
        ["pipe", "--store", CAFE],
    ],
    ids=ascii,
)
def test_an_argument_that_is_no_text_is_named(folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = {one: one.read_bytes() for one in folder.iterdir()}
    code, said = here(words, monkeypatch)
    nth = next(at for at, word in enumerate(words, 1) if CAFE in word)
    assert code == 2
    assert f"argument {nth} is ".encode() in said
    assert b"caf\\udce9" in said
    assert said.count(b"\n") == 1
    assert {one: one.read_bytes() for one in folder.iterdir()} == before


def test_an_argument_of_a_real_run_that_is_no_text() -> None:
    code, _, err = run_with_streams(["show", f"{CAFE}.jsonl"])
    assert (code, err.count(b"\n")) == (2, 1)
    assert err.startswith(b"affray: argument 2 is caf\\udce9.jsonl, which is not UTF-8 text")


def test_a_variable_that_is_no_text_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_WHO", CAFE)
    code, said = here(["undo", "duel.jsonl"], monkeypatch)
    assert (code, said.split(b" is ")[0]) == (2, b"affray: AFFRAY_WHO")


def test_a_line_that_is_no_text_is_refused_and_the_conversation_goes_on() -> None:
    code, out, err = run_with_streams(
        ["play", "duel.jsonl"], said=b"rule note caf\xe9 because x\nrule note rain because x\n"
    )
    assert (code, err) == (0, b"")
    assert b"is not UTF-8 text" in out
    assert b"rain" in out


@pytest.mark.parametrize(
    "words",
    [
        ["new", "latin.toml"],
        ["scenario", "latin.toml"],
        ["show", "latin.jsonl"],
        ["audit", "duel.jsonl", "--checkpoint", "latin"],
        ["checkpoint", "duel.jsonl", "--key", "latin"],
    ],
    ids=" ".join,
)
def test_files_that_are_no_text(folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("latin", "latin.toml", "latin.jsonl"):
        (folder / name).write_bytes(b"caf\xe9\n")
    code, said = here(words, monkeypatch)
    assert code == 2
    assert b"latin" in said


def test_names_in_a_folder_that_are_no_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight of such a name cannot be asked for, and so is none; of a scenario it is said."""
    shutil.copy(folder / "duel.jsonl", folder / f"{CAFE}.jsonl")
    assert FileStore(folder).fights() == ["duel"]
    (folder / "rules").mkdir()
    (folder / "rules" / f"{CAFE}.toml").write_text('[[scenario]]\ntitle = "x"\n', "utf-8")
    for more in ([], ["--json"]):
        code, said = here(["scenario", "rules", *more], monkeypatch)
        assert code == 2
        assert b"caf\\udce9" in said

"""Only regular files are read, and only up to a sensible size."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from affray.engine.stores.input_files import MOST_BYTES
from tests.tools.program import Ran, affray, duel


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def bind_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


KINDS: dict[str, Callable[[Path], None]] = {
    "a pipe": pipe,
    "a device": device,
    "a socket": bind_socket,
    "a folder": Path.mkdir,
}

READS = {
    "show it.jsonl": "it.jsonl",
    "audit it.jsonl": "it.jsonl",
    "do it.jsonl begin": "it.jsonl",
    "show it.db#duel": "it.db",
    "do it.db#duel begin": "it.db",
    "new duel.toml -o it.db#duel": "it.db",
    "audit duel.jsonl": "duel.key",
    "new it.toml": "it.toml",
    "scenario it.toml": "it.toml",
    "audit duel.jsonl --checkpoint it.note": "it.note",
    "checkpoint duel.jsonl --key it.signer": "it.signer",
}
"""Commands, and the file that is no file."""


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_named_and_not_waited_for(kind: str, tmp_path: Path) -> None:
    """The pipe has no writer, and the device never ends."""
    duel(tmp_path)
    for file in set(READS.values()):
        KINDS[kind](tmp_path / file)
    for words, file in READS.items():
        if kind == "a folder" and file == "it.toml" and words.startswith("scenario"):
            continue  # a folder of scenarios
        ran = affray(tmp_path, *words.split())
        assert (ran.code, ran.out) == (2, ""), words
        assert file in ran.err, words
        assert f"is {kind}, not a file" in ran.err, words
        assert len(ran.err.splitlines()) == 1, words


@pytest.mark.parametrize(
    "words",
    [
        "new it.toml",
        "scenario it.toml",
        "audit duel.jsonl --checkpoint it.toml",
        "checkpoint duel.jsonl --key it.toml",
    ],
)
def test_a_file_that_is_too_big_is_not_read(words: str, tmp_path: Path) -> None:
    duel(tmp_path)
    with (tmp_path / "it.toml").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    ran: Ran = affray(tmp_path, *words.split())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"it.toml: is bigger than {MOST_BYTES} bytes\n"


def test_nested_without_end(tmp_path: Path) -> None:
    """An encounter or a scenario is refused, and nothing is shown of the program."""
    (tmp_path / "it.toml").write_text("a = " + "[" * 100_000, "utf-8")
    for command in ("new", "scenario"):
        ran = affray(tmp_path, command, "it.toml")
        assert (ran.code, ran.out, ran.err) == (2, "", "it.toml: not TOML: nested without end\n")

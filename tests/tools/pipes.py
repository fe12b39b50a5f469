"""A pipe, as the program that embeds it holds it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from select import select
from typing import Any

import msgspec

from tests.tools.program import AFFRAY, run_warm, surroundings

ATTACK = {"type": "Said", "words": "ilse attack bram"}
NOTE = {"type": "Said", "words": "rule note 'it rains'", "reason": "for the record"}


def pipe_lines(folder: Path, *lines: bytes | dict[str, Any], words: tuple[str, ...] = ()) -> list[Any]:
    """Everything that a pipe says to these lines; it has ended well."""
    given = b"".join(line if isinstance(line, bytes) else msgspec.json.encode(line) + b"\n" for line in lines)
    code, out, err = run_warm(folder, ("pipe", *words), surroundings(), given)
    assert (code, err) == (0, b"")
    return [msgspec.json.decode(line) for line in out.splitlines()]


def ask_duel(folder: Path, *requests: dict[str, Any]) -> list[Any]:
    """The answers to requests to the duel, which is open already."""
    return pipe_lines(folder, *requests, words=("duel.jsonl",))


class Talk:
    """A pipe that is talked with."""

    def __init__(self, folder: Path) -> None:
        self.program = subprocess.Popen(
            [AFFRAY, "pipe", "duel.jsonl"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=surroundings(),
            bufsize=0,
        )

    def say(self, given: bytes) -> None:
        assert self.program.stdin is not None
        self.program.stdin.write(given)

    def ask(self, id: str, do: str, **more: Any) -> None:
        self.say(msgspec.json.encode({"id": id, "do": do, **more}) + b"\n")

    def hear(self) -> Any:
        """The next line, whole."""
        assert self.program.stdout is not None
        line = b""
        while not line.endswith(b"\n"):
            assert select([self.program.stdout], [], [], 30)[0], "nothing was said"
            part = os.read(self.program.stdout.fileno(), 1)
            assert part, "the pipe has ended"
            line += part
        return msgspec.json.decode(line)

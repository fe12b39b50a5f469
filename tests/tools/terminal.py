"""A pseudo-terminal in which a program runs as before a user."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.tools.program import surroundings


def type_at_terminal(folder: Path, command: Sequence[str | Path], keys: str, **variables: str) -> str:
    """Return a program's output at a terminal during some typed keys; the last of them end it."""
    ours, its = pty.openpty()
    env = surroundings(**{"TERM": "dumb", "HOME": str(folder), **variables})
    with subprocess.Popen(
        command, cwd=folder, env=env, stdin=its, stdout=its, stderr=its, start_new_session=True
    ) as program:
        os.close(its)
        os.write(ours, keys.encode())
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # so Linux says that nobody holds the other end any more
            pass
        program.wait(60)
    os.close(ours)
    return shown.decode()

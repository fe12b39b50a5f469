"""Process that tells the story of a log file: ``python -m affray.tools.server.log_file_story``.

The server writes the file to its input, and reads the story or an error from its output. The file comes from a
stranger, and may be built to take long, so the process has bounded time and memory.
"""

from __future__ import annotations

import os
import sys

from affray.engine.errors import EngineError
from affray.engine.history.log import read_log
from affray.engine.history.log_validation import must_be_possible
from affray.engine.history.timeline import History
from affray.engine.stores.lines import split_log
from affray.events import LogError
from affray.tools.api.schemas import fights as schemas
from affray.tools.present.awaiting_history import list_headlines as headlines_of
from affray.tools.present.story.entries import entries
from affray.tools.present.story.narration import sentence
from affray.tools.present.story.words import names_of

from .messages import encode
from .worker_processes import OUT_OF_MEMORY, limit_process

CPU_SECONDS = 20
"""The most seconds of processor time."""

UNREADABLE = 3
"""The exit code for an unreadable file; the output says why."""


def run_story() -> None:
    """Read a log file, and write its story."""
    limit_process(CPU_SECONDS)
    try:
        code, said = tell_log(sys.stdin.buffer.read())
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    sys.stdout.buffer.write(said)
    sys.stdout.buffer.flush()
    sys.exit(code)


def tell_log(log: bytes) -> tuple[int, bytes]:
    """Return the exit code, and the story of a log file or the reason why it cannot be read."""
    try:
        recorded = read_log(split_log(log), verified=False)
        must_be_possible(recorded)
        History(recorded)
    except (EngineError, LogError) as error:
        return UNREADABLE, str(error).encode()
    names = names_of(recorded)
    says = [sentence(one.event, names) for one in recorded]
    whole = schemas.Told(says, entries(recorded), headlines_of(recorded), names.words, names.map, names.title)
    return 0, encode(whole)


if __name__ == "__main__":
    run_story()

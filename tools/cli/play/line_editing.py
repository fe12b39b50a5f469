"""Editing lines at a terminal: the tabulator says how a line may go on, and what was typed is kept for next time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .completion_grammar import completions
from .session import Session

MOST_LINES = 1000
"""How many lines are kept."""

HISTORY = "AFFRAY_HISTORY"
"""The variable that says whether they are kept: not if it is ``off`` or empty."""


@contextmanager
def edited(session: Session) -> Iterator[None]:
    """Give the terminal editing, completion and the history of earlier conversations, as long as this one goes on."""
    import readline  # noqa: PLC0415 - where there is no terminal it is not needed

    def nth(_: str, number: int) -> str | None:
        found = completions(session.fight, readline.get_line_buffer()[: readline.get_endidx()])
        if number >= len(found):
            return None
        return found[number] if found[number].endswith("=") or len(found) > 1 else f"{found[number]} "

    readline.set_completer_delims(" ")
    readline.set_completer(nth)
    mac = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if mac else "tab: complete")
    file = history_file()
    if file is not None:
        with suppress(OSError):
            readline.read_history_file(file)
    try:
        yield
    finally:
        if file is not None:
            with suppress(OSError):  # a history is worth no complaint
                readline.set_history_length(MOST_LINES)
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                file.touch(mode=0o600)
                readline.write_history_file(file)


def history_file() -> Path | None:
    """Return where this user's lines are kept, for the user alone; nothing if they are not to be."""
    if os.environ.get(HISTORY) in ("", "off"):
        return None
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "affray" / "history"

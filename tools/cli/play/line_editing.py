"""Line editing on a terminal: completion by Tab, and a history of typed lines."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .completion_grammar import completions
from .session import Session

MOST_LINES = 1000
"""The most lines that the history keeps."""

HISTORY = "AFFRAY_HISTORY"
"""Environment variable: ``off`` or empty disables the history."""


@contextmanager
def edit_lines(session: Session) -> Iterator[None]:
    """Provide editing, completion and history on the terminal while this is entered."""
    import readline  # noqa: PLC0415 - needed on a terminal only

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
            with suppress(OSError):  # a missing history is no error
                readline.set_history_length(MOST_LINES)
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                file.touch(mode=0o600)
                readline.write_history_file(file)


def history_file() -> Path | None:
    """Return the user's file of typed lines, or None if the history is disabled."""
    if os.environ.get(HISTORY) in ("", "off"):
        return None
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "affray" / "history"

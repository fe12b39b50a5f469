"""Writing of files that a user names. Stores write fights."""

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from affray.engine.errors import StoreFailed, Unusable
from affray.engine.stores.lines import BYTE_ORDER_MARK, UTF_16_MARKS

PUBLIC = 0o666
"""The mode of a file, before the user's umask."""

SECRET = 0o600

KEPT = {
    ".jsonl": "a fight",
    ".key": "the dice seed of a fight",
    ".torn": "the torn tail of a fight",
    ".db": "a database of fights",
    "-wal": "a part of a database",
    "-shm": "a part of a database",
    "-journal": "a part of a database",
    "grants.json": "the grants of a server",
}
"""Endings of names that the program uses for its own files; a document may not have them."""

LOOKS = (
    (re.compile(rb"SQLite format 3\0"), "a database"),
    (re.compile(rb'\{\s*"(position|type|event|hash)"\s*:'), "a fight, or a part of one"),
    (re.compile(rb'[^\n]*"FightOpened"'), "a fight"),
    (re.compile(rb"[0-9a-fA-F]{64}\s*\Z"), "the dice seed of a fight"),
    (re.compile(rb"PRIVATE\+KEY\+"), "a key for signing"),
)
"""Beginnings of files that are never replaced, whatever their name, and their kinds."""

ENOUGH = 4096
"""Bytes of a file that are examined."""


def write_output(file: Path, content: str | bytes, *, force: bool, mode: int = PUBLIC) -> None:
    """Write a file with all its content, or not at all.

    Args:
        file: Path; symbolic links are followed.
        content: The content; a text is written in UTF-8 with unchanged line ends.
        force: Whether to replace an existing file. Fights, keys and databases are never replaced.
        mode: Permissions of a new file. A replaced file keeps its permissions.

    Raises:
        StoreFailed: the file exists already, or cannot be written.
        Unusable: the name or content is that of a fight, a key or a database, or the path cannot be a file.
    """
    target = _target(file, force=force)
    draft = target.with_name(f".affray-{token_hex(8)}.new")
    try:
        _write(draft, content.encode() if isinstance(content, str) else content, mode)
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        if force:
            draft.replace(target)
        else:
            os.link(draft, target)
    except FileExistsError:
        raise _exists_already(file) from None
    except OSError as error:
        raise StoreFailed(f"{file}: {error.strerror}; nothing was written") from None
    finally:
        with suppress(OSError):
            draft.unlink()


def check_output(file: Path, *, force: bool) -> None:
    """Refuse a path that cannot be written, before a long computation.

    Raises:
        StoreFailed, Unusable: see ``write_output``.
    """
    _target(file, force=force)


def _target(file: Path, *, force: bool) -> Path:
    """Return the file that a path leads to, if it may be written."""
    try:
        target = file.resolve()
        for name in (file.name, target.name):
            kept = next((what for ending, what in KEPT.items() if name.casefold().endswith(ending)), None)
            if kept is not None:
                raise Unusable(f"{file} is the name of {kept}; choose another")
        if not target.parent.is_dir():
            raise Unusable(f"{file}: there is no folder {file.parent}")
        if not os.path.lexists(target):
            return target
        _must_be_replaceable(file, target)
    except (OSError, RuntimeError) as error:  # a link to itself, or a folder without permission
        raise Unusable(f"{file}: {getattr(error, 'strerror', None) or 'leads nowhere'}") from None
    if not force:
        raise _exists_already(file)
    return target


def _must_be_replaceable(file: Path, target: Path) -> None:
    """Refuse to replace a folder, a special file, a fight, a key or a database."""
    if target.is_dir():
        raise Unusable(f"{file} is a folder; name a file in it")
    if not target.is_file():
        raise Unusable(f"{file} is no plain file, and only such are written; name another")
    with target.open("rb") as there:
        begins = _text_in(there.read(ENOUGH))
    for looks, what in LOOKS:
        if looks.match(begins):
            raise Unusable(f"{file} is {what}, and is never replaced; choose another")


def _text_in(begins: bytes) -> bytes:
    """Return the beginning of a file in UTF-8, without byte order mark and blanks."""
    if begins.startswith(UTF_16_MARKS):
        begins = begins.decode("utf-16", "ignore").encode("utf-8", "ignore")
    return begins.removeprefix(BYTE_ORDER_MARK).lstrip()


def _write(draft: Path, content: bytes, mode: int) -> None:
    """Write a temporary file beside the target, and sync it."""
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(opened, "wb") as written:
        written.write(content)
        written.flush()
        os.fsync(opened)


def _exists_already(file: Path) -> StoreFailed:
    """Build the error for a file that exists already."""
    return StoreFailed(f"{file} exists already; choose another, or replace it with --force")

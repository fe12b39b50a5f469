"""Input files that a user names: regular files only, up to a limit."""

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 1 << 24
"""The maximum size of a file that is read as a whole: an encounter, a scenario, a key, a checkpoint."""

_KINDS = {
    stat.S_IFDIR: "is a folder, not a file",
    stat.S_IFIFO: "is a pipe, not a file",
    stat.S_IFSOCK: "is a socket, not a file",
    stat.S_IFCHR: "is a device, not a file",
    stat.S_IFBLK: "is a device, not a file",
}


def must_be_a_file(path: Path, found: os.stat_result | None = None) -> os.stat_result:
    """Refuse a path that is no regular file.

    Opening a pipe might wait, and reading a device might never end.

    Raises:
        OSError: the path is no regular file, or does not exist.
    """
    found = found or path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, _KINDS.get(stat.S_IFMT(found.st_mode), "is no file"), str(path))
    return found


def open_regular_file(path: Path, flags: int = os.O_RDONLY, mode: int = 0o644) -> int:
    """Open a regular file, and return its descriptor.

    Raises:
        OSError: it is none, or cannot be opened.
    """
    if not flags & os.O_CREAT or path.exists():
        must_be_a_file(path)
    file = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY, mode)
    try:
        must_be_a_file(path, os.fstat(file))  # another file may have its name by now
    except OSError:
        os.close(file)
        raise
    return file


def read_input_bytes(path: Path) -> bytes:
    """Read the content of a file.

    Raises:
        OSError: it is no regular file, is too big, or cannot be read.
    """
    with os.fdopen(open_regular_file(path), "rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"is bigger than {MOST_BYTES} bytes", str(path))
    return content


def read_input_text(path: Path) -> str:
    """Read the text of a file; see ``unify_line_ends``.

    Raises:
        OSError: as ``read_input_bytes``.
        UnicodeDecodeError: it is not UTF-8.
    """
    return unify_line_ends(read_input_bytes(path).decode())


def unify_line_ends(text: str) -> str:
    """Strip a byte order mark and turn all line endings into line feeds."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")

"""Fights as JSON Lines files: ``FIGHT.jsonl``, with the seed in ``FIGHT.key`` and a torn tail in ``FIGHT.torn``."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

import structlog

from affray.engine.errors import Exists, OutOfDate, StoreFailed, Unusable
from affray.events import Malformed, read_line

from .given import content_of, opened
from .lines import content, end, lines_of, must_be_a_log, must_be_readable

_log = structlog.get_logger(__name__)

_SURROGATE = re.compile("[\ud800-\udfff]")
"""What Python reads a byte of a file's name as that is no text."""


class _End(NamedTuple):
    """Where the last whole command of a log ends.

    Attributes:
        size: How many bytes the file has.
        whole: How many of them are whole commands.
        head: The last position in them.
    """

    size: int
    whole: int
    head: int


class FileStore:
    """A folder of fights.

    Args:
        folder: Where they are.
        durable: Whether an append waits until the disk has it.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        self._ends: dict[str, _End] = {}

    def path(self, fight: str) -> Path:
        """Return the file of a fight."""
        return self.folder / f"{fight}.jsonl"

    def fights(self) -> list[str]:
        """See ``Store``. A file whose name is no text keeps none: nobody could ask for it."""
        names = [path.stem for path in self.folder.glob("*.jsonl")]
        return sorted(name for name in names if not _SURROGATE.search(name))

    def read(self, fight: str) -> list[bytes]:
        """See ``Store``. A tail that is not a whole command is left out, and left for the next ``append``.

        Raises:
            LogError: it is no log of a fight, or has a line that cannot be one of it.
        """
        path = self.path(fight)
        with self._opened(path, os.O_RDONLY, fcntl.LOCK_SH) as file:
            size = os.fstat(file).st_size
            must_be_a_log(file)
            whole, last = end(file, size)
            lines = list(lines_of(file, whole))
        if whole < size and self._ends.get(fight, _NONE).size != size:
            _log.warning("left_torn_tail", log=str(path), bytes=size - whole, until="the next command")
        if not last:
            raise Malformed("the log holds no whole command")
        self._ends[fight] = _End(size, whole, read_line(last, len(lines)).position)
        return lines

    def lines(self, fight: str) -> Iterator[bytes]:
        """See ``Store``. What is appended meanwhile is not waited for; a last line without its end comes as it is."""
        with self._opened(self.path(fight), os.O_RDONLY, fcntl.LOCK_SH) as file:
            size = os.fstat(file).st_size
            fcntl.flock(file, fcntl.LOCK_UN)
            yield from lines_of(file, size, whatever=True)

    def since(self, fight: str, after: int) -> list[bytes]:
        """See ``Store``. Where the file has not grown since this store last saw its end, it is not read."""
        path = self.path(fight)
        known = self._ends.get(fight, _NONE)
        if path.is_file() and (known.size, known.head) == (path.stat().st_size, after):
            return []
        return self.read(fight)[after:]

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        """See ``Store``. Only the owner may read the seed's file."""
        must_be_readable(lines)
        made = []
        try:
            if seed is not None:
                made.append(self._create(self._key(fight), seed.hex().encode() + b"\n", 0o600))
            made.append(self._create(self.path(fight), b"\n".join(lines) + b"\n", 0o644))
            self._sync_folder()
        except BaseException:
            for path in made:
                path.unlink()
            raise

    def _create(self, path: Path, content: bytes, mode: int) -> Path:
        """Let a file appear under its name with all its content, or not at all."""
        draft = path.with_name(f"{path.name}.{token_hex(8)}.new")  # nobody else's, who begins the same fight
        try:
            file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
            try:
                self._write(file, content)
                os.link(draft, path)
            finally:
                os.close(file)
                draft.unlink()
        except FileExistsError:
            raise Exists(f"{path} exists already") from None
        except OSError as error:
            raise StoreFailed(f"{path}: {error.strerror}; nothing was written") from None
        return path

    def _write(self, file: int, content: bytes) -> None:
        view = memoryview(content)
        while view:
            view = view[os.write(file, view) :]
        if self.durable:
            os.fdatasync(file)

    def _sync_folder(self) -> None:
        """Let a new file's name survive a power cut too."""
        if self.durable:
            folder = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def append(self, fight: str, lines: Sequence[bytes], after: int) -> None:
        """See ``Store``. A tail that is not a whole command is set aside in ``FIGHT.torn`` first."""
        path = self.path(fight)
        must_be_readable(lines)
        written = b"\n".join(lines) + b"\n"
        with self._opened(path, os.O_RDWR | os.O_APPEND, fcntl.LOCK_EX) as file:
            size, whole, head = self._found(fight, file)
            if head != after:
                raise OutOfDate(after, head)
            if whole < size:
                self._set_aside(path, file, whole, size)
            try:
                self._write(file, written)
            except OSError as error:
                os.ftruncate(file, whole)
                raise StoreFailed(f"{path}: {error.strerror}; nothing was written") from None
            except BaseException:  # Ctrl-C between two writes
                os.ftruncate(file, whole)
                raise
        size = whole + len(written)
        self._ends[fight] = _End(size, size, after + len(lines))

    def seed(self, fight: str) -> bytes | None:
        """See ``Store``."""
        try:
            return bytes.fromhex(content_of(self._key(fight)).decode("ascii").strip())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreFailed(f"{self._key(fight)}: the dice seed cannot be read: {error.strerror}") from None
        except ValueError:  # whose message might quote a part of the secret
            raise StoreFailed(f"{self._key(fight)}: the dice seed cannot be read: it is not 64 hex digits") from None

    def _key(self, fight: str) -> Path:
        return self.folder / f"{fight}.key"

    def _found(self, fight: str, file: int) -> _End:
        """Return where the last whole command of the file, which is locked, ends."""
        size = os.fstat(file).st_size
        known = self._ends.get(fight, _NONE)
        if known.size == size:
            return known
        must_be_a_log(file)
        whole, last = end(file, size)
        return _End(size, whole, read_line(last).position if last else 0)

    def _set_aside(self, path: Path, file: int, whole: int, size: int) -> None:
        """Move what is not a whole command out of the log, which is locked."""
        torn = path.with_suffix(".torn")
        try:
            aside = opened(torn, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            before = os.fstat(aside).st_size
            try:
                self._write(aside, content(file, whole, size))
            except BaseException:
                os.ftruncate(aside, before)
                raise
            finally:
                os.close(aside)
            self._sync_folder()
        except OSError as error:
            raise StoreFailed(f"{torn}: {error.strerror}; nothing was written") from None
        os.ftruncate(file, whole)
        _log.warning("set_torn_tail_aside", log=str(path), bytes=size - whole, kept_in=str(torn))

    @contextmanager
    def _opened(self, path: Path, flags: int, lock: int) -> Iterator[int]:
        try:
            file = opened(path, flags)
        except FileNotFoundError:
            missing = f"fight {path}" if path.parent.is_dir() else f"folder {path.parent}"
            raise Unusable(f"there is no {missing}") from None
        except OSError as error:
            raise StoreFailed(f"{path}: {error.strerror}") from None
        try:
            fcntl.flock(file, lock)
            yield file
        finally:
            os.close(file)


_NONE = _End(-1, 0, 0)

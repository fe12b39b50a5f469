"""A store of JSON Lines files.

A fight is ``FIGHT.jsonl``, its seed ``FIGHT.key``, and a torn tail that was set aside ``FIGHT.torn``.
"""

import fcntl
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from affray.engine.errors import Altered, Exists, NoFight, OutOfDate, StoreFailed, Unsure
from affray.engine.logger import Logger
from affray.events import Malformed, read_line

from .input_files import open_regular_file, read_input_text
from .lines import find_last_command_end, iterate_lines, must_be_a_log, must_be_readable, read_range
from .rows import has_hash, read_behind_known

_log = Logger(__name__)

_SURROGATE = re.compile("[\ud800-\udfff]")
"""The characters for bytes of a file's name that Python cannot decode."""


class _End(NamedTuple):
    """The end of a log's last whole command.

    Attributes:
        seen: The fingerprint of the file.
        whole: The number of bytes in whole commands.
        head: The last position in them.
        hash: Its hash.
    """

    seen: tuple[int, ...]
    whole: int
    head: int
    hash: str

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self.seen[_SIZE]


class FileStore:
    """A folder of fights.

    Args:
        durable: Whether an append waits until the data is on disk.
        ending: The suffix of the logs' file names, if it is not ``.jsonl``; the seed is always in ``FIGHT.key``.
    """

    def __init__(self, folder: Path, *, durable: bool = True, ending: str = ".jsonl") -> None:
        self.folder = folder
        self.durable = durable
        self.ending = ending
        self._ends: dict[str, _End] = {}

    def path(self, fight: str) -> Path:
        """Return the file of a fight."""
        return self.folder / f"{fight}{self.ending}"

    def fights(self) -> list[str]:
        """See ``Store``. Files without a decodable name are skipped.

        No client could name them.
        """
        names = [path.name.removesuffix(self.ending) for path in self.folder.glob(f"*{self.ending}")]
        return sorted(name for name in names if not _SURROGATE.search(name))

    def read(self, fight: str) -> list[bytes]:
        """See ``Store``. A tail that is not a whole command is left out.

        The next ``append`` sets it aside.

        Raises:
            LogError: it is no log of a fight, or has a line that cannot be one of it.
        """
        path = self.path(fight)
        with self._open_locked(path, os.O_RDONLY, fcntl.LOCK_SH) as file:
            file_now = os.fstat(file)
            size = file_now.st_size
            must_be_a_log(file)
            whole, last = find_last_command_end(file, size)
            lines = list(iterate_lines(file, whole))
        if whole < size and self._ends.get(fight, _NONE).size != size:
            _log.warning("left_torn_tail", log=str(path), bytes=size - whole, until="the next command")
        if not last:
            raise Malformed("the log holds no whole command")
        ended = read_line(last, len(lines))
        self._ends[fight] = _End(_fingerprint_of(file_now), whole, ended.position, ended.hash)
        return lines

    def lines(self, fight: str, after: int = 0) -> Iterator[bytes]:
        """See ``Store``. Lines appended meanwhile are not read.

        A last line without its newline is ``Torn``.
        """
        with self._open_locked(self.path(fight), os.O_RDONLY, fcntl.LOCK_SH) as file:
            size = os.fstat(file).st_size
            fcntl.flock(file, fcntl.LOCK_UN)
            yield from islice(iterate_lines(file, size, whatever=True), after, None)

    def since(self, fight: str, after: int, hash: str = "") -> list[bytes]:
        """See ``Store``. An unchanged file is not read again."""
        known = self._ends.get(fight, _NONE)
        if known.head == after and hash in ("", known.hash) and known.seen == self._fingerprint(fight):
            return []
        return read_behind_known(fight, after, hash, lambda after: self.read(fight)[after:])

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        """See ``Store``. Only the owner may read the seed's file."""
        must_be_readable(lines)
        made = []
        try:
            if seed is not None:
                made.append(self._create(self._key(fight), seed.hex().encode() + b"\n", 0o600))
            made.append(self._create(self.path(fight), b"\n".join(lines) + b"\n", 0o644))
            if self.durable:
                sync_folder(self.folder)
        except BaseException as error:
            for path in made:
                path.unlink()
            if isinstance(error, OSError):
                raise StoreFailed(f"{self.folder}: {error.strerror}; nothing was written") from None
            raise

    def _create(self, path: Path, written: bytes, mode: int) -> Path:
        """Create a file with all its content, or not at all."""
        draft = path.with_name(f"{path.name}.{token_hex(8)}.new")  # another process may begin the same fight
        try:
            file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
            try:
                self._write(file, written)
                os.link(draft, path)
            finally:
                os.close(file)
                draft.unlink()
        except FileExistsError:
            raise Exists(f"{path} exists already") from None
        except OSError as error:
            raise StoreFailed(f"{path}: {error.strerror}; nothing was written") from None
        return path

    def _write(self, file: int, written: bytes) -> None:
        view = memoryview(written)
        while view:
            view = view[os.write(file, view) :]
        if self.durable:
            os.fdatasync(file)

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        """See ``Store``. A torn tail is first set aside in ``FIGHT.torn``."""
        path = self.path(fight)
        must_be_readable(lines)
        written = b"\n".join(lines) + b"\n"
        with self._open_locked(path, os.O_RDWR | os.O_APPEND, fcntl.LOCK_EX) as file:
            whole = self._check_head(fight, file, after, hash)
            size = os.fstat(file).st_size
            if whole < size:
                self._set_torn_tail_aside(path, file, whole, size)
            try:
                self._write(file, written)
            except OSError as error:
                self._undo_write(file, whole, f"{path}: {error.strerror}")
                raise StoreFailed(f"{path}: {error.strerror}; nothing was written") from None
            except BaseException:  # Ctrl-C between two writes
                os.ftruncate(file, whole)
                raise
            seen = _fingerprint_of(os.fstat(file))
        now = self._fingerprint(fight)
        if now is None or now[:2] != seen[:2]:  # another file was put in its place meanwhile
            raise Altered(fight, after)
        self._ends[fight] = _End(seen, seen[_SIZE], after + len(lines), read_line(lines[-1]).hash)

    def _undo_write(self, file: int, size: int, why: str) -> None:
        """Remove the written part of a command after a failed write.

        If that fails too, readers may find the command later.
        """
        try:
            os.ftruncate(file, size)
            if self.durable:
                os.fdatasync(file)
        except OSError:
            raise Unsure(why) from None

    def seed(self, fight: str) -> bytes | None:
        """See ``Store``."""
        try:
            return bytes.fromhex(read_input_text(self._key(fight)).strip())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreFailed(f"{self._key(fight)}: the dice seed cannot be read: {error.strerror}") from None
        except ValueError:  # its message might quote a part of the secret
            raise StoreFailed(f"{self._key(fight)}: the dice seed cannot be read: it is not 64 hex digits") from None

    def _key(self, fight: str) -> Path:
        return self.folder / f"{fight}.key"

    def _fingerprint(self, fight: str) -> tuple[int, ...] | None:
        try:
            return _fingerprint_of(self.path(fight).stat())
        except OSError:
            return None

    def _check_head(self, fight: str, file: int, after: int, hash: str) -> int:
        """Return the length of the whole commands in a locked file.

        Refuse a head that the writer does not know.
        """
        known, now = self._ends.get(fight, _NONE), os.fstat(file)
        if known.head == after and hash in ("", known.hash) and known.seen == _fingerprint_of(now):
            return known.whole
        must_be_a_log(file)
        whole, last = find_last_command_end(file, now.st_size)
        ended = read_line(last) if last else None
        head = ended.position if ended else 0
        if hash and after and not (ended and self._holds_event(file, whole, after, hash)):
            raise Altered(fight, after)
        if head != after:
            raise OutOfDate(after, head)
        return whole

    def _holds_event(self, file: int, whole: int, position: int, hash: str) -> bool:
        """Tell whether the line at a position is that of a known event."""
        line = next(islice(iterate_lines(file, whole), position - 1, None), None)
        return line is not None and has_hash(line, hash)

    def _set_torn_tail_aside(self, path: Path, file: int, whole: int, size: int) -> None:
        """Move a torn tail out of the log, which is locked."""
        torn = path.with_name(f"{path.name.removesuffix(self.ending)}.torn")
        try:
            aside = open_regular_file(torn, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            before = os.fstat(aside).st_size
            try:
                self._write(aside, read_range(file, whole, size))
            except BaseException:
                os.ftruncate(aside, before)
                raise
            finally:
                os.close(aside)
            if self.durable:
                sync_folder(self.folder)
        except OSError as error:
            raise StoreFailed(f"{torn}: {error.strerror}; nothing was written") from None
        os.ftruncate(file, whole)
        _log.warning("set_torn_tail_aside", log=str(path), bytes=size - whole, kept_in=str(torn))

    @contextmanager
    def _open_locked(self, path: Path, flags: int, lock: int) -> Iterator[int]:
        try:
            file = open_regular_file(path, flags)
        except FileNotFoundError:
            missing = f"fight {path}" if path.parent.is_dir() else f"folder {path.parent}"
            raise NoFight(f"there is no {missing}") from None
        except OSError as error:
            raise StoreFailed(f"{path}: {error.strerror}") from None
        try:
            fcntl.flock(file, lock)
            yield file
        finally:
            os.close(file)


_SIZE = 2
_NONE = _End((-1, -1, -1), 0, 0, "")


def _fingerprint_of(file: os.stat_result) -> tuple[int, ...]:
    """Return a fingerprint of a file, which changes with the file."""
    return file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns


def sync_folder(folder: Path) -> None:
    """Make the names of new, renamed and removed files survive a power cut."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)

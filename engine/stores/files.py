"""Fights as JSON Lines files: ``FIGHT.jsonl``, with the seed in ``FIGHT.key`` and a torn tail in ``FIGHT.torn``."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

import structlog

from affray.engine.errors import Altered, Exists, NoFight, OutOfDate, StoreFailed, Unsure, Unusable
from affray.events import LogError, read_line

from .rows import continuing, has_hash

_log = structlog.get_logger(__name__)

_End = tuple[tuple[int, ...], int, str]
"""Where a file ended when it was last seen: what tells it from another or a changed one, position and hash."""

_PART = 1 << 18
"""How many bytes are read at once by those who read line by line."""


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
        """See ``Store``."""
        return sorted(path.stem for path in self.folder.glob("*.jsonl"))

    def read(self, fight: str) -> list[bytes]:
        """See ``Store``. A tail that is not a whole command is set aside in ``FIGHT.torn``."""
        path = self.path(fight)
        with self._opened(path, os.O_RDONLY, fcntl.LOCK_SH) as file:
            content, seen = _content(file), _seen(os.fstat(file))
        whole = _whole(content)
        if whole < len(content):
            self._set_aside(path, content, whole)
        lines = content[:whole].split(b"\n")[:-1]
        if lines and whole == len(content):
            last = read_line(lines[-1], len(lines))
            self._ends[fight] = seen, last.position, last.hash
        return lines

    def lines(self, fight: str) -> Iterator[bytes]:
        """See ``Store``. What is appended meanwhile is not waited for; a last line without its end comes as it is."""
        rest = b""
        with self._opened(self.path(fight), os.O_RDONLY, fcntl.LOCK_SH) as file:
            left = os.fstat(file).st_size
            fcntl.flock(file, fcntl.LOCK_UN)
            while left and (part := os.read(file, min(left, _PART))):
                left -= len(part)
                *whole, rest = (rest + part).split(b"\n")
                yield from whole
        if rest:
            yield rest

    def since(self, fight: str, after: int, hash: str = "") -> list[bytes]:
        """See ``Store``. Where the file has not changed since this store last saw its end, it is not read."""
        seen, position, known = self._ends.get(fight, ((), 0, ""))
        if position == after and hash in ("", known) and seen == self._seen(fight):
            return []
        return continuing(fight, after, hash, lambda after: self.read(fight)[after:])

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        """See ``Store``. Only the owner may read the seed's file."""
        made = []
        try:
            if seed is not None:
                made.append(self._create(self._key(fight), seed.hex().encode() + b"\n", 0o600))
            made.append(self._create(self.path(fight), b"\n".join(lines) + b"\n", 0o644))
            self._sync_folder()
        except BaseException as error:
            for path in made:
                path.unlink()
            if isinstance(error, OSError):
                raise StoreFailed(f"{self.folder}: {error.strerror}; nothing was written") from None
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

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        """See ``Store``."""
        path = self.path(fight)
        content = b"\n".join(lines) + b"\n"
        with self._opened(path, os.O_RDWR | os.O_APPEND, fcntl.LOCK_EX) as file:
            size = self._must_end(fight, file, after, hash)
            try:
                self._write(file, content)
            except OSError as error:
                self._take_back(file, size, f"{path}: {error.strerror}")
                raise StoreFailed(f"{path}: {error.strerror}; nothing was written") from None
            except BaseException:  # Ctrl-C between two writes
                os.ftruncate(file, size)
                raise
            seen = _seen(os.fstat(file))
        now = self._seen(fight)
        if now is None or now[:2] != seen[:2]:  # somebody put another file in its place meanwhile
            raise Altered(fight, after)
        self._ends[fight] = seen, after + len(lines), read_line(lines[-1]).hash

    def _take_back(self, file: int, size: int, why: str) -> None:
        """Remove what was written of a command that could not be written wholly.

        Raises:
            Unsure: that fails too, so that it may be found there once the machine starts again.
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
            return bytes.fromhex(self._key(fight).read_text("ascii").strip())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreFailed(f"{self._key(fight)}: the dice seed cannot be read: {error.strerror}") from None
        except ValueError:  # whose message might quote a part of the secret
            raise StoreFailed(f"{self._key(fight)}: the dice seed cannot be read: it is not 64 hex digits") from None

    def _key(self, fight: str) -> Path:
        return self.folder / f"{fight}.key"

    def _seen(self, fight: str) -> tuple[int, ...] | None:
        try:
            return _seen(self.path(fight).stat())
        except OSError:
            return None

    def _must_end(self, fight: str, file: int, after: int, hash: str) -> int:
        """Return the size of a file, which is locked, if its last event is the one that a writer knows.

        Raises:
            OutOfDate, Altered, StoreFailed: as ``append`` does.
        """
        seen, position, known = self._ends.get(fight, ((), 0, ""))
        now = os.fstat(file)
        if position == after and hash in ("", known) and seen == _seen(now):
            return now.st_size
        content = _content(file)
        whole = _whole(content)
        if whole < len(content):
            raise StoreFailed(f"{self.path(fight)} ends in half a command; open it again to set that aside")
        lines = content.split(b"\n")[:-1]
        if hash and after and not (after <= len(lines) and has_hash(lines[after - 1], hash)):
            raise Altered(fight, after)
        if len(lines) != after:
            raise OutOfDate(after, len(lines))
        return now.st_size

    def _set_aside(self, path: Path, content: bytes, whole: int) -> None:
        """Move what is not a whole command out of the log, under the lock, unless a writer mended it meanwhile."""
        torn = path.with_suffix(".torn")
        try:
            with self._opened(path, os.O_RDWR, fcntl.LOCK_EX) as file:
                if _content(file) != content:
                    return
                with torn.open("ab") as aside:
                    aside.write(content[whole:])
                    aside.flush()
                    os.fsync(aside.fileno())
                os.ftruncate(file, whole)
                _log.warning("set_torn_tail_aside", log=str(path), bytes=len(content) - whole, kept_in=str(torn))
        except (OSError, StoreFailed, Unusable) as error:
            _log.warning("left_torn_tail", log=str(path), bytes=len(content) - whole, reason=str(error))

    @contextmanager
    def _opened(self, path: Path, flags: int, lock: int) -> Iterator[int]:
        try:
            file = os.open(path, flags)
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


def _seen(file: os.stat_result) -> tuple[int, ...]:
    """Return what tells a file, and how it stands, from another file or from the same one changed."""
    return file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns


def _content(file: int) -> bytes:
    size = os.fstat(file).st_size
    parts, at = [], 0
    while at < size:
        part = os.pread(file, size - at, at)
        if not part:
            break
        parts.append(part)
        at += len(part)
    return b"".join(parts)


def _whole(content: bytes) -> int:
    """Return how many bytes, from the start, are whole commands; a line that cannot be read is left to the reader."""
    end = content.rfind(b"\n") + 1
    while end:
        start = content.rfind(b"\n", 0, end - 1) + 1
        try:
            if read_line(content[start : end - 1]).more == 0:
                return end
        except LogError:
            return end
        end = start
    return 0

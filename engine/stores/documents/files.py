"""Documents in a folder: ``KIND/NAME`` with the ending of their media type.

People may also write such files by hand.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import convert

from affray.engine.clock import format_time
from affray.engine.errors import NoDocument, StoreFailed, Unusable
from affray.engine.stores.files import sync_folder
from affray.engine.stores.input_files import open_regular_file, read_input_bytes

from . import protocol
from .protocol import MEDIA, Document, DocumentInfo, check_kind, check_name, must_be_known

_ENDINGS = {ending: media for media, ending in MEDIA.items()}
_DRAFT = ".new"
_LOCK = ".lock"


class FileDocuments:
    """A folder with a subfolder for each kind.

    Args:
        durable: Whether a write waits until the data is on disk.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable

    def list_documents(self, kind: str) -> list[DocumentInfo]:
        """See ``Documents``. Files that cannot be documents are skipped."""
        check_kind(kind)
        found = []
        for name in sorted(path.stem for path in self._files(kind)):
            with suppress(NoDocument):  # deleted meanwhile
                found.append(convert(self.read(kind, name), DocumentInfo, from_attributes=True))
        return found

    def read(self, kind: str, name: str) -> Document:
        """See ``Documents``."""
        check_name(kind, name)
        path = self._path(kind, name)
        try:
            if path is not None:
                return _read(kind, path)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise StoreFailed(f"{path}: {error.strerror}") from None
        raise NoDocument(f"there is no {kind} {name}", "name")

    def write(self, kind: str, name: str, media: str, content: bytes, expected: str) -> DocumentInfo:
        """See ``Documents``."""
        check_name(kind, name)
        protocol.check_content(media, content)
        with self._lock(kind) as folder:
            before = self._path(kind, name)
            must_be_known(kind, name, self._version(kind, name), expected)
            others = [path for path in self._files(kind) if path.stem != name]
            protocol.must_have_room(kind, len(others), sum(path.stat().st_size for path in others) + len(content))
            path = folder / f"{name}{MEDIA[media]}"
            self._replace(folder / _DRAFT, path, content)
            if before is not None and before != path:
                before.unlink()
            if self.durable:
                sync_folder(folder)
            return convert(_read(kind, path), DocumentInfo, from_attributes=True)

    def delete(self, kind: str, name: str, expected: str) -> None:
        """See ``Documents``."""
        self.read(kind, name)
        with self._lock(kind) as folder:
            present = self.read(kind, name)
            must_be_known(kind, name, present.version, expected)
            (folder / f"{name}{MEDIA[present.media]}").unlink()
            if self.durable:
                sync_folder(folder)

    def _files(self, kind: str) -> list[Path]:
        """List the files of a kind's documents; of two with one name the first."""
        found: dict[str, Path] = {}
        for path in sorted((self.folder / kind).glob("[A-Za-z0-9]*")):
            if path.suffix in _ENDINGS and path.is_file() and _is_name(kind, path.stem):
                found.setdefault(path.stem, path)
        return list(found.values())

    def _path(self, kind: str, name: str) -> Path | None:
        there = (self.folder / kind / f"{name}{ending}" for ending in sorted(_ENDINGS))
        return next((path for path in there if path.is_file()), None)

    def _version(self, kind: str, name: str) -> str:
        try:
            return self.read(kind, name).version
        except NoDocument:
            return ""

    def _replace(self, draft: Path, path: Path, content: bytes) -> None:
        """Write a file completely, then rename it to its place."""
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        with os.fdopen(file, "wb") as written_to:
            written_to.write(content)
            written_to.flush()
            if self.durable:
                os.fsync(file)
        draft.replace(path)

    @contextmanager
    def _lock(self, kind: str) -> Iterator[Path]:
        """Lock the folder of a kind for writing; create it if it is missing."""
        folder = self.folder / kind
        try:
            folder.mkdir(exist_ok=True)
            lock = open_regular_file(folder / _LOCK, os.O_RDWR | os.O_CREAT)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield folder
            finally:
                os.close(lock)
        except OSError as error:
            raise StoreFailed(f"{folder}: {error.strerror}; nothing was written") from None


def _read(kind: str, path: Path) -> Document:
    media, content = _ENDINGS[path.suffix], read_input_bytes(path)
    return Document(
        kind=kind,
        name=path.stem,
        media=media,
        size=len(content),
        version=protocol.version_of(media, content),
        changed=format_time(datetime.fromtimestamp(path.stat().st_mtime, UTC)),
        content=content,
    )


def _is_name(kind: str, name: str) -> bool:
    try:
        check_name(kind, name)
    except Unusable:
        return False
    return True

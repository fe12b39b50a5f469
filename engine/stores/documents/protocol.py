"""The interface of what keeps documents: encounters, parties, pictures, and what was set for a fight."""

import re
from hashlib import sha256
from typing import Protocol

from msgspec import Struct

from affray.engine.errors import Full, Superseded, Unusable

TOML = "application/toml"

MEDIA = {
    TOML: ".toml",
    "application/json": ".json",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
}
"""What a document may hold, and how a file of it ends."""

LARGEST = 10 * 2**20
"""The most bytes of a document."""

MOST = 1_000
"""How many documents of one kind are kept at most."""

MOST_BYTES = 512 * 2**20
"""How many bytes the documents of one kind have at most, all together."""

_KIND = re.compile("[a-z]{1,20}")
_NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


class Listed(Struct, frozen=True, kw_only=True):
    """A document without what it holds.

    Attributes:
        kind: What it is for, such as ``encounter``.
        name: Under which it is kept.
        media: Its media type.
        size: How many bytes it has.
        version: Tells it from what it was before, and from what others may write.
        changed: When it was last written.
    """

    kind: str
    name: str
    media: str
    size: int
    version: str
    changed: str


class Document(Listed, frozen=True, kw_only=True):
    """A document.

    Attributes:
        content: What it holds.
    """

    content: bytes


class Documents(Protocol):
    """Keeps documents by kind and name, each wholly or not at all, for every process of a store.

    Each method raises ``Unusable`` for a kind, a name or a media type that no document can have, and ``StoreFailed``
    if it cannot be read or written; then nothing has changed, but for ``Unsure``.
    """

    def listed(self, kind: str) -> list[Listed]:
        """Return the documents of a kind, in the order of their names."""
        ...

    def read(self, kind: str, name: str) -> Document:
        """Return a document.

        Raises:
            NoDocument: there is none of that name.
        """
        ...

    def write(self, kind: str, name: str, media: str, content: bytes, expected: str) -> Listed:
        """Write a document, durably.

        Args:
            expected: The version that the writer knows; empty if there is none yet.

        Raises:
            Superseded: it is in another version, or there is one already.
            Full: there are as many as there may be, or they are as large together.
        """
        ...

    def delete(self, kind: str, name: str, expected: str) -> None:
        """Delete a document.

        Raises:
            NoDocument: there is none of that name.
            Superseded: it is in another version than the expected one.
        """
        ...


def version_of(media: str, content: bytes) -> str:
    """Return the version of a document: that of the same content is always the same."""
    return sha256(media.encode() + b"\n" + content).hexdigest()[:16]


def check_kind(kind: str) -> None:
    """Refuse what is no kind of document.

    Raises:
        Unusable: it is none.
    """
    if not _KIND.fullmatch(kind):
        raise Unusable("must have 1 to 20 small letters", "kind")


def check_name(kind: str, name: str) -> None:
    """Refuse a name that no document of a kind can have.

    Raises:
        Unusable: it is one.
    """
    check_kind(kind)
    if not _NAME.fullmatch(name):
        raise Unusable("must have 1 to 100 letters, digits, - and _, and begin with a letter or a digit", "name")


def check_content(media: str, content: bytes) -> None:
    """Refuse what is kept in no document.

    Raises:
        Unusable: it is of another media type, or too large.
    """
    if media not in MEDIA:
        raise Unusable(f"cannot be {media}; there are {', '.join(MEDIA)}", "media")
    if len(content) > LARGEST:
        raise Unusable(f"must have at most {LARGEST:,} bytes", "content")


def must_be_known(kind: str, name: str, present: str, expected: str) -> None:
    """Refuse to replace a document whose present version its writer does not know.

    Raises:
        Superseded: it is another one.
    """
    if present != expected:
        raise Superseded(kind, name, present)


def must_have_room(kind: str, others: int, size: int) -> None:
    """Refuse a document for which there is no room.

    Args:
        others: How many documents of the kind there are beside it.
        size: How many bytes they would have with it.

    Raises:
        Full: there are too many, or they are too large together.
    """
    if others >= MOST:
        raise Full(f"there are {others:,} documents of the kind {kind}, and there may be no more: delete one first")
    if size > MOST_BYTES:
        raise Full(f"the documents of the kind {kind} may have {MOST_BYTES:,} bytes together: delete one first")

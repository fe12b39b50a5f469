"""The interface of a store of documents: encounters, parties, pictures, settings."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol, TypeVar

from msgspec import Struct, convert

from affray.engine.errors import Full, Superseded, Unusable

TOML = "application/toml"

MEDIA = {TOML: ".toml", "application/json": ".json", "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
"""The media types of documents, with the endings of their files."""

LARGEST = 10 * 2**20
"""The maximum size of a document in bytes."""

MOST = 5_000
"""The maximum number of documents of one kind: one for each fight that a server may hold."""

MOST_BYTES = 4 * 2**30
"""The maximum total size of the documents of one kind in bytes."""

_KIND = re.compile("[a-z]{1,20}")
_NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


class DocumentInfo(Struct, frozen=True, kw_only=True):
    """A document without its content.

    Attributes:
        kind: Its kind, such as ``encounter``.
        name: Its name.
        media: Its media type.
        size: Its size in bytes.
        version: A version that changes with the content; a writer names the version that it knows.
        changed: The time of the last write.
    """

    kind: str
    name: str
    media: str
    size: int
    version: str
    changed: str


class Document(DocumentInfo, frozen=True, kw_only=True):
    """A document.

    Attributes:
        content: Its content.
    """

    content: bytes


D = TypeVar("D", bound=DocumentInfo)


def read_row(form: type[D], row: Sequence[object]) -> D:
    """Return a document, or its information, from a row of its fields in their order.

    Raises:
        msgspec.ValidationError: a field has another type.
    """
    return convert(dict(zip(form.__struct_fields__, row, strict=True)), form, builtin_types=(bytes,))


class Documents(Protocol):
    """A store of documents by kind and name, shared by all processes of a store.

    Each document is written completely or not at all. Each method raises ``Unusable`` for an invalid kind, name or
    media type, and ``StoreFailed`` if it cannot be read or written; then nothing has changed, except after ``Unsure``.
    """

    def list_documents(self, kind: str) -> list[DocumentInfo]:
        """List the documents of a kind, in the order of their names."""

    def read(self, kind: str, name: str) -> Document:
        """Return a document.

        Raises:
            NoDocument: there is none of that name.
        """

    def write(self, kind: str, name: str, media: str, content: bytes, expected: str) -> DocumentInfo:
        """Write a document, durably.

        Args:
            expected: The version that the writer knows; empty for a new document.

        Raises:
            Superseded: it is in another version, or exists already.
            Full: the number or total size of documents has reached its maximum.
        """

    def delete(self, kind: str, name: str, expected: str) -> None:
        """Delete a document.

        Raises:
            NoDocument: there is none of that name.
            Superseded: it is in another version than the expected one.
        """


def version_of(media: str, content: bytes) -> str:
    """Compute the version of a document, which is a hash of its content."""
    return sha256(media.encode() + b"\n" + content).hexdigest()[:16]


def check_kind(kind: str) -> None:
    """Refuse an invalid kind of document.

    Raises:
        Unusable: it is invalid.
    """
    if not _KIND.fullmatch(kind):
        raise Unusable("must have 1 to 20 small letters", "kind")


def check_name(kind: str, name: str) -> None:
    """Refuse an invalid name of a document.

    Raises:
        Unusable: it is invalid.
    """
    check_kind(kind)
    if not _NAME.fullmatch(name):
        raise Unusable("must have 1 to 100 letters, digits, - and _, and begin with a letter or a digit", "name")


def check_content(media: str, content: bytes) -> None:
    """Refuse content that no document can hold.

    Raises:
        Unusable: its media type is not accepted, or it is too large.
    """
    if media not in MEDIA:
        raise Unusable(f"cannot be {media}; there are {', '.join(MEDIA)}", "media")
    if len(content) > LARGEST:
        raise Unusable(f"must have at most {LARGEST:,} bytes", "content")


def must_be_known(kind: str, name: str, present: str, expected: str) -> None:
    """Refuse to replace a document if its writer does not know its present version.

    Raises:
        Superseded: its present version is another one.
    """
    if present != expected:
        raise Superseded(kind, name, present)


def must_have_room(kind: str, others: int, size: int) -> None:
    """Refuse a document that would exceed the maximum number or total size.

    Args:
        others: The number of other documents of the kind.
        size: Their total size in bytes, this one included.

    Raises:
        Full: there are too many, or they are too large together.
    """
    if others >= MOST:
        raise Full(f"there are {others:,} documents of the kind {kind}, and there may be no more: delete one first")
    if size > MOST_BYTES:
        raise Full(f"the documents of the kind {kind} may have {MOST_BYTES:,} bytes together: delete one first")

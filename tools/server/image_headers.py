"""Media type and size of a picture, read from its first bytes and never from what its sender claims."""

from __future__ import annotations

import struct
from typing import NamedTuple

from affray.engine.errors import Unusable

MOST_BYTES = 8 * 2**20
"""The most bytes of an uploaded picture."""

MOST_SIDE = 16_384
MOST_PIXELS = 64_000_000
"""The most pixels on a side, and in all: every viewer's browser has to unpack them."""

MOST_SEGMENTS = 4_096
"""The most segments, markers and fill bytes of a JPEG before its size; other requests wait while they are read."""

KNOWN = "a PNG, JPEG or WebP picture"

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_SIZE_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The JPEG markers that the size follows."""
_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD9)})
"""The JPEG markers that no data follows."""


class ImageHeader(NamedTuple):
    """A picture's media type and size in pixels."""

    media: str
    width: int
    height: int


def read_image_header(content: bytes) -> ImageHeader:
    """Read the media type and the size of a picture.

    Raises:
        Unusable: it is of another type, or too large.
    """
    if len(content) > MOST_BYTES:
        raise Unusable(f"a picture may have at most {MOST_BYTES:,} bytes", "body")
    try:
        found = _read_header(content)
    except (struct.error, IndexError):  # the data ends before its size
        found = None
    if found is None or not (found.width and found.height):
        raise Unusable(f"must be {KNOWN}", "body")
    if max(found.width, found.height) > MOST_SIDE or found.width * found.height > MOST_PIXELS:
        raise Unusable(
            f"is {found.width:,} by {found.height:,} pixels; at most {MOST_SIDE:,} on a side "
            f"and {MOST_PIXELS:,} in all are taken",
            "body",
        )
    return found


def _read_header(content: bytes) -> ImageHeader | None:
    if content.startswith(_PNG) and content[12:16] == b"IHDR":
        return ImageHeader("image/png", *struct.unpack_from(">II", content, 16))
    if content.startswith(_JPEG):
        return _jpeg(content)
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return _webp(content)
    return None


def _jpeg(content: bytes) -> ImageHeader | None:
    """Walk over the segments of a JPEG to the one that has the size."""
    at = 2
    for _ in range(MOST_SEGMENTS):
        if content[at] != 0xFF:
            break
        marker = content[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _BARE_MARKERS:
            at += 2
        elif marker in _SIZE_MARKERS:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return ImageHeader("image/jpeg", width, height)
        else:
            at += 2 + int(struct.unpack_from(">H", content, at + 2)[0])
    return None


def _webp(content: bytes) -> ImageHeader | None:
    form = content[12:16]
    if form == b"VP8X":
        width = int.from_bytes(content[24:27], "little") + 1
        height = int.from_bytes(content[27:30], "little") + 1
        return ImageHeader("image/webp", width, height) if len(content) >= 30 else None
    if form == b"VP8L" and content[20] == 0x2F:
        (bits,) = struct.unpack_from("<I", content, 21)
        return ImageHeader("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if form == b"VP8 " and content[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", content, 26)
        return ImageHeader("image/webp", width & 0x3FFF, height & 0x3FFF)
    return None

"""Sentences with named parts, such as ``attack {target}[ with {weapon}]``.

``{name}`` is a part; ``{name.how}`` says it in another form; ``{name:these|those}`` is one text where the part is true
and the other where it is not. What stands in square brackets is left out where one of its parts is.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

_TOKEN = re.compile(r"\[|\]|\{(?P<name>[a-z_]+)(?:\.(?P<how>[a-z]+))?(?::(?P<words>[^{}]*))?\}")


class Part(NamedTuple):
    """A part of a sentence.

    Attributes:
        name: Which.
        how: In which form; empty for the usual one.
        yes, no: What is said where it is true and where it is not; ``None`` where it is said itself, or left out.
    """

    name: str
    how: str = ""
    yes: str | None = None
    no: str | None = None


class Group(NamedTuple):
    """Texts and parts that are said or left out together."""

    pieces: tuple[str | Part, ...]
    optional: bool


def filled(sentence: str, value: Callable[[Part], str | None]) -> str:
    """Return a sentence with its parts.

    Args:
        sentence: The pattern.
        value: Returns what is said for a part; ``None`` where it is left out.
    """
    said = []
    for group in _groups(sentence):
        pieces = [piece if isinstance(piece, str) else value(piece) for piece in group.pieces]
        if not group.optional or None not in pieces:
            said += [piece for piece in pieces if piece is not None]
    return "".join(said)


def taken_apart(sentence: str, text: str) -> dict[str, str] | None:
    """Return the parts of a text that was written by a sentence of plain parts; nothing if it was not."""
    found = _written(sentence).fullmatch(text)
    return found.groupdict() if found else None


@cache
def _written(sentence: str) -> re.Pattern[str]:
    pieces = [piece for group in _groups(sentence) for piece in group.pieces]
    return re.compile("".join(re.escape(one) if isinstance(one, str) else f"(?P<{one.name}>.+?)" for one in pieces))


def parts(sentence: str) -> frozenset[str]:
    """Return the names of the parts of a sentence."""
    return frozenset(piece.name for group in _groups(sentence) for piece in group.pieces if isinstance(piece, Part))


@cache
def _groups(sentence: str) -> tuple[Group, ...]:
    return tuple(_parsed(sentence))


def _parsed(sentence: str) -> Iterator[Group]:
    pieces: list[str | Part] = []
    optional, at = False, 0
    for token in _TOKEN.finditer(sentence):
        if token.start() > at:
            pieces.append(sentence[at : token.start()])
        at = token.end()
        if token["name"]:
            yes, bar, no = (token["words"] or "").partition("|")
            known = token["words"] is not None
            pieces.append(Part(token["name"], token["how"] or "", yes if known else None, no if bar else None))
            continue
        if pieces:
            yield Group(tuple(pieces), optional)
        pieces, optional = [], token[0] == "["
    if at < len(sentence):
        pieces.append(sentence[at:])
    if pieces:
        yield Group(tuple(pieces), optional)

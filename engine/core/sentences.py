"""Sentence templates with named parts: ``attack {target}[ with {weapon}]``.

``{name}`` is a part. ``{name.how}`` is the part in another form. ``{name:these|those}`` is the first text where the
part is true and the second where it is not. Square brackets hold a text that is left out where one of its parts is.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

_TOKEN = re.compile(r"\[|\]|\{(?P<name>[a-z_]+)(?:\.(?P<how>[a-z]+))?(?::(?P<words>[^{}]*))?\}")


class Part(NamedTuple):
    """A part of a template.

    Attributes:
        name: Its name.
        how: Its form; empty for the usual one.
        yes, no: The texts for true and false. ``None`` where the part itself is inserted, or left out.
    """

    name: str
    how: str = ""
    yes: str | None = None
    no: str | None = None


class TemplateGroup(NamedTuple):
    """Texts and parts that are inserted or left out together."""

    pieces: tuple[str | Part, ...]
    optional: bool


def fill_in(sentence: str, value: Callable[[Part], str | None]) -> str:
    """Fill in a template.

    Args:
        sentence: The template.
        value: Returns the text of a part; ``None`` to leave it out.
    """
    said = []
    for group in groups(sentence):
        pieces = [piece if isinstance(piece, str) else value(piece) for piece in group.pieces]
        if not group.optional or None not in pieces:
            said += [piece for piece in pieces if piece is not None]
    return "".join(said)


def part_names(sentence: str) -> frozenset[str]:
    """Return the names of the parts of a template."""
    return frozenset(piece.name for group in groups(sentence) for piece in group.pieces if isinstance(piece, Part))


@cache
def groups(sentence: str) -> tuple[TemplateGroup, ...]:
    """Return the groups of a template, which are written or left out as a whole."""
    return tuple(_parse(sentence))


def _parse(sentence: str) -> Iterator[TemplateGroup]:
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
            yield TemplateGroup(tuple(pieces), optional)
        pieces, optional = [], token[0] == "["
    if at < len(sentence):
        pieces.append(sentence[at:])
    if pieces:
        yield TemplateGroup(tuple(pieces), optional)

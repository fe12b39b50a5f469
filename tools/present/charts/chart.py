"""SVG charts: their shapes, in drawing order. ``chart.svg`` defines the styles."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from affray.tools.present.documents import document


class Shape(Struct, frozen=True):
    """An element of a chart.

    Attributes:
        tag: Its name in SVG.
        at: Its attributes; numbers with a fraction are written with one digit behind the point.
        style: Its classes.
        says: Its text; of a group, the text shown when a reader points at it.
        parts: The shapes of a group.
    """

    tag: str
    at: dict[str, float | str]
    style: str = ""
    says: str = ""
    parts: tuple[Shape, ...] = ()


def draw_chart(name: str, says: str, across: int, tall: int, shapes: Iterable[Shape]) -> str:
    """Return a chart as a document, with a name and a description for readers who cannot see it."""
    return document("present/charts/chart.svg", name=name, says=says, across=across, tall=tall, shapes=list(shapes))


def group(says: str, *parts: Shape, style: str = "") -> Shape:
    """Return shapes with a text that is shown when a reader points at them."""
    return Shape("g", {}, style, says, parts)


def text(style: str, x: float | str, y: float, says: str) -> Shape:
    """Return a text."""
    return Shape("text", {"x": x, "y": y}, style, says)


def line(style: str, start: tuple[float | str, float], end: tuple[float | str, float]) -> Shape:
    """Return a line."""
    return Shape("line", {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}, style)


def rect(style: str, x: float | str, y: float, width: float | str, height: float) -> Shape:
    """Return a rectangle."""
    return Shape("rect", {"x": x, "y": y, "width": width, "height": height}, style)


def circle(style: str, x: float | str, y: float, radius: float) -> Shape:
    """Return a circle."""
    return Shape("circle", {"cx": x, "cy": y, "r": radius}, style)


def shorten(words: str, letters: int) -> str:
    """Return a text, cut where it is too long."""
    return words if len(words) <= letters else f"{words[: letters - 1]}…"

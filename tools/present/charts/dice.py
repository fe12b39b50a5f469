"""Dice as an SVG picture: counts per face, the expected count, and its 95 % band."""

from collections.abc import Sequence

from msgspec import Struct

from affray.engine.analysis.stats import Summary
from affray.tools.present.documents import document

from .dice_bars import DiceBar, bars_of, chance, thrown_said

ACROSS, MARGIN, TOP = 720, 24, 56
"""Width of the picture, its margin, and the height above the first group, in pixels."""

HEAD, TALL, FOOT = 50, 120, 62
"""Heights above, in and below the bars of a group, in pixels."""

LONG = 76
"""A longer title does not fit the picture."""


class Column(Struct, frozen=True, kw_only=True):
    """One bar as it is drawn.

    Attributes:
        label, count: The face, and how often it fell.
        usual: Whether fair dice fall like this.
        says: The text shown when a reader points at the bar.
        left: Its left edge.
        tip, due, low, high: Heights of its end, of the expected count, and of the ends of the band.
    """

    label: str
    count: int
    usual: bool
    says: str
    left: float
    tip: float
    due: float
    low: float
    high: float


class Panel(Struct, frozen=True, kw_only=True):
    """A group of dice as it is drawn: its text, its position, and the width of a column."""

    heading: str
    caption: str
    top: int
    floor: int
    step: float
    columns: tuple[Column, ...]


def draw_dice(name: str, groups: Sequence[tuple[str, Summary]]) -> str:
    """Return a picture of groups with their titles."""
    says = "; ".join(f"{title}: {_caption(group)}" for title, group in groups) or "No die has been thrown yet."
    each = HEAD + TALL + FOOT
    return document(
        "present/charts/dice.svg",
        name=name,
        says=says,
        heading=_short(name if groups else says),
        across=ACROSS,
        tall=TOP + len(groups) * each,
        margin=MARGIN,
        panels=[_panel(title, group, TOP + nth * each) for nth, (title, group) in enumerate(groups)],
    )


def _panel(title: str, group: Summary, top: int) -> Panel:
    shown = bars_of(group)
    most = max(max(bar.count, bar.high) for bar in shown)
    floor, step = top + HEAD + TALL, (ACROSS - 2 * MARGIN) / len(shown)
    return Panel(
        heading=_short(title),
        caption=_caption(group),
        top=top,
        floor=floor,
        step=step,
        columns=tuple(_column(bar, MARGIN + nth * step, floor, TALL / most) for nth, bar in enumerate(shown)),
    )


def _column(bar: DiceBar, left: float, floor: int, scale: float) -> Column:
    return Column(
        label=bar.label,
        count=bar.count,
        usual=bar.usual,
        says=f"{bar.label}: {bar.count}, expected {bar.expected:.1f}, usually {bar.low} to {bar.high}",
        left=left,
        tip=floor - scale * bar.count,
        due=floor - scale * bar.expected,
        low=floor - scale * bar.low,
        high=floor - scale * bar.high,
    )


def _caption(group: Summary) -> str:
    one = bars_of(group)[0]
    return (
        f"{thrown_said(group)}, mean {group.mean:.2f} (fair {group.fair_mean:.1f}), p {chance(group.fairness.p)}; "
        f"expected {one.expected:.1f} each, usually {one.low} to {one.high} (the band, 95 of 100)"
    )


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"

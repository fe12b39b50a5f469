"""Plots of dice: bars for the terminal, and a picture that stands by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from affray.engine.analysis.stats import Summary, band

from .printing import markup

WIDTH = 50
"""The longest bar in columns."""

MOST, FEWER = 20, 10
"""A die of more faces than the first is plotted by the second number of bands of them at most."""

LONG = 76
"""A longer title does not fit the picture."""


class Bar(Struct, frozen=True):
    """What one bar shows.

    Attributes:
        label: The face, or the first and last of several.
        count: How often it fell.
        expected: How often it falls on average.
        low, high: Between which counts fair dice lie in 95 of 100 cases.
    """

    label: str
    count: int
    expected: float
    low: int
    high: int


def bars_of(group: Summary) -> list[Bar]:
    """Return the bars of a group: one a face, or one for several where there are too many."""
    width = 1 if group.sides <= MOST else -(-group.sides // FEWER)
    found = []
    for first in range(1, group.sides + 1, width):
        last = min(first + width - 1, group.sides)
        share = (last - first + 1) / group.sides
        low, high = band(group.throws, share)
        count = sum(group.counts[first - 1 : last])
        label = str(first) if first == last else f"{first}–{last}"
        found.append(Bar(label, count, group.throws * share, low, high))
    return found


def bars(group: Summary) -> Iterator[str]:
    """Yield a bar per face with its count; a line marks what is expected, a star what fair dice seldom do."""
    shown = bars_of(group)
    most = max(max(bar.count, bar.expected) for bar in shown)
    wide = max(len(bar.label) for bar in shown)
    for bar in shown:
        length, mark = (round(WIDTH * value / most) for value in (bar.count, bar.expected))
        row = list("█" * length + " " * (WIDTH + 1 - length))
        row[mark] = "│"
        yield f"  {bar.label:>{wide}}  {''.join(row)} {bar.count:>4}{_star(bar)}"
    one = shown[0]
    seldom = "" if all(map(_usual, shown)) else f"   * outside {one.low} to {one.high}, where 95 of 100 fair counts lie"
    yield f"  {'':{wide}}  │ expected {one.expected:.1f}{seldom}"


def _usual(bar: Bar) -> bool:
    return bar.low <= bar.count <= bar.high


def _star(bar: Bar) -> str:
    return "" if _usual(bar) else "*"


STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.head { font-weight: 600; font-size: 15px; }
.small { font-size: 12px; fill: #59636e; }
.middle { text-anchor: middle; }
.paper { fill: #ffffff; }
.bar { fill: #4f7cac; }
.seldom { fill: #b5541c; }
.band { fill: #d0d7de; opacity: 0.55; shape-rendering: crispEdges; }
.expected { stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 5 4; }
.floor { stroke: #818b98; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small { fill: #a5b0bb; }
  .paper { fill: #0d1117; }
  .bar { fill: #6ea8de; }
  .seldom { fill: #f0883e; }
  .band { fill: #57606a; }
  .expected { stroke: #f0f6fc; }
}
"""
"""How the picture looks, on white and on black."""

ACROSS, MARGIN, HEAD, TALL, FOOT = 720, 24, 50, 120, 62
"""Measures of the picture in pixels: its width, its margin, and above, in and below the bars of a group."""


def svg(name: str, groups: Sequence[tuple[str, Summary]]) -> str:
    """Return a picture of groups with their titles: counts per face, what is expected, and its 95 % band."""
    tall = 56 + sum(HEAD + TALL + FOOT for _ in groups)
    says = "; ".join(f"{title}: {_caption(group)}" for title, group in groups) or "No die has been thrown yet."
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="name says" width="{ACROSS}"'
        f' height="{tall}" viewBox="0 0 {ACROSS} {tall}">',
        f'<title id="name">{markup(name)}</title>',
        f'<desc id="says">{markup(says)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{ACROSS}" height="{tall}"/>',
        _text(MARGIN, 32, name if groups else says, "head"),
    ]
    for nth, (title, group) in enumerate(groups):
        parts += _panel(title, group, 56 + nth * (HEAD + TALL + FOOT))
    return "\n".join((*parts, "</svg>", ""))


def _panel(title: str, group: Summary, top: int) -> Iterator[str]:
    shown = bars_of(group)
    most = max(max(bar.count, bar.high) for bar in shown)
    floor, step = top + HEAD + TALL, (ACROSS - 2 * MARGIN) / len(shown)
    yield _text(MARGIN, top + 18, title, "head")
    yield _text(MARGIN, top + 36, _caption(group), "small")
    for nth, bar in enumerate(shown):
        left = MARGIN + nth * step
        low, high, due, tip = (floor - TALL * value / most for value in (bar.low, bar.high, bar.expected, bar.count))
        says = f"{bar.label}: {bar.count}, expected {bar.expected:.1f}, usually {bar.low} to {bar.high}"
        yield f"<g><title>{markup(says)}</title>"
        yield _box("band", left, high, step, low - high)
        yield _box("bar" if _usual(bar) else "seldom", left + step * 0.2, tip, step * 0.6, floor - tip)
        yield f'<line class="expected" x1="{left:.1f}" y1="{due:.1f}" x2="{left + step:.1f}" y2="{due:.1f}"/>'
        yield _text(left + step / 2, floor + 16, bar.label, "middle")
        yield _text(left + step / 2, floor + 31, f"×{bar.count}{_star(bar)}", "small middle")
        yield "</g>"
    yield f'<line class="floor" x1="{MARGIN}" y1="{floor}" x2="{ACROSS - MARGIN}" y2="{floor}"/>'


def thrown_said(group: Summary) -> str:
    """Return how many dice a group has."""
    return "1 die" if group.throws == 1 else f"{group.throws} dice"


def chance(p: float) -> str:
    """Return a chance to three digits, never as nothing."""
    return f"{p:.3f}" if p >= 0.0005 else "<0.001"


def _caption(group: Summary) -> str:
    one = bars_of(group)[0]
    return (
        f"{thrown_said(group)}, mean {group.mean:.2f} (fair {group.fair_mean:.1f}), p {chance(group.fairness.p)}; "
        f"expected {one.expected:.1f} each, usually {one.low} to {one.high} (the band, 95 of 100)"
    )


def _text(x: float, y: float, text: str, kind: str) -> str:
    shown = text if kind != "head" or len(text) <= LONG else f"{text[: LONG - 1]}…"
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{markup(shown)}</text>'


def _box(kind: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


__all__ = ["bars", "bars_of", "chance", "svg", "thrown_said"]

"""A measurement, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from affray.tools.printing import say, say_json


class Measured(Struct, frozen=True, kw_only=True):
    """A number with its unit, and what it is."""

    what: str
    value: float
    unit: str


def report(measured: Iterable[Measured], *, as_json: bool) -> None:
    """Print what was measured, each as soon as it is."""
    for one in measured:
        if as_json:
            say_json({"what": one.what, "value": one.value, "unit": one.unit})
        else:
            shown = f"{one.value:,.0f}" if one.value >= 1000 else f"{one.value:,.2f}"
            say(f"{one.what:<62} {shown:>12} {one.unit}")

"""Measurements: how they are made and printed."""

import gc
from collections.abc import Callable, Iterable
from timeit import timeit

from msgspec import Struct

from affray.tools.cli.printing import say, say_json


class Measured(Struct, frozen=True, kw_only=True):
    """A measured number with its unit and its description."""

    what: str
    value: float
    unit: str


def best(*runs: Callable[[], object], times: int = 7) -> list[float]:
    """Return the shortest time of each function in seconds.

    The functions run in turns, so that other load affects all of them.
    """
    shortest = [float("inf")] * len(runs)
    for _ in range(times):
        for nth, run in enumerate(runs):
            gc.collect()
            shortest[nth] = min(shortest[nth], timeit(run, number=1))
    return shortest


def print_measurements(measured: Iterable[Measured], *, as_json: bool) -> None:
    """Print measurements, each as soon as it is made."""
    for one in measured:
        if as_json:
            say_json({"what": one.what, "value": one.value, "unit": one.unit})
        else:
            shown = f"{one.value:,.0f}" if one.value >= 1000 else f"{one.value:,.2f}"
            say(f"{one.what:<62} {shown:>12} {one.unit}")

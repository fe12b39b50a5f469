"""Words for the templates of the book."""

import re
from fractions import Fraction

from affray.engine.kit.odds import OddsRow
from affray.tools.present.story.words import capital

from .settings import written
from .telling import Act, Example

LONG = 13
"""A fraction of more characters than these is left to who asks for it."""


def about(one: Example) -> list[str]:
    """Return how an example begins: who is there, where, the settings, and what was done before."""
    told = [*map(capital, one.there), *map(capital, one.ground)]
    if one.config:
        told.append("with " + ", ".join(f"{key} = {written(value)}" for key, value in one.config.items()))
    if one.before:
        told.append("before: " + "; ".join(one.before))
    return told


def thrown(act: Act) -> list[tuple[str, str]]:
    """Return the dice of a step, each with its face."""
    return [(die, face) for die, faces in re.findall(r"(d\d+)=([\d+]+)", act.dice) for face in faces.split("+")]


def reason(act: Act) -> str:
    """Return why a step was refused, with its clause."""
    return act.refused + (f" ({act.rule})" if act.rule and act.rule not in act.refused else "")


def times(count: int) -> str:
    """Return how often something happened."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def percent(share: Fraction) -> str:
    """Return a chance in percent: to a tenth, and never as nothing or all where it is not."""
    if share in (0, 1):
        return f"{100 * int(share)} %"
    shown = f"{float(100 * share):.1f}"
    return f"{'<0.1' if shown == '0.0' else '>99.9' if shown == '100.0' else shown} %"


def numbers(row: OddsRow) -> list[tuple[str, str, bool]]:
    """Return the chances of a case and its average as they are shown, each as a fraction, and whether that is short."""
    shown = [(percent(share), share) for share in row.chances]
    if row.mean is not None:
        shown.append((f"{float(row.mean):.2f}".removesuffix(".00" if row.mean.denominator == 1 else ""), row.mean))
    exact = [(text, "" if share.denominator == 1 else str(share)) for text, share in shown]
    return [(text, fraction, len(fraction) <= LONG) for text, fraction in exact]


WORDS = {one.__name__: one for one in (about, capital, numbers, reason, thrown, times)}
"""By the names that the templates use."""

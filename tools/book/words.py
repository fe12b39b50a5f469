"""Functions for the templates of the book."""

import re
from fractions import Fraction

from affray.engine.kit.odds import OddsRow
from affray.tools.present.story.words import capital

from .settings import write_value
from .telling import Act, Example

LONG = 13
"""A fraction of more characters than this is shown on demand only."""


def about(one: Example) -> list[str]:
    """Describe the start of an example: combatants, places, settings, earlier steps."""
    told = [*map(capital, one.there), *map(capital, one.ground)]
    if one.config:
        told.append("with " + ", ".join(f"{key} = {write_value(value)}" for key, value in one.config.items()))
    if one.before:
        told.append("before: " + "; ".join(one.before))
    return told


def list_dice(act: Act) -> list[tuple[str, str]]:
    """Return the dice of a step, each with its face."""
    return [(die, face) for die, faces in re.findall(r"(d\d+)=([\d+]+)", act.dice) for face in faces.split("+")]


def reason(act: Act) -> str:
    """Format the reason of a refusal with its clause."""
    return act.refused + (f" ({act.rule})" if act.rule and act.rule not in act.refused else "")


def times(count: int) -> str:
    """Format how often something happened: ``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def format_chance(share: Fraction) -> str:
    """Format a chance in percent, to a tenth.

    Only an exact 0 or 1 is shown as 0 % or 100 %.
    """
    if share in (0, 1):
        return f"{100 * int(share)} %"
    shown = f"{float(100 * share):.1f}"
    return f"{'<0.1' if shown == '0.0' else '>99.9' if shown == '100.0' else shown} %"


def format_odds(row: OddsRow) -> list[tuple[str, str, bool]]:
    """Format the chances and the mean of a case.

    Return for each the text, the exact fraction, and whether the fraction is short.
    """
    shown = [(format_chance(share), share) for share in row.chances]
    if row.mean is not None:
        shown.append((f"{float(row.mean):.2f}".removesuffix(".00" if row.mean.denominator == 1 else ""), row.mean))
    exact = [(text, "" if share.denominator == 1 else str(share)) for text, share in shown]
    return [(text, fraction, len(fraction) <= LONG) for text, fraction in exact]


WORDS = {one.__name__: one for one in (about, capital, format_odds, reason, list_dice, times)}
"""The functions by the names that the templates use."""

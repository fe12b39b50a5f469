"""Building blocks for the preview of an action."""

from collections.abc import Iterable
from fractions import Fraction

from affray.engine.core.preview import HarmDone, Provoked
from affray.events import Clause, Id, Modifier

from .odds import Distribution, find_mean


def summarise_harm(done: Distribution[int], pool: str = "") -> HarmDone:
    """Return the least, mean and most harm of a distribution."""
    return HarmDone(least=min(done), mean=round_chance(find_mean(done)), most=max(done), pool=pool)


def make_fixed_harm(amount: int, pool: str = "") -> HarmDone:
    """Return harm that needs no dice."""
    return HarmDone(least=amount, mean=float(amount), most=amount, pool=pool)


def round_chance(number: Fraction | float) -> float:
    """Round a chance or a mean to four digits."""
    return round(float(number), 4)


def sum_modifiers(terms: Iterable[Modifier]) -> int:
    """Return the sum of modifiers."""
    return sum([term.value for term in terms])


def list_provoked(people: Iterable[Id], rule: Clause) -> tuple[Provoked, ...]:
    """Return the combatants that an action provokes, all under one clause."""
    return tuple([Provoked(one, rule) for one in people])


def format_percent(chance: Fraction | float) -> str:
    """Return a chance as a percentage, such as ``50 %``.

    It is ``under 1 %`` or ``over 99 %`` rather than 0 % or 100 % of what is neither impossible nor certain.
    """
    whole = round(100 * chance)
    if chance > 0 and not whole:
        return "under 1 %"
    return "over 99 %" if chance < 1 and whole == 100 else f"{whole} %"

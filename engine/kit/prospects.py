"""The parts of which systems make what an action promises."""

from collections.abc import Iterable
from fractions import Fraction

from affray.engine.core.prospect import HarmDone, Provoked
from affray.events import Clause, Id, Modifier

from .odds import Exact, mean


def harm_of(done: Exact[int], pool: str = "") -> HarmDone:
    """Return what a distribution of harm comes to."""
    return HarmDone(least=min(done), mean=rounded(mean(done)), most=max(done), pool=pool)


def sure_harm(amount: int, pool: str = "") -> HarmDone:
    """Return harm without a die."""
    return HarmDone(least=amount, mean=float(amount), most=amount, pool=pool)


def rounded(number: Fraction | float) -> float:
    """Return a chance or a mean in as many digits as people and programs have a use for."""
    return round(float(number), 4)


def total(terms: Iterable[Modifier]) -> int:
    """Return what modifiers come to."""
    return sum([term.value for term in terms])


def provoked(people: Iterable[Id], rule: Clause) -> tuple[Provoked, ...]:
    """Return who may strike, all by one clause."""
    return tuple([Provoked(one, rule) for one in people])


def percent(chance: Fraction | float) -> str:
    """Return a chance as people say it, never 0 % or 100 % of what may or may not be."""
    whole = round(100 * chance)
    if chance > 0 and not whole:
        return "under 1 %"
    return "over 99 %" if chance < 1 and whole == 100 else f"{whole} %"

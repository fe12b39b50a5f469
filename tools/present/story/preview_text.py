"""The preview of a declaration as a line."""

from collections.abc import Iterator

from affray.engine.core.preview import HarmDone, Prospect

from .words import Names, name_of, series


def promise_said(prospect: Prospect, names: Names) -> str:
    """Return what is known beforehand of a declaration: ``60 % to succeed; takes 2 to 10 HP; costs one move``."""
    return "; ".join(_parts(prospect, names))


def _parts(known: Prospect, names: Names) -> Iterator[str]:
    if known.chance is not None:
        yield f"{_percent(known.chance)} to succeed"
    elif "chance" in known.unknown:
        yield "the chance is not known"
    if known.harm is not None:
        yield f"takes {_harm(known.harm, names)}"
    if known.failing is not None:
        yield f"failing takes {_harm(known.failing, names)}"
    if known.risk is not None and known.suffers is not None:
        yield f"{_percent(known.risk)} to be hit in turn for {_harm(known.suffers, names)}"
    if known.way:
        yield " ".join(filter(None, (str(known.way), names.words.places.unit or "step")))
    if known.costs:
        yield f"costs {series(names.words.amount(one.pool, one.amount) for one in known.costs)}"
    if known.provokes:
        rules = ", ".join(dict.fromkeys(one.rule for one in known.provokes))
        yield f"may be struck at by {series(name_of(names, one.who) for one in known.provokes)} ({rules})"
    elif "provokes" in known.unknown:
        yield "whom it provokes is not known"
    if known.says:
        yield known.says


def _percent(chance: float) -> str:
    whole = round(100 * chance)
    if whole in (0, 100) and chance not in (0, 1):
        return "under 1 %" if not whole else "over 99 %"
    return f"{whole} %"


def _harm(harm: HarmDone, names: Names) -> str:
    """Return how much is taken: ``2 HP``, or ``2 to 10 HP, 5.5 on average``."""
    unit = f" {names.label('pools', harm.pool)}" if harm.pool else ""
    if harm.least == harm.most:
        return f"{harm.most}{unit}"
    return f"{harm.least} to {harm.most}{unit}, {harm.mean:.1f} on average"

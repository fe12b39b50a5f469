"""Text of odds and of comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affray.engine.analysis.odds import (
    Plan,
    PlanComparison,
    PlanDifference,
    Precision,
    RolloutStart,
    Sample,
    estimate_share,
)
from affray.engine.fight import Fight
from affray.engine.texts import name_said
from affray.tools.present.story.words import Names, side_said

from .chance_text import format_share, many, spread, stopped_early, why_not
from .cost_text import people_said


def tally_said(
    fight: Fight, plan: Plan, found: Sample, wanted: Precision, names: Names, *, interrupted: bool
) -> Iterator[str]:
    """Yield the lines of the odds.

    Args:
        wanted: Precision that was asked for.
        interrupted: Whether the user interrupted the trials.
    """
    tally, state = found.tally, fight.state_at(plan.moment.position)
    yield f"{many(tally.trials)} {_from(fight, plan.moment)}; fighters are {plan.policy}"
    yield ""
    sides = {side: name_said(side) for side in dict.fromkeys([one.side for one in state.combatants.values()])}
    wide = max(map(len, (*sides.values(), "nobody")))
    for side, called in sides.items():
        yield f"  {called:<{wide}}  wins in {format_share(tally.chance(side))}"
    if tally.wins[""]:
        yield f"  {'nobody':<{wide}}  wins in {format_share(tally.chance(''))}"
    for why, count in sorted(tally.why_not.items()):
        yield f"  {format_share(estimate_share(count, tally.trials))} {why_not(why, plan.most)}"
    yield ""
    yield f"Last round, on average: {spread(tally.rounds)}."
    yield ""
    yield from people_said(state.combatants, plan.moment.state, state, tally, names)
    yield ""
    if not found.enough:
        yield stopped_early(tally.widest, wanted, interrupted=interrupted)
    yield "Intervals hold the true chance in 95 of 100 cases (Wilson)."


def _from(fight: Fight, moment: RolloutStart) -> str:
    """Describe the start of the trials."""
    return f"from position {moment.position}, round {fight.state_at(moment.position).round}"


def elsewhere_said(wanted: int, moment: RolloutStart) -> Iterator[str]:
    """Explain why trials begin at another position than requested."""
    if wanted < moment.position:
        yield f"Position {wanted} is in the opening, which ends at {moment.position}."
    elif wanted > moment.position:
        yield f"The present rules decide otherwise what came after position {moment.position}, so trials begin there."


def comparison_said(
    fight: Fight, plan: Plan, ifs: Sequence[str], found: PlanComparison, wanted: Precision, *, interrupted: bool
) -> Iterator[str]:
    """Yield the chance of each choice, the best first, with differences to the best."""
    order = sorted(range(len(ifs)), key=lambda nth: found.chance(nth).value, reverse=True)
    best = order[0]
    told = f"{many(len(found.won[0]))} for each {_from(fight, plan.moment)}, with the same dice"
    yield f"{told}; the chance of {side_said(found.side)} to win"
    yield ""
    wide = max(map(len, ifs))
    for nth in order:
        line = f"  {ifs[nth]:<{wide}}  {format_share(found.chance(nth))}"
        yield line if nth == best else f"{line}  {_points(found.difference(nth, best))}"
    if len(ifs) > 1:
        cut = found.difference(order[1], best).cut
        yield ""
        yield f"Common dice take {cut * 100:.0f} % of the variance out of the difference between the first two."
    if not found.enough:
        yield ""
        yield stopped_early(found.widest, wanted, interrupted=interrupted)


def _points(one: PlanDifference) -> str:
    """Format a difference: ``-4.1 points (-6.0 to -2.2)``."""
    said = f"{one.value * 100:+.1f} points ({one.low * 100:+.1f} to {one.high * 100:+.1f})"
    return f"{said}: no difference that chance does not make" if one.is_noise else said

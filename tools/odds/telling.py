"""How odds are told, as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from affray.engine.analysis.odds import Compared, Difference, Moment, Plan, Sampled, Share, Tally, mean, quantile, share
from affray.engine.fight import Fight
from affray.tools.story.words import Names, capital

TOLD = ("health", "resource")
"""The roles of the pools that are told; budgets are full again with every turn."""


def percent(one: Share) -> str:
    """Return a share with its interval: ``71.4 % (68.4 to 74.2)``."""
    return f"{one.value * 100:.1f} % ({one.low * 100:.1f} to {one.high * 100:.1f})"


def tally_said(fight: Fight, plan: Plan, found: Sampled, names: Names) -> Iterator[str]:
    """Yield what is known, line by line."""
    tally, state = found.tally, fight.state_at(plan.moment.position)
    yield f"{_many(tally.trials)} {_from(fight, plan.moment)}; fighters are {plan.policy}"
    yield ""
    sides = list(dict.fromkeys([one.side for one in state.combatants.values()]))
    wide = max(len(side) for side in (*sides, "nobody"))
    for side in sides:
        yield f"  {side:<{wide}}  wins in {percent(tally.chance(side))}"
    if tally.wins[""]:
        yield f"  {'nobody':<{wide}}  wins in {percent(tally.chance(''))}"
    if tally.unended:
        yield f"  {percent(share(tally.unended, tally.trials))} did not end in {plan.most:,} commands"
    yield ""
    yield f"The last round is the {_spread(tally.rounds)}."
    yield ""
    yield from _people_said(fight, plan, tally, names)
    yield ""
    yield "Intervals hold the true chance in 95 of 100 cases (Wilson)." + ("" if found.enough else " Stopped early.")


def _people_said(fight: Fight, plan: Plan, tally: Tally, names: Names) -> Iterator[str]:
    """Yield for everybody how likely they fall, and what is left in their pools."""
    people = fight.state_at(plan.moment.position).combatants
    wide = max((len(names.get(who, who)) for who in people), default=0)
    for who, one in people.items():
        left = [
            f"{names.label('pools', pool)} {_spread(tally.pools[who, pool])} (now {now})"
            for pool, now in one.pools.items()
            if _is_told(names, pool) and (who, pool) in tally.pools and set(tally.pools[who, pool]) != {now}
        ]
        falls = percent(share(tally.fallen[who], tally.trials))
        yield f"  {capital(names.get(who, who)):<{wide}}  falls in {falls}{'; left: ' if left else ''}{', '.join(left)}"


def _is_told(names: Names, pool: str) -> bool:
    word = names.words.pools.get(pool)
    return word is not None and word.role in TOLD


def _spread(counted: Counter[int]) -> str:
    """Return the mean and where four of five lie: ``6.2, mostly 4 to 9``."""
    low, high = quantile(counted, 0.1), quantile(counted, 0.9)
    return f"{mean(counted):.1f}" if low == high else f"{mean(counted):.1f}, mostly {low} to {high}"


def _many(trials: int) -> str:
    return f"{trials:,} fight{'' if trials == 1 else 's'}"


def _from(fight: Fight, moment: Moment) -> str:
    return f"from position {moment.position}, round {fight.state_at(moment.position).round}"


def elsewhere_said(wanted: int, moment: Moment) -> Iterator[str]:
    """Yield why trials begin at another position than the one that was asked for."""
    if wanted < moment.position:
        yield f"Position {wanted} is in the opening, which ends at {moment.position}."
    elif wanted > moment.position:
        yield f"The present rules decide otherwise what came after position {moment.position}, so trials begin there."


def comparison_said(fight: Fight, plan: Plan, ifs: Sequence[str], found: Compared) -> Iterator[str]:
    """Yield which declaration is how good, the best first, and by how much each is worse than it."""
    order = sorted(range(len(ifs)), key=lambda nth: found.chance(nth).value, reverse=True)
    best, many = order[0], len(found.won[0])
    told = f"{_many(many)} for each {_from(fight, plan.moment)}, with the same dice"
    yield f"{told}; the chance of the {found.side} to win"
    yield ""
    wide = max(map(len, ifs))
    for nth in order:
        line = f"  {ifs[nth]:<{wide}}  {percent(found.chance(nth))}"
        yield line if nth == best else f"{line}  {_points(found.difference(nth, best))}"
    if len(ifs) > 1:
        cut = found.difference(order[1], best).cut
        yield ""
        yield f"Common dice take {cut * 100:.0f} % of the variance out of the difference between the first two."


def _points(one: Difference) -> str:
    """Return a difference in points, or that it may be none: ``-4.1 points (-6.0 to -2.2)``."""
    said = f"{one.value * 100:+.1f} points ({one.low * 100:+.1f} to {one.high * 100:+.1f})"
    return f"{said}: no difference that chance does not make" if one.is_noise else said

"""The luck of a fight as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from affray.engine.analysis.luck import Curve, Move
from affray.engine.fight import Fight
from affray.engine.texts import name_said
from affray.events import DiceEntered, Id, Rolled
from affray.tools.parse.values import count_of
from affray.tools.present.story.narration import sentence
from affray.tools.present.story.words import Names, capital, possessive, side_said

LINE = "▁▂▃▄▅▆▇█"
"""The heights of the curve in a terminal."""

WIDE = 72
"""Number of columns of the curve."""


def points(value: Fraction) -> str:
    """Return a change of a chance in points: ``+31.0``."""
    return f"{float(value) * 100:+.1f}"


def percent_of_trials(count: int, trials: int) -> str:
    """Return a chance without its interval."""
    return f"{count / trials * 100:.0f} %"


def tell_luck(fight: Fight, found: Curve, names: Names, turning: int) -> Iterator[str]:
    """Yield the luck of a fight, line by line."""
    last = found.moves[-1].after if found.moves else found.opening
    moments = count_of(len(found.moves) + 1, "moment")
    yield f"{moments}, {found.trials} fights from each; the chance of {side_said(found.side)} to win"
    yield ""
    opening, now = (percent_of_trials(count, found.trials) for count in (found.opening, last))
    yield f"  {_line(found)}  {opening} → {now}"
    yield ""
    yield from _sums(found)
    yield ""
    yield from _people(fight, found, names)
    best = turning_points(found, turning)
    if best:
        yield ""
        yield "Turning points"
        yield from (f"  {turning_said(fight, one, names)}" for one in best)
    noise = sum(one.noise and one.value != 0 for one in found.moves)
    if noise:
        yield ""
        yield f"{noise} smaller swings may be noise: so few of {found.trials} trials went another way."


def _line(found: Curve) -> str:
    """Return the curve as one line of block characters."""
    counts = [found.opening, *(one.after for one in found.moves)]
    picked = [counts[nth * (len(counts) - 1) // (WIDE - 1)] for nth in range(WIDE)] if len(counts) > WIDE else counts
    return "".join(LINE[min(len(LINE) - 1, count * len(LINE) // found.trials)] for count in picked)


def _sums(found: Curve) -> Iterator[str]:
    """Yield the chance at the beginning, each kind of change, and the result."""
    rows = [
        ("at the beginning", Fraction(found.opening, found.trials)),
        ("dice", found.sum_of("luck")),
        ("decisions", found.sum_of("decision")),
        ("rulings", found.sum_of("ruling")),
        ("unclear, under older rules", found.sum_of("unclear")),
    ]
    for what, value in rows:
        if value or what in ("at the beginning", "dice", "decisions"):
            yield f"  {what:<26} {points(value):>7}"
    yield f"  {'the end' if found.ended else 'where it stands':<26} {points(found.result):>7}"
    if 1000 % found.trials:
        yield "  (rounded; the counts of fights in --json sum exactly)"


def _people(fight: Fight, found: Curve, names: Names) -> Iterator[str]:
    """Yield the change by dice and by decisions, per side and combatant."""
    people = fight.state.combatants
    sides = {side: name_said(side) for side in dict.fromkeys([one.side for one in people.values()])}
    wide = max(*(len(names.get(who, who)) + 2 for who in people), *map(len, sides.values()))
    yield f"  {'':<{wide}}    dice  decisions"
    for side, called in sides.items():
        members = frozenset([one.id for one in people.values() if one.side == side])
        yield f"  {called:<{wide}} {points(found.sum_of('luck', who=members)):>7} {_decisions(found, members):>10}"
        for who in people:
            if who in members:
                one = frozenset([who])
                said = capital(names.get(who, who))
                yield f"    {said:<{wide - 2}} {points(found.sum_of('luck', who=one)):>7} {_decisions(found, one):>10}"


def _decisions(found: Curve, who: frozenset[Id]) -> str:
    return points(found.sum_of("decision", who=who))


def turning_points(found: Curve, many: int) -> list[Move]:
    """Return the largest moves that are no noise, in the order of the fight."""
    clear = [one for one in found.moves if not one.noise]
    return sorted(sorted(clear, key=lambda one: -abs(one.value))[:many], key=lambda one: one.position)


def turning_said(fight: Fight, move: Move, names: Names) -> str:
    """Return a turning point as a sentence: ``Tomas's 20 at 412 was worth 31 points, 40 % → 71 %``."""
    event = fight.history.at(move.position).event
    swing = f"{percent_of_trials(move.before, move.trials)} → {percent_of_trials(move.after, move.trials)}"
    worth = f"{abs(float(move.value)) * 100:.0f} points, {swing}"
    direction = "was worth" if move.value > 0 else "cost"
    if isinstance(event, Rolled | DiceEntered):
        return f"{_dice_said(event, names)} at {move.position} {direction} {worth}"
    whole = ", and what that led to" if move.by == "unclear" else ""
    return f"{capital(direction.removeprefix('was '))} {worth}, at {move.position}: {sentence(event, names)}{whole}"


def _dice_said(event: Rolled | DiceEntered, names: Names) -> str:
    """Return the faces of dice and the name of the roller."""
    if isinstance(event, DiceEntered):
        return f"The {'+'.join(map(str, event.faces))} that was entered"
    faces = "+".join(str(face) for group in event.dice for face in group.faces)
    return f"{capital(possessive(names.get(event.by, event.by)))} {faces}"

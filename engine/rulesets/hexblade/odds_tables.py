"""The tables of exact chances that the book of Hexblade shows."""

from __future__ import annotations

from fractions import Fraction

from affray.engine.kit.odds import OddsRow, OddsTable, chance, die, each, mean, repeated

from .chapters.downtime import FOUND
from .config import Config
from .odds import Arms, Roll, beats, contested, exchanged, harm, opposed, reaches, shot

SIDES = ("wins", "both", "loses")
AHEAD = (-3, -2, -1, 0, 1, 2, 3, 4, 5)
"""By how much one bonus is above the other's."""

BLOWS = (
    ("d4 + 1 against light armour d4", Arms(4, 1, 4)),
    ("d6 + 1 without armour", Arms(6, 1)),
    ("d6 + 1 against medium armour d6", Arms(6, 1, 6)),
    ("d8 + 3 without armour", Arms(8, 3)),
    ("d8 + 3 against light armour d4", Arms(8, 3, 4)),
    ("d8 + 3 against medium armour d6", Arms(8, 3, 6)),
    ("d8 + 3 against heavy armour d8 and shield", Arms(8, 3, 8, 1)),
    ("d10 + 3 against heavy armour d8", Arms(10, 3, 8)),
)
FIGHTS = (
    ("+1, d6, light armour", Roll(1), Arms(6, 1, 6), Arms(6, 1, 4)),
    ("+3, d8, medium armour", Roll(3), Arms(8, 3, 6), Arms(6, 1, 6)),
    ("+3, d8, medium armour and shield", Roll(3), Arms(8, 3, 6), Arms(6, 1, 6, 1)),
    ("+3, d10, heavy armour", Roll(3), Arms(10, 3, 6), Arms(6, 1, 8)),
    ("+5, d8, heavy armour and shield", Roll(5), Arms(8, 5, 6), Arms(6, 1, 8, 1)),
)
"""Who attacks a foe with +1, d6 and medium armour: the roll, what it does to the foe, and what the foe does."""


def tables(_: Config) -> tuple[OddsTable, ...]:
    """Return the tables of the book."""
    made = (_initiative, _rolls, _harm, _losses, _shots, _strays, _critical, _repair, _found, _tests, _prone, _levels)
    return tuple(one() for one in made)


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number else "equal"


def _initiative() -> OddsTable:
    numbers = (6, 8, 10, 12, 14, 16, 18)
    rows = [
        OddsRow(case=f"Dexterity +{bonus}", chances=tuple(reaches(Roll(bonus), one + 1) for one in numbers))
        for bonus in range(5)
    ]
    return OddsTable(
        clauses=("HEX-004", "HEX-006", "HEX-007"),
        title="That a player character goes first",
        cases="bonus",
        columns=tuple(map(str, numbers)),
        rows=tuple(rows),
        over="the other's initiative number",
        says="The total must be above the number; an equal one goes after it.",
        shape="curves",
    )


def _rolls() -> OddsTable:
    rows = [
        OddsRow(case=_signed(by), chances=tuple(opposed(Roll(by), Roll()).get(one, Fraction(0)) for one in SIDES))
        for by in AHEAD
    ]
    return OddsTable(
        clauses=(
            "HEX-017", "HEX-018", "HEX-019", "HEX-020", "HEX-021", "HEX-026", "HEX-034", "HEX-036", "HEX-049",
            "HEX-050", "HEX-G03","HEX-T01", "HEX-T02", "HEX-T09", "HEX-T10", "HEX-T40",),
        title="Two attack rolls against each other",
        cases="your bonus above the other's",
        columns=("you win", "both land", "you lose"),
        rows=tuple(rows),
        says="Natural 20s are in it: one beats whatever is none, two land both blows. Who is down rolls nothing and "
        "loses.",
    )  # fmt: skip


def _harm() -> OddsTable:
    least = (1, 3, 5, 7, 9, 11)
    rows = []
    for case, arms in BLOWS:
        lost = harm(arms)
        share = tuple(chance(lost, lambda amount, one=one: amount >= one) for one in least)  # type: ignore[misc]
        rows.append(OddsRow(case=case, chances=share, mean=mean(lost)))
    return OddsTable(
        clauses=(
            "HEX-023",
            "HEX-022",
            "HEX-025",
            "HEX-029",
            "HEX-T15",
            "HEX-T16",
        ),
        title="What a blow that lands takes",
        cases="damage and armour",
        columns=tuple(f"{one}+" for one in least),
        rows=tuple(rows),
        over="hit points lost",
        shape="curves",
        averages="on average",
    )


def _losses() -> OddsTable:
    rows = []
    for case, roll, strikes, answers in FIGHTS:
        lost = each(lambda pair: (pair[0] > 0, pair[1] > 0), exchanged(roll, Roll(1), strikes, answers))
        kinds = ((True, False), (True, True), (False, False), (False, True))
        rows.append(OddsRow(case=case, chances=tuple(lost.get(kind, Fraction(0)) for kind in kinds)))
    return OddsTable(
        clauses=("HEX-025",),
        title="Who is hurt in an exchange with a bandit",
        cases="who attacks",
        columns=("the bandit", "both", "nobody", "you"),
        rows=tuple(rows),
        says="The bandit has +1, an axe d6 and medium armour d6.",
    )


def _shots() -> OddsTable:
    rows = [
        OddsRow(case=_signed(by), chances=tuple(beats(Roll(by), Roll(0, cover)) for cover in (0, 1, 2))) for by in AHEAD
    ]
    return OddsTable(
        clauses=(
            "HEX-028",
            "HEX-027",
            "HEX-078",
            "HEX-079",
            "HEX-080",
            "HEX-081",
            "HEX-082",
            "HEX-T11",
        ),
        title="That a shot hits",
        cases="the shooter's bonus above the target's",
        columns=("in the open", "soft cover", "hard cover"),
        rows=tuple(rows),
        says="The total must be above that of the evade roll; natural 20s are in it.",
        shape="curves",
    )


def _strays() -> OddsTable:
    rows = []
    for by in AHEAD:
        came = shot(Roll(by), Roll(), Roll())
        rows.append(
            OddsRow(
                case=_signed(by), chances=tuple(came.get(one, Fraction(0)) for one in ("target", "nobody", "neighbour"))
            )
        )
    return OddsTable(
        clauses=(
            "HEX-031",
            "HEX-030",
            "HEX-033",
            "HEX-T36",
            "HEX-T37",
        ),
        title="Whom a shot hits with somebody beside the target",
        cases="the shooter's bonus above both the others'",
        columns=("the target", "nobody", "a neighbour"),
        rows=tuple(rows),
        says="After a miss the d100 endangers a neighbour, who evades as the target does.",
    )


def _critical() -> OddsTable:
    least = (1, 4, 7, 10, 13, 16)
    rows = []
    for case, arms in BLOWS:
        lost = harm(arms, critical=True)
        share = tuple(chance(lost, lambda amount, one=one: amount >= one) for one in least)  # type: ignore[misc]
        rows.append(OddsRow(case=case, chances=share, mean=mean(lost)))
    return OddsTable(
        clauses=("HEX-035",),
        title="What a critical blow takes",
        cases="damage, its dice twice, and armour",
        columns=tuple(f"{one}+" for one in least),
        rows=tuple(rows),
        over="hit points lost",
        shape="curves",
        averages="on average",
    )


def _repair() -> OddsTable:
    rows = [
        OddsRow(case=f"crafting +{bonus}", chances=tuple(reaches(Roll(bonus), one) for one in (12, 16)))
        for bonus in range(7)
    ]
    return OddsTable(
        clauses=(
            "HEX-039",
            "HEX-040",
            "HEX-T13",
            "HEX-T20",
        ),
        title="That something is mended",
        cases="bonus",
        columns=("against 12", "complex, against 16"),
        rows=tuple(rows),
        shape="curves",
    )


def _found() -> OddsTable:
    one = each(lambda face: int(face >= FOUND), die(6))
    rows = []
    for count in (1, 2, 3, 4, 5, 6, 8):
        found = repeated(count, one)
        share = tuple(chance(found, lambda many, least=least: many >= least) for least in (1, 2, 3, 4))  # type: ignore[misc]
        rows.append(OddsRow(case=f"{count} shot", chances=share, mean=mean(found)))
    return OddsTable(
        clauses=("HEX-044", "HEX-045"),
        title="How many missiles are found",
        cases="missiles that can be",
        columns=("1 or more", "2 or more", "3 or more", "4 or more"),
        rows=tuple(rows),
        shape="curves",
        averages="on average",
    )


def _prone() -> OddsTable:
    rows = [
        OddsRow(case=_signed(by), chances=tuple(beats(Roll(by, levels), Roll()) for levels in (0, -1))) for by in AHEAD
    ]
    return OddsTable(
        clauses=("HEX-055", "HEX-057"),
        title="That somebody is knocked prone",
        cases="your bonus above the other's",
        columns=("with two hands", "with one hand or bare hands"),
        rows=tuple(rows),
        says="An equal total fails; natural 20s are in it.",
        shape="curves",
    )


def _tests() -> OddsTable:
    rows = []
    for by in AHEAD:
        wins = contested(Roll(by), Roll())
        rows.append(OddsRow(case=_signed(by), chances=(wins, 1 - wins)))
    return OddsTable(
        clauses=(
            "HEX-047",
            "HEX-058",
            "HEX-061",
            "HEX-T12",
        ),
        title="That a test against somebody succeeds",
        cases="your bonus above the other's",
        columns=("success", "failure"),
        rows=tuple(rows),
        says="An equal total fails. Where a manoeuvre is tested with an attack roll, natural 20s count as in an "
        "attack.",
    )


def _levels() -> OddsTable:
    rows = [
        OddsRow(
            case=f"{abs(levels)} of {'advantage' if levels > 0 else 'disadvantage'}" if levels else "none",
            chances=tuple(opposed(Roll(0, levels), Roll()).get(one, Fraction(0)) for one in SIDES),
        )
        for levels in (-2, -1, 0, 1, 2, 3)
    ]
    return OddsTable(
        clauses=(
            "HEX-073",
            "HEX-053",
            "HEX-076",
            "HEX-077",
            "HEX-G01",
            "HEX-G04",
            "HEX-T05",
        ),
        title="What levels are worth in an attack",
        cases="levels",
        columns=("you win", "both land", "you lose"),
        rows=tuple(rows),
        says="Equal bonuses on both sides. Flanking gives one level, being overrun another; prone takes one, blinded "
        "two.",
    )

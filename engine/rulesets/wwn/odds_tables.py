"""The tables of exact chances that the book of Worlds Without Number shows."""

from __future__ import annotations

from fractions import Fraction

from affray.engine.kit.odds import OddsRow, OddsTable, chance, mean

from .config import Config
from .odds import Weapon, attacked, check, damage, first, hits, instinct, morale, opposed

ARMOR = tuple(range(10, 21))
NEEDS = (6, 11, 16)
"""What the die must show before any circumstance: easy, even, hard."""

DAGGER, SPEAR, GREAT = (
    Weapon(1, 4, 1, 2, 15),
    Weapon(1, 6, 1, 3, 13),
    Weapon(1, 12, 1, 3, 15),
)
WEAPONS = (
    ("1d4", Weapon(1, 4)),
    ("1d6", Weapon(1, 6)),
    ("1d6 + 2", Weapon(1, 6, 2)),
    ("1d8", Weapon(1, 8)),
    ("1d8 + 1", Weapon(1, 8, 1)),
    ("1d8 + 3, as with two weapons", Weapon(1, 8, 3)),
    ("1d10", Weapon(1, 10)),
    ("1d12", Weapon(1, 12)),
    ("2d8", Weapon(2, 8)),
)
CIRCUMSTANCES = (
    ("+2: at the fallen, near by", 2),
    ("none", 0),
    ("−1: two weapons, untrained rider", -1),
    ("−2: untrained, half cover, far off, at the fallen from afar", -2),
    ("−4: from the ground, near-complete cover, a snap, a throw in melee", -4),
    ("−6: a snap at half cover", -6),
)


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Return the tables under a configuration."""
    made = (_initiative, _hits, _circumstances, _damage, _shock, _beasts, _instinct, _riding, _opposed)
    return tuple(one(config) for one in made)


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def _initiative(config: Config) -> OddsTable:
    rows = [
        OddsRow(case=f"modifier {_signed(one)}", chances=(first(one), first(one, config.quick_bonus)))
        for one in range(-2, 4)
    ]
    return OddsTable(
        clauses=("WWN-001", "WWN-002", "WWN-003", "WWN-004", "WWN-005", "WWN-006", "WWN-007"),
        title="That a hero goes before a group of foes",
        cases="the hero",
        columns=("a usual group", "a quick one"),
        rows=tuple(rows),
        says="Heroes win ties.",
        shape="curves",
    )


def _hits(config: Config) -> OddsTable:
    rows = [
        OddsRow(case=f"attack {_signed(bonus)}", chances=tuple(hits(bonus, ac, config) for ac in ARMOR))
        for bonus in (-2, 0, 2, 4, 6, 8, 10)
    ]
    return OddsTable(
        clauses=(
            "WWN-008",
            "WWN-009",
            "WWN-010",
            "WWN-011",
            "WWN-013",
            "WWN-058",
            "WWN-059",
            "WWN-066",
            "WWN-G04",
            "WWN-T01",
            "WWN-T03",
            "WWN-T04",
            "WWN-T26",
            "WWN-T61",
        ),
        title="That an attack hits",
        cases="everything added",
        columns=tuple(map(str, ARMOR)),
        rows=tuple(rows),
        over="armor class",
        says="A natural 1 misses and a natural 20 hits.",
        shape="curves",
    )


def _circumstances(config: Config) -> OddsTable:
    rows = [OddsRow(case=case, chances=tuple(hits(by, need, config) for need in NEEDS)) for case, by in CIRCUMSTANCES]
    return OddsTable(
        clauses=(
            "WWN-014", "WWN-012", "WWN-015", "WWN-016", "WWN-017", "WWN-018", "WWN-019", "WWN-020", "WWN-021",
            "WWN-022", "WWN-023", "WWN-024", "WWN-043", "WWN-049",
            "WWN-T05", "WWN-T17", "WWN-T18", "WWN-T20", "WWN-T21",
        ),
        title="What a circumstance makes of an attack",
        cases="circumstance",
        columns=tuple(f"needs {need} without it" for need in NEEDS),
        rows=tuple(rows),
        says="Several are summed, but of two kinds of cover only the better one counts.",
        shape="curves",
    )  # fmt: skip


def _damage(config: Config) -> OddsTable:
    least = (1, 3, 5, 7, 9, 12)
    rows = []
    for case, weapon in WEAPONS:
        done = damage(weapon, None, config)
        share = tuple(chance(done, lambda amount, one=one: amount >= one) for one in least)  # type: ignore[misc]
        rows.append(OddsRow(case=case, chances=share, mean=mean(done)))
    return OddsTable(
        clauses=("WWN-025", "WWN-026", "WWN-027", "WWN-028", "WWN-041", "WWN-068", "WWN-070"),
        title="What a hit does",
        cases="dice and what is added",
        columns=tuple(f"{one}+" for one in least),
        rows=tuple(rows),
        over="damage",
        says="The least damage that Shock sets is not in it.",
        shape="curves",
        averages="on average",
    )


def _shock(config: Config) -> OddsTable:
    arms = (
        ("dagger 1d4 + 1, Shock 2/15", DAGGER),
        ("spear 1d6 + 1, Shock 3/13", SPEAR),
        ("great sword 1d12 + 1, Shock 3/15", GREAT),
    )
    rows = []
    for case, weapon in arms:
        for ac in (11, 13, 15, 17):
            done = attacked(3, ac, weapon, config)
            share = tuple(chance(done, lambda one, kind=kind: one[0] == kind) for kind in ("hit", "shock", "miss"))  # type: ignore[misc]
            average = sum((amount * weight for (_, amount), weight in done.items()), Fraction(0))
            rows.append(OddsRow(case=f"{case}, at AC {ac}", chances=share, mean=average))
    return OddsTable(
        clauses=("WWN-036", "WWN-029", "WWN-030", "WWN-031", "WWN-034", "WWN-037", "WWN-039", "WWN-044"),
        title="What a melee attack at +3 comes to",
        cases="weapon and armor class",
        columns=("a hit", "Shock on a miss", "nothing"),
        rows=tuple(rows),
        says="No shield is in the way. Shock is named with the attribute already in it.",
        averages="damage on average",
    )


def _beasts(_: Config) -> OddsTable:
    rows = [OddsRow(case=f"score {score}", chances=(morale(score), 1 - morale(score))) for score in range(5, 13)]
    return OddsTable(
        clauses=(
            "WWN-060",
            "WWN-G03",
            "WWN-T30",
            "WWN-T32",
        ),
        title="That Morale holds",
        cases="Morale",
        columns=("holds", "breaks"),
        rows=tuple(rows),
    )


def _instinct(_: Config) -> OddsTable:
    rows = [OddsRow(case=f"score {score}", chances=(instinct(score), 1 - instinct(score))) for score in range(2, 10)]
    return OddsTable(
        clauses=("WWN-T31",),
        title="That a beast keeps its head",
        cases="Instinct",
        columns=("keeps it", "follows its instinct"),
        rows=tuple(rows),
    )


def _riding(config: Config) -> OddsTable:
    rows = []
    for bonus in range(-2, 5):
        made = check(bonus, config.skill_difficulty)
        rows.append(OddsRow(case=f"check {_signed(bonus)}", chances=(made, 1 - made)))
    return OddsTable(
        clauses=(
            "WWN-062",
            "WWN-T29",
            "WWN-T33",
        ),
        title=f"That a check reaches {config.skill_difficulty}",
        cases="attribute and skill",
        columns=("succeeds", "fails"),
        rows=tuple(rows),
    )


def _opposed(config: Config) -> OddsTable:
    rows = []
    for ahead in range(-3, 5):
        made = opposed(ahead, config)
        rows.append(OddsRow(case=_signed(ahead) if ahead else "equal", chances=(made, 1 - made)))
    return OddsTable(
        clauses=(
            "WWN-067",
            "WWN-T35",
        ),
        title="That an opposed check succeeds",
        cases="your bonus above the other's",
        columns=("succeeds", "fails"),
        rows=tuple(rows),
        says="On a tie whoever resists keeps things as they are.",
    )

"""The tables of exact chances that the book of Verdigris shows."""

from __future__ import annotations

from fractions import Fraction

from affray.engine.kit.odds import OddsRow, OddsTable, chance, mean

from .config import Config
from .odds import Pool, Target, damage, level, nerves, net, passes, sixes

DICE = (1, 2, 3, 4, 5, 6, 7, 8, 10)
LISTED = 2

OPPOSED = (
    "VER-027", "VER-014", "VER-023", "VER-024", "VER-025", "VER-026", "VER-035", "VER-036", "VER-037", "VER-038",
    "VER-043", "VER-044", "VER-046", "VER-050", "VER-051", "VER-053", "VER-058", "VER-059", "VER-063", "VER-065",
    "VER-068", "VER-069", "VER-082", "VER-086", "VER-022", "VER-S16", "VER-S17", "VER-S19", "VER-S24", "VER-T21",
    "VER-T25", "VER-T26", "VER-T27", "VER-T28", "VER-T40", "VER-T50", "VER-T56", "VER-T57", "VER-T59", "VER-T65",
)  # fmt: skip
"""The clauses by which one pool is thrown against another, or one of them changes."""

SINGLE = (
    "VER-S04", "VER-039", "VER-062", "VER-064", "VER-096", "VER-097", "VER-S14", "VER-S25", "VER-T41",
    "VER-T46", "VER-T47", "VER-T48", "VER-T62", "VER-T69",
)  # fmt: skip
"""The clauses by which one success is enough."""


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Return the tables under a configuration."""
    return (
        _initiative(config), _hits(), _damage(config), _strays(), _criticals(config), _levels(), _single(), _pushed(),
        _nerves(),
    )  # fmt: skip


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _initiative(config: Config) -> OddsTable:
    wins = Fraction(7 - config.initiative_target, 6)
    return OddsTable(
        clauses=(
            "VER-003",
            "VER-T38",
        ),
        title="Who begins the round",
        cases="die",
        columns=("the party", "the enemies"),
        rows=(OddsRow(case="d6", chances=(wins, 1 - wins)),),
    )


def _hits() -> OddsTable:
    dodges = (0, 1, 2, 3, 4, 5, 6)
    rows = [
        OddsRow(case=_dice(dice), chances=tuple(chance(net(Pool(dice), dodge), lambda by: by > 0) for dodge in dodges))
        for dice in DICE
    ]
    return OddsTable(
        clauses=OPPOSED,
        title="That an attack is above Dodge",
        cases="dice of the attack",
        columns=tuple(map(str, dodges)),
        rows=tuple(rows),
        over="dice of Dodge, or of whoever resists",
        says="Without stress and without a push. Each bonus or penalty is one die more or less.",
        shape="curves",
    )


def _damage(config: Config) -> OddsTable:
    rows = []
    for dice in (4, 6, 8):
        for dodge, withstand in ((2, 2), (3, 3), (3, 6)):
            done = damage(Pool(dice), Target(dodge, withstand), LISTED, config=config)
            missed = 1 - chance(net(Pool(dice), dodge), lambda by: by > 0)
            stopped = done.get(0, Fraction(0)) - missed
            some, more = (chance(done, lambda one, low=low: low <= one <= low + 1) for low in (1, 3))  # type: ignore[misc]
            row = (missed, stopped, some, more, 1 - missed - stopped - some - more)
            case = f"{dice} dice against Dodge {dodge}, Withstand {withstand}"
            rows.append(OddsRow(case=case, chances=row, mean=mean(done)))
    return OddsTable(
        clauses=("VER-028", "VER-029", "VER-030", "VER-078", "VER-099", "VER-S23", "VER-S27"),
        title=f"What an attack with listed damage {LISTED} does",
        cases="attack and target",
        columns=("missed", "all saved", "1–2", "3–4", "5 or more"),
        rows=tuple(rows),
        says="A player character's attack without stress and push; criticals are in it. The dice of armour are in "
        "Withstand.",
        averages="damage on average",
    )


def _strays() -> OddsTable:
    rows = []
    for dice in (2, 4, 6, 8):
        for dodge in (1, 3):
            by = net(Pool(dice), dodge)
            hit, tie = chance(by, lambda one: one > 0), by.get(0, Fraction(0))
            rows.append(OddsRow(case=f"{_dice(dice)} against Dodge {dodge}", chances=(hit, tie, 1 - hit - tie)))
    return OddsTable(
        clauses=("VER-048", "VER-045", "VER-047"),
        title="What a shot at somebody in a melee hits",
        cases="dice after penalties, and Dodge",
        columns=("the target", "somebody else", "nobody"),
        rows=tuple(rows),
    )


def _criticals(config: Config) -> OddsTable:
    four = config.crit_sixes
    rows = [
        OddsRow(
            case=_dice(dice),
            chances=tuple(
                chance(level(Pool(dice), pushed=pushed), lambda one: one >= four) for pushed in (False, True)
            ),
        )
        for dice in (4, 5, 6, 7, 8, 10, 12)
    ]
    return OddsTable(
        clauses=("VER-077",),
        title=f"That {four} sixes fall",
        cases="dice of the attack",
        columns=("as thrown", "pushed"),
        rows=tuple(rows),
        says="No stress before the push, and a Panic save of 3 dice. The attack must hit as well.",
        shape="curves",
    )


def _levels() -> OddsTable:
    rows = []
    for dice in DICE:
        part = sixes(dice)
        share = [part.get(one, Fraction(0)) for one in range(4)]
        rows.append(OddsRow(case=_dice(dice), chances=(*share, 1 - sum(share, Fraction(0))), mean=mean(part)))
    return OddsTable(
        clauses=(
            "VER-S02",
            "VER-S01",
            "VER-S03",
            "VER-S05",
            "VER-S10",
            "VER-S15",
            "VER-S30",
            "VER-T03",
            "VER-T04",
            "VER-T05",
            "VER-T08",
            "VER-T09",
            "VER-T10",
            "VER-T11",
            "VER-T12",
            "VER-T13",
            "VER-T22",
            "VER-T29",
            "VER-T51",
            "VER-T54",
        ),
        title="How many successes fall",
        cases="dice",
        columns=("0", "1", "2", "3", "4 or more"),
        rows=tuple(rows),
        averages="on average",
    )


def _single() -> OddsTable:
    rows = [OddsRow(case=_dice(dice), chances=tuple(passes(dice, needs) for needs in (1, 2, 3))) for dice in DICE]
    return OddsTable(
        clauses=SINGLE,
        title="That a roll passes",
        cases="dice",
        columns=("1 success needed", "2 needed", "3 needed"),
        rows=tuple(rows),
        shape="curves",
    )


def _pushed() -> OddsTable:
    rows = []
    for dice in (1, 2, 3, 4, 5, 6, 8):
        kept = chance(level(Pool(dice)), lambda one: one > 0)
        pushed = chance(level(Pool(dice), pushed=True), lambda one: one > 0)
        strained = chance(level(Pool(dice, 2), pushed=True), lambda one: one > 0)
        rows.append(OddsRow(case=_dice(dice), chances=(kept, pushed, strained)))
    return OddsTable(
        clauses=(
            "VER-S07",
            "VER-T52",
            "VER-T55",
        ),
        title="That a test has any success",
        cases="dice",
        columns=("as thrown", "pushed", "pushed with 2 stress"),
        rows=tuple(rows),
        says="Every roll pushed, whatever it showed; with a Panic save of 3 dice, which a one on a stress die calls "
        "for.",
        shape="curves",
    )


def _nerves() -> OddsTable:
    rows = []
    for panic in (2, 4):
        for stress in (1, 2, 3, 5):
            ones = nerves(stress, pushed=False)
            calm = chance(ones, lambda one: not one[1])
            held = sum((weight * passes(panic, one) for (_, one), weight in ones.items() if one), Fraction(0))
            case = f"{stress} stress, Panic {panic}"
            rows.append(OddsRow(case=case, chances=(calm, held, 1 - calm - held)))
    return OddsTable(
        clauses=(
            "VER-S11",
            "VER-S06",
            "VER-S12",
            "VER-T14",
            "VER-T67",
        ),
        title="Whether somebody panics",
        cases="stress dice and Panic save",
        columns=("no ones", "the save holds", "panic"),
        rows=tuple(rows),
        says="A test that is not pushed.",
    )

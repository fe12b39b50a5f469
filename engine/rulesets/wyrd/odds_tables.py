"""The tables of exact chances that the book of Wyrd shows, for dice that are common at a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from affray.engine.odds import Exact, OddsRow, OddsTable, chance, die, highest, mean

from .config import Config
from .odds import HIT, Blow, Fighter, Struck, against_shot, bands, blown, exchanged, shot, struck, succeeds
from .rolling import SETBACK
from .sizes import hindered, sizes

BANDS = {"failure": "1–3", "setback": "4–5", "success": "6 or more", "multiple success": "6++"}
TESTS = (
    (4,),
    (6,),
    (8,),
    (10,),
    (12,),
    (4, 6),
    (6, 6),
    (6, 8),
    (6, 10),
    (8, 8),
    (8, 10),
    (10, 12),
    (6, 6, 6),
    (8, 8, 6),
)
ARMOR = ((4,), (6,), (8,), (4, 4), (6, 4), (6, 4, 4), (8, 6, 4))
WEAPONS = ((6,), (8,), (10,), (12,), (6, 4), (6, 6), (8, 6))

ORC = Fighter(6, (8,), (6,), 6)
FIGHTERS = (
    ("d6 with a d6, leathers d4", Fighter(6, (6,), (4,), 6)),
    ("d6 with a d10, leathers d4", Fighter(6, (10,), (4,), 6)),
    ("d8 with a d8, maille d6", Fighter(8, (8,), (6,), 8)),
    ("d8 with two d6, leathers d4", Fighter(8, (6, 6), (4,), 8)),
    ("d8 with a d8, maille and shield d6", Fighter(8, (8,), (6, 6), 8)),
    ("d10 with a d12, plate d8 and helmet d4", Fighter(10, (12,), (8, 4), 10)),
)

TESTING = (
    "WYR-014", "WYR-006", "WYR-008", "WYR-012", "WYR-013", "WYR-015", "WYR-028", "WYR-029", "WYR-031", "WYR-041",
    "WYR-046", "WYR-047", "WYR-048", "WYR-050", "WYR-069", "WYR-G02", "WYR-G04",
    "WYR-T08", "WYR-T12", "WYR-T13", "WYR-T16", "WYR-T32", "WYR-T43",
)  # fmt: skip
"""The clauses that ask for a test."""


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Return the tables under a configuration."""
    made = (
        _surprise,
        _tests,
        _exchanges,
        _blows,
        _armor,
        _power,
        _faces,
        _wear,
        _shots,
        _melee,
        _pierced,
        _morale,
        _again,
    )
    return tuple(one(config) for one in made)


def said(dice: tuple[int, ...]) -> str:
    """Return dice as one writes them."""
    return " + ".join(f"d{one}" for one in dice)


def _surprise(_: Config) -> OddsTable:
    row = OddsRow(case="d6", chances=(Fraction(1, 6), Fraction(4, 6), Fraction(1, 6)))
    return OddsTable(
        clauses=(
            "WYR-004",
            "WYR-T31",
        ),
        title="Who is surprised",
        cases="die",
        columns=("the party, on 1", "nobody", "the others, on 6"),
        rows=(row,),
    )


def _tests(config: Config) -> OddsTable:
    def row(dice: tuple[int, ...]) -> OddsRow:
        came = bands(dice, config)
        return OddsRow(case=said(dice), chances=tuple(came.get(one, Fraction(0)) for one in BANDS))

    return OddsTable(
        clauses=TESTING,
        title="What a test comes to",
        cases="dice rolled",
        columns=tuple(BANDS.values()),
        rows=tuple(map(row, TESTS)),
        says="The ability die first, then the dice of gear and of help; all count alike. 6++ is two dice or more at 6 "
        "or above. Hindrance makes the first die smaller before it falls.",
    )


def _wounds(part: Exact[Struck]) -> tuple[Fraction, ...]:
    """Return the chances that nothing is left, of a wound that changes nothing, and of one that takes somebody out."""
    return (
        chance(part, lambda one: not one.wound),
        chance(part, lambda one: one.wound == "incidental"),
        chance(part, lambda one: one.wound not in ("", "incidental")),
    )


def _sides(part: Exact[Blow]) -> Iterator[Fraction]:
    def of(who: str, holds: Callable[[str], bool]) -> Fraction:
        return chance(part, lambda one: one.who == who and holds(one.struck.wound))

    out = {"debilitating", "severe", "mortal"}
    yield of(HIT, lambda one: one in out)
    yield of(HIT, lambda one: one == "incidental")
    yield chance(part, lambda one: not one.struck.wound)
    yield chance(part, lambda one: one.who != HIT and one.struck.wound == "incidental")
    yield chance(part, lambda one: one.who != HIT and one.struck.wound in out)


def _exchanges(config: Config) -> OddsTable:
    rows = [OddsRow(case=case, chances=tuple(_sides(exchanged(one, ORC, (), config)))) for case, one in FIGHTERS]
    return OddsTable(
        clauses=("WYR-017", "WYR-016", "WYR-018", "WYR-030"),
        title="An exchange of blows with an orc",
        cases="who engages",
        columns=("orc out", "orc wounded", "nobody hurt", "you wounded", "you out"),
        rows=tuple(rows),
        says="The orc strikes with d8, wears maille d6, and has Power d6; yours is as large as the ability. Out is a "
        "debilitating, severe or mortal wound. Nobody dodges or gives up a shield.",
    )


def _blows(config: Config) -> OddsTable:
    cases = [
        (weapons, armor, power) for weapons in ((6,), (8,), (12,)) for armor, power in (((), 6), ((4,), 6), ((6, 4), 8))
    ]
    rows = [
        OddsRow(
            case=f"{said(weapons)} against {said(armor) or 'no armor'}, Power d{power}",
            chances=_wounds(blown(weapons, armor, power, config)),
        )
        for weapons, armor, power in cases
    ]
    return OddsTable(
        clauses=(
            "WYR-020",
            "WYR-049",
            "WYR-051",
            "WYR-G03",
            "WYR-T24",
        ),
        title="A blow that needs no test",
        cases="weapon and target",
        columns=("nothing left", "incidental", "out"),
        rows=tuple(rows),
        says="The foe's answer to a test that failed, a blow at somebody helpless; a volley does the same with each "
        "armor die one size smaller. Nobody dodges or gives up a shield.",
    )


def _armor(config: Config) -> OddsTable:
    damages = (1, 2, 3, 4, 5, 6, 8)
    rows = [
        OddsRow(
            case=said(armor),
            chances=tuple(
                chance(struck(amount, armor, 6, config), lambda one: not one.remaining) for amount in damages
            ),
            mean=mean(highest(*map(die, armor))),
        )
        for armor in ARMOR
    ]
    return OddsTable(
        clauses=(
            "WYR-021",
            "WYR-023",
            "WYR-024",
            "WYR-026",
            "WYR-038",
            "WYR-T17",
        ),
        title="That armor stops all of it",
        cases="armor dice",
        columns=tuple(map(str, damages)),
        over="damage",
        rows=tuple(rows),
        says="The highest armor die takes off; as much as the damage is enough.",
        shape="curves",
        averages="armor on average",
    )


def _power(config: Config) -> OddsTable:
    columns = ("incidental", "debilitating", "severe", "mortal")
    rows = []
    for sides in (2, 4, 6, 8, 10):
        for remaining in (1, 2, 3, 5):
            part = struck(remaining, (), sides, config)
            share = [chance(part, lambda one, name=name: one.wound == name) for name in columns]  # type: ignore[misc]
            rows.append(OddsRow(case=f"d{sides}, {remaining} left", chances=tuple(share)))
    return OddsTable(
        clauses=(
            "WYR-022",
            "WYR-033",
            "WYR-061",
            "WYR-062",
            "WYR-063",
            "WYR-064",
            "WYR-066",
            "WYR-073",
            "WYR-T19",
            "WYR-T51",
        ),
        title="How bad a wound is",
        cases="Power and damage left",
        columns=columns,
        rows=tuple(rows),
        says="A face above the damage that is left is incidental; a 1 is severe, and death on the last size.",
    )


def _faces(_: Config) -> OddsTable:
    steps = (1, 2, 3, 4, 6, 8)
    rows = []
    for weapons in WEAPONS:
        part = highest(*map(die, weapons))
        share = tuple(chance(part, lambda face, least=least: face >= least) for least in steps)  # type: ignore[misc]
        rows.append(OddsRow(case=said(weapons), chances=share, mean=mean(part)))
    return OddsTable(
        clauses=("WYR-036", "WYR-019", "WYR-034", "WYR-037"),
        title="The highest weapon die",
        cases="weapons",
        columns=tuple(f"{least}+" for least in steps),
        over="face",
        rows=tuple(rows),
        says="As thrown, whether or not the test works; two dice are also two that may reach 4.",
        shape="curves",
        averages="on average",
    )


def _wear(config: Config) -> OddsTable:
    rows, uses = [], Fraction(0)
    for size in sizes(config.chain, config.chain_top):
        uses += size
        rows.append(OddsRow(case=f"d{size}", chances=(Fraction(1, size), 1 - Fraction(1, size)), mean=uses))
    return OddsTable(
        clauses=("WYR-039", "WYR-040"),
        title="That a throw wears a piece down",
        cases="die",
        columns=("a 1: one size smaller", "it holds"),
        rows=tuple(rows),
        says="From the smallest size the next 1 destroys it.",
        averages="throws until it is destroyed, on average",
    )


def _shots(config: Config) -> OddsTable:
    rows = []
    for ability, weapon in ((6, 6), (6, 8), (8, 8), (8, 10), (10, 12)):
        for armor in ((4,), (6, 4)):
            part = shot(Fighter(ability, (weapon,), (), 6), ORC._replace(armor=armor), 0, config)
            missed = chance(part, lambda one: not one.who)
            stopped = chance(part, lambda one: bool(one.who) and not one.struck.wound)
            light = chance(part, lambda one: one.struck.wound == "incidental")
            chances = (missed, stopped, light, 1 - missed - stopped - light)
            rows.append(OddsRow(case=f"{said((ability, weapon))} at {said(armor)}", chances=chances))
    return OddsTable(
        clauses=("WYR-050",),
        title="A shot at somebody with Power d6",
        cases="shot and armor worn",
        columns=("missed", "armor holds", "incidental", "out"),
        rows=tuple(rows),
        says="The armor is named as it is worn, and rolled one size smaller. A miss may be answered.",
    )


def _melee(config: Config) -> OddsTable:
    rows = [
        OddsRow(
            case=said(dice),
            chances=(succeeds(dice, config), succeeds((hindered(config, dice[0], 1), *dice[1:]), config)),
        )
        for dice in ((6, 6), (6, 8), (8, 6), (8, 8), (10, 8), (12, 12))
    ]
    return OddsTable(
        clauses=("WYR-054",),
        title="That a shot hits",
        cases="ability and weapon",
        columns=("in the open", "into a melee"),
        rows=tuple(rows),
        says="What does not hit there may strike another of that melee.",
        shape="curves",
    )


def _pierced(config: Config) -> OddsTable:
    rows = [
        OddsRow(
            case=f"{said(armor)}, {damage} damage",
            chances=tuple(
                chance(struck(damage, worn, 6, config), lambda one: bool(one.remaining))
                for worn in (armor, against_shot(armor, config))
            ),
        )
        for armor in ((4,), (6,), (6, 4), (8, 6, 4))
        for damage in (2, 4)
    ]
    return OddsTable(
        clauses=("WYR-056", "WYR-057"),
        title="That armor is pierced",
        cases="armor and damage",
        columns=("by a blow, or arrowproof", "by a shot"),
        rows=tuple(rows),
        shape="curves",
    )


def _morale(_: Config) -> OddsTable:
    rows = []
    for sides in (4, 6, 8, 10, 12):
        holds = chance(die(sides), lambda face: face > 3)
        rows.append(OddsRow(case=f"Will d{sides}", chances=(holds, 1 - holds)))
    return OddsTable(
        clauses=("WYR-G06",),
        title="That they fight on",
        cases="their Will",
        columns=("they hold", "they parley or flee"),
        rows=tuple(rows),
    )


def _again(_: Config) -> OddsTable:
    rows = []
    for sides in (4, 6, 8, 10, 12):
        once = chance(die(sides), lambda face: face >= SETBACK)
        rows.append(OddsRow(case=f"d{sides}", chances=(once, once + Fraction(1, sides) * once)))
    return OddsTable(
        clauses=("WYR-T52",),
        title="That a single die shows 4 or more",
        cases="die",
        columns=("as it falls", "a 1 thrown again"),
        rows=tuple(rows),
        shape="curves",
    )

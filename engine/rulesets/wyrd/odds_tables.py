"""The tables of exact chances that the book of Wyrd shows, for dice that are common at a table."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from affray.engine.kit.odds import Exact, OddsRow, OddsTable, chance, die, each, highest, mean

from .attack.testing import SETBACK
from .chapters.morale import HOLDS_FROM
from .config import Config
from .odds import HIT, HURT, Blow, Fighter, Struck, against_shot, bands, blown, exchanged, shot, struck, succeeds
from .sheet import hindered, sizes

Dice = tuple[int, ...]

BANDS = {"failure": "1–3", "setback": "4–5", "success": "6 or more", "multiple success": "6++"}

TESTS: tuple[Dice, ...] = (
    (4,), (6,), (8,), (10,), (12,),
    (4, 6), (6, 6), (6, 8), (6, 10), (8, 8), (8, 10), (10, 12), (6, 6, 6), (8, 8, 6),
)  # fmt: skip

ARMOR: tuple[Dice, ...] = ((4,), (6,), (8,), (4, 4), (6, 4), (6, 4, 4), (8, 6, 4))

WEAPONS: tuple[Dice, ...] = ((6,), (8,), (10,), (12,), (6, 4), (6, 6), (8, 6))

ABILITIES = (4, 6, 8, 10, 12)
"""The sizes of an ability that is not injured."""

ORC = Fighter(6, (8,), (6,), 6)

FIGHTERS = (
    ("d6 with a d6, leathers d4", Fighter(6, (6,), (4,), 6)),
    ("d6 with a d10, leathers d4", Fighter(6, (10,), (4,), 6)),
    ("d8 with a d8, maille d6", Fighter(8, (8,), (6,), 8)),
    ("d8 with two d6, leathers d4", Fighter(8, (6, 6), (4,), 8)),
    ("d8 with a d8, maille and shield d6", Fighter(8, (8,), (6, 6), 8)),
    ("d10 with a d12, plate d8 and helmet d4", Fighter(10, (12,), (8, 4), 10)),
)

OUT = ("debilitating", "severe", "mortal")
"""The wounds that take somebody out."""

TESTING = (
    "WYR-014", "WYR-006", "WYR-008", "WYR-012", "WYR-013", "WYR-015", "WYR-028", "WYR-029", "WYR-031", "WYR-041",
    "WYR-046", "WYR-047", "WYR-048", "WYR-050", "WYR-069", "WYR-G02", "WYR-G04",
    "WYR-T08", "WYR-T12", "WYR-T13", "WYR-T16", "WYR-T32", "WYR-T43",
)  # fmt: skip
"""The clauses that ask for a test."""

WOUNDING = (
    "WYR-022", "WYR-033", "WYR-061", "WYR-062", "WYR-063", "WYR-064", "WYR-066", "WYR-073", "WYR-T19", "WYR-T51",
)  # fmt: skip
"""The clauses by which the Power die says how bad a wound is."""


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Return the tables under a configuration."""
    made = (
        _surprise, _tests, _exchanges, _blows, _armor, _power, _faces, _wear, _shots, _melee, _pierced, _morale, _again,
    )  # fmt: skip
    return tuple(one(config) for one in made)


def said(dice: Dice) -> str:
    """Return dice as one writes them."""
    return " + ".join(f"d{one}" for one in dice)


def row(case: str, chances: Iterable[Fraction], mean: Fraction | None = None) -> OddsRow:
    """Return a row of a table."""
    return OddsRow(case=case, chances=tuple(chances), mean=mean)


def _surprise(_: Config) -> OddsTable:
    return OddsTable(
        clauses=("WYR-004", "WYR-T31"),
        title="Who is surprised",
        cases="die",
        columns=("the party, on 1", "nobody", "the others, on 6"),
        rows=(row("d6", (Fraction(1, 6), Fraction(4, 6), Fraction(1, 6))),),
    )


def _tests(config: Config) -> OddsTable:
    def came(dice: Dice) -> OddsRow:
        part = bands(dice, config)
        return row(said(dice), (part.get(one, Fraction(0)) for one in BANDS))

    return OddsTable(
        clauses=TESTING,
        title="What a test comes to",
        cases="dice rolled",
        columns=tuple(BANDS.values()),
        rows=tuple(map(came, TESTS)),
        says="The ability die first, then the dice of gear and of help; all count alike. 6++ is two dice or more at 6 "
        "or above. Hindrance makes the first die smaller before it falls.",
    )


def _wounds(part: Exact[Struck]) -> tuple[Fraction, ...]:
    """Return the chances that nothing is left, of a wound that changes nothing, and of one that takes somebody out."""
    unhurt = chance(part, lambda one: not one.wound)
    light = chance(part, lambda one: one.wound == "incidental")
    return unhurt, light, 1 - unhurt - light


def _sides(part: Exact[Blow]) -> tuple[Fraction, ...]:
    """Return the chances that the foe is out or wounded, that nobody is hurt, and that oneself is wounded or out."""

    def of(who: str, *wounds: str) -> Fraction:
        return chance(part, lambda one: one.who == who and one.struck.wound in wounds)

    hits, hurts = (of(HIT, *OUT), of(HIT, "incidental")), (of(HURT, "incidental"), of(HURT, *OUT))
    return *hits, 1 - sum((*hits, *hurts), Fraction(0)), *hurts


def _exchanges(config: Config) -> OddsTable:
    return OddsTable(
        clauses=("WYR-017", "WYR-016", "WYR-018", "WYR-030"),
        title="An exchange of blows with an orc",
        cases="who engages",
        columns=("orc out", "orc wounded", "nobody hurt", "you wounded", "you out"),
        rows=tuple(row(case, _sides(exchanged(one, ORC, (), config))) for case, one in FIGHTERS),
        says="The orc strikes with d8, wears maille d6, and has Power d6; yours is as large as the ability. Out is a "
        "debilitating, severe or mortal wound. Nobody dodges or gives up a shield.",
    )


def _blows(config: Config) -> OddsTable:
    targets: tuple[tuple[Dice, int], ...] = (((), 6), ((4,), 6), ((6, 4), 8))

    def strikes(weapon: int, armor: Dice, power: int) -> OddsRow:
        case = f"d{weapon} against {said(armor) or 'no armor'}, Power d{power}"
        return row(case, _wounds(blown((weapon,), armor, power, config)))

    return OddsTable(
        clauses=("WYR-020", "WYR-049", "WYR-051", "WYR-G03", "WYR-T24"),
        title="A blow that needs no test",
        cases="weapon and target",
        columns=("nothing left", "incidental", "out"),
        rows=tuple(strikes(weapon, *target) for weapon in (6, 8, 12) for target in targets),
        says="The foe's answer to a test that failed, a blow at somebody helpless; a volley does the same with each "
        "armor die one size smaller. Nobody dodges or gives up a shield.",
    )


def _armor(_: Config) -> OddsTable:
    damages = (1, 2, 3, 4, 5, 6, 8)

    def stops(armor: Dice) -> OddsRow:
        part = highest(*map(die, armor))
        return row(said(armor), (_at_least(part, damage) for damage in damages), mean(part))

    return OddsTable(
        clauses=("WYR-021", "WYR-023", "WYR-024", "WYR-026", "WYR-038", "WYR-T17"),
        title="That armor stops all of it",
        cases="armor dice",
        columns=tuple(map(str, damages)),
        over="damage",
        rows=tuple(map(stops, ARMOR)),
        says="The highest armor die takes off; as much as the damage is enough.",
        shape="curves",
        averages="armor on average",
    )


def _power(config: Config) -> OddsTable:
    columns = ("incidental", *OUT)

    def wounds(sides: int, remaining: int) -> OddsRow:
        part = each(lambda one: one.wound, struck(remaining, (), sides, config))
        return row(f"d{sides}, {remaining} left", (part.get(one, Fraction(0)) for one in columns))

    return OddsTable(
        clauses=WOUNDING,
        title="How bad a wound is",
        cases="Power and damage left",
        columns=columns,
        rows=tuple(wounds(sides, remaining) for sides in (2, 4, 6, 8, 10) for remaining in (1, 2, 3, 5)),
        says="A face above the damage that is left is incidental; a 1 is severe, and death on the last size.",
    )


def _faces(_: Config) -> OddsTable:
    steps = (1, 2, 3, 4, 6, 8)

    def shown(weapons: Dice) -> OddsRow:
        part = highest(*map(die, weapons))
        return row(said(weapons), (_at_least(part, least) for least in steps), mean(part))

    return OddsTable(
        clauses=("WYR-036", "WYR-019", "WYR-034", "WYR-037"),
        title="The highest weapon die",
        cases="weapons",
        columns=tuple(f"{least}+" for least in steps),
        over="face",
        rows=tuple(map(shown, WEAPONS)),
        says="As thrown, whether or not the test works; two dice are also two that may reach 4.",
        shape="curves",
        averages="on average",
    )


def _at_least(part: Exact[int], least: int) -> Fraction:
    return chance(part, lambda face: face >= least)


def _wear(config: Config) -> OddsTable:
    rows, uses = [], Fraction(0)
    for size in sizes(config.chain, config.chain_top):
        uses += size
        rows.append(row(f"d{size}", (Fraction(1, size), 1 - Fraction(1, size)), uses))
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
    def came(ability: int, weapon: int, armor: Dice) -> OddsRow:
        part = shot(ORC._replace(ability=ability, weapons=(weapon,)), ORC._replace(armor=armor), 0, config)
        missed = chance(part, lambda one: not one.who)
        unhurt, *wounded = _wounds(each(lambda one: one.struck, part))
        return row(f"{said((ability, weapon))} at {said(armor)}", (missed, unhurt - missed, *wounded))

    return OddsTable(
        clauses=("WYR-050",),
        title="A shot at somebody with Power d6",
        cases="shot and armor worn",
        columns=("missed", "armor holds", "incidental", "out"),
        rows=tuple(
            came(ability, weapon, armor)
            for ability, weapon in ((6, 6), (6, 8), (8, 8), (8, 10), (10, 12))
            for armor in ((4,), (6, 4))
        ),
        says="The armor is named as it is worn, and rolled one size smaller. A miss may be answered.",
    )


def _melee(config: Config) -> OddsTable:
    def hits(ability: int, weapon: int) -> OddsRow:
        smaller = hindered(config, ability, 1)
        return row(said((ability, weapon)), (succeeds((one, weapon), config) for one in (ability, smaller)))

    return OddsTable(
        clauses=("WYR-054",),
        title="That a shot hits",
        cases="ability and weapon",
        columns=("in the open", "into a melee"),
        rows=tuple(hits(*dice) for dice in ((6, 6), (6, 8), (8, 6), (8, 8), (10, 8), (12, 12))),
        says="What does not hit there may strike another of that melee.",
        shape="curves",
    )


def _pierced(config: Config) -> OddsTable:
    def pierces(armor: Dice, damage: int) -> OddsRow:
        parts = [highest(*map(die, worn)) for worn in (armor, against_shot(armor, config))]
        return row(f"{said(armor)}, {damage} damage", (1 - _at_least(one, damage) for one in parts))

    return OddsTable(
        clauses=("WYR-056", "WYR-057"),
        title="That armor is pierced",
        cases="armor and damage",
        columns=("by a blow, or arrowproof", "by a shot"),
        rows=tuple(pierces(armor, damage) for armor in ((4,), (6,), (6, 4), (8, 6, 4)) for damage in (2, 4)),
        shape="curves",
    )


def _morale(_: Config) -> OddsTable:
    chances = [(sides, _at_least(die(sides), HOLDS_FROM)) for sides in ABILITIES]
    return OddsTable(
        clauses=("WYR-G06",),
        title="That they fight on",
        cases="their Will",
        columns=("they hold", "they parley or flee"),
        rows=tuple(row(f"Will d{sides}", (holds, 1 - holds)) for sides, holds in chances),
    )


def _again(_: Config) -> OddsTable:
    chances = [(sides, _at_least(die(sides), SETBACK)) for sides in ABILITIES]
    return OddsTable(
        clauses=("WYR-T52",),
        title="That a single die shows 4 or more",
        cases="die",
        columns=("as it falls", "a 1 thrown again"),
        rows=tuple(row(f"d{sides}", (once, once + Fraction(1, sides) * once)) for sides, once in chances),
        shape="curves",
    )

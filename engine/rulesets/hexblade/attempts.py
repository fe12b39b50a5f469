"""What the game master judges: the offer of a test, the test, what comes of it (HEX-046 to HEX-048)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from affray.engine.core.effects import Ask, Go, Roll, Rule, choice
from affray.engine.core.table import Table
from affray.events import Answered, Clause, Field, Id, Judged, Modifier, Option, Scalar

from .effects import consequence
from .exchange import FUMBLE, Swing, answer, attack, evade, judged, lead, swing
from .free import attackers, check_attacker, free_attack
from .levels import Levels, a_test, hindrance, thrown
from .play import at, paid, still_there
from .sheet import SHORT, SKILLS, blade, bonus, must_be_able, prowess, rolls
from .tables import difficulties
from .wear import fumbled

WEAPON = "weapon"
TESTS = (*SHORT, *SKILLS, WEAPON)
"""What a test can be rolled with: an attribute, a skill with its attribute, or the weapon in hand."""

MOST_LEVELS = 9
MOST_DC = 40

ACCEPT = (
    Option(choice="accept", says="makes the test"),
    Option(choice="withdraw", says="lets it be and keeps the action"),
)


def attempt(
    table: Table, actor: Id, target: Id, *rules: Clause, pays: bool = False, tie_wins: bool = False, item: Id = ""
) -> Rule[None]:
    """Let the game master offer a test, the player accept it, and something come of it (HEX-047, HEX-048).

    Args:
        table: The table.
        actor: Who attempts it.
        target: Against whom, if anybody.
        rules: The clauses of what is attempted.
        pays: Whether the action is still to be paid, when the dice are rolled.
        tie_wins: Whether a tie is enough.
        item: What is used, and may be used up.
    """
    offer = yield from _offered(table, actor, target, rules)
    if offer.choice == "refuse":
        return
    if offer.choice == "test":
        accepted = yield from choice(partial(_acceptance, actor))
        if accepted is None or accepted.choice == "withdraw":
            return
    yield Go("test" if offer.choice == "test" else "no_test", rules=("HEX-047",))
    if pays:
        yield from paid(table, actor, "standard", *rules)
    if offer.choice == "test":
        success = yield from _tested(table, actor, target, offer.fields, tie_wins)
        if not success:
            return
    yield from consequence(table, "effect", item, (*rules, "HEX-048"))


def _acceptance(actor: Id) -> Ask:
    return Ask(of=(actor,), about="accept", options=ACCEPT, rules=("HEX-047",))


def check_attempt(table: Table, actor: Id, target: Id, check: Callable[[], None]) -> None:
    """Refuse to go on with an attempt: until it is settled, with what could not be declared now (HEX-046).

    While the test is rolled, without the one who makes it or the one it is made against.
    """
    if at(table, "ruling"):
        still_there(table, target, "HEX-046")
        check()
    elif at(table, "exchange"):
        must_be_able(table, actor)
        still_there(table, target, "HEX-046")


def _offered(table: Table, actor: Id, target: Id, rules: tuple[Clause, ...]) -> Rule[Answered]:
    """Ask the game master until it is settled how to go on; free attacks come in between."""
    while True:
        said = yield from choice(partial(_asked, table, target, rules))
        assert said is not None  # for it can always be refused
        if said.choice != "free_attack":
            return said
        yield from free_attack(table, str(said.fields["by"]))


def _asked(table: Table, target: Id, rules: tuple[Clause, ...]) -> Ask:
    options = _options(table, target)
    return Ask(of=("gm",), about="test", options=options, rules=("HEX-047", *rules), refuses=partial(_refused, table))


def _refused(table: Table, answer: Answered) -> None:
    """Refuse a free attack by somebody who could make none (HEX-G03, HEX-016)."""
    by = answer.fields.get("by")
    if answer.choice == "free_attack" and by in table.draft.combatants:
        check_attacker(table, str(by))


def _options(table: Table, target: Id) -> tuple[Option, ...]:
    fighters = attackers(table)
    fields = [
        Field(name="roll", kind="id", among=TESTS),
        Field(name="dc", kind="int", low=1, high=MOST_DC, optional=True),
        *_level_fields(""),
    ]
    if target:
        fields += [Field(name="against", kind="id", among=TESTS, optional=True), *_level_fields("against_")]
    by = Field(name="by", kind="id", among=fighters)
    ways = (
        Option(choice="test", says="it takes a test, against a number or an opponent's", fields=tuple(fields)),
        Option(choice="effect", says="it succeeds without a test"),
        Option(choice="refuse", says="it cannot be done"),
    )
    free = Option(choice="free_attack", says="somebody has a free attack first", fields=(by,))
    return (*ways, free) if fighters else ways


def _level_fields(whose: str) -> tuple[Field, ...]:
    return tuple(
        Field(name=f"{whose}{way}", kind="int", high=MOST_LEVELS, optional=True)
        for way in ("advantage", "disadvantage")
    )


def _tested(table: Table, actor: Id, target: Id, fields: Mapping[str, Scalar], tie_wins: bool) -> Rule[bool]:
    """Roll what was offered, against an opponent or a number, and tell whether it succeeds (HEX-047)."""
    against = fields.get("against")
    first = yield from _roll(table, actor, str(fields["roll"]), target, _levels(fields, ""))
    if against:
        extra = _levels(fields, "against_")
        second = yield from _answer(table, first, target, str(against), extra)
        margin = lead(first, second)
        success = margin > 0 or (margin == 0 and tie_wins)
    else:
        second = Swing("", "")
        wanted = int(fields.get("dc") or difficulties()["standard"])
        margin = first.total - wanted
        success = margin >= 0
    said = "success" if success else "failure"
    if against:
        tie: tuple[Clause, ...] = ("HEX-T32",) if margin == 0 else ()
        yield judged(first, second, said, "HEX-047", "HEX-T04", *tie)
    else:
        yield Judged(roll=first.roll, outcome=said, margin=margin, rules=("HEX-047", "HEX-T03"))
    yield Go("no_blow", rules=("HEX-047",))
    yield from fumbled(table, *(one for one in (first, second) if one.face == FUMBLE))
    yield Go("settled")
    return success


def _levels(fields: Mapping[str, Scalar], whose: str) -> Levels:
    """Return the levels that the game master gave to one side's roll."""
    told = ((1, "advantage"), (-1, "disadvantage"))
    return tuple(
        Modifier(value=sign * int(levels), label=way, source="gm", rule="HEX-047")
        for sign, way in told
        if (levels := fields.get(whose + way))
    )


def _roll(table: Table, who: Id, test: str, victim: Id, extra: Levels) -> Rule[Swing]:
    """Make the initiator's test."""
    if test == WEAPON and victim:
        weapon = partial(blade, table, who)
        struck = yield from attack(table, who, victim, weapon, "HEX-047", "HEX-T10", extra=lambda _: extra)
        return struck
    roll = yield from _plain(table, who, test, "test", extra)
    return roll


def _answer(table: Table, first: Swing, who: Id, test: str, extra: Levels) -> Rule[Swing]:
    """Make the opponent's test; somebody who cannot fight back makes none (HEX-017, HEX-G03)."""
    if test == "evade":
        second = yield from evade(table, first.who, who, lambda: first.total, "HEX-047", extra=extra)
    elif test == WEAPON:
        second = yield from answer(table, first, who, "HEX-047", "HEX-T10", extra=lambda _: extra)
    else:
        second = yield from _plain(table, who, test, "answer", extra, first)
    return second


def _plain(table: Table, who: Id, test: str, purpose: str, extra: Levels, first: Swing | None = None) -> Rule[Swing]:
    """Make a test with an attribute, a skill or a weapon; only an attack and an evade can be critical (HEX-034)."""
    attacks = test in (WEAPON, "evade")

    def wanted() -> Roll | None:
        if first is not None and not rolls(table, who):
            return None
        terms = prowess(table, who, blade(table, who)) if test == WEAPON else bonus(table, who, test, "HEX-T01")
        levels = (*(hindrance(table, who) if attacks else ()), *extra)
        against = first.total if first is not None else None
        with_what = ("HEX-T10",) if test == WEAPON else ()
        return a_test(table, who, purpose, "test", levels, terms, "HEX-047", "HEX-T02", *with_what, against=against)

    roll = yield from thrown(table, wanted)
    made = swing(table, who, blade(table, who).id if test == WEAPON else "", roll)
    return made if attacks else made._replace(face=0)

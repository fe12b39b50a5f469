"""Saves: what somebody rolls when something happens to it (VER-S03, VER-S04, VER-S13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from affray.engine.core.changes import condition_set, pool_moved
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.table import Table
from affray.engine.kit.modifiers import granted
from affray.events import Clause, Id, Judged, Modifier, Option

from .gear import armor_of
from .pools import Share, burdens
from .push import Thrown, thrown
from .refusing import no
from .sheet import in_play, is_mount, stat
from .wanted import Pool, noted

NEEDS = {
    "dodge": frozenset({"saves", "dodge", "sight"}),
    "withstand": frozenset({"saves", "withstand"}),
    "panic": frozenset({"saves", "panic"}),
    "warding": frozenset({"saves", "warding"}),
}
"""What each save is, and what it takes."""

NO = Option(choice="no", says="keeps it for later")
YES = Option(choice="yes", says="adds the armour's dice, once a session")


def save(
    table: Table,
    who: Id,
    kind: str,
    *rules: Clause,
    purpose: str = "",
    gear: Callable[[], Sequence[Share]] = tuple,
    changes: Callable[[], Sequence[Modifier]] = tuple,
    needs: int | None = None,
    ground: Callable[[], None] | None = None,
) -> Rule[Thrown]:
    """Roll a save: its dice, gear where it applies, bonuses and penalties, never stress (VER-S03).

    A mount withstands with its Quality, and pushes nothing (VER-064, VER-068).

    Args:
        table: The fight.
        who: Who saves.
        kind: ``dodge``, ``withstand``, ``panic`` or ``warding``.
        rules: The clauses that call for it.
        purpose: Names the roll; the save's own name if not given.
        gear: The dice of armour and shield now.
        changes: Bonuses and penalties now, besides those of conditions.
        needs: The SL to reach, for the record.
        ground: As in ``thrown``.
    """
    more: tuple[Share, ...] = ()
    if table.pool(who, "juggernaut"):
        more = yield from _juggernaut(table, who, gear, ground)
    animal = is_mount(table, who)
    of = "quality" if animal and kind == "withstand" else kind
    rule = "VER-T26" if of == "quality" else "VER-T09"
    if kind == "panic" and not table.config.panic_may_push:
        rules = (*rules, "VER-T67")

    def present() -> Pool:
        return Pool(
            who=who,
            purpose=purpose or kind,
            shares=(Share("save", stat(table, who, of), of, f"{who}.{of}", rule), *gear(), *more),
            changes=_changes(table, who, kind, changes()),
            needs=NEEDS[kind],
            is_test=False,
            may_push=not animal and (kind != "panic" or table.config.panic_may_push),
            against=needs,
            rules=(*rules, "VER-T04", "VER-S03", "VER-T05"),
        )

    return (yield from thrown(table, present, ground))


def _changes(table: Table, who: Id, kind: str, changes: Sequence[Modifier]) -> Sequence[Modifier]:
    """Return bonuses and penalties with those of conditions and of the game master."""
    if table[who].conditions:
        changes = (*changes, *burdens(table, who, NEEDS[kind]))
    return (*changes, *granted(table, who, "VER-S05")) if noted(table, who) else changes


def _juggernaut(
    table: Table, who: Id, gear: Callable[[], Sequence[Share]], ground: Callable[[], None] | None
) -> Rule[tuple[Share, ...]]:
    """Let a juggernaut add the armour's dice to a save that has none, once a session (table 5.7)."""
    answer = yield from choice(partial(_steeled, table, who, gear, ground))
    armor = armor_of(table, who)
    if answer is None or answer.choice == "no" or armor is None:
        return ()
    yield pool_moved(table, who, "juggernaut", -1, "VER-T29")
    return (worn(table, armor.id, "VER-T29"),)


def _steeled(
    table: Table, who: Id, gear: Callable[[], Sequence[Share]], ground: Callable[[], None] | None
) -> Ask | None:
    """Return the question whether a juggernaut's armour helps, if it is worn and does not help already."""
    armor = armor_of(table, who)
    if armor is None or not armor.counters["rating"] or not in_play(table, who) or not table.pool(who, "juggernaut"):
        return None
    if any(share.item == armor.id for share in gear()):
        return None
    if ground is not None:
        ground()
    about = "juggernaut" if table.draft.stack else f"juggernaut:{who}"
    return Ask(of=(who,), about=about, options=(NO, YES), rules=("VER-T29",))


def worn(table: Table, item: Id, rule: Clause, ignored: int = 0) -> Share:
    """Return the dice that a suit of armour or a shield gives, less those that are ignored."""
    thing = table.item(item)
    return Share("gear", max(0, thing.counters["rating"] - ignored), thing.name, item, rule, item)


def judged(table: Table, who: Id, result: Thrown, needs: int, *rules: Clause) -> Rule[bool]:
    """Say whether a save was passed; a pushed one that failed exhausts (VER-S04, VER-S13)."""
    passed = result.sl >= needs
    cited = ("VER-S04", "VER-T06", *rules)
    yield Judged(roll=result.roll, outcome="passed" if passed else "failed", margin=result.sl - needs, rules=cited)
    if not passed:
        yield from spent(table, who, result)
    return passed


def spent(table: Table, who: Id, result: Thrown) -> Rule[None]:
    """Exhaust whoever pushed a save in vain (VER-S13)."""
    if result.pushed:
        exhausted = table[who].conditions.get("exhausted", {}).get("", 0)
        yield condition_set(table, who, "exhausted", exhausted + 1, "VER-S13")


def passes(
    table: Table,
    who: Id,
    kind: str,
    needs: int,
    *rules: Clause,
    purpose: str = "",
    ground: Callable[[], None] | None = None,
) -> Rule[bool]:
    """Roll a save that must reach so many SL, and say whether it does."""
    result = yield from save(table, who, kind, *rules, purpose=purpose, needs=needs, ground=ground)
    return (yield from judged(table, who, result, needs, *rules))


def armored(table: Table, who: Id) -> tuple[Share, ...]:
    """Return the dice of worn armour alone, for harm that is no blow."""
    armor = armor_of(table, who)
    return (worn(table, armor.id, "VER-T12"),) if armor is not None else ()


def ailing(table: Table, who: Id, condition: str) -> Callable[[], None]:
    """Return what refuses a save against a condition that is gone by now (table 5.4)."""

    def check() -> None:
        if not table[who].has(condition):
            raise no("VER-S30", f"{who} is {condition} no more", who)

    return check

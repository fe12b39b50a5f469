"""Damage and Death's Door (VER-089 to VER-097)."""

from __future__ import annotations

from collections.abc import Sequence

from affray.engine.core.changes import condition_set, pool_moved, pool_set
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.kit.relations import bond
from affray.events import Clause, Damaged, Id, Judged, Modifier

from .fall import dissolved, lets_go, no_longer_ready, rid_of, slain
from .injuries import injured
from .push import Thrown
from .refusing import no
from .saves import save, spent
from .sheet import in_play, is_pc, stat


def dealt(table: Table, who: Id, terms: Sequence[Modifier], guard: Thrown | None, *rules: Clause) -> Rule[int]:
    """Reckon damage up: what adds to it, and what a Withstand save takes away; a save in vain may exhaust (VER-030)."""
    if guard is not None and guard.sl:
        terms = (*terms, Modifier(value=-guard.sl, label="withstand", source=f"{who}.withstand", rule="VER-030"))
    elif guard is not None and guard.pushed:
        yield from spent(table, who, guard)
    amount = max(0, sum([term.value for term in terms]))
    yield Damaged(who=who, terms=tuple(terms), amount=amount, rules=rules)
    return amount


def hurt(table: Table, who: Id, amount: int, *rules: Clause, critical: bool = False) -> Rule[None]:
    """Take damage that nothing lowers any more from hit points, and let follow what follows (VER-089).

    Args:
        table: The fight.
        who: Whom it hits.
        amount: How much; nothing may be left of a blow.
        rules: The clauses that did it.
        critical: Whether an enemy's critical hit calls for an injury besides (VER-080).
    """
    if table[who].has("deaths_door"):
        if amount:
            yield from hold_on(table, who, "VER-T41")
        return
    if amount:
        yield pool_moved(table, who, "hp", -amount, *rules, "VER-089")
    if not amount or table.pool(who, "hp"):
        if critical:
            yield from injured(table, who, "VER-080")
    elif is_pc(table, who):
        yield from _down(table, who, critical)
    else:
        yield from slain(table, who, "slain", "VER-090")


def _down(table: Table, who: Id, critical: bool) -> Rule[None]:
    """Spend a wound and be injured, by a critical hit as well; without wounds it is Death's Door (VER-091 ff.).

    The wound is spent and the hit points are back before either injury is rolled, the critical hit's first.
    """
    if not table.pool(who, "wounds"):
        yield from at_deaths_door(table, who, *(("VER-T43",) if critical else ()))
        return
    yield pool_moved(table, who, "wounds", -1, "VER-091", "VER-T17", *(("VER-T71",) if critical else ()))
    no_cure = ("VER-T45",) if table[who].has("poisoned") else ()
    yield pool_set(table, who, "hp", stat(table, who, "hp"), "VER-092", *no_cure)
    if critical:
        yield from injured(table, who, "VER-080")
    if in_play(table, who) and not table[who].has("deaths_door"):
        yield from injured(table, who, "VER-093")


def at_deaths_door(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Come to Death's Door: out of every grapple, no participant of any melee (VER-094, VER-095)."""
    if table[who].has("deaths_door"):
        return
    yield condition_set(table, who, "deaths_door", 1, "VER-094", "VER-095", "VER-T33", *rules)
    yield from lets_go(table, who, "VER-094")
    yield from no_longer_ready(table, who)
    melee = bond(table, "melee", who)
    if melee is not None:
        yield from dissolved(table, melee.id)


def hold_on(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Save at Death's Door, without armour or stress: hold on, or die (VER-096, VER-097)."""
    stable = table[who].has("stable")

    def still_there() -> None:
        if not table[who].has("deaths_door") or (table[who].has("stable") and not stable):
            raise no("VER-097", f"{who} has no save to make any more", who)

    result = yield from save(
        table, who, "withstand", "VER-096", *rules, purpose=f"deaths_door:{who}", needs=1, ground=still_there
    )
    holds = result.sl >= 1
    outcome = "holds on" if holds else "dies"
    yield Judged(roll=result.roll, outcome=outcome, margin=result.sl - 1, rules=("VER-097",))
    if holds:
        return
    yield from spent(table, who, result)
    yield from slain(table, who, "dead", "VER-097")


def back_from_deaths_door(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Leave Death's Door, once healing has brought hit points or wounds (VER-097)."""
    for condition in ("deaths_door", "stable"):
        yield from rid_of(table, who, condition, *rules)


def heal(table: Table, who: Id, hp: int, *rules: Clause) -> Rule[None]:
    """Heal hit points, up to the most there are; who is poisoned at 0 hit points cannot be healed (table 5.4)."""
    now, most = table.pool(who, "hp"), stat(table, who, "hp")
    after = min(most, now + hp)
    if not in_play(table, who) or after == now or (not now and table[who].has("poisoned")):
        return
    yield pool_set(table, who, "hp", after, *rules)
    yield from back_from_deaths_door(table, who, "VER-097")

"""Sides: who is whose enemy, and when a fight of sides ends."""

from collections.abc import Callable, Sequence
from typing import Annotated

from affray.engine.core.domains import Among, Target
from affray.engine.core.effects import Rule
from affray.engine.core.state import Combatant
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Clause, Dropped, FightEnded, Id, WindowClosed, Withdrawn


def enemies(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two are on different sides and not allied by ruling."""
    people = table.draft.combatants
    try:
        if people[one].side == people[other].side:
            return False
    except KeyError:
        table[one], table[other]
        raise
    return not table.draft.relations or (one, other) not in table.derived(allied)


def enemies_of(table: Table, who: Id) -> list[Id]:
    """Return everybody who is on another side than somebody and not allied, in joining order."""
    return [one for one in table.draft.combatants if enemies(table, who, one)]


Enemy = Annotated[Target, Among(enemies_of)]
"""An enemy, at whom an action is aimed."""


def allied(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair that the game master allied."""
    return frozenset(
        (one.who, other.who)
        for relation in table.draft.relations.values()
        if relation.kind == "allies"
        for one in relation.members
        for other in relation.members
    )


def sides_with(table: Table, fit: Callable[[Combatant], bool]) -> tuple[str, ...]:
    """Return the sides that have somebody who can still fight, in joining order."""
    return tuple(dict.fromkeys(one.side for one in table.draft.combatants.values() if fit(one)))


def end_for_last_side(table: Table, sides: Sequence[str], end: Callable[[Table, str, str], Rule[None]]) -> Rule[bool]:
    """End a fight in which no more than one side is left, which has won then; tell whether that is so.

    Args:
        sides: Those that can still fight.
        end: How the system ends a fight: of whom, and why.
    """
    if len(sides) > 1:
        return False
    yield from end(table, "".join(sides), "at most one side can still fight")
    return True


def known_side(table: Table, side: str, field: str) -> None:
    """Refuse a side that nobody is on.

    Raises:
        Unusable: there is none of that name; says which there are.
    """
    sides = {one.side for one in table.draft.combatants.values()}
    if side and side not in sides:
        raise Unusable(f"there are the sides {', '.join(sorted(sides))}", field)


def no_longer_asked(table: Table, *rules: Clause) -> Rule[None]:
    """Withdraw pending questions and awaited dice, so that the fight can end."""
    while waiting := table.draft.waits_for:
        yield Withdrawn(what=waiting, rules=rules)


def ended(table: Table, victors: str, why: str, *rules: Clause, won_by: tuple[Clause, ...] = ()) -> Rule[None]:
    """Close the window, drop pending actions, and end the fight; the victors may have clauses of their own."""
    draft = table.draft
    yield from no_longer_asked(table, *rules)
    if draft.window is not None:
        yield WindowClosed(window=draft.window.id, how="ruled", expired=draft.window.to, rules=rules)
    for pending in reversed(tuple(draft.stack)):
        yield Dropped(item=pending.id, why="fight over", rules=rules)
    yield FightEnded(victors=victors, why=why, rules=(*rules, *won_by))

"""What every action of a turn has in common: when it may be played, and what playing it costs (HEX-009)."""

from __future__ import annotations

from affray.engine.core.changes import marked, pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.events import Clause, Id, MarkSet

from .hexes import apart
from .sheet import just_drawn, must_be_able, refusal, stat

MANNERS = {
    "standard": "declare",
    "free": "free",
    "ruled": "intervene",
}
"""The ways to play an action, and what each means to the flow."""

WAIVABLE: tuple[Clause, ...] = (
    "HEX-016",
    "HEX-024",
    "HEX-027",
    "HEX-049",
    "HEX-055",
    "HEX-058",
    "HEX-064",
    "HEX-065",
    "HEX-067",
)
"""What the game master can waive once for somebody: refusals, and the wear of a weapon on armour."""


def not_on_the_list(kind: str) -> Refused:
    """Return the refusal for what is no action at all (HEX-015)."""
    return refusal("HEX-015", f"{kind} is not on the list of actions; say it as a maneuver", kind)


def playable(table: Table, actor: Id, manner: str) -> None:
    """Refuse somebody who is not able (HEX-G03), or who has no action left (HEX-009)."""
    must_be_able(table, actor)
    if manner == "standard" and table.pool(actor, "actions") < 1:
        raise refusal("HEX-009", f"{actor} has no action left this turn", f"{actor}.actions")


def at(table: Table, phase: str) -> bool:
    """Tell whether the pending action has come to a phase, and not gone on from it."""
    pending = table.pending()
    return pending is not None and table.draft.phases.get(pending.id) == phase


def paid(table: Table, actor: Id, manner: str, *rules: Clause) -> Rule[None]:
    """Take the action (HEX-009)."""
    if manner == "standard":
        yield pool_moved(table, actor, "actions", -1, "HEX-009", *rules)
        yield from acts(table, actor)


def acts(table: Table, actor: Id) -> Rule[None]:
    """Note that something was done in this turn: opening a pack would not be the first thing any more (HEX-064)."""
    if not has_acted(table, actor):
        yield marked(actor, "acted", table.draft.round, "HEX-064", until="the next turn")


def has_acted(table: Table, actor: Id) -> bool:
    """Tell whether it is noted that something was done in this turn."""
    return table.mark(actor, "acted") == table.draft.round


def waived(table: Table, actor: Id, rule: Clause) -> bool:
    """Tell whether the game master waived a refusal for somebody."""
    marks = table.draft.marks.get(actor)
    return marks is not None and f"allowed/{rule}" in marks


def not_just_drawn(table: Table, actor: Id, item: Item) -> None:
    """Refuse what was taken out of the pack in this very turn (HEX-065)."""
    if just_drawn(table, item.id) and not waived(table, actor, "HEX-065"):
        raise refusal("HEX-065", f"the {item.name} was taken out just now, and serves next turn", item.id)


def used(table: Table, actor: Id, *rules: Clause) -> Rule[None]:
    """Use up what was waived: once each, however often it was."""
    for rule in rules if actor in table.draft.marks else ():
        times = table.mark(actor, f"allowed/{rule}")
        if times is not None:
            left = int(times) - 1
            yield marked(actor, f"allowed/{rule}", left or None, rule, until="it is used" if left else "")


def allowed(table: Table, actor: Id, rule: Clause) -> MarkSet:
    """Waive a refusal for somebody once more."""
    times = int(table.mark(actor, f"allowed/{rule}") or 0) + 1
    return marked(actor, f"allowed/{rule}", times, rule, until="it is used")


def another(table: Table, actor: Id, target: Id) -> None:
    """Refuse a target that is nobody, or the actor."""
    table[target]
    if target == actor:
        raise Unusable(f"name somebody other than {actor}", "target")


def others(table: Table, actor: Id) -> list[Id]:
    """Return everybody else: whom an action might be aimed at."""
    return [who for who in table.draft.combatants if who != actor]


def still_there(table: Table, target: Id, rule: Clause) -> None:
    """Refuse to go on against somebody who has left the fight."""
    if target and target not in table.draft.combatants:
        raise refusal(rule, f"{target} is not in the fight any more", target)


def on_the_map(table: Table, target: Id, rule: Clause) -> None:
    """Refuse a target that is no longer on the map."""
    one = table.draft.combatants.get(target)
    if one is None or not one.place or "slain" in one.conditions:
        raise refusal(rule, f"{target} is not on the map", target)


def within_reach(table: Table, actor: Id, target: Id, rule: Clause) -> bool:
    """Tell whether a target is in a neighbouring hex, or within the reach that a ruling gave (HEX-016)."""
    far = apart(table[actor].place, table[target].place)
    return (far is not None and 1 <= far <= max(1, stat(table, actor, "reach"))) or waived(table, actor, rule)


def adjacent(table: Table, actor: Id, target: Id, rule: Clause) -> None:
    """Refuse a target that is not on the map, or not within reach (HEX-016)."""
    on_the_map(table, target, rule)
    if not within_reach(table, actor, target, rule):
        far = apart(table[actor].place, table[target].place)
        hexes = "off the map" if far is None else f"{far} hexes away"
        raise refusal(rule, f"{target} is {hexes}, not adjacent to {actor}", target)

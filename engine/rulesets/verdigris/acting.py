"""How every action of a turn begins: what was readied for it, and what holds the actor back (VER-072, VER-S20)."""

from __future__ import annotations

from affray.engine.core.actions import Action
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Id

from .effects import hampered
from .opportunity import answered, ready


def begins(table: Table, action: Action, actor: Id, *, free: bool = False) -> Rule[bool]:
    """Let readied attacks come first, then see whether something ensnaring spoils the action.

    Args:
        table: The fight.
        action: What is under way; it is looked at again if something came in between.
        actor: Whose it is.
        free: Whether it is an attempt to get free, which nothing spoils.
    """
    if not table.derived(ready) and not table[actor].has("ensnared"):
        return True
    if (yield from answered(table, actor, "acts")):
        action.check(table, actor, "pending")
    return free or not (yield from hampered(table, actor))

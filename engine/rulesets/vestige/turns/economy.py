"""What every action of a turn has in common: when it may be played, and what playing it costs."""

from __future__ import annotations

from affray.engine.core.changes import condition_set, marked, pool_moved
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused
from affray.engine.kit.turn_order import has_had_turn
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.sheet import must_be_active
from affray.events import Clause, Id

MANNERS = {
    "standard": "declare",
    "readied": "announce",
    "provoked": "provoke",
    "first": "open",
    "ruled": "intervene",
}
"""The ways to play an action, and what each means to the flow."""


def not_on_the_list(kind: str) -> Refused:
    """Return the refusal for what is no action at all (VES-011)."""
    message = f"{kind} is not on the list of actions; the game master may allow it, to be played with improvise"
    return Refused("not_a_standard_action", "VES-011", message, source=kind)


def in_turn(table: Table, actor: Id) -> None:
    """Refuse whoever does not have the turn (VES-008), or set it aside (VES-053)."""
    if actor in table.draft.acting:
        return
    table[actor]
    not_delayed(table, actor)
    if table.mark(actor, "done") == table.draft.round and had_its_turn(table, actor):
        raise Refused("not_your_turn", "VES-010", f"the turn of {actor} ended with its choice to ready or not", actor)
    raise Refused("not_your_turn", "VES-008", f"it is not the turn of {actor}", source=actor)


def before_initiative(table: Table) -> bool:
    """Tell whether the first blow or the free round is under way, which nobody can answer (VES-002, VES-G02)."""
    return table.draft.phases[""] in ("first_strike", "surprise")


def not_delayed(table: Table, actor: Id) -> None:
    """Refuse whoever has set the turn aside; the game master never does (VES-053)."""
    combatant = table.draft.combatants.get(actor)
    if combatant is not None and combatant.has("delayed"):
        raise Refused("delayed_cannot_interrupt", "VES-053", f"{actor} has delayed and must re-insert first", actor)


def had_its_turn(table: Table, who: Id) -> bool:
    """Tell whether somebody's slot has come up in this round."""
    return any(has_had_turn(table, slot) for slot in table.draft.slots if who in slot.members)


def undone(table: Table) -> bool:
    """Tell whether the pending action on top has yet to take effect; after that only what comes of it is open."""
    return table.draft.phase in ("resolution", "melee_exit")


def playable(table: Table, actor: Id, manner: str, kind: str) -> None:
    """Refuse an action by the state of its actor, its budget, or the token it needs (VES-009, VES-042)."""
    must_be_active(table, actor)
    if manner == "standard":
        if table.pool(actor, "actions") < 1:
            raise Refused("no_standard_action", "VES-009", f"{actor} has no standard action left", f"{actor}.actions")
    elif manner == "readied" and kind not in table.config.readied_kinds:
        raise Refused("not_a_standard_action", "VES-T26", f"{kind} cannot be readied", "config.readied_kinds")


def enough_ep(table: Table, who: Id, ep: int, rule: Clause) -> None:
    """Refuse what costs more ep than there is."""
    if table.pool(who, "ep") < ep:
        raise Refused("not_enough_ep", rule, f"{who} has {table.pool(who, 'ep')} ep, not {ep}", source=f"{who}.ep")


def paid(table: Table, actor: Id, manner: str, kind: str, ep: int = 0, *rules: Clause) -> Rule[None]:
    """Take the action or the token, and the ep (VES-009, VES-043); at the brink as at any other time (VES-057)."""
    anyway = ("VES-057",) if table[actor].has("brink") else ()
    if manner == "standard":
        yield pool_moved(table, actor, "actions", -1, "VES-009", *anyway)
        if table.mark(actor, "acted") != table.draft.round:
            yield marked(actor, "acted", table.draft.round, "VES-052", until="the next round")
    elif manner == "readied":
        source, held = next(iter(table[actor].conditions["readied"].items()))
        cited = ("VES-043", *_answering(table, actor, kind), *anyway)
        yield condition_set(table, actor, "readied", held - 1, *cited, source=source)
        rules = (*rules, "VES-043")
    if ep:
        yield pool_moved(table, actor, "ep", -ep, *rules)


def _answering(table: Table, actor: Id, kind: str) -> tuple[Clause, ...]:
    """Return what lets a readied action answer what is pending (VES-044, VES-045), also somebody's own (VES-T44)."""
    if not table.draft.stack:
        return ()
    own = any(pending.actor == actor for pending in table.draft.stack)
    good_for = {"shift": ("VES-044",), "attack": ("VES-045",)}.get(kind, ())
    return (*good_for, "VES-T44") if own else good_for

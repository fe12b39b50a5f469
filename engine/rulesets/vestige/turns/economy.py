"""The action economy: when a combatant may act, and what an action costs."""

from affray.engine.core.changes import change_pool, set_condition
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused
from affray.engine.kit.turn_order import has_slot_had_turn
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.marks import ACTED, CUT_SHORT, DONE
from affray.engine.rulesets.vestige.sheet import must_be_active
from affray.events import Clause, Id

MANNERS = {"standard": "declare", "readied": "announce", "provoked": "provoke", "first": "open", "ruled": "intervene"}
"""The manners of an action, and the flow trigger of each."""

FIZZLES: tuple[Clause, ...] = ("VES-T28",)
"""The clause about an action that cannot happen any longer."""


def refuse_unknown_action(kind: str) -> Refused:
    """Return the refusal of an unknown action (VES-011)."""
    message = f"{kind} is not on the list of actions; the game master may allow it, to be played with improvise"
    return Refused("not_a_standard_action", "VES-011", message, source=kind)


def must_have_turn(table: Table, actor: Id) -> None:
    """Refuse an actor that does not have the turn, or has delayed it.

    By VES-008, VES-053, and VES-010 once the turn has ended.
    """
    if actor in table.draft.acting:
        return
    table[actor]
    if CUT_SHORT.of(table, actor) == table.draft.round:
        must_be_active(table, actor)
    must_not_have_delayed(table, actor)
    if DONE.of(table, actor) == table.draft.round and has_slot_had_turn(table, actor):
        raise Refused(
            "not_your_turn",
            "VES-010",
            f"the turn of {table.name_of(actor)} ended with its choice to ready or not",
            actor,
        )
    raise Refused("not_your_turn", "VES-008", f"it is not the turn of {table.name_of(actor)}", source=actor)


def is_before_initiative(table: Table) -> bool:
    """Return whether the unanswerable opening blow or free round is under way.

    See VES-002 and VES-G02.
    """
    return table.draft.phases[""] in ("first_strike", "surprise")


def must_not_have_delayed(table: Table, actor: Id) -> None:
    """Refuse an actor that has delayed its turn (VES-053).

    The game master cannot delay.
    """
    combatant = table.draft.combatants.get(actor)
    if combatant is not None and combatant.has("delayed"):
        raise table.refuse(actor, "has delayed and must re-insert first", "VES-053", "delayed_cannot_interrupt")


def is_yet_to_happen(table: Table) -> bool:
    """Return whether the top action has yet to take effect and may still fizzle (VES-T28).

    After that, only its consequences are open.
    """
    return table.draft.phase in ("resolution", "melee_exit")


def must_afford(table: Table, actor: Id, manner: str, kind: str) -> None:
    """Refuse an inactive actor, an empty budget, or a kind that a token cannot pay (VES-009)."""
    must_be_active(table, actor)
    if manner == "standard":
        if table.pool(actor, "actions") < 1:
            raise table.refuse(
                actor, "has no standard action left", "VES-009", "no_standard_action", f"{actor}.actions"
            )
    elif manner == "readied" and kind not in table.config.readied_kinds:
        raise Refused("not_a_standard_action", "VES-T26", f"{kind} cannot be readied", "config.readied_kinds")


def must_have_ep(table: Table, who: Id, ep: int, rule: Clause) -> None:
    """Refuse a cost that exceeds the combatant's ep."""
    if table.pool(who, "ep") < ep:
        raise table.refuse(who, f"has {table.pool(who, 'ep')} energy, not {ep}", rule, "not_enough_ep", f"{who}.ep")


def spend(table: Table, actor: Id, manner: str, kind: str, ep: int = 0, *rules: Clause) -> Rule[None]:
    """Take the action or token, and the ep, also at the brink (VES-043, VES-057)."""
    anyway = ("VES-057",) if table[actor].has("brink") else ()
    if manner == "standard":
        yield change_pool(table, actor, "actions", -1, "VES-009", *anyway)
        if ACTED.of(table, actor) != table.draft.round:
            yield ACTED.set_on(actor, table.draft.round, "VES-052")
    elif manner == "readied":
        source, held = next(iter(table[actor].conditions["readied"].items()))
        cited = ("VES-043", *_cite_answer(table, actor, kind), *anyway)
        yield set_condition(table, actor, "readied", held - 1, *cited, source=source)
        rules = (*rules, "VES-043")
    if ep:
        yield change_pool(table, actor, "ep", -ep, *rules)


def _cite_answer(table: Table, actor: Id, kind: str) -> tuple[Clause, ...]:
    """Return the clauses that let a readied action answer this action (VES-044, VES-045, VES-T44).

    A combatant may answer its own action too.
    """
    if not table.draft.stack:
        return ()
    own = any(pending.actor == actor for pending in table.draft.stack)
    good_for = {"shift": ("VES-044",), "attack": ("VES-045",)}.get(kind, ())
    return (*good_for, "VES-T44") if own else good_for

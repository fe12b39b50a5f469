"""Turns: who acts, what an action costs, and its aftermath (WYR-001, WYR-005 to WYR-012, WYR-G05)."""

from collections.abc import Callable, Iterator, Sequence

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import change_pool
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Combatant
from affray.engine.errors import Refused
from affray.engine.kit.fight_end import FightEnd, record_fight_end, reopen_fight, settle_end
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import Waiting, ask_prompt, list_prompts
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.marks import REVIVED
from affray.engine.rulesets.wyrd.movement.melee import leave_melee
from affray.engine.rulesets.wyrd.sheet import (
    is_active,
    is_contested,
    list_able,
    list_pc_sides,
    must_be_active,
    must_be_ally,
)
from affray.events import Clause, FightReopened, Id, MemberDone, TurnEnded

MANNERS = {"standard": "declare", "ruled": "intervene"}
"""The manners of an action, and the flow trigger of each."""

ORDERLY = frozenset({"delay", "initiative", "reinsert", "roll_initiative"})
"""Actions that other games have for initiative."""

UNDECIDED = frozenset({"defence", "harm", "improvise", "leave", "materials", "revive", "roller", "stunt", "test"})
"""The questions and dice before which an action has had no effect yet."""


def refuse_unknown_action(kind: str) -> Refused:
    """Return the refusal of an unknown action: no initiative, or to be improvised (WYR-001)."""
    if kind in ORDERLY:
        return Refused("no_initiative", "WYR-001", "nobody has or rolls initiative here; sides take turns", source=kind)
    message = f"{kind} is not on the list of actions; say it with improvise, and the game master rules on it"
    return Refused("needs_ruling", "WYR-012", message, source=kind)


def must_have_turn(table: Table, actor: Id) -> None:
    """Refuse an actor without a turn: another side's, done already, or just revived."""
    draft = table.draft
    if actor in draft.acting:
        return
    if table[actor].side != draft.up:
        raise Refused(
            "not_your_turn", "WYR-002", f"it is the turn of {draft.up}, not of {table.name_of(actor)}", source=actor
        )
    must_be_active(table, actor)
    if is_waiting(table, actor):
        raise table.refuse(actor, "came round and waits for its next turn", REVIVED.of(table, actor), "not_your_turn")
    raise table.refuse(actor, "has no turn any more, or not yet", "WYR-T50", "not_your_turn")


def is_waiting(table: Table, who: Id) -> bool:
    """Return whether a combatant came round and has had no turn since."""
    return REVIVED.is_on(table, who) and who not in table.draft.acting


def must_afford(table: Table, who: Id, rule: Clause = "WYR-007") -> None:
    """Refuse a combatant without an action left (WYR-007)."""
    if table.pool(who, "actions") < 1:
        raise Refused("no_action", rule, f"{table.name_of(who)} has no action left", source=f"{who}.actions")


def must_be_able(table: Table, actor: Id, manner: str) -> None:
    """Refuse a combatant that is down, or has no action left."""
    must_be_active(table, actor)
    if manner == "standard":
        must_afford(table, actor)


def spend(table: Table, actor: Id, *rules: Clause) -> Rule[None]:
    """Take the action."""
    yield change_pool(table, actor, "actions", -1, "WYR-007", *rules)


class PaidAction(Action, frozen=True, kw_only=True):
    """An action that costs the action of the turn, by the clauses declared with it."""

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action."""
        yield from spend(table, actor, *self.pays)


def must_be_able_to_help(table: Table, who: Id, helper: Id) -> None:
    """Refuse a helper that is down, no companion, or without an action left (WYR-T47)."""
    must_be_active(table, helper)
    must_be_ally(table, who, helper, "WYR-T12")
    if is_waiting(table, helper):
        raise table.refuse(helper, "came round and waits for its next turn", REVIVED.of(table, helper), "no_action")
    must_afford(table, helper, "WYR-T47")


def list_helpers(table: Table, who: Id) -> tuple[Id, ...]:
    """Return every combatant that could help with a test."""
    return tuple([id for id, one in table.draft.combatants.items() if can_help(table, who, one)])


def can_help(table: Table, who: Id, one: Combatant) -> bool:
    """Return whether a combatant has an action to help with."""
    if not one.pools.get("actions") or one.id == who or not is_active(table, one.id):
        return False
    return not are_enemies(table, who, one.id) and not is_waiting(table, one.id)


def is_undecided(table: Table) -> bool:
    """Return whether the pending action can still fizzle.

    A blow that has landed hurts in any case.
    """
    draft = table.draft
    waits_for = draft.question.about if draft.question else draft.awaited.purpose if draft.awaited else ""
    return waits_for.partition(":")[0] in UNDECIDED


@declared_as("end_turn", "end the turn", own_trigger="end_turn", stacks=False)
class EndTurn(Action, frozen=True, kw_only=True):
    """End the actor's turn; the side's turn ends with its last member's."""

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """End the turn."""
        yield MemberDone(who=actor, rules=("WYR-T36",))


def list_movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield each combatant that may declare an action now, and its manner."""
    draft = table.draft
    if draft.phase == "setup":
        yield "gm", "standard"
    elif draft.phase == "turn":
        for who in draft.acting:
            yield who, "standard"
    elif draft.phase == "fight_over":
        for who, one in draft.combatants.items():
            if not one.has("dead"):
                yield who, "standard"


OPEN = ("turn", "prompt")
"""The fight's own phases in which the fight may end."""


def aftermath(table: Table, ask_morale: Callable[[Table, Waiting], Rule[None]]) -> Rule[str]:
    """End the fight or the side's turn if it is over, and ask waiting prompts (WYR-T36, WYR-T42)."""
    draft = table.draft
    while draft.phases[""] in OPEN:
        if not draft.ended:
            yield from end_if_over(table)
        left = list_prompts(table) if not draft.stack else []
        if not left:
            break
        waiting = left[0]
        if draft.ended and waiting.kind == "morale":
            yield waiting.clear()
            continue
        if draft.phases[""] == "turn":
            yield Go("prompt", rules=("WYR-041", "WYR-T42"))
        yield from (ask_morale if waiting.kind == "morale" else ask_prompt)(table, waiting)
    if draft.phases[""] not in OPEN:
        return "resume"
    if draft.ended:
        return "resume" if draft.stack else "over"
    if not draft.stack and not [who for who in draft.acting if is_active(table, who)]:
        yield TurnEnded(slot=draft.up, rules=("WYR-T36",))
        return "spent"
    return "resume"


def leave_turn_and_melee(table: Table, who: Id) -> Rule[None]:
    """End a combatant's turn and its melee."""
    if who in table.draft.acting:
        yield MemberDone(who=who)
    yield from leave_melee(table, who)


def end_fight(table: Table, victors: Sequence[str], reason: str) -> Rule[None]:
    """Drop pending actions and name the victors."""
    yield from record_fight_end(table, victors, reason, "WYR-G05")


def _end_with_pcs_first(table: Table, victors: Sequence[str], reason: str) -> Rule[None]:
    """End the fight; of allied victors, sides of player characters are named first."""
    ours = table.derive(list_pc_sides)
    yield from end_fight(table, sorted(victors, key=lambda side: side not in ours), reason)


FIGHT_END = FightEnd(
    able=list_able,
    is_contested=is_contested,
    end=_end_with_pcs_first,
    rules=("WYR-G05", "WYR-T64"),
    together="no_enemies",
)
"""The rule by which a fight ends."""


def end_if_over(table: Table) -> Rule[bool]:
    """End the fight once no known active enemies are left; return whether it is over (WYR-G05)."""
    return settle_end(table, FIGHT_END)


def reopen(table: Table) -> Rule[str]:
    """Reopen a fight in a new round, or in setup without a turn order (WYR-T64).

    Prompts of the last blow are asked first; until then, the turn of that blow goes on.
    """
    if table.draft.phases[""] == "prompt":
        yield FightReopened(rules=("WYR-T64",))
        return ""
    yield from reopen_fight(table, "WYR-T64")
    if table.draft.acting:
        yield TurnEnded(slot=table.draft.up, rules=("WYR-T36",))
    return "reopen" if table.draft.slots else "begin_anew"

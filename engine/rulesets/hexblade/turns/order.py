"""The turn order: the next turn, the action economy, and the end of the fight."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from affray.engine.core.actions import Action
from affray.engine.core.candidates import Among, Target
from affray.engine.core.changes import change_pool
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.fight_end import FightEnd, record_fight_end, settle_end
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.kit.turn_order import (
    find_called_up_slot,
    has_slot_had_turn,
    list_called_up,
    list_slots_to_come,
    must_be_acting,
)
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.marks import ACTED, ALLOWED, BEATEN, INITIATIVE
from affray.engine.rulesets.hexblade.sheet import (
    is_able,
    is_active,
    is_contested,
    list_able,
    list_able_pcs,
    must_be_active,
    refusal,
)
from affray.events import Clause, Id, OrderSet, Slot

OPEN = ("initiative", "order_ready", "turn")
"""The fight's own phases in which the fight may end."""


def list_yet_to_roll(table: Table) -> tuple[Id, ...]:
    """Return the player characters that still have to roll initiative, in seat order (HEX-003)."""
    return tuple([who for who in table.derive(list_able_pcs) if not INITIATIVE.is_on(table, who)])


def next_slot(table: Table) -> Slot | None:
    """Return the next slot with an able member that has not acted (HEX-001, HEX-T49).

    Other slots are passed over. Combatants that the game master gave the next turn go first.
    """
    for who in list_called_up(table):
        if is_able(table, who):
            return find_called_up_slot(table, who)
    for slot in list_slots_to_come(table):
        for who in slot.members:
            if is_able(table, who):
                return slot
    return None


def must_be_next(table: Table, actor: Id) -> None:
    """Refuse every actor except the next able one in the order."""
    table[actor]
    slot = next_slot(table)
    if slot is None or actor not in slot.members:
        acted = has_slot_had_turn(table, actor)
        rule, reason = ("HEX-001", "has acted already") if acted else ("HEX-003", "is not next in the order")
        next_one = f"; {table.name_of(slot.id)} is next" if slot else ""
        raise table.refuse(actor, f"{reason}{next_one}", rule)


def set_order(table: Table) -> Rule[None]:
    """Set the order of the round, highest first, and note beaten numbers (HEX-006, HEX-T35).

    A total beats only a lower number. In a tie, a fixed number goes before a total, or the other way round by
    configuration. Then the better dexterity goes first among player characters, then the seat.
    Clauses are cited for known combatants only: the open part of the order cites them, too.
    """
    combatants = [who for who in table.draft.combatants if is_active(table, who)]
    scores = {who: find_initiative(table, who) for who in combatants}
    order = sorted(combatants, key=lambda who: rank_turn(table, who, scores[who]))
    slots = tuple(Slot(id=who, members=(who,), score=scores[who]) for who in order)
    allies: tuple[Clause, ...] = ("HEX-T26",) if _has_allied_others(table, table.list_known(combatants)) else ()
    yield OrderSet(slots=slots, rules=("HEX-006", "HEX-003", *cite_ties(table, slots), *allies))
    yield from note_beaten(table)


def note_beaten(table: Table) -> Rule[None]:
    """Update the marks of the combatants that each player character has beaten.

    They also cover combatants that join, leave or are revealed in the middle of the round.
    """
    order_only: tuple[Clause, ...] = ("HEX-T35",) if table.config.initiative_tie == "pc_first" else ()
    scores = {who: slot.score for slot in table.draft.slots for who in slot.members}
    others = [one for one in table.draft.combatants if one in scores and not is_pc(table, one)]
    for who in table.draft.combatants:
        if who in scores and is_pc(table, who):
            beaten = tuple([one for one in table.list_known(others) if scores[who] > scores[one]])
            if not BEATEN.is_on(table, who) or BEATEN.of(table, who) != beaten:
                yield BEATEN.note_list(who, beaten, "HEX-006", *order_only)


def cite_ties(table: Table, slots: Sequence[Slot]) -> tuple[Clause, ...]:
    """Return the clause about ties if two known combatants have the same number."""
    scores = [slot.score for slot in slots if table.list_known(slot.members)]
    return ("HEX-007",) if len(set(scores)) < len(scores) else ()


def _has_allied_others(table: Table, combatants: Sequence[Id]) -> bool:
    """Return whether a combatant with a fixed number is on a player character's side (HEX-T26)."""
    sides = {table[who].side for who in combatants if is_pc(table, who)}
    return any(not is_pc(table, who) and table[who].side in sides for who in combatants)


def rank_turn(table: Table, who: Id, score: int) -> tuple[int, bool, int]:
    """Return the sort key of the turn order, the least first; ties go by seat (HEX-007)."""
    pc = is_pc(table, who)
    pcs_last = table.config.initiative_tie == "npc_first"
    return -score, pc == pcs_last, -stat(table, who, "dex") if pc else 0


def find_initiative(table: Table, who: Id) -> int:
    """Return the number for this round: rolled, given to a newcomer, or fixed (HEX-005)."""
    if INITIATIVE.is_on(table, who):
        return INITIATIVE.of(table, who)
    return stat(table, who, "initiative")


def list_movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield each combatant that may declare an action now, and its manner."""
    draft = table.draft
    phase = draft.phase
    if phase == "setup":
        yield "gm", "standard"
    elif phase == "initiative":
        for who in list_yet_to_roll(table):
            yield who, "standard"
    elif phase == "order_ready":
        slot = next_slot(table)
        for who in slot.members if slot else ():
            yield who, "standard"
    elif phase == "turn":
        for who in draft.acting:
            yield who, "standard"
    elif phase == "fight_over":
        for who in draft.combatants:
            yield who, "standard"


def aftermath(table: Table) -> Rule[str]:
    """End the fight, the round or the turn if it is over; otherwise go on (HEX-T28)."""
    draft = table.draft
    phase = draft.phases[""]
    if phase in OPEN and not table.derive(is_contested) and (yield from end_if_over(table)):
        return "over"
    if draft.stack:
        return "resume"
    if phase == "initiative" and not list_yet_to_roll(table):
        yield from set_order(table)
        return "all_rolled" if next_slot(table) else "all_acted"
    if phase == "order_ready" and next_slot(table) is None:
        return "all_acted"
    if phase == "turn" and not [who for who in draft.acting if is_active(table, who)]:
        return "spent"
    return "resume"


def _end_fight(table: Table, victors: Sequence[str], reason: str) -> Rule[None]:
    """Drop pending actions and name the victors."""
    yield from record_fight_end(table, victors, reason, "HEX-001")


FIGHT_END = FightEnd(
    able=list_able,
    is_contested=is_contested,
    end=_end_fight,
    rules=("HEX-001",),
    always=True,
)
"""The rule by which a fight ends: the game master decides."""


def end_if_over(table: Table) -> Rule[bool]:
    """Ask the game master to end a fight without enemies; return whether it is over."""
    return settle_end(table, FIGHT_END)


MANNERS = {"standard": "declare", "free": "free", "ruled": "intervene"}
"""The manners of an action, and the flow trigger of each."""

WAIVABLE: tuple[Clause, ...] = (
    "HEX-016", "HEX-024", "HEX-027", "HEX-043", "HEX-049", "HEX-055", "HEX-058", "HEX-064", "HEX-065", "HEX-067",
)  # fmt: skip
"""The clauses that the game master can waive once: refusals, and the wear of a weapon on armour."""


def refuse_unknown_action(kind: str) -> Refused:
    """Return the refusal of an unknown action (HEX-015)."""
    return refusal("HEX-015", f"{kind} is not on the list of actions; say it as a maneuver", kind)


def must_have_turn(table: Table, actor: Id) -> None:
    """Refuse an actor that does not have the turn."""
    must_be_acting(table, actor, "HEX-001", "HEX-001")


def may_recover_in_fight(table: Table, actor: Id) -> None:
    """Refuse to look for missiles during the fight, unless the game master permits it."""
    if not is_waived(table, actor, "HEX-043"):
        table[actor]
        raise refusal("HEX-043", "missiles are gathered after the fight", actor)
    must_have_turn(table, actor)


def must_afford(table: Table, actor: Id, manner: str) -> None:
    """Refuse an actor that is not able, or has no action left (HEX-009)."""
    must_be_active(table, actor)
    if manner == "standard" and table.pool(actor, "actions") < 1:
        raise refusal("HEX-009", f"{table.name_of(actor)} has no action left this turn", f"{actor}.actions")


def spend(table: Table, actor: Id, manner: str, *rules: Clause) -> Rule[None]:
    """Take the action."""
    if manner == "standard":
        yield change_pool(table, actor, "actions", -1, "HEX-009", *rules)
        yield from note_acted(table, actor)


class PaidAction(Action, frozen=True, kw_only=True):
    """An action that costs the action of the turn, by the clauses declared with it."""

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action."""
        yield from spend(table, actor, manner, *self.pays)


def note_acted(table: Table, actor: Id) -> Rule[None]:
    """Note that the combatant acted in this turn, so that opening a pack comes too late."""
    if not has_acted(table, actor):
        yield ACTED.set_on(actor, table.draft.round, "HEX-064")


def has_acted(table: Table, actor: Id) -> bool:
    """Return whether it is noted that the combatant acted in this turn."""
    return ACTED.of(table, actor) == table.draft.round


def is_in_phase(table: Table, phase: str) -> bool:
    """Return whether the pending action is in a phase."""
    pending = table.pending()
    return pending is not None and table.draft.phases.get(pending.id) == phase


def is_waived(table: Table, actor: Id, rule: Clause) -> bool:
    """Return whether the game master waived a refusal for a combatant."""
    return ALLOWED.is_on(table, actor, rule)


def use_waivers(table: Table, actor: Id, *rules: Clause) -> Rule[None]:
    """Use up waivers: one of each clause."""
    for rule in rules if actor in table.draft.marks else ():
        if ALLOWED.is_on(table, actor, rule):
            left = ALLOWED.of(table, actor, rule) - 1
            yield ALLOWED.set_on(actor, left, rule, about=rule) if left else ALLOWED.clear_on(actor, rule, about=rule)


def must_be_another(table: Table, actor: Id, target: Id) -> None:
    """Refuse an unknown target, and the actor itself."""
    table[target]
    if target == actor:
        raise Unusable(f"name somebody other than {table.name_of(actor)}", "target")


def list_others(table: Table, actor: Id) -> list[Id]:
    """Return all other combatants, which an action may target."""
    return [who for who in table.draft.combatants if who != actor]


Other = Annotated[Target, Among(list_others)]
"""Another combatant as the target of an action."""


def must_be_in_fight(table: Table, target: Id, rule: Clause) -> None:
    """Refuse to go on against a combatant that has left the fight."""
    if target not in table.draft.combatants:
        raise table.refuse(target, "is not in the fight any more", rule)

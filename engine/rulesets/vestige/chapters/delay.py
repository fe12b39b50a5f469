"""Delaying a turn, and re-inserting it (VES-052 to VES-054)."""

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import end_condition, set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.groups.turns import Offer
from affray.engine.errors import Refused
from affray.engine.kit.turn_order import has_had_turn
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.marks import CUT_SHORT, DONE
from affray.engine.rulesets.vestige.sheet import is_active, must_be_active
from affray.engine.rulesets.vestige.turns.order import (
    begin_late_turn,
    find_first_to_act,
    find_slot,
    find_slot_with,
    is_due,
    let_latecomers_act,
)
from affray.events import Id, MemberDone, OrderSet, Slot, Source, TurnBegan


@declared_as("delay", "set the turn aside until later", own_trigger="delay", stacks=False)
class Delay(Action, frozen=True, kw_only=True):
    """Set the turn aside until later in the order; a group delays as a whole."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse once a member of the slot has acted or ended its turn (VES-052)."""
        must_be_active(table, actor)
        must_have_place(table)
        who = find_first_to_act(table)
        if who:
            raise table.refuse(
                who, "has already acted this turn", "VES-052", "already_acted", Source(of=who, name="acted")
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Set the slot aside."""
        yield from delay_slot(table)


def must_have_place(table: Table) -> None:
    """Refuse to delay a turn apart from its slot: it has no place to return to."""
    up = table.draft.up
    if up not in [slot.id for slot in table.draft.slots]:
        message = f"the turn that {table.name_of(up)} was given apart from its slot cannot be delayed; end it: end_turn"
        raise Refused("has_no_place", "VES-T50", message, source=up)


def delay_slot(table: Table) -> Rule[None]:
    """Delay the active slot until it is re-inserted. Fallen members lose this turn."""
    for who in table.draft.acting:
        if is_active(table, who):
            yield set_condition(table, who, "delayed", 1, "VES-052")
        else:
            yield DONE.set_on(who, table.draft.round, "VES-054")
        yield MemberDone(who=who, rules=("VES-052",))
    for who in find_slot(table, table.draft.up).members:
        if CUT_SHORT.of(table, who) == table.draft.round and not is_active(table, who):
            yield DONE.set_on(who, table.draft.round, "VES-054")


def end_delayed_turns(table: Table) -> Rule[None]:
    """End the turn of acting combatants that a ruling has made delay it."""
    for who in table.draft.acting:
        if table[who].has("delayed"):
            yield MemberDone(who=who, rules=("VES-052",))


def is_delayed(table: Table, who: Id) -> bool:
    """Return whether a combatant has delayed its turn."""
    return table[who].has("delayed")


def list_delayed(table: Table) -> tuple[Id, ...]:
    """Return the active combatants that have delayed, in roster order."""
    return tuple(who for who, one in table.draft.combatants.items() if one.has("delayed") and is_active(table, who))


def offer_reinsertions(table: Table) -> Offer:
    """Ask every combatant that has delayed, when nothing answers the last turn."""
    return Offer(to=table.derive(list_delayed), what="reinsert", rules=("VES-054",))


@declared_as("reinsert", "take the delayed turn now", own_trigger="reinsert", stacks=False)
class Reinsert(Action, frozen=True, kw_only=True):
    """Take a delayed turn now, between turns."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an actor that has not delayed, or that an earlier slot precedes."""
        must_be_active(table, actor)
        if not table[actor].has("delayed"):
            raise table.refuse(actor, "has not delayed", "VES-054", "not_delayed")
        window = table.draft.window
        order = table.draft.slots
        for slot in order[: order.index(find_slot_with(table, actor))]:
            if window is not None and not set(slot.members).isdisjoint(window.to):
                message = f"{slot.id} had the earlier place and may re-insert first"
                raise Refused("earlier_place_first", "VES-054", message, source=slot.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Move the slot directly behind the one that has just ended, and take its turn."""
        yield from reinsert(table, find_slot_with(table, actor), table.draft.up)


def reinsert(table: Table, slot: Slot, behind: Id) -> Rule[None]:
    """Let a delayed slot take its turn and keep that place in later rounds (VES-054).

    The turn starts no second time: its members regain nothing.
    """
    if is_due(table, slot):
        yield from begin_late_turn(table, slot)
    else:
        yield _move_slot(table, slot, behind)
    members = tuple(who for who in slot.members if table[who].has("delayed"))
    for who in members:
        yield from end_condition(table, who, "delayed", "VES-054")
    yield TurnBegan(slot=slot.id, members=members, rules=("VES-054",))
    yield from let_latecomers_act(table)


def _move_slot(table: Table, slot: Slot, behind: Id) -> OrderSet:
    """Place a slot behind another one.

    If that one has left, place it before the first slot still to come.
    """
    order = [one for one in table.draft.slots if one.id != slot.id]
    to_come = (index for index, one in enumerate(order) if not has_had_turn(table, one))
    at = next((index + 1 for index, one in enumerate(order) if one.id == behind), next(to_come, len(order)))
    return OrderSet(slots=(*order[:at], slot, *order[at:]), rules=("VES-054",))

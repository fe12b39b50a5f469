"""Rulings on the next turn."""

from collections.abc import Iterable
from typing import ClassVar

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.loading import load
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.turn_order import FIGHT, NEXT_TURN, find_called_up_slot, list_called_up
from affray.events import Clause, CombatantId, Id


@ruled_as("turn", "give a combatant the next turn: out of order, or once more", "who")
class TurnRuling(Ruling, frozen=True, kw_only=True):
    """Give a combatant the next turn: its own of this round early, or an extra one.

    Class attributes:
        rule: The clause about turns that the game master gives.
    """

    rule: ClassVar[Clause]

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse a fight without turns, and a combatant that cannot act or is up next."""
        name = table.name_of(self.who)
        must_be_fought(table, self.rule)
        if not self.can_act(table):
            message = f"{name} cannot act, so that the turn would be passed over; first make {name} able"
            raise Refused("not_active", self.rule, message, source=self.who)
        if self.who in list_called_up(table):
            message = f"{name} has one of the next turns already; give another one when it has begun"
            raise Refused("no_change", self.rule, message, source=self.who)

    def comes_with(self, table: Table) -> Id:
        """Return the slot that takes the turn together, or the combatant if it acts alone."""
        slot = find_called_up_slot(table, self.who)
        return slot.id if len(slot.members) > 1 else self.who

    def can_act(self, table: Table) -> bool:
        """Tell whether the combatant can take a turn."""
        raise NotImplementedError

    def decide(self, table: Table) -> Rule[None]:
        """Record the turn behind those given before."""
        yield NEXT_TURN.note_list(FIGHT, (*list_called_up(table), self.who), self.rule)


def must_be_fought(table: Table, rule: Clause) -> None:
    """Refuse to give turns before the fight has begun or after its end."""
    if table.draft.ended or table.draft.phases.get("") == load(table.draft.system).flow.initial:
        message = "turns are given once the fight has begun, until it is over"
        raise Refused("no_turns", rule, message, source=table.draft.phase)


def must_not_be_over(table: Table, rule: Clause) -> None:
    """Refuse a ruling for a turn or a round if the fight is over.

    A fight that goes on does so in a new round.
    """
    if table.draft.ended:
        message = "the fight is over, and no combatant has a turn in which that would hold"
        raise Refused("fight_over", rule, message, source="fight_over")


def find_turn_ruling(table: Table) -> type[TurnRuling]:
    """Return the ruling by which a system gives turns."""
    form = load(table.draft.system).rulings["turn"]
    assert issubclass(form, TurnRuling)
    return form


def give_turns(table: Table, who: Iterable[CombatantId]) -> Rule[None]:
    """Give combatants the next turns, in this order.

    Combatants who share a slot that is still to come take the turn together.
    """
    form, given = find_turn_ruling(table), set[Id]()
    for one in who:
        turn = form(who=one)
        together = turn.comes_with(table)
        if turn.can_act(table) and together not in given:
            given.add(together)
            yield from turn.decide(table)

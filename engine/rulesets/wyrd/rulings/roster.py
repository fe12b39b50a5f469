"""Rulings on the roster: joining, leaving, changing sides, and the order of sides."""

from collections.abc import Iterator

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.rulings import combatants, flow
from affray.engine.kit.rulings.combatants import replaced, with_ids_of_fight
from affray.engine.rulesets.wyrd.chapters.morale import depart, reinforce
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.encounter.file import Spec
from affray.engine.rulesets.wyrd.encounter.setup import join
from affray.engine.rulesets.wyrd.encounter.stock import tables_of
from affray.engine.rulesets.wyrd.marks import HOME, LATE
from affray.engine.rulesets.wyrd.sheet import GUEST, is_pc, pc_sides
from affray.events import Event, ItemAdded, Joined, TraitChanged


@ruled_as("join", "bring somebody new into the fight, written as in an encounter file", "combatant")
class Join(Ruling, frozen=True, kw_only=True):
    """Bring a new combatant into the fight, which acts from its side's next turn on."""

    combatant: Spec

    def check(self, table: Table) -> None:
        """Refuse what an encounter file could not say either."""
        anywhere = any(one.place for one in table.draft.combatants.values())
        if bool(self.combatant.at) is not anywhere:
            message = "must say where, since others do" if anywhere else "there are no places in this fight"
            raise Unusable(message, "combatant.at")
        for event in self._events(table):
            if isinstance(event, ItemAdded) and event.item in table.draft.items:
                owner = table.item(event.item).owner
                if owner != event.owner:
                    message = f"{table.called(owner)} has {event.item} from one who has left; take another name"
                    raise Unusable(message, "combatant.name")

    @with_ids_of_fight
    def _events(self, table: Table) -> Iterator[Event]:
        known = set(table.draft.combatants)
        yield from join(self.combatant, "combatant", table.config, tables_of(table), set(table.draft.places), known)

    def decide(self, table: Table) -> Rule[None]:
        """Let them join; their side then has them."""
        newcomers = []
        for event in self._events(table):
            if isinstance(event, Joined):
                yield from replaced(table, event.who)
            yield event
            if isinstance(event, Joined):
                newcomers.append(event.who)
        for who in newcomers:
            yield from reinforce(table, who)


class Leave(combatants.Leave, frozen=True, kw_only=True):
    """Take a combatant out of the fight, body and all; the side has lost it."""

    def decide(self, table: Table) -> Rule[None]:
        """Count it as lost, and take it out."""
        yield from depart(table, self.who)
        yield from super().decide(table)


class Side(combatants.Side, frozen=True, kw_only=True):
    """Let a combatant fight for another side; a player character is a guest among foes (WYR-T54)."""

    def check(self, table: Table) -> None:
        """Refuse the side that the combatant is on."""
        if table[self.who].side == self.side:
            message = f"{table.called(self.who)} is on the side {self.side} already; name another"
            raise Refused("no_change", "WYR-T54", message, source=self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Count it as lost for the one side, and change to the other."""
        yield from depart(table, self.who)
        if is_pc(table, self.who):
            yield from self._visit(table)
        yield from super().decide(table)
        yield from reinforce(table, self.who)

    def _visit(self, table: Table) -> Rule[None]:
        """Make a player character a guest where foes are at home, and no guest anywhere else."""
        who, side = self.who, self.side
        is_guest = GUEST in table[who].traits
        at_home = side in table.derived(pc_sides) or side == HOME.of(table, who)
        guest = not at_home and any(table[one].side == side for one in table.list_known(table.draft.combatants))
        if guest and not is_guest:
            yield HOME.noted(who, table[who].side, "WYR-T54")
        elif is_guest and not guest and HOME.is_on(table, who):
            yield HOME.struck(who, "WYR-T54")
        if guest is not is_guest:
            yield TraitChanged(who=who, trait=GUEST, present=guest)


class Reorder(flow.Reorder, frozen=True, kw_only=True):
    """Set the order of the sides, which then holds, also for a side that came late."""

    def decide(self, table: Table) -> Rule[None]:
        """Set it."""
        for side in self.order:
            if LATE.is_on(table, side):
                yield LATE.struck(side, "WYR-T55")
        yield from super().decide(table)

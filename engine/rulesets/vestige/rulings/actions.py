"""Rulings on actions, permissions and the weapon in hand (VES-009, 011, 033, 036, 042, 052, 054)."""

from itertools import count
from typing import ClassVar

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import change_pool, move_item
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.rulings import flow, positions
from affray.engine.kit.rulings.turns import must_not_be_over
from affray.engine.kit.rulings.values import Bonus, Word
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.vestige.chapters.delay import delay_slot, must_have_place, reinsert
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.marks import ALLOWED, WAIVED
from affray.engine.rulesets.vestige.sheet import find_allowed_target, is_active, list_permissions, must_be_active
from affray.engine.rulesets.vestige.turns.order import find_slot
from affray.events import Clause, CombatantId, SlotId, WindowClosed


@ruled_as("grant", "give standard actions this turn, or take them away", "who", "by")
class Grant(Ruling, frozen=True, kw_only=True):
    """Give a combatant more standard actions this turn, or take some away."""

    who: CombatantId
    by: Bonus = 1

    def check(self, table: Table) -> None:
        """Refuse a combatant that does not have the turn."""
        must_not_be_over(table, "VES-059")
        if self.who not in table.draft.acting:
            reason = f"it is not the turn of {table.name_of(self.who)}"
            raise Refused("not_your_turn", "VES-008", reason, self.who, example=f"rule turn {self.who}")

    def decide(self, table: Table) -> Rule[None]:
        """Change the actions that are left."""
        yield change_pool(table, self.who, "actions", self.by, "VES-009")

    def already(self, table: Table) -> str:
        """Say how many actions the combatant has."""
        return f"that leaves {table.name_of(self.who)} {table.pool(self.who, 'actions')} actions, as before"

    def instead(self, table: Table) -> str:
        """Return the command that grants one action."""
        return f"rule grant {self.who} 1"


class ActiveRuling(Ruling, frozen=True, kw_only=True):
    """A ruling on a combatant that is in the fight."""

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse a combatant that is out of the fight."""
        must_be_active(table, self.who)


@ruled_as("allow", "allow an action that is not on the list, or an attack on a comrade", "who", "what")
class Allow(ActiveRuling, frozen=True, kw_only=True):
    """Permit an unlisted action once, or one attack on a combatant who is no enemy.

    Attributes:
        what: The permitted action; ``attack`` and a combatant permits that attack.
    """

    what: Word

    def check(self, table: Table) -> None:
        """Refuse to permit an attack on an enemy, which needs no permission."""
        super().check(table)
        target = find_allowed_target(table, self.what)
        if target and are_enemies(table, self.who, target):
            message = (
                f"{table.name_of(target)} is an enemy of {table.name_of(self.who)}, who may attack without permission"
            )
            raise Refused("no_change", "VES-020", message, source=target)

    def decide(self, table: Table) -> Rule[None]:
        """Note the permission under the first free number."""
        taken = list_permissions(table, self.who)
        free = next(number for number in map(str, count(1)) if number not in taken)
        yield ALLOWED.set_on(self.who, self.what, "VES-G03", about=free)


@ruled_as("waive", "let a combatant's next move provoke no attacks", "who")
class Waive(ActiveRuling, frozen=True, kw_only=True):
    """Let a combatant's next move provoke no attacks."""

    def decide(self, table: Table) -> Rule[None]:
        """Note the waiver."""
        yield WAIVED.set_on(self.who, True, "VES-033")

    def already(self, table: Table) -> str:
        """Say that the next move is waived already."""
        return f"the next move of {table.name_of(self.who)} provokes nobody already"


class Close(flow.CloseWindow, frozen=True, kw_only=True):
    """Close the open window without waiting for more answers."""

    rule: ClassVar[Clause] = "VES-T27"

    def check(self, table: Table) -> None:
        """Refuse without a window, or where only passes may close one."""
        super().check(table)
        if table.config.window_close == "all_pass":
            raise Refused("window_stays", "VES-T27", "here only passes close a window", source="config.window_close")


@ruled_as("late_delay", "let the active slot delay although it has acted")
class LateDelay(Ruling, frozen=True, kw_only=True):
    """Let the active slot delay although it has acted."""

    def check(self, table: Table) -> None:
        """Refuse outside a turn, or while an action is pending."""
        if table.draft.phase != "turn" or not table.draft.acting:
            raise Refused("action_pending", "VES-052", "only a turn with nothing pending can be delayed", "turn")
        must_have_place(table)

    def decide(self, table: Table) -> Rule[str]:
        """Set the slot aside."""
        yield from delay_slot(table)
        return "delay"


@ruled_as("place_slot", "let a delayed slot take its turn now", "slot")
class PlaceSlot(Ruling, frozen=True, kw_only=True):
    """Let a delayed slot take its turn now, between turns."""

    slot: SlotId

    def check(self, table: Table) -> None:
        """Refuse a slot that has not delayed, and any moment other than between turns."""
        slots = [slot.id for slot in table.draft.slots]
        if self.slot not in slots:
            raise Unusable(f"there are the slots {', '.join(slots)}", "slot", known=slots)
        if table.draft.phases[""] not in ("gap", "reinsertion", "lull"):
            raise Refused("turn_running", "VES-054", "a turn is re-inserted only between turns", table.draft.phase)
        if table.draft.stack:
            message = "a turn is re-inserted once nothing is pending"
            raise Refused("action_pending", "VES-054", message, table.draft.stack[-1].id)
        if not any(table[who].has("delayed") and is_active(table, who) for who in find_slot(table, self.slot).members):
            raise Refused("not_delayed", "VES-054", f"{self.slot} has not delayed", source=self.slot)

    def decide(self, table: Table) -> Rule[str]:
        """Re-insert the slot behind the last one."""
        window = table.draft.window
        if window is not None:
            yield WindowClosed(window=window.id, how="ruled", expired=window.to, rules=("VES-054",))
        yield from reinsert(table, find_slot(table, self.slot), table.draft.up)
        return "place_slot"


class Give(positions.Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body.

    A hand holds one weapon, so the one that it held is put away.
    """

    def decide(self, table: Table) -> Rule[None]:
        """Hand the item over, and put away the weapon that it replaces."""
        if self.where == "hand" and table.item(self.item).kind == "weapon":
            for held in table.items_of(self.to):
                if held.kind == "weapon" and held.where == "hand" and held.id != self.item:
                    yield move_item(table, held.id, "", "VES-036")
        yield from super().decide(table)

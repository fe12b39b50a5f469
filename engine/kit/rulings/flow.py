"""Rulings on the turn order, dice, relations, pending actions and windows."""

from typing import Annotated, ClassVar

from affray import events as facts
from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.awaiting import describe_awaited
from affray.engine.core.effects import Rule
from affray.engine.core.loading import load
from affray.engine.core.open_parts import word_of
from affray.engine.core.references import must_be_a_relation
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.dice_sources import DiceSourceName, set_dice_source
from affray.engine.kit.modifiers import grant_modifier
from affray.engine.kit.relations import end_relation
from affray.events import Clause, Id

from .values import BRIEF, Bonus, Word


@ruled_as("reorder", "set the turn order, naming every slot once", "order")
class Reorder(Ruling, frozen=True, kw_only=True):
    """Set the turn order, naming every slot once."""

    order: tuple[facts.SlotId, ...]

    def check(self, table: Table) -> None:
        """Refuse an order that leaves out a slot or names one twice."""
        slots = [slot.id for slot in table.draft.slots]
        if sorted(self.order) != sorted(slots):
            there = ", ".join(slots) or "none, there is no order yet"
            raise Unusable(f"name each of these once: {there}", "order", known=slots)

    def decide(self, table: Table) -> Rule[None]:
        """Set the order."""
        slots: dict[Id, facts.Slot] = {slot.id: slot for slot in table.draft.slots}
        yield facts.OrderSet(slots=tuple(slots[id] for id in self.order))

    def already(self, table: Table) -> str:
        """Say that this is the present order, or that there is none."""
        return "that is the order already" if table.draft.slots else "there is no turn order to set now"

    def instead(self, table: Table) -> str:
        """Return a ruling that moves the first slot to the end."""
        slots = [slot.id for slot in table.draft.slots]
        return f"rule reorder {';'.join((*slots[1:], slots[0]))}" if len(slots) > 1 else ""


@ruled_as("relate", "let a relation hold between combatants, such as allies; no members end it", "relation", "members")
class Relate(Ruling, frozen=True, kw_only=True):
    """Let a relation hold between combatants, such as ``allies``. No members end it."""

    relation: Annotated[facts.RelationId, BRIEF]
    members: tuple[facts.CombatantId, ...] = ()

    def check(self, table: Table) -> None:
        """Refuse repeated members, and a relation that this ruling cannot set.

        Such a relation has a separate ruling, or needs more than names.
        """
        if len(set(self.members)) != len(self.members):
            raise Unusable("name each once", "members")
        must_be_a_relation(table, self.relation, self._kind, ends=not self.members)

    def check_new(self, table: Table) -> None:
        """Refuse too few members, and the present members in another order."""
        fewest = word_of(self._kind, table.draft).fewest
        if 0 < len(self.members) < fewest:
            raise Unusable(f"name at least {fewest}, or none to end it", "members")
        held = table.draft.relations.get(self.relation)
        if held is None or not self.members or {*held.members} != {facts.Member(who=who) for who in self.members}:
            return
        message = f"{self.already(table)}; this would end it: rule relate {self.relation}"
        raise Refused("no_change", "", message, source=self.relation)

    @property
    def _kind(self) -> str:
        return self.relation.partition("-")[0]

    def decide(self, table: Table) -> Rule[None]:
        """Set the relation. Its kind is its name up to a dash and a number."""
        held = table.draft.relations.get(self.relation)
        members = tuple(facts.Member(who=who) for who in self.members)
        if held and not members:
            yield from end_relation(table, held)
            return
        yield facts.RelationSet(relation=self.relation, kind=held.kind if held else self._kind, members=members)

    def already(self, table: Table) -> str:
        """Say whether the relation holds."""
        return f"{self.relation} holds between them already" if self.members else f"{self.relation} does not hold now"


@ruled_as("modify", "add to the roll of a pending action (item), or to a combatant's next roll (who)", "who", "by")
class Modify(Ruling, frozen=True, kw_only=True):
    """Modify a coming roll: that of a pending action, or a combatant's next one."""

    by: Bonus
    label: Word = "ruling"
    who: facts.CombatantId = ""
    item: facts.PendingId = ""

    def check(self, table: Table) -> None:
        """Refuse an action that is not pending, and neither or both of who and item."""
        if bool(self.who) == bool(self.item):
            raise Unusable("say either whose next roll (who) or which pending action (item)", "who")
        if not self.by:
            raise Unusable("must not be 0, as that adds nothing", "by")
        if self.item:
            must_be_pending(table, self.item)

    def decide(self, table: Table) -> Rule[None]:
        """Record the modifier beside earlier ones."""
        yield grant_modifier(table, self.who or self.item, self.label, self.by)


@ruled_as("cancel", "take a pending action off the stack", "item")
class Cancel(Ruling, frozen=True, kw_only=True):
    """Take a pending action off the stack."""

    item: facts.PendingId

    def check(self, table: Table) -> None:
        """Refuse an action that is not pending."""
        must_be_pending(table, self.item)

    def decide(self, table: Table) -> Rule[None]:
        """Withdraw the action's questions, and drop it."""
        yield from cancel_pending(table, self.item)


def cancel_pending(table: Table, item: Id) -> Rule[None]:
    """Withdraw the questions and awaited dice of a pending action, and drop it."""
    draft = table.draft
    for asked in (draft.waits_for, *[one.id for one in draft.postponed]):
        if asked.partition(":")[2].startswith(f"{item}/") or asked.startswith(f"{item}/"):
            yield facts.Withdrawn(what=asked)
    yield facts.Dropped(item=item, why="ruled")


@ruled_as("dice", "set dice as entered or as the engine's; * is all dice", "owner", "source")
class DiceFrom(Ruling, frozen=True, kw_only=True):
    """Set the source of dice: entered as real faces, or thrown by the engine.

    Attributes:
        owner: A combatant; a side, for all its combatants now and later; or ``*`` for all.
    """

    owner: facts.SeveralId
    source: DiceSourceName

    def decide(self, table: Table) -> Rule[None]:
        """Set the source, and that of sides and combatants included in ``owner``."""
        draft = table.draft
        if self.source != self._present(table):
            yield set_dice_source(table, self.owner, self.source)
        if table.is_combatant(self.owner):
            return
        for side, source in tuple(draft.side_dice.items()):
            if self.owner == facts.EVERYBODY and source != self.source:
                yield facts.DiceSourceSet(owner="", side=side, source=self.source)
        for who, source in tuple(draft.dice_sources.items()):
            one = draft.combatants.get(who)
            meant = one is not None and self.owner in (facts.EVERYBODY, one.side)
            if meant and source != self.source:
                yield facts.DiceSourceSet(owner=who, source=self.source)

    def already(self, table: Table) -> str:
        """Say the present source of the dice."""
        one = table.name_of(self.owner) if table.is_combatant(self.owner) else f"the {self.owner}"
        whose = "all dice" if self.owner == facts.EVERYBODY else f"the dice of {one}"
        return f"{whose} are {self.source} already" if self.source == "entered" else f"{whose} are the engine's already"

    def instead(self, table: Table) -> str:
        """Return the opposite ruling."""
        return f"rule dice {self.owner} {'engine' if self.source == 'entered' else 'entered'}"

    def _present(self, table: Table) -> str:
        if self.owner == facts.EVERYBODY:
            return table.draft.dice_sources.get(self.owner, "engine")
        return table.dice_of(self.owner)


@ruled_as("undo", "say whether players' undo of fallen dice waits for your consent, or is free", "rule")
class PlayerUndoRule(Ruling, frozen=True, kw_only=True):
    """Set whether a player's undo of fallen dice needs the game master's consent."""

    rule: facts.PlayerUndo

    def decide(self, table: Table) -> Rule[None]:
        """Set the rule."""
        yield facts.PlayerUndoSet(rule=self.rule)

    def already(self, table: Table) -> str:
        """Say the present rule."""
        return f"the rule for players' undo is {self.rule} already"

    def instead(self, table: Table) -> str:
        """Return a ruling with the other rule."""
        return f"rule undo {'free' if self.rule == 'consent' else 'consent'}"


@ruled_as("note", "write a remark into the record", "text")
class NoteRuling(Ruling, frozen=True, kw_only=True):
    """Write a remark into the record."""

    only_recorded: ClassVar[bool] = True

    text: Word

    def decide(self, table: Table) -> Rule[None]:
        """Write the remark."""
        yield facts.Noted(text=self.text)


def must_be_pending(table: Table, item: Id) -> None:
    """Refuse an action that is not on the stack."""
    pending = [one.id for one in table.draft.stack]
    if item not in pending:
        raise Refused("not_pending", "", f"{item} is not pending; {', '.join(pending) or 'nothing'} is", source=item)


@ruled_as("close", "close the open window")
class CloseWindow(Ruling, frozen=True, kw_only=True):
    """Close the open window, even if some combatants have not answered yet.

    Class attributes:
        rule: The clause about windows.
    """

    rule: ClassVar[Clause]

    def check(self, table: Table) -> None:
        """Refuse the ruling if no window is open, or if another question comes first."""
        if table.draft.window is None:
            raise Refused("no_such_window", self.rule, "no window is open", source=table.draft.phase)
        rules = load(table.draft.system)
        if table.draft.phase not in rules.turns.windows:  # an action of the game master lies on top of it
            first = describe_awaited(table.draft, rules.vocabulary)
            raise Refused("answer_pending", self.rule, first, source=table.draft.phase)

    def decide(self, table: Table) -> Rule[str]:
        """Close the window."""
        window = table.draft.window
        assert window is not None
        yield facts.WindowClosed(window=window.id, how="ruled", expired=window.to, rules=(self.rule,))
        return "close"

"""Drawing, readying, stowing, dropping and reloading."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import item_counted, item_moved
from affray.engine.core.domains import Among
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.rulesets.wwn.attack.declaring import announcements, tell_again
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.sheet import ARMS, level
from affray.engine.rulesets.wwn.turns.acting import MainAction, Payment, must_afford, must_be_able_to_act, spend
from affray.events import Clause, Id, ItemId

from .things import HANDS, arms_of, hands, held, is_bodily, readied, take_in_hand

LOADING_ROUNDS = 10
"""How many rounds a single-shot weapon takes to load."""


def must_own(table: Table, actor: Id, item: Id) -> Item:
    """Return a weapon or shield of somebody's.

    Raises:
        Refused: it is not theirs, or part of the body.
    """
    thing = table.item(item)
    if thing.owner != actor or thing.kind not in ARMS or is_bodily(thing) or thing.where in ("thrown", "dropped"):
        raise Refused(
            "not_owned", "WWN-T14", f"{table.called(actor)} does not have {thing.quoted_name}", source=thing.id
        )
    return thing


def lying(table: Table, actor: Id, *where: str) -> list[Id]:
    """Return the weapons and shields that somebody has somewhere."""
    return [item.id for item in arms_of(table, actor) if item.where in where and not is_bodily(item)]


class Armed(Action, frozen=True, kw_only=True):
    """What is done with a weapon or a shield."""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Show it to whoever has weapons or shields that are no part of the body."""
        return not all(map(is_bodily, arms_of(table, actor)))


@declared_as("draw", "take a readied thing in hand", "item", own_trigger="at_once", stacks=False)
class Draw(Armed, frozen=True, kw_only=True):
    """Take a readied thing in hand, On Turn; what there is no hand for is put back in reach."""

    item: Annotated[ItemId, Among(lying, "readied")]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse what is not at hand."""
        must_be_able_to_act(table, actor, "standard")
        thing = must_own(table, actor, self.item)
        if thing.where == "hand":
            raise Refused(
                "already_in_hand", "WWN-T14", f"{table.called(actor)} has {thing.quoted_name} in hand", source=thing.id
            )
        if thing.where != "readied":
            raise Refused(
                "weapon_not_readied", "WWN-T14", f"{thing.quoted_name} must be readied first", source=thing.id
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take it."""
        yield from take_in_hand(table, actor, self.item, "WWN-T14")


@declared_as("ready", "get a stowed thing ready, for the Main Action", "item")
class Ready(Armed, MainAction, frozen=True, kw_only=True):
    """Get a stowed thing out for the Main Action; into a free hand if there is one."""

    rule: ClassVar[Clause] = "WWN-T14"

    item: Annotated[ItemId, Among(lying, "stowed")]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse for want of the Main Action, and what is not stowed."""
        super().check(table, actor, manner)
        thing = must_own(table, actor, self.item)
        if thing.where != "stowed":
            raise Refused("already_readied", "WWN-T14", f"{thing.quoted_name} is ready", source=thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Get it out."""
        free = HANDS - sum(map(hands, held(table, actor)))
        there = "hand" if hands(table.item(self.item)) <= free else "readied"
        yield item_moved(table, self.item, there, "WWN-T14")


@declared_as("stow", "put a thing away, for the Main Action", "item")
class Stow(Armed, MainAction, frozen=True, kw_only=True):
    """Put a thing away for the Main Action."""

    rule: ClassVar[Clause] = "WWN-T14"

    item: Annotated[ItemId, Among(lying, "hand", "readied")]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse for want of the Main Action, and what is put away."""
        super().check(table, actor, manner)
        thing = must_own(table, actor, self.item)
        if thing.where == "stowed":
            raise Refused("already_stowed", "WWN-T14", f"{thing.quoted_name} is put away", source=thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Put it away."""
        yield item_moved(table, self.item, "stowed", "WWN-T14")


@declared_as("drop", "let a thing fall, at any time", "item", own_trigger="drop", stacks=False)
class Drop(Armed, frozen=True, kw_only=True):
    """Let a thing fall, at any time, on anybody's turn."""

    item: ItemId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse what is not ready."""
        must_be_able_to_act(table, actor, "standard")
        thing = must_own(table, actor, self.item)
        if thing.where == "stowed":
            raise Refused("weapon_not_readied", "WWN-T14", f"{thing.quoted_name} is put away", source=thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let it fall."""
        told = announcements(table, actor)
        yield item_moved(table, self.item, "dropped", "WWN-T14")
        yield from tell_again(table, actor, told)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return everything that is ready; while a window is open as an answer to it, else by itself."""
        if (manner == "standard") != (table.draft.window is None):
            return ()
        return [item.id for item in readied(table, actor) if not is_bodily(item)]


@declared_as("reload", "load a bow, crossbow or hurlant", "weapon")
class Reload(Action, frozen=True, kw_only=True):
    """Load a weapon: a bow for a Move Action or, with Shoot-1, at no cost; others for Main Actions.

    Attributes:
        weapon: The first one that is not loaded if left out.
    """

    weapon: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Show it to whoever has a weapon that is loaded."""
        return any("loaded" in item.counters for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse for want of the action it takes, and what needs no loading."""
        must_be_able_to_act(table, actor, manner)
        weapon = self.empty(table, actor)
        if weapon is not None and manner == "standard":
            cost = reloading(table, actor, weapon)
            if cost:
                must_afford(table, actor, cost, "WWN-T15")
        if weapon is None or (weapon.owner, weapon.counters.get("loaded")) != (actor, 0):
            done = f"does not need to load the {weapon.quoted_name}" if weapon else "has nothing to load"
            raise Refused("nothing_to_reload", "WWN-T15", f"{table.called(actor)} {done}", source=actor)
        if weapon.where not in ("hand", "readied"):
            raise Refused("weapon_not_readied", "WWN-T14", f"the {weapon.quoted_name} is not readied", source=weapon.id)

    def fix_choices(self, table: Table, actor: Id) -> Self:
        """Load the weapon that is the first unloaded one at the declaration."""
        weapon = self.empty(table, actor)
        return self if self.weapon or weapon is None else replace(self, weapon=weapon.id)

    def empty(self, table: Table, actor: Id) -> Item | None:
        """Return the weapon that is to be loaded, if there is one."""
        if self.weapon:
            return table.item(self.weapon)
        return next(iter(unloaded(table, actor)), None)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action it takes, if any, and the weapon in hand."""
        weapon = self.empty(table, actor)
        assert weapon is not None
        cost = reloading(table, actor, weapon)
        if cost:
            yield from spend(table, actor, manner, cost, "WWN-T15")
        yield from take_in_hand(table, actor, weapon.id, "WWN-T14")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Load it; what takes ten rounds is one round nearer to it."""
        weapon = self.empty(table, actor)
        assert weapon is not None
        if "SS" in weapon.traits:
            done = weapon.counters["loading"] + 1
            yield item_counted(table, weapon.id, "loading", 0 if done >= LOADING_ROUNDS else done, "WWN-T15")
            if done < LOADING_ROUNDS:
                return
        yield item_counted(table, weapon.id, "loaded", 1, "WWN-T15")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return what is usual, and every weapon that is not loaded."""
        return ("", *(item.id for item in unloaded(table, actor)))


def unloaded(table: Table, who: Id) -> list[Item]:
    """Return the weapons at hand that somebody could load."""
    return [item for item in readied(table, who) if item.counters.get("loaded") == 0]


def reloading(table: Table, actor: Id, weapon: Item) -> Payment | None:
    """Return what loading a weapon costs: ``main``, ``move``, or nothing for a trained archer (WWN-T15)."""
    if "R" not in weapon.traits:
        return "main"
    return None if level(table, actor, "shoot") >= 1 else "move"

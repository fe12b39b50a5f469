"""Drawing, readying, stowing, dropping and reloading."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import Among
from affray.engine.core.changes import move_item, set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.rulesets.wwn.attack.declaring import list_announcements, repeat_announcements
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.sheet import ARMS, level
from affray.engine.rulesets.wwn.turns.acting import MainAction, Payment, must_afford, must_be_able_to_act, spend
from affray.events import Clause, Id, ItemId

from .things import HANDS, count_hands, is_bodily, list_arms, list_held, list_readied, take_in_hand

LOADING_ROUNDS = 10
"""The number of rounds to load a single-shot weapon."""


def must_own(table: Table, actor: Id, item: Id) -> Item:
    """Return a weapon or shield that the actor owns.

    Raises:
        Refused: it is not the actor's, or is part of the body.
    """
    thing = table.item(item)
    if thing.owner != actor or thing.kind not in ARMS or is_bodily(thing) or thing.where in ("thrown", "dropped"):
        raise table.refuse(actor, f"does not have {thing.quoted_name}", "WWN-T14", "not_owned", thing.id)
    return thing


def list_lying(table: Table, actor: Id, *where: str) -> list[Id]:
    """Return a combatant's weapons and shields in these places."""
    return [item.id for item in list_arms(table, actor) if item.where in where and not is_bodily(item)]


class ArmsAction(Action, frozen=True, kw_only=True):
    """An action with a weapon or a shield."""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants with weapons or shields besides parts of the body."""
        return not all(map(is_bodily, list_arms(table, actor)))


@declared_as("draw", "take a readied item in hand", "item", own_trigger="at_once", stacks=False)
class Draw(ArmsAction, frozen=True, kw_only=True):
    """Take a readied item in hand, On Turn; put back what the hands cannot hold."""

    item: Annotated[ItemId, Among(list_lying, "readied")]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an item that is not at hand."""
        must_be_able_to_act(table, actor, "standard")
        thing = must_own(table, actor, self.item)
        if thing.where == "hand":
            raise table.refuse(actor, f"has {thing.quoted_name} in hand", "WWN-T14", "already_in_hand", thing.id)
        if thing.where != "readied":
            raise Refused(
                "weapon_not_readied", "WWN-T14", f"{thing.quoted_name} must be readied first", source=thing.id
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the item in hand."""
        yield from take_in_hand(table, actor, self.item, "WWN-T14")


@declared_as("ready", "get a stowed item ready, for the Main Action", "item")
class Ready(ArmsAction, MainAction, frozen=True, kw_only=True):
    """Get a stowed item out for the Main Action, into a free hand if there is one."""

    rule: ClassVar[Clause] = "WWN-T14"

    item: Annotated[ItemId, Among(list_lying, "stowed")]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it without the Main Action, and an item that is not stowed."""
        super().check(table, actor, manner)
        thing = must_own(table, actor, self.item)
        if thing.where != "stowed":
            raise Refused("already_readied", "WWN-T14", f"{thing.quoted_name} is ready", source=thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Get the item out."""
        free = HANDS - sum(map(count_hands, list_held(table, actor)))
        there = "hand" if count_hands(table.item(self.item)) <= free else "readied"
        yield move_item(table, self.item, there, "WWN-T14")


@declared_as("stow", "put an item away, for the Main Action", "item")
class Stow(ArmsAction, MainAction, frozen=True, kw_only=True):
    """Put an item away for the Main Action."""

    rule: ClassVar[Clause] = "WWN-T14"

    item: Annotated[ItemId, Among(list_lying, "hand", "readied")]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it without the Main Action, and an item already put away."""
        super().check(table, actor, manner)
        thing = must_own(table, actor, self.item)
        if thing.where == "stowed":
            raise Refused("already_stowed", "WWN-T14", f"{thing.quoted_name} is put away", source=thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Put the item away."""
        yield move_item(table, self.item, "stowed", "WWN-T14")


@declared_as("drop", "drop an item, at any time", "item", own_trigger="drop", stacks=False)
class Drop(ArmsAction, frozen=True, kw_only=True):
    """Drop an item, at any time, in any turn."""

    item: ItemId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an item that is not ready."""
        must_be_able_to_act(table, actor, "standard")
        thing = must_own(table, actor, self.item)
        if thing.where == "stowed":
            raise Refused("weapon_not_readied", "WWN-T14", f"{thing.quoted_name} is put away", source=thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Drop the item."""
        announced = list_announcements(table, actor)
        yield move_item(table, self.item, "dropped", "WWN-T14")
        yield from repeat_announcements(table, actor, announced)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return all ready items.

        While a window is open they are offered as answers to it, otherwise as actions.
        """
        if (manner == "standard") != (table.draft.window is None):
            return ()
        return [item.id for item in list_readied(table, actor) if not is_bodily(item)]


@declared_as("reload", "load a bow, crossbow or hurlant", "weapon")
class Reload(Action, frozen=True, kw_only=True):
    """Load a weapon: a bow for a Move Action, others for Main Actions.

    With Shoot-1 a bow costs nothing.

    Attributes:
        weapon: The weapon to load; the first unloaded one if left out.
    """

    weapon: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants with a weapon that is loaded."""
        return any("loaded" in item.counters for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it without the action it costs, and a weapon that needs no loading."""
        must_be_able_to_act(table, actor, manner)
        weapon = self.find_unloaded(table, actor)
        if weapon is not None and manner == "standard":
            cost = find_loading_cost(table, actor, weapon)
            if cost:
                must_afford(table, actor, cost, "WWN-T15")
        if weapon is None or (weapon.owner, weapon.counters.get("loaded")) != (actor, 0):
            done = f"does not need to load the {weapon.quoted_name}" if weapon else "has nothing to load"
            raise table.refuse(actor, f"{done}", "WWN-T15", "nothing_to_reload")
        if weapon.where not in ("hand", "readied"):
            raise Refused("weapon_not_readied", "WWN-T14", f"the {weapon.quoted_name} is not readied", source=weapon.id)

    def fix_choices(self, table: Table, actor: Id) -> Self:
        """Fix the first unloaded weapon at the declaration."""
        weapon = self.find_unloaded(table, actor)
        return self if self.weapon or weapon is None else replace(self, weapon=weapon.id)

    def find_unloaded(self, table: Table, actor: Id) -> Item | None:
        """Return the weapon to be loaded, if any."""
        if self.weapon:
            return table.item(self.weapon)
        return next(iter(list_unloaded(table, actor)), None)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the action it costs, if any, and take the weapon in hand."""
        weapon = self.find_unloaded(table, actor)
        assert weapon is not None
        cost = find_loading_cost(table, actor, weapon)
        if cost:
            yield from spend(table, actor, manner, cost, "WWN-T15")
        yield from take_in_hand(table, actor, weapon.id, "WWN-T14")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Load the weapon; single-shot weapons count one round of ten."""
        weapon = self.find_unloaded(table, actor)
        assert weapon is not None
        if "SS" in weapon.traits:
            done = weapon.counters["loading"] + 1
            yield set_item_counter(table, weapon.id, "loading", 0 if done >= LOADING_ROUNDS else done, "WWN-T15")
            if done < LOADING_ROUNDS:
                return
        yield set_item_counter(table, weapon.id, "loaded", 1, "WWN-T15")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return the default, and every unloaded weapon."""
        return ("", *(item.id for item in list_unloaded(table, actor)))


def list_unloaded(table: Table, who: Id) -> list[Item]:
    """Return a combatant's unloaded weapons at hand."""
    return [item for item in list_readied(table, who) if item.counters.get("loaded") == 0]


def find_loading_cost(table: Table, actor: Id, weapon: Item) -> Payment | None:
    """Return the cost of loading: ``main``, ``move``, or none for an archer (WWN-T15)."""
    if "R" not in weapon.traits:
        return "main"
    return None if level(table, actor, "shoot") >= 1 else "move"

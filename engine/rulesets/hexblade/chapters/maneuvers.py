"""Manoeuvres, spells and uses of items: the actions that the game master judges."""

from collections.abc import Iterable
from typing import Annotated, Any, Self

from msgspec import Meta

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import Target
from affray.engine.core.effects import Go, Rule
from affray.engine.core.ids import id_of
from affray.engine.core.state import Item
from affray.engine.errors import Unusable
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.hexblade.chapters.attempts import attempt, check_attempt
from affray.engine.rulesets.hexblade.chapters.effects import give_condition
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.gear import HANDY, cite_drawing_waiver, is_broken, must_not_be_just_drawn
from affray.engine.rulesets.hexblade.movement.board import is_adjacent
from affray.engine.rulesets.hexblade.sheet import CLASS, GIVES, LIST, ROUND, refusal
from affray.engine.rulesets.hexblade.turns.order import list_others, must_afford, spend, use_waivers
from affray.events import Clause, Feature, Id, ItemId, ThingName, Words

Remark = Annotated[Words, Meta(max_length=200)]


class Attempt(Action, frozen=True, kw_only=True):
    """An action that the game master judges."""

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on if the attempt could no longer be declared."""
        check_attempt(table, actor, self, "standard")


@declared_as(
    "maneuver",
    "try something that is on no list, by a test the game master offers",
    "what",
    "target",
    own_trigger="attempt",
)
class Maneuver(Attempt, frozen=True, kw_only=True):
    """Try an unlisted action; the game master offers a test for it (HEX-011, HEX-015, HEX-046 to HEX-048)."""

    what: Annotated[Words, Meta(min_length=1, max_length=200)]
    target: Target = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an actor that is not able or has no action; the rest is judged."""
        must_afford(table, actor, manner)
        if self.target:
            table[self.target]

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Wait for the game master; the action is paid when the dice are rolled (HEX-046)."""
        wins = table.config.maneuver_tie == "initiator_succeeds"
        yield from attempt(table, actor, self.target, "HEX-046", "HEX-011", "HEX-015", tie_wins=wins)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List a shove at each adjacent enemy; for other attempts, any target or none."""
        if field == "what":
            return ("shove",)
        if so_far.what != "shove":
            return ["", *list_others(table, actor)]
        here, people = table[actor].place, table.draft.combatants
        near = (who for who, one in people.items() if is_adjacent(here, one.place))
        return [who for who in near if are_enemies(table, actor, who)]


@declared_as("cast", "cast a prepared spell", "spell", "target", "what", own_trigger="attempt")
class Cast(Attempt, frozen=True, kw_only=True):
    """Cast a prepared spell of the caster's class; its purpose is free text (HEX-012)."""

    spell: ItemId
    target: Target = ""
    what: Remark = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants that have prepared a spell."""
        return any(item.kind == "spell" for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, a spell not prepared or not of the class (HEX-012)."""
        must_afford(table, actor, manner)
        spell = table.draft.items.get(self.spell)
        if spell is None or spell.kind != "spell" or spell.owner != actor:
            raise table.refuse(actor, f"has not prepared {self.spell}", "HEX-012")
        if not _is_of_the_class(table, actor, spell):
            raise refusal("HEX-012", f"{spell.quoted_name} is on no list of {table.name_of(actor)}'s class", spell.id)
        if self.target:
            table[self.target]
        if _find_condition(spell):
            _must_be_aimed(table, spell, self.target)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action, unless the game master judges first."""
        if _find_condition(table.item(self.spell)):
            yield from spend(table, actor, manner, "HEX-012")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Apply the spell's own condition, or let the game master judge."""
        spell = table.item(self.spell)
        condition = _find_condition(spell)
        if condition:
            yield Go("no_test", rules=("HEX-012",))
            seconds = spell.stats["rounds"] * ROUND
            yield from give_condition(table, self.target, condition, seconds, "HEX-012")
        else:
            yield from attempt(table, actor, self.target, "HEX-012", cost="unless_withdrawn")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List every prepared spell, without a target or on any other combatant."""
        match field:
            case "spell":
                return [item.id for item in table.items_of(actor) if item.kind == "spell"]
            case "target":
                return ["", *list_others(table, actor)]
            case _:
                return super().values(table, actor, manner, field, so_far)


def _find_condition(spell: Item) -> str:
    """Return the condition that a spell gives to its target without a test, or nothing."""
    return "".join(spell.list_features(GIVES))


def _must_be_aimed(table: Table, spell: Item, target: Id) -> None:
    """Refuse a spell that gives a condition without a target, or on the slain."""
    if not target:
        raise refusal("HEX-012", f"{spell.quoted_name} needs a target; say whom it is cast on", spell.id)
    if table[target].has("slain"):
        raise refusal("HEX-G03", f"{table.name_of(target)} is slain", f"{target}.slain")


def _is_of_the_class(table: Table, actor: Id, spell: Item) -> bool:
    """Return whether a spell is on the list of the caster's class, or on no list at all."""
    lists = spell.list_features(LIST)
    return not lists or any(Feature(kind=CLASS, of=one) in table[actor].traits for one in lists)


@declared_as(
    "use", "use a thing from hand or belt, or something that is there", "item", "what", "target", own_trigger="attempt"
)
class Use(Attempt, frozen=True, kw_only=True):
    """Use an item from hand or belt, or a feature of the place (HEX-013, HEX-063, HEX-065).

    Examples are a lock, a potion, a door.

    Attributes:
        item: Item id, or free text for a feature of the place.
        what: The use, as free text.
    """

    item: Annotated[ThingName, Meta(min_length=1, max_length=200)]
    what: Remark = ""
    target: Target = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, not at hand, packed, unpacked now, broken."""
        must_afford(table, actor, manner)
        thing = find_item_meant(table, actor, self.item)
        if thing:
            _must_be_usable(table, actor, table.item(thing))
        if self.target:
            table[self.target]

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let the game master say its effect, or the test for it (HEX-013)."""
        thing = find_item_meant(table, actor, self.item)
        needed = cite_drawing_waiver(table, thing)
        carried: tuple[Clause, ...] = ("HEX-063",) if thing else ()
        yield from attempt(table, actor, self.target, "HEX-013", *carried, item=thing, cost="unless_withdrawn")
        yield from use_waivers(table, actor, *needed)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the carried items; their use and target are free text."""
        if field == "item":
            carried = table.items_of(actor)
            return [item.id for item in carried if item.kind in HANDY and "natural" not in item.traits]
        return super().values(table, actor, manner, field, so_far)


def find_item_meant(table: Table, actor: Id, said: str) -> Id:
    """Return the carried item that an id or words of its name mean, or nothing.

    Raises:
        Unusable: The words fit several items.
    """
    if said in table.draft.items:
        return said
    words = set(id_of(said).split("-"))
    carried = [one for one in table.items_of(actor) if one.kind in HANDY and "natural" not in one.traits]
    fits = [one for one in carried if words <= set(id_of(one.name).split("-"))]
    if len(fits) > 1:
        raise Unusable(f"say which: {', '.join(one.quoted_name for one in fits)}", "item")
    return fits[0].id if fits else ""


def _must_be_usable(table: Table, actor: Id, item: Item) -> None:
    """Refuse an item not carried, packed, unpacked this turn, or broken (HEX-063)."""
    if item.owner != actor or item.kind not in HANDY or "natural" in item.traits:
        raise refusal("HEX-062", f"{table.name_of(actor)} does not carry {item.quoted_name}", item.id)
    if item.where not in ("hand", "belt"):
        raise refusal("HEX-063", f"the {item.quoted_name} is neither in hand nor on the belt", item.id)
    must_not_be_just_drawn(table, actor, item)
    if is_broken(item):
        raise refusal("HEX-T19", f"the {item.quoted_name} is broken", item.id)

"""Rulings on gear and bodies: tags, wear, recovery, safe moments."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import set_clock, set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.kit.rulings import items, positions
from affray.engine.kit.rulings.harm_and_end import must_await_nothing
from affray.engine.kit.rulings.values import BRIEF, Bonus
from affray.engine.rulesets.wyrd.chapters.recovery import come_round, must_be_alive, must_be_down
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import step_to
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.encounter.setup import build_item
from affray.engine.rulesets.wyrd.encounter.stock import collect_tables
from affray.engine.rulesets.wyrd.gear.handling import must_be_protection, must_have_room
from affray.engine.rulesets.wyrd.gear.pieces import UNARMED, is_destroyed, list_held
from affray.engine.rulesets.wyrd.marks import TAG
from affray.engine.rulesets.wyrd.sheet import ABILITY_TOP, TREASURE, find_ability, list_sizes, mend_size, move_size
from affray.engine.rulesets.wyrd.tables import PROTECTION, abilities, tags
from affray.events import Clause, CombatantId, DieStepped, ItemAdded, ItemId, TraitName

RULED: dict[str, Clause] = {"light": "WYR-032", "arrowproof": "WYR-057", "black_powder": "WYR-059"}
"""The clauses that leave a tag to the game master; those of treasure come with wear (WYR-040)."""


@ruled_as("tag", "give a piece of gear a tag, or take it away", "item", "tag")
class Tag(Ruling, frozen=True, kw_only=True):
    """Give a piece of gear a tag, or take it away; the piece's size does not change."""

    item: ItemId
    tag: Annotated[TraitName, BRIEF]
    present: bool = True

    def check(self, table: Table) -> None:
        """Refuse an unknown tag, and one that is ruled so already."""
        if self.tag not in tags():
            raise NoSuch("tag", self.tag, tags(), "tag")
        item = table.item(self.item)
        if TAG.is_on(table, self.item, self.tag) and TAG.of(table, self.item, self.tag) is self.present:
            other = "no" if self.present else "yes"
            message = f"the {item.quoted_name} is ruled so already; say present={other} to change it"
            raise Refused("no_change", RULED.get(self.tag, "WYR-040"), message, source=self.item)

    def decide(self, table: Table) -> Rule[None]:
        """Note the tag. A black powder weapon starts loaded."""
        rule = RULED.get(self.tag, "WYR-040")
        item = table.item(self.item)
        never = self.tag == "light" and item.kind in PROTECTION and item.kind != "body"
        yield TAG.set_on(self.item, self.present, rule, *(("WYR-T38",) if never else ()), about=self.tag)
        if self.tag == "black_powder" and "loaded" not in item.counters:
            yield set_item_counter(table, self.item, "loaded", 1, "WYR-T26")


class Give(positions.Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body, where there is room."""

    where: Literal["", "worn", "main hand", "off hand"] = ""

    def check(self, table: Table) -> None:
        """Refuse an ability or fists, a taken hand, and a second protection of one kind."""
        super().check(table)
        item = table.item(self.item)
        if item.kind == "ability" or item.id == f"{item.owner}.{UNARMED}":
            raise Unusable("name a thing that can be handed over", "item")
        if self.where == "worn":
            must_be_protection(item)
            must_have_room(table, self.to, item)
        elif self.where:
            others = [one for one in list_held(table, self.to) if one.id != item.id]
            taken = [one for one in others if self.where == one.where or 2 in (_hands(item), _hands(one))]
            if taken or not _hands(item):
                message = f"{table.name_of(self.to)} has no hand free for the {item.quoted_name}"
                raise Refused("hands_full", "WYR-034", message, source=taken[0].id if taken else item.id)


class Gear(items.Gear, frozen=True, kw_only=True):
    """Give a combatant gear of the rules or the encounter: carried, not in hand (WYR-T63)."""

    rule: ClassVar[Clause] = "WYR-T63"

    def lines(self, table: Table) -> Mapping[str, str]:
        """Return the pieces that can be given."""
        found = collect_tables(table).gear.items()
        return {key: piece.name for key, piece in found if key != UNARMED and key not in abilities()}

    def make_item(self, table: Table, key: str) -> ItemAdded:
        """Return the piece (WYR-T63)."""
        thing = build_item(collect_tables(table).gear[key], key, "", [], "thing", table.config)
        return replace(thing, item=f"{self.who}.{thing.item}", owner=self.who)


def _hands(item: Item) -> int:
    """Return how many hands a weapon takes; 0 for other pieces."""
    return item.stats.get("hands", 0)


@ruled_as("step", "wear a piece down by steps (below 0), or bring it up", "item", "by")
class Step(Ruling, frozen=True, kw_only=True):
    """Wear a piece or an ability down, or bring it up, by a number of sizes.

    Attributes:
        item: Item id; an ability is an item too.
        by: Steps along the chain, below 0 for down.
    """

    item: ItemId
    by: Bonus = -1

    def check(self, table: Table) -> None:
        """Refuse a piece without a die, or one that is destroyed."""
        item = table.item(self.item)
        if not self.by or not item.base:
            raise Unusable("name a piece with a die, and by how many steps", "by" if item.base else "item")
        if is_destroyed(item):
            reason = f"the {item.quoted_name} is destroyed"
            raise Refused("destroyed", "WYR-045", reason, item.id, example=f"rule repair {item.id}")
        if self._size_after(table, item) == item.die:
            message = f"the {item.quoted_name} is at the end of the chain; step it the other way"
            rule = "WYR-T07" if item.kind == "ability" else "WYR-T04"
            raise Refused("no_change", rule, message, source=item.id)

    def _size_after(self, table: Table, item: Item) -> int:
        """Return the size afterwards; an ability never leaves the chain."""
        config = table.config
        top = ABILITY_TOP if item.kind == "ability" else config.chain_top
        after = move_size(config, item.die, self.by, top)
        return after if after or item.kind != "ability" else min((item.die, *list_sizes(config.chain, top)))

    def decide(self, table: Table) -> Rule[None]:
        """Change the size."""
        item = table.item(self.item)
        after = self._size_after(table, item)
        rules: tuple[Clause, ...] = ("WYR-T04", "WYR-T07") if item.kind == "ability" else ("WYR-T04",)
        yield step_to(table, self.item, after, *rules, *(("WYR-T02",) if after == TREASURE else ()))


@ruled_as("repair", "make a worn or destroyed piece whole at once", "item")
class Repair(Ruling, frozen=True, kw_only=True):
    """Make a piece whole at once, even a destroyed one; it fills its slots again."""

    item: ItemId

    def check(self, table: Table) -> None:
        """Refuse a piece without a die, an ability, and a piece that is whole."""
        item = table.item(self.item)
        if not item.base or item.kind == "ability":
            raise Unusable("name a piece with a die; an ability comes back by steps", "item")
        if item.die == item.base:
            raise Refused("at_base", "WYR-045", f"the {item.quoted_name} is whole", source=item.id)

    def decide(self, table: Table) -> Rule[None]:
        """Give the piece its base size."""
        yield step_to(table, self.item, table.item(self.item).base, "WYR-045")


@ruled_as("safe_moment", "declare a safe moment, in which the named combatants come round", "who")
class SafeMoment(Ruling, frozen=True, kw_only=True):
    """Declare a moment safe enough for the named combatants to come round."""

    who: Annotated[tuple[CombatantId, ...], Meta(min_length=1)]

    def check(self, table: Table) -> None:
        """Refuse a combatant that is dead, or not down."""
        for who in self.who:
            must_be_down(table, who, "WYR-068")

    def decide(self, table: Table) -> Rule[None]:
        """Bring the combatants round; they may act from their next turn (WYR-068)."""
        for who in dict.fromkeys(self.who):
            yield from come_round(table, who, "WYR-068")


@ruled_as("recover", "let an injured ability come back by one size after weeks of rest", "who")
class Recover(Ruling, frozen=True, kw_only=True):
    """Let an injured ability come back by one size after weeks of rest.

    Attributes:
        healer: Whether a healer halves the time, rounded up.
        weeks: Another time instead.
    """

    who: CombatantId
    ability: Literal["power", "grace", "intellect", "will"] = "power"
    healer: bool = False
    weeks: Annotated[int, Meta(ge=0, le=999)] | None = None

    def check(self, table: Table) -> None:
        """Refuse during a fight, for the dead, and for an ability that is whole."""
        must_be_alive(table, self.who, "WYR-070")
        if table.draft.phase == "downtime":
            must_await_nothing(table, "answer_pending", "WYR-070")
        if table.draft.phase != "fight_over":
            raise Refused("in_combat", "WYR-070", "nobody recovers during a fight", source=table.draft.phase)
        own = find_ability(table, self.who, self.ability)
        if own.die >= own.base:
            raise Refused(
                "at_base", "WYR-070", f"{own.quoted_name} of {table.name_of(self.who)} is whole", source=own.id
            )

    def decide(self, table: Table) -> Rule[None]:
        """Let the weeks pass and step the ability up once (WYR-070, WYR-071, WYR-072).

        It takes as many weeks as the die had sides.
        """
        own = find_ability(table, self.who, self.ability)
        helped = self.healer or self.weeks is not None
        usual = (own.die + 1) // 2 if self.healer else own.die
        weeks = usual if self.weeks is None else self.weeks
        rules: tuple[Clause, ...] = ("WYR-070", "WYR-072") if helped else ("WYR-070", "WYR-071")
        yield set_clock(table, "weeks", table.draft.clock(own.id, "weeks") + weeks, *rules, owner=own.id)
        after = mend_size(table.config, own.die, own.base)
        yield DieStepped(item=own.id, before=own.die, after=after, rules=rules)

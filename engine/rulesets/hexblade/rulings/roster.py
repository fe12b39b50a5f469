"""Rulings on the roster, initiative, budgets, waivers, turns and places."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import change_pool
from affray.engine.core.coordinates import cell_label
from affray.engine.core.effects import Rule
from affray.engine.core.references import must_be_a_count
from affray.engine.core.state import Place as Ground
from affray.engine.errors import Unusable
from affray.engine.kit.hexes import hex_direction, hex_neighbours
from affray.engine.kit.rulings import positions, turns
from affray.engine.kit.rulings.joining import Joining, Newcomers
from affray.engine.kit.rulings.values import BRIEF, Change, Count
from affray.engine.kit.sheets import is_pc
from affray.engine.kit.turn_order import find_place_in_order
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.encounter.file import Spec, Stock
from affray.engine.rulesets.hexblade.encounter.setup import NoRoom, enter, note_definitions, read_definitions
from affray.engine.rulesets.hexblade.marks import ALLOWED, INITIATIVE
from affray.engine.rulesets.hexblade.movement.board import find_other_in, is_on_board
from affray.engine.rulesets.hexblade.movement.positions import release_distant_grips
from affray.engine.rulesets.hexblade.sheet import is_able, refusal
from affray.engine.rulesets.hexblade.tables import Spell, Weapon
from affray.engine.rulesets.hexblade.turns.order import (
    WAIVABLE,
    cite_ties,
    find_initiative,
    must_have_turn,
    rank_turn,
)
from affray.events import (
    Clause,
    CombatantId,
    Event,
    Moved,
    NewCombatantId,
    OrderSet,
    PlaceId,
    PlaceSet,
    SideTrait,
    Slot,
    StatChanged,
)


@ruled_as("join", "bring a new combatant into the fight, or one back, written as in an encounter file", "combatant")
class Join(Joining, frozen=True, kw_only=True):
    """Bring combatants into the fight, as in an encounter file, or one that left.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file, several of them, or the id of a combatant that left.
        initiative: The number in this round; by default the fixed one. A player character without one waits for
            the next roll, or rolls if initiative is being rolled.
        weapon, spell: The same as in an encounter file.
    """

    combatant: Spec | tuple[Spec, ...] | NewCombatantId
    initiative: Change | None = None
    weapon: dict[str, Weapon] = {}
    spell: dict[str, Spell] = {}

    def check(self, table: Table) -> None:
        """Refuse what an encounter file could not contain, and a hex that has no room."""
        try:
            super().check(table)
        except NoRoom as fault:
            raise refusal("HEX-071", fault.message, fault.place) from None

    def open(self, table: Table, newcomers: Sequence[Newcomers]) -> Iterator[Event]:
        """Yield the events that an encounter with these entries would begin with.

        The definitions of a concealed combatant are not noted.
        """
        weapons, spells = read_definitions(table)
        stock = Stock.of({**weapons, **self.weapon}, {**spells, **self.spell})
        definitions = list(note_definitions(self.weapon, self.spell))
        yield from () if self.is_concealed else definitions
        yield from enter([(one.entry, one.field) for one in newcomers], table, stock, self.list_taken_ids(table))

    def take_turns(self, table: Table, newcomers: Newcomers) -> Rule[None]:
        """Place newcomers in the turn order."""
        new, slots = newcomers.who, table.draft.slots
        if not slots:
            yield from (
                INITIATIVE.set_on(who, self.initiative, "HEX-006") for who in new if self.initiative is not None
            )
            return
        for who in new:
            if self.initiative is None and is_pc(table, who):
                continue
            score = self.initiative if self.initiative is not None else find_initiative(table, who)
            slots = _place_slot(table, slots, Slot(id=who, members=(who,), score=score))
        if slots != table.draft.slots:
            yield OrderSet(slots=slots, rules=("HEX-006", *cite_ties(table, slots)))


def _place_slot(table: Table, slots: tuple[Slot, ...], new: Slot) -> tuple[Slot, ...]:
    """Return an order with a new slot, behind all that come before it."""
    rank = rank_turn(table, new.id, new.score)
    at = find_place_in_order(table, slots, new, lambda slot: rank_turn(table, slot.members[0], slot.score) <= rank)
    return (*slots[:at], new, *slots[at:])


@ruled_as("initiative", "give combatants that do not roll a fixed number; several may share one", "who", "to")
class Initiative(Ruling, frozen=True, kw_only=True):
    """Give non-player characters their fixed number, from the next order on (HEX-005)."""

    who: Annotated[tuple[CombatantId, ...], Meta(min_length=1)]
    to: Count

    def check(self, table: Table) -> None:
        """Refuse player characters, who roll."""
        for who in self.who:
            if is_pc(table, who):
                raise table.refuse(who, "rolls and has no fixed number", "HEX-004")

    def decide(self, table: Table) -> Rule[None]:
        """Set the number."""
        for who in self.who:
            before = table[who].stats["initiative"]
            yield StatChanged(who=who, stat="initiative", before=before, after=self.to, rules=("HEX-005",))


@ruled_as("grant", "give actions or movement this turn, or take them away", "who", "by")
class Grant(Ruling, frozen=True, kw_only=True):
    """Give a combatant more actions or feet this turn, or take some away (HEX-009)."""

    who: CombatantId
    by: Change = 1
    pool: Literal["actions", "movement"] = "actions"

    def check(self, table: Table) -> None:
        """Refuse a combatant that does not have the turn."""
        turns.must_not_be_over(table, "HEX-001")
        must_have_turn(table, self.who)
        must_be_a_count(table, self.pool, max(0, table.pool(self.who, self.pool) + self.by), "by")

    def decide(self, table: Table) -> Rule[None]:
        """Change the budget."""
        yield change_pool(table, self.who, self.pool, self.by, "HEX-009")


@ruled_as("allow", "waive a refusal for a combatant once, such as rule=HEX-016", "who", "rule")
class Allow(Ruling, frozen=True, kw_only=True):
    """Waive a refusal for a combatant once: reach, sight, a late pack, an enemy's hex."""

    who: CombatantId
    rule: Annotated[Clause, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse a clause that cannot be waived."""
        if self.rule not in WAIVABLE:
            raise Unusable(f"can be one of {', '.join(WAIVABLE)}", "rule", known=WAIVABLE)

    def decide(self, table: Table) -> Rule[None]:
        """Note the waiver, or one more of it."""
        yield ALLOWED.set_on(self.who, ALLOWED.of(table, self.who, self.rule) + 1, self.rule, about=self.rule)


class Turn(turns.TurnRuling, frozen=True, kw_only=True):
    """Give a combatant the next turn: its own out of order, or an extra one (HEX-T49)."""

    rule: ClassVar[Clause] = "HEX-T49"

    def can_act(self, table: Table) -> bool:
        """Return whether the combatant is able, and has not fallen in this round."""
        return is_able(table, self.who)


class Place(positions.PlaceRuling, frozen=True, kw_only=True):
    """Put a combatant into another hex (HEX-071)."""

    says: ClassVar[str] = "put a combatant into another hex"

    def check(self, table: Table) -> None:
        """Refuse the slain, and a place that is no free hex of the map."""
        if table[self.who].has("slain"):
            raise table.refuse(self.who, "is slain and has left the map", "HEX-G03")
        if not is_on_board(table, self.to):
            raise Unusable("must be a hex of the map, such as 3,1", "to")
        other = find_other_in(table, self.who, self.to)
        if other:
            raise table.refuse(other, f"is at {cell_label(self.to)}, and a hex holds one combatant", "HEX-071")

    def decide(self, table: Table) -> Rule[None]:
        """Put the combatant there; grapples with combatants no longer adjacent end."""
        before = table[self.who].place
        yield Moved(who=self.who, before=before, after=self.to, rules=("HEX-071",))
        yield from release_distant_grips(table, self.who)


@ruled_as("cover", "give the side between two hexes cover, or take it away", "one", "other", "cover")
class SideCover(Ruling, frozen=True, kw_only=True):
    """Set the cover that the side between two neighbouring hexes gives; ``none`` takes it away."""

    one: PlaceId
    other: PlaceId
    cover: Literal["soft", "hard", "none"]

    def check(self, table: Table) -> None:
        """Refuse hexes that are no neighbours."""
        if hex_direction(self.one, self.other) is None:
            raise Unusable("must name two neighbouring hexes", "other")

    def decide(self, table: Table) -> Rule[None]:
        """Set the side as one of the first hex; the second hex may have it too."""
        for here, there, cover in ((self.one, self.other, self.cover), (self.other, self.one, "none")):
            known = table.draft.places.get(here, Ground(id=here))
            at = hex_neighbours(here).index(there)
            new = () if cover == "none" else (SideTrait(side=at, trait=cover),)
            sides = (*(one for one in known.side_traits if one.side != at), *new)
            if set(sides) != set(known.side_traits):
                yield PlaceSet(
                    place=here, traits=known.traits, exits=known.exits, side_traits=sides, rules=("HEX-078",)
                )

    def already(self, table: Table) -> str:
        """Say the present cover of the side."""
        between = f"{cell_label(self.one)} and {cell_label(self.other)}"
        return f"the side between {between} gives {self.cover.replace('none', 'no')} cover already"

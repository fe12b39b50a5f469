"""Moving, also out of a melee (WYR-006, WYR-009)."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from msgspec import field

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import EACH
from affray.engine.core.changes import change_pool, end_condition
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.distances import order_pair, set_distance
from affray.engine.kit.relative_moves import (
    RelativeMove,
    check_relative,
    follow_distances,
    list_distances_after,
    list_relative_candidates,
)
from affray.engine.kit.sides import list_enemies
from affray.engine.rulesets.wyrd.attack.blows import note_multiple
from affray.engine.rulesets.wyrd.attack.testing import FREE, WHICH_TEST, attempt, must_be_ability
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.sheet import is_active, must_be_active, must_be_enemy
from affray.engine.rulesets.wyrd.turns.turn import must_afford, spend
from affray.events import CombatantId, DistanceSet, Id, Moved, Option, PlaceId, StatName

from .melee import METRES, REACH, distance, engage, is_engaged, is_engaged_with, leave_melee, list_melee

STAYS = Option(choice="stays", says="there is no getting away")

OUT_OF_REACH = REACH + 1
"""The metres by which a combatant moves away from others, without places."""

WAY_OUT = Ask(of=("gm",), about="leave", options=(FREE, WHICH_TEST, STAYS), rules=("WYR-006",))


@declared_as("move", "move, out of a melee too", "to")
class Move(RelativeMove, frozen=True, kw_only=True):
    """Move: once a turn, and once more for the action.

    Attributes:
        to: The place to go to; by default the same place. The game master judges the distance.
        contact: An enemy to make contact with. Without places, ``beside`` and ``away_from`` name any combatant.
        payment: Recorded as ``pay``: ``move``, or ``action`` for a second move.
        ability: The ability to test if leaving a melee takes a test.
    """

    to: PlaceId = ""
    contact: CombatantId = ""
    payment: Annotated[Literal["move", "action"], EACH] = field(default="move", name="pay")
    ability: StatName = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, budget, the enemy, the way (WYR-006)."""
        must_be_active(table, actor)
        must_be_ability(self.ability)
        if manner == "standard" and self.payment == "action":
            must_afford(table, actor)
        elif manner == "standard" and table.pool(actor, "moves") < 1:
            raise Refused("no_move", "WYR-006", f"{table.name_of(actor)} has moved already", source=f"{actor}.moves")
        if self.contact:
            must_be_enemy(table, actor, self.contact, "WYR-006")
        if self.to:
            self._must_be_way(table, actor)
        if self.is_relative:
            self._check_relative(table, actor)
        if self.contact and (self.to or table[actor].place) != table[self.contact].place:
            raise Refused("out_of_reach", "WYR-006", f"{self.contact} is elsewhere", source=self.contact)

    def _check_relative(self, table: Table, actor: Id) -> None:
        """Refuse a relative move where there are places, or together with contact."""
        field = "beside" if self.beside else "away_from"
        if table[actor].place:
            raise Unusable("this fight has places; say where to", field)
        if self.contact:
            raise Unusable(
                f"contact brings a combatant beside the whole melee; leave this out: move contact={self.contact}", field
            )
        check_relative(table, actor, self, 0, METRES, "WYR-006")

    def _must_be_way(self, table: Table, actor: Id) -> None:
        """Refuse an unknown place, and one that no exit leads to."""
        here = table[actor].place
        if not here:
            raise Refused("no_map", "WYR-006", "this fight has no places; say with whom to make contact", source=actor)
        places = table.draft.places
        if places and self.to not in places:
            raise Unusable(f"there is no place {self.to}; there are {', '.join(places)}", "to")
        exits = places[here].exits if here in places else ()
        if exits and self.to not in (*exits, here):
            raise Refused("no_way", "WYR-006", f"from {here} one comes to {', '.join(exits)}", source=here)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse a move that is no longer possible, or that has no melee left to leave."""
        self.check(table, actor, "pending")
        if not is_engaged(table, actor):
            raise table.refuse(actor, "is engaged no more", "WYR-T22", "no_change")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the move, or the action for a second one (WYR-009)."""
        if self.payment == "action":
            yield from spend(table, actor, "WYR-009")
        else:
            yield change_pool(table, actor, "moves", -1, "WYR-006")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Leave the melee if engaged, go, and make contact.

        Moving ends ``prone`` and ``shoved``.
        """
        rule = "WYR-009" if self.payment == "action" else "WYR-006"
        if is_engaged(table, actor) and not is_engaged_with(table, actor, self.contact):
            yield Go("leave_melee", rules=(rule,))
            try:
                away = yield from self._get_away(table, actor)
            except Refused:
                if is_engaged(table, actor):
                    raise
                self.check(table, actor, "pending")
                away = True
            yield Go("away" if away else "stays", rules=(rule,))
            if not away:
                return
        else:
            yield Go("carry_out", rules=(rule,))
        if not is_engaged_with(table, actor, self.contact):
            yield from leave_melee(table, actor, rule)
        here = table[actor].place
        yield Moved(who=actor, before=here, after=self.to or here, rules=(rule,))
        for condition in ("prone", "shoved"):
            yield from end_condition(table, actor, condition, rule)
        if self.contact:
            yield from self._make_contact(table, actor)
        for other, far in (
            list_distances_after(table, actor, self, OUT_OF_REACH, METRES).items() if self.is_relative else ()
        ):
            if far != distance(table, actor, other):
                yield set_distance(table, actor, other, far, rule)

    def _get_away(self, table: Table, actor: Id) -> Rule[bool]:
        """Return whether the actor gets out of the melee: freely, by a test, or by ruling."""
        way_out: str = table.config.leave_melee
        name = self.ability
        if way_out == "gm":
            answer = yield from choice(lambda: WAY_OUT)
            way_out = answer.choice
            name = str(answer.fields.get("ability") or name)
        if way_out != "test":
            return way_out == "free"
        tested = yield from attempt(table, actor, name, tuple, "WYR-006", "WYR-T08")
        yield from note_multiple(table, tested, actor)
        return tested.succeeded

    def _make_contact(self, table: Table, actor: Id) -> Rule[None]:
        """Move beside an enemy and its melee, at their distances from all others."""
        met = {one: min(METRES.close, distance(table, actor, one)) for one in list_melee(table, self.contact)}
        for other, far in follow_distances(table, actor, met, METRES).items() if table.draft.distances else ():
            before = distance(table, actor, other)
            if far != before:
                yield DistanceSet(pair=order_pair(actor, other), before=before, after=far, rules=("WYR-006",))
        if is_active(table, self.contact):
            yield from engage(table, actor, self.contact, "WYR-006")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the places in reach, and the enemies there to make contact with."""
        match field:
            case "beside" | "away_from":
                return list_relative_candidates(table, actor, field, METRES.farthest, METRES)
            case "to":
                return ("", *list_reachable(table, actor))
            case "contact" if so_far.is_relative:
                return ("",)
            case "contact":
                there = so_far.to or table[actor].place
                return ("", *(who for who in list_enemies(table, actor) if table[who].place == there))
            case _:
                return super().values(table, actor, manner, field, so_far)


def list_reachable(table: Table, actor: Id) -> Iterable[Id]:
    """Return the places one move away: through the exits, or any other without exits."""
    here, places = table[actor].place, table.draft.places
    if not here:
        return ()
    exits = places[here].exits if here in places else ()
    return exits or [place for place in places if place != here]

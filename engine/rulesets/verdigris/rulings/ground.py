"""The zones and the melees (VER-017, VER-031)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Ruling
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.relations import bond, bonded, free_id, parted
from affray.engine.kit.rulings import BRIEF, Place
from affray.engine.rulesets.verdigris.fall import leaves_melee
from affray.engine.rulesets.verdigris.melees import with_mount
from affray.engine.rulesets.verdigris.refusing import no
from affray.engine.rulesets.verdigris.riding import rider_of
from affray.engine.rulesets.verdigris.sheet import in_play, is_mount
from affray.events import CombatantId, Moved, NewPlaceId, PlaceSet, TraitName


class Zone(Ruling, frozen=True, kw_only=True):
    """Say which zones one can go to from a zone, and what it is like; a new name makes a new zone (VER-017).

    Attributes:
        zone: Its id.
        exits: Where one can go from it, and back unless it is one-way; as before if not given.
        traits: What it is like, such as ``indoors``; as before if not given.
        one_way: Whether there is no way back.
    """

    kind: ClassVar[str] = "zone"
    says: ClassVar[str] = "say where one can go from a zone, and what it is like"
    words: ClassVar[tuple[str, ...]] = ("zone", "exits")

    zone: Annotated[NewPlaceId, BRIEF]
    exits: tuple[Annotated[NewPlaceId, BRIEF], ...] | None = None
    traits: tuple[Annotated[TraitName, BRIEF], ...] | None = None
    one_way: bool = False

    def check(self, table: Table) -> None:
        """Refuse a way to a zone that is not on the map, or to itself."""
        for exit in self.exits or ():
            if exit not in table.draft.places or exit == self.zone:
                known = ", ".join(one for one in table.draft.places if one != self.zone) or "none"
                raise Unusable(f"there is no other zone {exit}; there are {known}", "exits")

    def decide(self, table: Table) -> Rule[str]:
        """Set it, and the ways back."""
        known = table.draft.places.get(self.zone)
        exits = self.exits if self.exits is not None else known.exits if known else ()
        traits = self.traits if self.traits is not None else known.traits if known else ()
        yield PlaceSet(place=self.zone, traits=traits, exits=exits, rules=("VER-017", "VER-T19"))
        if self.exits is None or self.one_way:
            return ""
        for place in list(table.draft.places.values()):
            leads = self.zone in place.exits
            if place.id == self.zone or leads == (place.id in exits):
                continue
            back = tuple(one for one in place.exits if one != self.zone) if leads else (*place.exits, self.zone)
            yield PlaceSet(place=place.id, traits=place.traits, exits=back, rules=("VER-017",))
        return ""


class Melee(Ruling, frozen=True, kw_only=True):
    """Put combatants into one melee, out of any other: an ambush, a fall together, two melees that merge (VER-031)."""

    kind: ClassVar[str] = "melee"
    says: ClassVar[str] = "put combatants into one melee, and out of any other"
    words: ClassVar[tuple[str, ...]] = ("members",)

    members: Annotated[tuple[CombatantId, ...], Meta(min_length=2)]

    def check(self, table: Table) -> None:
        """Refuse the fallen, members of one side, or in several zones."""
        if len(set(self.members)) != len(self.members):
            raise Unusable("name each once", "members")
        fallen = next((who for who in self.members if not in_play(table, who)), "")
        if fallen:
            raise no("VER-031", f"{fallen} is out of play", fallen)
        if len({table[who].place for who in self.members}) > 1:
            raise no("VER-031", "a melee is in one zone", "members")
        if len({table[who].side for who in self.members if not is_mount(table, who)}) < 2:
            raise no("VER-031", "a melee needs somebody of each side", "members")

    def decide(self, table: Table) -> Rule[str]:
        """Let them part from where they are, and stand against each other, riders with their mounts."""
        together = {one.who: one for who in self.members for one in with_mount(table, who)}
        for who in together:
            melee = bond(table, "melee", who)
            if melee is not None:
                yield parted(melee, who, rules=("VER-031",))
        yield bonded(free_id(table, "melee"), "melee", *together.values(), rules=("VER-031", "VER-T20"))
        return ""


class Put(Place, frozen=True, kw_only=True):
    """Put a combatant into another zone, rider and mount together, out of the melee it was in (VER-017, VER-060)."""

    def decide(self, table: Table) -> Rule[str]:
        """Let it part from those it leaves behind, and stand there."""
        if table[self.who].place != self.to:
            yield from leaves_melee(table, rider_of(table, self.who) or self.who, "VER-031")
        for one in with_mount(table, self.who):
            yield Moved(who=one.who, before=table[one.who].place, after=self.to, rules=("VER-017",))
        return ""

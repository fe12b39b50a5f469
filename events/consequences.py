"""What changed: combatants, items, places, relations, marks, clocks.

Each carries the value before and after, so that the fold takes it and never computes.
"""

from __future__ import annotations

from msgspec import Struct

from .rolls import Modifier
from .root import Event, Id, Scalar


class Joined(Event, frozen=True, kw_only=True):
    """A combatant entered the fight with everything about it resolved.

    Attributes:
        who: Combatant id.
        name: For people.
        side: Combatants of different sides are enemies unless a relation says otherwise.
        stats: The sheet's numbers.
        traits: The sheet's words: skills, disciplines, flags.
        pools: Counters at the start.
        place: Zone, hex or cell; empty where the fight has no map.
    """

    who: Id
    name: str
    side: str
    stats: dict[str, int]
    pools: dict[str, int]
    traits: tuple[str, ...] = ()
    place: Id = ""


class Left(Event, frozen=True, kw_only=True):
    """A combatant is gone from the fight, body and all."""

    who: Id


class SideChanged(Event, frozen=True, kw_only=True):
    """A combatant fights for another side."""

    who: Id
    before: str
    after: str


class StatChanged(Event, frozen=True, kw_only=True):
    """A number on the sheet was corrected."""

    who: Id
    stat: str
    before: int
    after: int


class TraitChanged(Event, frozen=True, kw_only=True):
    """A word on the sheet was added or struck out."""

    who: Id
    trait: str
    present: bool


class PoolChanged(Event, frozen=True, kw_only=True):
    """A counter of a combatant moved: hit points, wounds, energy, stress, actions left.

    Attributes:
        who: Combatant id.
        pool: Name as in the combatant's sheet, such as ``health``.
        before, after: Its value on either side; never below 0.
    """

    who: Id
    pool: str
    before: int
    after: int


class Damaged(Event, frozen=True, kw_only=True):
    """Damage was reckoned; what it does to a pool follows.

    Attributes:
        who: Whom it hits.
        terms: What adds to it and what takes away, each with where it comes from.
        amount: What it comes to, never below 0.
    """

    who: Id
    terms: tuple[Modifier, ...]
    amount: int


class ConditionChanged(Event, frozen=True, kw_only=True):
    """A condition came, went, or changed its count.

    Attributes:
        who: Combatant id.
        condition: Its name.
        before, after: Its count on either side; 0 is none.
        source: What it comes from, where that matters, such as a grapple's id.
    """

    who: Id
    condition: str
    before: int
    after: int
    source: Id = ""


class ItemAdded(Event, frozen=True, kw_only=True):
    """A thing is there: a weapon, a piece of armour, a skill that is learnt.

    Attributes:
        item: Id, the owner's id and its own name.
        name: For people.
        kind: ``weapon``, ``armor``, ``skill`` …
        owner: Combatant id, or empty for a thing that lies at a place.
        where: In which hand, on the belt, worn …; empty where that does not matter.
        stats, traits: Its numbers and words.
        counters: What changes in use, such as ``loaded``.
        die, base: Size of its usage die now and when whole; 0 for none.
    """

    item: Id
    name: str
    kind: str
    owner: Id
    where: str = ""
    stats: dict[str, int] = {}
    traits: tuple[str, ...] = ()
    counters: dict[str, int] = {}
    die: int = 0
    base: int = 0


class ItemCounted(Event, frozen=True, kw_only=True):
    """A counter of an item moved: loaded, shots, rating."""

    item: Id
    counter: str
    before: int
    after: int


class ItemMoved(Event, frozen=True, kw_only=True):
    """An item changed hands or its place on the body.

    Attributes:
        item: Id.
        owner: Who has it now; empty if it lies at a place.
        before, after: Where it was and is: ``hand``, ``belt``, ``pack``, a place …
    """

    item: Id
    owner: Id
    before: str
    after: str


class DieStepped(Event, frozen=True, kw_only=True):
    """A usage die changed its size; 0 means that the item is destroyed."""

    item: Id
    before: int
    after: int


class ItemRemoved(Event, frozen=True, kw_only=True):
    """An item is gone for good."""

    item: Id


class Moved(Event, frozen=True, kw_only=True):
    """A combatant changed its place.

    Attributes:
        who: Combatant id.
        before, after: Zone, hex or cell; empty where the fight has no map.
        path: The steps between, the last one being ``after``.
        cost: What it cost, in the system's unit of length.
    """

    who: Id
    before: Id
    after: Id
    path: tuple[Id, ...] = ()
    cost: int = 0


class DistanceSet(Event, frozen=True, kw_only=True):
    """How far apart two combatants are, in a fight without a map.

    Attributes:
        pair: The two ids in alphabetical order.
        before, after: In the system's unit; ``None`` before it was first said.
    """

    pair: tuple[Id, Id]
    before: int | None
    after: int


class ViewSet(Event, frozen=True, kw_only=True):
    """How well one combatant sees another: ``clear``, ``blocked``, or a kind of cover."""

    viewer: Id
    target: Id
    before: str
    after: str


class PlaceSet(Event, frozen=True, kw_only=True):
    """A place of the map is like this now: a zone, or a cell or hex that is out of the ordinary.

    Attributes:
        place: Id.
        traits: ``difficult``, ``blocked``, ``indoors`` …; empty means ordinary.
        exits: Places one can go to from a zone.
    """

    place: Id
    traits: tuple[str, ...] = ()
    exits: tuple[Id, ...] = ()


class Member(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Somebody in a relation, and as what: ``rider``, ``mount``, ``grappler`` …"""

    who: Id
    role: str = ""


class RelationSet(Event, frozen=True, kw_only=True):
    """A relation holds between combatants: a melee, a grapple, rider and mount, a group, allies.

    Attributes:
        relation: Id.
        kind: What it is.
        members: Who is in it, in joining order; empty ends it.
    """

    relation: Id
    kind: str
    members: tuple[Member, ...]


class MarkSet(Event, frozen=True, kw_only=True):
    """A system wrote something down for itself.

    Attributes:
        owner: Combatant id, ``fight``, or whatever the note is about.
        key: Its name.
        value: What is noted; ``None`` strikes it out.
        until: When it stops to matter, for people.
    """

    owner: Id
    key: str
    value: Scalar
    until: str = ""


class ClockSet(Event, frozen=True, kw_only=True):
    """A clock shows another number: seconds, rounds to live."""

    clock: Id
    before: int
    after: int

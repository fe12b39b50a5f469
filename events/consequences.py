"""Changes of combatants, items, places, relations, marks and clocks.

Each carries the value before and after, so that the fold takes it and never computes.
"""

from msgspec import Struct

from .refs import (
    ClockId,
    CombatantId,
    ConditionName,
    CounterName,
    ItemId,
    ItemKind,
    MarkName,
    PlaceId,
    PoolName,
    PositionName,
    RelationId,
    RelationKind,
    RoleName,
    SideName,
    SourceId,
    StatName,
    SubjectId,
    Text,
    TraitName,
    ViewName,
    Words,
)
from .rolls import Modifier
from .root import Event, Scalar


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

    who: CombatantId
    name: Words
    side: SideName
    stats: dict[StatName, int]
    pools: dict[PoolName, int]
    traits: tuple[TraitName, ...] = ()
    place: PlaceId = ""


class Left(Event, frozen=True, kw_only=True):
    """A combatant is gone from the fight, body and all."""

    who: CombatantId


class SideChanged(Event, frozen=True, kw_only=True):
    """A combatant fights for another side."""

    who: CombatantId
    before: SideName
    after: SideName


class StatChanged(Event, frozen=True, kw_only=True):
    """A number on the sheet was corrected."""

    who: CombatantId
    stat: StatName
    before: int
    after: int


class TraitChanged(Event, frozen=True, kw_only=True):
    """A word on the sheet was added or struck out."""

    who: CombatantId
    trait: TraitName
    present: bool


class PoolChanged(Event, frozen=True, kw_only=True):
    """A counter of a combatant moved: hit points, wounds, energy, stress, actions left.

    Attributes:
        who: Combatant id.
        pool: Name as in the combatant's sheet, such as ``health``.
        before, after: Its value on either side; never below 0.
    """

    who: CombatantId
    pool: PoolName
    before: int
    after: int


class Damaged(Event, frozen=True, kw_only=True):
    """Damage was reckoned; what it does to a pool follows.

    Attributes:
        who: Whom it hits.
        terms: What adds to it and what takes away, each with where it comes from.
        amount: What it comes to, never below 0.
    """

    who: CombatantId
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

    who: CombatantId
    condition: ConditionName
    before: int
    after: int
    source: SourceId = ""


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

    item: ItemId
    name: Words
    kind: ItemKind
    owner: CombatantId
    where: PositionName = ""
    stats: dict[StatName, int] = {}
    traits: tuple[TraitName, ...] = ()
    counters: dict[CounterName, int] = {}
    die: int = 0
    base: int = 0


class ItemCounted(Event, frozen=True, kw_only=True):
    """A counter of an item moved: loaded, shots, rating."""

    item: ItemId
    counter: CounterName
    before: int
    after: int


class ItemMoved(Event, frozen=True, kw_only=True):
    """An item changed hands or its place on the body.

    Attributes:
        item: Id.
        owner: Who has it now; empty if it lies at a place.
        before, after: Where it was and is: ``hand``, ``belt``, ``pack``, a place …
    """

    item: ItemId
    owner: CombatantId
    before: PositionName
    after: PositionName


class DieStepped(Event, frozen=True, kw_only=True):
    """A usage die changed its size; 0 means that the item is destroyed."""

    item: ItemId
    before: int
    after: int


class ItemRemoved(Event, frozen=True, kw_only=True):
    """An item is gone for good."""

    item: ItemId


class Moved(Event, frozen=True, kw_only=True):
    """A combatant changed its place.

    Attributes:
        who: Combatant id.
        before, after: Zone, hex or cell; empty where the fight has no map.
        path: The steps between, the last one being ``after``.
        cost: What it cost, in the system's unit of length.
    """

    who: CombatantId
    before: PlaceId
    after: PlaceId
    path: tuple[PlaceId, ...] = ()
    cost: int = 0


class DistanceSet(Event, frozen=True, kw_only=True):
    """How far apart two combatants are, in a fight without a map.

    Attributes:
        pair: The two ids in alphabetical order.
        before, after: In the system's unit; ``None`` before it was first said.
    """

    pair: tuple[CombatantId, CombatantId]
    before: int | None
    after: int


class ViewSet(Event, frozen=True, kw_only=True):
    """How well one combatant sees another: ``clear``, ``blocked``, or a kind of cover."""

    viewer: CombatantId
    target: CombatantId
    before: ViewName
    after: ViewName


class PlaceSet(Event, frozen=True, kw_only=True):
    """A place of the map is like this now: a zone, or a cell or hex that is out of the ordinary.

    Attributes:
        place: Id.
        traits: ``difficult``, ``blocked``, ``indoors`` …; empty means ordinary.
        exits: Places one can go to from a zone.
    """

    place: PlaceId
    traits: tuple[TraitName, ...] = ()
    exits: tuple[PlaceId, ...] = ()


class Member(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Somebody in a relation, and as what: ``rider``, ``mount``, ``grappler`` …"""

    who: CombatantId
    role: RoleName = ""


class RelationSet(Event, frozen=True, kw_only=True):
    """A relation holds between combatants: a melee, a grapple, rider and mount, a group, allies.

    Attributes:
        relation: Id.
        kind: What it is.
        members: Who is in it, in joining order; empty ends it.
    """

    relation: RelationId
    kind: RelationKind
    members: tuple[Member, ...]


class MarkSet(Event, frozen=True, kw_only=True):
    """A system wrote something down for itself.

    Attributes:
        owner: Combatant id, ``fight``, or whatever the note is about.
        key: Its name.
        value: What is noted; ``None`` strikes it out.
        until: When it stops to matter, for people.
    """

    owner: SubjectId
    key: MarkName
    value: Scalar
    until: Text = ""


class ClockSet(Event, frozen=True, kw_only=True):
    """A clock shows another number: seconds, rounds to live."""

    clock: ClockId
    before: int
    after: int

"""Changes of combatants, items, places, relations, marks and clocks.

Each carries the value before and after, so that the fold takes it and never computes.
"""

from typing import Literal

from msgspec import Struct

from . import refs
from .rolls import Modifier
from .root import Event, Scalar

Moment = Literal["end of round", "end of own turn", "start of own turn", "end of fight"]
"""With what a condition can end."""


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

    who: refs.CombatantId
    name: refs.Words
    side: refs.SideName
    stats: dict[refs.StatName, int]
    pools: dict[refs.PoolName, int]
    traits: tuple[refs.TraitName, ...] = ()
    place: refs.PlaceId = ""


class Left(Event, frozen=True, kw_only=True):
    """A combatant is gone from the fight, body and all."""

    who: refs.CombatantId


class SideChanged(Event, frozen=True, kw_only=True):
    """A combatant fights for another side."""

    who: refs.CombatantId
    before: refs.SideName
    after: refs.SideName


class StatChanged(Event, frozen=True, kw_only=True):
    """A number on the sheet was corrected."""

    who: refs.CombatantId
    stat: refs.StatName
    before: int
    after: int


class TraitChanged(Event, frozen=True, kw_only=True):
    """A word on the sheet was added or struck out."""

    who: refs.CombatantId
    trait: refs.TraitName
    present: bool


class PoolChanged(Event, frozen=True, kw_only=True):
    """A counter of a combatant moved: hit points, wounds, energy, stress, actions left.

    Attributes:
        who: Combatant id.
        pool: Name as in the combatant's sheet, such as ``health``.
        before, after: Its value on either side; never below 0.
    """

    who: refs.CombatantId
    pool: refs.PoolName
    before: int
    after: int


class Damaged(Event, frozen=True, kw_only=True):
    """Damage was reckoned; what it does to a pool follows.

    Attributes:
        who: Whom it hits.
        terms: What adds to it and what takes away, each with where it comes from.
        amount: What it comes to, never below 0.
    """

    who: refs.CombatantId
    terms: tuple[Modifier, ...]
    amount: int


class Ending(Struct, frozen=True, gc=False, omit_defaults=True):
    """When a condition ends by itself; with the fight at the latest.

    Attributes:
        moment: With what it ends; one's own turn is the bearer's.
        round: In which round; 0 where it ends with the fight.
    """

    moment: Moment
    round: int = 0


class ConditionChanged(Event, frozen=True, kw_only=True):
    """A condition came, went, or changed its count or its end.

    Attributes:
        who: Combatant id.
        condition: Its name.
        before, after: Its count on either side; 0 is none.
        source: What it comes from, where that matters, such as a grapple's id.
        ends: When it ends by itself; ``None`` if it lasts until something ends it, or is gone.
    """

    who: refs.CombatantId
    condition: refs.ConditionName
    before: int
    after: int
    source: refs.SourceId = ""
    ends: Ending | None = None


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

    item: refs.ItemId
    name: refs.Words
    kind: refs.ItemKind
    owner: refs.CombatantId
    where: refs.PositionName = ""
    stats: dict[refs.StatName, int] = {}
    traits: tuple[refs.TraitName, ...] = ()
    counters: dict[refs.CounterName, int] = {}
    die: int = 0
    base: int = 0


class ItemCounted(Event, frozen=True, kw_only=True):
    """A counter of an item moved: loaded, shots, rating."""

    item: refs.ItemId
    counter: refs.CounterName
    before: int
    after: int


class ItemMoved(Event, frozen=True, kw_only=True):
    """An item changed hands or its place on the body.

    Attributes:
        item: Id.
        owner: Who has it now; empty if it lies at a place.
        before, after: Where it was and is: ``hand``, ``belt``, ``pack``, a place …
    """

    item: refs.ItemId
    owner: refs.CombatantId
    before: refs.PositionName
    after: refs.PositionName


class DieStepped(Event, frozen=True, kw_only=True):
    """A usage die changed its size; 0 means that the item is destroyed."""

    item: refs.ItemId
    before: int
    after: int


class ItemRemoved(Event, frozen=True, kw_only=True):
    """An item is gone for good."""

    item: refs.ItemId


class Moved(Event, frozen=True, kw_only=True):
    """A combatant changed its place.

    Attributes:
        who: Combatant id.
        before, after: Zone, hex or cell; empty where the fight has no map.
        path: The steps between, the last one being ``after``.
        cost: What it cost, in the system's unit of length.
    """

    who: refs.CombatantId
    before: refs.PlaceId
    after: refs.PlaceId
    path: tuple[refs.PlaceId, ...] = ()
    cost: int = 0


class DistanceSet(Event, frozen=True, kw_only=True):
    """How far apart two combatants are, in a fight without a map.

    Attributes:
        pair: The two ids in alphabetical order.
        before, after: In the system's unit; ``None`` before it was first said.
    """

    pair: tuple[refs.CombatantId, refs.CombatantId]
    before: int | None
    after: int


class ViewSet(Event, frozen=True, kw_only=True):
    """How well one combatant sees another: ``clear``, ``blocked``, or a kind of cover."""

    viewer: refs.CombatantId
    target: refs.CombatantId
    before: refs.ViewName
    after: refs.ViewName


class PlaceSet(Event, frozen=True, kw_only=True):
    """A place of the map is like this now: a zone, or a cell or hex that is out of the ordinary.

    Attributes:
        place: Id.
        traits: ``difficult``, ``blocked``, ``indoors`` …; empty means ordinary.
        exits: Places one can go to from a zone.
    """

    place: refs.PlaceId
    traits: tuple[refs.TraitName, ...] = ()
    exits: tuple[refs.PlaceId, ...] = ()


class Member(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Somebody in a relation, and as what: ``rider``, ``mount``, ``grappler`` …"""

    who: refs.CombatantId
    role: refs.RoleName = ""


class RelationSet(Event, frozen=True, kw_only=True):
    """A relation holds between combatants: a melee, a grapple, rider and mount, a group, allies.

    Attributes:
        relation: Id.
        kind: What it is.
        members: Who is in it, in joining order; empty ends it.
    """

    relation: refs.RelationId
    kind: refs.RelationKind
    members: tuple[Member, ...]


class MarkSet(Event, frozen=True, kw_only=True):
    """A system wrote something down for itself.

    Attributes:
        owner: Combatant id, ``fight``, or whatever the note is about.
        key: Its name.
        value: What is noted; ``None`` strikes it out.
        until: When it stops to matter, for people.
    """

    owner: refs.SubjectId
    key: refs.MarkName
    value: Scalar
    until: refs.Text = ""


class ClockSet(Event, frozen=True, kw_only=True):
    """A clock shows another number: seconds, rounds to live."""

    clock: refs.ClockId
    before: int
    after: int

"""Changes of combatants, items, places, relations, marks and clocks.

Each event carries the value before and after, so that the fold takes it and never computes.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from . import refs
from .rolls import Modifier
from .root import Event, MarkPart, Scalar

Moment = Literal["end of round", "end of own turn", "start of own turn", "end of fight"]
"""The moments at which a condition can end."""


class Feature(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A property of a thing that a word alone cannot say, such as the ammunition that it shoots.

    Attributes:
        kind: The kind of property: ``shoots``, ``needs``, ``adds`` …
        of: The word of the rules that it is about, such as ``arrow``.
        parts: Further parts, by name; the rule system owns their struct.
    """

    kind: refs.TraitName
    of: refs.Text = ""
    parts: Mapping[refs.Text, bool | int | refs.Text | tuple[refs.Text, ...] | None] = {}


def find_word(trait: refs.TraitName | Feature) -> refs.TraitName:
    """Return the word of a trait: of a feature, its kind."""
    return trait.kind if isinstance(trait, Feature) else trait


class Joined(Event, frozen=True, kw_only=True):
    """A combatant entered the fight with everything about it resolved.

    Attributes:
        who: Combatant id.
        name: The name that people read.
        side: The side's name. Combatants of different sides are enemies unless a relation says otherwise.
        stats: The sheet's numbers.
        traits: The sheet's words: skills, disciplines, flags. A feature is one that names a second thing: a class.
        pools: Counters at the start.
        place: Zone, hex or cell; empty where the fight has no map.
    """

    who: refs.CombatantId
    name: refs.Words
    side: refs.SideName
    stats: dict[refs.StatName, int]
    pools: dict[refs.PoolName, int]
    traits: tuple[refs.TraitName | Feature, ...] = ()
    place: refs.PlaceId = ""


class Left(Event, frozen=True, kw_only=True):
    """A combatant is gone from the fight, including its body."""

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
    """A word or a feature on the sheet was added or struck out."""

    who: refs.CombatantId
    trait: refs.TraitName | Feature
    present: bool


class PoolChanged(Event, frozen=True, kw_only=True):
    """A counter of a combatant changed: hit points, wounds, energy, actions left.

    Attributes:
        who: Combatant id.
        pool: Name as in the combatant's sheet, such as ``health``.
        before, after: Its value before and after the change; never below 0.
    """

    who: refs.CombatantId
    pool: refs.PoolName
    before: int
    after: int


class Damaged(Event, frozen=True, kw_only=True):
    """Damage was computed; the change of a pool follows as another event.

    Attributes:
        who: Id of the combatant that is hit.
        terms: The numbers added and subtracted, each with its source.
        amount: Their sum, never below 0.
    """

    who: refs.CombatantId
    terms: tuple[Modifier, ...]
    amount: int


class Ending(Struct, frozen=True, gc=False, omit_defaults=True):
    """The moment a condition expires; at the latest the end of the fight.

    Attributes:
        moment: The kind of moment. "Own turn" is the turn of the combatant that has the condition.
        round: The round of that moment; 0 for the end of the fight.
    """

    moment: Moment
    round: int = 0


class ConditionChanged(Event, frozen=True, kw_only=True):
    """A condition came, went, or changed its count or its end.

    Attributes:
        who: Combatant id.
        condition: Its name.
        before, after: Its count before and after the change; 0 is none.
        source: The cause, where it matters, such as a grapple's id.
        ends: The moment when it expires; ``None`` if it has no set end, or is gone.
    """

    who: refs.CombatantId
    condition: refs.ConditionName
    before: int
    after: int
    source: refs.SourceId = ""
    ends: Ending | None = None


class ItemAdded(Event, frozen=True, kw_only=True):
    """A thing is in the fight: a weapon, a piece of armour, a skill that is learnt.

    Attributes:
        item: Id: the owner's id and the item's name.
        name: The name that people read.
        kind: ``weapon``, ``armor``, ``skill`` …
        owner: Combatant id, or empty for a thing that lies at a place.
        where: The position on the body: in a hand, on the belt, worn …; empty where it does not matter.
        stats, traits: Its numbers and words.
        features: Its properties that are more than a word.
        counters: Values that change in use, such as ``loaded``.
        die, base: The size of its usage die, now and undamaged; 0 for none.
    """

    item: refs.ItemId
    name: refs.Words
    kind: refs.ItemKind
    owner: refs.CombatantId
    where: refs.PositionName = ""
    stats: dict[refs.StatName, int] = {}
    traits: tuple[refs.TraitName, ...] = ()
    features: tuple[Feature, ...] = ()
    counters: dict[refs.CounterName, int] = {}
    die: int = 0
    base: int = 0


class ItemCounted(Event, frozen=True, kw_only=True):
    """A counter of an item changed: loaded, shots, rating."""

    item: refs.ItemId
    counter: refs.CounterName
    before: int
    after: int


class ItemMoved(Event, frozen=True, kw_only=True):
    """An item changed its owner or its place on the body.

    Attributes:
        item: The item's id.
        owner: The new owner's id; empty if the item lies at a place.
        before, after: The position before and after: ``hand``, ``belt``, ``pack``, a place …
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
        path: The steps from ``before``, ending with ``after``.
        cost: The movement spent, in the system's unit of length.
    """

    who: refs.CombatantId
    before: refs.PlaceId
    after: refs.PlaceId
    path: tuple[refs.PlaceId, ...] = ()
    cost: int = 0


class DistanceSet(Event, frozen=True, kw_only=True):
    """The distance between two combatants, in a fight without a map.

    Attributes:
        pair: The two ids in alphabetical order.
        before, after: The distance in the system's unit; ``None`` where none was set before.
    """

    pair: tuple[refs.CombatantId, refs.CombatantId]
    before: int | None
    after: int


class ViewSet(Event, frozen=True, kw_only=True):
    """The view one combatant has of another: ``clear``, ``blocked``, or a cover."""

    viewer: refs.CombatantId
    target: refs.CombatantId
    before: refs.ViewName
    after: refs.ViewName


class SideTrait(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A trait of one side of a hex, such as cover along it.

    Attributes:
        side: The number of the side, from 0 to 5, in the order of the neighbouring hexes.
        trait: The word of the rules.
    """

    side: int
    trait: refs.TraitName


class PlaceSet(Event, frozen=True, kw_only=True):
    """The traits of a zone changed, or those of an unusual cell or hex.

    Attributes:
        place: The place's id.
        traits: ``difficult``, ``blocked``, ``indoors`` …; empty means ordinary.
        exits: The places that a zone leads to.
        side_traits: The traits of the sides of a hex.
    """

    place: refs.PlaceId
    traits: tuple[refs.TraitName, ...] = ()
    exits: tuple[refs.PlaceId, ...] = ()
    side_traits: tuple[SideTrait, ...] = ()


class Member(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A combatant in a relation, with its role: ``rider``, ``mount``, ``grappler`` …"""

    who: refs.CombatantId
    role: refs.RoleName = ""


class RelationSet(Event, frozen=True, kw_only=True):
    """A relation between combatants: a melee, a grapple, rider and mount, a group.

    Attributes:
        relation: The relation's id.
        kind: The kind of relation.
        members: The members' ids, in joining order; empty ends the relation.
    """

    relation: refs.RelationId
    kind: refs.RelationKind
    members: tuple[Member, ...]


class MarkSet(Event, frozen=True, kw_only=True):
    """A rule system stored a value for its own use, or a struct.

    Attributes:
        owner: Combatant id, ``fight``, or another subject of the mark.
        key: The mark's name.
        about: What it is about, where a subject can have several of that name, such as one for each waived clause.
        value: The value stored: one, or a list of ids. ``None`` removes the mark, unless it has parts.
        parts: The fields of the struct that is stored, each by its name. The rule system owns the struct.
        until: The moment when it stops to matter, as a text for people.
    """

    owner: refs.SubjectId
    key: refs.MarkName
    about: refs.MarkTopic = ""
    value: Scalar | tuple[str, ...]
    parts: Mapping[str, MarkPart] = {}
    until: refs.Text = ""


class ClockSet(Event, frozen=True, kw_only=True):
    """A clock shows another number: seconds, or rounds to live.

    Attributes:
        clock: The kind of clock.
        owner: The combatant or thing that it runs for; empty for the fight.
        about: What it is about, where an owner can have several of a kind, such as an injury.
        before, after: The number before and after.
    """

    clock: refs.ClockName
    owner: refs.SubjectId = ""
    about: refs.Text = ""
    before: int
    after: int

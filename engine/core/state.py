"""The state of a fight, the same for every rule system.

It is frozen; only the fold makes it.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from affray.engine.texts import name_said
from affray.events import (
    STRUCTURED,
    AnySource,
    Dice,
    Ending,
    Feature,
    FoeDetail,
    Id,
    MarkPart,
    Member,
    Option,
    PlayerUndo,
    Scalar,
    SideTrait,
    Slot,
    refs,
    topic_of,
    write_clock,
    write_feature,
    write_field,
    write_mark,
    write_side,
    write_source,
    write_trait,
)


class Combatant(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A combatant.

    Attributes:
        stats, traits: The sheet's numbers and words.
        pools: Counters: hit points, energy, actions left.
        conditions: The count of each condition, by source (``""`` if the source does not matter).
        endings: The moment at which a condition expires, by condition and source; absent without one.
        place: Zone, hex or cell; empty without a map.
    """

    id: refs.CombatantId
    name: refs.Words
    side: refs.SideName
    stats: Mapping[refs.StatName, int] = {}
    traits: tuple[refs.TraitName | Feature, ...] = ()
    pools: Mapping[refs.PoolName, int] = {}
    conditions: Mapping[refs.ConditionName, Mapping[refs.SourceId, int]] = {}
    endings: Mapping[refs.ConditionName, Mapping[refs.SourceId, Ending]] = {}
    place: refs.PlaceId = ""

    @property
    def quoted_name(self) -> str:
        """Return the name for a sentence; see ``name_said``."""
        return name_said(self.name)

    def has(self, condition: str) -> bool:
        """Tell whether the combatant has a condition."""
        return condition in self.conditions

    def ending(self, condition: str, source: Id = "") -> Ending | None:
        """Return the ending of a condition from a source; ``None`` if it has none."""
        return self.endings.get(condition, {}).get(source)


class Item(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A thing: a weapon, armour, a learnt skill. See ``ItemAdded`` for the attributes."""

    id: refs.ItemId
    name: refs.Words
    kind: refs.ItemKind
    owner: refs.CombatantId = ""
    where: refs.PositionName = ""
    stats: Mapping[refs.StatName, int] = {}
    traits: tuple[refs.TraitName, ...] = ()
    features: tuple[Feature, ...] = ()
    counters: Mapping[refs.CounterName, int] = {}
    die: int = 0
    base: int = 0

    @property
    def quoted_name(self) -> str:
        """Return the name for a sentence; see ``name_said``."""
        return name_said(self.name)

    def list_features(self, kind: str) -> tuple[str, ...]:
        """List the words that its features of a kind are about, such as the ammunition it ``shoots``."""
        return tuple([one.of for one in self.features if one.kind == kind]) if self.features else ()


class Relation(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A relation: a melee, a grapple, rider and mount, a group, allies."""

    id: refs.RelationId
    kind: refs.RelationKind
    members: tuple[Member, ...]


class Place(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A zone, or an unusual cell or hex."""

    id: refs.PlaceId
    traits: tuple[refs.TraitName, ...] = ()
    exits: tuple[refs.PlaceId, ...] = ()
    side_traits: tuple[SideTrait, ...] = ()


class Pending(Struct, frozen=True, omit_defaults=True, gc=False):
    """A declared action that is not resolved yet.

    ``kind`` and ``params`` together are an action of the ruleset.

    Attributes:
        confided: Whether it holds free text by a sender who knew of a concealed combatant.
    """

    id: refs.PendingId
    actor: refs.CombatantId
    kind: refs.ActionName
    params: Raw
    manner: refs.MannerName
    tags: tuple[refs.TraitName, ...] = ()
    targets: tuple[refs.CombatantId, ...] = ()
    confided: bool = False


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A choice that the rules wait for."""

    id: refs.QuestionId
    of: tuple[refs.CombatantId, ...]
    about: refs.TopicName
    options: tuple[Option, ...]
    sources: tuple[AnySource, ...] = ()

    @property
    def topic(self) -> str:
        """The kind of choice, without its subject."""
        return topic_of(self.about).replace("_", " ")


class Awaited(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Real dice that the rules wait for."""

    roll: refs.RollId
    by: refs.CombatantId
    purpose: refs.PurposeName
    dice: tuple[Dice, ...]
    sources: tuple[AnySource, ...] = ()


class Postponed(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A question or request for dice that waits until a later one is settled."""

    question: Question | None = None
    awaited: Awaited | None = None

    @property
    def id(self) -> Id:
        """The id of the question or of the roll."""
        return self.question.id if self.question else self.awaited.roll if self.awaited else ""


class Window(Struct, frozen=True, omit_defaults=True, gc=False):
    """An open window, and the combatants ``to`` that may still answer."""

    id: refs.WindowId
    to: tuple[refs.CombatantId, ...]
    what: refs.TriggerName


V = TypeVar("V")

MarksBy = Mapping[refs.MarkName, Mapping[refs.MarkTopic, V]]
"""The marks of a subject, by key and by what each is about."""


class State(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The state of a fight at one moment.

    Attributes:
        phases: The fight's own phase under ``""``, and that of each pending action under its id.
        slots: The turn order. ``up`` is the active slot, ``acting`` lists its members that still have a turn.
        stack: The pending actions; the last one resolves next.
        postponed: Questions and requests for dice beneath ``question`` and ``awaited``; the last one comes back next.
        standing: The frequency with which a combatant is asked in windows: ``worthwhile``, ``targeted`` or ``never``;
            absent for always.
        stops: The setting for when the table stops, by kind of window; under ``""`` for all other kinds.
        patience: The timeout in seconds after which a window passes for those asked; 0 for none.
        counts: The number of declarations of each actor in this round, by kind (``ilse/attack.``) in dice scheme 2;
            also the turns of each slot, and the windows about each pending action.
        dice_scheme: As in ``FightOpened``.
        format: The format that the fight was opened in; 0 before.
        distances: The distance of each pair, by the alphabetically first and by the other, in a fight without a map.
        views: The view by viewer and target, if it is not clear.
        marks: The values that a system stored, by owner, by key, and by what each is about.
        mark_parts: The fields of the structs that a system stored, likewise.
        clocks: The numbers that clocks show, by owner, by kind, and by what each is about.
        dice_sources: The dice source of a combatant, or of ``*``; absent for the engine.
        side_dice: The dice source of a side; that of a combatant takes precedence.
        player_undo: Whether a player's undo of fallen dice waits for the game master's ``consent``, or is ``free``.
        departed: The combatants that left, as they were then; their things stay theirs until they are taken.
        concealed: The combatants that only their players and the game master know of.
        veiled: The hidden counters of each combatant, each with the value that counts as unhurt.
        foes: What players read of combatants that are not on a side of ``heroes``.
        heroes: The sides of the players; empty if ``foes`` was never set.
    """

    system: refs.Text = ""
    version: refs.Text = ""
    fight: refs.Words = ""
    config: Mapping[str, Scalar | tuple[str, ...]] = {}
    phases: Mapping[refs.PendingId, refs.PhaseName] = {}
    round: int = 0
    combatants: Mapping[refs.CombatantId, Combatant] = {}
    items: Mapping[refs.ItemId, Item] = {}
    relations: Mapping[refs.RelationId, Relation] = {}
    places: Mapping[refs.PlaceId, Place] = {}
    distances: Mapping[refs.CombatantId, Mapping[refs.CombatantId, int]] = {}
    views: Mapping[refs.CombatantId, Mapping[refs.CombatantId, refs.ViewName]] = {}
    marks: Mapping[refs.SubjectId, MarksBy[Scalar | tuple[str, ...]]] = {}
    mark_parts: Mapping[refs.SubjectId, MarksBy[Mapping[str, MarkPart]]] = {}
    clocks: Mapping[refs.SubjectId, Mapping[refs.ClockName, Mapping[refs.Text, int]]] = {}
    slots: tuple[Slot, ...] = ()
    up: refs.SlotId = ""
    acting: tuple[refs.CombatantId, ...] = ()
    stack: tuple[Pending, ...] = ()
    counts: Mapping[refs.CombatantId, int] = {}
    question: Question | None = None
    awaited: Awaited | None = None
    postponed: tuple[Postponed, ...] = ()
    window: Window | None = None
    standing: Mapping[refs.CombatantId, str] = {}
    stops: Mapping[refs.TriggerName, str] = {}
    patience: int = 0
    dice_scheme: int = 1
    format: int = 0
    dice_generation: int = 0
    dice_sources: Mapping[refs.CombatantId, str] = {}
    side_dice: Mapping[refs.SideName, str] = {}
    player_undo: PlayerUndo = "consent"
    ended: bool = False
    victors: refs.SideName = ""
    allied_victors: tuple[refs.SideName, ...] = ()
    departed: Mapping[refs.CombatantId, Combatant] = {}
    concealed: tuple[refs.CombatantId, ...] = ()
    veiled: Mapping[refs.CombatantId, Mapping[refs.PoolName, int]] = {}
    foes: FoeDetail = "open"
    heroes: tuple[refs.SideName, ...] = ()

    @property
    def phase(self) -> str:
        """The present phase: that of the pending action on top, or the fight's own."""
        return self.phases.get(self.stack[-1].id if self.stack else "", "")

    @property
    def quiet(self) -> bool:
        """True if nothing is pending, asked or awaited.

        Then the state alone determines how the fight goes on.
        """
        return not self.stack and self.question is None and self.awaited is None and self.window is None


def digest(state: State) -> str:
    """Compute the SHA-256 of the state's canonical encoding, as hex.

    Equal histories have equal digests. ``departed`` and ``format`` are left out, and a fight that was opened in an
    earlier format is encoded as it was then, so that earlier digests stay valid.
    """
    then = replace(state, departed={}, format=0)
    if state.format < STRUCTURED:
        then = _write_as_then(then)
    return sha256(msgspec.json.encode(then, order="deterministic")).hexdigest()


def _write_as_then(state: State) -> State:
    """Return a state as it was before formats held structs."""
    items = {
        id: replace(one, traits=(*one.traits, *map(write_feature, one.features)), features=()) if one.features else one
        for id, one in state.items.items()
    }
    people = {id: replace(one, traits=tuple(map(write_trait, one.traits))) for id, one in state.combatants.items()}
    marks: dict[Id, dict[str, object]] = {}
    for owner in (*state.marks, *(one for one in state.mark_parts if one not in state.marks)):
        held = [*state.marks.get(owner, {}).items(), *state.mark_parts.get(owner, {}).items()]
        marks[owner] = dict(write_mark(key, about, value) for key, by in held for about, value in by.items())
    places = {
        id: replace(one, traits=(*one.traits, *map(write_side, one.side_traits)), side_traits=())
        if one.side_traits
        else one
        for id, one in state.places.items()
    }
    postponed = [
        replace(one, question=_write_question(one.question), awaited=_write_awaited(one.awaited))
        for one in state.postponed
    ]
    return replace(
        state,
        combatants=people,
        items=items,
        places=places,
        distances=_write_pairs(state.distances, "|"),
        views=_write_pairs(state.views, ">"),
        marks=marks,
        mark_parts={},
        clocks=_write_clocks(state),
        question=_write_question(state.question),
        awaited=_write_awaited(state.awaited),
        postponed=tuple(postponed),
    )


def _write_pairs(table: Mapping[Id, Mapping[Id, Any]], between: str) -> dict[Id, Any]:
    """Return a table of pairs of combatants as earlier formats held it."""
    return {f"{one}{between}{other}": value for one, by in table.items() for other, value in by.items()}


def _write_clocks(state: State) -> dict[Id, Any]:
    """Return the clocks as earlier formats held them."""
    kinds = [(owner, clock, by) for owner, held in state.clocks.items() for clock, by in held.items()]
    return {write_clock(owner, clock, about): value for owner, clock, by in kinds for about, value in by.items()}


def _write_question(one: Question | None) -> Question | None:
    """Return a question with fields named after combatants, as earlier formats held it."""
    if one is None:
        return None
    options = []
    for option in one.options:
        fields = [replace(field, name=write_field(field.about, field.name), about="") for field in option.fields]
        options.append(replace(option, fields=tuple(fields)))
    return replace(one, options=tuple(options), sources=tuple(map(write_source, one.sources)))


def _write_awaited(one: Awaited | None) -> Awaited | None:
    return one and replace(one, sources=tuple(map(write_source, one.sources)))

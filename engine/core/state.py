"""The state of a fight, the same for every rule system. It is frozen; only the fold makes it."""

from collections.abc import Mapping
from hashlib import sha256

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from affray.engine.texts import name_said
from affray.events import Dice, Ending, Id, Member, Option, PlayerUndo, Scalar, Slot, refs, topic_of


class Combatant(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A combatant.

    Attributes:
        stats, traits: The sheet's numbers and words.
        pools: Counters: hit points, energy, actions left.
        conditions: Per condition its count by source (``""`` where the source does not matter).
        endings: Per condition and source when it ends by itself, if it does.
        place: Zone, hex or cell; empty without a map.
    """

    id: refs.CombatantId
    name: refs.Words
    side: refs.SideName
    stats: Mapping[refs.StatName, int] = {}
    traits: tuple[refs.TraitName, ...] = ()
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
        """Return the end of a condition from a source; ``None`` if it has none."""
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
    counters: Mapping[refs.CounterName, int] = {}
    die: int = 0
    base: int = 0

    @property
    def quoted_name(self) -> str:
        """Return the name for a sentence; see ``name_said``."""
        return name_said(self.name)


class Relation(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A melee, a grapple, rider and mount, a group, allies."""

    id: refs.RelationId
    kind: refs.RelationKind
    members: tuple[Member, ...]


class Place(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A zone, or a cell or hex that is out of the ordinary."""

    id: refs.PlaceId
    traits: tuple[refs.TraitName, ...] = ()
    exits: tuple[refs.PlaceId, ...] = ()


class Pending(Struct, frozen=True, omit_defaults=True, gc=False):
    """A declared, unresolved action; ``kind`` and ``params`` together are one of the ruleset's.

    Attributes:
        confided: Whether it holds words of somebody who knew of a concealed combatant.
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
    """A choice the rules wait for."""

    id: refs.QuestionId
    of: tuple[refs.CombatantId, ...]
    about: refs.TopicName
    options: tuple[Option, ...]

    @property
    def topic(self) -> str:
        """The kind of choice, without whom it is about."""
        return topic_of(self.about).replace("_", " ")


class Awaited(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Real dice the rules wait for."""

    roll: refs.RollId
    by: refs.CombatantId
    purpose: refs.PurposeName
    dice: tuple[Dice, ...]


class Postponed(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A question or real dice that wait until what a ruling put on top has been settled."""

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


class State(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A fight at one moment.

    Attributes:
        phases: The fight's own phase under ``""``, and that of each pending action under its id.
        slots: The turn order. ``up`` is the slot whose turn it is, ``acting`` those of it who still have one.
        stack: What is declared and unresolved; the last one resolves next.
        postponed: What is asked or awaited beneath ``question`` and ``awaited``; the last one comes back next.
        standing: Who wants to be asked only when ``worthwhile`` or ``targeted``, or ``never``.
        stops: Per kind of window when the table stops in it; under ``""`` in all others.
        patience: After how many seconds whoever is asked in a window lets it pass; 0 if nobody counts.
        counts: How many declarations each actor has made this round, per kind (``ilse/attack.``) in dice scheme 2; also
            the turns of each slot, and the windows about each pending action.
        dice_scheme: As in ``FightOpened``.
        distances: Per pair (``"a|b"``, alphabetical) how far apart, in a fight without a map.
        views: Per viewer and target (``"a>b"``) how well it is seen, where it is not simply clear.
        marks: Per owner what a system wrote down for itself.
        dice_sources: Per combatant, or ``*``, where its dice come from; the engine's where nothing is said.
        side_dice: The same per side; what is said of a combatant goes before it.
        player_undo: Whether a player's undo of fallen dice waits for the game master's ``consent``, or is ``free``.
        departed: Who has left, as they were then; their things stay theirs until they are taken.
        concealed: Who is hidden from all but those who play them.
        veiled: Per combatant the counters that are hidden likewise, each with what counts as unhurt.
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
    distances: Mapping[str, int] = {}
    views: Mapping[str, str] = {}
    marks: Mapping[refs.SubjectId, Mapping[refs.MarkName, Scalar]] = {}
    clocks: Mapping[refs.ClockId, int] = {}
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

    @property
    def phase(self) -> str:
        """The present phase: that of the pending action on top, or the fight's own."""
        return self.phases.get(self.stack[-1].id if self.stack else "", "")

    @property
    def quiet(self) -> bool:
        """Whether nothing is pending, asked or awaited, so that the state alone decides how the fight goes on."""
        return not self.stack and self.question is None and self.awaited is None and self.window is None


def digest(state: State) -> str:
    """Return the SHA-256 of the state's canonical encoding, as hex: equal histories, equal digests.

    Who has left is no part of it, so that recorded digests stay what they were before states kept that.
    """
    return sha256(msgspec.json.encode(replace(state, departed={}), order="deterministic")).hexdigest()

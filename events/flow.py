"""Phases, rounds, turns, windows, and the end of the fight."""

from msgspec import Struct

from .refs import CombatantId, EndingName, PendingId, PhaseName, SideName, SlotId, Text, TriggerName, WindowId
from .root import Event


class PhaseEntered(Event, frozen=True, kw_only=True):
    """The flow machine took one of its declared steps.

    Attributes:
        phase: The phase it leads to.
        trigger: The command or outcome that led there.
        item: The pending action that entered the phase; empty for the fight's own phase.
    """

    phase: PhaseName
    trigger: TriggerName
    item: PendingId = ""


class RoundBegan(Event, frozen=True, kw_only=True):
    """A round began; 1 is the first, 0 holds everything before it."""

    round: int


class Slot(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A place in the turn order.

    Attributes:
        id: Combatant id, or the name of the group that acts together.
        members: Ids of the combatants that act in it, in joining order.
        score: The number that the order sorts by, highest first; its meaning is the system's.
    """

    id: SlotId
    members: tuple[CombatantId, ...]
    score: int = 0


class OrderSet(Event, frozen=True, kw_only=True):
    """The turn order was set."""

    slots: tuple[Slot, ...]


class TurnBegan(Event, frozen=True, kw_only=True):
    """The turn of a slot began.

    Attributes:
        slot: The slot's id.
        members: The members of the slot that have a turn now.
        adds: Whether concealed members are added to a turn that was recorded without them.
    """

    slot: SlotId
    members: tuple[CombatantId, ...]
    adds: bool = False


class MemberDone(Event, frozen=True, kw_only=True):
    """One member of the active slot ended its turn."""

    who: CombatantId


class TurnEnded(Event, frozen=True, kw_only=True):
    """The turn of the active slot ended for this round."""

    slot: SlotId


class WindowOpened(Event, frozen=True, kw_only=True):
    """A window opened: the combatants asked may interrupt, each answers or passes.

    Attributes:
        window: Id of the window; passes name it.
        about: Its subject: a pending action, or a moment between turns.
        nth: Its number among the windows about this subject, from 1.
        to: Ids of the combatants that may answer.
        what: The kind of offer, such as ``announce`` or ``reinsert``.
    """

    window: WindowId
    about: PendingId
    nth: int
    to: tuple[CombatantId, ...]
    what: TriggerName


class OfferDeclined(Event, frozen=True, kw_only=True):
    """A combatant declined an offer.

    Attributes:
        window: Id of the window.
        who: Id of the combatant.
        standing: True if a standing pass answered for them.
    """

    window: WindowId
    who: CombatantId
    standing: bool = False


class WindowClosed(Event, frozen=True, kw_only=True):
    """A window closed: no combatant can answer in it any longer.

    Attributes:
        window: Id of the window.
        how: ``passed`` by all, ``taken`` by an answer, or ``ruled`` shut.
        expired: Ids of the combatants that could still have answered.
    """

    window: WindowId
    how: Text
    expired: tuple[CombatantId, ...] = ()


class FightEnded(Event, frozen=True, kw_only=True):
    """The fight is over.

    Attributes:
        victors: The winning side; empty if no side won.
        allies: Further sides that have won with it.
        why: The reason of the end, in a word of the rules.
    """

    victors: SideName = ""
    allies: tuple[SideName, ...] = ()
    why: EndingName = ""


class FightReopened(Event, frozen=True, kw_only=True):
    """A fight that was over goes on, because enemies can fight each other again."""

"""Phases, rounds, turns, windows, and the end of the fight."""

from msgspec import Struct

from .refs import CombatantId, PendingId, PhaseName, SideName, SlotId, Text, TriggerName, WindowId, Words
from .root import Event


class PhaseEntered(Event, frozen=True, kw_only=True):
    """The flow machine took one of its declared steps.

    Attributes:
        phase: Where it leads.
        trigger: The command or outcome that led there.
        item: The pending action whose phase this is; empty for the fight's own phase.
    """

    phase: PhaseName
    trigger: TriggerName
    item: PendingId = ""


class RoundBegan(Event, frozen=True, kw_only=True):
    """A round opened; 1 is the first, 0 is whatever happened before it."""

    round: int


class Slot(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A place in the turn order.

    Attributes:
        id: Combatant id, or the name of the group that acts together.
        members: Who acts in it, in joining order.
        score: What put it here, highest first; the system says what it counts.
    """

    id: SlotId
    members: tuple[CombatantId, ...]
    score: int = 0


class OrderSet(Event, frozen=True, kw_only=True):
    """The turn order is now this one."""

    slots: tuple[Slot, ...]


class TurnBegan(Event, frozen=True, kw_only=True):
    """A slot is up.

    Attributes:
        slot: Its id.
        members: Those of its members who have a turn now.
        adds: Whether concealed members are added to a turn that was recorded without them.
    """

    slot: SlotId
    members: tuple[CombatantId, ...]
    adds: bool = False


class MemberDone(Event, frozen=True, kw_only=True):
    """One member of the slot that is up has no more turn."""

    who: CombatantId


class TurnEnded(Event, frozen=True, kw_only=True):
    """The slot that was up is done for this round."""

    slot: SlotId


class WindowOpened(Event, frozen=True, kw_only=True):
    """Others may interrupt now; each of them answers or passes.

    Attributes:
        window: Id of the window; passes name it.
        about: What it is about: a pending action, or a moment between turns.
        nth: The how-many-th window about it.
        to: Who may answer.
        what: What is offered, such as ``announce`` or ``reinsert``.
    """

    window: WindowId
    about: PendingId
    nth: int
    to: tuple[CombatantId, ...]
    what: TriggerName


class OfferDeclined(Event, frozen=True, kw_only=True):
    """Somebody let an offer go by.

    Attributes:
        window: Id of the window.
        who: The one who was asked.
        standing: True if a standing pass answered for them.
    """

    window: WindowId
    who: CombatantId
    standing: bool = False


class WindowClosed(Event, frozen=True, kw_only=True):
    """Nobody can answer in this window any more.

    Attributes:
        window: Id of the window.
        how: ``passed`` by all, ``taken`` by an answer, or ``ruled`` shut.
        expired: Who was still free to answer when it closed.
    """

    window: WindowId
    how: Text
    expired: tuple[CombatantId, ...] = ()


class FightEnded(Event, frozen=True, kw_only=True):
    """The fight is over.

    Attributes:
        victors: The winning side; empty if nobody won.
        allies: Further sides that have won with it.
        why: What ended it, in a few words.
    """

    victors: SideName = ""
    allies: tuple[SideName, ...] = ()
    why: Words = ""


class FightReopened(Event, frozen=True, kw_only=True):
    """A fight that was over goes on, as enemies are able to fight each other again."""

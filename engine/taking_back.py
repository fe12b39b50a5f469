"""Taking back and restoring: what ``Undo`` and ``Redo`` mean for a history."""

from __future__ import annotations

from affray.events import DiceRenewed, Event, Restored, Rewound

from .commands import Redo, Undo
from .errors import Refused, Unusable
from .history import History


def undoing(history: History, undo: Undo) -> list[Event]:
    """Return the events that take back what was asked for.

    Raises:
        Refused: there is nothing to take back, or the position is no end of an earlier command that counts.
        Unusable: the number of commands is not at least 1.
    """
    if undo.to is None:
        if undo.commands < 1:
            raise Unusable("must be at least 1", "commands")
        to = history.before_last(undo.commands)
    else:
        to = undo.to
        if not history.is_effective(to) or history.at(to).more or to == history.path[-1]:
            raise Refused("no_such_moment", "", f"position {to} is not the end of an earlier command that counts")
    lane = history.path[-1]
    count = history.commands_since(to)
    events: list[Event] = [Rewound(to=to, lane=lane, commands=count, fresh=undo.fresh, reason=undo.reason)]
    if undo.fresh:
        used = sum(isinstance(one.event, DiceRenewed) for one in history.recorded)
        events.append(DiceRenewed(generation=used + 1))
    return events


def redoing(history: History, redo: Redo) -> list[Event]:
    """Return the events that bring back a lane.

    Raises:
        Refused: nothing can be brought back, or the position does not end a lane that was taken back.
    """
    lane = redo.lane if redo.lane is not None else (history.undone[-1] if history.undone else 0)
    if not lane:
        raise Refused("nothing_to_redo", "", "nothing that was taken back can be brought back from here")
    if (
        not 1 <= lane <= history.head
        or history.is_effective(lane)
        or isinstance(history.at(lane).event, Rewound | Restored)
    ):
        raise Refused("no_such_lane", "", f"position {lane} does not end a lane that was taken back")
    if history.at(lane).more:
        raise Refused("no_such_lane", "", f"position {lane} is in the middle of a command")
    return [Restored(lane=lane, left=history.path[-1], reason=redo.reason)]


def same(intent: Event | Undo | Redo, recorded: Event) -> bool:
    """Tell whether a recorded input event stands for this intent."""
    if isinstance(intent, Undo):
        return (
            isinstance(recorded, Rewound)
            and (recorded.fresh, recorded.reason) == (intent.fresh, intent.reason)
            and (recorded.commands == intent.commands if intent.to is None else recorded.to == intent.to)
        )
    if isinstance(intent, Redo):
        return (
            isinstance(recorded, Restored) and recorded.reason == intent.reason and intent.lane in (None, recorded.lane)
        )
    return intent == recorded

"""Undo and redo: the events that they lead to."""

from affray.engine.commands import Redo, Undo
from affray.engine.errors import Refused, Unusable
from affray.events import ABOUT_THE_RECORD, DiceRenewed, Event, Restored, Rewound

from .timeline import History


def undoing(history: History, undo: Undo) -> list[Event]:
    """Return the events of an undo; where an amendment is undone, its old lane counts again.

    Raises:
        Refused: there is nothing to take back, or the position is no end of an earlier command that counts.
        Unusable: the number of commands is not at least 1.
    """
    head = history.path[-1]
    if undo.to is None:
        if undo.commands < 1:
            raise Unusable("must be at least 1", "commands")
        to = history.before_last(undo.commands)
    else:
        to = undo.to
        if not history.is_effective(to) or not history.ends_a_command(to) or to == head:
            raise Refused("no_such_moment", "", f"position {to} is not the end of an earlier command that counts")
    after_the_fork(history, to)
    taken: Event
    if history.is_effective(to):
        count = history.commands_since(to)
        taken = Rewound(to=to, lane=head, commands=count, fresh=undo.fresh, reason=undo.reason)
    else:
        taken = Restored(lane=to, left=head, commands=undo.commands, fresh=undo.fresh, reason=undo.reason)
    if not undo.fresh:
        return [taken]
    used = (one.event.generation for one in history.recorded if isinstance(one.event, DiceRenewed))
    return [taken, DiceRenewed(generation=max(used, default=0) + 1)]


def redoing(history: History, redo: Redo) -> list[Event]:
    """Return the events of a redo.

    Raises:
        Refused: nothing can be brought back, or the position does not end a lane that was taken back.
    """
    lane = redo.lane if redo.lane is not None else (history.undone[-1] if history.undone else 0)
    if not lane:
        raise Refused("nothing_to_redo", "", "there is nothing to redo here")
    if not 1 <= lane <= history.head or history.is_effective(lane) or type(history.at(lane).event) in ABOUT_THE_RECORD:
        raise Refused("no_such_lane", "", f"position {lane} does not end a lane that was taken back")
    if not history.ends_a_command(lane):
        raise Refused("no_such_lane", "", f"position {lane} is in the middle of a command")
    after_the_fork(history, lane)
    return [Restored(lane=lane, left=history.path[-1], reason=redo.reason)]


def after_the_fork(history: History, position: int) -> None:
    """Refuse to go back behind the point where a fork left its parent."""
    if history.floor and history.floor not in history.line(position):
        raise Refused(
            "before_the_fork",
            "",
            f"this fight left its parent at position {history.floor}; what lies before that can be changed "
            "in the parent, or in a fork from an earlier position",
            source=str(history.floor),
        )

"""The events of undo, of its consent, and of redo."""

from collections.abc import Sequence

from msgspec.structs import replace

from affray import events as facts
from affray.engine.commands import AnswerUndo, Redo, Undo
from affray.engine.errors import Refused, Unusable
from affray.engine.visibility import Viewer, can_read
from affray.events import ABOUT_THE_RECORD, Event, Id

from .timeline import History


def decide_undo(history: History, undo: Undo) -> list[Event]:
    """Return the events of an undo; undoing an amendment restores its old lane.

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
    must_be_after_fork(history, to)
    taken: Event
    if history.is_effective(to):
        count = history.commands_since(to)
        taken = facts.Rewound(to=to, lane=head, commands=count, fresh=undo.fresh, reason=undo.reason)
    else:
        taken = facts.Restored(lane=to, left=head, commands=undo.commands, fresh=undo.fresh, reason=undo.reason)
    if not undo.fresh:
        return [taken]
    used = (one.event.generation for one in history.recorded if isinstance(one.event, facts.DiceRenewed))
    return [taken, facts.DiceRenewed(generation=max(used, default=0) + 1)]


def require_consent(history: History, taken: list[Event], plays: Sequence[Id]) -> list[Event]:
    """Return the events of a player's undo, which may be a request.

    It is a request to the game master if a die fell in the undone events. An event that the player may not read counts
    as a die, so that the answer tells nothing about it.

    Args:
        taken: The events of the undo if it is carried out.
        plays: The combatants that the player plays.

    Raises:
        Refused: only the game master may do it, or the same request waits already.
    """
    first = taken[0]
    viewer = Viewer(role="player", owns=tuple(plays))
    if isinstance(first, facts.Rewound) and not any(
        isinstance(one.event, facts.Rolled) or not can_read(viewer, one, history.opened)
        for one in history.effective(after=first.to)
    ):
        return taken
    if not isinstance(first, facts.Rewound) or first.fresh:
        raise Refused("for_the_game_master", "", "this is for the game master to take back")
    asked = facts.UndoRequested(to=first.to, lane=first.lane, commands=first.commands, reason=first.reason)
    if history.request and history.at(history.request).event == asked:
        said = f"this undo was asked for at position {history.request} and waits for the game master"
        raise Refused("no_change", "", f"{said}; give another reason to ask again", source=str(history.request))
    return [asked]


def decide_undo_answer(history: History, answer: AnswerUndo, plays: Sequence[Id] | None = None) -> list[Event]:
    """Return the events of the game master's answer to a player's request.

    Args:
        plays: The combatants that its sender plays; ``None`` for the game master.

    Raises:
        Refused: no request waits, another one does, or a player answers it.
    """
    if plays is not None:
        raise Refused("for_the_game_master", "", "the game master allows or declines an undo, not a player")
    waiting = history.request
    if not waiting or answer.request not in (None, waiting):
        asked = f"the request at position {answer.request}" if answer.request else "no request"
        raise Refused("no_such_request", "", f"{asked} waits for an answer; the fight has moved on, or nobody asked")
    if not answer.allow:
        return [facts.UndoDeclined(request=waiting, reason=answer.reason)]
    asked_for = history.at(waiting).event
    assert isinstance(asked_for, facts.UndoRequested)
    (taken,) = decide_undo(history, Undo(to=asked_for.to, reason=answer.reason or asked_for.reason))
    assert isinstance(taken, facts.Rewound)
    return [replace(taken, request=waiting)]


def decide_redo(history: History, redo: Redo) -> list[Event]:
    """Return the events of a redo.

    Raises:
        Refused: nothing can be restored, or the position does not end a lane that was taken back.
    """
    lane = redo.lane if redo.lane is not None else (history.undone[-1] if history.undone else 0)
    if not lane:
        raise Refused("nothing_to_redo", "", "there is nothing to redo here")
    if not 1 <= lane <= history.head or history.is_effective(lane) or type(history.at(lane).event) in ABOUT_THE_RECORD:
        raise Refused("no_such_lane", "", f"position {lane} does not end a lane that was taken back")
    if not history.ends_a_command(lane):
        raise Refused("no_such_lane", "", f"position {lane} is in the middle of a command")
    must_be_after_fork(history, lane)
    return [facts.Restored(lane=lane, left=history.path[-1], reason=redo.reason)]


def must_be_after_fork(history: History, position: int) -> None:
    """Refuse a position before the point where a fork left its parent."""
    if history.floor and history.floor not in history.list_ancestors(position):
        raise Refused(
            "before_the_fork",
            "",
            f"this fight left its parent at position {history.floor}; what lies before that can be changed "
            "in the parent, or in a fork from an earlier position",
            source=str(history.floor),
        )

"""The review, after a ruling, of the question or roll that a rule waits for.

It is asked again, skipped, or withdrawn.
"""

from msgspec.structs import replace

from affray.engine.core.effects import Ask, Roll
from affray.engine.errors import NotInFight, Refused
from affray.events import Id

from .frame import Frame
from .interpreter import Interpreter
from .refusals import as_refusal, cite_clauses


def ask_again(interpreter: Interpreter) -> None:
    """Read the open question or roll from the rule again; if there is none now, go on.

    A rule that belongs to no pending action is dropped if a combatant that it is about has left.
    """
    frame, name = interpreter.asking, interpreter.draft.waits_for
    if frame is None:
        return
    try:
        _read_again(interpreter, frame, name)
    except NotInFight:
        if interpreter.draft.is_waiting_for(name):
            interpreter.take_back(name)


def _read_again(interpreter: Interpreter, frame: Frame, name: Id) -> None:
    assert frame.wants is not None
    again = frame.wants.again
    try:
        interpreter.check_ground(frame)
        present = again() if again else frame.wants
        _check_owners(interpreter, present)
    except (Refused, NotInFight) as no:
        if isinstance(no, NotInFight) and frame.id not in interpreter.frames:
            raise
        gone = as_refusal(no)
        interpreter.take_back(name, cite_clauses(gone))
        interpreter.run(frame, gone=gone)
        return
    if present is None:
        interpreter.take_back(name)
        interpreter.run(frame)
    elif isinstance(present, Ask):
        interpreter.ask(frame, name, replace(present, again=again))
    elif (faces := interpreter.faces(name, present)) is None:
        interpreter.await_dice(frame, name, replace(present, again=again))
    else:
        interpreter.take_back(name)
        interpreter.run(frame, interpreter.record_roll(frame, name, present, faces))


def _check_owners(interpreter: Interpreter, wish: Ask | Roll | None) -> None:
    """Raise ``NotInFight`` if all who are to answer or to roll have left."""
    owners = wish.of if isinstance(wish, Ask) else (wish.by,) if wish else ("gm",)
    if not any(who == "gm" or who in interpreter.draft.combatants for who in owners):
        raise NotInFight(f"{owners[0]} has left the fight")

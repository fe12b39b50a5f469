"""Checks of commands: whether a viewer may send one, and whether it makes sense from what they see."""

from affray.engine.commands import Command, Intent, Outcome, Stir
from affray.engine.errors import RULE_ERRORS, EngineError, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.limits import check_command
from affray.engine.runtime.validation import check_answer, check_declaration, check_faces, check_nothing_awaited
from affray.engine.visibility import Viewer, can_read, project_state
from affray.events import Answered, Declared, DiceEntered, Passed
from affray.tools.present.fight_view import must_not_be_halted

from .access import HiddenRefusal, VisibleRefusal
from .intents import name_sent_fields
from .projection import project_fight


def check_visible(viewer: Viewer, fight: Fight, intent: Intent) -> None:
    """Refuse a command that makes no sense from the sender's view, in the words for any senseless command.

    Raises:
        VisibleRefusal: it is about hidden or missing things; the message does not tell which.
    """
    if viewer.role == "gm":
        return
    seen = project_fight(viewer, fight)  # also if nothing is hidden, since the order of refusals would tell
    draft = seen.table.draft
    try:
        if isinstance(intent, Declared | Answered | Passed | DiceEntered):
            must_not_be_halted(seen)
        match intent:
            case Declared():
                check_nothing_awaited(seen.ruleset, draft)
                with name_sent_fields(seen, intent):
                    check_declaration(seen.ruleset, seen.table, intent)
            case Answered(question=id):
                if draft.question is None or draft.question.id != id:
                    raise Refused("no_such_question", "", f"nobody is asked {id} now", source=id)
                check_answer(draft.question, intent)
            case Passed(window=id) if draft.window is None or draft.window.id != id:
                raise Refused("no_such_window", "", f"the window {id} is not open", source=id)
            case Stir() if _may_hide_a_die(viewer, fight.history):
                message = "words are stirred in before anything is sealed, since it may be a die"
                raise Refused("dice_may_have_fallen", "", message)
            case DiceEntered(roll=id):
                if draft.awaited is None or draft.awaited.roll != id:
                    raise Refused("no_such_roll", "", f"no dice are awaited for {id} now", source=id)
                check_faces(draft.awaited, intent)
            case _:
                return
    except EngineError as error:
        raise VisibleRefusal(error) from None
    except RULE_ERRORS:  # the rules may need hidden state; then only the whole state decides
        return


def _may_hide_a_die(viewer: Viewer, history: History) -> bool:
    """Tell whether any lines behind the opening are sealed for a viewer."""
    opening = history.recorded[0].cause
    return any(one.cause != opening and not can_read(viewer, one, history.opened) for one in history.recorded)


def submit_checked(viewer: Viewer, fight: Fight, command: Command) -> Outcome:
    """Carry out a command that ``check_visible`` accepted.

    A declaration that only a concealed combatant prevents is recorded as an attempt.

    Raises:
        HiddenRefusal: it is refused, and the rules cannot judge it from the sender's view.
        EngineError: as in ``Fight.submit``.
    """
    check_command(command)  # errors in the words alone are reported as usual
    intent, hides = command.intent, project_state(viewer, fight.state) is not fight.state
    if hides and isinstance(intent, Answered) and command.id not in fight.history.commands:
        fight.check_answer(intent)  # so are answers that the question does not take
    try:
        return fight.submit(command)
    except (Refused, Unusable) as error:
        if hides and isinstance(intent, Declared | Answered | Passed | DiceEntered):
            raise HiddenRefusal(error) from error
        raise

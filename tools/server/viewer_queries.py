"""Authorised queries: each answers from the state that the viewer sees, and refuses what they may not ask."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from math import inf
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.commands import Command, Intent, Outcome, Stir
from affray.engine.errors import RULE_ERRORS, EngineError, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.limits import check_command
from affray.engine.runtime.validation import check_answer, check_declaration, check_faces, check_nothing_awaited
from affray.engine.visibility import Viewer, WireLine, can_read, has_hidden_part, knows_sender, project_state, wire_line
from affray.events import Answered, Declared, DiceEntered, Id, Passed, Recorded, Senseless
from affray.tools.api.awaited import waiting
from affray.tools.api.distances import Apart, distance_between
from affray.tools.api.intents import name_sent_fields
from affray.tools.api.legal_actions import expand_action, list_actions, list_actors
from affray.tools.api.schemas.fights import Waiting
from affray.tools.api.schemas.legal_actions import HowMay, Likely, WhatMay, WhatMayTo, WhereMay, WhoMay
from affray.tools.api.schemas.receipts import Explanation
from affray.tools.api.targeting import likely_declarations, may_do_to, where_may
from affray.tools.parse.intent_parser import GM
from affray.tools.present.awaiting import headline
from affray.tools.present.fight_view import is_waiting_unseen, must_not_be_halted
from affray.tools.present.story.entries import StoryEntry, entries

from .line_sentences import LineSentences
from .messages import encode
from .projection import headline_for, project_fight
from .server_state import NotAllowed

T = TypeVar("T")


class VisibleRefusal(Exception):
    """A refusal based only on what its reader sees, so that its text reveals nothing."""

    def __init__(self, error: EngineError) -> None:
        super().__init__(str(error))
        self.error = error


class HiddenRefusal(VisibleRefusal):
    """A refusal with a reason that is hidden from its reader."""


def sees_all(viewer: Viewer, fight: Fight) -> bool:
    """Tell whether nothing in the record is hidden from a viewer."""
    if viewer.role == "gm":
        return True
    history = fight.history
    return project_state(viewer, fight.state) is fight.state and not any(
        has_hidden_part(viewer, one, history.opened) for one in history.recorded
    )


def project_lines(viewer: Viewer, fight: Fight, recorded: Iterable[Recorded]) -> list[WireLine]:
    """Project the events of a command for a viewer, as lines."""
    format_at, sentences = fight.history.format_at, LineSentences(fight.history)
    return [
        wire_line(viewer, one, encode(one.event), sentences.of(one), format=format_at(one.position)) for one in recorded
    ]


def project_log(
    viewer: Viewer, fight: Fight, after: int, written: Iterable[bytes], most: float = inf
) -> list[WireLine]:
    """Project the stored lines behind a position for a viewer.

    Args:
        most: The size in bytes at which to stop.
    """
    history, sentences = fight.history, LineSentences(fight.history)
    lines: list[WireLine] = []
    size = 0
    for position, line in enumerate(written, after + 1):
        one, payload = history.at(position), msgspec.json.decode(line, type=_Payload).event
        format = history.format_at(position)
        lines.append(wire_line(viewer, one, payload, sentences.of(one), opened=history.opened, format=format))
        size += len(line) + len(lines[-1].says)
        if size >= most:
            break
    return lines


def project_story(viewer: Viewer, fight: Fight, after: int = 0) -> tuple[list[StoryEntry], int]:
    """Return the story of a fight for a viewer, and the number of all its entries.

    Each entry is encoded here, not on the event loop, since together they may be long.

    Args:
        after: The number of entries to skip.
    """
    opened = fight.history.opened
    told = entries(one for one in fight.history.recorded if can_read(viewer, one, opened))
    return cast("list[StoryEntry]", [msgspec.Raw(encode(one)) for one in told[after:]]), len(told)


def hide_sender(viewer: Viewer, fight: Fight, told: Explanation) -> Explanation:
    """Remove the sender from an explanation if the viewer may not know who sent the command."""
    if knows_sender(viewer, fight.history.at(told.position), fight.history.opened):
        return told
    return replace(told, command=replace(told.command, who="", id=""))


class _Payload(Struct):
    event: msgspec.Raw


def waiting_for(viewer: Viewer, fight: Fight) -> Waiting:
    """Describe what a fight waits for, from the state that the viewer sees."""
    if fight.history.closed:
        return Waiting(awaits="nothing", of=[], headline=headline_for(viewer, fight))
    seen = project_fight(viewer, fight)
    says = headline(seen, None if viewer.role == "gm" else viewer.owns)
    if is_waiting_unseen(seen):
        return Waiting(awaits="action", of=[GM], headline=says)
    now: dict[str, Any] = waiting(project_state(viewer, fight.state))
    return Waiting(awaits=now.pop("for"), of=list(now.pop("of")), headline=says, **now)


def list_actors_for(viewer: Viewer, fight: Fight) -> WhoMay:
    """List the combatants who may act now: all for the game master, their own for a player.

    A combatant that were left out because of a hidden one would reveal it. So offers, here and in each further step,
    follow from the viewer's state, and may be refused when they are tried.
    """
    if viewer.role == "gm":
        return list_actors(fight)
    none = WhoMay(fight.head, [], [], "", headline_for(viewer, fight))
    if viewer.role != "player":
        return none
    with suppress(Senseless, Unusable):  # who may act may depend on hidden state
        return list_actors(project_fight(viewer, fight), viewer.owns)
    return none


def list_actions_for(viewer: Viewer, fight: Fight, who: Id, manner: str) -> WhatMay:
    """List the actions of a combatant that the viewer plays, with the refusals of the others.

    Raises:
        NotAllowed: the viewer does not play the combatant.
        VisibleRefusal, Unusable: see ``what_may``.
    """
    return _ask_about_own(viewer, fight, who, lambda seen, blind: list_actions(seen, who, manner, blind=blind))


def list_choices_for(
    viewer: Viewer, fight: Fight, who: Id, kind: str, manner: str, chosen: Mapping[str, Any], *, fill: bool = False
) -> HowMay:
    """List the choices for the next field of an action of a combatant that the viewer plays.

    Raises:
        NotAllowed: the viewer does not play the combatant.
        VisibleRefusal, Unusable: see ``how_may``.
    """
    return _ask_about_own(
        viewer, fight, who, lambda seen, blind: expand_action(seen, who, kind, manner, chosen, fill=fill, blind=blind)
    )


def measure_distance_for(viewer: Viewer, fight: Fight, here: Id, there: Id) -> Apart:
    """Measure the distance between two places, from the viewer's state.

    Raises:
        VisibleRefusal, Refused, Unusable: see ``apart``.
    """
    return _ask_about_visible(viewer, fight, lambda seen, _: distance_between(seen, here, there))


def list_targeted_actions_for(viewer: Viewer, fight: Fight, who: Id, whom: Id, manner: str) -> WhatMayTo:
    """List the actions of a viewer's combatant against a target, previewed from visible state.

    Raises:
        NotAllowed: the viewer does not play the combatant.
        VisibleRefusal, Unusable: see ``may_do_to``.
    """
    return _ask_about_own(viewer, fight, who, lambda seen, blind: may_do_to(seen, who, whom, manner, blind=blind))


def list_destinations_for(viewer: Viewer, fight: Fight, who: Id, manner: str) -> WhereMay:
    """List the places that a viewer's combatant can reach, with costs and reactions from visible state.

    Raises:
        NotAllowed: the viewer does not play the combatant.
        VisibleRefusal, Unusable: see ``where_may``.
    """
    return _ask_about_own(viewer, fight, who, lambda seen, blind: where_may(seen, who, manner, blind=blind))


def suggest_action_for(viewer: Viewer, fight: Fight, who: Id, manner: str) -> Likely:
    """Suggest the likeliest action of a viewer's combatant, from visible state.

    Raises:
        NotAllowed: the viewer does not play the combatant.
        VisibleRefusal, Unusable: see ``likely``.
    """
    return _ask_about_own(viewer, fight, who, lambda seen, blind: likely_declarations(seen, who, manner, blind=blind))


def _ask_about_own(viewer: Viewer, fight: Fight, who: Id, ask: Callable[[Fight, bool], T]) -> T:
    """Ask about a combatant that the viewer plays, from visible state.

    ``ask`` takes the fight, and whether it may hide anything.

    Raises:
        NotAllowed: the viewer does not play the combatant.
        VisibleRefusal: the engine refuses the question, or does not understand it.
    """
    check_own(viewer, who)
    return _ask_about_visible(viewer, fight, ask)


def _ask_about_visible(viewer: Viewer, fight: Fight, ask: Callable[[Fight, bool], T]) -> T:
    """Ask about a fight from visible state.

    The names in a question are the viewer's own words, so a refusal may repeat them.

    Raises:
        VisibleRefusal: the engine refuses the question, or does not understand it.
    """
    if viewer.role == "gm":
        return ask(fight, False)
    try:
        return ask(project_fight(viewer, fight), True)
    except EngineError as error:
        raise VisibleRefusal(error) from None


def check_own(viewer: Viewer, *who: Id) -> None:
    """Refuse questions and commands about combatants that the viewer does not play.

    Raises:
        NotAllowed: the viewer does not play them all.
    """
    if viewer.role != "gm" and not set(who) <= set(viewer.owns):
        raise NotAllowed("players speak only for their own combatants")


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

"""Carry out commands: check who may send one, submit it, and build the answer."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from time import monotonic
from typing import Any

from litestar.datastructures import State as AppState
from msgspec.structs import replace

from affray.engine.commands import MANY, Amend, AnswerUndo, Close, Command, Intent, Outcome, Redo, Stir, Undo
from affray.engine.errors import Altered, EngineError, OutOfDate, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, project_state
from affray.events import Answered, AskingSet, Declared, DiceEntered, Passed, Ruled, UndoDeclined, UndoRequested
from affray.tools.api.access import HiddenRefusal, NotAllowed, NotFound, VisibleRefusal, check_own
from affray.tools.api.auto_pass import sent_for_others
from affray.tools.api.command_checks import check_visible, submit_checked
from affray.tools.api.intents import (
    Auto,
    Said,
    Wire,
    at_first,
    name_sent_fields,
    read_intent,
    resolve_intent,
    words_of_intent,
)
from affray.tools.api.projection import project_fight
from affray.tools.api.schemas.fights import Carried
from affray.tools.api.viewer_queries import project_lines, waiting_for
from affray.tools.parse.intent_parser import intent as spoken
from affray.tools.present.working_lines import end_in_a_line

from .rate_limits import LARGE_RULINGS, SETTINGS
from .server_state import AuthenticatedCaller, ServerState
from .window_timers import OF_THE_SERVER, pass_idle

LARGE = 4 * 1024
"""The bytes of a ruling's parameters above which it is a large one."""

PATIENCE_SECONDS = 10
"""Seconds for which a command without an expected head is retried while other processes write first."""

TRIES = 100
"""The greatest number of tries."""

BACK = (Undo, AnswerUndo, Redo, Amend, Close)
"""Commands that no automatic pass may follow, so that the fight stays exactly where they left it."""

ENDLESS = (AskingSet, Stir, Undo, Said)
"""Commands that a player may send at any moment, as often as they like, or words that may mean one."""

FOR_THE_GAME_MASTER = "this is for the game master"

LONG = (*BACK, Auto, Said, Ruled)
"""Commands whose work is not bounded by the size of the fight.

Undo and its kin go back in the record, policies may look ahead, and words have to be parsed. A ruling may bring in as
many combatants and things as an encounter may hold.
"""


async def carry_out(state: AppState, fight: str, caller: AuthenticatedCaller, body: object) -> Carried:
    """Carry out a command that a client sent.

    Args:
        caller: The sender; the command is recorded under this name.
        body: The decoded JSON: ``id``, ``intent`` and perhaps ``expected``.

    Raises:
        NotAllowed: the sender may not send this command.
        NotFound: there is no such fight.
        RateLimitExceeded: the sender changes settings, stirs words or takes back too often.
        EngineError: see ``Fight.submit``; nothing has changed, unless a refused amendment drew unseen dice.
    """
    server: ServerState = state.server
    viewer = caller.viewer
    try:
        id, expected, given = split_command(body)
    except EngineError as error:
        if viewer.role == "gm":
            raise
        raise VisibleRefusal(error) from None  # the error can only repeat the sender's own words
    async with _choose_lane(server, fight, caller, given):
        until, tries = monotonic() + PATIENCE_SECONDS, 0
        while True:
            tries += 1
            try:
                return await _try_command(server, fight, viewer, id, expected, given)
            except OutOfDate as late:
                if expected is None and tries < TRIES and monotonic() < until:
                    await asyncio.sleep(0)  # another process wrote first; let other requests run before the next try
                    continue
                now = await server.fights.fight(fight)
                raise OutOfDate(late.expected, now.head, now.history.head_hash) from None


def _choose_lane(
    server: ServerState, fight: str, caller: AuthenticatedCaller, given: Wire
) -> AbstractAsyncContextManager[object]:
    """Return the lane of a command that a link may send in any number, or that takes much room in the record."""
    permit, of = server.rate_limits.permit, f"{caller.lane} in {fight}"
    if caller.viewer.role == "player" and isinstance(given, ENDLESS):
        return permit(f"settings of {of}", SETTINGS)
    parts = (*given.instead, *given.answers) if isinstance(given, Amend) else (given,)
    if sum(len(bytes(one.params)) for one in parts if isinstance(one, Ruled)) > LARGE:
        return permit(f"large rulings of {of}", LARGE_RULINGS)
    return nullcontext()


async def _try_command(
    server: ServerState, name: str, viewer: Viewer, id: str, expected: int | None, given: Wire
) -> Carried:
    try:
        async with server.fights.lock(name, mend=True) as fight:
            before = fight.head
            long = isinstance(given, LONG) or id in fight.history.commands
            try:
                async with server.policy_slots if isinstance(given, Auto) else nullcontext():
                    carried = await server.fights.run_on(fight, _execute, fight, viewer, id, expected, given, long=long)
            finally:
                if fight.head != before:
                    server.hub.schedule_update(name)
            server.window_timers.update(server, name, fight)
    except (Altered, NotFound):
        server.hub.schedule_update(name)  # followers learn of it as soon as the sender does
        raise
    return carried


def _execute(fight: Fight, viewer: Viewer, id: str, expected: int | None, given: Wire) -> Carried:
    """Carry out a command in a fight that this request holds."""
    if fight.diverged is not None and not isinstance(given, Undo):
        raise fight.diverged  # words were written for a later position
    if expected not in (None, fight.head) and id not in fight.history.commands:
        raise OutOfDate(expected or 0, fight.head, fight.history.head_hash)  # words may no longer fit the new state
    with _add_working_line(fight, viewer, given):
        intent = _parse_intent(fight, viewer, given, id)
        outcome = _submit(fight, viewer, id, expected, _extend_undo(intent, fight, id))
    recorded = outcome.recorded
    if not outcome.repeated and not isinstance(intent, BACK):
        pass_idle(fight)
        recorded = (*recorded, *fight.history.recorded[recorded[-1].position :])
    return Carried(
        head=fight.head,
        hash=fight.history.head_hash,
        repeated=outcome.repeated,
        lines=project_lines(viewer, fight, recorded),
        waiting=waiting_for(viewer, fight),
    )


@contextmanager
def _add_working_line(fight: Fight, viewer: Viewer, given: Wire) -> Iterator[None]:
    """Add a line that would work to a refusal of words, built from what the sender sees."""
    try:
        yield
    except (Refused, Unusable, VisibleRefusal) as no:
        error = no.error if isinstance(no, VisibleRefusal) else no
        words = words_of_intent(given)
        if words and not isinstance(no, HiddenRefusal) and isinstance(error, Refused | Unusable):
            own = None if viewer.role == "gm" else frozenset(viewer.owns)
            end_in_a_line(error, project_fight(viewer, fight), words, own=own)
        raise


def _submit(fight: Fight, viewer: Viewer, id: str, expected: int | None, intent: Intent) -> Outcome:
    """Submit a command, after checking that its sender may send it."""
    repeats = id in fight.history.commands
    check_may_send(viewer, fight, intent, repeats=repeats)
    if not repeats:  # a repeated command is only compared by the engine
        check_visible(viewer, fight, intent)
    knows = None if viewer.role == "gm" else viewer.owns
    with name_sent_fields(fight, intent):
        command = Command(id=id, who=viewer.name, intent=intent, expected=expected, knows=knows)
        return submit_checked(viewer, fight, command)


def _extend_undo(intent: Intent, fight: Fight, id: str) -> Intent:
    """Extend an undo without a target by the automatic passes that followed the last command."""
    if isinstance(intent, Undo) and intent.to is None:
        return replace(intent, commands=intent.commands + sent_for_others(at_first(fight, id).history))
    return intent


def split_command(body: object) -> tuple[str, int | None, Wire]:
    """Split the body of a command into its id, its expected head and its intent.

    Raises:
        Unusable: a part is missing, unknown, or of the wrong kind.
    """
    if not isinstance(body, dict):
        raise Unusable("must be an object with id and intent")
    for name in body.keys() - {"type", "id", "expected", "intent"}:
        raise Unusable("there is no such field; there are id, expected and intent", str(name)[:MANY])
    id, expected = body.get("id"), body.get("expected")
    if not isinstance(id, str):
        raise Unusable("must be a text that is this command's own", "id")
    if id.startswith(OF_THE_SERVER):
        raise Unusable(f"must not begin with {OF_THE_SERVER}: such ids are the server's own", "id")
    if expected is not None and (not isinstance(expected, int) or isinstance(expected, bool)):
        raise Unusable("must be the position of the head, or be left out", "expected")
    return id, expected, read_intent(body.get("intent"))


def _parse_intent(fight: Fight, viewer: Viewer, given: Wire, id: str) -> Intent:
    """Parse an intent; words are parsed against the state that their sender can see.

    Raises:
        NotAllowed: a player asks for a policy's decision, which would use hidden state.
    """
    if isinstance(given, Auto) and viewer.role != "gm":
        raise NotAllowed("only the game master lets the engine play a side")
    if not isinstance(given, Said) or viewer.role == "gm":
        return resolve_intent(fight, given, id)
    if given.words.split()[:1] == ["rule"]:  # refuse before the words are parsed
        raise NotAllowed(FOR_THE_GAME_MASTER)
    then = at_first(fight, id)
    seen = project_fight(viewer, then)
    try:
        return spoken(seen, given.words, given.reason)
    except EngineError as error:
        if seen is then:
            raise
        raise VisibleRefusal(error) from None


def check_may_send(viewer: Viewer, fight: Fight, intent: Intent, *, repeats: bool = False) -> None:
    """Refuse a command that a viewer may not send.

    Players act for their own combatants, and undo only their own last command.

    Args:
        repeats: Whether the id was carried out already, so that the engine only compares the command.

    Raises:
        NotAllowed: says who may send it.
    """
    if viewer.role == "gm":
        return
    if viewer.role != "player":
        raise NotAllowed("spectators only look on")
    match intent:
        case Passed(why=why) if why:
            raise NotAllowed("only the table passes for somebody else")
        case Declared(actor=who) | Answered(by=who) | Passed(who=who) | AskingSet(who=who):
            check_own(viewer, who)
        case DiceEntered():
            awaited = project_state(viewer, fight.state).awaited
            if not repeats and awaited is not None:
                check_own(viewer, awaited.by)
        case Stir():
            pass
        case Undo(to=None, commands=many, fresh=False) if many == 1 + sent_for_others(fight.history) or repeats:
            if not repeats and not _did_last(viewer, fight):
                raise NotAllowed("players take back only what they did last themselves, as long as nothing followed")
        case _:
            raise NotAllowed(FOR_THE_GAME_MASTER)


def _did_last(viewer: Viewer, fight: Fight) -> bool:
    """Tell whether the last command is a player's own declaration, answer or dice."""
    history, passes = fight.history, sent_for_others(fight.history)
    at = history.before_last(passes) if passes else len(history.recorded)
    while isinstance(history.at(at).event, UndoRequested | UndoDeclined):
        at -= 1  # skip earlier requests for an undo
    first = history.at(history.commands[history.at(at).cause])
    said: tuple[type[Any], ...] = (Declared, Answered, Passed, AskingSet, DiceEntered)
    if first.who != viewer.name or not isinstance(first.event, said):
        return False
    try:
        check_may_send(viewer, fight, first.event, repeats=True)
    except NotAllowed:  # another sender of the same name
        return False
    return True

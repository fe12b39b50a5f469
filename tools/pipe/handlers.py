"""Handlers of the requests of a pipe."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from affray.engine import commands
from affray.engine.errors import Unusable
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.opening import begin_fight
from affray.engine.runtime.dice import draw_seed
from affray.engine.texts import check_word
from affray.engine.visibility import Viewer
from affray.events import Forked, build_schema
from affray.tools.api.dice_choice import choose_dice, name_dice_of_fork
from affray.tools.api.intents import Wire, name_sent_fields, read_intent, resolve_intent, words_of_intent
from affray.tools.api.operations import OPERATIONS
from affray.tools.api.queries import audit_named, describe_outcome, explain_position, moment_of, preview_of
from affray.tools.api.schemas import requests
from affray.tools.encounters.party.costs import tell_cost
from affray.tools.parse.encounter_file import add_location, read_toml
from affray.tools.present.awaited import awaited_in
from affray.tools.present.receipts.teller import GAME_MASTER
from affray.tools.present.story.line_text import spoken_since
from affray.tools.present.story.words import names_of
from affray.tools.present.working_lines import ending_in_a_line

from .requests import ASKED, OF_FORM, Request, parameters_of
from .session import PipeSession

Said = dict[str, Any]


def handle_request(session: PipeSession, request: Request) -> tuple[Said, Iterator[Said]]:
    """Carry out a request; return its answer, and the messages that follow it.

    Raises:
        EngineError, LogError, OSError: the request fails.
    """
    operation = OF_FORM[type(request)]
    form = parameters_of(operation)
    asked = form(**{name: getattr(request, name) for name in form.__struct_fields__})
    own = HANDLERS.get(operation.name)
    if own is not None:
        said = own(session, request, asked)
    else:
        assert operation.run is not None
        fight = session.fight(request.fight)
        told = operation.run(Viewer(role="gm", name=session.who), fight, **asdict(asked))
        said = {"fight": fight.name, **({operation.under: told} if operation.under else _fields_of(told))}
    behind = session.follow(request.fight, asked.after) if isinstance(asked, requests.Follow) else iter(())
    return {"id": request.id, "ok": True, **said}, behind


def _fields_of(told: Struct) -> Said:
    """Return the fields of an answer, as they would be encoded."""
    leaves_out = told.__struct_config__.omit_defaults
    return {
        one.encode_name: value
        for one in msgspec.structs.fields(told)
        if (value := getattr(told, one.name)) != one.default or not leaves_out
    }


def _new(session: PipeSession, request: Request, asked: requests.New) -> Said:
    """Begin a fight from an encounter; answer as ``open``."""
    name = _free(request.fight)
    chosen = choose_dice(asked.dice)
    given = asked.encounter
    text, content = read_toml(given) if isinstance(given, str) else ("", given)
    who = asked.who or session.who
    with add_location(Path(), text, content):
        fight = begin_fight(name, content, who=who, seed=chosen.seed, entered=chosen.entered, store=session.store)
    session.fights[name] = fight
    return _present(session, name)


def _free(name: str) -> str:
    """Check the name of a new fight, which is a file name in some stores."""
    check_word(name, "fight", most=commands.MANY)
    if "/" in name or name.startswith("."):
        raise Unusable("must have no slash, and no dot in front", "fight")
    return name


def _open(session: PipeSession, request: Request, asked: requests.OpenAsked) -> Said:
    """Open a fight, and describe it.

    The answer has its ``name``, ``system``, ``version``, ``head``, ``hash``, ``closed``, ``ended`` and ``waiting``.
    """
    name = _free(request.fight)
    session.open(name, mend=asked.mend)
    return _present(session, name)


def _present(session: PipeSession, name: str) -> Said:
    fight = session.fight(name)
    state = fight.state
    what = {"fight": name, "name": state.fight, "system": state.system, "version": fight.history.version}
    where = {"head": fight.head, "hash": fight.history.head_hash, "closed": fight.history.closed, "ended": state.ended}
    return {**what, **where, "waiting": awaited_in(fight)}


def _leave(session: PipeSession, request: Request, _: Struct) -> Said:
    """Put a fight away; nothing is recorded."""
    name = session.resolve_name(request.fight)
    session.leave(name)
    return {"fight": name}


def _list(session: PipeSession, _: Request, __: Struct) -> Said:
    """List the ``fights`` of the store, and those that are ``open`` here."""
    return {"fights": session.store.fights(), "open": list(session.fights)}


def _state(session: PipeSession, request: Request, asked: requests.StateAsked) -> Said:
    """Return the ``state`` at a ``position``, with ``hash``, ``digest``, and ``waiting``."""
    fight = session.fight(request.fight)
    return {"fight": fight.name, **moment_of(fight, asked.at)}


def _log(session: PipeSession, request: Request, asked: requests.LogAsked) -> Said:
    """Return the ``lines`` after a position as they stand in the log, each with a sentence (``says``).

    The answer also has the ``head`` and its ``hash``.
    """
    fight = session.fight(request.fight)
    if not 0 <= asked.after <= fight.head:
        raise Unusable(f"must be from 0 to {fight.head}", "after")
    if asked.limit is not None and asked.limit < 1:
        raise Unusable("must be at least 1", "limit")
    lines = session.store.since(fight.name, asked.after)[: asked.limit]
    told = list(spoken_since(fight, asked.after, lines))
    return {"fight": fight.name, "head": fight.head, "hash": fight.history.head_hash, "lines": told}


def _legal(session: PipeSession, request: Request, asked: requests.LegalAsked) -> Said:
    """List the legal actions, a step at a time.

    The answer has ``actors`` and ``waits``; or ``kinds``; or ``fields``, ``whole``, ``refused`` and ``prospect``;
    or ``ways``.
    """
    fight = session.fight(request.fight)
    steps = {
        "get_actors": not asked.who,
        "get_actions_against": asked.whom,
        "get_reachable_places": asked.ways,
        "get_actions": not asked.kind,
    }
    step = OPERATIONS[next((name for name, fits in steps.items() if fits), "get_action_fields")]
    assert step.run is not None
    told = step.run(GAME_MASTER, fight, **{name: getattr(asked, name) for name in step.takes.__struct_fields__})
    return {"fight": fight.name, **_fields_of(told)}


def _audit(session: PipeSession, request: Request, _: Struct) -> Said:
    """Audit the record, the dice and the rules.

    The answer has ``clean``, ``verdict``, ``summary`` and ``report``, with each finding in words (``says``), and
    what is no fault (``listed``).
    """
    fight = session.fight(request.fight)
    found = audit_named(session.store, fight.name, names_of(fight.history.recorded))
    return {"fight": fight.name, **asdict(found)}


def _explain(session: PipeSession, request: Request, asked: requests.EventAsked) -> Said:
    """Explain an event, as ``affray explain --json`` does."""
    fight = session.fight(request.fight)
    return {"fight": fight.name, "explained": explain_position(fight, asked.position)}


def _cost(session: PipeSession, request: Request, _: Struct) -> Said:
    """List the lasting costs of a fight so far (``lines``), for every combatant."""
    fight = session.fight(request.fight)
    return {"fight": fight.name, **asdict(tell_cost(GAME_MASTER, fight))}


def _do(session: PipeSession, request: Request, asked: requests.Do) -> Said:
    """Carry out a command; return ``head``, ``hash``, ``repeated``, ``lines`` and ``waiting``."""
    fight = session.fight(request.fight)
    given = read_intent(asked.intent)
    with ending_in_a_line(fight, words_of_intent(given)):
        intent = resolve_intent(fight, given, str(request.id))
        with name_sent_fields(fight, intent):
            outcome = session.submit(fight.name, intent, id=str(request.id), who=asked.who, expected=asked.expected)
    return {"fight": fight.name, **describe_outcome(session.fights[fight.name], outcome)}


def _preview(session: PipeSession, request: Request, asked: requests.Look) -> Said:
    """Preview an amendment, as ``affray amend --json`` shows it."""
    fight = session.fight(request.fight)
    amend = read_intent(asked.intent)
    if not isinstance(amend, commands.Amend):
        raise Unusable("must be Amend", "intent.type")
    with name_sent_fields(fight, amend):
        seen = preview_of(fight, amend, asked.who or session.who, str(request.id))
    return {"fight": fight.name, **asdict(seen)}


def _close(session: PipeSession, request: Request, asked: requests.CloseAsked) -> Said:
    """End the record for good; answer as ``command``."""
    fight = session.fight(request.fight)
    intent = commands.Close(unfinished=asked.unfinished, reason=asked.reason)
    outcome = session.submit(fight.name, intent, id=str(request.id), who=asked.who, expected=asked.expected)
    return {"fight": fight.name, **describe_outcome(session.fights[fight.name], outcome)}


def _fork(session: PipeSession, request: Request, asked: requests.Fork) -> Said:
    """Fork a fight as a new one; answer as ``open``, with ``parent``, ``position`` and ``dice``."""
    parent, name = session.resolve_name(request.fight), _free(asked.name)
    wanted = ForkRequest(parent=parent, name=name, at=asked.at, who=asked.who or session.who, reason=asked.reason)
    made = session.fights[name] = fork_fight(wanted, session.store, session.store, fresh=draw_seed())
    event = made.history.recorded[-1].event
    assert isinstance(event, Forked)
    return {
        "parent": parent,
        "position": event.position,
        "dice": name_dice_of_fork(event, made.history),
        **_present(session, name),
    }


def _follow(session: PipeSession, request: Request, _: requests.Follow) -> Said:
    """Follow a fight: after the ``head``, every new event is sent as a line."""
    fight = session.fight(request.fight)
    return {"fight": fight.name, "head": fight.head}


def _unfollow(session: PipeSession, request: Request, _: Struct) -> Said:
    """Stop following a fight."""
    name = session.resolve_name(request.fight)
    session.unfollow(name)
    return {"fight": name}


def _schema(_: PipeSession, __: Request, ___: Struct) -> Said:
    """Return JSON Schemas of log ``lines``, ``requests`` and ``intents``."""
    return {"lines": build_schema(), "requests": msgspec.json.schema(ASKED), "intents": msgspec.json.schema(Wire)}


HANDLERS: dict[str, Callable[[PipeSession, Request, Any], Said]] = {
    "open_new_fight": _new,
    "open_fight": _open,
    "leave_fight": _leave,
    "list_fights": _list,
    "get_state": _state,
    "get_log": _log,
    "list_legal": _legal,
    "get_audit": _audit,
    "get_explanation": _explain,
    "get_cost": _cost,
    "send_command": _do,
    "preview_amendment": _preview,
    "close_fight": _close,
    "fork_fight_at": _fork,
    "feed": _follow,
    "unfollow_fight": _unfollow,
    "describe_pipe": _schema,
}
"""The functions for operations that are no read of a fight, or that have a longer answer on a pipe."""

"""Handlers of the requests of a pipe."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from affray.engine import commands
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.forking import ForkRequest as Wanted
from affray.engine.forking import fork_fight
from affray.engine.opening import begin_fight
from affray.engine.runtime.dice import draw_seed
from affray.engine.texts import check_word
from affray.events import Forked, build_schema
from affray.tools.api.awaited import waiting_in
from affray.tools.api.dice_choice import choose_dice
from affray.tools.api.intents import Wire, name_sent_fields, read_intent, resolve_intent, words_of_intent
from affray.tools.api.legal_actions import expand_action, list_actions, list_actors
from affray.tools.api.queries import audit_of, describe_outcome, explain_position, moment_of, preview_of
from affray.tools.api.schemas.legal_actions import HowMay, WhatMay, WhatMayTo, WhereMay, WhoMay
from affray.tools.api.targeting import may_do_to, where_may
from affray.tools.cli.commands.fork import dice
from affray.tools.parse.encounter_file import add_location, read_toml
from affray.tools.present.story.line_text import spoken_since
from affray.tools.present.working_lines import ending_in_a_line

from . import requests
from .requests import Asked
from .session import PipeSession

Said = dict[str, Any]


def handle_request(session: PipeSession, asked: Asked) -> tuple[Said, Iterator[Said]]:
    """Carry out a request; return its answer, and the messages that follow it.

    Raises:
        EngineError, LogError, OSError: the request fails.
    """
    said = _ANSWERS[type(asked)](session, asked)
    behind = session.follow(asked.fight, asked.after) if isinstance(asked, requests.Follow) else iter(())
    return {"id": asked.id, "ok": True, **said}, behind


def _new(session: PipeSession, asked: requests.New) -> Said:
    name = _free(asked.fight)
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


def _open(session: PipeSession, asked: requests.Open) -> Said:
    name = _free(asked.fight)
    session.open(name, mend=asked.mend)
    return _present(session, name)


def _present(session: PipeSession, name: str) -> Said:
    fight = session.fight(name)
    state = fight.state
    what = {"fight": name, "name": state.fight, "system": state.system, "version": fight.history.version}
    where = {"head": fight.head, "hash": fight.history.head_hash, "closed": fight.history.closed, "ended": state.ended}
    return {**what, **where, "waiting": waiting_in(fight)}


def _leave(session: PipeSession, asked: requests.Leave) -> Said:
    name = session.resolve_name(asked.fight)
    session.leave(name)
    return {"fight": name}


def _list(session: PipeSession, _: requests.List) -> Said:
    return {"fights": session.store.fights(), "open": list(session.fights)}


def _state(session: PipeSession, asked: requests.State) -> Said:
    fight = session.fight(asked.fight)
    return {"fight": fight.name, **moment_of(fight, asked.at)}


def _log(session: PipeSession, asked: requests.Log) -> Said:
    fight = session.fight(asked.fight)
    if not 0 <= asked.after <= fight.head:
        raise Unusable(f"must be from 0 to {fight.head}", "after")
    if asked.limit is not None and asked.limit < 1:
        raise Unusable("must be at least 1", "limit")
    lines = session.store.since(fight.name, asked.after)[: asked.limit]
    told = list(spoken_since(fight, asked.after, lines))
    return {"fight": fight.name, "head": fight.head, "hash": fight.history.head_hash, "lines": told}


def _legal(session: PipeSession, asked: requests.Legal) -> Said:
    fight = session.fight(asked.fight)
    return {"fight": fight.name, **asdict(_list_legal(fight, asked))}


def _list_legal(fight: Fight, asked: requests.Legal) -> WhoMay | WhatMay | HowMay | WhatMayTo | WhereMay:
    if not asked.who:
        return list_actors(fight)
    if asked.whom:
        return may_do_to(fight, asked.who, asked.whom, asked.manner)
    if asked.ways:
        return where_may(fight, asked.who, asked.manner)
    if not asked.kind:
        return list_actions(fight, asked.who, asked.manner)
    return expand_action(fight, asked.who, asked.kind, asked.manner, asked.chosen, fill=asked.fill)


def _audit(session: PipeSession, asked: requests.Audit) -> Said:
    name = session.resolve_name(asked.fight)
    return {"fight": name, **audit_of(session.store, name)}


def _explain(session: PipeSession, asked: requests.Explain) -> Said:
    fight = session.fight(asked.fight)
    return {"fight": fight.name, "explained": explain_position(fight, asked.position)}


def _do(session: PipeSession, asked: requests.Do) -> Said:
    fight = session.fight(asked.fight)
    given = read_intent(asked.intent)
    with ending_in_a_line(fight, words_of_intent(given)):
        intent = resolve_intent(fight, given, str(asked.id))
        with name_sent_fields(fight, intent):
            outcome = session.submit(fight.name, intent, id=str(asked.id), who=asked.who, expected=asked.expected)
    return {"fight": fight.name, **describe_outcome(session.fights[fight.name], outcome)}


def _preview(session: PipeSession, asked: requests.Preview) -> Said:
    fight = session.fight(asked.fight)
    amend = read_intent(asked.intent)
    if not isinstance(amend, commands.Amend):
        raise Unusable("must be Amend", "intent.type")
    with name_sent_fields(fight, amend):
        seen = preview_of(fight, amend, asked.who or session.who, str(asked.id))
    return {"fight": fight.name, **asdict(seen)}


def _close(session: PipeSession, asked: requests.Close) -> Said:
    fight = session.fight(asked.fight)
    intent = commands.Close(unfinished=asked.unfinished, reason=asked.reason)
    outcome = session.submit(fight.name, intent, id=str(asked.id), who=asked.who, expected=asked.expected)
    return {"fight": fight.name, **describe_outcome(session.fights[fight.name], outcome)}


def _fork(session: PipeSession, asked: requests.Fork) -> Said:
    parent, name = session.resolve_name(asked.fight), _free(asked.name)
    wanted = Wanted(parent=parent, name=name, at=asked.at, who=asked.who or session.who, reason=asked.reason)
    made = session.fights[name] = fork_fight(wanted, session.store, session.store, fresh=draw_seed())
    event = made.history.recorded[-1].event
    assert isinstance(event, Forked)
    return {"parent": parent, "position": event.position, "dice": dice(event, made.history), **_present(session, name)}


def _follow(session: PipeSession, asked: requests.Follow) -> Said:
    fight = session.fight(asked.fight)
    return {"fight": fight.name, "head": fight.head}


def _unfollow(session: PipeSession, asked: requests.Unfollow) -> Said:
    name = session.resolve_name(asked.fight)
    session.unfollow(name)
    return {"fight": name}


def _schema(_: PipeSession, __: requests.Schema) -> Said:
    return {"lines": build_schema(), "requests": msgspec.json.schema(Asked), "intents": msgspec.json.schema(Wire)}


_ANSWERS: dict[type[Any], Callable[[PipeSession, Any], Said]] = {
    requests.New: _new,
    requests.Open: _open,
    requests.Leave: _leave,
    requests.List: _list,
    requests.State: _state,
    requests.Log: _log,
    requests.Legal: _legal,
    requests.Audit: _audit,
    requests.Explain: _explain,
    requests.Do: _do,
    requests.Preview: _preview,
    requests.Close: _close,
    requests.Fork: _fork,
    requests.Follow: _follow,
    requests.Unfollow: _unfollow,
    requests.Schema: _schema,
}

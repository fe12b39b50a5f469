"""The commands that look at a fight: ``show`` and ``legal``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from affray.engine.core.evolve import fold
from affray.engine.core.state import State, digest
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.runtime.offers import Answer, Declaration, Faces, Legal, Pass
from affray.engine.runtime.offers import legal as legal_now
from affray.events import Recorded

from .conversation.choices import listed, spoken
from .options import fight_argument, json_option
from .picture import names_in, picture, waiting_line
from .places import looking_at
from .printing import say, say_json
from .replies import waiting
from .screen import console
from .story.sentences import dice_wanted, purpose, topic
from .story.words import Names, called, owns, series
from .story.words import said as in_words


def state_after(recorded: Sequence[Recorded], position: int) -> State:
    """Return the state as it was when a position was the head of the record.

    Raises:
        Unusable: there is no such position.
    """
    if not 1 <= position <= len(recorded):
        raise Unusable(f"must be from 1 to {len(recorded)}", "at")
    history = History()
    history.add(recorded[:position])
    return fold(history.effective())


@click.command(short_help="Show the state: whose turn, everybody, the board, what waits.")
@fight_argument
@click.option("--at", type=int, metavar="N", help="As it was at position N.")
@json_option
def show(said: str, at: int | None, as_json: bool) -> None:
    """Show a fight: whose turn it is, everybody in it, what is pending and awaited."""
    with looking_at(said, whole=as_json) as fight:
        state = fight.state if at is None else state_after(fight.history.recorded, at)
        if as_json:
            moment = {"at": at or fight.head, "digest": digest(state), "waiting": waiting(state)}
            reply = {"fight": said, **moment, "state": state}
            say_json(reply)
        else:
            console().print(picture(state, fight.ruleset))
            if fight.history.closed and at is None:
                say(waiting_line(fight))


@click.command(short_help="List what may be done now, by whom, in typed words.")
@fight_argument
@json_option
def legal(said: str, as_json: bool) -> None:
    """List what may be done now, by whom, in the words one types."""
    with looking_at(said, whole=as_json) as fight:
        if as_json:
            ways = () if fight.history.closed else legal_now(fight.ruleset, fight.table)
            offered = [offer(fight, one) for one in ways]
            say_json({"fight": said, "head": fight.head, "legal": offered})
            return
        say(waiting_line(fight))
        for line in () if fight.history.closed else listed(fight):
            say(f"  {line}")


def offer(fight: Fight, one: Legal) -> dict[str, Any]:
    """Return one thing that may be done with its kind, what it is in words, and its line if there is one to type."""
    fields = {"kind": type(one).__name__.lower()} | {name: getattr(one, name) for name in one.__struct_fields__}
    if isinstance(one, Declaration):
        return fields | {"line": spoken(fight, one.intent).line}
    if isinstance(one, Pass):
        return fields | {"says": "let it pass", "line": f"pass {one.intent.who}"}
    return fields | {"says": _wanted(one, names_in(fight.table.draft))}


def _wanted(one: Answer | Faces, names: Names) -> str:
    """Return who is asked about what, or which dice are wanted for what."""
    if isinstance(one, Answer):
        who = series((called(names, who) for who in one.of), "or")
        whom = one.about.partition(":")[2]
        about = f" for {called(names, whom)}" if whom and whom not in one.of else ""
        return f"{who} is asked about {in_words(topic(one.about))}{about}"
    whose = one.purpose.partition(":")[2] or one.by
    return f"{owns(called(names, whose))} dice are awaited: {dice_wanted(one.dice)} {purpose(one.purpose)}"


__all__ = ["legal", "offer", "show", "state_after"]

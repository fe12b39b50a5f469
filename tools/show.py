"""The commands that look at a fight: ``show`` and ``legal``."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from affray.engine.errors import Unusable
from affray.engine.evolve import fold
from affray.engine.fight import Fight
from affray.engine.history import History
from affray.engine.legal import Declaration, Legal
from affray.engine.legal import legal as legal_now
from affray.engine.state import State, digest
from affray.events import Recorded

from .conversation.choices import listed, spoken
from .options import fight_argument, json_option
from .picture import console, picture, waiting_line
from .places import open_said
from .replies import waiting


def state_after(recorded: list[Recorded], position: int) -> State:
    """Return the state as it was when a position was the head of the record.

    Raises:
        Unusable: there is no such position.
    """
    if not 1 <= position <= len(recorded):
        raise Unusable(f"must be from 1 to {len(recorded)}", "position")
    history = History()
    history.add(recorded[:position])
    return fold(history.effective())


@click.command(short_help="Show the state: whose turn, everybody, the board, what waits.")
@fight_argument
@click.option("--at", type=int, metavar="N", help="As it was when position N was the last.")
@json_option
def show(said: str, at: int | None, as_json: bool) -> None:
    """Show a fight: whose turn it is, everybody in it, what is pending and awaited."""
    fight = open_said(said)
    state = fight.state if at is None else state_after(fight.history.recorded, at)
    if as_json:
        moment = {"at": at or fight.head, "digest": digest(state), "waiting": waiting(state)}
        reply = {"fight": said, **moment, "state": state}
        click.echo(msgspec.json.encode(reply))
    else:
        console().print(picture(state, fight.ruleset))
        if fight.history.closed and at is None:
            click.echo(waiting_line(fight))


@click.command(short_help="List what may be done now, by whom, in typed words.")
@fight_argument
@json_option
def legal(said: str, as_json: bool) -> None:
    """List what may be done now, by whom, in the words one types."""
    fight = open_said(said)
    if as_json:
        ways = () if fight.history.closed else legal_now(fight.ruleset, fight.table)
        offered = [offer(fight, one) for one in ways]
        click.echo(msgspec.json.encode({"fight": said, "head": fight.head, "legal": offered}))
        return
    click.echo(waiting_line(fight))
    for line in () if fight.history.closed else listed(fight):
        click.echo(f"  {line}")


def offer(fight: Fight, one: Legal) -> dict[str, Any]:
    """Return one thing that may be done with its kind, and a declaration with the line that says it."""
    fields = {"kind": type(one).__name__.lower()} | {name: getattr(one, name) for name in one.__struct_fields__}
    return fields | {"line": spoken(fight, one.intent).line} if isinstance(one, Declaration) else fields


__all__ = ["legal", "offer", "show", "state_after"]

"""Fold what is hidden from some viewers."""

from affray.engine.core.draft import Draft
from affray.events import Concealed, Released, Veiled

from .registry import on


@on(Concealed)
def _(draft: Draft, event: Concealed) -> None:
    others = tuple(who for who in draft.concealed if who != event.who)
    draft.concealed = (*others, event.who) if event.concealed else others


@on(Veiled)
def _(draft: Draft, event: Veiled) -> None:
    veiled = draft.own("veiled")
    if event.pools:
        veiled[event.who] = event.pools
    else:
        veiled.pop(event.who, None)


@on(Released)
def _(draft: Draft, event: Released) -> None:
    """Change nothing in the fight: who may read which line is no part of it."""

"""Fold the events about the record itself and its dice."""

from affray.engine.core.draft import Draft
from affray.engine.core.state import Awaited
from affray.events import (
    ABOUT_THE_RECORD,
    Damaged,
    DiceAwaited,
    DiceEntered,
    DiceRenewed,
    DiceSourceSet,
    Event,
    FightOpened,
    Judged,
    Noted,
    Passed,
    Rolled,
)

from .registry import on


@on(FightOpened)
def _(draft: Draft, event: FightOpened) -> None:
    draft.fight, draft.system, draft.version = event.fight, event.system, event.version
    draft.config = event.config


@on(DiceRenewed)
def _(draft: Draft, event: DiceRenewed) -> None:
    draft.dice_generation = event.generation


@on(DiceSourceSet)
def _(draft: Draft, event: DiceSourceSet) -> None:
    draft.own("dice_sources")[event.owner] = event.source


@on(DiceAwaited)
def _(draft: Draft, event: DiceAwaited) -> None:
    draft.awaited = Awaited(roll=event.roll, by=event.by, purpose=event.purpose, dice=event.dice)


@on(DiceEntered)
def _(draft: Draft, event: DiceEntered) -> None:
    draft.awaited = None


@on(Rolled, Judged, Damaged, Passed, Noted, *ABOUT_THE_RECORD)
def _(draft: Draft, event: Event) -> None:
    """Change nothing: what follows from it is recorded as facts of their own."""

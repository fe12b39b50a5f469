"""Fold the events about the record itself and its dice."""

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.state import Awaited
from affray.events import ABOUT_THE_RECORD, Event

from .fold import on


@on(facts.FightOpened)
def _(draft: Draft, event: facts.FightOpened) -> None:
    draft.fight, draft.system, draft.version = event.fight, event.system, event.version
    draft.config, draft.dice_scheme, draft.format = event.config, event.dice_scheme, event.format


@on(facts.DiceRenewed)
def _(draft: Draft, event: facts.DiceRenewed) -> None:
    draft.dice_generation = event.generation


@on(facts.DiceSourceSet)
def _(draft: Draft, event: facts.DiceSourceSet) -> None:
    table, whose = ("side_dice", event.side) if event.side else ("dice_sources", event.owner)
    draft.own(table)[whose] = event.source


@on(facts.PlayerUndoSet)
def _(draft: Draft, event: facts.PlayerUndoSet) -> None:
    draft.player_undo = event.rule


@on(facts.DiceAwaited)
def _(draft: Draft, event: facts.DiceAwaited) -> None:
    draft.postpone(event.roll)
    draft.awaited = Awaited(roll=event.roll, by=event.by, purpose=event.purpose, dice=event.dice, sources=event.sources)


@on(facts.DiceEntered)
def _(draft: Draft, event: facts.DiceEntered) -> None:
    draft.stop_waiting_for(event.roll)


@on(facts.Rolled, facts.Judged, facts.Damaged, facts.Passed, facts.Noted, facts.Released, facts.AttemptRefused)
@on(*ABOUT_THE_RECORD)
def _(draft: Draft, event: Event) -> None:
    """Change nothing: their effects are events too, and audiences are not state."""

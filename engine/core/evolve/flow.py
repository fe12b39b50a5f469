"""Fold phases, rounds, turns and windows."""

from affray.engine.core.draft import Draft
from affray.engine.core.state import Window
from affray.events import (
    FightEnded,
    MemberDone,
    OfferDeclined,
    OrderSet,
    PhaseEntered,
    RoundBegan,
    TurnBegan,
    TurnEnded,
    WindowClosed,
    WindowOpened,
)

from .registry import on


@on(PhaseEntered)
def _(draft: Draft, event: PhaseEntered) -> None:
    draft.own("phases")[event.item] = event.phase


@on(RoundBegan)
def _(draft: Draft, event: RoundBegan) -> None:
    draft.round = event.round
    draft.own("counts").clear()


@on(OrderSet)
def _(draft: Draft, event: OrderSet) -> None:
    draft.slots = event.slots


@on(TurnBegan)
def _(draft: Draft, event: TurnBegan) -> None:
    draft.up, draft.acting = event.slot, event.members
    counts = draft.own("counts")
    counts[f"{event.slot}/turn"] = counts.get(f"{event.slot}/turn", 0) + 1


@on(MemberDone)
def _(draft: Draft, event: MemberDone) -> None:
    draft.acting = tuple(who for who in draft.acting if who != event.who)


@on(TurnEnded)
def _(draft: Draft, event: TurnEnded) -> None:
    draft.acting = ()


@on(WindowOpened)
def _(draft: Draft, event: WindowOpened) -> None:
    draft.window = Window(event.window, event.to, event.what)
    draft.own("counts")[f"{event.about}/window"] = event.nth


@on(OfferDeclined)
def _(draft: Draft, event: OfferDeclined) -> None:
    window = draft.window
    if window is not None and window.id == event.window:
        left = list(window.to)
        left.remove(event.who)
        draft.window = Window(window.id, tuple(left), window.what)


@on(WindowClosed)
def _(draft: Draft, event: WindowClosed) -> None:
    draft.window = None


@on(FightEnded)
def _(draft: Draft, event: FightEnded) -> None:
    draft.ended, draft.victors = True, event.victors

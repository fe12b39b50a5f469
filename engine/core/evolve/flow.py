"""Fold phases, rounds, turns and windows."""

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.state import Window

from .fold import on


@on(facts.PhaseEntered)
def _(draft: Draft, event: facts.PhaseEntered) -> None:
    draft.own("phases")[event.item] = event.phase


@on(facts.RoundBegan)
def _(draft: Draft, event: facts.RoundBegan) -> None:
    draft.round = event.round
    draft.own("counts").clear()


@on(facts.OrderSet)
def _(draft: Draft, event: facts.OrderSet) -> None:
    draft.slots = event.slots


@on(facts.TurnBegan)
def _(draft: Draft, event: facts.TurnBegan) -> None:
    draft.up, draft.acting = event.slot, event.members
    counts = draft.own("counts")
    if not event.adds:
        counts[f"{event.slot}/turn"] = counts.get(f"{event.slot}/turn", 0) + 1


@on(facts.MemberDone)
def _(draft: Draft, event: facts.MemberDone) -> None:
    draft.acting = tuple([who for who in draft.acting if who != event.who])


@on(facts.TurnEnded)
def _(draft: Draft, event: facts.TurnEnded) -> None:
    draft.acting = ()


@on(facts.WindowOpened)
def _(draft: Draft, event: facts.WindowOpened) -> None:
    draft.window = Window(event.window, event.to, event.what)
    draft.own("counts")[event.window.partition("#")[0]] = event.nth


@on(facts.OfferDeclined)
def _(draft: Draft, event: facts.OfferDeclined) -> None:
    window = draft.window
    if window is not None and window.id == event.window:
        left = list(window.to)
        if event.who in left:  # a viewer may have read the window without a combatant who was concealed then
            left.remove(event.who)
        draft.window = Window(window.id, tuple(left), window.what)


@on(facts.WindowClosed)
def _(draft: Draft, event: facts.WindowClosed) -> None:
    draft.window = None


@on(facts.FightEnded)
def _(draft: Draft, event: facts.FightEnded) -> None:
    draft.ended, draft.victors, draft.allied_victors = True, event.victors, event.allies


@on(facts.FightReopened)
def _(draft: Draft, event: facts.FightReopened) -> None:
    draft.ended, draft.victors, draft.allied_victors = False, "", ()

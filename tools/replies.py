"""Print what a command led to: sentences for people, one object for programs."""

from collections.abc import Sequence
from typing import Any

from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.engine.visibility import for_words
from affray.events import Recorded

from .places import Place
from .printing import say, say_json
from .speech import GM

KNOWING = "Only those who know of who is hidden will read the words of this, until they are released (rule release)."
EVERYBODY = "Everybody will read the reason of this, whoever is hidden."


def report(place: Place, fight: Fight, recorded: Sequence[Recorded], *, as_json: bool, repeated: bool = False) -> None:
    """Print what happened and what is awaited now."""
    if as_json:
        reply = {
            "fight": place.said,
            "head": fight.head,
            "hash": fight.history.head_hash,
            "phase": fight.state.phase,
            "repeated": repeated,
            "events": recorded,
            "waiting": waiting_in(fight),
        }
        say_json(reply)
        return
    from .picture import waiting_line  # noqa: PLC0415 - a machine's reply needs neither words nor pictures
    from .story.telling import tell_all  # noqa: PLC0415

    for line in tell_all(recorded, fight):
        say(line)
    if readers := who_reads(fight, recorded):
        say(readers)
    say(waiting_line(fight))


def who_reads(fight: Fight, recorded: Sequence[Recorded]) -> str:
    """Return who will read the words of a command where somebody is hidden; nothing where nobody is."""
    if not recorded or not any(for_words(one.audience) for one in recorded):
        reason = getattr(recorded[0].event, "reason", "") if recorded else ""
        return EVERYBODY if reason and fight.state.concealed and recorded[0].audience is None else ""
    return KNOWING


def waiting_in(fight: Fight) -> dict[str, Any]:
    """Return for whom a fight waits, and for what; a closed one for nothing any more."""
    return {"for": "nothing", "of": []} if fight.history.closed else waiting(fight.state)


def waiting(state: State) -> dict[str, Any]:
    """Return for whom a fight waits, and for what: an answer, dice, a pass, a turn, or nothing any more."""
    if state.question is not None:
        return {"for": "answer", "of": state.question.of, "question": state.question}
    if state.awaited is not None:
        return {"for": "dice", "of": [state.awaited.by], "dice": state.awaited}
    if state.window is not None:
        return {"for": "pass", "of": state.window.to, "window": state.window}
    if state.ended:
        return {"for": "nothing", "of": []}
    return {"for": "action", "of": state.acting or [GM]}

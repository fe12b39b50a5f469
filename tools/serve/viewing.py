"""What a viewer is shown of a fight, and the check that they ask for no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.commands import Intent
from affray.engine.core.draft import Draft
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import STUMBLES, EngineError, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.runtime.offers import legal
from affray.engine.runtime.validation import check_answer
from affray.engine.visibility import TELLING, Viewer, WireLine, betrays, hides_some, knows_sender, seen_by, wire_line
from affray.events import Answered, Declared, DiceEntered, Passed, Recorded, Senseless
from affray.tools.answers import legal_in
from affray.tools.intents import placed
from affray.tools.receipts.machines import Explanation
from affray.tools.replies import waiting
from affray.tools.show import offer

from .offers import May, MayAnswer, MayDeclare, MayEnter, MayPass
from .wire import Waiting


class AsSeen(Exception):
    """A refusal that comes of what its reader sees, and so tells nothing more, whatever words of theirs it repeats."""

    def __init__(self, error: EngineError) -> None:
        super().__init__(str(error))
        self.error = error


class _Glimpse(Struct, frozen=True):
    """As much of a fight as words are understood by."""

    ruleset: Ruleset
    table: Table


def as_seen(viewer: Viewer, fight: Fight) -> Fight:
    """Return a fight in whose table stands only what somebody sees; for understanding words and checking actions."""
    seen = seen_by(viewer, fight.state)
    if seen is fight.state:
        return fight
    return cast("Fight", _Glimpse(fight.ruleset, Table(Draft(seen), fight.table.config)))


def sees_all(viewer: Viewer, fight: Fight) -> bool:
    """Tell whether nothing in the record is hidden from somebody."""
    if viewer.role == "gm":
        return True
    return seen_by(viewer, fight.state) is fight.state and not any(
        hides_some(viewer, one) for one in fight.history.recorded
    )


def lines_for(viewer: Viewer, fight: Fight, recorded: Iterable[Recorded]) -> list[WireLine]:
    """Return events of a command as somebody may read them."""
    format_at = fight.history.format_at
    return [wire_line(viewer, one, msgspec.json.encode(one.event), format=format_at(one.position)) for one in recorded]


def log_lines(viewer: Viewer, fight: Fight, after: int, written: Sequence[bytes]) -> list[WireLine]:
    """Return lines of the log behind a position as somebody may read them, their payloads as they are written."""
    closed = bool(fight.history.closed)
    lines = (msgspec.json.decode(line, type=_Payload) for line in written)
    return [
        wire_line(
            viewer, fight.history.at(position), line.event, closed=closed, format=fight.history.format_at(position)
        )
        for position, line in enumerate(lines, after + 1)
    ]


def without_sender(viewer: Viewer, fight: Fight, told: Explanation) -> Explanation:
    """Return why an event is what it is, without who sent its command where somebody may not know that."""
    if knows_sender(viewer, fight.history.at(told.position), closed=bool(fight.history.closed)):
        return told
    return replace(told, command=replace(told.command, who="", id=""))


class _Payload(Struct):
    event: msgspec.Raw


def waiting_for(viewer: Viewer, fight: Fight) -> Waiting:
    """Return for whom a fight waits, as far as somebody sees that."""
    now: dict[str, Any] = (
        {"for": "nothing", "of": ()} if fight.history.closed else waiting(seen_by(viewer, fight.state))
    )
    return Waiting(awaits=now.pop("for"), of=list(now.pop("of")), **now)


def legal_for(viewer: Viewer, fight: Fight) -> list[May]:
    """Return what somebody may do now; the game master may do everything, players what concerns their own.

    What is left out because of somebody hidden would tell that they are there; so what is offered follows from what is
    seen, and may be refused when it is tried.
    """
    if viewer.role == "gm":
        return [_offered(one) for one in legal_in(fight)["legal"]]
    seen = as_seen(viewer, fight)
    ways = () if fight.history.closed or viewer.role != "player" else legal(fight.ruleset, seen.table)
    offered: list[May] = []
    with suppress(Senseless, Unusable):  # rules may need what is hidden: then what was found before is offered
        offered += (_offered(offer(seen, one)) for one in ways)
    return [one for one in offered if set(viewer.owns) & _whose(one)]


def _offered(one: dict[str, Any]) -> May:
    return _OFFERS[one["kind"]](**{name: value for name, value in one.items() if name != "kind"})


_OFFERS: dict[str, type[May]] = {"declaration": MayDeclare, "answer": MayAnswer, "pass": MayPass, "faces": MayEnter}


def _whose(offer: May) -> set[str]:
    """Return for whom something is that may be done."""
    match offer:
        case MayDeclare(intent=Declared(actor=who)) | MayPass(intent=Passed(who=who)) | MayEnter(by=who):
            return {who}
        case MayAnswer(of=of):
            return set(of)


def check_said(fight: Fight, said: object, field: str) -> None:
    """Refuse words that everybody will read and that name what is hidden from some; only those who see it are told.

    Raises:
        Unusable: they do.
    """
    if betrays(_STRANGER, fight.state, said):
        raise Unusable(TELLING, field)


_STRANGER = Viewer(role="spectator")


def check_asked(viewer: Viewer, fight: Fight, intent: Intent) -> None:
    """Refuse what somebody could not mean by what they see, in the words in which nonsense would be refused.

    Raises:
        AsSeen: it concerns what is hidden from them, or what is not there; nobody can tell which.
    """
    if viewer.role == "gm":
        return
    seen = as_seen(viewer, fight)  # where nothing is hidden too, or the order in which nonsense is refused would tell
    draft = seen.table.draft
    try:
        match intent:
            case Declared():
                with placed(seen, intent):
                    _check(seen, intent)
            case Answered(question=id):
                if draft.question is None or draft.question.id != id:
                    raise Refused("no_such_question", "", f"nobody is asked {id} now", source=id)
                check_answer(draft.question, intent)
            case Passed(window=id) if draft.window is None or draft.window.id != id:
                raise Refused("no_such_window", "", f"the window {id} is not open", source=id)
            case DiceEntered(roll=id) if draft.awaited is None or draft.awaited.roll != id:
                raise Refused("no_such_roll", "", f"no dice are awaited for {id} now", source=id)
            case _:
                return
    except EngineError as error:
        raise AsSeen(error) from None
    except STUMBLES:  # the rules may need what is hidden: then what is there decides alone
        return


def _check(seen: Fight, intent: Declared) -> None:
    rules = seen.ruleset
    action = rules.declared(intent)
    rules.flow.permit(seen.table, intent.actor, action.trigger(rules.manners[intent.manner]))
    action.check(seen.table, intent.actor, intent.manner)


__all__ = [
    "AsSeen",
    "as_seen",
    "check_asked",
    "check_said",
    "legal_for",
    "lines_for",
    "log_lines",
    "sees_all",
    "waiting_for",
    "without_sender",
]

"""Requests of a pipe, one a line of input."""

from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.commands import MANY
from affray.engine.errors import Unusable
from affray.engine.texts import check_word
from affray.events import STANDARD
from affray.tools.parse.decoding import misread


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """A request.

    Attributes:
        id: The request's own id, which the answer repeats. It is also the id of a command: sent twice, that is done
            once.
        fight: The name of the fight; may be left out while only one is open.
    """

    id: str | int
    fight: str = ""


class New(Request, frozen=True, kw_only=True, tag="new"):
    """Open a new fight under the name ``fight``.

    Attributes:
        encounter: The content of an encounter file as an object, or its text.
        dice: ``engine``, ``entered``, or ``entered:WHO`` with sides or combatants, separated by commas.
        who: The name of the sender.
    """

    encounter: dict[str, Any] | str
    dice: str = "engine"
    who: str = ""


class Open(Request, frozen=True, kw_only=True, tag="open"):
    """Open a recorded fight.

    Attributes:
        mend: Whether to open even a fight that would go on differently under the present rules, only to take that back.
    """

    mend: bool = False


class Leave(Request, frozen=True, kw_only=True, tag="leave"):
    """Close an open fight of this pipe; nothing is recorded."""


class List(Request, frozen=True, kw_only=True, tag="list"):
    """List the stored fights, and those that are open here."""


class State(Request, frozen=True, kw_only=True, tag="state"):
    """Show the present state, or the state at position ``at``."""

    at: int | None = None


class Log(Request, frozen=True, kw_only=True, tag="log"):
    """Show the recorded lines behind a position."""

    after: int = 0
    limit: int | None = None


class Legal(Request, frozen=True, kw_only=True, tag="legal"):
    """List who may act now, the actions of a combatant, or the choices for a field of an action.

    Attributes:
        who: The acting combatant; all if not given.
        manner: The manner of the declaration.
        kind: The action; all of them if not given.
        chosen: The values of some of its fields.
        fill: Whether to fill fields without a choice with the usual or only possible value.
        whom: Instead of ``kind``: the target of all actions to list, with their previews.
        ways: Instead of ``kind``: whether to list the places that ``who`` can reach, with costs and reactions.
    """

    who: str = ""
    manner: str = STANDARD
    kind: str = ""
    chosen: dict[str, Any] = {}
    fill: bool = False
    whom: str = ""
    ways: bool = False


class Audit(Request, frozen=True, kw_only=True, tag="audit"):
    """Audit the record, the dice and the rules from the log."""


class Explain(Request, frozen=True, kw_only=True, tag="explain"):
    """Explain an event."""

    position: int


class Do(Request, frozen=True, kw_only=True, tag="command"):
    """Carry out a command.

    Attributes:
        intent: The intent of the command.
        expected: The position that the sender expects to be the head.
        who: The name of the sender, as claimed.
    """

    intent: dict[str, Any]
    expected: int | None = None
    who: str = ""


class Preview(Request, frozen=True, kw_only=True, tag="preview"):
    """Preview an amendment."""

    intent: dict[str, Any]
    who: str = ""


class Close(Request, frozen=True, kw_only=True, tag="close"):
    """End the record for good and reveal the dice seed: a short form of the command ``Close``."""

    unfinished: bool = False
    reason: str = ""
    expected: int | None = None
    who: str = ""


class Fork(Request, frozen=True, kw_only=True, tag="fork"):
    """Fork a fight under another name, as a what-if.

    Attributes:
        name: The name of the new fight.
        at: The position of the fork; the head if not given.
        reason: The reason.
        who: The name of the sender.
    """

    name: str
    at: int | None = None
    reason: str = ""
    who: str = ""


class Follow(Request, frozen=True, kw_only=True, tag="follow"):
    """Send every new event of a fight, also those of other processes.

    Attributes:
        after: The position behind which to begin; if not given, a snapshot of the state comes first.
    """

    after: int | None = None


class Unfollow(Request, frozen=True, kw_only=True, tag="unfollow"):
    """Stop sending the events of a fight."""


class Schema(Request, frozen=True, kw_only=True, tag="schema"):
    """Return the JSON Schemas of log lines, requests and intents."""


Asked = (
    New | Open | Leave | List | State | Log | Legal | Audit | Explain | Do | Preview | Close | Fork | Follow
    | Unfollow | Schema
)  # fmt: skip
"""Every request."""

DOES: tuple[str, ...] = tuple(form.__struct_config__.tag for form in Asked.__args__)
"""The names of the requests, as in their field ``do``."""

_decoder = msgspec.json.Decoder(Asked)


def read_request(line: bytes) -> Asked:
    """Decode the request in a line.

    Raises:
        Unusable: it is no valid request; says which field is wrong, and the expected value.
    """
    try:
        asked: Asked = _decoder.decode(line)
    except UnicodeDecodeError:
        raise Unusable("is not UTF-8 text", "line") from None
    except RecursionError:
        raise Unusable("is nested without end", "line") from None
    except msgspec.ValidationError as error:
        message, path = misread(str(error))
        field = path.strip(".")
        known = f"; it is one of {', '.join(DOES)}" if field == "do" else ""
        raise Unusable(message + known, field or "line") from None
    except msgspec.DecodeError as error:
        raise Unusable(str(error), "line") from None
    check_word(str(asked.id), "id", most=MANY)
    return asked


def read_id(line: bytes) -> str | int | None:
    """Return the id of an invalid request, if it can be read."""
    try:
        return msgspec.json.decode(line, type=_Named).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class _Named(Struct):
    id: str | int | None = None

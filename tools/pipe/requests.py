"""What a line of input may ask."""

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
        id: Its own; the answer carries it. That of a command is the command's own too: sent twice, it is done once.
        fight: Which fight; may be left out while only one is open.
    """

    id: str | int
    fight: str = ""


class New(Request, frozen=True, kw_only=True, tag="new"):
    """Open a new fight under the name ``fight``.

    Attributes:
        encounter: The content of an encounter file as an object, or its text.
        dice: ``engine``, ``entered``, or ``entered:WHO`` with sides or combatants, parted by commas.
        who: Who opens it.
    """

    encounter: dict[str, Any] | str
    dice: str = "engine"
    who: str = ""


class Open(Request, frozen=True, kw_only=True, tag="open"):
    """Open a recorded fight.

    Attributes:
        mend: Also one that would go on differently under the present rules, for nothing but taking that back.
    """

    mend: bool = False


class Leave(Request, frozen=True, kw_only=True, tag="leave"):
    """Put a fight away; nothing is recorded."""


class List(Request, frozen=True, kw_only=True, tag="list"):
    """Name the fights there are, and those that are open here."""


class State(Request, frozen=True, kw_only=True, tag="state"):
    """Show the state, or what it was when position ``at`` was the last."""

    at: int | None = None


class Log(Request, frozen=True, kw_only=True, tag="log"):
    """Show what was recorded behind a position."""

    after: int = 0
    limit: int | None = None


class Legal(Request, frozen=True, kw_only=True, tag="legal"):
    """Tell who may act now; or what somebody may do; or what is still to be chosen of an action.

    Attributes:
        who: Who would act; everybody if not given.
        manner: How it would be declared.
        kind: Which action; all of them if not given.
        chosen: The values of some of its fields.
        fill: Whether a field that nobody chose is taken to be as usual, or the only thing it can be.
        whom: Instead of ``kind``: all that ``who`` may do to somebody, with what it promises.
        ways: Instead of ``kind``: whether everywhere ``who`` may go is told, with what the ways cost and provoke.
    """

    who: str = ""
    manner: str = STANDARD
    kind: str = ""
    chosen: dict[str, Any] = {}
    fill: bool = False
    whom: str = ""
    ways: bool = False


class Audit(Request, frozen=True, kw_only=True, tag="audit"):
    """Prove record, dice and rules from the log."""


class Explain(Request, frozen=True, kw_only=True, tag="explain"):
    """Say why an event is what it is."""

    position: int


class Do(Request, frozen=True, kw_only=True, tag="command"):
    """Carry out a command.

    Attributes:
        intent: What is asked.
        expected: The position its sender believes to be the head.
        who: Who sends it, as claimed.
    """

    intent: dict[str, Any]
    expected: int | None = None
    who: str = ""


class Preview(Request, frozen=True, kw_only=True, tag="preview"):
    """Show what an amendment would come to."""

    intent: dict[str, Any]
    who: str = ""


class Close(Request, frozen=True, kw_only=True, tag="close"):
    """End the record for good and reveal the dice seed: the command ``Close`` by a shorter name."""

    unfinished: bool = False
    reason: str = ""
    expected: int | None = None
    who: str = ""


class Fork(Request, frozen=True, kw_only=True, tag="fork"):
    """Begin a what-if of a fight under another name.

    Attributes:
        name: Of the new fight.
        at: The position it leaves at; the head if not given.
        reason: Why.
        who: Who forks it.
    """

    name: str
    at: int | None = None
    reason: str = ""
    who: str = ""


class Follow(Request, frozen=True, kw_only=True, tag="follow"):
    """Send every event of a fight from now on, whoever caused it.

    Attributes:
        after: Begin with the events behind this position; with a snapshot of the state if not given.
    """

    after: int | None = None


class Unfollow(Request, frozen=True, kw_only=True, tag="unfollow"):
    """Send no more."""


class Schema(Request, frozen=True, kw_only=True, tag="schema"):
    """Return the JSON Schemas of log lines, requests and intents."""


Asked = (
    New | Open | Leave | List | State | Log | Legal | Audit | Explain | Do | Preview | Close | Fork | Follow
    | Unfollow | Schema
)  # fmt: skip
"""Every request there is."""

DOES: tuple[str, ...] = tuple(form.__struct_config__.tag for form in Asked.__args__)
"""What they say of themselves."""

_decoder = msgspec.json.Decoder(Asked)


def read_request(line: bytes) -> Asked:
    """Return the request that a line holds.

    Raises:
        Unusable: it is none; says which field and what was expected.
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


def id_of(line: bytes) -> str | int | None:
    """Return the id of a line that is no request, if it has one that can be told."""
    try:
        return msgspec.json.decode(line, type=_Named).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class _Named(Struct):
    id: str | int | None = None

"""Parameters of the operations that read a fight, and the requests that a pipe alone has."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from affray.engine.commands import MANY
from affray.events import STANDARD

from .fights import LINES

MOST = 2**53
"""The largest position; JavaScript has no exact integers beyond it."""

CombatantOrMaster = Annotated[str, Meta(max_length=MANY, description="The id of the acting combatant, or ``gm``.")]
Manner = Annotated[str, Meta(max_length=MANY, description="The manner of the declaration.")]
Place = Annotated[str, Meta(max_length=MANY, description="A place of the map.")]
Action = Annotated[str, Meta(max_length=MANY, description="The name of an action.")]


Sender = Annotated[str, Meta(description="The name of the sender, which a pipe does not check.")]
Reason = Annotated[str, Meta(description="The reason, in the sender's own words.")]
Expected = Annotated[int | None, Meta(description="The position that the sender expects to be the head.")]


class Nothing(Struct, frozen=True):
    """No parameters."""


class StateAsked(Struct, frozen=True, kw_only=True):
    """The present state, or the state at a position."""

    at: Annotated[int | None, Meta(ge=1, le=MOST, description="The position of a past state.")] = None


class LogAsked(Struct, frozen=True, kw_only=True):
    """The query of the recorded lines after a position."""

    after: Annotated[int, Meta(ge=0, le=MOST, description="The position behind which to begin.")] = 0
    limit: Annotated[int | None, Meta(ge=1, le=LINES, description="The most lines to return.")] = None


class CombatantAsked(Struct, frozen=True, kw_only=True):
    """A combatant, in one manner of declaring."""

    who: CombatantOrMaster
    manner: Manner = STANDARD


class ActionAsked(Struct, frozen=True, kw_only=True):
    """An action of a combatant, with the values of some of its fields."""

    who: CombatantOrMaster
    kind: Action
    manner: Manner = STANDARD
    chosen: Annotated[
        dict[str, Any],
        Meta(max_length=10_000, description="A JSON object: the fields chosen so far, as recorded."),
    ] = {}
    fill: Annotated[bool, Meta(description="Fill fields without a choice with the usual or only possible value.")] = (
        False
    )


class TargetAsked(Struct, frozen=True, kw_only=True):
    """A combatant and a target."""

    who: CombatantOrMaster
    whom: Annotated[str, Meta(max_length=MANY, description="The target, a combatant.")]
    manner: Manner = STANDARD


class DistanceAsked(Struct, frozen=True, kw_only=True):
    """Two places."""

    here: Place
    there: Place


class StoryAsked(Struct, frozen=True, kw_only=True):
    """The story of a fight, without its first entries."""

    after: Annotated[int, Meta(ge=0, le=MOST, description="The number of entries to skip.")] = 0


class EventAsked(Struct, frozen=True, kw_only=True):
    """An event."""

    position: Annotated[int, Meta(ge=1, le=MOST, description="The position of the event.")]


class VersionAsked(Struct, frozen=True, kw_only=True):
    """The version of a document that its writer knows."""

    version: Annotated[str, Meta(max_length=100, description="The version that the sender last read.")]


class TokenAsked(Struct, frozen=True, kw_only=True):
    """A token of a fight."""

    id: Annotated[
        str | None,
        Meta(max_length=MANY, description="The id of a token; if not given, all but the client's own."),
    ] = None


class TablesAsked(Struct, frozen=True, kw_only=True):
    """The tables of a rule system."""

    kind: Annotated[str, Meta(max_length=MANY, description="The name of a single table.")] = ""
    search: Annotated[str, Meta(max_length=MANY, description="Words that must all be in an entry.")] = ""


class LegalAsked(Struct, frozen=True, kw_only=True):
    """The query of the legal actions, or of the choices for a field of an action.

    Attributes:
        who: The acting combatant; all by default.
        manner: The manner of the declaration.
        kind: The action; all by default.
        chosen: The values of some of its fields.
        fill: Whether to fill in fields without a choice with their default or their only possible value.
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


class New(Struct, frozen=True, kw_only=True):
    """A new fight under the name ``fight``.

    Attributes:
        encounter: The content of an encounter file as an object, or its text.
        dice: ``engine``, ``entered``, or ``entered:WHO`` with sides or combatants, separated by commas.
    """

    encounter: dict[str, Any] | str
    dice: str = "engine"
    who: Sender = ""


class OpenAsked(Struct, frozen=True, kw_only=True):
    """A recorded fight to open.

    Attributes:
        mend: Whether to open a fight that diverges under the present rules too, to take that back.
    """

    mend: bool = False


class Look(Struct, frozen=True, kw_only=True):
    """An amendment to preview."""

    intent: Annotated[dict[str, Any], Meta(description="The intent, an object with a ``type``.")]
    who: Sender = ""


class Do(Look, frozen=True, kw_only=True):
    """A command."""

    expected: Expected = None


class CloseAsked(Struct, frozen=True, kw_only=True):
    """The end of a record, which reveals the dice seed: a short form of the command ``Close``.

    Attributes:
        unfinished: Whether to close the record though the fight is not over.
    """

    unfinished: bool = False
    reason: Reason = ""
    expected: Expected = None
    who: Sender = ""


class Fork(Struct, frozen=True, kw_only=True):
    """A what-if as a new fight.

    Attributes:
        name: The name of the new fight.
        at: The position that it begins from; the head by default.
    """

    name: str
    at: int | None = None
    reason: Reason = ""
    who: Sender = ""


class Follow(Struct, frozen=True, kw_only=True):
    """A fight to follow.

    Attributes:
        after: The position behind which to begin; by default a snapshot of the present state comes first.
    """

    after: int | None = None

"""The structs that are sent besides events, states and log lines."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from affray.engine.commands import MANY, Amend
from affray.engine.core.state import State
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.integrity.audit import Report, Verdict
from affray.engine.visibility import Viewer, WireLine
from affray.tools.api.intents import Wire
from affray.tools.api.schemas.odds import Odds
from affray.tools.present.awaited import Waiting
from affray.tools.present.awaiting_history import Headline
from affray.tools.present.luck import Luck
from affray.tools.present.story.entries import StoryEntry

NAME = r"^[A-Za-z0-9][A-Za-z0-9_-]*(?!\n)$"
"""The pattern of the name of a new fight."""

LINES = 5_000
"""The most log lines in one answer."""

LINES_BYTES = 4 << 20
"""The most bytes of log lines in one answer. The answer ends with the line that reaches this limit."""

Name = Annotated[str, Meta(pattern=NAME, min_length=1, max_length=100)]
Text = Annotated[str, Meta(max_length=MANY)]
Position = Annotated[int, Meta(ge=0, le=2**53)]
CommandId = Annotated[
    str,
    Meta(min_length=1, max_length=MANY, description="The sender's own id; a command sent twice is carried out once."),
]


class Health(Struct, frozen=True):
    """The health of the server.

    Attributes:
        server: Random characters that are new at each start; they tell whether an address leads to this server.
    """

    ok: bool
    version: str
    server: str


class Opening(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to open a fight from an encounter: as an object, as TOML, or stored.

    Attributes:
        party: A stored party that joins the fight.
        side: The side whose places the party takes; by default its own side, or else the first side.
        dice: The source of the dice: ``engine``, ``entered``, or ``entered:WHO``. ``WHO`` lists sides or combatants,
            separated by commas.
    """

    id: Name
    encounter: dict[str, Any] | None = None
    toml: str | None = None
    saved: Name | None = None
    party: Name | None = None
    side: Annotated[str, Meta(max_length=60)] = ""
    dice: Annotated[str, Meta(pattern="^(engine|entered(:.+)?)$", max_length=600)] = "engine"


class Links(Struct, frozen=True):
    """The links to a fight, one for each role; those of players by name."""

    gm: str
    players: dict[str, str]
    spectator: str


class Opened(Struct, frozen=True):
    """A fight that was opened, with its links."""

    id: str
    head: int
    links: Links


class ListedFight(Struct, frozen=True):
    """A fight in the list."""

    id: str
    you: Viewer


class Fights(Struct, frozen=True):
    """The fights that the caller may enter."""

    fights: list[ListedFight]


class About(Struct, frozen=True):
    """The summary of a fight.

    Attributes:
        map: The kind of place on its map: ``squares``, ``hexes``, ``zones``, or empty without a map.
    """

    id: str
    name: str
    system: str
    title: str
    version: str
    map: str
    head: int
    hash: str
    closed: bool
    ended: bool
    you: Viewer
    waiting: Waiting


class Granting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a token."""

    role: Literal["gm", "player", "spectator"]
    name: Annotated[str, Meta(min_length=1, max_length=MANY)]
    owns: Annotated[tuple[Text, ...], Meta(max_length=MANY)] = ()


class Granted(Struct, frozen=True):
    """A token; it is shown once and kept only as a hash."""

    token: str
    link: str


class Holder(Struct, frozen=True, omit_defaults=True):
    """The holder of a token, without the token itself.

    Attributes:
        id: The id that revokes the token.
        since: The time when the token was issued; empty if unknown.
        you: Whether the token is the caller's own.
    """

    id: str
    role: Literal["gm", "player", "spectator"]
    name: str
    owns: tuple[str, ...] = ()
    since: str = ""
    you: bool = False


class Grants(Struct, frozen=True, omit_defaults=True):
    """The tokens of a fight, without their secrets.

    Attributes:
        reach: The base addresses at which other machines reach the server, for links; the public one first. Empty if
            it listens to its own machine only.
        public: The public address that the host set; empty if there is none.
        is_host: Whether the reader is the host, who may change the public address.
    """

    grants: list[Holder]
    reach: tuple[str, ...] = ()
    public: str = ""
    is_host: bool = False


class Moment(Struct, frozen=True, omit_defaults=True):
    """The state at a position, as its viewer may see it.

    Attributes:
        digest: The digest of the whole state; empty for a viewer who does not see everything.
        bands: The bands of hidden counters, by combatant and counter: ``unhurt``, ``hurt``, ``badly hurt`` or ``down``.
    """

    position: int
    hash: str
    state: State
    digest: str = ""
    bands: dict[str, dict[str, str]] = {}


class Lines(Struct, frozen=True):
    """A part of a log."""

    head: int
    hash: str
    lines: list[WireLine]


class Story(Struct, frozen=True):
    """A fight told in sentences, from one of its story lines on.

    Attributes:
        head: The log position up to which the story is told.
        entries: The story lines.
        count: The number of lines in the whole story.
    """

    head: int
    entries: list[StoryEntry]
    count: int


class Headlines(Struct, frozen=True):
    """The headlines of a fight, in order.

    Attributes:
        head: The log position up to which headlines are given.
        headlines: The headlines, each with the log position from which it applies.
    """

    head: int
    headlines: list[Headline]


class Told(Struct, frozen=True):
    """A log told in sentences.

    Attributes:
        says: One sentence for each event, in order.
        entries: The story of the log.
        headlines: The headlines, each with the log position from which it applies.
        vocabulary: The vocabulary of the rule system.
        map: The kind of place on its map: ``squares``, ``hexes``, ``zones``, or empty without a map.
        title: The title of the rule system.
    """

    says: list[str]
    entries: list[StoryEntry]
    headlines: list[Headline]
    vocabulary: Vocabulary
    map: str
    title: str


class Telling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to tell a log file as a story.

    Attributes:
        log: The text of the log file.
    """

    log: str


class Audited(Struct, frozen=True):
    """The audit of a fight; clean if everything was checked without findings.

    Attributes:
        says: The findings of the report, as sentences.
        listed: The notes of the report that are no faults, as sentences.
    """

    clean: bool
    verdict: Verdict
    summary: str
    report: Report
    says: list[str]
    listed: list[str]


class Forecast(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A forecast: the request, and the result so far.

    Attributes:
        id: The id to poll or cancel the forecast with.
        position, hash: The log position of the head that the forecast is for, and its hash.
        stage: The progress: ``waiting`` for its turn, ``working``, ``done``, or ``failed``.
        done, of: The units of work that are done, and the most that can be needed.
        odds: The odds of the fight's end; preliminary until the stage is ``done``.
        luck: The worth of dice and decisions, once the stage is ``done``.
        wrong: The reason for a failed forecast.
    """

    id: str
    what: Literal["odds", "luck"]
    position: int
    hash: str
    stage: Literal["waiting", "working", "done", "failed"]
    done: int = 0
    of: int = 0
    odds: Odds | None = None
    luck: Luck | None = None
    wrong: str = ""


class Forecasts(Struct, frozen=True):
    """The forecasts of a fight, finished and unfinished."""

    forecasts: list[Forecast]


class Commanding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to carry out a command."""

    id: CommandId
    intent: Wire
    expected: Position | None = None


class Carried(Struct, frozen=True):
    """The outcome of a command, with the log lines it recorded."""

    head: int
    hash: str
    repeated: bool
    lines: list[WireLine]
    waiting: Waiting


class Looking(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to preview an amendment."""

    id: CommandId
    intent: Amend
    expected: Position | None = None


class Forking(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to fork a fight as a what-if."""

    id: Name
    at: Position | None = None
    reason: Text = ""


class Clause(Struct, frozen=True):
    """A clause of the rules, in our own words."""

    section: str
    title: str
    says: str


class Schema(Struct, frozen=True, kw_only=True, rename={"ref": "$ref", "defs": "$defs"}):
    """A JSON Schema, with the keywords that this API uses."""

    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    ref: str | UnsetType = UNSET
    defs: dict[str, Schema] | UnsetType = UNSET
    type: str | UnsetType = UNSET
    enum: list[str | int | bool | None] | UnsetType = UNSET
    anyOf: list[Schema] | UnsetType = UNSET
    properties: dict[str, Schema] | UnsetType = UNSET
    required: list[str] | UnsetType = UNSET
    additionalProperties: bool | Schema | UnsetType = UNSET
    items: bool | Schema | UnsetType = UNSET
    prefixItems: list[Schema] | UnsetType = UNSET
    minItems: int | UnsetType = UNSET
    maxItems: int | UnsetType = UNSET
    minLength: int | UnsetType = UNSET
    maxLength: int | UnsetType = UNSET
    pattern: str | UnsetType = UNSET
    minimum: int | UnsetType = UNSET
    maximum: int | UnsetType = UNSET
    default: Any = UNSET


class RulingForm(Struct, frozen=True):
    """A ruling with the JSON Schema of its fields.

    Attributes:
        words: The fields in the order in which a typed command gives them.
        people, things: The fields that hold combatant ids, and those that hold item ids.
        names: The kind of name that a text field holds, by field. It is a vocabulary table such as ``pools``, or a kind
            of object in the fight, such as ``combatant`` and ``place``.
    """

    kind: str
    says: str
    words: tuple[str, ...]
    people: tuple[str, ...]
    things: tuple[str, ...]
    schema: Schema
    names: dict[str, str]

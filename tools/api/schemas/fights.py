"""The structs that are sent besides events, states and lines."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from affray.engine.commands import MANY, Amend
from affray.engine.core.state import Awaited, Question, State, Window
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.integrity.audit import Report, Verdict
from affray.engine.visibility import Viewer, WireLine
from affray.tools.api.amendment_preview import Preview
from affray.tools.api.intents import Wire
from affray.tools.api.schemas.legal_actions import HowMay, WhatMay, WhoMay
from affray.tools.api.schemas.odds import Odds
from affray.tools.api.schemas.receipts import Explanation
from affray.tools.present.awaiting_history import Headline
from affray.tools.present.luck import Luck
from affray.tools.present.story.entries import StoryEntry

from .forecasts import Wish

NAME = r"^[A-Za-z0-9][A-Za-z0-9_-]*(?!\n)$"
"""What a fight may be called that is opened here."""

LINES = 5_000
"""How many lines of a log an answer has at most."""

LINES_BYTES = 4 << 20
"""How many bytes of a log. An answer ends with the line that reaches it."""
"""How many lines of a log are sent at most at once."""

Name = Annotated[str, Meta(pattern=NAME, min_length=1, max_length=100)]
Text = Annotated[str, Meta(max_length=MANY)]
Position = Annotated[int, Meta(ge=0, le=2**53)]
CommandId = Annotated[str, Meta(min_length=1, max_length=MANY, description="Its sender's own; sent twice, done once.")]


class Health(Struct, frozen=True):
    """The health of the server."""

    ok: bool
    version: str


class Opening(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fight that shall begin: the encounter as an object, as the text of its TOML file, or one that is kept.

    Attributes:
        party: A party that is kept, which joins it.
        side: Whose places it takes; if not given, those of its own side, or of that which stands first.
        dice: Who throws: ``engine``, ``entered``, or ``entered:WHO`` with sides or combatants, parted by commas.
    """

    id: Name
    encounter: dict[str, Any] | None = None
    toml: str | None = None
    saved: Name | None = None
    party: Name | None = None
    side: Annotated[str, Meta(max_length=60)] = ""
    dice: Annotated[str, Meta(pattern="^(engine|entered(:.+)?)$", max_length=600)] = "engine"


class Links(Struct, frozen=True):
    """The links of a fight, one for each role; those of players by name."""

    gm: str
    players: dict[str, str]
    spectator: str


class Opened(Struct, frozen=True):
    """A fight that has begun."""

    id: str
    head: int
    links: Links


class Entry(Struct, frozen=True):
    """A fight in the list."""

    id: str
    you: Viewer


class Fights(Struct, frozen=True):
    """The fights that the caller may enter."""

    fights: list[Entry]


class Waiting(Struct, frozen=True, omit_defaults=True, rename={"awaits": "for"}):
    """The awaited input of a fight, and its senders.

    Attributes:
        headline: The same in a sentence, as its reader may hear it: ``You are up: Ilse``.
    """

    awaits: Literal["answer", "dice", "pass", "action", "nothing"]
    of: list[str]
    headline: str = ""
    question: Question | None = None
    dice: Awaited | None = None
    window: Window | None = None


class About(Struct, frozen=True):
    """A fight, in short.

    Attributes:
        map: What its places are: ``squares``, ``hexes``, ``zones``, or nothing.
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
        id: By which it can be taken back.
        since: When it was given out; empty if that is not known.
        you: Whether it is the reader's own.
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
        reach: Where others reach the server, so that links can begin with it; none if it listens to itself alone.
    """

    grants: list[Holder]
    reach: tuple[str, ...] = ()


class Moment(Struct, frozen=True, omit_defaults=True):
    """The state at a position, as its viewer may see it.

    Attributes:
        digest: Of the whole state; only for those from whom nothing is hidden.
        bands: How hidden counters stand: per combatant and counter ``unhurt``, ``hurt``, ``badly hurt`` or ``down``.
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
    """A fight told in sentences, from one of its lines on.

    Attributes:
        head: The position up to which it is told.
        entries: The lines.
        count: How many lines the whole story has.
    """

    head: int
    entries: list[StoryEntry]
    count: int


class Headlines(Struct, frozen=True):
    """The headlines of a fight, from its first line to its last.

    Attributes:
        head: The position up to which it is told.
        headlines: Each with the position from which on it holds.
    """

    head: int
    headlines: list[Headline]


class Told(Struct, frozen=True):
    """A log told in sentences.

    Attributes:
        says: A sentence for each event, in order.
        entries: The story of it.
        headlines: Whose turn it was, each with the position from which on it holds.
        vocabulary: The words of its rules.
        map: What its places are: ``squares``, ``hexes``, ``zones``, or nothing.
        title: What its rules are called.
    """

    says: list[str]
    entries: list[StoryEntry]
    headlines: list[Headline]
    vocabulary: Vocabulary
    map: str
    title: str


class Telling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A log that shall be told.

    Attributes:
        log: The text of the file.
    """

    log: str


class Audited(Struct, frozen=True):
    """The audit of a fight. It is clean only if everything was judged and nothing was found.

    Attributes:
        says: Each finding of the report as a sentence.
        listed: What is no fault, as sentences.
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
        id: By which it is asked for again, and dropped.
        position, hash: The head of the record that it is of.
        stage: Whether it waits for its turn, is being computed, is done, or cannot be.
        done, of: How much of it is computed, of how much at most.
        odds: How the fight is going to end; as far as that is known, until it is done.
        luck: What dice and decisions were worth; once it is done.
        wrong: Why it cannot be foreseen.
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
    """A command."""

    id: CommandId
    intent: Wire
    expected: Position | None = None


class Carried(Struct, frozen=True):
    """The outcome of a command."""

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
    """A what-if that shall begin."""

    id: Name
    at: Position | None = None
    reason: Text = ""


class Clause(Struct, frozen=True):
    """A clause of the rules, in our own words."""

    section: str
    title: str
    says: str


class Schema(Struct, frozen=True, kw_only=True, rename={"ref": "$ref", "defs": "$defs"}):
    """A JSON Schema, as far as these ones go."""

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
    """A ruling with what it needs to know, as a JSON Schema.

    Attributes:
        words: Its fields in the order in which they are typed.
        people, things: Those that name combatants, and items.
        names: Per field whose texts name something, of what kind: a table of the vocabulary, such as ``pools``, or
            what stands in a fight, such as ``combatant`` and ``place``.
    """

    kind: str
    says: str
    words: tuple[str, ...]
    people: tuple[str, ...]
    things: tuple[str, ...]
    schema: Schema
    names: dict[str, str]


TYPES = (
    *(About, Audited, Carried, Clause, Commanding, Explanation, Fights, Forecast, Forecasts, Forking, Granted),
    *(Granting, Grants, Health, HowMay, Lines, Looking, Moment, Opened, Opening, Preview, RulingForm, Story, Telling),
    *(Told, Vocabulary, WhatMay, WhoMay, Wish),
)
"""Everything that is sent or received whole."""

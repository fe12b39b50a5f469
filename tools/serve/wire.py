"""What goes over the wire besides events, states and lines."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from affray.engine.audit import Report
from affray.engine.commands import MANY, Amend
from affray.engine.hiding import Viewer, WireLine
from affray.engine.state import Awaited, Question, State, Window
from affray.events import Declared, Dice, Option, Passed
from affray.tools.intents import Wire

NAME = r"^[A-Za-z0-9][A-Za-z0-9_-]*(?!\n)$"
"""What a fight may be called that is opened here."""

LINES = 5_000
"""How many lines of a log are sent at most at once."""

Name = Annotated[str, Meta(pattern=NAME, min_length=1, max_length=100)]
Text = Annotated[str, Meta(max_length=MANY)]
Position = Annotated[int, Meta(ge=0, le=2**53)]
CommandId = Annotated[str, Meta(min_length=1, max_length=MANY, description="Its sender's own; sent twice, done once.")]


class Health(Struct, frozen=True):
    """That the server is at work."""

    ok: bool
    version: str


class Opening(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fight that shall begin: the encounter as an object, or as the text of its TOML file."""

    id: Name
    encounter: dict[str, Any] | None = None
    toml: str | None = None
    dice: Literal["engine", "entered"] = "engine"


class Links(Struct, frozen=True):
    """Where each viewer of a fight enters; players by name."""

    gm: str
    players: dict[str, str]
    spectator: str


class Opened(Struct, frozen=True):
    """A fight that has begun."""

    id: str
    head: int
    links: Links


class Listed(Struct, frozen=True):
    """A fight in the list."""

    id: str
    you: Viewer


class Fights(Struct, frozen=True):
    """The fights that somebody may enter."""

    fights: list[Listed]


class Waiting(Struct, frozen=True, omit_defaults=True, rename={"awaits": "for"}):
    """For whom a fight waits, and for what."""

    awaits: Literal["answer", "dice", "pass", "action", "nothing"]
    of: list[str]
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
    """Who shall get a token."""

    role: Literal["gm", "player", "spectator"]
    name: Annotated[str, Meta(min_length=1, max_length=MANY)]
    owns: Annotated[tuple[Text, ...], Meta(max_length=MANY)] = ()


class Granted(Struct, frozen=True):
    """A token; it is shown once and kept only as a hash."""

    token: str
    link: str


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


class MayDeclare(Struct, frozen=True, tag_field="kind", tag="declaration"):
    """An action that would be accepted as it stands: ready to be sent, and in the words one types."""

    intent: Declared
    says: str
    line: str


class MayAnswer(Struct, frozen=True, tag_field="kind", tag="answer"):
    """A question that waits, with the ways to answer it."""

    question: str
    of: tuple[str, ...]
    about: str
    options: tuple[Option, ...]


class MayPass(Struct, frozen=True, tag_field="kind", tag="pass"):
    """A window that may be let go by."""

    intent: Passed


class MayEnter(Struct, frozen=True, tag_field="kind", tag="faces"):
    """Real dice that wait to be entered."""

    roll: str
    by: str
    purpose: str
    dice: tuple[Dice, ...]


May = MayDeclare | MayAnswer | MayPass | MayEnter


class Legal(Struct, frozen=True):
    """What may be done now."""

    head: int
    legal: list[May]


class Audited(Struct, frozen=True):
    """What can be proved of a fight."""

    clean: bool
    summary: str
    report: Report


class Sent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command."""

    id: CommandId
    intent: Wire
    expected: Position | None = None


class Carried(Struct, frozen=True):
    """What a command came to."""

    head: int
    hash: str
    repeated: bool
    lines: list[WireLine]
    waiting: Waiting


class Looking(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amendment that somebody wants to see before it is recorded."""

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


class RulingForm(Struct, frozen=True):
    """A ruling with what it needs to know, as a JSON Schema."""

    kind: str
    says: str
    words: tuple[str, ...]
    people: tuple[str, ...]
    things: tuple[str, ...]
    schema: dict[str, Any]


TYPES = (
    *(About, Audited, Carried, Clause, Fights, Forking, Granted, Granting, Health, Legal, Lines, Looking),
    *(Moment, Opened, Opening, RulingForm, Sent),
)
"""Everything here that is sent or received whole."""

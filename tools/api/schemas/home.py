"""Structs for presence, and for the fights of a server as its host sees them."""

from typing import Annotated

from msgspec import Meta, Struct

from .fights import Holder


class LinkToEncode(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link to encode as a QR code."""

    link: Annotated[str, Meta(min_length=1, max_length=1_000)]


class Present(Struct, frozen=True, omit_defaults=True):
    """A client that follows a fight now.

    Attributes:
        role, name: The role and the name in the client's token.
        owns: The combatants of the client that the reader may see.
        streams: The number of open streams with this token.
        you: Whether this client is the reader.
    """

    role: str
    name: str
    owns: tuple[str, ...] = ()
    streams: int = 1
    you: bool = False


class WhoIsThere(Struct, frozen=True):
    """The clients that follow a fight now.

    Attributes:
        people: The game masters and players; for a game master also the spectators.
        spectators: The number of open streams of spectators.
    """

    people: list[Present]
    spectators: int


class AtHome(Struct, frozen=True, omit_defaults=True):
    """A fight of this server.

    Attributes:
        id: The name of the fight on this server.
        name: The title in its encounter.
        round: The current round; 0 before the first.
        headline: The combatant whose turn it is, or the input that the table waits for, as a sentence.
        changed: The time of the last event.
        people: The holders of its tokens.
        here: The number of game masters and players who follow it now.
        wrong: The reason why it cannot be opened; empty if it can.
    """

    id: str
    name: str = ""
    system: str = ""
    title: str = ""
    round: int = 0
    ended: bool = False
    closed: bool = False
    headline: str = ""
    changed: str = ""
    people: tuple[Holder, ...] = ()
    here: int = 0
    wrong: str = ""


class Home(Struct, frozen=True):
    """The fights of this server.

    Attributes:
        fights: The fights that are described, latest change first.
        more: The names of the other fights.
    """

    fights: list[AtHome]
    more: list[str]

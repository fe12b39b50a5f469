"""Structs for presence, and for the fights of a server as its host sees them."""

from typing import Annotated

from msgspec import Meta, Struct

from .fights import Holder


class LinkToEncode(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link to encode as a QR code."""

    link: Annotated[str, Meta(min_length=1, max_length=1_000)]


class AddressChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public address that links begin with from now on; empty for none."""

    url: Annotated[str, Meta(max_length=1_000)]


class AddressCheck(Struct, frozen=True):
    """The check of an address: whether it leads to this server, as far as the server itself can tell.

    Attributes:
        url: The address.
        leads: Whether this server answered there.
        says: The result, and a remedy, as a sentence.
    """

    url: str
    leads: bool
    says: str


class Addresses(Struct, frozen=True):
    """The addresses of the server.

    Attributes:
        public: The public address that the host set; empty if there is none.
        links: The address that links begin with.
        reach: The addresses at which other machines reach the server, the public one first.
        checks: The check of each of these; empty if nothing was checked.
    """

    public: str
    links: str
    reach: list[str]
    checks: list[AddressCheck]


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

"""Structs of presence, and of the fights of a server as its host sees them."""

from msgspec import Struct

from .fights import Holder


class Present(Struct, frozen=True, omit_defaults=True):
    """A client that follows a fight now.

    Attributes:
        role, name: Those of their token.
        owns: The combatants they play, as far as the reader sees them.
        streams: On how many pages or programs.
        you: Whether it is the reader.
    """

    role: str
    name: str
    owns: tuple[str, ...] = ()
    streams: int = 1
    you: bool = False


class WhoIsThere(Struct, frozen=True):
    """The clients that follow a fight now.

    Attributes:
        people: Game masters and players, and to game masters the spectators.
        spectators: How many streams of spectators there are.
    """

    people: list[Present]
    spectators: int


class AtHome(Struct, frozen=True, omit_defaults=True):
    """A fight of this server.

    Attributes:
        id: Its name here.
        name: What its encounter calls it.
        round: Which it is in; 0 before the first.
        headline: Whose turn it is, or whom it waits for.
        changed: When its last event was recorded.
        people: Who holds a token.
        here: How many game masters and players follow it now.
        wrong: Why it cannot be opened, if so.
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
        fights: Those that are looked at, the one that changed last first.
        more: How many others there are, by name.
    """

    fights: list[AtHome]
    more: list[str]


TYPES = (Home, WhoIsThere)
"""Everything of these that is sent whole."""

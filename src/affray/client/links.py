"""Links to a table: the server's address, the fight and the token."""

from urllib.parse import parse_qs, quote, urlencode, urlsplit

from msgspec import Struct

from .errors import BadLink

FORM = "a link has the form http://HOST/#fight=FIGHT&token=TOKEN"


class TableLink(Struct, frozen=True):
    """A link in its parts.

    Attributes:
        base: The address of the server, with the path at which a proxy serves it; no slash at the end.
        fight: The name of the fight.
        token: The token, which is a secret.
    """

    base: str
    fight: str
    token: str

    def __repr__(self) -> str:
        """Return the link without its token."""
        return f"TableLink(base={self.base!r}, fight={self.fight!r})"

    def build_url(self, *path: object, **query: object) -> str:
        """Return the address of something of the fight.

        Args:
            path: The parts that follow the fight's own address.
            query: Parameters; those that are ``None`` are left out.
        """
        said = {name: _in_query(value) for name, value in query.items() if value is not None}
        parts = "/".join(quote(str(one), safe="") for one in ("api", "fights", self.fight, *path))
        return f"{self.base}/{parts}{'?' if said else ''}{urlencode(said)}"


def read_link(link: str, fight: str = "") -> TableLink:
    """Read a link as the server prints it.

    Args:
        fight: The fight, for the host's link, which names none.

    Raises:
        BadLink: says what is missing.
    """
    try:
        parts = urlsplit(link.strip())
        host, named = parts.hostname, parts.username is not None
        _ = parts.port  # reading it checks it
    except ValueError as error:
        raise BadLink(f"not an address: {error}; {FORM}") from None
    said = parse_qs(parts.fragment)
    if parts.scheme not in ("http", "https") or not host:
        raise BadLink(f"no address of a server; {FORM}")
    if named:
        raise BadLink(f"a user name stands before the host, but only the token says who asks; {FORM}")
    (token,) = said.get("token", [""])[:1]
    if not token.isascii() or not token.isprintable() or not token.strip():
        raise BadLink(f"no token in it; {FORM}")
    (found,) = said.get("fight", [""])[:1]
    if fight and found and fight != found:
        raise BadLink(f"it is a link to {found}, not to {fight}")
    if not (fight or found):
        raise BadLink("it names no fight, as the host's own link: say which, as in fight='bridge'")
    return TableLink(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", fight or found, token.strip())


def _in_query(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

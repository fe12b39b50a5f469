"""Command ``serve``: fights over HTTP, for the page and for programs."""

import os
import re
from collections.abc import Sequence
from ipaddress import ip_network
from pathlib import Path

import click

from affray.engine.errors import Unusable
from affray.tools.api.store_url import ENDING, RENAMED, SCHEME, store_of
from affray.tools.cli.completion import values

from .addresses import check_public_url

HOST_TOKEN = "AFFRAY_HOST_TOKEN"
SHORTEST = 16
"""The fewest characters of a token that the host chooses."""

ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")

LOOPBACK, EVERY_INTERFACE = "127.0.0.1", "0.0.0.0"

STORE = "fights.db"
"""The default store."""


@click.command()
@click.argument(
    "encounters", metavar="[ENCOUNTER.toml|FIGHT]…", nargs=-1, shell_complete=values.files(".toml", ".jsonl")
)
@click.option(
    "--store",
    "where",
    metavar="WHERE",
    shell_complete=values.stores,
    help=f"FILE.db (SQLite), a folder of .jsonl files, or postgresql://…; {STORE} if not said.",
)
@click.option("--host", help="Where to listen; without it on this machine alone, or with --share in its networks.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--public-url",
    metavar="URL",
    help="Where others reach the server, such as https://table.example; links begin with it until '' takes it back.",
)
@click.option(
    "--share", is_flag=True, help="Let players on other machines in: check the way and explain it, with QR codes."
)
@click.option(
    "--trust-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="Believe X-Forwarded-For of a proxy at this address or in this network.",
)
@click.option(
    "--new-host-link", "renews", is_flag=True, help="Revoke all earlier links of the host, and print a new one."
)
@click.option(
    "--allow-origin", "requests", multiple=True, metavar="URL", help="Let pages of another origin use this server."
)
@click.option(
    "--allow-frame", "frames", multiple=True, metavar="URL", help="Let pages of another origin show ours in a frame."
)
@click.option("--qr", is_flag=True, help="Show the players' links as QR codes, too.")
def serve(
    encounters: tuple[str, ...],
    where: str | None,
    host: str | None,
    port: int,
    public_url: str | None,
    share: bool,
    proxies: tuple[str, ...],
    renews: bool,
    requests: tuple[str, ...],
    frames: tuple[str, ...],
    qr: bool,
) -> None:
    """Serve the fights of a folder or database, and open those of the encounters that are named.

    Prints a link for the game master, for each player and for spectators. A FIGHT is a stored fight: its name, or its
    place and its name, as in fights.db#bridge. Links stay valid when the server is started again, the host's too. The
    environment variable AFFRAY_HOST_TOKEN sets a token for the host.
    """
    try:
        from .other_origins import OtherOrigins  # noqa: PLC0415 - likewise
        from .startup import run_server  # noqa: PLC0415 - only a server waits for these
    except ImportError as error:
        raise Unusable(
            f'serving needs the extra serve: pip install ".[serve]" in the folder of Affray ({error.name} is missing)'
        ) from None
    kept, names = split_store(encounters, where)
    token, url = find_host_token(), None if public_url is None else check_public_url(public_url, "--public-url")
    if token and renews:
        raise Unusable(f"the host's token is that of {HOST_TOKEN}; change or unset that instead", "--new-host-link")
    others = OtherOrigins(
        requests=tuple(check_origin(one, "--allow-origin") for one in requests),
        frames=tuple(check_origin(one, "--allow-frame") for one in frames),
    )
    run_server(
        names,
        store_of(kept),
        host or (EVERY_INTERFACE if share else LOOPBACK),
        port,
        token,
        renews=renews,
        public_url=url,
        share=share,
        codes=qr,
        proxies=[check_proxy(one) for one in proxies],
        others=others,
    )


def check_proxy(address: str) -> str:
    """Check the address or network of a proxy.

    Raises:
        Unusable: it is neither.
    """
    try:
        return str(ip_network(address))
    except ValueError:
        raise Unusable(
            "must be an address such as 127.0.0.1 or a network such as 10.0.0.0/8", "--trust-proxy"
        ) from None


def check_origin(url: str, option: str) -> str:
    """Return an origin as browsers spell it.

    Raises:
        Unusable: it is no origin: it has a path, or is no web address.
    """
    origin = url.removesuffix("/").lower()
    if not ORIGIN.fullmatch(origin):
        raise Unusable("must be an origin such as https://table.example, without a path", option)
    return origin


def split_store(named: Sequence[str], where: str | None) -> tuple[str, list[str]]:
    """Return the common store of the named fights and encounters, and their names without it.

    Raises:
        Unusable: they are in different stores.
    """
    parts = [_split_name(one) for one in named]
    said = [one for one in (where, *(kept for kept, _ in parts)) if one is not None]
    if len({_normal(one) for one in said}) > 1:
        raise Unusable(f"a server has one store, not {' and '.join(dict.fromkeys(said))}", "--store")
    return (said or [STORE])[0], [name for _, name in parts]


def _split_name(named: str) -> tuple[str | None, str]:
    """Split a named fight into its store, if given, and its name or encounter file."""
    if named.endswith(".toml"):
        return None, named
    if named.endswith(".jsonl"):
        return str(Path(named).parent), Path(named).stem
    if named.endswith(RENAMED):
        raise Unusable(f"rename {named} so that it ends in {ENDING}: a server keeps a folder of such files", "FIGHT")
    where, mark, name = named.partition("#")
    return (where, name) if mark else (None, named)


def _normal(where: str) -> str:
    return where if "://" in where else str(Path(where.removeprefix(SCHEME)).resolve())


def find_host_token() -> str:
    """Return the host's token from the environment; empty if it gives none.

    Raises:
        Unusable: the one of the environment is too short to be a secret.
    """
    given = os.environ.get(HOST_TOKEN, "")
    if given and len(given) < SHORTEST:
        raise Unusable(f"must have at least {SHORTEST} characters", HOST_TOKEN)
    return given

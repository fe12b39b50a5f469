"""The command ``serve``: fights over HTTP, for the page and for programs."""

from __future__ import annotations

import os
from secrets import token_urlsafe

import click

from affray.engine.errors import Unusable
from affray.tools.places import store_of

HOST_TOKEN = "AFFRAY_HOST_TOKEN"
SHORTEST = 16
"""How long a token must be that somebody chooses themselves."""


@click.command(short_help="Serve fights to browsers and programs.")
@click.argument("encounters", metavar="[ENCOUNTER.toml|FIGHT]…", nargs=-1)
@click.option(
    "--store",
    "where",
    default="fights.db",
    show_default=True,
    metavar="WHERE",
    help="FILE.db (SQLite), a folder of .jsonl files, or postgresql://….",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; only this machine if not given.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
def serve(encounters: tuple[str, ...], where: str, host: str, port: int) -> None:
    """Serve the fights of a folder or database, and open those of the encounters that are named.

    Prints a link for the game master, for each player and for spectators. Several servers of one database share a
    host's token by the environment variable AFFRAY_HOST_TOKEN.
    """
    try:
        from .running import run  # noqa: PLC0415 - only a server waits for these
    except ImportError as error:
        raise Unusable(f"to serve fights, install affray[serve] ({error.name} is missing)") from None
    run(encounters, store_of(where), host, port, host_token())


def host_token() -> str:
    """Return the server's own token: that of the environment, or a new one.

    Raises:
        Unusable: that of the environment is too short to be a secret.
    """
    given = os.environ.get(HOST_TOKEN, "")
    if given and len(given) < SHORTEST:
        raise Unusable(f"must have at least {SHORTEST} characters", HOST_TOKEN)
    return given or token_urlsafe(24)


__all__ = ["serve"]

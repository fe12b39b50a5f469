"""The files of a rule system: its clause catalogue and its data."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.errors import Unusable
from affray.events import Clause


class ClauseText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A clause of the catalogue, in our own words.

    Attributes:
        section: The part of the rules it belongs to.
        title: A name for it.
        says: Its content.
        discretion: The part that the game master may rule otherwise.
        unobservable: The reason why no event and no refusal can show it; empty if one can.
    """

    section: str
    title: str
    says: str
    discretion: str = ""
    unobservable: str = ""


def data(package: str, name: str) -> dict[str, Any]:
    """Read a ruleset's data file, such as ``weapons.toml``."""
    return tomllib.loads((files(package) / name).read_text("utf-8"))


CLAUSES = "clauses.toml"
"""The file of the catalogue."""


@cache
def catalogue(package: str) -> dict[Clause, ClauseText]:
    """Read a ruleset's clauses, in the order of its ``clauses.toml``.

    Raises:
        Unusable: the file is missing, is not TOML, or has another form.
    """
    clause = ""
    found: dict[Clause, ClauseText] = {}
    try:
        for clause, text in data(package, CLAUSES).items():
            found[clause] = msgspec.convert(text, ClauseText)
    except (OSError, msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise Unusable(f"{CLAUSES} of {package}: {f'{clause}: ' if clause else ''}{error}", CLAUSES) from None
    return found

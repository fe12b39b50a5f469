"""The tables of exact chances of a rule system."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from affray.engine.core.ruleset import Ruleset, data
from affray.events import Clause

from .chances import Chances, OddsRow

Shape = Literal["shares", "curves"]
"""Whether the chances of a row are those of all that can come and sum to 1, or each is one of its own."""

WORDS = "odds.toml"
"""The file of a system that says what each table asks, and which clauses it stands for."""


class OddsTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exact chances behind clauses that roll.

    Attributes:
        clauses: Those it stands for; it is shown at the first.
        title: What is asked.
        cases: What the rows differ in.
        columns: What can come.
        over: What the columns count, where they are numbers.
        rows: The cases.
        says: What is taken for granted.
        shape: See ``Shape``.
        averages: What the mean of a row is of; empty where rows have none.
    """

    clauses: tuple[Clause, ...]
    title: str
    cases: str
    columns: tuple[str, ...]
    rows: tuple[OddsRow, ...]
    over: str = ""
    says: str = ""
    shape: Shape = "shares"
    averages: str = ""


def worded(package: str, config: object, made: Mapping[str, Chances]) -> tuple[OddsTable, ...]:
    """Return tables with what ``odds.toml`` says of them.

    Args:
        config: Settings that a title or saying may name, such as ``{config.crit_sixes}``.
        made: The chances of each table, by its name in the file.
    """
    words = data(package, WORDS)
    found = (msgspec.convert({**words[name], **one._asdict()}, OddsTable) for name, one in made.items())
    return tuple(
        msgspec.structs.replace(one, title=one.title.format(config=config), says=one.says.format(config=config))
        for one in found
    )


def tables_of(ruleset: Ruleset) -> tuple[OddsTable, ...]:
    """Return a system's tables under its default configuration, if it has ``odds_tables.py`` in its folder."""
    if not (files(ruleset.package) / "odds_tables.py").is_file():
        return ()
    made: Callable[[object], tuple[OddsTable, ...]] = import_module(f"{ruleset.package}.odds_tables").tables
    return made(ruleset.config())

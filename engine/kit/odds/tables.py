"""The odds tables of a rule system: exact chances with their texts."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from affray.engine.core.catalogue import data
from affray.engine.core.ruleset import Ruleset
from affray.events import Clause

from .chances import Chances, OddsRow

Shape = Literal["shares", "curves"]
"""``shares``: the chances of a row are those of all outcomes, and sum to 1. ``curves``: the chances are independent."""

WORDS = "odds.toml"
"""The system's file with the texts and the clauses of each table."""


class OddsTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exact chances behind clauses that roll dice.

    Attributes:
        clauses: The clauses that the table illustrates. It is shown at the first.
        title: The question that the table answers.
        cases: The heading of the rows.
        columns: The headings of the columns.
        over: The heading above the columns, where they are numbers.
        rows: The cases.
        says: The assumptions.
        shape: See ``Shape``.
        averages: The heading of the means; empty where rows have none.
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


def add_texts(package: str, config: object, made: Mapping[str, Chances]) -> tuple[OddsTable, ...]:
    """Add the texts in ``odds.toml`` to tables.

    Args:
        config: The settings that a text may name, such as ``{config.crit_sixes}``.
        made: The chances of each table, by its name in the file.
    """
    words = data(package, WORDS)
    found = (msgspec.convert({**words[name], **one._asdict()}, OddsTable) for name, one in made.items())
    return tuple(
        msgspec.structs.replace(one, title=one.title.format(config=config), says=one.says.format(config=config))
        for one in found
    )


def list_odds_tables(ruleset: Ruleset) -> tuple[OddsTable, ...]:
    """Return a system's odds tables under its default configuration.

    They come from ``odds_tables.py`` in its folder. A system without that file has none.
    """
    if not (files(ruleset.package) / "odds_tables.py").is_file():
        return ()
    made: Callable[[object], tuple[OddsTable, ...]] = import_module(f"{ruleset.package}.odds_tables").tables
    return made(ruleset.config())

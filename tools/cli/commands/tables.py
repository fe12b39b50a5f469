"""The command ``tables``: keys that an encounter of a system can name."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.table import Table

from affray.tools.api.schemas.library import LibraryTable
from affray.tools.cli.commands.reference import find
from affray.tools.cli.completion import values
from affray.tools.cli.options import json_option
from affray.tools.cli.printing import say, say_json
from affray.tools.cli.terminal import console, join_pieces
from affray.tools.encounters.library.rule_tables import cell_text, tables_of

WORDS = 12
"""The width that a column of words needs, in characters."""


@click.command()
@click.argument("system", metavar="SYSTEM", shell_complete=values.systems)
@click.argument("kind", metavar="[KIND]", default="", shell_complete=values.tables)
@click.option("--search", metavar="WORDS", default="", help="Only lines that hold all of these words.")
@json_option
def tables(system: str, kind: str, search: str, as_json: bool) -> None:
    """List what an encounter of a system can name: stat blocks, weapons and so on.

    The first column is the key to write in an encounter file. KIND is one of the tables, such as weapons.
    """
    ruleset = find(system)
    found = tables_of(ruleset, kind, search)
    if as_json:
        say_json({"system": ruleset.name, "title": ruleset.title, "tables": found})
        return
    if not any(one.lines for one in found):
        say(f"nothing holds {search}" if search else f"{ruleset.title} has no tables")
    for nth, one in enumerate(found):
        if nth:
            say()
        _print(one, ruleset.title)


def _print(table: LibraryTable, system: str) -> None:
    """Print a table with its title."""
    say(f"{system}: {table.title}", bold=True)
    if table.fields:
        say(f"named in {' and '.join(table.fields)}{_also(table)}")
    if not table.lines:
        say("the rules have none of their own")
        return
    columns = list(dict.fromkeys(name for line in table.lines for name in line.values))
    if all(is_said_by(line.key, line.values.get("name")) for line in table.lines):
        columns = [one for one in columns if one != "name"]
    texts = [[cell_text(line.values[name]) if name in line.values else "" for name in columns] for line in table.lines]
    headings = [one.replace("_", " ") for one in columns]
    widths = [_measure_column(column) for column in zip(headings, *texts, strict=True)]
    if max(len(line.key) for line in table.lines) + sum(widths) + 2 * len(widths) > console().width:
        headings, texts = [""], [[_join_cells(headings, cells)] for cells in texts]
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for nth, heading in enumerate((table.kind.replace("_", " "), *headings)):
        widest = max(map(len, heading.split()), default=0)
        grid.add_column(join_pieces(heading), overflow="fold", no_wrap=not nth, min_width=widest)
    for line, cells in zip(table.lines, texts, strict=True):
        grid.add_row(join_pieces((line.key, "cyan")), *map(join_pieces, cells))
    console().print(grid)


def _measure_column(texts: Sequence[str]) -> int:
    """Return the width in which a column is still read with ease: its longest word, and some words side by side."""
    longest = max(len(word) for text in texts for word in text.split() or [""])
    return max(longest, min(max(map(len, texts[1:])), WORDS))


def _join_cells(headings: Sequence[str], cells: Sequence[str]) -> str:
    """Return the cells of a line as a text, each behind its heading; a flag is its heading alone."""
    said = [(heading, cell) for heading, cell in zip(headings, cells, strict=True) if cell]
    return " · ".join(
        cell if heading == "name" else heading if cell == "yes" else f"{heading} {cell}" for heading, cell in said
    )


def is_said_by(key: str, name: object) -> bool:
    """Tell whether a name is only the key in other letters."""
    return isinstance(name, str) and name.casefold() == key.replace("-", " ").replace("_", " ")


def _also(table: LibraryTable) -> str:
    """Return a hint with the other values that a field may have."""
    suffix = f"; a key may end in {table.suffix}" if table.suffix else ""
    return f"{suffix}; an encounter may have more of its own in [{table.own}.KEY]" if table.own else suffix

"""The command ``join``: bring the combatants of a file into a running fight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import inspect

from affray.engine.core.coordinates import CELLS
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.events import Ruled
from affray.tools.cli.completion import values
from affray.tools.cli.options import add_write_options, fight_argument, make_sender
from affray.tools.parse.encounter_file import read_encounter
from affray.tools.parse.forms import kinds_of
from affray.tools.parse.newcomers import JOIN, encode_parameters, from_file, lines_of_file

from .act import submit_and_report


@click.command()
@fight_argument
@click.argument(
    "file", metavar="FILE.toml", type=click.Path(path_type=Path), shell_complete=values.files(".toml")
)  # fmt: skip
@click.option(
    "--at", "places", multiple=True, metavar="PLACE", help="Where they stand: one for each, or a zone for all."
)
@click.option("--group", metavar="NAME", help="Let the combatants of each entry act as a group.")
@click.option("--concealed", is_flag=True, help="Hide them from all but those who play them.")
@click.option("--initiative", type=int, metavar="N", help="Their place in the turn order.")
@click.option("--reason", default="reinforcements", show_default=True, metavar="TEXT", help="Why; recorded.")
@add_write_options
def join(
    said: str,
    file: Path,
    places: tuple[str, ...],
    group: str | None,
    concealed: bool,
    initiative: int | None,
    reason: str,
    **sent: Any,
) -> None:
    """Bring the combatants of a file into a fight, as one ruling: all of them join, or none.

    The file is an encounter file, or holds only [[combatant]] entries. Its distances, melees, views and items come with
    them; its ground does not.
    """

    def read_combatants(fight: Fight) -> Ruled:
        ruleset = fight.ruleset
        params = from_file(ruleset, read_encounter(file)[1])
        with lines_of_file([JOIN, str(file)], ruleset.name):
            encode_parameters(ruleset.rulings[JOIN], params)  # refuses a bad entry before other values are added to it
        entries = params["combatant"] = [dict(one) for one in params["combatant"]]
        _place_entries(ruleset, entries, [place for one in places for place in one.split(";")])
        for entry in entries:
            if group is not None:
                entry["group"] = _group(ruleset, group)
            if concealed:
                entry["concealed"] = True
        if initiative is not None:
            params["initiative"] = initiative
        with lines_of_file([JOIN, str(file)], ruleset.name):
            return Ruled(kind=JOIN, params=encode_parameters(ruleset.rulings[JOIN], params), reason=reason)

    with lines_of_file([JOIN, str(file)]):
        submit_and_report(said, make_sender(**sent), read_combatants)


def _place_entries(ruleset: Ruleset, entries: Sequence[dict[str, Any]], places: Sequence[str]) -> None:
    """Give the combatants of entries their places in order.

    In zones one place is enough for all of them.
    """
    counts = [int(one.get("count", 1)) for one in entries]
    if not places:
        return
    if len(places) == 1 and ruleset.board.kind not in CELLS:
        places = [*places] * sum(counts)
    if len(places) != sum(counts):
        raise Unusable(f"must name {sum(counts)} places, one for each, such as --at {places[0]}", "--at")
    for entry, count in zip(entries, counts, strict=True):
        entry["at"] = places[0] if count == 1 else list(places[:count])
        places = places[count:]


def _group(ruleset: Ruleset, name: str) -> Any:
    """Return the value of an entry's group field: its name, or true."""
    fields: Mapping[str, Sequence[inspect.Type]] = (
        kinds_of(ruleset.encounters.sheet) if ruleset.encounters.sheet is not None else {}
    )
    kinds = fields.get("group", ())
    if not kinds:
        raise Unusable(f"{ruleset.title} has no groups of combatants; leave it out", "--group")
    return True if any(isinstance(one, inspect.BoolType) for one in kinds) else name

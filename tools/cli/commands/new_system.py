"""The command ``new-system``: write a rule system to change."""

from pathlib import Path

import click

from affray.engine.errors import Unusable
from affray.tools.cli.options import json_option
from affray.tools.cli.printing import say, say_json
from affray.tools.systems.new_system import write_system


@click.command("new-system")
@click.argument("name", metavar="NAME")
@click.option(
    "-o", "--output", "folder", metavar="FOLDER", help="Where to write it; a folder NAME beside you if not given."
)
@json_option
def new_system(name: str, folder: str | None, as_json: bool) -> None:
    """Write a package with a small rule system, to make your own from.

    It has rules, flow, vocabulary, clauses, a template encounter, scenarios and a test. It passes its check at once.
    """
    place = Path(folder or name)
    try:
        written = write_system(name, place)
    except FileExistsError:
        raise Unusable(f"{place} exists already; choose another with -o FOLDER", "name") from None
    if as_json:
        say_json({"system": name, "folder": str(place), "files": [str(one) for one in written]})
        return
    say(f"wrote {place}, with {len(written)} files")
    say("to go on:")
    for line in (f"pip install --editable {place} pytest", f"affray rules {name} --check", f"python -m pytest {place}"):
        say(f"  {line}")

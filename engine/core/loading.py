"""Loading of rule systems: the bundled ones, and those of other packages by their entry points."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from itertools import chain

from affray.engine.errors import NoSuch, NotLoaded, Unusable
from affray.engine.texts import id_said

from .catalogue import CLAUSES
from .perils import list_peril_faults
from .ruleset import Ruleset
from .vocabulary import faults


@cache
def load(name: str) -> Ruleset:
    """Load a rule system: a bundled folder, or an ``affray.rulesets`` entry point.

    Raises:
        NoSuch: there is none of that name.
        NotLoaded: its code cannot be imported.
        Unusable: its vocabulary does not fit it.
    """
    found = import_system(name)
    if (files(found.package) / "vocabulary.toml").is_file():  # without one, people read the names in the code
        for fault in chain(faults(found.vocabulary, found.actions, found.rulings), list_peril_faults(found)):
            raise Unusable(f"vocabulary.toml of {name}: {fault}", "vocabulary.toml")
    return found


def import_system(name: str) -> Ruleset:
    """Import a rule system without a look at its words; see ``load``.

    Raises:
        NoSuch: there is none of that name.
        NotLoaded: its code cannot be imported.
    """
    if name not in available():
        raise NoSuch("rule system", id_said(name), available(), "system")
    for entry in entry_points(group="affray.rulesets", name=name):
        try:
            found: Ruleset = entry.load()
        except Exception as error:
            raise NotLoaded(name, error) from error
        return found
    ours: Ruleset = import_module(f"affray.engine.rulesets.{name}").RULESET
    return ours


def load_all() -> Iterator[Ruleset]:
    """Yield all rule systems that can be loaded, by name; skip faulty ones."""
    for name in available():
        with suppress(Unusable):
            yield load(name)


@cache
def available() -> tuple[str, ...]:
    """List the names of all rule systems that can be loaded."""
    ours = {
        folder.name
        for folder in files("affray.engine.rulesets").iterdir()
        if folder.is_dir() and (folder / CLAUSES).is_file()
    }
    return tuple(sorted(ours | {entry.name for entry in entry_points(group="affray.rulesets")}))


def template(ruleset: Ruleset, name: str = "template.toml") -> str:
    """Read a system's commented encounter file, or another template; empty if none.

    That of a system which changes another one names the changed one.
    """
    file = files(ruleset.package) / name
    text = file.read_text("utf-8") if file.is_file() else ""
    return re.sub(r'(?m)^system = "[^"]*"', f'system = "{ruleset.name}"', text)

"""Loading of rule systems: the bundled ones, and those of other packages by their entry points."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files

from affray.engine.errors import NoSuch, Unusable
from affray.engine.texts import id_said

from .ruleset import Ruleset
from .vocabulary import faults


@cache
def load(name: str) -> Ruleset:
    """Load a rule system: a bundled folder, or an ``affray.rulesets`` entry point.

    Raises:
        Unusable: there is none of that name, or its vocabulary does not fit it.
    """
    if name not in available():
        raise NoSuch("rule system", id_said(name), available(), "system")
    found: Ruleset
    for entry in entry_points(group="affray.rulesets", name=name):
        found = entry.load()
        break
    else:
        found = import_module(f"affray.engine.rulesets.{name}").RULESET
    if (files(found.package) / "vocabulary.toml").is_file():  # without one, people read the names in the code
        for fault in faults(found.vocabulary, found.actions, found.rulings):
            raise Unusable(f"vocabulary.toml of {name}: {fault}", "vocabulary.toml")
    return found


@cache
def available() -> tuple[str, ...]:
    """List the names of all rule systems that can be loaded."""
    ours = {
        folder.name
        for folder in files("affray.engine.rulesets").iterdir()
        if folder.is_dir() and (folder / "clauses.toml").is_file()
    }
    return tuple(sorted(ours | {entry.name for entry in entry_points(group="affray.rulesets")}))


def template(ruleset: Ruleset, name: str = "template.toml") -> str:
    """Read a system's commented encounter file, or another template; empty if none."""
    file = files(ruleset.package) / name
    return file.read_text("utf-8") if file.is_file() else ""

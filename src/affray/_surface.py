"""The loading of public names, and of old ones with a warning."""

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple
from warnings import warn

EXTRAS: Mapping[str, str] = {"env": "affray.tools.lab.environment"}
"""The public names of ``affray`` that need an extra, with their modules. ``from affray import *`` leaves them out."""

ROOMS = frozenset({"client", "encounters", "engine", "events", "replays", "rules", "tools"})
"""The modules and folders in ``affray``. Python asks for a name before it imports a module, which must load nothing."""


class Renamed(NamedTuple):
    """A public name that has another name now.

    Attributes:
        now: The present name in the same module.
        until: The version that drops the old one: the minor version after the one that renamed it.
    """

    now: str
    until: str


RENAMED: Mapping[str, Mapping[str, Renamed]] = {
    "affray": {},
    "affray.client": {},
    "affray.rules": {},
    "affray.rules.odds": {},
}
"""The renamed public names of each module, by their old name.

A type checker must know an old name too. So it is imported beside the new one where only a type checker looks.
"""


def load_public_name(name: str) -> object:
    """Return a public name of ``affray``, and keep it there.

    Raises:
        AttributeError: there is none of that name.
    """
    if name in RENAMED["affray"] or name in ROOMS or (name.startswith("_") and name != "__all__"):
        return find_old_name("affray", name)
    home = import_module(EXTRAS.get(name, "affray._names"))
    if name not in home.__all__ and name != "__all__":
        return find_old_name("affray", name)
    value: object = getattr(home, name)
    setattr(import_module("affray"), name, value)
    return value


def list_public_names() -> list[str]:
    """List the public names of ``affray``, those that need an extra too."""
    return sorted([*import_module("affray._names").__all__, *EXTRAS, "__version__"])


def find_old_name(module: str, name: str) -> object:
    """Return the value of a public name that was renamed, with a warning to the caller.

    Raises:
        AttributeError: no name was ever renamed from that one.
    """
    public = import_module(module)
    renamed = RENAMED[module].get(name)
    if renamed is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=public)
    old, new = f"{module}.{name}", f"{module}.{renamed.now}"
    depth = 4 if module == "affray" else 3
    warn(f"{old} is now {new}; Affray {renamed.until} drops the old name", DeprecationWarning, stacklevel=depth)
    return getattr(public, renamed.now)

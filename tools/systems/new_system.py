"""A new rule system: a copy of the pattern under another name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from affray.engine.core.catalogue import CLAUSES
from affray.engine.core.loading import available
from affray.engine.errors import Unusable

PATTERN = "affray.tools.systems.pattern"
"""The package that holds the pattern: a project file, a readme, a test, and the package of a system."""

NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")

LONGEST_PREFIX = 3
"""The maximum number of letters in front of a clause's number."""


def write_system(name: str, folder: Path) -> list[Path]:
    """Write a rule system that has no fault; return its files.

    Args:
        name: The name of the system and of its package.
        folder: The folder of the project, which does not exist yet.

    Raises:
        Unusable: the name cannot be that of a system; says why.
        OSError: a file cannot be written; FileExistsError if the folder exists.
    """
    check_system_name(name)
    pattern = files(PATTERN)
    model = next(one.name for one in pattern.iterdir() if one.is_dir() and (one / CLAUSES).is_file())
    folder.mkdir(parents=True)
    written = []
    for path, file in _walk(pattern, ""):
        place = folder / path.replace(model, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        inside = path.startswith(f"{model}/")
        place.write_text(_rename(file.read_text("utf-8"), model, name, inside=inside), "utf-8")
        written.append(place)
    return sorted(written)


def check_system_name(name: str) -> None:
    """Refuse a name that no system, or no package, can have.

    Raises:
        Unusable: says why, with a name that would work.
    """
    if not NAME.fullmatch(name) or iskeyword(name):
        like = re.sub(r"\W+", "_", name.lower()).strip("_0123456789") or "duel"
        like = like if NAME.fullmatch(like) and not iskeyword(like) else "duel"
        raise Unusable(f"must be small letters, digits and _, and begin with a letter, such as {like}", "name")
    if name in available():
        raise Unusable(f"there is a rule system {name} already; choose another name, such as {name}_house", "name")
    if find_spec(name) is not None:
        raise Unusable(f"there is a package {name} already; choose another name, such as {name}_rules", "name")


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of the pattern with their paths, without what makes it a package of this program."""
    for entry in folder.iterdir():
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _walk(entry, f"{prefix}{entry.name}/")
        elif prefix not in ("", "tests/") or entry.name != "__init__.py":
            yield prefix + entry.name, entry


def _rename(text: str, model: str, name: str, *, inside: bool) -> str:
    """Replace name, title and clause prefix of the pattern.

    Args:
        inside: Whether the text is of the package, where the name of the system is also that of a thing.
    """
    prefix = re.sub("[^a-z]", "", name)[:LONGEST_PREFIX].upper()
    title = name.replace("_", " ").title()
    text = text.replace(f"{model[:LONGEST_PREFIX].upper()}-", f"{prefix}-").replace(model.title(), title)
    if not inside:
        return text.replace(model, name)
    text = text.replace(f'name="{model}"', f'name="{name}"').replace(f'system = "{model}"', f'system = "{name}"')
    return text.replace(f"affray new {model}.toml", f"affray new {name}.toml")

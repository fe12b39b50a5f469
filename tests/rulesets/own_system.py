"""A rule system that does not come with the program, installed for one test, with or without a fault."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from affray.engine.core import catalogue, loading, vocabulary

PEBBLES = Path(__file__).parents[2] / "tools" / "systems" / "pattern" / "pebbles"


@contextmanager
def install_copy(folder: Path, source: Path = PEBBLES) -> Iterator[Path]:
    """Copy a package into a folder and make it a rule system that can be loaded; yield the copy.

    Args:
        folder: An empty folder, which joins the path of modules.
        source: The package. Its name is the name of the system.
    """
    name = source.name
    shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    about = folder / f"{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[affray.rulesets]\n{name} = {name}:RULESET\n", "utf-8")
    sys.path.insert(0, str(folder))
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # a file is changed within a second
    try:
        forget_system(name)
        yield folder / name
    finally:
        sys.dont_write_bytecode = writes
        sys.path.remove(str(folder))
        forget_system(name)


def plant(file: Path, right: str, wrong: str) -> int:
    """Insert a fault into a file of a package, which is then reloaded; return its line."""
    text = file.read_text("utf-8")
    assert text.count(right) == 1, (right, text.count(right))
    file.write_text(text.replace(right, wrong), "utf-8")
    forget_system(file.parent.name)
    return text[: text.index(right)].count("\n") + 1


def forget_system(name: str) -> None:
    """Forget everything that was loaded of a system."""
    invalidate_caches()
    for module in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
        del sys.modules[module]
    for one in (loading.load, loading.available, catalogue.catalogue, vocabulary.vocabulary_of):
        one.cache_clear()

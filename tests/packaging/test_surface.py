"""The public surface: its names are those that are kept, they load when they are used, and old ones warn."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import affray
import affray._surface as surface
from affray._names import __all__ as names
from affray.events import EVENTS
from tests.packaging.surface import KEPT, MODULES, list_public_names

ROOT = Path(__file__).parents[2]
INTERNAL = ("engine", "events", "tools")


@pytest.mark.parametrize("module", MODULES)
def test_public_names_are_those_that_are_kept(module: str) -> None:
    """A name that is gone needs an entry in ``RENAMED`` first."""
    names = list_public_names(module)
    assert names == (KEPT / f"{module}.txt").read_text("utf-8"), "run python -m tests.packaging.surface"


@pytest.mark.parametrize("module", MODULES)
def test_public_names_are_sorted_and_no_modules(module: str) -> None:
    public = importlib.import_module(module)
    assert public.__all__ == sorted(set(public.__all__))
    assert [name for name in public.__all__ if isinstance(getattr(public, name), ModuleType)] == []


def test_names_that_need_an_extra_are_listed_and_not_imported_with_all_others() -> None:
    assert set(dir(affray)) == {*names, *surface.EXTRAS, "__version__"}
    assert not {*surface.EXTRAS} & {*names}
    assert all(getattr(affray, name) for name in surface.EXTRAS)


def test_every_module_of_affray_is_known_to_load_nothing() -> None:
    inside = {path.stem for path in Path(affray.__file__).parent.iterdir() if path.stem[0] != "_" and path.stem != "py"}
    assert inside - surface.ROOMS == set()


def test_programs_that_read_logs_reach_every_event() -> None:
    assert {event.__name__ for event in EVENTS} - {*names} == set()


def test_every_name_in_errors_of_submit_is_public() -> None:
    """A caller can catch what the public functions say they raise."""
    documented = (affray.Fight.submit, affray.begin_fight, affray.open_fight, affray.play, affray.read_log)
    said = "\n".join(one.__doc__ or "" for one in documented)
    raised = {name for names in re.findall(r"^ +((?:[A-Z]\w+, )*[A-Z]\w+): ", said, re.M) for name in names.split(", ")}
    assert {"Diverged", "LogError", "OutOfDate", "Refused"} <= raised <= {*names}


@pytest.mark.parametrize("also", ["", "hasattr(affray, 'events'); hasattr(affray, '__wrapped__')"])
def test_importing_affray_loads_no_public_name(also: str) -> None:
    code = f"import sys, affray\n{also}\nprint(*(name for name in sys.modules if name.startswith('affray')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"affray", "affray._surface"}


def test_importing_the_engine_loads_no_public_name() -> None:
    code = "import sys, affray.engine, affray.tools.entry; print('affray._names' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("module", MODULES)
def test_a_name_that_is_not_there_is_said(module: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{module}' has no attribute 'nix'"):
        _ = importlib.import_module(module).nix


@pytest.mark.parametrize("module", MODULES)
def test_an_old_name_warns_and_gives_the_new_one(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    public = importlib.import_module(module)
    new = public.__all__[-1]
    monkeypatch.setitem(surface.RENAMED, module, {"old_name": surface.Renamed(new, "0.9")})
    for _ in range(2):
        with pytest.warns(DeprecationWarning, match=rf"{module}\.old_name is now {module}\.{new}; Affray 0\.9") as told:
            assert public.old_name is getattr(public, new)
        assert told[0].filename == __file__


def test_no_old_name_outlives_its_version() -> None:
    def number(version: str) -> tuple[int, ...]:
        return tuple(map(int, version.split(".")))

    for module, renamed in surface.RENAMED.items():
        for old, one in renamed.items():
            assert old not in importlib.import_module(module).__all__
            assert number(affray.__version__) < number(one.until), f"{module}.{old} is to be dropped now"


PATTERN = ROOT / "tools" / "systems" / "pattern"
"""The system that ``affray new-system`` copies, which is nothing inside."""


def test_nothing_inside_imports_the_public_surface() -> None:
    """The public names are made of the internal ones, so the other way round would be a circle."""
    imports = re.compile(r"^\s*(?:from affray import (.+)|(?:from|import) affray\.(rules)\b)", re.M)
    allowed = {*INTERNAL, "__version__"}
    found = [
        f"{file.relative_to(ROOT)}: {one[0].strip()}"
        for room in INTERNAL
        for file in (ROOT / room).rglob("*.py")
        if not file.is_relative_to(PATTERN)
        for one in imports.finditer(file.read_text("utf-8"))
        if one[2] or not {name.split(" as ")[0].strip() for name in one[1].split(",")} <= allowed
    ]
    assert found == []

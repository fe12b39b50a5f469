"""The folders, links and names that everything else relies on."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("engine", "events", "tools")
UNKEPT = re.compile(r"\.git|\.venv|\.\w+_cache|\.hypothesis|__pycache__|build|dist|.+\.egg-info")
REGISTRY = re.compile(
    r"--(?:extra-)?index-url|--find[-]links|pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|yarnpkg\.com", re.IGNORECASE
)
INSTALLING = ("pyproject.toml", "requirements.lock", "Makefile", ".ci/run")
MACHINE_PATH = re.compile(r"(?<![\w.~$})>*/-])/(?:root|home|opt|work|Users)/")


def project_files() -> Iterator[Path]:
    """Every file of the project; read from the disk, for a machine may have no git."""
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if not UNKEPT.fullmatch(name)]
        yield from (Path(folder, name) for name in names)


def packages() -> list[str]:
    """Import names of all our packages, by their files; the system to copy is that of its author."""
    inits = (init for room in ROOMS for init in (ROOT / room).rglob("__init__.py") if "pattern" not in init.parts)
    return sorted(".".join(("affray", *init.parent.relative_to(ROOT).parts)) for init in inits)


def public_names(module: ModuleType) -> list[str]:
    """Return what a package holds for others; the modules below it are reached by their own names."""
    unmeant = ModuleType | type(annotations)
    held = vars(module).items()
    return sorted(name for name, value in held if name[0] != "_" and not isinstance(value, unmeant))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_reached_through_a_relative_link(room: str) -> None:
    link = ROOT / "src" / "affray" / room
    assert link.is_symlink(), f"{link} is no link: was the repository checked out without links?"
    assert link.readlink() == Path("../..", room)
    assert link.samefile(ROOT / room)


def test_every_folder_with_code_is_a_package() -> None:
    folders = {path.parent for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


@pytest.mark.parametrize("package", packages())
def test_public_names_are_the_sorted_all(package: str) -> None:
    module = importlib.import_module(package)
    named: list[str] = getattr(module, "__all__", [])
    assert named == sorted(set(named))
    values = [name for name in named if not isinstance(getattr(module, name), ModuleType)]
    assert values == public_names(module)


@pytest.mark.parametrize("trace", [REGISTRY, MACHINE_PATH], ids=["registry", "path"])
def test_no_file_names_a_registry_or_a_path_of_one_machine(trace: re.Pattern[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in project_files()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if trace.search(line)
    ]
    assert found == []


def test_an_import_inside_a_function_says_why() -> None:
    """For the time of a start, or for an extra; never for the sake of order."""
    files = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    bare = re.compile(r"# noqa: PLC0415(?! - \w)")
    assert [str(path.relative_to(ROOT)) for path in files if bare.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("name", INSTALLING)
def test_what_installs_names_no_address(name: str) -> None:
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_the_lock_pins_and_hashes_every_package() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
    pins = [line for line in lock if line and not line.startswith("#")]
    assert pins
    assert [pin for pin in pins if not re.match(r"[\w-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}", pin)] == []
    assert [line for line in lock if "/" in line] == []

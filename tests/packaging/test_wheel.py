"""What ``pip install`` of the wheel puts into somebody's environment."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

from tests.packaging.conftest import ROOMS, ROOT, run

PACKAGED = {".css", ".html", ".js", ".json", ".jsonl", ".md", ".py", ".sql", ".svg", ".toml", ".ts"}


def sources() -> Sequence[Path]:
    """Every file of the three rooms that must reach the user, relative to the root."""
    found = (path for room in ROOMS for path in (ROOT / room).rglob("*"))
    return sorted(path.relative_to(ROOT) for path in found if path.suffix in PACKAGED)


def test_the_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {"affray/__init__.py", "affray/py.typed"} | {f"affray/{path.as_posix()}" for path in sources()}
    assert sorted(wanted - held) == []


def test_the_wheel_installs_one_name_only(wheel: Path) -> None:
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"affray"}


def test_the_installed_packages_import_far_from_the_checkout(elsewhere: Path) -> None:
    script = "import affray.engine, affray.events, affray.tools; print(affray.__file__)"
    home = Path(run(elsewhere / "env" / "bin" / "python", "-c", script, cwd=elsewhere).strip())
    assert home.is_relative_to(elsewhere)


def test_the_installed_program_explains_itself(elsewhere: Path) -> None:
    assert "Usage" in run(elsewhere / "env" / "bin" / "affray", "--help", cwd=elsewhere)


def test_the_installed_program_fills_in_its_templates(elsewhere: Path) -> None:
    program = elsewhere / "env" / "bin" / "affray"
    assert run(program, "rules", "vestige", "--book", "-", cwd=elsewhere).startswith("<!doctype html>")

"""The contents of the wheel that ``pip install`` puts into an environment."""

from __future__ import annotations

import shlex
import zipfile
from collections.abc import Sequence
from pathlib import Path

from affray.tools.cli.commands.demo import COPIED
from tests.packaging.conftest import GIVEN, PUBLIC, ROOMS, ROOT, run_installed

PACKAGED = {".css", ".html", ".js", ".json", ".jsonl", ".md", ".py", ".sql", ".svg", ".toml", ".ts", ".txt"}


def sources() -> Sequence[Path]:
    """Every file of the rooms and of the public modules that must reach the user, as it is called in the package."""
    homes = {ROOT: ROOMS, ROOT / "src" / "affray": PUBLIC}
    found = ((home, path) for home, folders in homes.items() for one in folders for path in (home / one).rglob("*"))
    return sorted(path.relative_to(home) for home, path in found if path.suffix in PACKAGED)


def test_the_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {"affray/__init__.py", "affray/py.typed"} | {f"affray/{path.as_posix()}" for path in sources()}
    assert sorted(wanted - held) == []


def test_the_wheel_installs_one_name_only(wheel: Path) -> None:
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"affray"}


def test_the_installed_packages_import_far_from_the_checkout(elsewhere: Path) -> None:
    script = "import affray.engine, affray.events, affray.tools; print(affray.__file__)"
    home = Path(run_installed(elsewhere / "env" / "bin" / "python", "-c", script, cwd=elsewhere).strip())
    assert home.is_relative_to(elsewhere)


def test_the_installed_program_explains_itself(elsewhere: Path) -> None:
    assert "Usage" in run_installed(elsewhere / "env" / "bin" / "affray", "--help", cwd=elsewhere)


def test_the_installed_program_fills_in_its_templates(elsewhere: Path) -> None:
    program = elsewhere / "env" / "bin" / "affray"
    assert run_installed(program, "rules", "vestige", "--book", "-", cwd=elsewhere).startswith("<!doctype html>")


def test_the_wheel_holds_the_encounters_and_the_recorded_fights_that_a_newcomer_is_given(wheel: Path) -> None:
    """And none besides: the fights of old forms are for the tests alone."""
    held = {name.removeprefix("affray/") for name in zipfile.ZipFile(wheel).namelist()}
    given = {path.relative_to(ROOT).as_posix() for pattern in COPIED for path in ROOT.glob(pattern)}
    assert {name for name in held if name.startswith(GIVEN)} == given


def test_the_installed_program_plays_its_demonstration_in_an_empty_folder(elsewhere: Path, tmp_path: Path) -> None:
    """``pipx run --spec WHEEL affray demo``: from nothing to a fight that is played and replayed."""
    told = run_installed(elsewhere / "env" / "bin" / "affray", "demo", cwd=tmp_path)
    assert "the digests agree" in told
    assert "affray demo --copy affray-demo" in told
    assert list(tmp_path.iterdir()) == []


def test_the_installed_program_gives_fights_and_encounters_to_try_things_with(elsewhere: Path, tmp_path: Path) -> None:
    """Every command that it proposes is one that works there."""
    program = elsewhere / "env" / "bin" / "affray"
    told = run_installed(program, "demo", "--copy", "affray-demo", cwd=tmp_path)
    proposed = [shlex.split(line) for line in told.splitlines() if line.startswith("  affray ")]
    assert [words[1] for words in proposed] == ["replay", "explain", "audit", "new", "play"]
    for _, *words in proposed:
        assert run_installed(program, *words, cwd=tmp_path / "affray-demo")

"""What ``pip install`` of the wheel puts into somebody's environment."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("engine", "events", "tools")
PACKAGED = {".py", ".toml", ".json", ".jsonl", ".md"}
OFFLINE = ("--quiet", "--disable-pip-version-check", "--no-index", "--no-deps")


def run(*command: str | Path, cwd: Path) -> str:
    """Run a program without this checkout on its path; what it printed, or a failure that shows why."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def pip(*arguments: str | Path, cwd: Path) -> None:
    run(sys.executable, "-m", "pip", *arguments, cwd=cwd)


def sources() -> Sequence[Path]:
    """Every file of the three rooms that must reach the user, relative to the root."""
    found = (path for room in ROOMS for path in (ROOT / room).rglob("*"))
    return sorted(path.relative_to(ROOT) for path in found if path.suffix in PACKAGED)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build from a copy, so that neither an old build folder nor this run leaves a trace in the other."""
    place = tmp_path_factory.mktemp("wheel")
    copy = place / "checkout"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in ("src", *ROOMS):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=ignored)
    pip("wheel", *OFFLINE, "--no-build-isolation", "--wheel-dir", place, copy, cwd=place)
    (built,) = place.glob("affray-*.whl")
    return built


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in a fresh environment that borrows this one's dependencies and nothing else.

    A folder named in a ``.pth`` file is searched last and its own ``.pth`` files are not read, so the
    editable install of this checkout stays out of sight.
    """
    place = tmp_path_factory.mktemp("elsewhere")
    venv.create(place / "env", symlinks=True)
    python = place / "env" / "bin" / "python"
    pip("--python", python, "install", *OFFLINE, wheel, cwd=place)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place).strip()
    Path(site, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return place


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

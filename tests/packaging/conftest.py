"""The wheel as it is built, and an environment far from the checkout into which it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "events", "tools")
PUBLIC = ("client", "rules")
GIVEN = ("encounters", "replays")
"""What is in the package for newcomers to try things with."""

OFFLINE = ("--quiet", "--disable-pip-version-check", "--no-index", "--no-deps")


def run_installed(*command: str | Path, cwd: Path) -> str:
    """Run a program without this checkout on its path; what it printed, or a failure that shows why."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def pip(*arguments: str | Path, cwd: Path) -> None:
    run_installed(sys.executable, "-m", "pip", *arguments, cwd=cwd)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build from a copy, so that neither an old build folder nor this run leaves a trace in the other."""
    place = tmp_path_factory.mktemp("wheel")
    copy = place / "checkout"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in ("src", *ROOMS, *GIVEN):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=ignored)
    pip("wheel", *OFFLINE, "--no-build-isolation", "--wheel-dir", place, copy, cwd=place)
    (built,) = place.glob("affray-*.whl")
    return built


@pytest.fixture(scope="session")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in a fresh environment that borrows this one's dependencies and nothing else.

    A folder named in a ``.pth`` file is searched last and its own ``.pth`` files are not read, so the
    editable install of this checkout stays out of sight.
    """
    place = tmp_path_factory.mktemp("elsewhere")
    venv.create(place / "env", symlinks=True)
    python = place / "env" / "bin" / "python"
    pip("--python", python, "install", *OFFLINE, wheel, cwd=place)
    site = run_installed(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place).strip()
    Path(site, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return place

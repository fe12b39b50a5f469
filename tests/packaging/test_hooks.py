"""The hook of a commit looks at what is staged, and at nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT

GOOD = '"""A module."""\n\nONE = 1\n'
UNFORMATTED = '"""A module."""\n\nONE   =   1\n'
UNUSED = '"""A module."""\n\nimport os\n'


class Project:
    """A repository with the hook, with only those files that a test stages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / ".githooks", folder / ".githooks")
        shutil.copy(ROOT / "pyproject.toml", folder)
        (folder / ".venv").symlink_to(Path(sys.prefix))
        self.git("init", "--quiet")
        self.git("config", "core.hooksPath", ".githooks")
        self.git("config", "user.name", "Ilse")
        self.git("config", "user.email", "ilse@example.org")

    def git(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run git there."""
        return subprocess.run(["git", *words], cwd=self.folder, capture_output=True, text=True, check=False)

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, "utf-8")

    def commit(self, name: str, text: str) -> subprocess.CompletedProcess[str]:
        """Stage a file and commit it."""
        self.write(name, text)
        self.git("add", name)
        return self.git("commit", "--quiet", "--message", "engine: one")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A repository with the hook."""
    return Project(tmp_path)


@pytest.mark.parametrize("name", ["engine/one.py", "tests/one two.py"])
def test_what_is_in_its_form_is_committed(project: Project, name: str) -> None:
    done = project.commit(name, GOOD)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (UNFORMATTED, "engine/one.py is not formatted"),
        (UNUSED, "src/affray/engine/one.py:3:8: F401"),
    ],
)
def test_what_is_not_is_named(project: Project, text: str, says: str) -> None:
    done = project.commit("engine/one.py", text)
    assert done.returncode == 1
    assert says in done.stdout + done.stderr
    assert done.stderr.endswith("Run make format, stage the result, and commit again.\n")
    assert project.git("rev-parse", "HEAD").returncode != 0, "something was committed"


def test_only_what_is_staged_counts(project: Project) -> None:
    """A good file passes though it lies there changed; a bad one does not though it was mended since."""
    project.write("engine/one.py", GOOD)
    project.git("add", "engine/one.py")
    project.write("engine/one.py", UNFORMATTED)
    assert project.git("commit", "--quiet", "--message", "engine: one").returncode == 0
    project.git("add", "engine/one.py")
    project.write("engine/one.py", GOOD)
    assert project.git("commit", "--quiet", "--message", "engine: two").returncode == 1

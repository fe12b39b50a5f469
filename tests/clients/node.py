"""The JavaScript client under Node; where there is none, its tests are skipped with a reason, and fail in CI."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.tools.program import Ran

HERE = Path(__file__).parent
OLDEST = 20


def node() -> str:
    """Return the program, or say loudly that there is none."""
    found = shutil.which("node")
    if found is None:
        missing("no node on this machine")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
    if int(version.lstrip("v").split(".")[0]) < OLDEST:
        missing(f"node is {version.strip()}")
    return found


def missing(what: str) -> NoReturn:
    """Skip, but not where everything has to run."""
    words = f"{what}: the JavaScript client is not tested (it needs Node {OLDEST} or newer)"
    if os.environ.get("CI") or os.environ.get("AFFRAY_REQUIRE_NODE"):
        pytest.fail(words)
    pytest.skip(words)


def run_node(*words: str, given: str = "", cwd: Path = HERE) -> Ran:
    """Run something under Node."""
    done = subprocess.run(
        [node(), *words], input=given, cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def ask_script(script: str, given: object) -> Any:
    """Run one of our scripts and return what it answers to a question, both as JSON."""
    ran = run_node(script, given=json.dumps(given))
    assert ran.code == 0, ran.err
    return ran.json

"""The system has no fault, and its scenarios hold."""

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "pebbles"


def run_affray(*words: str) -> None:
    """Run the program; show what it printed if it found anything."""
    done = subprocess.run([sys.executable, "-m", "affray", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_system_has_no_fault() -> None:
    """Its source and 50 random fights."""
    run_affray("rules", "pebbles", "--check")


def test_its_scenarios_hold() -> None:
    """Each with every die and every consequence."""
    run_affray("scenario", str(PACKAGE / "scenarios.toml"))

"""Starts of the program: by its name, as a module, and interrupted while it is being loaded."""

from __future__ import annotations

import signal
import subprocess
import sys

import affray

MEANWHILE = """
import os, signal, sys
class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "affray.tools.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Impatient())
from affray.tools.entry import main
main()
"""
"""The program, interrupted as it is loaded."""


def test_ctrl_c_ends_it_without_a_word() -> None:
    ran = subprocess.run([sys.executable, "-c", MEANWHILE], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGINT, "", "")


def test_who_does_not_hear_it_is_not_ended() -> None:
    """As in a script that began it in the background, which ignores the signal: the greeting is said all the same."""
    deaf = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{MEANWHILE}"
    ran = subprocess.run([sys.executable, "-c", deaf], capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert "affray demo" in ran.stdout


def test_it_runs_as_a_module_of_python() -> None:
    ran = subprocess.run([sys.executable, "-m", "affray", "--version"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, f"affray, version {affray.__version__}\n")
    helped = subprocess.run(
        [sys.executable, "-m", "affray", "show", "--help"], capture_output=True, text=True, check=False
    )
    assert helped.stdout.startswith("Usage: affray show ")

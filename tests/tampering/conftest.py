"""What the run says at its end: every way to tamper with a log, and what finds it."""

from __future__ import annotations

import pytest

from tests.tampering.fights import NAMES
from tests.tampering.matrix import TRIED, printed


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the matrix, if every fight was tampered with."""
    if all(name in TRIED for name in NAMES):
        terminalreporter.section("tampering: what finds it, in how many cases of all, and where")
        terminalreporter.write_line(printed(TRIED))

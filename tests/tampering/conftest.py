"""The summary at the end of the run: every way to tamper with a log, and the check that finds it."""

from __future__ import annotations

import pytest

from tests.summary import summary_section
from tests.tampering.fights import NAMES
from tests.tampering.matrix import TRIED, format_matrix


def pytest_configure(config: pytest.Config) -> None:
    """Print the matrix."""
    summary_section(config, "tampering: what finds it, in how many cases of all, and where", matrix)


def matrix() -> str:
    """Return the matrix, if every fight was tampered with in this process."""
    return format_matrix(TRIED) if all(name in TRIED for name in NAMES) else ""

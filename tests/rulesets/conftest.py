"""What the run says of every rule system at its end: how many clauses it has, and how many its scenarios show."""

from __future__ import annotations

import pytest

from tests.rulesets.coverage import TRIED, scenarios, summary
from tests.rulesets.systems import PRESENT, RULESETS


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table of rule coverage, if all scenarios were run."""
    if all(id(one) in TRIED for system in PRESENT for one in scenarios(system)):
        terminalreporter.section("rule coverage, measured from what scenarios assert")
        terminalreporter.write_line(summary(RULESETS))

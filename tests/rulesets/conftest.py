"""The summary of each rule system at the end of the run: its clauses, and those that scenarios cover."""

from __future__ import annotations

import pytest

from tests.rulesets.coverage import TRIED, scenarios, summary
from tests.rulesets.systems import PRESENT, RULESETS
from tests.summary import summary_section


def pytest_configure(config: pytest.Config) -> None:
    """Print the table of rule coverage."""
    summary_section(config, "rule coverage, measured from what scenarios assert", rule_coverage)


def rule_coverage() -> str:
    """Return the table, if all scenarios were run in this process."""
    run = all(id(one) in TRIED for system in PRESENT for one in scenarios(system))
    return summary(RULESETS) if run else ""

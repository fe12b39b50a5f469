"""No forged log passes for an honest one: deceptive edits, with a new chain after them."""

from __future__ import annotations

import pytest

from tests.fuzz_audit.checking import check_mutant
from tests.fuzz_audit.deceiving import FAMILIES
from tests.fuzz_audit.mutant import forgery

COUNT = 2_000
"""`make thorough` forges 100,000."""

EACH = COUNT // len(FAMILIES) + 1


@pytest.mark.parametrize("family", FAMILIES)
def test_no_forged_log_passes_for_an_honest_one(family: str) -> None:
    """The audit finds it, says what it could not judge, or the difference is one that only a checkpoint can catch."""
    first = FAMILIES.index(family)
    made = [forgery(1, number) for number in range(first, first + EACH * len(FAMILIES), len(FAMILIES))]
    assert [f"{one}: {what.wrong}" for one in made if (what := check_mutant(one)).wrong] == []

"""No audit calls an impossible log clean, raises, or takes too much time or memory."""

from __future__ import annotations

import pytest

from tests.fuzz_audit.bases import NAMES, base
from tests.fuzz_audit.checking import audit_mutated, check_mutant
from tests.fuzz_audit.honest import dishonest
from tests.fuzz_audit.mutant import FAMILIES, mutant
from tests.fuzz_audit.slipped import SLIPPED, remade

SAMPLE = 40


@pytest.mark.parametrize("family", FAMILIES)
def test_no_mutant_passes_for_an_honest_log(family: str) -> None:
    """A sample of what ``python -m tests.fuzz_audit`` makes by the hundred thousand."""
    first = FAMILIES.index(family)
    made = [mutant(0, number) for number in range(first, first + SAMPLE * len(FAMILIES), len(FAMILIES))]
    assert [f"{one}: {what.wrong}" for one in made if (what := check_mutant(one)).wrong] == []


@pytest.mark.parametrize("what", SLIPPED)
def test_what_once_slipped_through_no_longer_does(what: str) -> None:
    made = remade(what)
    came = check_mutant(made)
    assert (came.wrong, came.verdict) == ("", SLIPPED[what].found)


@pytest.mark.parametrize("name", NAMES)
def test_the_audit_and_saying_it_again_agree_on_what_is_honest(name: str) -> None:
    """For each log that mutants are made of, both give the same verdict."""
    one = base(name)
    assert audit_mutated(one.lines, one.key, one.parent).clean == (not dishonest(one.lines, one.key, one.parent))
    assert audit_mutated(one.lines, one.key, one.parent).findings == ()

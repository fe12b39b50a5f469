"""A ruling may be made at any moment: while something is asked, awaited or open it does what it did just before."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from tests.metamorphic.meanwhile import Counts, try_rulings
from tests.rulesets.systems import PRESENT

TRIES = 300 if os.environ.get("AFFRAY_PROFILE") == "thorough" else 6
"""How many rulings are made at every moment that waits."""


@pytest.mark.parametrize("system", PRESENT)
def test_a_ruling_made_meanwhile_leads_where_it_leads_made_before(system: str) -> None:
    """To the same questions, offers and refusals, and to the same when any of them is taken up; see exempt.py."""
    counts: Counts = Counter()
    found = list(try_rulings(system, Random("meanwhile"), counts, tries=TRIES))
    assert not found, "\n".join(map("\n  ".join, found[:3]))
    assert counts["compared"] > 100

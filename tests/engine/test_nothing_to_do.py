"""Commands that would do nothing: refused, with a line that would work, and nothing is recorded."""

from __future__ import annotations

import pytest

from affray.engine.commands import Intent
from affray.engine.errors import Refused
from affray.tools import speech
from tests.engine.fights import acted
from tests.engine.shoving import shoving


def refused(intent: Intent, line: str) -> None:
    fight = shoving()
    acted(fight, speech.intent(fight, "rule relate allies ash bo", "so it is"))
    before = fight.head
    with pytest.raises(Refused, match=line) as no:
        acted(fight, intent)
    assert (no.value.code, fight.head) == ("no_change", before)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("rule relate allies bo ash", "would end it: rule relate allies"),
        ("rule relate allies ash bo", "would end it: rule relate allies"),
    ],
)
def test_what_is_so_already_is_refused(said: str, line: str) -> None:
    """Whatever the order of those who are named; the line that the refusal ends with does something."""
    refused(speech.intent(shoving(), said, "again"), line)

"""The words of the rules in an event, and the combatants that they are about."""

from __future__ import annotations

import pytest
from msgspec import Struct

from affray.engine.visibility.readers import Scope
from affray.engine.visibility.references import read_struct
from affray.events import Answered, Modifier, Source


@pytest.mark.parametrize(
    ("said", "who", "words"),
    [
        (Modifier(value=1, label="x", source=Source(of="brand", name="luck")), {"brand"}, {"luck"}),
        (Modifier(value=1, label="x", source="brand.luck"), {"brand"}, {"luck"}),
        (Modifier(value=1, label="x", source="luck"), set(), {"luck"}),
        (Answered(question="1/ilse/1/pay", by="ilse", choice="pay", fields={"luck": 1}), set(), {"luck"}),
    ],
)
def test_the_words_of_the_rules_are_read_with_whom_they_are_about(said: Struct, who: set[str], words: set[str]) -> None:
    """By these a line that tells of a veiled counter is hidden."""
    found = read_struct(said, Scope({"brand"}, {}, {"purpose": {}}, (), (), None))
    assert found.who == who
    assert words <= found.words

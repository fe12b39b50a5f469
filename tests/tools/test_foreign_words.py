"""Words of a foreign log are quoted, in any field of any event, as entered text is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from affray.engine.texts import id_said
from affray.events import EVENTS, Asked, Event
from affray.tools.present.story.narration import tell
from affray.tools.present.story.words import Names
from tests.clients.test_forms import sample
from tests.rulesets.systems import PRESENT

LIE = "Knife_A_takes_12:_dead"
"""A sentence without a blank, which reads like one of the engine's where underscores are told as blanks."""

SENTENCE = (Asked, ("options", 0, "says"))
"""What the rules write into the log as a whole sentence."""


def lying(value: Any, path: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], Any]]:
    """Yield a value with one of its texts replaced, and where it stands."""
    if isinstance(value, str):
        yield path, LIE
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from ((at, {**value, name: one}) for at, one in lying(inner, (*path, name)))
    elif isinstance(value, list):
        for nth, inner in enumerate(value):
            yield from ((at, [*value[:nth], one, *value[nth + 1 :]]) for at, one in lying(inner, (*path, nth)))


@pytest.mark.parametrize("system", [*PRESENT, "unheard_of"])
def test_no_text_of_an_event_reads_like_the_engines(system: str) -> None:
    names, told = Names(system), 0
    for event in EVENTS:
        for path, content in lying(sample(inspect.type_info(event))):
            try:
                forged: Event = msgspec.convert(content, event)
            except msgspec.ValidationError:  # it is one of a few words
                continue
            if (event, path) == SENTENCE:
                continue
            for verbose in (True, False):
                said = tell(forged, names, verbose=verbose) or ""
                told += "Knife" in said
                assert "Knife" not in re.sub("“[^“”]*”", "", said), (event, path, said)
    assert told > len(EVENTS)


@pytest.mark.parametrize(
    ("id", "quoted"),
    [
        ("1/turn_start/panic:ada@bram", False),
        ("g1:2/影の者/attack.1/attack", False),
        ("Knife_A_dies", True),
    ],
)
def test_an_id_that_the_rules_could_not_make_is_quoted(id: str, quoted: bool) -> None:
    assert id_said(id) == (f"“{id}”" if quoted else id)

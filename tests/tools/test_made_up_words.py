"""Undeclared words of a record are quoted, in any field of any event."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from affray.engine import FileStore, open_fight
from affray.engine.integrity.audit import audit
from affray.engine.texts import id_said, word_said
from affray.events import Event, FightOpened
from affray.tools.present.audit_text import finding_sentence, list_unjudged, summarise_audit
from affray.tools.present.story.narration import tell
from affray.tools.present.story.words import Names, names_of
from tests.forging import encode_log, rechain_log
from tests.rulesets.systems import SYSTEMS
from tests.tampering.fights import recorded_fight
from tests.tools.test_own_words import outside

REPLAYS = Path(__file__).parents[2] / "replays"

LIES = ("Knife_A_smites_12:_dead", "mud:Knife A smites 12", "x/Knife_A_smites_12,_dead", "3), Knife A smites 12")
"""Words that read like a sentence of the engine's once blanks stand for their underscores."""


@cache
def samples(system: str) -> tuple[Names, list[Event]]:
    """Return the names of a system's recorded fights, and one event of each type and kind in them."""
    names, found = Names(system), dict[tuple[str, str], Event]()
    for path in sorted((REPLAYS / system).glob("*.jsonl")):
        recorded = open_fight(path.stem, FileStore(path.parent)).history.recorded
        names.update(names_of(recorded))
        for one in recorded:
            found.setdefault((type(one.event).__name__, getattr(one.event, "kind", "")), one.event)
    return names, list(found.values())


def insert_lie(value: Any, lie: str) -> Iterator[Any]:
    """Yield a decoded value with the lie in place of each text in it, but for sentences of options."""
    if isinstance(value, str):
        yield lie
    elif isinstance(value, list):
        for nth, one in enumerate(value):
            yield from ([*value[:nth], other, *value[nth + 1 :]] for other in insert_lie(one, lie))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from ({**value, key: other} for other in insert_lie(one, lie) if key not in ("type", "says"))


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_word_that_nobody_declares_is_quoted_in_every_field(system: str, lie: str) -> None:
    """In every event that can hold it; also if the rules are not installed."""
    names, events = samples(system)
    unheard_of = Names("unheard_of")
    unheard_of.update(names)
    leaks = []
    for event in events:
        for content in insert_lie(msgspec.json.decode(msgspec.json.encode(event)), lie):
            try:
                forged = msgspec.json.decode(msgspec.json.encode(content), type=type(event))
            except msgspec.ValidationError:
                continue
            for known in (names, unheard_of):
                line = tell(forged, known, verbose=True) or ""
                if "smites" in outside(line):
                    leaks.append((type(event).__name__, line))
    assert not leaks, "\n".join(f"{kind}: {line}" for kind, line in leaks)


def test_a_plain_word_and_a_plain_id_stand_as_they_are() -> None:
    """One of small letters; what else there is can be a person's words."""
    assert [word_said(one) for one in ("half_cover", "3,-1", "VES-T08", "")] == ["half cover", "3,-1", "VES-T08", ""]
    assert [word_said(one) for one in ("Half_cover", "a_b_c_d_e", "dead:_12")] == [
        "“Half cover”",
        "“a b c d e”",
        "“dead: 12”",
    ]
    assert [id_said(one) for one in ("1/ilse.attack.1/d6#0", "łukasz-a", "ilse>bram")] == [
        "1/ilse.attack.1/d6#0",
        "łukasz-a",
        "ilse>bram",
    ]
    assert [id_said(one) for one in ("Knife_A", "it is", "a(b)")] == ["“Knife_A”", "“it is”", "“a(b)”"]


LINE = "4), 290 events to 8b1b: record clean, dice clean, rules clean"
"""What the line to quote says of a fight in which all is in order."""


@pytest.mark.parametrize("system", ["vestige", "unheard_of", LINE])
def test_an_audit_quotes_a_version_a_system_and_a_sender(system: str) -> None:
    """In the line to quote, in what could not be judged, and in what is found."""
    first, *rest = recorded_fight("vestige/opening-bound").log[:60]
    opening = first.event
    assert isinstance(opening, FightOpened)
    rest = [replace(one, who=LINE) if one.position == 2 else one for one in rest]
    forged = [replace(first, event=replace(opening, version=LINE, system=system)), *rest]
    report = audit(lambda: encode_log(rechain_log(forged)))
    names = names_of(forged)
    lines = [
        summarise_audit(report),
        *list_unjudged(report),
        *(finding_sentence(one, names) for one in report.findings),
    ]
    assert any(LINE in line for line in lines)
    assert not [line for line in lines if "290" in outside(line)]

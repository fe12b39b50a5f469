"""A name may end in a number; so no number follows a name directly."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from msgspec.inspect import IntType

from affray.engine.core.loading import available, load
from affray.engine.fight import Fight
from affray.engine.opening import open_fight
from affray.engine.stores import FileStore
from affray.events import names_recorded
from affray.tools.parse.forms import kinds_of
from tests.tools.told import tell_whole_story

REPLAYS = Path(__file__).parents[2] / "replays"

MARK = " 7007"
"""What everybody's name ends in, and that of every thing."""

BEHIND = re.compile(rf"{MARK} [+−-]?d?\d")
"""A number that stands right behind a name."""

NAMED = ("combatant", "item", "thing", "side")
"""What may be called by a name that people have given."""


def rename_with_numbers(log: Path, folder: Path) -> Fight:
    """Return a recorded fight with a number at the end of every name."""
    lines = []
    for line in log.read_bytes().splitlines():
        written = msgspec.json.decode(line)
        event = written.get("event", written)
        if event.get("type") in ("Joined", "ItemAdded"):
            event["name"] += MARK
        lines.append(msgspec.json.encode(written))
    (folder / log.name).write_bytes(b"\n".join(lines) + b"\n")
    return open_fight(log.stem, FileStore(folder), verified=False)


@pytest.mark.parametrize("log", sorted(REPLAYS.glob("*/*.jsonl")), ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_no_number_stands_right_behind_a_name(log: Path, tmp_path: Path) -> None:
    found = [*tell_whole_story(rename_with_numbers(log, tmp_path))]
    assert any(MARK in one for one in found)
    assert [one for one in found if BEHIND.search(one)] == []


@pytest.mark.parametrize("system", available())
def test_no_sentence_of_an_action_or_a_ruling_says_a_number_right_behind_a_name(system: str) -> None:
    ruleset = load(system)
    words = ruleset.vocabulary
    for forms, deeds in ((ruleset.actions, words.actions), (ruleset.rulings, words.rulings)):
        for kind, form in forms.items():
            beside = re.findall(r"\{(\w+)\}\[? d?\{(\w+)[.}]", deeds[kind].says)
            named = [(one, other) for one, other in beside if names_recorded(form).get(one) in NAMED]
            assert not [pair for pair in named if any(isinstance(of, IntType) for of in kinds_of(form)[pair[1]])]

"""Who is called like a command, an action or a ruling is understood in the words that are offered for them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from affray.engine import FileStore, begin_fight
from affray.engine.analysis.policies import sensible
from affray.engine.core.ids import RESERVED, id_of
from affray.engine.fight import Fight
from affray.tools import speech
from affray.tools.conversation.play import VERBS
from affray.tools.legal import everything
from affray.tools.may import MayDeclare
from tests.engine.fights import SEED, acted, noon
from tests.engine.memory import MemoryStore
from tests.rulesets.systems import PRESENT
from tests.serve.test_hostile_names import files, renamed
from tests.tools.program import affray

NAMES = tuple(
    sorted({word.capitalize() for word in speech.OTHERWISE if id_of(word)} | {"Begin", "Give", "To", "7", "王様"})
)
COMMANDS, OFFERED = 6, 80
"""How far a fight is played, and how much of what is offered is said."""


def called(told: dict[str, Any], first: int) -> dict[str, Any]:
    """Return an encounter in which everybody is called like something one types."""
    old = [one["name"] for one in told["combatant"]]
    return renamed(told, dict(zip(old, NAMES[first:] + NAMES[:first], strict=False)))


def test_every_word_that_a_conversation_understands_is_known() -> None:
    assert VERBS.keys() <= speech.OTHERWISE
    assert not RESERVED & {id_of(name) for name in NAMES}


@pytest.mark.parametrize("system", PRESENT)
@pytest.mark.parametrize("first", range(0, len(NAMES), 4))
def test_what_is_offered_in_words_is_understood_as_it_was_meant(system: str, first: int) -> None:
    told = called(files(system)[f"{system}/template"], first)
    fight = begin_fight("drawn", told, who="gm", seed=SEED, clock=noon, store=MemoryStore())
    chance = Random(first)
    for _ in range(COMMANDS):
        for one in islice(everything(fight), OFFERED):
            if isinstance(one, MayDeclare):
                meant = speech.intent(fight, one.line)
                assert (meant.actor, meant.kind, meant.manner) == (one.intent.actor, one.intent.kind, one.intent.manner)  # type: ignore[attr-defined]
        intent = sensible(fight, chance)
        assert intent is not None
        acted(fight, intent)


def rule_and_begin(folder: Path) -> Fight:
    """Leave a fight with two who are called like commands."""
    told = files("vestige")["vestige/template"]
    told = renamed(told, {"Runa": "Rule", "Jory": "Begin"})
    return begin_fight("named", told, who="gm", seed=SEED, store=FileStore(folder))


@pytest.mark.parametrize("name", ["rule", "begin"])
def test_do_sets_them_apart_at_the_table_and_for_one_command(tmp_path: Path, name: str) -> None:
    """``do rule end_turn`` is what Rule does; ``rule note …`` stays a ruling, and ``begin`` begins the fight."""
    rule_and_begin(tmp_path)
    said = ("begin", "rule note 'the bell rings' because it is late", f"do {name} delay", f"do {name} end_turn")
    ran = affray(tmp_path, "play", "named.jsonl", "--json", said="".join(f"{line}\n" for line in said))
    assert ran.code == 0
    assert f"there is no {name}" not in ran.out + ran.err
    assert "there is no ruling" not in ran.out + ran.err
    one = affray(tmp_path, "legal", "named.jsonl", "do", name)
    assert one.code == 0, one.err
    assert msgspec.json.decode(affray(tmp_path, "legal", "named.jsonl", "do", name, "--json").out)["who"] == name

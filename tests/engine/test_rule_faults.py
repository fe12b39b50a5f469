"""A fault in rules that do not come with the program is shown to their author: exception, file, line and moment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.engine import Command, Fight, begin_fight, open_fight
from affray.engine.core.loading import load
from affray.engine.core.rule_faults import RulesFailed, is_bundled, tells_faults
from affray.engine.errors import Diverged
from affray.engine.integrity.audit import Report, audit
from affray.tools.parse.faults import fault_of, reason_in_log
from affray.tools.parse.intent_parser import intent
from affray.tools.server.error_mapping import problem_for
from tests.engine.memory import MemoryStore
from tests.rulesets.own_system import install_copy, plant
from tests.tools.program import affray

POND = {
    "system": "pebbles",
    "name": "At the pond",
    "combatant": [{"name": "Kit", "side": "north"}, {"name": "Ann", "side": "south"}],
}
NAME = "pond"

FAULTS = {
    "attribute": ('not child.has("out") and not has', 'not child.count("out") and not has', "AttributeError", 0),
    "trigger": ('return "comes_up"', 'return "comes_upp"', "NoRow: no row for comes_upp in upcoming", 0),
    "name": ("options=WAYS", "options=WAY", "NameError: name 'WAY' is not defined", 1),
    "event": ('yield change_pool(table, loser, "peb', 'yield from change_pool(table, loser, "peb', "TypeError", 2),
    "rule": ("thrown = yield from die", "thrown = yield die", "write `yield from`", 2),
}
"""Faults: the right text, the wrong one, words about it, and how many commands come before the one that meets it."""

SEEN_IN_SOURCE = {"trigger", "rule"}
"""Faults that an audit finds in the source, before it tries any input."""

COMMANDS = ("begin", "kit throw ann", "answer throw")


@pytest.fixture
def pebbles(tmp_path: Path) -> Iterator[Path]:
    """Install a copy of Pebbles, which a test may change."""
    with install_copy(tmp_path) as package:
        yield package


def play(store: MemoryStore, count: int) -> Fight:
    """Open a fight and carry out the first commands."""
    fight = begin_fight(NAME, POND, who="gm", seed=bytes(32), store=store)
    for line in COMMANDS[:count]:
        submit(fight, line)
    return fight


def submit(fight: Fight, line: str) -> None:
    fight.submit(Command(id=line, who="gm", intent=intent(fight, line)))


def audit_store(store: MemoryStore, *, details: bool = True) -> Report:
    return audit(lambda: iter(store.read(NAME)), seed=bytes(32), details=details)


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_names_exception_file_line_and_moment(pebbles: Path, kind: str) -> None:
    right, wrong, words, before = FAULTS[kind]
    line = plant(pebbles / "rules.py", right, wrong)
    store = MemoryStore()
    fight = play(store, before)
    head = fight.head
    with pytest.raises(RulesFailed) as failed:
        submit(fight, COMMANDS[before])
    assert "Error" not in failed.value.reason
    fault = fault_of(failed.value)
    assert fault.code == "rules"
    assert (Path(fault.file), fault.line) == (pebbles / "rules.py", line)
    assert words in fault.message
    assert f"behind position {head}, round 1, phase " in fault.message
    assert f"rules.py:{line}" in reason_in_log(failed.value)
    told = problem_for(failed.value, None, None)
    assert "Error" not in json.dumps([told.detail, told.source])
    assert (told.field, told.line) == ("", 0)


@pytest.mark.parametrize("kind", FAULTS)
def test_the_audit_of_such_a_fight_is_not_clean(pebbles: Path, kind: str) -> None:
    right, wrong, words, before = FAULTS[kind]
    line = plant(pebbles / "rules.py", right, wrong)
    store = MemoryStore()
    play(store, before)
    report = audit_store(store)
    assert report.verdict == "found"
    assert words in report.findings[0].found or kind in SEEN_IN_SOURCE
    assert f"rules.py:{line}: " in report.findings[0].found
    (hidden,) = audit_store(store, details=False).findings
    assert "rules.py" not in hidden.found


def test_a_record_that_the_changed_rules_cannot_follow_says_where_they_fail(pebbles: Path) -> None:
    store = MemoryStore()
    play(store, 2)
    line = plant(pebbles / "rules.py", *FAULTS["name"][:2])
    with pytest.raises(Diverged) as diverged:
        open_fight(NAME, store)
    assert f"rules.py:{line}: NameError" in reason_in_log(diverged.value)


def test_the_program_says_it_in_one_line(pebbles: Path, tmp_path: Path) -> None:
    line = plant(pebbles / "rules.py", *FAULTS["trigger"][:2])
    path = str(tmp_path)
    affray(tmp_path, "new", "--template", "pebbles", PYTHONPATH=path)
    affray(tmp_path, "new", "pebbles.toml", PYTHONPATH=path)
    ran = affray(tmp_path, "do", "pebbles.jsonl", "begin", PYTHONPATH=path)
    place = f"pebbles/rules.py, line {line}: the rules of pebbles fail: NoRow: no row for comes_upp in upcoming"
    assert ran.err.startswith(place)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    asked = {"id": 1, "do": "command", "intent": {"type": "Said", "words": "begin"}}
    problem = json.loads(affray(tmp_path, "pipe", "pebbles.jsonl", said=json.dumps(asked) + "\n", PYTHONPATH=path).out)[
        "problem"
    ]
    assert problem["detail"].startswith(f"pebbles/rules.py:{line}: the rules of pebbles fail: NoRow")


def test_a_bundled_system_keeps_its_short_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    wwn = load("wwn")
    assert is_bundled(wwn)
    assert not tells_faults(wwn)
    monkeypatch.setenv("AFFRAY_DEBUG", "1")
    assert tells_faults(wwn)

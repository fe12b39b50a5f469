"""Rulings as a game master types them: explained, with a line that works, and lists with commas or blanks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from affray.engine import Command, Fight
from affray.tools.cli.play.completion_grammar import ruled_next
from affray.tools.cli.play.ruling_help import explain_ruling
from affray.tools.parse import intent_parser
from affray.tools.present.ruling_examples import find_example
from tests.engine.shoving import shoving
from tests.engine.test_ruling_effect import open_first_encounter
from tests.rulesets.systems import PRESENT
from tests.tools.test_play import play, table  # noqa: F401 - a fixture


def parse_params(fight: Fight, line: str) -> dict[str, object]:
    said: dict[str, object] = json.loads(bytes(intent_parser.intent(fight, line, "so it is").params))  # type: ignore[attr-defined]
    return said


@pytest.mark.parametrize("system", PRESENT)
def test_every_ruling_is_explained_and_its_line_works(system: str) -> None:
    fight = open_first_encounter(system)
    works = 0
    for kind, form in fight.ruleset.rulings.items():
        first, *rest = explain_ruling(fight, kind)
        assert first == f"{kind}  – {form.says}"
        assert [one for one in form.words if not any(line.startswith(f"  {one.upper()}  ") for line in rest)] == []
        line, accepted, _ = find_example(fight, kind)
        assert line or kind == "join"
        if accepted:
            works += 1
            copy = fight.copy_at(fight.head)
            copy.submit(Command(id="said", who="gm", intent=intent_parser.intent(copy, line, "so it is")))
    assert works > len(fight.ruleset.rulings) // 2


def test_a_list_at_the_end_is_said_with_commas_blanks_or_semicolons() -> None:
    fight = shoving()
    for said in ("ash,bo", "ash bo", "ash;bo", "ash, bo", "members=ash,bo"):
        assert parse_params(fight, f"rule relate allies {said}") == {"relation": "allies", "members": ["ash", "bo"]}
    assert parse_params(fight, "rule reorder brute ash") == parse_params(fight, "rule reorder brute,ash")
    assert parse_params(fight, "rule terrain 3,1 difficult,rubble") == parse_params(
        fight, "rule terrain 3,1 difficult rubble"
    )
    assert parse_params(fight, "rule veil ash hp movement")["pools"] == ["hp", "movement"]


def test_a_ruling_is_explained_in_a_conversation(table: Path) -> None:  # noqa: F811
    said = play(table, "? rule pool").out
    assert "pool  – set a counter, or change it by so much\n  WHO  ilse, " in said
    assert "  by=…  a number (may be left out)\n  such as: rule pool ilse health to=1\n" in said
    assert "there is no ruling pol; did you mean pool?" in play(table, "? rule pol").out


def test_words_that_make_no_ruling_are_refused_with_a_line_that_works(table: Path) -> None:  # noqa: F811
    assert "say: rule pool ilse health to=1" in play(table, "rule pool").out


def test_a_release_is_listed_only_while_words_are_sealed() -> None:
    """Both where rulings are listed and where the next word is completed."""
    fight = open_first_encounter("vestige")
    assert "release" not in {one.word for one in ruled_next(fight, ())}
    for line in (f"rule conceal {next(iter(fight.state.combatants))}", "rule note 'the bell rings'"):
        fight.submit(Command(id=line, who="gm", intent=intent_parser.intent(fight, line, "so it is")))
    assert "release" in {one.word for one in ruled_next(fight, ())}
    assert find_example(fight, "release")[:2] == ("rule release", True)

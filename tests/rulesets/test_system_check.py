"""``affray rules SYSTEM --check`` finds no fault in our systems, and each planted one with its file and line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from affray.engine.core.loading import available, load, load_all
from affray.engine.errors import Unusable
from affray.tools.systems.check import check_system
from affray.tools.systems.new_system import write_system
from affray.tools.systems.trial import HOLE
from tests.rulesets.own_system import install_copy, plant
from tests.rulesets.systems import PRESENT
from tests.tools.program import affray


class Planted(NamedTuple):
    """A fault: the file, the right text and the wrong one, the kind, and words of the message."""

    file: str
    right: str
    wrong: str
    kind: str
    words: str


RULES, FLOW = "rules.py", "flow.py"

CLAUSE = '[MAR-11]\nsection = "A"\ntitle = "B"\nsays = "C"\n\n'

FAULTS = {
    "clause": Planted(RULES, '-1, "MAR-8"', '-1, "MAR-88"', "clause", "there is no clause MAR-88"),
    "docstring": Planted(RULES, "what the game master grants (MAR-7)", "more (MAR-77)", "clause", "names MAR-77"),
    "uncited": Planted("clauses.toml", "[MAR-10]", f"{CLAUSE}[MAR-10]", "clause", "no refusal cites MAR-11"),
    "phase": Planted(FLOW, '"spent",       "upcoming"', '"spent",       "upcomin"', "flow", "no row leaves the phase"),
    "unreached": Planted(FLOW, '"comes_up",    "turn"', '"comes_up",    "upcoming"', "flow", "to the phase turn"),
    "trigger": Planted(RULES, 'return "comes_up"', 'return "comes_upp"', "flow", "no row leaves upcoming on comes_upp"),
    "own trigger": Planted(RULES, 'own_trigger="begin"', 'own_trigger="start"', "flow", "no row of the flow has the"),
    "aftermath": Planted(RULES, 'return "over"', 'return "ended"', "flow", "has the trigger ended"),
    "statement": Planted(RULES, "yield from correct_child(", "correct_child(", "driving", "is called as a statement"),
    "value": Planted(RULES, "thrown = yield from die", "thrown = die", "driving", "is assigned and never driven"),
    "idle": Planted(RULES, "yield from use_up_granted", "use_up_granted", "driving", "is called as a statement"),
    "pool": Planted(RULES, 'loser, "pebbles"', 'loser, "stones"', "word", "stones is not declared"),
    "pool read": Planted(RULES, 'table.pool(who, "pebbles")', 'table.pool(who, "peb")', "word", "peb is not declared"),
    "condition": Planted(RULES, 'yield set_condition(table, who, "out"', 'yield set_condition(table, who, "off"',
        "word", "off is not declared"),
    "outcome": Planted(RULES, '"hit back" if', '"hit hard" if', "word", "hit hard is not declared"),
    "question": Planted(RULES, 'about="throw"', 'about="answer"', "word", "answer is not declared"),
    "attribute": Planted(RULES, 'child.has("out") and', 'child.count("out") and', "rules", "no attribute 'count'"),
    "event": Planted(RULES, "yield change_pool", "yield from change_pool", "rules", "TypeError"),
    "type": Planted(RULES, "RoundBegan(round=1,", 'RoundBegan(round="1",', "rules", "Expected `int`, got `str`"),
    "setting": Planted("__init__.py", "sides: The number of", "faces: The number of", "word", "describe the setting"),
    "event dropped": Planted(RULES, "yield change_pool", "change_pool", "driving", "is not yielded"),
    "compared": Planted(RULES, 'phases[""] != "turn"', 'phases[""] != "trun"', "flow", "no phase trun"),
    "chance": Planted(RULES, "margin = thrown", "import random; margin = thrown", "rules", "random is imported"),
    "assigned": Planted(RULES, "extra = list", "table.draft.round = 3; extra = list", "rules", "only events change"),
    "default": Planted("__init__.py", "le=100)] = 6", 'le=100)] = "6"', "word", "the default of the setting sides"),
    "bound": Planted("__init__.py", "Annotated[int, Meta(ge=2", "Annotated[str, Meta(ge=2", "word", "is impossible"),
    "action word": Planted("vocabulary.toml", 'throw = { says = "t', 'thraw = { says = "t', "word", "there is no such"),
    "role": Planted("vocabulary.toml", '"health"', '"helth"', "load", "pools.pebbles: Invalid enum value 'helth'"),
    "no text": Planted("clauses.toml", 'says = "The game', 'said = "The game', "load", "MAR-1: Object contains"),
    "never ends": Planted(RULES, "if len(left) < 2:", "if len(left) < 0:", "fight", "no trial fight came"),
    "syntax": Planted(RULES, 'return "all_had_one"', 'return "all_had_one', "load", "SyntaxError"),
    "import": Planted(RULES, " has_had_turn,", " has_had_a_turn,", "load", "ImportError"),
    "two rows": Planted(FLOW, '"turn",      "end_turn"', '"turn",      "declare"', "load", "two rows for declare"),
}  # fmt: skip

ELSEWHERE = {"uncited", "unreached", "setting", "bound", "no text", "never ends", "import", "two rows"}
"""Faults that are found in another line: in the catalogue, in the next row, or at a whole statement."""


@pytest.fixture
def marbles(tmp_path: Path) -> Iterator[Path]:
    """Write a system of ten clauses by ``affray new-system``, and install it; a test may change it."""
    write_system("marbles", tmp_path / "project")
    (tmp_path / "site").mkdir()
    with install_copy(tmp_path / "site", tmp_path / "project" / "marbles") as package:
        yield package


@pytest.mark.parametrize("system", PRESENT)
def test_our_systems_have_no_fault(system: str) -> None:
    report = check_system(system, 1)
    assert [str(one) for one in report.faults] == []
    assert report.clean
    assert (report.fights, report.clauses) == (1, len(load(system).clauses))


def test_a_new_system_has_no_fault(marbles: Path) -> None:
    report = check_system("marbles", 4)
    assert [str(one) for one in report.faults] == []
    assert report.events > 400
    assert report == check_system("marbles", 4)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_with_file_and_line(marbles: Path, name: str) -> None:
    planted = FAULTS[name]
    line = plant(marbles / planted.file, planted.right, planted.wrong)
    report = check_system("marbles", 2)
    assert not report.clean
    (found,) = [one for one in report.faults if planted.words in one.message]
    assert (found.kind, Path(found.file)) == (planted.kind, marbles / planted.file)
    if name not in ELSEWHERE:
        assert found.line == line


def test_a_rule_that_never_returns_is_stopped(marbles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affray.tools.systems.trial.MOST_SECONDS", 1)
    line = plant(marbles / RULES, "    left = list_sides_with", "    while True: pass\n    left = list_sides_with")
    found = check_system("marbles", 1).faults[0]
    assert (Path(found.file), found.line) == (marbles / RULES, line)
    assert "the rules have not come to an end in 1 seconds" in found.message


def test_a_system_whose_fights_never_end_is_found(marbles: Path) -> None:
    plant(marbles / RULES, 'loser, "pebbles", -1', 'loser, "pebbles", 0')
    (found,) = check_system("marbles", 2).faults
    assert "no trial fight came to an end" in found.message
    assert Path(found.file) == marbles / RULES


def test_no_fight_is_played_of_a_system_whose_source_has_faults(marbles: Path) -> None:
    plant(marbles / RULES, *FAULTS["statement"][1:3])
    assert check_system("marbles", 2).fights == 0


def test_a_system_that_cannot_be_loaded_says_where(marbles: Path) -> None:
    line = plant(marbles / RULES, *FAULTS["syntax"][1:3])
    with pytest.raises(Unusable, match=rf"cannot be loaded: SyntaxError: .*rules\.py:{line}\)"):
        load("marbles")
    assert "marbles" in available()


def test_the_program_prints_faults_and_lines_that_would_work(marbles: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "site")
    clean = affray(tmp_path, "rules", "marbles", "--check", "--fights", "1", PYTHONPATH=path)
    assert (clean.code, clean.err) == (0, "")
    assert clean.out.startswith("clean: marbles 1, 3 modules, 10 clauses, 7 rows of the flow, 1 fight with ")
    line = plant(marbles / RULES, *FAULTS["statement"][1:3])
    found = affray(tmp_path, "rules", "marbles", "--check", PYTHONPATH=path)
    place, instead, summary = found.out.splitlines()
    assert place.startswith(f"site/marbles/rules.py:{line}: `correct_child(table, loser)` is called as a statement")
    assert instead == "    write: yield from correct_child(table, loser)"
    assert (found.code, summary.startswith("1 fault: marbles 1")) == (1, True)
    told = json.loads(affray(tmp_path, "rules", "marbles", "--check", "--json", PYTHONPATH=path).out)
    assert (told["clean"], told["faults"][0]["kind"], told["faults"][0]["line"]) == (False, "driving", line)
    assert affray(tmp_path, "rules", "marbels", "--check").code == 2
    assert affray(tmp_path, "rules", "wwn", "WWN-001", "--check").code == 2


@pytest.mark.parametrize(("said", "holed"), [("Kit throws {what}", True), ("None", True), ("…", True), ("Kit", False)])
def test_a_hole_in_a_sentence_is_found(said: str, holed: bool) -> None:
    assert bool(HOLE.search(said)) == holed


def test_a_system_that_cannot_be_loaded_takes_nothing_from_the_others(marbles: Path) -> None:
    plant(marbles / RULES, *FAULTS["syntax"][1:3])
    assert "marbles" in available()
    assert [one.name for one in load_all()] == list(PRESENT)


def test_an_id_that_names_no_combatant_is_found_where_it_is_looked_up(marbles: Path) -> None:
    line = plant(marbles / RULES, "if out != table[who].has", 'if out != table["nix"].has')
    (found,) = check_system("marbles", 1).faults
    assert (found.kind, Path(found.file), found.line) == ("rules", marbles / RULES, line)
    assert "NotInFight: there is no nix in this fight" in found.message


def test_an_action_that_fizzles_over_a_wrong_id_is_found(marbles: Path) -> None:
    plant(
        marbles / RULES,
        'met = yield from die(table, self.target, "duck"',
        'met = yield from die(table, table["ann"].id, "duck"',
    )
    (found,) = check_system("marbles", 1).faults
    assert (found.kind, Path(found.file)) == ("rules", marbles / RULES)
    assert "a rule looks up an id that is not there" in found.message


def test_a_package_without_its_files_or_under_another_name_is_found(marbles: Path) -> None:
    (marbles / "template.toml").unlink()
    line = plant(marbles / "__init__.py", 'name="marbles"', 'name="marble"')
    name, file = check_system("marbles", 1).faults
    assert (Path(name.file), name.line, name.instead) == (marbles / "__init__.py", line, 'name="marbles"')
    assert file.message == "template.toml is not in the package marbles"


def test_a_catalogue_that_is_no_toml_is_refused(marbles: Path) -> None:
    plant(marbles / "clauses.toml", "[MAR-1]", "[MAR-1")
    (found,) = check_system("marbles", 1).faults
    assert found.message.startswith("Expected ']'")
    assert (Path(found.file), found.line) == (marbles / "clauses.toml", 3)

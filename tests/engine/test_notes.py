"""Notes of the rules: kinds with parts, and the texts that logs up to format 5 hold of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.engine.core.loading import available, load
from affray.engine.core.sentences import part_names
from affray.engine.history.earlier_notes import is_as_recorded, is_text_of_rules, read_text, write_text
from affray.engine.integrity.audit.spelling import note_fault
from affray.events import FORMAT, Noted

RULESETS = Path(__file__).parents[2] / "engine" / "rulesets"

WWN = load("wwn").vocabulary.notes
VERDIGRIS = load("verdigris").vocabulary.notes

CITED = ("WWN-035", "WWN-T06")
SHOCK = Noted(kind="announced", parts={"target": "hild", "ac": 13, "shock": True}, rules=CITED)
TEXT = Noted(text="hild has AC 13, shock_applies true", rules=CITED)


def list_notes_made(system: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the kinds of notes that the code of a system makes, each with the names of the parts that stand there."""
    for path in (RULESETS / system).rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Noted":
                said = {one.arg: one.value for one in node.keywords}
                assert "text" not in said, f"{path}:{node.lineno}"
                table = said["parts"]
                keys = table.keys if isinstance(table, ast.Dict) else ()
                names = {one.value for one in keys if isinstance(one, ast.Constant)}
                kinds = [one.value for one in ast.walk(said["kind"]) if isinstance(one, ast.Constant)]
                yield from ((str(kind), {str(name) for name in names}) for kind in kinds or _kinds(tree))


def _kinds(tree: ast.Module) -> list[object]:
    """Return what a module may call ``kind``."""
    named = [one for one in ast.walk(tree) if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "kind"]
    return [one.value for node in named for one in ast.walk(node.value) if isinstance(one, ast.Constant)]


@pytest.mark.parametrize("system", [system for system in available() if (RULESETS / system).is_dir()])
def test_each_note_that_rules_make_is_declared_with_its_parts(system: str) -> None:
    """No rule writes a text, and no kind is declared that no rule makes."""
    notes = load(system).vocabulary.notes
    found = list(list_notes_made(system))
    assert {kind for kind, _ in found} == notes.keys()
    assert all(names <= notes[kind].parts.keys() for kind, names in found)
    assert all(part_names(note.says) | part_names(note.written) <= note.parts.keys() for note in notes.values())


def test_a_text_of_an_older_format_is_read_as_a_note_with_parts() -> None:
    assert read_text(TEXT, WWN, {"hild"}) == Noted(
        kind="announced", parts={"target": "hild", "ac": "13", "shock": True}, rules=CITED
    )
    used = Noted(text="ada uses torch on bram: it burns", rules=("VER-100",))
    assert read_text(used, VERDIGRIS, {"ada", "bram"}).parts["on"] == "bram"
    for other in (
        Noted(text=TEXT.text, rules=("WWN-065",)),
        Noted(text="bram has AC 13, shock_applies true", rules=CITED),
        Noted(text="it rains"),
    ):
        assert read_text(other, WWN, {"hild"}) is other


def test_a_recorded_text_is_compared_with_that_of_the_note_that_is_due() -> None:
    assert write_text(WWN["announced"], SHOCK.parts, {}) == TEXT.text
    assert is_as_recorded(SHOCK, TEXT, WWN, {})
    assert not is_as_recorded(SHOCK, Noted(text=TEXT.text, rules=("WWN-035",)), WWN, {})
    assert not is_as_recorded(SHOCK, SHOCK, WWN, {})
    assert not is_as_recorded(None, TEXT, WWN, {})
    panic = Noted(kind="panics", parts={"who": "ada", "what": "nothing more"}, rules=("VER-S12",))
    named = Noted(text="Ada panics: nothing more", rules=("VER-S12",))
    assert is_as_recorded(panic, named, VERDIGRIS, {"ada": "Ada"})
    assert not is_as_recorded(panic, named, VERDIGRIS, {})
    assert [is_text_of_rules(one) for one in (TEXT, SHOCK, Noted(text="it rains"))] == [True, False, False]


@pytest.mark.parametrize(
    ("note", "faulty"),
    [
        (Noted(text="it rains"), ()),
        (TEXT, range(6, FORMAT + 1)),
        (SHOCK, range(1, 6)),
        (Noted(kind="announced", text="it rains", rules=CITED), range(1, FORMAT + 1)),
        (Noted(kind="announced", parts=SHOCK.parts), range(1, FORMAT + 1)),
    ],
)
def test_a_note_is_held_as_its_format_holds_it(note: Noted, faulty: range | tuple[int, ...]) -> None:
    assert [format for format in range(1, FORMAT + 1) if note_fault(note, format)] == list(faulty)

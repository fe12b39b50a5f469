"""What is written out of what the engine tells, and what it takes of what it is told."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

import pytest
from msgspec import Struct

from affray.engine import state
from affray.engine.actions import Action, Ruling
from affray.engine.audit import Parent, audit
from affray.engine.audit.findings import Finding, Listed
from affray.engine.encounters import Seen
from affray.engine.explaining import Account, Die, Group, Receipt, Term, Verdict
from affray.engine.hiding import WireLine
from affray.engine.ruleset import TELLING, ClauseText, available, load, source_digest
from affray.events import Dice, Event, Faces, Field, Forked, Line, Member, Modifier, Noted, Option, Recorded, Slot, seal
from tests.engine.histories import OPENED

STATES = [
    one
    for one in vars(state).values()
    if isinstance(one, type) and issubclass(one, Struct) and one.__module__ == state.__name__
]
SHORT = [Account, Die, Group, Receipt, Term, Verdict, Finding, Listed, WireLine, Action, Ruling, Event, Recorded, Line]
SHORT += [Dice, Faces, Field, Member, Modifier, Option, Slot, *STATES]


@pytest.mark.parametrize("kind", SHORT, ids=lambda kind: kind.__name__)
def test_what_is_as_ever_is_not_written_out(kind: type[Struct]) -> None:
    assert kind.__struct_config__.omit_defaults


@pytest.mark.parametrize("kind", [Action, Ruling, Seen, ClauseText], ids=lambda kind: kind.__name__)
def test_what_nobody_knows_is_refused(kind: type[Struct]) -> None:
    assert kind.__struct_config__.forbid_unknown_fields


@pytest.mark.parametrize("system", available())
def test_the_code_of_the_rules_is_all_of_it_but_what_only_tells(system: str) -> None:
    """Every file of the folder and those below it, by name and size, in alphabetical order."""
    package = load(system).package
    found: dict[str, bytes] = {}
    rooms = [("", files(package))]
    while rooms:
        prefix, room = rooms.pop()
        for one in room.iterdir():
            if one.is_dir():
                rooms += [(f"{prefix}{one.name}/", one)] if one.name != "__pycache__" else []
            elif one.name.rpartition(".")[2] in ("py", "toml") and one.name not in TELLING:
                found[prefix + one.name] = one.read_bytes()
    assert {"odds.py", "README.md"}.isdisjoint(found)
    told = b"".join(f"{name}\n{len(found[name])}\n".encode() + found[name] for name in sorted(found))
    assert source_digest(package) == sha256(told).hexdigest()


# --- parents, and lines that cannot be read ---


def lines_of(*commands: Event) -> list[bytes]:
    told: list[bytes] = []
    previous = ""
    for nth, event in enumerate((OPENED, *commands)):
        sealed, more = seal([event], after=nth, previous=previous, time="2025-06-01T12:00:00.000Z", who="gm",
                            cause=f"c{nth}", format=2)  # fmt: skip
        previous = sealed[-1].hash
        told += more
    return told


FORK = Forked(fight="mine", parent="theirs", position=2, commitment="00" * 32)
LOG = lines_of(Noted(text="a"), FORK, Noted(text="b"))


@pytest.mark.parametrize(
    ("parent", "found"),
    [
        (LOG[:2], []),
        (lines_of(Noted(text="a"), Noted(text="c"), Noted(text="d")), []),
        (LOG, [("parent", 1, 1, "this very log")]),
        (lines_of(Noted(text="x"), Noted(text="c")), [("parent", 2, 2, "others")]),
        (LOG[:1], [("parent", 2, 2, "others")]),
    ],
)
def test_a_parent_holds_the_lines_up_to_where_it_was_left(
    parent: list[bytes], found: list[tuple[str, int, int, str]]
) -> None:
    report = audit(lambda: LOG, parents=[Parent(name="theirs", lines=lambda: parent)])
    said = [(one.code, one.position, one.line, one.found) for one in report.findings if one.code == "parent"]
    assert said == found
    alone = [one.what for one in report.missing if one.layer == "record"]
    assert alone == (["that it is theirs up to position 2, as it says"] if found else [])


@pytest.mark.parametrize("nth", [0, 1, 3])
def test_a_line_that_cannot_be_read_takes_up_a_position(nth: int) -> None:
    """What is behind it stands in its place; that its chain fits, nobody can tell."""
    told = [*LOG[:nth], b"?" * 70, *LOG[nth + 1 :]]
    report = audit(lambda: told)
    (first,) = [one for one in report.findings if one.code == "unreadable"]
    assert (first.position, first.line, first.expected) == (nth + 1, nth + 1, "one recorded event")
    assert not [one for one in report.findings if one.code in ("missing", "twice", "chain" if nth else "twice")]
    assert report.events == 4


@pytest.mark.parametrize(
    ("told", "code", "position", "line", "expected", "found"),
    [
        ([LOG[0], *LOG[2:]], "missing", 2, 2, "position 2", "position 3"),
        ([*LOG[:2], LOG[1], *LOG[2:]], "twice", 2, 3, "position 3", "position 2 again"),
        ([], "empty", 1, 1, "the opening of a fight", "no line at all"),
    ],
)
def test_a_line_left_out_or_doubled_is_named_where_it_was_due(
    told: list[bytes], code: str, position: int, line: int, expected: str, found: str
) -> None:
    (one,) = [one for one in audit(lambda: told).findings if one.code == code]
    assert (one.position, one.line, one.expected, one.found) == (position, line, expected, found)

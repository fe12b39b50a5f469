"""An audit's findings about the form of a log, line by line, on handwritten logs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from affray.engine.integrity.audit.findings import Findings
from affray.engine.integrity.audit.record import Record
from affray.events import (
    Amended,
    Closed,
    DiceRenewed,
    Event,
    Forked,
    FormatRaised,
    Noted,
    Previewed,
    Restored,
    Rewound,
    UndoDeclined,
    UndoRequested,
    read_line,
    seal,
)
from tests.engine.histories import OPENED, make_note_ruling

NOON, SALT = "2025-06-01T12:00:00.000Z", "5a17" * 8
OPENING = replace(OPENED, format=4)
A, B = ([make_note_ruling(one), Noted(text=one)] for one in "ab")
FRESH = Rewound(to=1, lane=3, commands=1, fresh=True)
DUE = "the dice renewed, as was asked for"
INSIDE = "what follows from the command's own input"
FindingRow = tuple[str, int, str, str]


def make_log_of_commands(*commands: Event | Iterable[Event], opening: Event = OPENING, format: int = 4) -> list[bytes]:
    """Return the lines of an opening and of these commands, each one event or several."""
    lines: list[bytes] = []
    previous = ""
    for nth, command in enumerate((opening, *commands)):
        events = [command] if isinstance(command, Event) else list(command)
        sealed, more = seal(
            events, after=len(lines), previous=previous, time=NOON, who="gm", cause=f"c{nth}", format=format
        )
        previous = sealed[-1].hash
        lines += more
    return lines


def replace_line_at(lines: list[bytes], at: int, **fields: Any) -> list[bytes]:
    """Return a log with one line written otherwise."""
    changed = msgspec.json.encode(replace(read_line(lines[at - 1]), **fields))
    return [*lines[: at - 1], changed, *lines[at:]]


def run_record_layer(lines: list[bytes], *, but: tuple[str, ...] = ("chain",)) -> tuple[Record, list[FindingRow]]:
    """Return the layer behind a whole log, and what it found; every line stands where its position says."""
    found = Findings()
    record = Record(found)
    for number, line in enumerate(lines, 1):
        record.take(number, line)
    record.end(len(lines))
    assert all((one.layer, one.line) == ("record", one.position) for one in found.all)
    return record, [(one.code, one.position, one.expected, one.found) for one in found.all if one.code not in but]


def test_a_log_that_is_well_written_has_nothing_to_find() -> None:
    record, found = run_record_layer(
        make_log_of_commands(A, B, [FRESH, DiceRenewed(generation=1)], A, Closed()), but=()
    )
    assert found == []
    assert (record.position, record.commands, record.closed, record.unknown) == (10, 6, True, False)
    assert (
        record.hash == read_line(make_log_of_commands(A, B, [FRESH, DiceRenewed(generation=1)], A, Closed())[-1]).hash
    )


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        ([Noted(text="x")], [("no_input", 2, "what somebody said or did", "Noted, a consequence")]),
        ([A, [Noted(text="x"), make_note_ruling("y")]], [
            ("no_input", 4, "what somebody said or did", "Noted, a consequence"),
            ("two_inputs", 5, INSIDE, "Ruled, another input"),
        ]),
        ([OPENING], [("opening", 2, "no second opening of the fight", "FightOpened")]),
        ([A, FRESH], [("fresh", 5, DUE, "the end of the log")]),
        ([A, FRESH, A], [("fresh", 5, DUE, "another command")]),
        ([A, Restored(lane=3, left=1, fresh=True)], [("fresh", 5, DUE, "the end of the log")]),
        ([A, replace(FRESH, fresh=False)], []),
        ([A, [replace(FRESH, fresh=False), DiceRenewed(generation=1)]],
         [("two_inputs", 5, INSIDE, "DiceRenewed, another input")]),
        ([A, [FRESH, DiceRenewed(generation=2)]],
         [("generation", 5, "generation 1 of the dice", "generation 2")]),
        ([A, [FRESH, DiceRenewed(generation=1)], [FRESH, DiceRenewed(generation=1)]],
         [("generation", 7, "generation 2 of the dice", "generation 1")]),
        ([A, [Amended(position=2, to=1, lane=3), *A, DiceRenewed(generation=1), *B]], []),
        ([A, [Amended(position=2, to=1, lane=3), *A, Closed()]], [("two_inputs", 7, INSIDE, "Closed, another input")]),
        ([A, [Previewed(position=2, rolls=()), Noted(text="x")]],
         [("more", 4, "Previewed alone in its command", "1 more events of its command")]),
        ([Closed(), A], [
            ("closed", 3, "nothing, for the record was closed at position 2", "Ruled"),
            ("closed", 4, "nothing, for the record was closed at position 2", "Noted"),
        ]),
    ],
)  # fmt: skip
def test_each_command_is_what_a_command_can_be(commands: list[Any], said: list[FindingRow]) -> None:
    assert run_record_layer(make_log_of_commands(*commands))[1] == said


def test_the_opening_comes_first() -> None:
    (found,) = run_record_layer(make_log_of_commands(A, opening=make_note_ruling("x")))[1]
    assert found == ("opening", 1, "the opening of the fight", "Ruled")


def test_what_follows_a_line_that_cannot_be_read_is_not_held_against_it() -> None:
    lines = make_log_of_commands(A, B)
    record, found = run_record_layer([*lines[:3], b"?" * 70, *lines[4:]], but=())
    assert [one[:3] for one in found] == [("unreadable", 4, "one recorded event")]
    assert record.commands == 3


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"audience": ("ilse",)}, ("salt", "a salt of 32 figures", "none")),
        ({"salt": SALT}, ("salt", "no salt, for everybody may know it", SALT)),
        ({"audience": ("ilse",), "salt": SALT}, None),
        ({"who": "bo"}, ("who", "gm, as in all of its command", "bo")),
        ({"cause": "x"}, ("cause", "c1, as in all of its command", "x")),
        ({"time": NOON.replace("12", "13")}, ("time", f"{NOON}, as in all of its command", NOON.replace("12", "13"))),
        ({"known_to": ("bo",), "mask": SALT}, ("known_to", "for everybody, as in all of its command", "for bo")),
        ({"known_to": (), "mask": SALT}, ("mask", "nothing, as in all of its command", SALT)),
        ({"more": 1}, ("more", "the last event of its command", "1 more events of its command")),
    ],
)
def test_the_lines_of_a_command_say_the_same_of_it(fields: dict[str, Any], said: tuple[str, str, str] | None) -> None:
    """Sender, time and their readers must match; the readers and salt of each line may differ."""
    found = [
        (code, *words)
        for code, at, *words in run_record_layer(replace_line_at(make_log_of_commands(A, B), 3, **fields))[1]
        if at == 3
    ]
    assert (said in found) if said else found == []
    assert run_record_layer(replace_line_at(make_log_of_commands(A, B), 3, **fields), but=())[1][0][0] == "chain"


@pytest.mark.parametrize(
    "event",
    [
        Rewound(to=1, lane=2, commands=1),
        Restored(lane=2, left=3),
        Amended(position=2, to=1, lane=2),
        Forked(fight="x", parent="y", position=1),
        UndoRequested(to=1, lane=2, commands=1),
        UndoDeclined(request=2),
        Closed(),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_reason_is_no_longer_than_it_can_be_entered(event: Any) -> None:
    """From format 5 on; older logs are judged as they were."""
    for length, format, due in ((2_000, 5, 0), (2_001, 5, 1), (2_001, 4, 0)):
        said = replace(event, reason="x" * length)
        found = run_record_layer(make_log_of_commands(said, opening=replace(OPENED, format=format), format=format))[1]
        said_so = ("reason", 2, "a reason of at most 2000 characters", f"one of {length}")
        assert found.count(said_so) == due


def test_a_log_that_ends_within_a_command_is_torn() -> None:
    found = run_record_layer(make_log_of_commands(A, [*B, Noted(text="c"), Noted(text="d")])[:5])[1]
    assert found == [("torn", 6, "2 more events of the command c2", "the end of the log")]


def test_a_command_has_an_id_of_its_own() -> None:
    again = replace_line_at(
        make_log_of_commands(make_note_ruling("a"), make_note_ruling("b"), make_note_ruling("c")), 4, cause="c1"
    )
    assert run_record_layer(again)[1] == [("cause", 4, "another id", "c1, an earlier command's")]
    right_behind = replace_line_at(make_log_of_commands(make_note_ruling("a"), make_note_ruling("b")), 3, cause="c1")
    assert run_record_layer(right_behind)[1] == [("cause", 3, "another command", "the command c1 again")]


def test_a_format_is_raised_to_a_later_one() -> None:
    """An event that came with it is due only from there on; what a later release wrote is not read."""
    old = replace(OPENING, format=2)
    record, found = run_record_layer(make_log_of_commands(A, Amended(position=2, to=1, lane=3), opening=old, format=2))
    assert ("format", 4, "an event of format 2", "Amended, which came later") in found
    _, found = run_record_layer(make_log_of_commands(FormatRaised(format=4)))
    assert ("format", 2, "a format later than 4", "format 4") in found
    record, found = run_record_layer(make_log_of_commands(FormatRaised(format=99), A))
    assert found == []
    assert record.unknown
    (missing,) = record.missing
    assert (missing.layer, missing.remedy) == ("record", "audit it with the release that recorded it")
    assert missing.what.startswith("everything behind position 2, for ")

"""The record as a tree, written by hand: what counts after each event about it, and what cannot be recorded at all."""

from __future__ import annotations

import pytest

from affray.engine.commands import Redo, Undo
from affray.engine.errors import Refused, Unusable
from affray.engine.history.timeline import History, is_hex, split_by_input
from affray.engine.history.undo import decide_redo, decide_undo
from affray.events import (
    FORMAT,
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
    RulesetAdopted,
    Senseless,
)
from affray.events.vocabulary import split_before
from tests.engine.histories import OPENED, A, B, C, D, also, history, make_note_ruling


def make_rewind(to: int, lane: int, commands: int = 1, *, fresh: bool = False) -> Event:
    return Rewound(to=to, lane=lane, commands=commands, fresh=fresh)


def test_the_effective_path_is_the_heads_ancestors() -> None:
    told = history(A, B, C)
    assert told.path == [1, 2, 3, 4, 5, 6, 7]
    also(told, make_rewind(3, 7, 2), who="gm")
    assert (told.path, told.head, told.undone) == ([1, 2, 3], 8, [7])
    also(told, D, who="gm")
    assert (told.path, told.undone) == ([1, 2, 3, 9, 10], [])
    also(told, Restored(lane=7, left=10), who="gm")
    assert (told.path, told.undone) == ([1, 2, 3, 4, 5, 6, 7], [])
    also(told, Amended(position=4, to=3, lane=7), who="gm")
    assert (told.path, told.undone) == ([1, 2, 3], [])
    also(told, B, who="gm")
    assert told.path == [1, 2, 3, 13, 14]
    assert [told.is_effective(one) for one in (0, 1, 3, 4, 12, 13, 14, 15)] == [
        False, True, True, False, False, True, True, False,
    ]  # fmt: skip
    assert [one.position for one in told.effective(after=2)] == [3, 13, 14]
    assert [one.position for one in told.effective(to=13)] == [1, 2, 3, 13]
    assert [one.position for one in told.effective(after=3, to=12)] == []
    assert told.list_ancestors(10) == [1, 2, 3, 9, 10]
    assert told.list_ancestors(7) == told.list_ancestors(11) == [1, 2, 3, 4, 5, 6, 7]
    assert told.list_ancestors(8) == told.list_ancestors(12) == [1, 2, 3]
    assert (told.lane(10), told.lane(7), told.lane(3), told.lane(0)) == ([9, 10], [4, 5, 6, 7], [], [])


def test_what_was_taken_back_last_is_brought_back_first() -> None:
    told = history(A, B, C)
    also(told, make_rewind(5, 7), who="gm")
    also(told, make_rewind(3, 5), who="gm")
    assert told.undone == [7, 5]
    also(told, Restored(lane=5, left=3), who="gm")
    assert told.undone == [7]
    also(told, Restored(lane=7, left=5), who="gm")
    assert told.undone == []
    also(told, make_rewind(3, 7, 2), who="gm")
    also(told, Restored(lane=5, left=3), who="gm")
    assert told.undone == [7], "another lane than the last was brought again"
    also(told, Restored(lane=7, left=5, commands=1), who="gm")
    assert told.undone == []
    also(told, make_rewind(5, 7), who="gm")
    also(told, (make_rewind(3, 5, fresh=True), DiceRenewed(generation=1)), who="gm")
    assert (told.undone, told.path) == ([7, 5], [1, 2, 3, 17])
    also(told, D, who="gm")
    assert told.undone == []


def test_a_command_ends_where_nothing_more_follows_or_another_input_does() -> None:
    told = history(A, (make_note_ruling("x"), Noted(text="y"), make_note_ruling("z")))
    assert [told.ends_a_command(one) for one in range(1, 7)] == [True, False, True, False, True, True]
    assert [[one.position for one in part] for part in split_by_input(told.recorded)] == [[1], [2, 3], [4, 5], [6]]
    assert list(split_before([], lambda one: True)) == []
    assert told.commands_since(0) == 3
    assert (told.commands_since(2), told.commands_since(3), told.commands_since(6)) == (2, 1, 0)


def test_so_many_commands_are_taken_back_and_an_amendment_gives_its_lane_again() -> None:
    told = history(A, B, C)
    assert [told.before_last(many) for many in (1, 2, 3)] == [5, 3, 1]
    with pytest.raises(Refused, match="nothing before this that could be taken back") as found:
        told.before_last(4)
    assert found.value.code == "nothing_to_undo"
    also(told, (Amended(position=4, to=3, lane=7), *B, *C), who="gm")
    assert [told.before_last(many) for many in (1, 2, 3, 4)] == [7, 5, 3, 1]
    assert decide_undo(told, Undo()) == [Restored(lane=7, left=12, commands=1)]
    assert decide_undo(told, Undo(to=3, reason="so")) == [Rewound(to=3, lane=12, commands=1, reason="so")]


def test_taking_back_says_where_to_and_how_much() -> None:
    told = history(A, B, C)
    assert decide_undo(told, Undo(commands=2)) == [Rewound(to=3, lane=7, commands=2)]
    assert decide_undo(told, Undo(to=5, fresh=True)) == [
        Rewound(to=5, lane=7, commands=1, fresh=True),
        DiceRenewed(generation=1),
    ]
    also(told, (make_rewind(5, 7, fresh=True), DiceRenewed(generation=4)), who="gm")
    assert decide_undo(told, Undo(fresh=True))[1] == DiceRenewed(generation=5)
    for to in (0, 2, 4, 6, 7, 8, 9, 99):
        with pytest.raises(Refused, match=f"position {to} is not the end of an earlier command that counts") as found:
            decide_undo(told, Undo(to=to))
        assert found.value.code == "no_such_moment"
    for commands in (0, -1):
        with pytest.raises(Unusable, match="must be at least 1") as wrong:
            decide_undo(told, Undo(commands=commands))
        assert wrong.value.field == "commands"


def test_a_lane_is_brought_again_by_its_last_position() -> None:
    told = history(A, B, C)
    with pytest.raises(Refused, match="nothing to redo") as found:
        decide_redo(told, Redo())
    assert found.value.code == "nothing_to_redo"
    also(told, make_rewind(3, 7, 2), who="gm")
    assert decide_redo(told, Redo(reason="so")) == [Restored(lane=7, left=3, reason="so")]
    assert decide_redo(told, Redo(lane=5)) == [Restored(lane=5, left=3)]
    for lane, says in (
        (1, "does not end a lane"), (3, "does not end a lane"), (8, "does not end a lane"), (-1, "does not end a lane"),
        (9, "does not end a lane"), (6, "is in the middle of a command"), (4, "is in the middle of a command"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=f"position {lane} {says}") as found:
            decide_redo(told, Redo(lane=lane))
        assert found.value.code == "no_such_lane"
    with pytest.raises(Refused, match="nothing to redo"):
        decide_redo(told, Redo(lane=0))


def test_what_lies_before_a_fork_is_its_parents() -> None:
    told = history(A, B, Forked(fight="mine", parent="theirs", position=5), C)
    assert (told.floor, told.forked, told.path) == (5, 6, [1, 2, 3, 4, 5, 7, 8])
    assert decide_undo(told, Undo(to=5)) == [Rewound(to=5, lane=8, commands=1)]
    for undo in (Undo(commands=2), Undo(to=3)):
        with pytest.raises(Refused, match="left its parent at position 5") as found:
            decide_undo(told, undo)
        assert (found.value.code, found.value.source) == ("before_the_fork", "5")
    early = history(A, B, make_rewind(3, 5), Forked(fight="mine", parent="theirs", position=6))
    assert (early.floor, early.undone) == (3, [])
    with pytest.raises(Refused, match="left its parent at position 3"):
        decide_undo(early, Undo())
    assert decide_redo(early, Redo(lane=5)) == [Restored(lane=5, left=3)]


def test_the_record_knows_its_format_version_and_end() -> None:
    told = history(A, FormatRaised(format=3), B, RulesetAdopted(version="9", digest=""), FormatRaised(format=4))
    assert [told.format_at(one) for one in range(1, 9)] == [2, 2, 2, 2, 3, 3, 3, 3]
    assert (told.format, told.version, told.opening, told.closed) == (4, "9", OPENED, 0)
    also(told, Closed(), who="gm")
    assert (told.closed, told.path) == (9, [1, 2, 3, 5, 6])
    empty = History()
    assert (empty.format, empty.head, empty.head_hash, empty.path) == (FORMAT, 0, "", [])
    assert told.head_hash == told.recorded[-1].hash
    assert told.at(2).position == 2


def test_an_id_of_the_engines_own_is_one_that_nobody_has() -> None:
    told = history(A, B)
    free = told.free_command_id
    assert (free("new"), free("c0"), free("new", "new"), free("c0", "c0-")) == ("new", "c0-", "new-", "c0--")
    assert told.commands == {"c0": 1, "c1": 2, "c3": 4}


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (OPENED, "the fight was opened at position 1"),
        (make_rewind(6, 7), ""),
        (make_rewind(2, 7), ""),
        (make_rewind(9, 7), "position 9 does not count"),
        (make_rewind(0, 7), "position 0 does not count"),
        (make_rewind(5, 6), "it leaves position 6, and the head is 7"),
        (Amended(position=9, to=5, lane=7), "there is no position 9 before it"),
        (Amended(position=0, to=5, lane=7), "there is no position 0 before it"),
        (Amended(position=8, to=5, lane=7), ""),
        (Amended(position=6, to=9, lane=7), "position 9 does not count"),
        (Amended(position=6, to=5, lane=8), "it leaves position 8, and the head is 7"),
        (Amended(position=6, to=5, lane=7, dropped=(1, 8)), ""),
        (Amended(position=6, to=5, lane=7, dropped=(3, 9)), "it drops what is not there"),
        (Amended(position=6, to=5, lane=7, dropped=(0,)), "it drops what is not there"),
        (Previewed(position=8, rolls=()), ""),
        (Previewed(position=9, rolls=()), "there is no position 9 before it"),
        (Previewed(position=0, rolls=()), "there is no position 0 before it"),
        (Forked(fight="f", parent="p", position=8), ""),
        (Forked(fight="f", parent="p", position=9), "there is no position 9 before it"),
        (Restored(lane=5, left=7), "position 5 was never taken back"),
        (Restored(lane=0, left=7), "position 0 was never taken back"),
        (Restored(lane=9, left=7), "position 9 was never taken back"),
        (Restored(lane=8, left=7), "position 8 was never taken back"),
        (Closed(seed="00ff"), ""),
        (Closed(seed=""), ""),
        (Closed(seed="xyz"), "its seed is no hexadecimal number"),
    ],
)
def test_what_points_to_what_is_not_there_cannot_be_recorded(event: Event, fault: str) -> None:
    """Position 8 is a preview, which no lane holds; the event itself would be at 9."""
    told = history(A, B, C, Previewed(position=2, rolls=()))
    if not fault:
        also(told, event, who="gm")
        assert told.head == 9
        return
    with pytest.raises(Senseless, match=fault) as found:
        also(told, event, who="gm")
    assert found.value.line == 9
    assert (told.head, told.path) == (8, [1, 2, 3, 4, 5, 6, 7])


@pytest.mark.parametrize(
    ("lane", "left", "fault"), [(7, 5, ""), (6, 5, ""), (7, 6, "it leaves position 6"), (8, 5, "never")]
)
def test_only_what_was_taken_back_is_brought_again(lane: int, left: int, fault: str) -> None:
    told = history(A, B, C, make_rewind(5, 7))
    if fault:
        with pytest.raises(Senseless, match=fault):
            also(told, Restored(lane=lane, left=left), who="gm")
    else:
        also(told, Restored(lane=lane, left=left), who="gm")
        assert told.path[-1] == lane


def test_nothing_follows_the_end_of_the_record() -> None:
    told = history(A, Closed())
    for event in (Noted(text="x"), Closed(), Previewed(position=2, rolls=())):
        with pytest.raises(Senseless, match="the record ended at position 4"):
            also(told, event, who="gm")
    assert (is_hex(""), is_hex("0a"), is_hex("0"), is_hex("xy")) == (True, True, False, False)

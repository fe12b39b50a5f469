"""Which events count for an audit that reads a log once: on records made by hand, honest and forged."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine.commands import Redo, Undo
from affray.engine.errors import Refused
from affray.engine.history.amend import find_amendable
from affray.engine.history.timeline import History
from affray.engine.history.undo import decide_redo, decide_undo
from affray.engine.integrity.audit.effort import Effort
from affray.engine.integrity.audit.findings import Findings
from affray.engine.integrity.audit.lanes import Lanes
from affray.engine.integrity.audit.prescan import prescan
from affray.engine.integrity.audit.return_points import SavedLayers
from affray.events import (
    ABOUT_THE_RECORD,
    STARTS,
    Amended,
    Declared,
    DiceRenewed,
    Event,
    Forked,
    FormatRaised,
    Noted,
    Passed,
    Previewed,
    Recorded,
    Restored,
    Rewound,
    Ruled,
    UndoDeclined,
    UndoRequested,
    WindowClosed,
    seal,
)
from tests.engine.histories import OPENED, A, B, C, D, make_note_ruling

FORK = Forked(fight="mine", parent="theirs", position=5, commitment="00" * 32)
FindingRow = tuple[str, int, str, str]


class Counted(Effort):
    """Counts what following a record costs.

    Attributes:
        spent: So much.
    """

    def __init__(self) -> None:
        super().__init__()
        self.spent = 0

    def spend(self, much: int) -> None:
        self.spent += much
        super().spend(much)


class Followed:
    """A record while an audit follows it; each event is at the line ten times its position.

    Attributes:
        lanes: What follows it.
        effort: What that costs.
        heads: The effective head after each command.
        spots: The positions from which the fight went on, for each event about the record; 0 if from where it was.
    """

    def __init__(self, *commands: Event | Iterable[Event]) -> None:
        recorded, lines = sealed_all(*commands)
        self.found, self.effort = Findings(), Counted()
        self.lanes = Lanes(self.found, prescan(lines), self.effort)
        self.heads: list[int] = []
        self.spots: list[int] = []
        self._segment: list[Recorded] = []
        for one in recorded:
            self._take(one)

    def _take(self, one: Recorded) -> None:
        if type(one.event) in STARTS:
            self._grow()
        if type(one.event) in ABOUT_THE_RECORD:
            spot = self.lanes.turn(one, 10 * one.position)
            self.spots.append(spot.line.last if spot else 0)
        else:
            self._segment.append(one)
        if not one.more:
            self._grow()
            self.heads.append(self.lanes.head)

    def _grow(self) -> None:
        segment, self._segment = self._segment, []
        if segment:
            self.lanes.grow(segment, 10 * segment[0].position, lambda: SavedLayers(None, 1))

    @property
    def said(self) -> list[FindingRow]:
        """Return the findings."""
        assert all((one.layer, one.line) == ("record", 10 * one.position) for one in self.found.all)
        return [(one.code, one.position, one.expected, one.found) for one in self.found.all]


def sealed_all(*commands: Event | Iterable[Event]) -> tuple[list[Recorded], list[bytes]]:
    """Return a record of an opening and of these commands, and its lines."""
    recorded: list[Recorded] = []
    lines: list[bytes] = []
    for nth, command in enumerate((OPENED, *commands)):
        events = [command] if isinstance(command, Event) else list(command)
        sealed, more = seal(events, after=len(lines), previous="", time="t", who="gm", cause=f"c{nth}")
        recorded += sealed
        lines += more
    return recorded, lines


def back(to: int, lane: int, commands: int = 1, **also: Any) -> Rewound:
    return Rewound(to=to, lane=lane, commands=commands, **also)


def request_undo(to: int, lane: int, commands: int = 1) -> UndoRequested:
    return UndoRequested(to=to, lane=lane, commands=commands)


SENT_PASS = Passed(window="w", who="bo", why="time")
NO_REQUEST = "no request, for none waits"
MOMENT, COUNTS = "a position at the end of a command that was taken back", "a position at the end of one that counts"
MOVED = "a position before the last that counts"
ENDS, WAITS = (Declared(actor="bo", kind=kind, params=Raw(b"{}")) for kind in ("end_turn", "wait"))
TAKEN = WindowClosed(window="w", how="taken")
EARLIER = "the position of something recorded before"
LATER = "positions of later inputs that counted, each once and in order"
AMENDABLE_INPUT = "the position of an input that counts and can be amended"


@pytest.mark.parametrize(
    ("commands", "said", "head"),
    [
        ([A, B, back(3, 5)], [], 3),
        ([A, B, back(1, 5, 2), C], [], 8),
        ([A, B, back(3, 5), Restored(lane=5, left=3)], [], 5),
        ([A, B, back(2, 5)], [("no_such_moment", 6, COUNTS, "position 2")], 5),
        ([A, B, back(3, 5), C, back(5, 8)], [("no_such_moment", 9, COUNTS, "position 5")], 8),
        ([A, B, back(3, 5), C, Restored(lane=3, left=8)], [("no_such_moment", 9, MOMENT, "position 3")], 8),
        ([A, B, back(3, 4)], [("lane", 6, "5", "4")], 3),
        ([A, B, back(3, 5, 2)], [("commands", 6, "1", "2")], 3),
        ([A, B, back(1, 5, 1)], [("commands", 6, "2", "1")], 1),
        ([A, B, back(3, 5), Restored(lane=5, left=5)], [("left", 7, "3", "5")], 5),
        ([A, B, FORK, back(5, 5)], [("empty", 7, MOVED, "position 5, the last"), ("commands", 7, "0", "1")], 5),
        ([A, B, back(5, 5, 0)], [("empty", 6, MOVED, "position 5, the last")], 5),
        ([A, B, back(3, 5), Restored(lane=3, left=3)], [("no_such_moment", 7, MOMENT, "position 3")], 3),
        ([A, B, Restored(lane=5, left=5)], [("no_such_moment", 6, MOMENT, "position 5")], 5),
        ([A, B, [Amended(position=0, to=5, lane=5), *C]],
         [("position", 6, EARLIER, "position 0"), ("empty", 6, MOVED, "position 5, the last")], 8),
        ([A, B, FORK, C, back(5, 8)], [], 5),
        ([A, B, FORK, C, back(3, 8, 2)], [("no_such_moment", 9, COUNTS, "position 3")], 8),
        ([A, B, back(3, 5), replace(FORK, position=6), Restored(lane=5, left=3)], [], 5),
        ([A, B, back(1, 5, 2), C, replace(FORK, position=8), Restored(lane=5, left=8)],
         [("no_such_moment", 10, MOMENT, "position 5")], 8),
        ([A, B, replace(FORK, position=4)], [("position", 6, "5", "4")], 5),
        ([A, B, FormatRaised(format=4), FORK], [], 5),
        ([A, B, FormatRaised(format=4), replace(FORK, position=6)], [("position", 7, "5", "6")], 5),
        ([A, FormatRaised(format=4), B, FORK], [("position", 7, "6", "5")], 6),
        ([A, request_undo(1, 3), back(1, 3, request=4)], [], 1),
        ([A, request_undo(1, 3), UndoDeclined(request=4), B], [], 7),
        ([A, request_undo(1, 3), request_undo(1, 3), back(1, 3, request=5)], [], 1),
        ([A, request_undo(1, 3), SENT_PASS, back(1, 5, 2, request=4)], [], 1),
        ([A, request_undo(1, 3, 2)], [("commands", 4, "1", "2")], 3),
        ([A, request_undo(1, 2)], [("lane", 4, "3", "2")], 3),
        ([A, request_undo(2, 3)], [("no_such_moment", 4, COUNTS, "position 2")], 3),
        ([A, back(1, 3, request=2)], [("request", 4, NO_REQUEST, "the request at 2")], 1),
        ([A, UndoDeclined(request=2)], [("request", 4, NO_REQUEST, "the request at 2")], 3),
        ([A, request_undo(1, 3), B, back(3, 6, request=4)], [("request", 7, NO_REQUEST, "the request at 4")], 3),
        ([A, request_undo(1, 3), UndoDeclined(request=4), back(1, 3, request=4)],
         [("request", 6, NO_REQUEST, "the request at 4")], 1),
        ([A, request_undo(1, 3), request_undo(1, 3), back(1, 3, request=4)],
         [("request", 6, "the request at 5", "the request at 4")], 1),
        ([A, B, request_undo(3, 5), back(1, 5, 2, request=6)], [("to", 7, "3", "1")], 1),
        ([A, Previewed(position=2, rolls=())], [], 3),
        ([A, Previewed(position=1, rolls=())], [("position", 4, AMENDABLE_INPUT, "position 1")], 3),
        ([A, Previewed(position=3, rolls=())], [("position", 4, AMENDABLE_INPUT, "position 3")], 3),
        ([A, B, back(3, 5), Previewed(position=4, rolls=())], [("position", 7, AMENDABLE_INPUT, "position 4")], 3),
        ([A, B, FORK, Previewed(position=4, rolls=())], [("position", 7, AMENDABLE_INPUT, "position 4")], 5),
        *(
            ([A, Previewed(position=at, rolls=())], [("position", 4, EARLIER, f"position {at}")], 3)
            for at in (0, 4, 5, 9)
        ),
        ([A, B, [Amended(position=4, to=3, lane=5), *C]], [], 8),
        ([A, B, [Amended(position=2, to=1, lane=5, dropped=(4,)), *C]], [], 8),
        ([A, B, [Amended(position=2, to=1, lane=5), *C, *B]], [], 10),
        ([A, B, [Amended(position=2, to=1, lane=5, retracted=True), *B]], [], 8),
        ([A, B, [Amended(position=2, to=1, lane=5), *B]],
         [("retracted", 7, "retracted, for nothing stands in its place", "corrected at 6")], 8),
        ([A, B, [Amended(position=2, to=1, lane=5, retracted=True), *C, *B]],
         [("retracted", 9, "corrected, for another Ruled stands in its place", "retracted at 6")], 10),
        ([A, ENDS, [Amended(position=2, to=1, lane=4, retracted=True), WAITS]],
         [("retracted", 6, "corrected, for another Declared stands in its place", "retracted at 5")], 6),
        ([A, ENDS, [Amended(position=2, to=1, lane=4, retracted=True), WAITS, TAKEN, ENDS]], [], 8),
        ([A, ENDS, [Amended(position=2, to=1, lane=4), *C, *D]],
         [("dropped", 8, "as many inputs as were not dropped, 1 of Declared", "0")], 9),
        ([A, ENDS, B, [Amended(position=2, to=1, lane=6, dropped=(4,)), *C, *B]], [], 11),
        *(
            ([A, ENDS, B, [Amended(position=2, to=1, lane=6, dropped=wrong), *C, *B, *D]],
             [("dropped", 12, LATER, f"{said}, dropped at 7")], 13)
            for wrong, said in (((4, 4), "4, 4"), ((5, 4), "5, 4"), ((4, 6), "4, 6"))
        ),
        ([A, B, [Amended(position=5, to=3, lane=5), *C]], [("position", 6, "4", "5")], 8),
        ([A, B, [Amended(position=4, to=3, lane=3), *C]], [("lane", 6, "5", "3")], 8),
        ([A, B, [Amended(position=7, to=3, lane=5), *C]],
         [("position", 6, EARLIER, "position 7"), ("position", 6, "4", "7")], 8),
        ([A, B, C, [Amended(position=4, to=3, lane=7, dropped=(6,)), *D]], [], 10),
        *(
            ([A, B, C, [Amended(position=4, to=3, lane=7, dropped=(6, at)), *D]],
             [("dropped", 8, "positions between 4 and its own", f"position {at} among what it dropped")], 10)
            for at in (0, 4, 8, 99)
        ),
        ([A, B, [Amended(position=3, to=2, lane=5), *C]], [("no_such_moment", 6, COUNTS, "position 2")], 8),
    ],
)  # fmt: skip
def test_what_is_said_of_the_record_fits_it(commands: list[Any], said: list[FindingRow], head: int) -> None:
    followed = Followed(*commands)
    assert (followed.said, followed.lanes.head) == (said, head)


def test_where_the_fight_goes_on_is_told_to_the_other_layers() -> None:
    followed = Followed(A, B, back(3, 5), back(2, 3), Restored(lane=5, left=3), Previewed(position=2, rolls=()))
    assert followed.spots == [3, 0, 5, 0]
    assert followed.lanes.taken_back == 1


def test_what_was_declared_otherwise_after_taking_back_is_listed() -> None:
    """Not what is declared once more, nor what follows a lane that was brought again."""
    followed = Followed(A, B, back(3, 5), C, back(3, 8), B, back(3, 11), Restored(lane=5, left=3), D)
    assert [
        (one.position, one.who, one.event, one.instead_of) for one in followed.lanes.takebacks.list_redeclared()
    ] == [
        (7, "gm", C[0], 4),
        (10, "gm", B[0], 7),
    ]
    fresh = Followed(A, B, [back(3, 5, fresh=True), DiceRenewed(generation=1)], C)
    assert [(one.position, one.instead_of) for one in fresh.lanes.takebacks.list_redeclared()] == [(8, 4)]


def test_an_amendment_keeps_the_fresh_dice_that_it_decides_again() -> None:
    """Those of the lane it replaced, in their order; some may be left out, and there are no others."""
    first, second = DiceRenewed(generation=1), DiceRenewed(generation=2)
    two = [A, B, [back(3, 5, fresh=True), first], C, [back(7, 9, fresh=True), second], D]
    assert Followed(*two).said == []
    amends = Amended(position=2, to=1, lane=13, dropped=(12,))
    for again, said in (
        ([first, second], []),
        ([second], []),
        ([second, first], [("generation", 17, "no fresh dice", "generation 1")]),
        ([DiceRenewed(generation=3)], [("generation", 16, "generation 1 or 2 of the dice", "generation 3")]),
    ):
        assert Followed(*two, [amends, make_note_ruling("x"), *again]).said == said


def test_a_stretch_without_a_gap_is_one_step_however_long() -> None:
    """So that an honest record, which is long and seldom goes back, does not cost what one of gaps does."""
    stretch = [A] * 60
    assert Followed(*stretch, back(1, 121, 60)).effort.spent == 0
    assert Followed(*stretch, back(1, 121, 60), B, back(1, 124)).effort.spent <= 2


def test_the_head_is_always_that_of_the_history() -> None:
    """Over records that go back, forth and are amended at random."""
    for seed in range(30):
        chance, history = Random(seed), History()
        commands: list[list[Event]] = []
        heads = [1]
        history.add(sealed_all()[0])
        for nth in range(40):
            command = one_more(history, chance, nth)
            sealed, _ = seal(
                command, after=history.head, previous="", time="t", who="gm", cause=f"c{len(commands) + 1}"
            )
            history.add(sealed)
            commands.append(command)
            heads.append(history.path[-1])
        followed = Followed(*commands)
        assert (followed.said, followed.heads) == ([], heads)
        assert followed.lanes.taken_back == sum(isinstance(one[0], Rewound) for one in commands)


def one_more(history: History, chance: Random, nth: int) -> list[Event]:
    """Return a command that can follow: something said, taken back, brought again or amended."""
    said: list[Event] = [make_note_ruling(f"{nth}"), *(Noted(text="x") for _ in range(chance.randrange(3)))]
    counted = [one.position for one in history.effective() if isinstance(one.event, Ruled)]
    try:
        match chance.randrange(6):
            case 0:
                return decide_undo(history, Undo(commands=chance.choice((1, 1, 2, 3)), fresh=chance.random() < 0.3))
            case 1:
                return decide_redo(history, Redo())
            case 2 if counted:
                wrong, later = find_amendable(history, chance.choice(counted))
                position = wrong[0].position
                to = history.path[history.path.index(position) - 1]
                amended = Amended(position=position, to=to, lane=history.path[-1])
                return [amended, *said, *(one.event for one in later)]
    except Refused:
        return said
    return said

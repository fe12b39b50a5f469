"""Logs that cannot be replayed to their end: the valid part is used, and the fault named."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from affray.engine.history.log_validation import TRIES, follow_valid_part, must_be_possible
from affray.events import Event, FightOpened, Moved, Noted, Recorded, Senseless, seal
from tests.engine.histories import make_roll

BAD = make_roll("r", 7)


def make_record(*commands: Sequence[Event], system: str = "vestige") -> list[Recorded]:
    told: list[Recorded] = []
    opening = FightOpened(format=4, fight="f", system=system, version="1", digest="", config={})
    for nth, command in enumerate(([opening], *commands)):
        sealed, _ = seal(list(command), after=len(told), previous="", time="t", who="gm", cause=f"c{nth}")
        told += sealed
    return told


NOTE, TWO = [Noted(text="a")], [Noted(text="b"), Noted(text="c")]


def test_the_first_fact_that_cannot_be_is_named() -> None:
    must_be_possible(make_record(NOTE, TWO))
    with pytest.raises(Senseless, match="Rolled: a die of 6 sides shows no 7") as found:
        must_be_possible(make_record(NOTE, [Noted(text="b"), BAD], [BAD]))
    assert found.value.line == 4


@pytest.mark.parametrize(("system", "fits"), [("vestige", False), ("hexblade", False), ("verdigris", True)])
def test_places_are_cells_only_where_a_map_has_some(system: str, fits: bool) -> None:
    told = make_record([Moved(who="al", before="", after="hall")], system=system)
    if fits:
        return must_be_possible(told)
    with pytest.raises(Senseless, match="hall is no place on this map"):
        must_be_possible(told)
    return None


def test_a_record_is_followed_up_to_the_last_command_that_makes_sense() -> None:
    """Whole commands only; one that is wrong within goes as a whole."""
    told = make_record(NOTE, TWO, [Noted(text="d"), BAD, Noted(text="e")], NOTE)

    def follow(recorded: Sequence[Recorded]) -> int:
        must_be_possible(recorded)
        return len(recorded)

    assert follow_valid_part(told[:4], follow) == (4, None)
    length, fault = follow_valid_part(told, follow)
    assert (length, fault and fault.line) == (4, 6)
    assert follow_valid_part(make_record(NOTE, [BAD]), follow)[0] == 2


def test_what_makes_no_sense_from_its_opening_on_is_not_followed() -> None:
    def never(recorded: Sequence[Recorded]) -> int:
        raise Senseless("no", len(recorded))

    with pytest.raises(Senseless) as found:
        follow_valid_part(make_record(NOTE, NOTE), never)
    assert found.value.line == 1
    times: list[int] = []

    def tried(recorded: Sequence[Recorded]) -> int:
        times.append(len(recorded))
        return never(recorded)

    with pytest.raises(Senseless) as found:
        follow_valid_part(make_record(*[NOTE] * 40), tried)
    assert times == list(range(41, 41 - TRIES, -1))
    assert found.value.line == 41 - TRIES + 1

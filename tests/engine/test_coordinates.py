"""Typed cells: labels without a minus, also left of column 0 and above row 0."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.core.coordinates import (
    CELLS,
    EDGE,
    cell_label,
    column_label,
    is_cell,
    parse_cell,
    parse_place,
    place_label,
    row_label,
)

NUMBERS = st.integers(-EDGE, EDGE)


@given(NUMBERS, NUMBERS, st.sampled_from(sorted(CELLS)))
def test_what_is_said_of_a_cell_means_that_very_cell(column: int, row: int, map: str) -> None:
    """The id comes back from what is said, in either case and with blanks; the id itself may be typed as well."""
    cell = f"{column},{row}"
    says = place_label(cell, map)
    assert is_cell(cell)
    assert "-" not in says
    assert says == f"{column_label(column)},{row_label(row)}"
    for typed in (says, says.lower(), f" {says.replace(',', ' , ')} ", cell):
        assert parse_place(typed, map) == parse_cell(typed, "at") == cell
    if column >= 0 and row >= 0:
        assert says == cell


@pytest.mark.parametrize(
    ("cell", "says"),
    [("-2,3", "W2,3"), ("5,-1", "5,N1"), ("-2,-1", "W2,N1"), ("5,3", "5,3"), ("0,0", "0,0"), ("-36,10", "W36,10")],
)
def test_left_is_said_with_a_w_and_above_with_an_n(cell: str, says: str) -> None:
    assert cell_label(cell) == says


@pytest.mark.parametrize("zone", ["w2,3", "W2,3", "-2,3", "the mill", ""])
def test_a_zone_is_never_taken_for_a_cell(zone: str) -> None:
    """The map declares whether places are cells; names do not decide it."""
    assert place_label(zone, "zones") == parse_place(zone, "zones") == zone


@pytest.mark.parametrize("typed", ["N2,3", "2,W3", "W-2,3", "2;3", "W,3", "hall"])
def test_what_is_no_cell_is_left_as_it_was_typed(typed: str) -> None:
    assert parse_place(typed, "squares") == typed
    assert cell_label(typed) == typed
    assert not is_cell(typed)


@pytest.mark.parametrize("cell", ["W2,3", "03,1", "-0,1", "+3,1", "10000,0", " 3,1"])
def test_a_log_writes_a_cell_in_one_form_only(cell: str) -> None:
    assert not is_cell(cell)

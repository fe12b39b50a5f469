"""Every way to tamper with a closed log is found by the layer the matrix states, at the position it states."""

from __future__ import annotations

import pytest

from affray.engine.integrity.audit import audit
from tests.forging import rechain_log
from tests.rulesets.systems import PRESENT
from tests.tampering.anew import rewritten
from tests.tampering.fights import NAMES, closed_fight, has_everything
from tests.tampering.matrix import tamper_once
from tests.tampering.rows import ROWS

EACH = pytest.mark.parametrize("name", NAMES)


@EACH
def test_nothing_is_found_before_anybody_tampers(name: str) -> None:
    """The log alone is enough: it reveals its seed, every die follows from it, and every input is judged."""
    fight = closed_fight(name)
    report = audit(lambda: fight.lines)
    assert report.findings == ()
    assert report.closed
    assert (report.dice.known, report.dice.unchecked, report.dice.parents) == (True, 0, 0)
    assert report.dice.checked
    assert (report.rules.why_not, report.rules.other_version, report.rules.unjudged) == ("", "", 0)
    assert report.rules.judged


@pytest.mark.parametrize("system", PRESENT)
def test_there_is_something_of_everything_to_tamper_with(system: str) -> None:
    assert has_everything(system, [one.event for one in closed_fight(system).log])


@EACH
def test_the_same_words_lead_to_the_same_log(name: str) -> None:
    """The code that decides forged fights again decides the true one as recorded, line by line."""
    fight = closed_fight(name)
    again = rewritten(fight.log[: fight.opening], fight.log[fight.opening :], fight.seed)
    assert rechain_log(again) == list(fight.log)


@EACH
def test_every_edit_is_found_by_its_layer_at_its_position(name: str) -> None:
    """With the chain left and with the chain recomputed; and a head that was kept names the first rewritten line."""
    wrong = [f"{row}: {one}" for row, cells in tamper_once(name).items() for cell in cells for one in cell.wrong]
    assert wrong == []


def test_every_cell_has_cases() -> None:
    """No row of the matrix is there for show."""
    for what, row in ROWS.items():
        for side, layer in enumerate((row.left, row.layer)):
            cases = sum(tamper_once(name)[what][side].cases for name in NAMES if what in tamper_once(name))
            assert bool(cases) == (layer is not None), what


@EACH
def test_with_a_layer_switched_off_its_cells_fail(name: str) -> None:
    """The matrix rests on what the layers find."""
    assert [row for row, cells in tamper_once(name).items() if any(cell.blind for cell in cells)] == []

"""Notes of a rule system: each kind has its type and what stands for it where nothing is noted."""

from __future__ import annotations

import pytest

from affray.engine import begin_fight
from affray.engine.core.changes import set_mark
from affray.engine.core.evolve import evolve
from affray.engine.core.marks import Mark
from affray.events import MarkSet
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon

COUNT = Mark("blows", 0, until="the end of the round")


def test_a_note_has_its_type_and_its_default() -> None:
    table = begin_fight("duel", two(), who="gm", seed=SEED, clock=noon).table
    assert (COUNT.of(table, "ilse"), COUNT.is_on(table, "ilse")) == (0, False)
    evolve(table.draft, COUNT.set_on("ilse", 3, "VES-001", about="brand"))
    assert (COUNT.of(table, "ilse", "brand"), COUNT.of(table, "ilse")) == (3, 0)
    assert list(COUNT.list_on(table, "ilse")) == [("brand", 3)]
    assert COUNT.is_on(table, "ilse", "brand")
    evolve(table.draft, COUNT.clear_on("ilse", about="brand"))
    assert not COUNT.is_on(table, "ilse", "brand")
    assert COUNT.set_on("ilse", 1) == MarkSet(owner="ilse", key="blows", value=1, until="the end of the round")


def test_a_note_of_another_type_is_refused() -> None:
    """As only a forged log has one. A truth, which old rules noted, is the number that Python takes it for."""
    table = begin_fight("duel", two(), who="gm", seed=SEED, clock=noon).table
    evolve(table.draft, set_mark("ilse", "blows", "three"))
    with pytest.raises(TypeError, match="blows of ilse is no int"):
        COUNT.of(table, "ilse")
    evolve(table.draft, set_mark("ilse", "blows", True))
    assert repr(COUNT.of(table, "ilse")) == "1"

"""The results of an encounter's entries: ids, names, places."""

from __future__ import annotations

import pytest

from affray.engine.core.ids import id_of, name_combatants, suffix
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import list_places, make_unknown_name


def test_several_of_one_entry_are_told_apart_by_letters() -> None:
    assert [suffix(nth) for nth in (0, 1, 25, 26, 27, 51, 52, 701, 702)] == [
        "a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa",
    ]  # fmt: skip
    assert list(name_combatants("Guard", 1, "combatant[0]", set())) == [("guard", "Guard")]
    assert list(name_combatants("City Guard", 2, "combatant[0]", set())) == [
        ("city-guard-a", "City Guard A"),
        ("city-guard-b", "City Guard B"),
    ]
    assert id_of("  Zoë, the 3rd—of “that” name ") == "zoë-the-3rd-of-that-name"


@pytest.mark.parametrize(
    ("name", "count", "taken", "says"),
    [
        ("—", 1, (), "needs a letter or a digit"),
        ("GM", 1, (), "the id gm, which is taken"),
        ("Fight", 1, (), "the id fight, which is taken"),
        ("Surprise", 1, (), "the id surprise, which is taken"),
        ("Guard", 1, ("guard",), "the id guard, which is taken"),
        ("Guard", 2, ("guard-b",), "the id guard-b, which is taken"),
    ],
)
def test_a_name_gives_an_id_that_nobody_has(name: str, count: int, taken: tuple[str, ...], says: str) -> None:
    with pytest.raises(Unusable, match=says) as found:
        list(name_combatants(name, count, "combatant[4]", set(taken)))
    assert found.value.field == "combatant[4].name"


def test_there_is_a_place_for_each() -> None:
    assert list_places("1,1", 1, "combatant[0]", "cells") == ("1,1",)
    assert list_places(("1,1", "1,2"), 2, "combatant[0]", "cells") == ("1,1", "1,2")
    assert list_places((), 0, "combatant[0]", "cells") == ()
    for at, count in (("1,1", 2), (("1,1",), 2), (("1,1", "1,2"), 1), ("", 1)):
        places = "one cell" if count == 1 else f"{count} cells, one for each combatant"
        with pytest.raises(Unusable, match=f"must name {places}$") as found:
            list_places(at, count, "combatant[0]", "cells")
        assert found.value.field == "combatant[0].at"
    assert (
        str(make_unknown_name("block", "ogre", ["orc", "elf"], "block"))
        == "block: there is no block ogre; there are orc, elf"
    )

"""Damage as books print it is the same as its dice and a modifier to damage."""

from __future__ import annotations

import msgspec
import pytest

from affray.engine.rulesets.wwn.config import Config
from affray.engine.rulesets.wwn.encounter.setup import encounter
from affray.engine.rulesets.wwn.tables import parse_damage

CONFIG = Config()
KING = """
system = "wwn"
apart = 5

[[combatant]]
name = "Dwarven King"
side = "foes"
ac = 22
hp = 54
attack = 12
weapons = ["royal_axe"]

[[combatant]]
name = "Runa"
side = "heroes"
pc = true
class = "warrior"
level = 5
hp = 40

[weapon.royal_axe]
name = "royal axe"
damage = "1d8"
shock = 7
shock_ac = 30
attribute = ["str"]
skill = "stab"
modifiers = [{ to = "damage", value = 5 }]
"""


@pytest.mark.parametrize(
    ("printed", "parts"),
    [
        ("1d8", (1, 8, 0)),
        ("d6", (1, 6, 0)),
        ("1d8+5", (1, 8, 5)),
        ("2d6 + 1", (2, 6, 1)),
        ("2d6-1", (2, 6, -1)),
        ("d10–2", (1, 10, -2)),
        ("12d12−20", (12, 12, -20)),
    ],
)
def test_dice_are_read_as_they_are_printed(printed: str, parts: tuple[int, int, int]) -> None:
    assert parse_damage(printed) == parts


@pytest.mark.parametrize("printed", ["1d8+5", "d8+5", "1d8 + 5"])
def test_what_is_added_to_printed_dice_is_a_modifier_to_damage_and_not_to_shock(printed: str) -> None:
    """The events are equal, so the rules treat both the same."""
    stated = msgspec.toml.decode(KING)
    short = KING.replace('"1d8"', f'"{printed}"').replace('modifiers = [{ to = "damage", value = 5 }]\n', "")
    assert encounter(msgspec.toml.decode(short), CONFIG) == encounter(stated, CONFIG)


def test_a_stat_block_of_a_book_opens_as_it_stands() -> None:
    """Both what is printed and what is stated beside it count."""
    both = msgspec.toml.decode(KING.replace('"1d8"', '"1d8+2"'))
    events = encounter(both, CONFIG)
    axe = next(one for one in events if getattr(one, "item", "") == "dwarven-king.royal_axe")
    assert sum(one.of == "damage" for one in axe.features) == 2  # type: ignore[attr-defined]

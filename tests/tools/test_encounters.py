"""Finding the line of a field in an encounter file."""

from __future__ import annotations

import pytest

from affray.tools.parse.encounter_file import line_of

FILE = """\
name = "Somewhere"
combatant = [{ name = "inline" }]   # an inline table has no lines of its own

[board]   # comment
difficult = [
    "1,1",
]

[[crew]]
"name" = "Ada"

[[crew]]
name = "Bea"
[crew.gear]
rope = 1

[weapon.club]
range = 1
reach.metres = 2

[weapon."long bow"]
name = "Long bow"
"""


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("name", 1),
        ("combatant[0].name", 2),
        ("board", 4),
        ("board.difficult[0]", 6),
        ("crew[0].name", 10),
        ("crew[1].name", 13),
        ("crew[1].side", 12),
        ("crew[1].gear.rope", 15),
        ("weapon.club.reach.metres", 19),
        ("weapon.long bow.name", 22),
        ("crew", 9),
        ("weapon[...].range", 18),
        ("nowhere.at.all", 0),
        ("", 0),
    ],
)
def test_the_line_of_a_field_or_of_the_nearest_table_around_it(field: str, line: int) -> None:
    assert line_of(FILE, field) == line

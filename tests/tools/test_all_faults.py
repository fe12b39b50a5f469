"""All faults of an encounter file are told at once."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.tools.program import affray

ZONES = """\
system = "verdigris"

[[zone]]
name = "yard"
exits = ["hall"]

[[zone]]
name = "hall"

[[combatant]]
name = "Edda"
side = "party"
block = "goblin"

[[combatant]]
name = "Orc"
count = 3
side = "enemies"
block = "orc"
"""

CELLS = """\
system = "wwn"
board = {}

[[combatant]]
name = "Ann"
side = "party"
block = "raidr"
at = "1,1"

[[combatant]]
name = "Bea"
side = "party"
block = "raider"

[[combatant]]
name = "Cid"
side = "raiders"
block = "raider"
"""


@pytest.mark.parametrize(
    ("encounter", "places"),
    [
        (ZONES, ["line 10, combatant[0].at", "line 15, combatant[1].at"]),
        (CELLS, ["line 7, combatant[0].block", "line 10, combatant[1].at", "line 15, combatant[2].at"]),
    ],
)
def test_new_tells_every_fault_with_its_line(tmp_path: Path, encounter: str, places: list[str]) -> None:
    """Also each combatant without a place, in text and as JSON; nothing is opened."""
    (tmp_path / "fight.toml").write_text(encounter, "utf-8")
    ran = affray(tmp_path, "new", "fight.toml")
    assert (ran.code, ran.out) == (2, "")
    assert {line.partition(": ")[0] for line in ran.err.splitlines()} == {f"fight.toml, {one}" for one in places}
    told = msgspec.json.decode(affray(tmp_path, "new", "fight.toml", "--json").out)
    faults = [told["error"], *told["others"]]
    assert sorted((one["line"], one["field"]) for one in faults) == [
        (int(line.removeprefix("line ")), field) for line, field in (one.split(", ") for one in places)
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["fight.toml"]

"""Is this encounter fair, as the installed program tells it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.program import Ran, affray

BRIDGE = Path(__file__).parents[2] / "encounters" / "vestige" / "bridge.toml"
FEW = ("--trials", "32", "--within", "30")


def balanced(folder: Path, *words: str) -> Ran:
    """Run the command on the bridge."""
    shutil.copy(BRIDGE, folder)
    return affray(folder, "balance", BRIDGE.name, *FEW, *words)


def test_an_encounter_is_foreseen_as_it_is(tmp_path: Path) -> None:
    told = balanced(tmp_path)
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert lines[0] == "The chance of heroes to win"
    assert lines[3].startswith("  as it is ")
    assert lines[3].endswith(" 32")


def test_more_foes_win_more(tmp_path: Path) -> None:
    """None to five bandits, where they are stated and then around; the variant that is wished for is named."""
    told = balanced(tmp_path, "--vary", "bandits.count=0..5", "--aim", "70", "--json").json
    assert [one["changed"] for one in told["variants"]] == [{"bandits.count": many} for many in range(6)]
    shares = [one["wins"]["share"] for one in told["variants"]]
    assert shares[0] > shares[3] >= shares[5]
    assert told["nearest"] == min(range(6), key=lambda nth: abs(shares[nth] - 0.7))
    assert [len(one["falls"]) for one in told["variants"]] == [3, 4, 5, 6, 7, 8]


def test_every_combination_is_tried(tmp_path: Path) -> None:
    told = balanced(tmp_path, "--vary", "bandit.count=1,2", "--vary", "config.brink_target=5,15", "--json").json
    assert [one["changed"] for one in told["variants"]] == [
        {"bandit.count": many, "config.brink_target": target} for many in (1, 2) for target in (5, 15)
    ]


def test_another_party_takes_the_place_of_who_is_on_its_side(tmp_path: Path) -> None:
    party = '[[combatant]]\nname = "Brand"\nside = "heroes"\nblock = "leader"\nat = "1,1"\nweapons = ["sword"]\n'
    (tmp_path / "party.toml").write_text(party, "utf-8")
    told = balanced(tmp_path, "--party", "party.toml", "--json").json
    assert set(told["variants"][0]["falls"]) == {"brand", "captain", "bandit-a", "bandit-b", "bandit-c"}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("bandits", "say WHO.FIELD=VALUES"),
        ("bandits.count=8..1", "the smaller number first"),
        ("bandits.health=3", "several are on the side bandits"),
        ("bandit.count=1..900", "at most 200"),
        ("bandt.count=1", "did you mean bandits?"),
        ("config.brink_tarket=3", "did you mean brink_target?"),
        ("config.brink_target=99", "config.brink_target=99"),
        ("bandit.block=dragon", "bandit.block=dragon"),
    ],
)
def test_what_cannot_be_varied_is_said(tmp_path: Path, said: str, why: str) -> None:
    told = balanced(tmp_path, "--vary", said)
    assert (told.code, told.out) == (2, "")
    assert why in told.err


def test_what_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("", "utf-8")
    assert "[[combatant]]" in balanced(tmp_path, "--party", "empty.toml").err
    assert "heroes" in balanced(tmp_path, "--side", "heros").err
    assert affray(tmp_path, "balance", "nothing.toml").code == 2


def test_fights_that_cannot_end_are_counted(tmp_path: Path) -> None:
    """Two who cannot hurt each other."""
    wall = 'system = "vestige"\nname = "walls"\n'
    for name, side in (("Ilse", "a"), ("Brand", "b")):
        wall += (
            f'[[combatant]]\nname = "{name}"\nside = "{side}"\nagility = 10\nmight = 1\nhealth = 6\nprotection = 9\n'
        )
    (tmp_path / "walls.toml").write_text(wall, "utf-8")
    told = affray(tmp_path, "balance", "walls.toml", "--trials", "2")
    assert told.code == 0
    assert "as it is: 2 of 2 fights did not end; nobody could win them" in told.out

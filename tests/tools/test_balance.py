"""Is this encounter fair, as the installed program tells it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree

import pytest

from affray.engine.analysis.odds import sample_trials
from affray.tools.cli.main import main, run
from affray.tools.lab.balance import balance as command
from tests.tools.program import Ran, affray

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
BRIDGE = ENCOUNTERS / "vestige" / "bridge.toml"
ROAD = ENCOUNTERS / "verdigris" / "toll-road.toml"
FEW = ("--trials", "32", "--within", "30")
SVG = "{http://www.w3.org/2000/svg}"


def run_balance(folder: Path, *words: str) -> Ran:
    """Run the command on the bridge."""
    shutil.copy(BRIDGE, folder)
    return affray(folder, "balance", BRIDGE.name, *FEW, *words)


def test_an_encounter_is_foreseen_as_it_is(tmp_path: Path) -> None:
    told = run_balance(tmp_path)
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert lines[0] == "The chance of the heroes to win"
    assert lines[3].startswith("  as it is ")
    assert lines[3].endswith(" 32")


def test_what_it_costs_each_of_the_side_is_told(tmp_path: Path) -> None:
    """Remaining pools and quivers, wear, and final sizes; of the named side only."""
    told = affray(tmp_path, "balance", str(ROAD), *FEW)
    assert (told.code, told.err) == (0, "")
    lines = [line.strip() for line in told.out.splitlines()]
    assert [line.split("  ")[0] for line in lines if "falls in" in line] == [
        "Ilka",
        "Bruno",
        "Pell",
        "Pell's courser",
        "Brother Anselm",
    ]
    assert [line for line in lines if line.startswith("arrows: ") and line.endswith("(now 12)")]
    assert [line for line in lines if line.startswith("then: ") and " in " in line]
    assert max(map(len, told.out.splitlines())) <= 100


def test_what_each_variant_costs_the_side_is_told(tmp_path: Path) -> None:
    told = affray(tmp_path, "balance", str(ROAD), *FEW, "--vary", "config.crit_sixes=3,4")
    costs = told.out.split("What it costs the party on average")[1]
    assert costs.count("  config.crit_sixes=") == 2
    assert costs.count("arrows: 12 → ") == 2


def test_machines_get_what_it_costs(tmp_path: Path) -> None:
    variant = affray(tmp_path, "balance", str(ROAD), *FEW, "--json").json["variants"][0]
    arrows = variant["things"]["pell.arrow"]
    assert (arrows["owner"], arrows["gone"]["count"], arrows["counters"]["count"]["now"]) == ("pell", 0, 12)
    assert 0 < arrows["counters"]["count"]["mean"] < 12
    for who, conditions in variant["conditions"].items():
        assert who in variant["falls"]
        assert all(one["now"] == 0 < one["share"]["count"] <= 32 for one in conditions.values())


def test_the_picture_has_a_row_for_each_variant_and_the_aim_as_a_line(tmp_path: Path) -> None:
    told = run_balance(tmp_path, "--vary", "bandits.count=0..2", "--aim", "50", "--svg", "found.svg")
    assert (told.code, told.err) == (0, "")
    root = ElementTree.parse(tmp_path / "found.svg").getroot()
    rows = root.findall(f"{SVG}g")
    names = [row.findtext(f"{SVG}text") for row in rows]
    assert names == ["bandits.count=0", "bandits.count=1", "bandits.count=2"]
    assert [row.get("class") for row in rows] == ["best", None, None]
    aim, *_ = [line for line in root.findall(f"{SVG}line") if line.get("class") == "aim"]
    dots = [float(row.find(f"{SVG}circle").get("cx")) for row in rows]  # type: ignore[union-attr, arg-type]
    assert aim.get("x1") == aim.get("x2")
    assert dots == sorted(dots, reverse=True)
    assert "--force" in run_balance(tmp_path, "--svg", "found.svg").err


def test_whoever_does_not_wait_is_told_what_is_known(monkeypatch: Any, capsys: Any) -> None:
    """Interrupted in the second of three variants: what is known of two is told, and that one was not tried."""
    begun = 0

    def impatient(*args: Any) -> Iterator[Any]:
        nonlocal begun
        begun += 1
        for found in sample_trials(*args):
            yield found
            if begun == 2:
                raise KeyboardInterrupt

    monkeypatch.setattr(command, "sample_trials", impatient)
    assert run(main, ["balance", str(BRIDGE), "--trials", "32", "--vary", "bandits.count=0..2"]) == 0
    told = capsys.readouterr().out
    lines = [line.split()[-1] for line in told.splitlines() if line.startswith("  bandits.count=") and "%" in line]
    assert lines == ["32", "16"]
    assert "Interrupted: chances are known to " in told
    assert "1 more variant was not tried." in told


def test_an_interruption_before_anything_is_known_is_one(monkeypatch: Any, capsys: Any) -> None:
    def impatient(*_: Any) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "sample_trials", impatient)
    assert run(main, ["balance", str(BRIDGE)]) == 130
    assert capsys.readouterr().out == ""


def test_more_foes_win_more(tmp_path: Path) -> None:
    """None to five bandits, where they are stated and then around; the variant that is wished for is named."""
    told = run_balance(tmp_path, "--vary", "bandits.count=0..5", "--aim", "70", "--json").json
    assert [one["changed"] for one in told["variants"]] == [{"bandits.count": many} for many in range(6)]
    shares = [one["wins"]["share"] for one in told["variants"]]
    assert shares[0] > shares[3] >= shares[5]
    assert told["nearest"] == min(range(6), key=lambda nth: abs(shares[nth] - 0.7))
    assert [len(one["falls"]) for one in told["variants"]] == [3, 4, 5, 6, 7, 8]


def test_every_combination_is_tried(tmp_path: Path) -> None:
    told = run_balance(tmp_path, "--vary", "bandit.count=1,2", "--vary", "config.brink_target=5,15", "--json").json
    assert [one["changed"] for one in told["variants"]] == [
        {"bandit.count": many, "config.brink_target": target} for many in (1, 2) for target in (5, 15)
    ]


def test_another_party_takes_the_place_of_who_is_on_its_side(tmp_path: Path) -> None:
    party = 'system = "vestige"\n[[combatant]]\n'
    party += 'name = "Brand"\nside = "heroes"\nblock = "leader"\nat = "1,1"\nweapons = ["sword"]\n'
    (tmp_path / "party.toml").write_text(party, "utf-8")
    told = run_balance(tmp_path, "--party", "party.toml", "--json").json
    (tmp_path / "misspelt.toml").write_text(party.replace("system", "sytem"), "utf-8")
    assert "system: must be given as a text" in run_balance(tmp_path, "--party", "misspelt.toml").err
    assert set(told["variants"][0]["falls"]) == {"brand", "captain", "bandit-a", "bandit-b", "bandit-c"}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("bandits", "say WHO.FIELD=VALUES"),
        ("bandits.count=8..1", "the smaller number first"),
        ("bandits.health=3", "several are on the side bandits"),
        ("bandit.count=1..900", "at most 200"),
        (f"bandit.count=1..{10**30}", "at most 200"),
        ("bandt.count=1", "did you mean Bandit?"),
        ("config.brink_tarket=3", "did you mean brink_target?"),
        ("config.brink_target=99", "config.brink_target=99"),
        ("bandit.block=dragon", "bandit.block=dragon"),
    ],
)
def test_what_cannot_be_varied_is_said(tmp_path: Path, said: str, why: str) -> None:
    told = run_balance(tmp_path, "--vary", said)
    assert (told.code, told.out) == (2, "")
    assert why in told.err


def test_what_is_varied_twice_is_said_and_a_value_is_tried_once(tmp_path: Path) -> None:
    told = run_balance(tmp_path, "--vary", "bandit.count=1", "--vary", "bandits.count=2")
    assert (told.code, told.err) == (2, "--vary: bandits.count is varied twice; join its values by commas\n")
    told = run_balance(tmp_path, "--vary", "bandit.count=1,2,1", "--json")
    assert [one["changed"] for one in told.json["variants"]] == [{"bandit.count": 1}, {"bandit.count": 2}]


def test_all_variants_are_of_one_side(tmp_path: Path) -> None:
    """If none of it is left, the text says so; the other side does not replace it."""
    told = run_balance(tmp_path, "--vary", "ilse.count=0..1", "--vary", "tomas.count=0..1")
    why = "bridge.toml with ilse.count=0, tomas.count=0: there is no side heroes; there are bandits"
    assert (told.code, told.out, told.err) == (2, "", f"--side: {why}\n")


def test_a_picture_that_cannot_be_written_is_said_before_anything_is_fought(tmp_path: Path) -> None:
    (tmp_path / "found.svg").write_text("mine", "utf-8")
    told = run_balance(tmp_path, "--svg", "found.svg", "--trials", "10000000", "--within", "0.01")
    assert (told.code, told.out) == (2, "")
    assert "--force" in told.err
    assert (tmp_path / "found.svg").read_text("utf-8") == "mine"


def test_balance_names_unusable_input(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("", "utf-8")
    assert "[[combatant]]" in run_balance(tmp_path, "--party", "empty.toml").err
    assert "heroes" in run_balance(tmp_path, "--side", "heros").err
    assert "nan is no number 0<=x<=100" in run_balance(tmp_path, "--aim", "nan").err
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
    assert "as it is: 2 of 2 fights came to a stalemate: nobody does anything in two rounds on end" in told.out

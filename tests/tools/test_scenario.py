"""``affray scenario``: what holds, how the rest fails, and what cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.program import affray

HEAD = """\
title = "A duel"

[cast]
system = "vestige"
combatant = [
    { name = "Ilse", side = "red", block = "hero", weapons = ["sword"] },
    { name = "Bram", side = "blue", block = "minion", weapons = ["axe"] },
]
distance = [{ between = ["ilse", "bram"], metres = 1 }]

[[scenario]]
title = "Ilse strikes"
proves = ["VES-026"]
given = ["begin : d20=14 d20=9"]

[[scenario.step]]
"""

HOLDS = """\
do = "ilse attack bram"
dice = "d20=9"
then = [
    "ilse actions 2 > 1",
    "stack ilse attack bram",
    "ilse attack d20=9 +2 (accuracy) = 11 vs 11 hit {VES-026}",
    "bram damage +4 (might) = 4",
    "bram health 4 > 0",
    "bram brink 0 > 1",
    "asks bram forfeit: no, yes",
]
"""


def write_scenario(folder: Path, steps: str, name: str = "duel.toml") -> str:
    """Write a scenario file and return its name."""
    (folder / name).write_text(HEAD + steps, "utf-8")
    return name


def test_a_scenario_that_holds(tmp_path: Path) -> None:
    ran = affray(tmp_path, "scenario", write_scenario(tmp_path, HOLDS))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "holds  A duel: Ilse strikes\n1 of 1 scenarios hold\n"


def test_a_machine_is_told_the_same(tmp_path: Path) -> None:
    ran = affray(tmp_path, "scenario", write_scenario(tmp_path, HOLDS), "--json")
    assert ran.json == [
        {
            "file": "duel.toml",
            "title": "A duel: Ilse strikes",
            "holds": True,
            "proves": ["VES-026"],
            "failures": [],
        }
    ]


def test_another_number_is_set_against_what_was_expected(tmp_path: Path) -> None:
    ran = affray(tmp_path, "scenario", write_scenario(tmp_path, HOLDS.replace("health 4 > 0", "health 4 > 1")))
    assert ran.code == 1
    assert "duel.toml, line 17, step 1: ilse attack bram" in ran.out
    assert "- bram health 4 > 1" in ran.out
    assert "+ bram health 4 > 0" in ran.out
    assert ran.out.endswith("0 of 1 scenarios hold\n")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('dice = "d20=9"\n', "", "a d20 is rolled for 1/ilse/attack.1/attack, and no die is left"),
        ("d20=9", "d6=3", "and the next die is a d6"),
        ("d20=9", "d20=9 d20=4", "left over: d20=4"),
        ("d20=9", "nine", "dice are written like d20=14 d6=2+5, not nine"),
        ("{VES-026}", "{VES-026, VES-058}", "hit {VES-023, VES-024, VES-026, VES-T07, VES-T09, VES-T17}"),
        ('    "bram damage +4 (might) = 4",\n', "", "+ bram damage +4 (might) = 4"),
        ("ilse attack bram", "bram attack ilse", "+ refused: not_your_turn VES-008"),
        ("ilse attack bram", "ilse attack odo", "+ unusable: who: there is no odo in this fight"),
    ],
    ids=["no die", "wrong die", "die left over", "no dice at all", "clause", "line", "refused", "unusable"],
)
def test_a_scenario_does_not_hold(tmp_path: Path, before: str, after: str, said: str) -> None:
    ran = affray(tmp_path, "scenario", write_scenario(tmp_path, HOLDS.replace(before, after, 1)))
    assert ran.code == 1
    assert said in ran.out


def test_a_clause_that_no_asserted_line_cites_is_not_proven(tmp_path: Path) -> None:
    loose = 'do = "ilse attack bram"\ndice = "d20=9"\n'
    ran = affray(tmp_path, "scenario", write_scenario(tmp_path, loose))
    assert ran.code == 1
    assert "no asserted line or refusal cites VES-026" in ran.out


def test_what_was_given_must_be_possible(tmp_path: Path) -> None:
    file = tmp_path / write_scenario(tmp_path, HOLDS)
    file.write_text(file.read_text("utf-8").replace('"begin : d20=14 d20=9"', '"bram ready"'), "utf-8")
    ran = affray(tmp_path, "scenario", file.name)
    assert ran.code == 1
    assert "refused: initiative_pending VES-001" in ran.out


def test_what_comes_of_loose_steps_can_be_written_into_the_file(tmp_path: Path) -> None:
    loose = 'do = "ilse attack bram"\ndice = "d20=9"\n\n[[scenario.step]]\ndo = "ilse forfeit"\nrefused = "no"\n'
    name = write_scenario(tmp_path, loose)
    assert affray(tmp_path, "scenario", name, "--write").code == 1
    steps = (tmp_path / name).read_text("utf-8").removeprefix(HEAD)
    assert steps.startswith(HOLDS.replace(" {VES-026}", ""))
    assert steps.endswith('do = "ilse forfeit"\nrefused = "no"\n')


def test_a_folder_stands_for_the_scenario_files_in_it(tmp_path: Path) -> None:
    write_scenario(tmp_path, HOLDS, "one.toml")
    write_scenario(tmp_path, HOLDS, "two.toml")
    (tmp_path / "cast.toml").write_text('system = "vestige"\n', "utf-8")
    assert affray(tmp_path, "scenario", ".").out.endswith("2 of 2 scenarios hold\n")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('title = "A duel"', "title = A duel", "duel.toml"),
        ('do = "ilse', 'does = "ilse', "unknown field does; did you mean do?"),
        ("[cast]", 'cast = "nobody.toml"\n[change.ilse]', "nobody.toml"),
        ("[cast]", 'cast = ""\n[change.ilse]', "duel.toml, line 3, cast: must name an encounter file"),
        ('given = ["begin', 'roster = ["odo"]\ngiven = ["begin', "there is no odo in the cast; there are ilse, bram"),
        ('block = "minion"', 'block = "dragon"', "there is no stat block dragon"),
    ],
    ids=["toml", "field", "cast", "no cast", "roster", "encounter"],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, before: str, after: str, said: str) -> None:
    file = tmp_path / write_scenario(tmp_path, HOLDS)
    file.write_text(file.read_text("utf-8").replace(before, after, 1), "utf-8")
    ran = affray(tmp_path, "scenario", file.name)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_no_file_and_no_scenarios(tmp_path: Path) -> None:
    assert affray(tmp_path, "scenario").code == 2
    assert affray(tmp_path, "scenario", "nowhere.toml").code == 2
    assert "there is no scenario file in this folder" in affray(tmp_path, "scenario", ".").err

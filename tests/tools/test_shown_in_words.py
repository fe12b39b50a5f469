"""Texts at the terminal in the words of people: groups, zones, speeds, undone commands, the dead, and all faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.program import affray

REAL = Path(__file__).parents[2] / "encounters"

BOG = """\
system = "wwn"
name = "The bog"
apart = 20
combatant = [
    { name = "Maren", side = "company", pc = true, class = "warrior", hp = 12, weapons = ["sword_long"] },
    { name = "Bog raider", side = "Bog Gang", block = "raider", count = 2 },
    { name = "Ferry thug", side = "Bog Gang", block = "raider", count = 2, group = "ferry thugs" },
]
"""

FERRY = """\
system = "verdigris"
name = "The ferry"
zone = [{ name = "old hook", exits = ["ferry landing"] }, { name = "ferry landing" }]

[[combatant]]
name = "Brand"
side = "party"
block = "orc"
pc = true
at = "ferry landing"

[[combatant]]
name = "Edda"
side = "party"
block = "bandit"
at = "ferry landing"

[[combatant]]
name = "Goblin"
side = "enemies"
block = "goblin"
at = "old hook"
"""


def test_groups_are_called_by_their_side_or_in_words(tmp_path: Path) -> None:
    (tmp_path / "bog.toml").write_text(BOG, "utf-8")
    affray(tmp_path, "new", "bog.toml")
    affray(tmp_path, "do", "bog.jsonl", "begin")
    shown = affray(tmp_path, "show", "bog.jsonl").out + affray(tmp_path, "log", "bog.jsonl").out
    assert "the Bog Gang (" in shown
    assert "the ferry thugs (" in shown
    assert "bog-gang" not in shown
    assert "ferry-thugs" not in shown


def test_zones_are_shown_in_words_and_typed_in_words(tmp_path: Path) -> None:
    (tmp_path / "ferry.toml").write_text(FERRY, "utf-8")
    assert "at the old hook" in affray(tmp_path, "new", "ferry.toml").out
    told = affray(tmp_path, "play", "ferry.jsonl", said="begin\nbrand move north tower\nbrand move old hook\n")
    assert "move has no use for tower; a name of several words is quoted: 'north tower'" in told.out + told.err
    assert "no use for hook" not in told.out + told.err


@pytest.mark.parametrize("file", ["wwn/ambush", "vestige/bridge", "hexblade/palisade"])
def test_show_has_the_speed_of_each_combatant(tmp_path: Path, file: str) -> None:
    affray(tmp_path, "new", str(REAL / f"{file}.toml"), "-o", "f.jsonl")
    (heading,) = [line for line in affray(tmp_path, "show", "f.jsonl").out.splitlines() if "in hand" in line]
    assert " speed " in heading


def test_an_undo_names_what_it_undoes(tmp_path: Path) -> None:
    (tmp_path / "bog.toml").write_text(BOG, "utf-8")
    affray(tmp_path, "new", "bog.toml")
    affray(tmp_path, "do", "bog.jsonl", "begin")
    affray(tmp_path, "rule", "bog.jsonl", "note", "It rains.", "--reason", "so it is")
    said = "the game master rules: note “It rains.” – “so it is”"
    undone = affray(tmp_path, "undo", "bog.jsonl").out
    assert f"Undone: {said} (one command taken back, to position " in undone
    again = affray(tmp_path, "redo", "bog.jsonl").out
    assert f"Brought back: {said} (what was taken back is brought again, up to position " in again
    assert f"Undone: {said} (" in affray(tmp_path, "log", "bog.jsonl", "--undone").out


def test_nobody_who_is_out_of_the_fight_is_said_to_fall(tmp_path: Path) -> None:
    affray(tmp_path, "new", str(REAL / "vestige" / "bridge.toml"), "-o", "f.jsonl")
    affray(tmp_path, "do", "f.jsonl", "begin")
    affray(tmp_path, "rule", "f.jsonl", "condition", "bandit-a", "dead", "--reason", "a stray arrow")
    said = affray(tmp_path, "odds", "f.jsonl", "--trials", "20").out
    (line,) = [line for line in said.splitlines() if line.strip().startswith("Bandit A ")]
    assert line.split(maxsplit=2)[2] == "out of the fight: dead"
    assert "Captain" in said
    assert "falls in" in said


def test_a_new_fight_with_a_party_names_every_fault(tmp_path: Path) -> None:
    (tmp_path / "yard.toml").write_text(FERRY, "utf-8")
    affray(tmp_path, "party", "new", "heroes.toml", "--from", "yard.toml", "--side", "party")
    wrong = FERRY.replace('"goblin"', '"gobblin"').replace('exits = ["ferry landing"]', 'exits = ["landing"]')
    (tmp_path / "ferry.toml").write_text(wrong, "utf-8")
    ran = affray(tmp_path, "new", "ferry.toml", "--party", "heroes.toml", "-o", "f.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == [
        "ferry.toml, line 3, zone[0].exits[0]",
        "ferry.toml, line 21, combatant[2].block",
    ]
    assert not (tmp_path / "f.jsonl").exists()


@pytest.mark.parametrize(
    ("system", "count", "message"),
    [("wwn", 1, "must name one square"), ("wwn", 2, "must name 2 squares, one for each combatant")],
)
def test_a_combatant_without_a_place_is_told_how_many_places(
    tmp_path: Path, system: str, count: int, message: str
) -> None:
    (tmp_path / "f.toml").write_text(
        f'system = "{system}"\nboard = {{}}\n[[combatant]]\nname = "Ann"\nside = "raiders"\nblock = "raider"\n'
        f"count = {count}\n",
        "utf-8",
    )
    assert message in affray(tmp_path, "new", "f.toml").err

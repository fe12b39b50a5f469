"""Takebacks in an audit: the undone commands, and the declarations in their place."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tools.program import affray

ENCOUNTERS = Path(__file__).parents[2] / "encounters"


def test_what_is_declared_again_as_it_was_is_not_listed_as_another(tmp_path: Path) -> None:
    """Also where something else was declared in between; that is listed as declared in its place."""
    affray(tmp_path, "new", str(ENCOUNTERS / "vestige" / "bridge.toml"), "-o", "bridge.jsonl")
    roll = ("rule", "bridge.jsonl", "roll", "ilse", "1d20", "luck", "--reason", "r")
    undo, note = ("undo", "bridge.jsonl"), ("rule", "bridge.jsonl", "note", "x", "--reason", "r")
    for words in (("do", "bridge.jsonl", "begin"), roll, undo, note, roll):
        assert affray(tmp_path, *words).code == 0
    told = affray(tmp_path, "audit", "bridge.jsonl").out
    assert re.search(r"let Ilse roll .* showed \d+; declared again at \d+\n", told)
    assert "declared otherwise at" not in told
    assert re.search(r"declared otherwise than at \d+, taken back before: The game master rules: note “x”", told)


def test_a_reroll_behind_an_equal_move_and_a_swap_is_listed(tmp_path: Path) -> None:
    """Three commands are taken back; the move is the same again, and the same attack meets a better die."""

    def run(*words: str) -> str:
        ran = affray(tmp_path, words[0], "bridge.jsonl", *words[1:])
        assert (ran.code, ran.err) == (0, ""), words
        return ran.out

    affray(tmp_path, "new", str(ENCOUNTERS / "vestige" / "bridge.toml"), "-o", "bridge.jsonl", "--dice", "entered")
    run("do", "gm", "begin")
    for face in ("18", "10", "6", "5"):
        run("roll", face)
    run("do", "ilse", "move", "5,1")
    run("do", "ilse", "attack", "bandit-b")
    assert "a miss" in run("roll", "2")
    for _ in range(3):
        run("undo", "--who", "Mara")
    run("do", "ilse", "move", "5,1")
    run("do", "ilse", "swap", "unarmed", "pay=ep")
    run("do", "ilse", "swap", "sword", "pay=ep")
    run("do", "ilse", "attack", "bandit-b")
    assert "a hit" in run("roll", "16")
    told = run("audit")
    assert "taken back, 3 times: 3 commands, 1 die" in told
    assert "“Mara” took back 1 command, 1 die, at 20" in told
    assert re.search(r"gm: Dice entered: 2; \S+/attack showed 2; declared otherwise at \d+", told)
    assert re.search(r", with other dice: Ilse attacks .*; \S+/attack showed 2, then \S+/attack showed 16", told)
    assert re.search(r" declared otherwise than at \d+, taken back before: Dice entered: 16\n", told)
    report = affray(tmp_path, "audit", "bridge.jsonl", "--json").json["report"]
    assert [len(one["commands"]) for one in report["takebacks"]] == [1, 1, 1]
    assert report["takebacks"][0]["commands"][0]["rolls"][0]["faces"] == [[2]]
    assert [one["after"][0]["faces"] for one in report["redeclared"] if "again" in one] == [[[16]]]

"""Deciding recorded fights again by the installed program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.program import Ran, affray
from tests.tools.test_amend import say


@pytest.fixture
def struck(log: Path) -> Path:
    """The duel after Ilse has hit Bram for 4, with an ep and a real die, and ended her turn."""
    say(log, "ilse attack bram ep=1", "roll 9", "ilse end_turn")
    return log


def regress(log: Path, *words: str) -> Ran:
    return affray(log.parent, "regress", *words)


def test_under_its_own_rules_a_fight_is_the_same(struck: Path) -> None:
    before = sorted((path.name, path.read_bytes()) for path in struck.parent.iterdir())
    ran = regress(struck, "duel.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "duel.jsonl: is the same\nThe fight is the same.\n"
    assert sorted((path.name, path.read_bytes()) for path in struck.parent.iterdir()) == before


def test_another_end_is_told_with_where_it_parts(struck: Path) -> None:
    affray(struck.parent, "fork", "duel.jsonl", "-o", "early.jsonl", "--at", "24")
    ran = regress(struck, "duel.jsonl", "early.jsonl", "--set", "accuracy_per_ep=0")
    assert (ran.code, ran.err) == (1, "")
    cited = "VES-T17, VES-023, VES-024"
    assert ran.out.splitlines() == [
        "duel.jsonl: ends differently",
        "  parts at position 34",
        f"    recorded  Ilse rolls for attack: 9 (entered) +2 accuracy +1 (1 ep) = 12 against 12 ({cited})",
        f"    decided   Ilse rolls for attack: 9 (entered) +2 accuracy = 11 against 12 ({cited})",
        "  the end, recorded → decided:",
        "    Bram: health 4 → 8",
        "early.jsonl: is the same",
        "Of 2 fights 1 ends differently, 1 is the same.",
    ]


def test_another_way_to_the_same_end_is_told_too(struck: Path) -> None:
    ran = regress(struck, "duel.jsonl", "--set", "initiative_modifier=2")
    assert ran.code == 1
    assert "  parts at position 16\n" in ran.out
    assert ran.out.endswith("The fight goes another way and ends the same.\n")


def test_what_is_no_longer_possible_and_what_nobody_answered_is_named(struck: Path) -> None:
    say(struck, "bram ready", "bram announce move metres=1", "answer decline", "answer stated ilse=2", "ilse end_turn")
    ran = regress(struck, "duel.jsonl", "--set", "readied_kinds=attack", "--set", "readied_max=2")
    assert ran.code == 1
    refused = "refused: move cannot be readied (not_a_standard_action, VES-T26)"
    assert f"Bram answers and moves 1 m – {refused}\n" in ran.out
    stopped = regress(struck, "duel.jsonl", "--set", "reroll_initiative=true")
    assert "stops at a question that was never answered\n" in stopped.out
    assert "  never asked before: Ilse's dice are awaited: 1d20 for initiative; " in stopped.out


def test_machines_get_every_finding(struck: Path) -> None:
    ran = regress(struck, "duel.jsonl", "--set", "accuracy_per_ep=0", "--json")
    assert ran.code == 1
    assert ran.json["verdicts"] == {"differs": 1, "stops": 0, "parts": 0, "same": 0}
    (found,) = ran.json["fights"]
    assert (found["fight"], found["verdict"], found["position"]) == ("duel.jsonl", "differs", 34)
    assert (found["recorded"]["total"], found["decided"]["total"]) == (12, 11)
    assert found["changes"] == [{"about": "pool", "of": "bram", "name": "health", "one": 4, "other": 8}]
    assert (found["dropped"], found["needs"], found["drawn"], found["stand_in"]) == ([], None, [], False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "move_metres=x"), "config.move_metres: cannot be x; it must be a whole number from 1"),
        (("--set", "brink_target=40"), "config.brink_target: cannot be 40; it must be a whole number from 1 to 21"),
        (("--set", "move_metre=3"), "config.move_metre: vestige has no such key; did you mean move_metres?"),
        (("--set", "brink_fail=gone"), "config.brink_fail: cannot be gone; it must be one of dead, unable"),
        (("--set", "provoked_free=maybe"), "config.provoked_free: cannot be maybe; it must be true or false"),
        (("--set", "move_metres"), "--set: say KEY=VALUE, not move_metres"),
        (("--as", "wwn"), "config: wwn has no key accuracy_ep_cap, which the fight was recorded with"),
        (("--as", "vestig"), "there is no rule system vestig"),
        (("gone.jsonl",), "gone.jsonl"),
    ],
)
def test_what_cannot_be_set_is_said_with_what_can(struck: Path, words: tuple[str, ...], said: str) -> None:
    ran = regress(struck, "duel.jsonl", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_several_values_of_one_key_are_joined(struck: Path) -> None:
    assert regress(struck, "duel.jsonl", "--set", "readied_kinds=attack;move").code == 0
    assert regress(struck, "duel.jsonl", "--set", "readied_kinds=").code == 0

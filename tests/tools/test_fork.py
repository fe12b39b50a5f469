"""Forking and comparing by the installed program."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine.stores import FileStore
from affray.events import Forked
from tests.tools.program import affray, rebuild_from_log
from tests.tools.test_amend import say
from tests.tools.test_watching import leave_bridge_fight


@pytest.fixture
def struck(log: Path) -> Path:
    """The duel after Ilse has hit Bram for 4 with a real die and ended her turn."""
    say(log, "ilse attack bram", "roll 15", "ilse end_turn")
    return log


def test_a_fork_is_a_fight_of_its_own_and_says_whose_dice_fall(struck: Path) -> None:
    before = struck.read_bytes()
    ran = affray(struck.parent, "fork", "duel.jsonl", "-o", "if.jsonl", "--at", "24", "--reason", "what if")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "forked if.jsonl from duel.jsonl at position 24",
        "all dice are entered, as there",
        "It is Ilse's turn",
    ]
    assert struck.read_bytes() == before
    fork = rebuild_from_log(struck.parent / "if.jsonl")
    event = fork.history.at(25).event
    assert isinstance(event, Forked)
    assert (event.fight, event.parent, event.position, event.reason) == ("if", "duel", 24, "what if")
    told = affray(struck.parent, "log", "if.jsonl", "--undone").out
    assert "“if”, a what-if of “duel” from position 24 – “what if”" in told
    assert affray(struck.parent, "do", "if.jsonl", "ilse", "end_turn").code == 0


def test_a_fork_of_engine_dice_has_a_secret_of_its_own(tmp_path: Path) -> None:
    leave_bridge_fight(tmp_path)
    ran = affray(tmp_path, "fork", "bridge.jsonl", "-o", "if.jsonl", "--json")
    assert ran.code == 0
    assert (ran.json["dice"], ran.json["parent"]) == ("own", "bridge.jsonl")
    assert (tmp_path / "if.key").stat().st_mode & 0o777 == 0o600
    store = FileStore(tmp_path)
    assert store.seed("if") not in (None, store.seed("bridge"))


def test_a_fork_of_a_closed_fight_goes_on_under_the_seed_that_is_public(tmp_path: Path) -> None:
    leave_bridge_fight(tmp_path)
    assert affray(tmp_path, "close", "bridge.jsonl", "--unfinished").code == 0
    ran = affray(tmp_path, "fork", "bridge.jsonl", "-o", "fights.db#if")
    assert ran.code == 0
    assert "the same declarations meet the same dice" in ran.out
    assert affray(tmp_path, "show", "fights.db#if").code == 0


def test_nothing_before_the_fork_can_be_taken_back_in_it(struck: Path) -> None:
    affray(struck.parent, "fork", "duel.jsonl", "-o", "if.jsonl")
    for words in (("undo", "if.jsonl"), ("amend", "if.jsonl", "25", "--retract", "--reason", "no")):
        ran = affray(struck.parent, *words)
        assert (ran.code, "before_the_fork" in ran.err) == (1, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "duel.jsonl"), "duel.jsonl exists already"),
        (("-o", "if.jsonl", "--at", "3"), "position 3 is in the middle of a command, which ends at 10"),
        (("-o", "if.jsonl", "--at", "0"), "at: must be from 1 to 49"),
        (("-o", "nowhere/if.jsonl"), "No such file or directory"),
        (("-o", "if"), "if is no fight"),
        ((), "Missing option '-o'"),
    ],
)
def test_what_cannot_be_forked(struck: Path, words: tuple[str, ...], said: str) -> None:
    before = sorted(struck.parent.iterdir())
    ran = affray(struck.parent, "fork", "duel.jsonl", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert sorted(struck.parent.iterdir()) == before


def test_a_fight_and_its_fork_are_compared(struck: Path) -> None:
    affray(struck.parent, "fork", "duel.jsonl", "-o", "if.jsonl", "--at", "24")
    say(struck.parent / "if.jsonl", "ilse attack bram", "roll 3", "ilse end_turn")
    ran = affray(struck.parent, "compare", "duel.jsonl", "if.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "duel.jsonl and if.jsonl are one record up to position 24.",
        "They part here:",
        "  duel.jsonl    32  Dice entered: 15",
        "  if.jsonl      33  Dice entered: 3",
        "The ends differ, duel.jsonl → if.jsonl:",
        "  Bram: health 4 → 8",
    ]
    found = affray(struck.parent, "compare", "duel.jsonl", "if.jsonl", "--json").json
    assert (found["common"], found["same"], found["order"]) == (24, False, 0)
    assert (found["one"]["parts"]["position"], found["other"]["parts"]["position"]) == (32, 33)
    assert found["changes"] == [{"about": "pool", "of": "bram", "name": "health", "one": 4, "other": 8}]


def test_one_that_goes_further_and_one_that_is_the_same(struck: Path) -> None:
    affray(struck.parent, "fork", "duel.jsonl", "-o", "if.jsonl")
    same = affray(struck.parent, "compare", "if.jsonl", "duel.jsonl")
    assert same.out.splitlines()[-1] == "Both went the same way throughout."
    say(struck.parent / "if.jsonl", "bram end_turn")
    further = affray(struck.parent, "compare", "if.jsonl", "duel.jsonl")
    assert "  duel.jsonl        goes no further\n" in further.out


def test_a_lane_that_was_replaced_is_compared_with_what_counts(struck: Path) -> None:
    affray(struck.parent, "amend", "duel.jsonl", "32", "4", "--reason", "misread", "--accept")
    ran = affray(struck.parent, "compare", "duel.jsonl", "--lane", "49")
    assert ran.code == 0
    assert "  duel.jsonl        51  Dice entered: 4\n  the lane to 49    32  Dice entered: 15\n" in ran.out
    assert "  Bram: health 8 → 4\n" in ran.out


def test_strangers_and_missing_positions_are_not_compared(struck: Path) -> None:
    leave_bridge_fight(struck.parent)
    for words, said in (
        (("bridge.jsonl",), "these two have no beginning in common"),
        (("--lane", "99"), "--lane: must be from 1 to 49"),
        (("--lane", "0"), "--lane: must be from 1 to 49"),
        ((), "say OTHER, the fight to compare with, or --lane N"),
        (("gone.jsonl",), "gone.jsonl"),
    ):
        ran = affray(struck.parent, "compare", "duel.jsonl", *words)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err

"""``affray audit --roll``: how the dice of one roll follow from its name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest

from tests.tools.program import affray, duel
from tests.tools.test_audit import OPEN, change_log_line, closed, find_line_position

__all__ = ["closed"]


def test_each_die_of_a_roll_follows_from_its_name(closed: Path) -> None:
    """``--roll`` shows the word and the arithmetic of every die."""
    position = find_line_position(closed, '"purpose":"attack"')
    event = msgspec.json.decode(closed.read_bytes().splitlines()[position - 1])["event"]
    ran = affray(closed.parent, "audit", "bridge.jsonl", "--roll", str(position), "--json")
    assert ran.code == 0
    (die,) = ran.json["dice"]
    assert die["word"] % 20 + 1 == die["face"] == die["recorded"] == event["dice"][0]["faces"][0]
    told = affray(closed.parent, "audit", "bridge.jsonl", "--roll", str(position)).out
    assert ran.json["words"] == ["the river is high", "seven crows on the rail"]
    assert told.splitlines() == [
        f"attack d20: word 0 of {die['block']} is {die['word']}, modulo 20 + 1 = {die['face']}",
        f"under the promise {ran.json['promise']} that line {ran.json['made']} makes",
        *(f"with the words “{words}”" for words in ran.json["words"]),
    ]


def test_a_die_that_does_not_follow_from_its_name_is_a_fault_of_one_roll_too(closed: Path) -> None:
    """The exit code of ``--roll`` says it, as that of the whole audit does."""
    position = find_line_position(closed, '"purpose":"attack"')
    face = re.search(r'"faces":\[(\d+)\]', closed.read_text("utf-8").splitlines()[position - 1])
    assert face
    change_log_line(closed, position, face[0], f'"faces":[{int(face[1]) % 20 + 1}]', forged=True)
    ran = affray(closed.parent, "audit", "bridge.jsonl", "--roll", str(position))
    assert ran.code == 1
    assert " is recorded\n" in ran.out


@pytest.mark.parametrize("option", ["--checkpoint", "--signer", "--parent"])
def test_what_one_roll_says_nothing_about_is_refused_beside_it(closed: Path, option: str) -> None:
    """Nobody takes a checkpoint for compared that was not read."""
    ran = affray(closed.parent, "audit", "bridge.jsonl", "--roll", "9", option, "kept.txt")
    assert (ran.code, ran.out) == (2, "")
    assert "judges nothing else" in ran.err


@pytest.mark.parametrize(
    ("roll", "says"),
    [
        ("2", "--roll: position 2 is no roll but PhaseEntered"),
        ("0", "--roll: must be from 1 to "),
        ("99999", "--roll: must be from 1 to "),
    ],
)
def test_what_is_no_roll_is_refused(closed: Path, roll: str, says: str) -> None:
    """With what stands there instead."""
    ran = affray(closed.parent, "audit", "bridge.jsonl", "--roll", roll)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(says)


def test_dice_that_cannot_be_derived_say_why(tmp_path: Path) -> None:
    """Those still secret, and those that people threw."""
    shutil.copy(OPEN, tmp_path)
    roll = str(find_line_position(OPEN, '"Rolled"'))
    secret = affray(tmp_path, "audit", OPEN.name, "--roll", roll)
    assert secret.code == 2
    assert "the seed of these dice is still secret; closing the fight reveals it" in secret.err
    log = duel(tmp_path)
    entered = affray(tmp_path, "audit", "duel.jsonl", "--roll", str(find_line_position(log, '"Rolled"')))
    assert entered.code == 2
    assert "were entered, and follow from nothing" in entered.err

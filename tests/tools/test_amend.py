"""Amending by the installed program: what it shows before, what it records, and how it asks."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from affray.engine import digest
from affray.engine.commands import Command
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.engine.stores import FileStore
from affray.events import Amended, Previewed, ShownDice
from affray.tools.parse import intent_parser
from tests.engine.conftest import two
from tests.tools.program import AFFRAY, THEN, Ran, affray, rebuild_from_log, surroundings

ATTACK, ROLL = "25", "33"
"""Where the duel's log has Ilse's attack, and a line of the command that entered its die."""


@pytest.fixture
def struck(log: Path) -> Path:
    """The duel after Ilse has hit Bram for 4 with a real die and ended her turn."""
    say(log, "ilse attack bram", "roll 15", "ilse end_turn")
    return log


def say(log: Path, *lines: str) -> Fight:
    """Let people say something, line by line."""
    fight = rebuild_from_log(log)
    for line in lines:
        fight.submit(Command(id=f"at{fight.head}", who="gm", intent=intent_parser.intent(fight, line)))
    return fight


def run_amend(log: Path, *words: str, reason: str = "misread") -> Ran:
    return affray(log.parent, "amend", log.name, *words, "--reason", reason)


def on_a_terminal(log: Path, typed: str, *words: str) -> Ran:
    """Run the program with standard input from a terminal with typed keys."""
    ours, theirs = os.openpty()
    os.write(ours, typed.encode())
    done = subprocess.run(
        [AFFRAY, "amend", log.name, *words, "--reason", "misread"],
        cwd=log.parent,
        stdin=theirs,
        capture_output=True,
        text=True,
        timeout=60,
        env=surroundings(),
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    return Ran(done.returncode, done.stdout, done.stderr)


def test_a_misread_die_is_shown_before_it_is_corrected(struck: Path) -> None:
    before = struck.read_bytes()
    ran = run_amend(struck, ROLL, "9")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Position 32 was: Dice entered: 15",
        "Corrected:",
        "    Ilse attacks Bram: 9 (entered) +2 accuracy = 11 against 12, a miss by 1",
        "Everything that was done later goes as it did.",
        "The end, before → after:",
        "  Bram: health 4 → 8",
        "nothing is recorded yet; the same with --accept records it",
    ]
    assert struck.read_bytes() == before


def test_accepted_it_is_one_lane_and_what_it_replaced_stays(struck: Path) -> None:
    before = struck.read_bytes()
    ran = run_amend(struck, ROLL, "9", "--accept")
    assert (ran.code, ran.err) == (0, "")
    assert "Position 32 is corrected, and what followed decided again – “misread”" in ran.out
    assert struck.read_bytes().startswith(before)
    fight = rebuild_from_log(struck)
    assert fight.state.combatants["bram"].pools["health"] == 8
    told = affray(struck.parent, "log", struck.name, "--undone").out
    assert "    undone: Bram takes 4: 4 might. Health 8 → 4" in told
    replayed = affray(struck.parent, "replay", struck.name, "--undone").out
    assert "    undone: Bram takes 4: 4 might. Health 8 → 4" in replayed
    assert "  Ilse attacks Bram: 9 (entered) +2 accuracy = 11 against 12, a miss by 1" in replayed
    assert "Bram takes 4" not in affray(struck.parent, "replay", struck.name).out


def test_a_retracted_blow_is_gone_and_so_is_its_die(struck: Path) -> None:
    ran = run_amend(struck, ATTACK, "--retract")
    assert "Retracted: nothing takes its place.\n" in ran.out
    assert "No longer asked for, or no longer reached:\n     32  Dice entered: 15\n" in ran.out
    assert "\n  Bram: health 4 → 8\n" in ran.out


def test_what_becomes_impossible_is_named_with_its_clause(log: Path) -> None:
    say(log, "ilse attack bram", "roll 15", "ilse swap unarmed pay=action")
    ran = run_amend(log, ATTACK, "ilse", "end_turn")
    assert ran.code == 0
    assert "No longer possible:\n     39  Ilse changes to bare hands, for an action\n" in ran.out
    assert "         refused: " in ran.out
    assert "VES-" in ran.out
    assert "goes as it did" not in ran.out


def test_a_forgotten_modifier_is_put_before(struck: Path) -> None:
    ran = run_amend(struck, ATTACK, "--before", "rule modify ilse by=-4 label=mud", reason="it was muddy")
    assert "    The game master rules: add −4 (“mud”) to Ilse's next roll – “it was muddy”\n" in ran.out
    assert "15 (entered) +2 accuracy −4 “mud” = 13 against 12, a hit by 1" in affray(
        struck.parent, "amend", struck.name, ATTACK, "--before", "rule modify ilse by=-4 label=mud",
        "--reason", "it was muddy", "--accept",
    ).out  # fmt: skip


def test_a_ruling_keeps_its_reason_unless_another_is_said(struck: Path) -> None:
    fight = say(struck, "rule pool ilse health by=-3")
    at = str(fight.head)
    kept = run_amend(struck, at, "pool", "ilse", "health", "by=-1")
    assert "    The game master rules: change Ilse's health by −1 – “ruled” [Ilse health 10 → 9]" in kept.out
    other = run_amend(struck, at, "pool", "ilse", "health", "by=-1", "--ruling-reason", "a scratch")
    assert "by −1 – “a scratch”" in other.out


def test_what_must_be_answered_is_asked_and_answered(struck: Path) -> None:
    before = struck.read_bytes()
    ran = run_amend(struck, ROLL, "--retract")
    assert ran.code == 1
    assert ran.out.splitlines()[2:] == [
        "Needs an answer: Ilse's dice are awaited: 1d20 for attack",
        "one later input waits for that. Amend again, and answer with:",
        "  --answer 'FACES'",
    ]
    assert run_amend(struck, ROLL, "--retract", "--accept").code == 1
    assert struck.read_bytes() == before
    answered = run_amend(struck, ROLL, "--retract", "--answer", "3", "--accept")
    assert answered.code == 0
    assert rebuild_from_log(struck).state.combatants["bram"].pools["health"] == 8


def test_machines_get_the_preview_and_the_record_as_objects(struck: Path) -> None:
    seen = run_amend(struck, ROLL, "9", "--json").json
    assert (seen["preview"], seen["position"], seen["to"], seen["retracted"]) == (True, 32, 31, False)
    assert seen["changes"] == [{"about": "pool", "of": "bram", "name": "health", "one": 4, "other": 8}]
    assert (seen["dropped"], seen["needs"], seen["drawn"], seen["parting"]) == ([], None, [], None)
    done = run_amend(struck, ROLL, "9", "--json", "--accept").json
    assert done["events"][0]["event"]["type"] == "Amended"
    assert done["waiting"] == {"for": "action", "of": ["bram"]}


def test_a_repeated_id_returns_the_first_result(struck: Path) -> None:
    words = (ROLL, "9", "--accept", "--id", "once", "--json")
    first, second = run_amend(struck, *words).json, run_amend(struck, *words).json
    assert (first["repeated"], second["repeated"]) == (False, True)
    assert second["events"] == first["events"]
    other = run_amend(struck, ROLL, "10", "--accept", "--id", "once")
    assert (other.code, "reused" in other.err) == (1, True)


def test_a_head_that_moved_on_refuses_it(struck: Path) -> None:
    before = struck.read_bytes()
    for words in ((ROLL, "9", "--expect", "3"), (ROLL, "9", "--expect", "3", "--accept")):
        ran = run_amend(struck, *words)
        assert (ran.code, "out_of_date" in ran.err) == (1, True)
    assert struck.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("1", "--retract"), 1, "position 1 belongs to FightOpened, which nobody declared or ruled"),
        (("999", "--retract"), 2, "position: must be from 1 to 49"),
        ((ATTACK,), 2, "say what should have been, or --retract, or --before WORDS"),
        ((ATTACK, "ilse", "wait", "--retract"), 2, "say what should have been, or --retract, or --before WORDS"),
        ((ATTACK, "ilse", "attack", "tom"), 2, "there is no tom in this fight"),
        ((ATTACK, "bram", "attack", "ilse"), 1, "VES-"),
        ((ROLL, "21"), 2, "a d20 cannot show 21"),
        ((ATTACK, "--retract", "--answer", "yes"), 2, "answer"),
    ],
)
def test_what_cannot_be_is_refused(struck: Path, words: tuple[str, ...], code: int, said: str) -> None:
    before = struck.read_bytes()
    ran = run_amend(struck, *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert struck.read_bytes() == before


def test_on_a_terminal_it_asks_and_no_changes_nothing(struck: Path) -> None:
    before = struck.read_bytes()
    ran = on_a_terminal(struck, "n\n", ROLL, "9")
    assert ran.code == 0
    assert ran.out.endswith("accept? [y/N]: nothing was changed\n")
    assert struck.read_bytes() == before


def test_on_a_terminal_yes_records_it_and_answers_are_asked_for(struck: Path) -> None:
    ran = on_a_terminal(struck, "2\ny\n", ROLL, "--retract")
    assert ran.code == 0
    assert "answer: " in ran.out
    assert rebuild_from_log(struck).state.combatants["bram"].pools["health"] == 8


def test_a_look_that_shows_unseen_dice_is_put_on_record_once(tmp_path: Path) -> None:
    """Ilse ended her turn without a blow; the viewer of the preview knows the dice of that blow."""
    log = tmp_path / "duel.jsonl"
    begin_fight("duel", two(), who="gm", seed=bytes(32), store=FileStore(tmp_path), clock=lambda: THEN)
    up = say(log, "begin").state.acting[0]
    foe = "brand" if up == "ilse" else "ilse"
    fight = say(log, f"{up} end_turn")
    at = next(
        one.position for one in fight.history.recorded if one.event == intent_parser.intent(fight, f"{up} end_turn")
    )
    before, state = fight.head, digest(fight.state)
    ran = run_amend(log, str(at), up, "attack", foe)
    assert ran.code == 0
    roll = f"1/{up}/attack.1/attack"
    assert f"Dice that were not rolled before: {roll}\n" in ran.out
    run_amend(log, str(at), up, "attack", foe)
    fight = rebuild_from_log(log)
    assert [one.event for one in fight.history.recorded[before:]] == [
        Previewed(position=at, rolls=(roll,), dice=(ShownDice(roll=roll, count=1, sides=20, kind="attack"),))
    ]
    assert digest(fight.state) == state
    assert run_amend(log, str(at), up, "attack", foe, "--accept").code == 0
    assert isinstance(rebuild_from_log(log).history.at(before + 2).event, Amended)


def test_the_audit_lists_the_dice_that_an_amendment_took_back(struck: Path) -> None:
    """They are listed as those that an undo took back are."""
    assert run_amend(struck, ATTACK, "--retract", "--accept").code == 0
    told = affray(struck.parent, "audit", struck.name).out
    assert f" by amending {ATTACK}" in told
    assert "Ilse attacks Bram" in told
    assert "1/ilse/attack.1/attack showed 15" in told

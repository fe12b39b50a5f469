"""The forecast of the winner, by the installed program."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray.engine.analysis.odds import WorkersLost
from affray.engine.analysis.odds.workers import fight_batch
from affray.tools.cli.main import main, run
from affray.tools.lab import trials
from tests.tools.program import affray

REPLAYS = Path(__file__).parents[2] / "replays"
BRIDGE = "first-blow.jsonl"
FOUGHT = REPLAYS / "vestige" / "nested-interrupts.jsonl"


def at_the_bridge(tmp_path: Path, *more: str) -> Path:
    """Return a folder with a copy of a recorded fight."""
    for name in (BRIDGE, *more):
        shutil.copy(REPLAYS / "vestige" / name, tmp_path)
    return tmp_path


def test_a_fight_is_foreseen(tmp_path: Path) -> None:
    """The winner, the length, the fallen, and the remaining pools."""
    told = affray(at_the_bridge(tmp_path), "odds", BRIDGE, "--at", "73", "--trials", "64", "--within", "20")
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert lines[0] == "64 fights from position 73, round 1; fighters are sensible"
    assert [line.split()[0] for line in lines if " wins in " in line] == ["watch", "smugglers"]
    assert [line.split("falls")[0].strip() for line in lines if " falls in " in line][:2] == ["Odo", "Maren"]
    assert [line for line in lines if line.strip().startswith("left: health")]
    assert [line for line in lines if line.strip().startswith("then: ")]
    assert max(map(len, lines)) <= 100
    assert lines[-1].startswith("Intervals hold the true chance in 95 of 100 cases (Wilson).")


def test_nothing_is_written_and_no_seed_is_read(tmp_path: Path) -> None:
    """With the key beside the log and without it the same is foreseen."""
    folder = at_the_bridge(tmp_path, "first-blow.key")
    before = (folder / BRIDGE).read_bytes()
    asked = ("odds", BRIDGE, "--at", "300", "--trials", "32", "--json")
    with_key = affray(folder, *asked)
    (folder / "first-blow.key").unlink()
    assert affray(folder, *asked).out == with_key.out
    assert (folder / BRIDGE).read_bytes() == before
    assert sorted(one.name for one in folder.iterdir()) == [BRIDGE]


def test_machines_get_numbers(tmp_path: Path) -> None:
    told = affray(at_the_bridge(tmp_path), "odds", BRIDGE, "--at", "60", "--trials", "64", "--json")
    found = msgspec.json.decode(told.out)
    assert found["trials"] == 64
    wins = found["wins"]
    assert sum(one["count"] for one in wins.values()) + found["unended"]["count"] == 64
    assert all(one["low"] <= one["share"] <= one["high"] for one in wins.values())
    assert set(found["pools"]) == set(found["falls"])
    assert all(one["now"] == 0 < one["share"]["count"] <= 64 for one in found["conditions"]["cutter-b"].values())


def test_why_less_is_known_than_was_wanted_is_said(tmp_path: Path) -> None:
    """The trials that there may be at most are fought; with as many as are needed nothing is said."""
    asked = ("odds", BRIDGE, "--at", "60", "--trials", "64")
    few, enough = affray(at_the_bridge(tmp_path), *asked), affray(tmp_path, *asked, "--within", "20")
    assert "That is as many fights as --trials allows (64): chances are known to " in few.out
    assert " points on either side, not to 3 (--within).\n" in few.out
    assert "--trials" not in enough.out


def test_two_processes_say_the_same(tmp_path: Path) -> None:
    folder, asked = at_the_bridge(tmp_path), ("odds", BRIDGE, "--at", "60", "--trials", "64", "--json")
    alone, together = affray(folder, *asked), affray(folder, *asked, "--jobs", "2", PYTHONHASHSEED="1")
    assert (alone.code, together.code) == (0, 0)
    assert alone.out == together.out


def test_declarations_are_compared(tmp_path: Path) -> None:
    """The best comes first, the others with by how much they are worse."""
    folder = tmp_path
    shutil.copytree(REPLAYS.parent / "encounters", folder / "encounters")
    assert affray(folder, "new", "encounters/vestige/bridge.toml", "-o", "b.jsonl").code == 0
    assert affray(folder, "do", "b.jsonl", "begin").code == 0
    actor = affray(folder, "show", "b.jsonl", "--json").json["waiting"]["of"][0]
    told = affray(folder, "odds", "b.jsonl", "--if", f"{actor} end_turn", "--if", f"{actor} ready", "--trials", "64")
    assert (told.code, told.err) == (0, "")
    first = told.out.splitlines()[0]
    assert re.fullmatch(
        r"64 fights for each from position \d+, round 1, with the same dice; the chance of the \w+ to win", first
    )
    rows = [line for line in told.out.splitlines() if line.startswith(f"  {actor}")]
    assert len(rows) == 2
    assert "points" in rows[1]
    assert "Common dice take" in told.out


def test_to_interrupt_is_compared_with_letting_it_pass(tmp_path: Path) -> None:
    """With an open window, and with a question; the recipient is then unambiguous."""
    folder = at_the_bridge(tmp_path)
    few = ("--trials", "32", "--json")
    window = affray(
        folder, "odds", BRIDGE, "--at", "179", "--if", "nell announce attack cutter-a", "--if", "pass nell", *few
    ).json
    assert [one["if"] for one in window["ifs"]] == ["nell announce attack cutter-a", "pass nell"]
    assert (window["position"], window["side"]) == (179, "watch")
    question = affray(folder, "odds", BRIDGE, "--at", "95", "--if", "answer yes", "--if", "answer no", *few).json
    assert (question["side"], question["best"]) == ("smugglers", "answer no")
    for words, wrong in (
        ("rule note text=x", "a declaration, an answer or a pass"),
        ('nell attack "x', "a quote is not closed"),
    ):
        told = affray(folder, "odds", BRIDGE, "--at", "179", "--if", words)
        assert (told.code, wrong in told.err, "Traceback" in told.err) == (2, True, False)
    both = affray(folder, "odds", BRIDGE, "--at", "179", "--if", "pass nell", "--if", "vesna end_turn")
    assert "what one side may do" in both.err


def test_where_trials_begin_instead_is_said(tmp_path: Path) -> None:
    """In the opening, and in a record of older rules; of a fight that is over, how it ended."""
    folder = at_the_bridge(tmp_path, "nested-interrupts.jsonl")
    few = ("--trials", "16")
    opening = affray(folder, "odds", BRIDGE, "--at", "2", *few).out.splitlines()
    assert opening[0] == "Position 2 is in the opening, which ends at 49."
    older = affray(folder, "odds", "nested-interrupts.jsonl", "--at", "81", *few).out.splitlines()
    assert older[0] == "The present rules decide otherwise what came after position 74, so trials begin there."
    assert older[1].startswith("16 fights from position 74, round 1")
    assert affray(folder, "odds", BRIDGE).out == "The fight is over, won by the smugglers\n"


def test_what_cannot_be_declared_is_refused(tmp_path: Path) -> None:
    folder = at_the_bridge(tmp_path)
    refused = affray(folder, "odds", BRIDGE, "--at", "73", "--if", "odo attack vesna")
    assert refused.code == 1
    assert "Traceback" not in refused.err
    occupied = ("odds", BRIDGE, "--at", "179", "--if", "pass nell", "--if", "nell announce attack odo")
    here, elsewhere = affray(folder, *occupied), affray(folder, *occupied, "--jobs", "2")
    assert (here.code, here.err) == (elsewhere.code, elsewhere.err)
    assert here.err.startswith("refused: ")
    assert affray(folder, "odds", BRIDGE, "--at", "73", "--if", "nell dance").code == 1
    middle = affray(folder, "odds", BRIDGE, "--at", "75", "--if", "nell end_turn")
    assert (middle.code, "in the middle of a command" in middle.err) == (2, True)


def test_what_there_is_not_is_said(tmp_path: Path) -> None:
    folder = at_the_bridge(tmp_path)
    beyond = affray(folder, "odds", BRIDGE, "--at", "99999").err
    assert beyond == "at: position 99999 is no event that counts in this record, which has 1 to 1848\n"
    assert "--jobs" in affray(folder, "odds", BRIDGE, "--jobs", "0").err
    assert "at most 256 processes" in affray(folder, "odds", BRIDGE, "--jobs", "100000").err
    assert "nan is no number 0.01<=x<=50" in affray(folder, "odds", BRIDGE, "--within", "nan").err
    gone = affray(folder, "odds", BRIDGE, "--at", "60", "--cluster", "tcp://127.0.0.1:1")
    assert (gone.code, "nobody answers at tcp://127.0.0.1:1" in gone.err) == (2, True)


@pytest.mark.parametrize("asked", ["odds", "luck", "balance"])
@pytest.mark.parametrize("where", [("--jobs", "2"), ("--cluster", "tcp://there:1")], ids=["processes", "cluster"])
def test_workers_that_are_lost_are_said(asked: str, where: tuple[str, str], monkeypatch: Any, capsys: Any) -> None:
    """In the middle of it: with what became of them, and where that was said."""

    def dying(batches: Any) -> Generator[Any]:
        yield fight_batch(*next(iter(batches)))
        raise WorkersLost("they are gone")

    monkeypatch.setattr(trials, "open_workers", lambda *_: nullcontext(dying))
    subject = REPLAYS.parent / "encounters" / "vestige" / "bridge.toml" if asked == "balance" else FOUGHT
    at = ("--at", "55") if asked == "odds" else ()
    assert run(main, [asked, str(subject), *where, *at]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    said = "they are gone" if where[0] == "--jobs" else "the cluster at tcp://there:1 cannot fight: they are gone"
    assert told.err == f"{where[0]}: {said}\n"

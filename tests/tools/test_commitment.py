"""The commands ``stir`` and ``close``, by the installed program; the seed is secret until its reveal."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from affray.engine import FileStore, Stir
from affray.engine.integrity.commitment import find_promise
from affray.events import Closed, EntropyAdded, Recorded
from tests.engine.closed import go_on, load_first_encounter, open_system_fight, shows, submit_to_closed
from tests.rulesets.systems import PRESENT
from tests.tools.program import ENCOUNTER, Ran, affray, rebuild_from_log

SECRET = bytes.fromhex("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
"""A seed that looks like one: no part of it stands anywhere by chance."""


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """The log of a duel with the engine's dice before its beginning."""
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    assert affray(tmp_path, "new", "duel.toml", "--json").code == 0
    return tmp_path / "duel.jsonl"


def run_on_log(log: Path, command: str, *words: str) -> Ran:
    return affray(log.parent, command, log.name, *words)


def test_words_are_stirred_in_and_told(fresh: Path) -> None:
    ran = run_on_log(fresh, "stir", "it", "rains", "-2", "--who", "Ada")
    assert (ran.code, ran.err) == (0, "")
    assert "stirred into the dice: “it rains -2”" in ran.out.lower()
    last = rebuild_from_log(fresh).history.recorded[-1]
    assert (last.who, last.event) == ("Ada", EntropyAdded(words="it rains -2"))


def test_words_come_before_the_first_die(fresh: Path) -> None:
    assert run_on_log(fresh, "do", "begin", "--json").code == 0
    before = fresh.read_bytes()
    ran = run_on_log(fresh, "stir", "too late")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "refused: words are stirred in before the first die falls, and one fell at position 14 (dice_have_fallen)\n"
    )
    assert run_on_log(fresh, "stir", "too late", "--json").json["error"]["source"] == "14"
    assert fresh.read_bytes() == before


def test_no_words_are_no_words(fresh: Path) -> None:
    ran = run_on_log(fresh, "stir")
    assert ran == (2, "", "words: must have 1 to 200 printable characters\n")


def test_real_dice_take_no_words(log: Path) -> None:
    ran = run_on_log(log, "stir", "salt")
    said = "refused: this fight has no dice of the engine's; all dice are entered (no_seed)\n"
    assert ran == (1, "", said)


def test_a_fight_is_closed_and_its_seed_revealed(fresh: Path) -> None:
    seed = fresh.with_suffix(".key").read_text("ascii").strip()
    refused = run_on_log(fresh, "close")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("refused: the fight is not over, and nothing follows a closed record; say that ")
    ran = run_on_log(fresh, "close", "--unfinished", "--reason", "good night")
    assert (ran.code, ran.err) == (0, "")
    assert f"the record is closed; the dice seed was {seed} – “good night”" in ran.out.lower()
    fight = rebuild_from_log(fresh)
    assert fight.history.recorded[-1].event == Closed(seed=seed, reason="good night")
    assert find_promise(fight.history.recorded).is_kept_by(bytes.fromhex(seed))


def test_a_fight_with_real_dice_is_closed_without_a_seed(log: Path) -> None:
    reply = run_on_log(log, "close", "--unfinished", "--json").json
    assert [one["event"] for one in reply["events"]] == [{"type": "Closed"}]


def test_after_the_end_every_command_that_writes_is_refused(fresh: Path) -> None:
    assert run_on_log(fresh, "do", "begin", "--json").code == 0
    assert run_on_log(fresh, "close", "--unfinished", "--json").code == 0
    before, head = fresh.read_bytes(), rebuild_from_log(fresh).head
    refused = f"refused: the record ended at position {head}; a fork of it can go on (closed)\n"
    for command, *words in (
        ("do", "bram", "attack", "ilse"),
        ("rule", "note", "rain", "--reason", "mood"),
        ("stand", "ilse", "never"),
        ("undo",),
        ("undo", "--to", "2"),
        ("redo",),
        ("stir", "salt"),
        ("close", "--unfinished"),
    ):
        assert run_on_log(fresh, command, *words) == (1, "", refused), command
    assert fresh.read_bytes() == before
    for command in ("show", "legal", "log", "replay"):
        assert run_on_log(fresh, command).code == 0


def test_a_database_closes_too(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    opening = affray(tmp_path, "new", "duel.toml", "-o", "all.db#duel", "--json").json["events"]
    (closed,) = affray(tmp_path, "close", "all.db#duel", "--unfinished", "--json").json["events"]
    promise = find_promise(msgspec.convert(opening, list[Recorded]))
    assert promise.is_kept_by(bytes.fromhex(closed["event"]["seed"]))


# --- the secret ---


USES = (
    ("show", "--json"),
    ("log", "--undone", "--verbose"),
    ("undo", "--fresh-dice", "--json"),
    ("do", "nobody", "attack"),
    ("stir", "salt"),
    ("close", "--unfinished", "--expect", "1", "--json"),
)
"""What is tried in a fight of every system; the last three are refused."""

MORE_USES = (
    ("show",),
    ("legal", "--json"),
    ("log", "--undone", "--json"),
    ("replay", "--json"),
    ("explain", "20", "--json"),
    ("stats",),
    ("redo", "--json"),
    ("roll", "99", "--json"),
    ("rule", "dice", "*", "nonsense", "--reason", "why not"),
    ("close",),
)
"""What is tried in one of them besides."""


@pytest.mark.parametrize("system", PRESENT)
def test_the_seed_is_nowhere_before_the_end(tmp_path: Path, system: str) -> None:
    """Not in the log, in what is printed, in an error or in what the stores report: the fight at work, and misused."""
    log = tmp_path / "fight.jsonl"
    go_on(open_system_fight(system, "fight", FileStore(tmp_path), SECRET), 20)
    said = [run_on_log(log, *words) for words in (*USES, *(MORE_USES if system == "vestige" else ()))]
    assert [one.code for one in said[:6]] == [0, 0, 0, 2, 1, 1]
    assert shows("\n".join(one.out + one.err for one in said), SECRET) == []
    assert shows(log.read_bytes(), SECRET) == []
    assert shows(run_on_log(log, "close", "--unfinished").out, SECRET)


WRONG_KEYS = {
    "another's": SECRET[::-1].hex().encode(),
    "half": SECRET.hex().encode()[:31],
    "longer": SECRET.hex().encode() * 2,
    "garbled": SECRET.hex().encode() + b" or so",
    "base64": b"n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
    "raw": SECRET,
    "empty": b"",
}


@pytest.mark.parametrize(("key", "command"), [*((key, "close") for key in WRONG_KEYS), ("raw", "show")])
def test_a_key_that_cannot_be_used_is_not_shown(tmp_path: Path, key: str, command: str) -> None:
    """Nor its neighbour that was mistaken for it."""
    open_system_fight("vestige", "fight", FileStore(tmp_path), SECRET)
    log = tmp_path / "fight.jsonl"
    log.with_suffix(".key").write_bytes(WRONG_KEYS[key])
    before = log.read_bytes()
    ran = affray(tmp_path, command, log.name, AFFRAY_LOG="debug")
    said = ran.out + ran.err
    assert ran.code == 2
    assert (shows(said, SECRET), shows(said, SECRET[::-1])) == ([], [])
    assert log.read_bytes() == before


def test_a_torn_tail_is_reported_without_the_seed(tmp_path: Path) -> None:
    fight = open_system_fight("vestige", "fight", FileStore(tmp_path), SECRET)
    log = tmp_path / "fight.jsonl"
    submit_to_closed(fight, Stir(words="salt"))
    log.write_bytes(log.read_bytes()[:-9])
    ran = affray(tmp_path, "show", log.name, AFFRAY_LOG="debug")
    assert "left torn tail" in ran.err
    assert shows(ran.out + ran.err, SECRET) == []


def test_opening_a_fight_shows_no_seed(tmp_path: Path) -> None:
    ran = affray(
        tmp_path, "new", str(load_first_encounter("vestige")), "-o", "fight.jsonl", "--json", AFFRAY_LOG="debug"
    )
    seed = bytes.fromhex((tmp_path / "fight.key").read_text("ascii"))
    again = affray(tmp_path, "new", str(load_first_encounter("vestige")), "-o", "fight.jsonl", AFFRAY_LOG="debug")
    assert (ran.code, again.code) == (0, 2)
    assert shows(ran.out + ran.err + again.out + again.err, seed) == []

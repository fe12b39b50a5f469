"""What can go wrong: one or two clear lines, the right exit code, and nothing lost. By the installed program."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from affray.events import chained, read_line
from tests.tools.program import ENCOUNTER, THEN, affray, reopened, started


def opening(folder: Path, old: str, new: str) -> tuple[int, str]:
    """Try to open the duel's encounter with one thing changed; return the exit code and the complaint."""
    assert ENCOUNTER.count(old) >= 1
    (folder / "bad.toml").write_text(ENCOUNTER.replace(old, new, 1), "utf-8")
    ran = affray(folder, "new", "bad.toml")
    assert ran.out == ""
    assert not list(folder.glob("bad.jsonl")), "a fight was opened all the same"
    assert not list(folder.glob("bad.key")), "a seed was left behind"
    return ran.code, ran.err


# --- encounter files ---


def test_an_encounter_file_with_a_typo_in_a_field(tmp_path: Path) -> None:
    told = opening(tmp_path, "agility = 12", "agilty = 12")
    assert told == (2, "bad.toml, line 13, combatant[1]: unknown field agilty; did you mean agility?\n")


def test_an_encounter_file_that_is_not_toml(tmp_path: Path) -> None:
    told = opening(tmp_path, 'name = "Bram"', 'name "Bram"')
    assert told == (2, "bad.toml, line 11: not TOML: Expected '=' after a key in a key/value pair at column 6\n")


def test_an_unknown_system(tmp_path: Path) -> None:
    code, said = opening(tmp_path, '"vestige"', '"vestge"')
    assert code == 2
    assert said.startswith("bad.toml, line 1, system: there is no rule system vestge; there are ")
    assert said.endswith("did you mean vestige?\n")


def test_an_unknown_weapon(tmp_path: Path) -> None:
    code, said = opening(tmp_path, '["sword", "bow"]', '["sword", "boww"]')
    assert code == 2
    assert said.startswith("bad.toml, line 16, combatant[1].weapons[1]: there is no weapon boww; there are knife, ")
    assert said.endswith("did you mean bow?\n")


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ("31", "must be at most 30"),
        ("0", "must be at least 1"),
        ('"high"', "must be a whole number, not a text"),
        ("11.5", "must be a whole number, not a number with a fraction"),
    ],
)
def test_a_stat_out_of_range(tmp_path: Path, value: str, right: str) -> None:
    told = opening(tmp_path, "agility = 12", f"agility = {value}")
    assert told == (2, f"bad.toml, line 13, combatant[1].agility: {right}\n")


def test_a_missing_side(tmp_path: Path) -> None:
    assert opening(tmp_path, 'side = "blue"', "") == (2, "bad.toml, line 10, combatant[1]: side is missing\n")


def test_a_configuration_that_the_system_does_not_know(tmp_path: Path) -> None:
    word = opening(tmp_path, "[[combatant]]", '[config]\nbrink_fail = "ded"\n\n[[combatant]]')
    assert word == (2, "bad.toml, line 5, config.brink_fail: cannot be ded; there are dead, unable\n")
    key = opening(tmp_path, "[[combatant]]", "[config]\nbrink_targt = 9\n\n[[combatant]]")
    assert key == (2, "bad.toml, line 5, config: unknown field brink_targt; did you mean brink_target?\n")


def test_a_distance_to_nobody(tmp_path: Path) -> None:
    code, said = opening(tmp_path, '["ilse", "bram"]', '["ilse", "brem"]')
    assert (code, said) == (
        2,
        "bad.toml, line 19, distance[0].between: there is no brem; there are bram, ilse; did you mean bram?\n",
    )


def test_an_encounter_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    missing = affray(tmp_path, "new", "none.toml")
    assert (missing.code, missing.err) == (2, "none.toml: No such file or directory\n")
    (tmp_path / "latin.toml").write_bytes(b'system = "vestige"\nname = "caf\xe9"\n')
    latin = affray(tmp_path, "new", "latin.toml")
    assert (latin.code, latin.err) == (2, "latin.toml, line 2: is not UTF-8 text\n")


def test_a_machine_learns_where_the_fault_is(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(ENCOUNTER.replace("agility = 12", "agility = 99"), "utf-8")
    ran = affray(tmp_path, "new", "bad.toml", "--json")
    assert (ran.code, ran.err) == (2, "")
    fault = ran.json["error"]
    place = (fault["kind"], fault["file"], fault["line"], fault["field"])
    assert place == ("unusable", "bad.toml", 13, "combatant[1].agility")


# --- words ---


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["do", "duel.jsonl", "ilsa", "attack", "bram"], "who: there is no ilsa in this fight; there are ilse, bram"),
        (["do", "duel.jsonl", "ilse", "attack", "power=3"], "power: attack has no parameter power; it has "),
        (["rule", "duel.jsonl", "smite", "--reason", "x"], "ruling: there is no ruling smite; there are "),
        (["rule", "duel.jsonl", "note", "rain"], "affray: Missing option '--reason'."),
        (["answer", "duel.jsonl", "yes"], "answer: nobody is asked anything now"),
        (["roll", "duel.jsonl", "12"], "faces: no dice are awaited now"),
        (["stand", "duel.jsonl", "ilse", "ever"], "unless: a standing pass holds unless targeted, never, or asked"),
        (["do"], "affray: Missing argument 'FIGHT'."),
        (["dance"], "affray: No such command 'dance'."),
        (["do", "duel.txt", "begin"], "FIGHT: duel.txt is no fight: name FILE.jsonl, sqlite:FILE#FIGHT or "),
        (["do", "none.jsonl", "begin"], "affray: there is no fight none.jsonl"),
        (["do", "none.db#duel", "begin"], "affray: there is no database none.db"),
        (["scenario", "none.toml"], "none.toml: No such file or directory"),
        (["rules", "vestig"], "system: there is no rule system vestig; there are "),
    ],
    ids=" ".join,
)
def test_words_that_cannot_be_understood(log: Path, words: list[str], said: str) -> None:
    before = log.read_bytes()
    ran = affray(log.parent, *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert len(ran.err.splitlines()) <= 2
    assert log.read_bytes() == before
    assert not (log.parent / "none.db").exists()


# --- logs ---


def test_a_log_cut_in_the_middle_of_a_line(log: Path) -> None:
    """The half command is set aside and reported, and the fight goes on from the last whole one."""
    whole = log.read_bytes()
    affray(log.parent, "do", "duel.jsonl", "ilse", "attack", "bram", "--json")
    half = log.read_bytes()[len(whole) : -40]
    log.write_bytes(whole + half)
    ran = affray(log.parent, "do", "duel.jsonl", "ilse", "ready", "--json")
    assert ran.code == 0
    assert ran.err == (f"warning: set torn tail aside (log duel.jsonl, bytes {len(half)}, kept in duel.torn)\n")
    assert (log.parent / "duel.torn").read_bytes() == half
    assert log.read_bytes().startswith(whole)
    assert reopened(log).head == ran.json["head"]


def test_a_log_cut_within_its_first_command(log: Path) -> None:
    """Nothing is left to go on from; what was there is set aside, not lost."""
    whole = log.read_bytes()
    log.write_bytes(whole[:300])
    ran = affray(log.parent, "undo", "duel.jsonl")
    assert ran.code == 2
    assert ran.err.splitlines()[-1].startswith("duel.jsonl: ")
    assert (log.parent / "duel.torn").read_bytes() == whole[:300]


def test_a_log_of_another_format_version(log: Path) -> None:
    """Even with a chain that holds: the line is sealed anew, so that nothing but its format is wrong."""
    lines = log.read_bytes().splitlines()
    first = read_line(lines[0])
    payload = bytes(first.event).replace(b'"format":1', b'"format":9')
    sealed = chained("", 1, first.time, first.who, first.cause, first.more, payload)
    lines[0] = msgspec.json.encode(msgspec.structs.replace(first, hash=sealed, event=msgspec.Raw(payload)))
    log.write_bytes(b"\n".join(lines) + b"\n")
    before = log.read_bytes()
    ran = affray(log.parent, "undo", "duel.jsonl")
    assert ran.code == 2
    assert ran.err == "duel.jsonl, line 1: format 9 is not known here; this version reads formats 1 to 1\n"
    assert log.read_bytes() == before


def test_a_log_with_one_line_altered(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    number, line = next((n, one) for n, one in enumerate(lines, 1) if b'"faces":[15]' in one)
    lines[number - 1] = line.replace(b'"faces":[15]', b'"faces":[20]')
    log.write_bytes(b"".join(lines))
    before = log.read_bytes()
    ran = affray(log.parent, "do", "duel.jsonl", "ilse", "ready")
    assert ran.code == 2
    position = read_line(line).position
    assert ran.err == (f"duel.jsonl, line {number}: the hash of position {position} does not fit what is written\n")
    assert log.read_bytes() == before


def test_a_log_with_a_line_that_is_no_event(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[4] = b'{"position": "five"}\n'
    log.write_bytes(b"".join(lines))
    ran = affray(log.parent, "undo", "duel.jsonl", "--json")
    assert ran.code == 2
    fault = ran.json["error"]
    assert (fault["kind"], fault["code"], fault["file"], fault["line"]) == ("log", "malformed", "duel.jsonl", 5)
    assert log.read_bytes() == b"".join(lines)


# --- two writers ---


def test_a_writer_who_believes_in_another_head(log: Path) -> None:
    before, head = log.read_bytes(), reopened(log).head
    ran = affray(log.parent, "do", "duel.jsonl", "ilse", "ready", "--expect", str(head - 1))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"refused: the fight has moved on: its head is {head}, not {head - 1} (out_of_date)\n"
    assert log.read_bytes() == before


def test_of_racing_writers_exactly_one_wins(log: Path) -> None:
    """Whether the loser finds the new head on opening or on appending, it is refused with it."""
    head = reopened(log).head
    words = ["rule", "duel.jsonl", "note", "rain", "--reason", "mood", "--expect", str(head)]
    writers = [started(log.parent, *words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(4)]
    said = [writer.communicate(timeout=60)[1] for writer in writers]
    assert sorted(writer.returncode for writer in writers) == [0, 1, 1, 1]
    now = reopened(log).head
    refused = f"refused: the fight has moved on: its head is {now}, not {head} (out_of_date)\n"
    assert sorted(said) == ["", refused, refused, refused]
    assert sum(one.time != THEN for one in reopened(log).history.recorded) == now - head


# --- disks ---


def room_for(bytes_: int) -> Callable[[], None]:
    """Let no file grow beyond a size. To the program this is a disk that fills up in the middle of a write."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))

    return limit


def test_a_full_disk_takes_nothing_away(log: Path) -> None:
    """The limit lies within the first line to be written, so that half of it must be taken back."""
    before = log.read_bytes()
    ran = affray(log.parent, "do", "duel.jsonl", "ilse", "ready", before=room_for(len(before) + 100))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "affray: duel.jsonl: File too large; nothing was written\n"
    assert log.read_bytes() == before
    assert affray(log.parent, "do", "duel.jsonl", "ilse", "ready", "--json").code == 0


def test_a_full_disk_leaves_no_half_of_a_new_fight(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    ran = affray(tmp_path, "new", "duel.toml", before=room_for(500))
    assert (ran.code, ran.err) == (2, "affray: duel.jsonl: File too large; nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["duel.toml"]


def test_a_full_disk_keeps_no_seed_of_a_fight_that_could_not_begin(tmp_path: Path) -> None:
    """The limit lets the database be made, but not the fight's first command be written."""
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    words = ("new", "duel.toml", "-o", "f.db#duel", "--json")
    ran = affray(tmp_path, *words, before=room_for(40_000))
    assert ran.json["error"]["message"] == "f.db: disk I/O error; nothing was written"
    assert affray(tmp_path, *words).code == 0


def test_a_full_disk_under_a_database(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    head = affray(tmp_path, "new", "duel.toml", "-o", "f.db#duel", "--json").json["head"]
    ran = affray(tmp_path, "do", "f.db#duel", "begin", before=room_for(100))
    assert ran.code == 2
    assert ran.err.startswith("affray: f.db: ")
    assert affray(tmp_path, "do", "f.db#duel", "begin", "--expect", str(head), "--json").code == 0


def test_a_full_disk_behind_standard_output(log: Path) -> None:
    """The command is recorded before anything is said, and what could not be said is reported."""
    head = reopened(log).head
    words = ["do", "duel.jsonl", "ilse", "ready", "--json"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        program = started(log.parent, *words, stdout=full, stderr=subprocess.PIPE)
        said = program.communicate(timeout=60)[1]
    assert program.returncode == 2
    assert said == "standard output: No space left on device\n"
    assert reopened(log).head > head


def without_privilege() -> None:
    """Give up root's right to pass over permissions, for this process and whatever it becomes; others never had it."""
    drop_from_bounding_set, overrides_permissions = 24, 1
    if os.geteuid() == 0:
        failed = ctypes.CDLL(None).prctl(drop_from_bounding_set, overrides_permissions, 0, 0, 0)
        assert not failed


def test_a_folder_that_may_only_be_read(tmp_path: Path) -> None:
    """Real permissions: a test that runs as root gives up the right to pass over them first."""
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    tmp_path.chmod(0o555)
    try:
        ran = affray(tmp_path, "new", "duel.toml", before=without_privilege)
        assert (ran.code, ran.err) == (2, "affray: duel.key: Permission denied\n")
        assert [path.name for path in tmp_path.iterdir()] == ["duel.toml"]
    finally:
        tmp_path.chmod(0o755)


def test_a_log_that_may_only_be_read(log: Path) -> None:
    """Real permissions, as above; the log can still be read."""
    before = log.read_bytes()
    log.chmod(0o444)
    ran = affray(log.parent, "do", "duel.jsonl", "ilse", "ready", before=without_privilege)
    assert (ran.code, ran.err) == (2, "affray: duel.jsonl: Permission denied\n")
    assert log.read_bytes() == before


# --- pipes and interruptions ---


def closed_pipe() -> int:
    """The writing end of a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize(
    "words",
    ["log duel.jsonl", "show duel.jsonl", "replay duel.jsonl", "rules vestige", "rules vestig --json", "--help"],
)
def test_a_closed_pipe_ends_quietly(log: Path, words: str) -> None:
    pipe = closed_pipe()
    program = started(log.parent, *words.split(), stdout=pipe, stderr=subprocess.PIPE)
    os.close(pipe)
    said = program.communicate(timeout=60)[1]
    assert (program.returncode, said) == (128 + signal.SIGPIPE, "")


def test_a_closed_pipe_loses_no_command(log: Path) -> None:
    head = reopened(log).head
    pipe = closed_pipe()
    words = ["rule", "duel.jsonl", "note", "rain", "--reason", "mood", "--json"]
    program = started(log.parent, *words, stdout=pipe, stderr=subprocess.PIPE)
    os.close(pipe)
    assert program.communicate(timeout=60)[1] == ""
    assert program.returncode == 128 + signal.SIGPIPE
    assert reopened(log).head > head


def test_ctrl_c_in_the_middle_of_play_loses_nothing(log: Path) -> None:
    """It comes when a command has been carried out and the next line is awaited."""
    head = reopened(log).head
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    program = started(log.parent, "play", "duel.jsonl", **pipes)
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write("ready\n")
    program.stdin.flush()
    assert next(line for line in program.stdout if "Ilse may announce" in line)
    program.send_signal(signal.SIGINT)
    rest, faults = program.communicate(timeout=60)
    assert program.returncode == 128 + signal.SIGINT
    assert "go on with: affray play duel.jsonl" in rest
    assert faults == ""
    assert reopened(log).head > head
    assert not log.with_suffix(".torn").exists()
    assert affray(log.parent, "answer", "duel.jsonl", "pass", "--json").code == 0

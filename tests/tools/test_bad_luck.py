"""Outside failures: other writers, disks, pipes and Ctrl-C. By the installed program."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.program import ENCOUNTER, THEN, affray, rebuild_from_log, start_program

# --- two writers ---


def test_a_writer_who_believes_in_another_head(log: Path) -> None:
    before, head = log.read_bytes(), rebuild_from_log(log).head
    ran = affray(log.parent, "do", "duel.jsonl", "ilse", "ready", "--expect", str(head - 1))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"refused: the fight has moved on: its head is {head}, not {head - 1} (out_of_date)\n"
    assert log.read_bytes() == before


def test_of_racing_writers_exactly_one_wins(log: Path) -> None:
    """The loser is refused with the new head, on opening or on appending."""
    head = rebuild_from_log(log).head
    words = ["rule", "duel.jsonl", "note", "rain", "--reason", "mood", "--expect", str(head)]
    writers = [start_program(log.parent, *words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(4)]
    said = [writer.communicate(timeout=60)[1] for writer in writers]
    assert sorted(writer.returncode for writer in writers) == [0, 1, 1, 1]
    now = rebuild_from_log(log).head
    refused = f"refused: the fight has moved on: its head is {now}, not {head} (out_of_date)\n"
    assert sorted(said) == ["", refused, refused, refused]
    assert sum(one.time != THEN for one in rebuild_from_log(log).history.recorded) == now - head


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
    head = rebuild_from_log(log).head
    words = ["do", "duel.jsonl", "ilse", "ready", "--json"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        program = start_program(log.parent, *words, stdout=full, stderr=subprocess.PIPE)
        said = program.communicate(timeout=60)[1]
    assert program.returncode == 2
    assert said == "standard output: No space left on device\n"
    assert rebuild_from_log(log).head > head


def without_privilege() -> None:
    """Give up root's privilege over permissions, for this process and its children."""
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
        assert (ran.code, ran.err) == (2, "affray: duel.key: Permission denied; nothing was written\n")
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
    """The writing end of a pipe without a reader."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize(
    "words",
    ["log duel.jsonl", "show duel.jsonl", "replay duel.jsonl", "rules vestige", "rules vestig --json", "--help"],
)
def test_a_closed_pipe_ends_quietly(log: Path, words: str) -> None:
    pipe = closed_pipe()
    program = start_program(log.parent, *words.split(), stdout=pipe, stderr=subprocess.PIPE)
    os.close(pipe)
    said = program.communicate(timeout=60)[1]
    assert (program.returncode, said) == (128 + signal.SIGPIPE, "")


def test_a_closed_pipe_loses_no_command(log: Path) -> None:
    head = rebuild_from_log(log).head
    pipe = closed_pipe()
    words = ["rule", "duel.jsonl", "note", "rain", "--reason", "mood", "--json"]
    program = start_program(log.parent, *words, stdout=pipe, stderr=subprocess.PIPE)
    os.close(pipe)
    assert program.communicate(timeout=60)[1] == ""
    assert program.returncode == 128 + signal.SIGPIPE
    assert rebuild_from_log(log).head > head


def test_ctrl_c_in_the_middle_of_play_loses_nothing(log: Path) -> None:
    """It comes when a command has been carried out and the next line is awaited."""
    head = rebuild_from_log(log).head
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    program = start_program(log.parent, "play", "duel.jsonl", **pipes)
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
    assert rebuild_from_log(log).head > head
    assert not log.with_suffix(".torn").exists()
    assert affray(log.parent, "answer", "duel.jsonl", "pass", "--json").code == 0

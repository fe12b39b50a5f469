"""A log that ends in the middle of something opens at its last whole command, and nothing of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from affray.engine import FileStore, OutOfDate, StoreFailed, fold, open_fight
from affray.engine.history.log import read_log
from affray.engine.history.timeline import History
from affray.events import Malformed, read_line
from tests.engine.fights import NAME, Plan, encode_state, fights, noon, play_into_store, submit_accepted, view_all_sides
from tests.engine.test_undo import NOTE
from tests.engine.writers import make_noted_command


def list_line_ends(lines: list[bytes]) -> list[int]:
    """Return how many bytes of a log there are up to the end of each command."""
    found, at = [], 0
    for line in lines:
        at += len(line) + 1
        if not read_line(line).more:
            found.append(at)
    return found


def torn(folder: Path, content: bytes) -> FileStore:
    """Return a store that holds a fight cut off behind these bytes."""
    folder.mkdir(exist_ok=True)
    (folder / f"{NAME}.torn").unlink(missing_ok=True)
    (folder / f"{NAME}.jsonl").write_bytes(content)
    return FileStore(folder, durable=False)


@given(plan=fights(most=20), data=st.data())
def test_a_log_torn_at_any_byte_opens_at_its_last_whole_command(
    plan: Plan, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The fight is the one it was after that command; log and tail together are what was there, byte for byte."""
    _, kept = play_into_store(plan)
    lines = kept.read(NAME)
    content = b"".join(line + b"\n" for line in lines)
    whole = list_line_ends(lines)
    for cut in data.draw(st.lists(st.integers(whole[0], len(content)), min_size=1, max_size=6)):
        store = torn(tmp_path_factory.mktemp("torn"), content[:cut])
        fight = open_fight(NAME, store, clock=noon)
        last = max(end for end in whole if end <= cut)
        aside = store.folder / f"{NAME}.torn"
        assert store.path(NAME).read_bytes() == content[:cut]
        assert not aside.exists()
        history = History()
        history.add(read_log(content[:last].split(b"\n")[:-1]))
        assert encode_state(fight.state) == encode_state(fold(history.effective()))
        store.append(NAME, make_noted_command("next", fight.head, fight.history.head_hash), fight.head)
        assert store.path(NAME).read_bytes().startswith(content[:last])
        assert (aside.read_bytes() if aside.exists() else b"") == content[last:cut]
        assert [read_line(line).cause for line in store.read(NAME)[fight.head :]] == ["next"] * 3


def test_every_single_byte_of_a_command_can_be_the_last(tmp_path: Path) -> None:
    """At any cut of the last command, the log ends before it and the rest is set aside."""
    _, kept = play_into_store(Plan(ENCOUNTER, bytes(32), ()))
    store = torn(tmp_path / "grown", b"".join(line + b"\n" for line in kept.read(NAME)))
    before = store.path(NAME).read_bytes()
    submit_accepted(open_fight(NAME, store, clock=noon), NOTE)
    content = store.path(NAME).read_bytes()
    for cut in range(len(before), len(content)):
        cut_off = torn(tmp_path / "cut", content[:cut])
        assert b"".join(line + b"\n" for line in cut_off.read(NAME)) == before
        assert cut_off.path(NAME).read_bytes() == content[:cut]
        aside = cut_off.folder / f"{NAME}.torn"
        assert not aside.exists()
        last = read_line(before.split(b"\n")[-2])
        cut_off.append(NAME, make_noted_command("next", last.position, last.hash), last.position)
        assert cut_off.path(NAME).read_bytes().startswith(before)
        assert (aside.read_bytes() if aside.exists() else b"") == content[len(before) : cut]


def test_a_mended_fight_goes_on(tmp_path: Path) -> None:
    """The command that was half written is simply given again, and a second tail joins the first."""
    _, kept = play_into_store(Plan(ENCOUNTER, bytes(32), ()))
    content = b"".join(line + b"\n" for line in kept.read(NAME))
    store = torn(tmp_path, content + b'{"position":')
    fight = open_fight(NAME, store, clock=noon)
    submit_accepted(fight, NOTE)
    with store.path(NAME).open("ab") as file:
        file.write(b'{"posi')
    again = open_fight(NAME, FileStore(tmp_path), clock=noon)
    assert view_all_sides(again) == view_all_sides(fight)
    submit_accepted(again, NOTE)
    assert (tmp_path / f"{NAME}.torn").read_bytes() == b'{"position":{"posi'


def test_a_writer_that_meets_a_torn_tail_sets_it_aside(tmp_path: Path) -> None:
    """Otherwise its own lines would be torn too; a writer with another head moves nothing."""
    _, kept = play_into_store(Plan(ENCOUNTER, bytes(32), ()))
    store = torn(tmp_path, b"".join(line + b"\n" for line in kept.read(NAME)))
    fight = open_fight(NAME, store, clock=noon)
    with store.path(NAME).open("ab") as file:
        file.write(b'{"position":')
    content = store.path(NAME).read_bytes()
    with pytest.raises(OutOfDate):
        store.append(NAME, make_noted_command("late", 1, ""), 1)
    assert store.path(NAME).read_bytes() == content
    submit_accepted(fight, NOTE)
    assert (tmp_path / f"{NAME}.torn").read_bytes() == b'{"position":'
    assert view_all_sides(open_fight(NAME, FileStore(tmp_path), clock=noon)) == view_all_sides(fight)


def test_a_tail_that_cannot_be_set_aside_is_left(tmp_path: Path) -> None:
    """Then nothing is written behind it."""
    _, kept = play_into_store(Plan(ENCOUNTER, bytes(32), ()))
    store = torn(tmp_path, b"".join(line + b"\n" for line in kept.read(NAME)) + b'{"position":')
    (tmp_path / f"{NAME}.torn").mkdir()
    fight = open_fight(NAME, store, clock=noon)
    before, content = view_all_sides(fight), store.path(NAME).read_bytes()
    with pytest.raises(StoreFailed, match="is a folder, not a file; nothing was written"):
        submit_accepted(fight, NOTE)
    assert view_all_sides(fight) == before
    assert store.path(NAME).read_bytes() == content


def test_who_looks_again_and_again_is_told_of_a_torn_tail_once(tmp_path: Path) -> None:
    """Until it is another one."""
    _, kept = play_into_store(Plan(ENCOUNTER, bytes(32), ()))
    store = torn(tmp_path, b"".join(line + b"\n" for line in kept.read(NAME)) + b'{"position":')
    with capture_logs() as said:
        for _ in range(3):
            store.read(NAME)
        assert [(one["event"], one["bytes"]) for one in said] == [("left_torn_tail", 12)]
        with store.path(NAME).open("ab") as file:
            file.write(b"9")
        store.read(NAME)
        assert [one["bytes"] for one in said] == [12, 13]


@pytest.mark.parametrize("lines", [0, 1])
def test_a_log_without_one_whole_command_is_no_fight(lines: int, tmp_path: Path) -> None:
    """Torn within its opening it cannot be opened, and stays as it is."""
    _, kept = play_into_store(Plan(ENCOUNTER, bytes(32), ()))
    content = b"\n".join(kept.read(NAME))[: -5 if lines else 100]
    store = torn(tmp_path, content)
    with pytest.raises(Malformed, match="the log holds no whole command" if lines else "this is no log of a fight"):
        open_fight(NAME, store)
    assert store.path(NAME).read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == [f"{NAME}.jsonl"]


def test_a_damaged_line_in_the_middle_is_not_taken_for_a_torn_tail(tmp_path: Path) -> None:
    """Later lines were whole: the log is left unchanged, and the line is named."""
    _, kept = play_into_store(Plan(ENCOUNTER, bytes(32), ()))
    lines = kept.read(NAME)
    content = b"".join(line + b"\n" for line in (lines[0], lines[1][:-9], *lines[2:]))
    store = torn(tmp_path, content)
    with pytest.raises(Malformed, match="line 2: "):
        open_fight(NAME, store)
    assert store.path(NAME).read_bytes() == content
    assert not (tmp_path / f"{NAME}.torn").exists()


FIGHTER = {"block": "minion", "weapons": ["axe"]}
ENCOUNTER = {
    "system": "vestige",
    "combatant": [{"name": "Ilse", "side": "a", **FIGHTER}, {"name": "Brand", "side": "b", **FIGHTER}],
}

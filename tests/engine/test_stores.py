"""The common behaviour of all stores, for any medium."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given

from affray.engine import FileStore, OutOfDate, SqliteStore, Store, StoreFailed, Unusable, begin_fight, open_fight
from affray.engine.history.log import verify_chain
from affray.events import FORMAT, GENESIS, read_line
from tests.engine.conftest import two
from tests.engine.fights import NAME, SEED, Plan, ask_fight, begin_plan, commands, fights, noon, view_all_sides
from tests.engine.memory import MemoryStore
from tests.engine.writers import FIGHT, KINDS, begin_shared_fight, make_noted_command, open_store_of_kind, place
from tests.examples import a_share

OTHER = bytes(32)


@pytest.fixture
def store(kind: str, at: str) -> Store:
    """An empty store of that kind."""
    return open_store_of_kind(kind, at)


@pytest.fixture(params=[*KINDS, "memory"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Each kind of store, empty; the one the other tests are played in is held to the same."""
    if request.param == "memory":
        return MemoryStore()
    return open_store_of_kind(request.param, place(request.param, tmp_path))


def grow_fight(store: Store, times: int) -> list[bytes]:
    """Begin a fight, append so many commands, and return all its lines."""
    begin_shared_fight(store)
    lines = make_noted_command("opening", 0, GENESIS)
    for nth in range(times):
        more = make_noted_command(f"c{nth}", len(lines), read_line(lines[-1]).hash)
        store.append(FIGHT, more, len(lines))
        lines += more
    return lines


def test_what_was_appended_is_read_back(any_store: Store) -> None:
    """Byte for byte, in order, by the same and by another reader."""
    lines = grow_fight(any_store, 20)
    assert any_store.read(FIGHT) == lines
    assert list(any_store.lines(FIGHT)) == lines
    verify_chain(any_store.read(FIGHT), FORMAT)


def test_who_reads_line_by_line_sees_what_is_there_and_changes_nothing(store: Store, tmp_path: Path) -> None:
    """Even a torn tail stays where it is, and comes as the last line; what is appended meanwhile is not waited for."""
    lines = grow_fight(store, 300)
    reading = store.lines(FIGHT)
    assert next(reading) == lines[0]
    if not isinstance(store, SqliteStore):  # whose one connection is reading
        store.append(FIGHT, make_noted_command("meanwhile", len(lines), read_line(lines[-1]).hash), len(lines))
    assert list(reading) == lines[1:]
    if isinstance(store, FileStore):
        with store.path(FIGHT).open("ab") as file:
            file.write(b'{"position":')
        before = store.path(FIGHT).read_bytes()
        assert list(store.lines(FIGHT))[-1] == b'{"position":'
        assert store.path(FIGHT).read_bytes() == before
    with pytest.raises(Unusable, match="there is no"):
        next(store.lines("nobody"))


def test_another_reader_sees_it_too(store: Store, kind: str, at: str) -> None:
    """Other readers see an append as soon as it has returned."""
    lines = grow_fight(store, 3)
    other = open_store_of_kind(kind, at)
    assert other.read(FIGHT) == lines
    more = make_noted_command("other", len(lines), read_line(lines[-1]).hash)
    other.append(FIGHT, more, len(lines))
    assert store.read(FIGHT) == lines + more


def test_what_is_behind_a_position_is_read_alone(any_store: Store) -> None:
    """Also from the middle of a command, and nothing behind the head."""
    lines = grow_fight(any_store, 5)
    for after in range(len(lines) + 1):
        assert any_store.since(FIGHT, after) == lines[after:]
        assert list(any_store.lines(FIGHT, after)) == lines[after:]
    with pytest.raises(Unusable, match="there is no"):
        any_store.since("nobody", 0)


@pytest.mark.parametrize("off", [-3, -1, 1, 500])
def test_behind_another_head_nothing_is_appended(any_store: Store, off: int) -> None:
    """The one who is late is told where the head is, and the stream stays as it was."""
    lines = grow_fight(any_store, 2)
    with pytest.raises(OutOfDate) as late:
        any_store.append(FIGHT, make_noted_command("late", len(lines) + off, GENESIS), len(lines) + off)
    assert (late.value.expected, late.value.head) == (len(lines) + off, len(lines))
    assert any_store.read(FIGHT) == lines


def test_a_writer_learns_of_what_another_one_appended(store: Store, kind: str, at: str) -> None:
    """A store that remembers a stream's end still notices appends of others."""
    lines = grow_fight(store, 2)
    other = open_store_of_kind(kind, at)
    more = make_noted_command("other", len(lines), read_line(lines[-1]).hash)
    other.append(FIGHT, more, len(lines))
    with pytest.raises(OutOfDate) as late:
        store.append(FIGHT, make_noted_command("late", len(lines), GENESIS), len(lines))
    assert late.value.head == len(lines) + len(more)


def test_a_fight_nobody_began_is_unknown(any_store: Store) -> None:
    """It can be neither read nor written, and trying leaves no trace."""
    for _ in range(2):
        with pytest.raises(Unusable, match=r"there is no"):
            any_store.read("nobody")
        with pytest.raises(Unusable, match=r"there is no"):
            any_store.append("nobody", make_noted_command("c", 7, GENESIS), 7)
    assert any_store.fights() == []


def test_a_fight_begins_once(any_store: Store) -> None:
    """Beginning another one of the same name is refused; the first keeps its lines and its seed."""
    any_store.begin(FIGHT, make_noted_command("opening", 0, GENESIS), SEED)
    before = any_store.read(FIGHT)
    for seed in (OTHER, None):
        with pytest.raises(StoreFailed):
            any_store.begin(FIGHT, make_noted_command("another", 0, GENESIS), seed)
    assert any_store.read(FIGHT) == before
    assert any_store.seed(FIGHT) == SEED


def test_fights_are_kept_apart(any_store: Store) -> None:
    """Each has its own stream and seed; all are listed by name."""
    for name, seed in (("b", SEED), ("a", OTHER), ("c", None)):
        any_store.begin(name, make_noted_command(name, 0, GENESIS), seed)
    assert any_store.fights() == ["a", "b", "c"]
    assert [any_store.seed(name) for name in "abc"] == [OTHER, SEED, None]
    assert any_store.read("b") == make_noted_command("b", 0, GENESIS)


@pytest.mark.parametrize("kind", ["files", "sqlite"])
def test_the_seed_is_kept_for_its_owner_alone(store: Store, tmp_path: Path) -> None:
    """A reader of the seed can foresee the dice: no other account may read a file with it."""
    begin_fight("duel", two(), who="gm", seed=SEED, store=store)
    holding = [
        path for path in tmp_path.iterdir() if SEED in path.read_bytes() or SEED.hex().encode() in path.read_bytes()
    ]
    assert holding
    assert [path.name for path in holding if stat.S_IMODE(path.stat().st_mode) & 0o077] == []


def test_a_key_that_does_not_fit_the_log_is_noticed(tmp_path: Path) -> None:
    """The log commits itself to one seed; under another one the dice would be others."""
    store = FileStore(tmp_path)
    begin_fight("duel", two(), who="gm", seed=SEED, store=store)
    (tmp_path / "duel.key").write_text(OTHER.hex(), encoding="ascii")
    with pytest.raises(Unusable, match="seed: the seed kept beside the log does not match"):
        open_fight("duel", store)
    (tmp_path / "duel.key").write_text("not a seed", encoding="ascii")
    with pytest.raises(StoreFailed, match="the dice seed cannot be read"):
        open_fight("duel", store)


@pytest.mark.parametrize("kind", KINDS)
@a_share(4)
@given(plan=fights(most=30))
def test_a_fight_is_the_same_in_every_store(kind: str, plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same commands give the same lines as in memory, and the same fight when reopened."""
    there = open_store_of_kind(kind, place(kind, tmp_path_factory.mktemp("stores")), durable=False)
    stores: list[Store] = [MemoryStore(), there]
    played = [begin_plan(plan, one) for one in stores]
    for sent in commands(played[0], plan):
        for fight in played:
            ask_fight(fight, sent)
    assert there.read(NAME) == stores[0].read(NAME)
    assert all(view_all_sides(open_fight(NAME, one, clock=noon)) == view_all_sides(played[0]) for one in stores)

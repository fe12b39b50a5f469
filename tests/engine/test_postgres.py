"""Special features of the PostgreSQL store: migrations, notices, rights, lost answers."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import psycopg
import pytest

from affray.engine import OutOfDate, StoreFailed, Unusable
from affray.engine.stores.postgres import HeadMoved, PostgresStore, migrating
from affray.events import GENESIS, read_line
from tests.engine import postgres
from tests.engine.cutting import Cutter
from tests.engine.fights import SEED
from tests.engine.writers import FIGHT, begin_shared_fight, make_noted_command

RIGHTS = re.search(r"```sql\n(.*?)```", Path(__file__).parents[2].joinpath("docs/postgres.md").read_text("utf-8"), re.S)
OPENING = make_noted_command("opening", 0, GENESIS)
NEXT = make_noted_command("next", 3, read_line(OPENING[-1]).hash)


@pytest.fixture
def url() -> str:
    """A database without any fight."""
    return postgres.fresh()


def query_as_owner(url: str, statement: str, *about: str) -> list[tuple[Any, ...]]:
    """Ask the database itself, as its owner."""
    with psycopg.connect(url, autocommit=True) as database:
        return database.execute(statement.encode(), about or None).fetchall()


# --- migrations ---


def list_migrations(url: str) -> list[tuple[Any, ...]]:
    """Which migrations the database has seen, and when."""
    return query_as_owner(url, "SELECT version, name, applied FROM affray.migrations ORDER BY version")


def test_an_empty_database_is_migrated_once(url: str) -> None:
    """Its first user migrates it to the newest version; later ones change nothing."""
    PostgresStore(url).fights()
    first = list_migrations(url)
    assert [row[:2] for row in first] == [(nth, name) for nth, (name, _) in enumerate(migrating.list_migrations(), 1)]
    PostgresStore(url).fights()
    assert list_migrations(url) == first


def test_fights_of_the_first_version_go_on(url: str) -> None:
    """Fights in the first table layout are there in the newest one, and can be continued."""
    with psycopg.connect(url, autocommit=True) as database:
        migrating.migrate(database, to=1)
        database.execute("INSERT INTO affray.heads VALUES (%s, 3)", (FIGHT,))
        database.execute("INSERT INTO affray.commands VALUES (%s, 3, %s)", (FIGHT, b"\n".join(OPENING)))
        database.execute("INSERT INTO affray.secrets VALUES (%s, %s)", (FIGHT, SEED))
    assert len(list_migrations(url)) == 1
    store = PostgresStore(url)
    store.append(FIGHT, NEXT, 3)
    assert (store.read(FIGHT), store.seed(FIGHT)) == (OPENING + NEXT, SEED)
    assert len(list_migrations(url)) == len(migrating.list_migrations())


def test_many_processes_may_come_first_at_once(url: str) -> None:
    """One of them migrates, the others wait for it, and none of them notices."""
    together, listed = Barrier(6), []

    def come() -> None:
        store = PostgresStore(url)
        together.wait()
        listed.append(store.fights())

    threads = [Thread(target=come) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(postgres.PATIENCE)
    assert listed == [[]] * 6
    assert [row[0] for row in list_migrations(url)] == list(range(1, len(migrating.list_migrations()) + 1))


def test_a_migration_that_fails_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the ones before it; put right, all are applied."""
    known = migrating.list_migrations()
    with monkeypatch.context() as broken:
        broken.setattr(
            migrating, "list_migrations", lambda: [*known, ("999_broken.sql", "CREATE TABLE affray.heads ()")]
        )
        with pytest.raises(StoreFailed, match='relation "heads" already exists'):
            PostgresStore(url).fights()
    assert query_as_owner(url, "SELECT to_regnamespace('affray')") == [(None,)]
    assert PostgresStore(url).fights() == []


def test_a_database_of_a_later_version_is_left_alone(url: str) -> None:
    """Its tables may mean something else by then."""
    PostgresStore(url).fights()
    query_as_owner(url, "INSERT INTO affray.migrations (version, name) VALUES (999, 'later') RETURNING 1")
    with pytest.raises(StoreFailed, match=r"the database has version 999.*install a later Affray"):
        PostgresStore(url).begin(FIGHT, OPENING, None)
    assert query_as_owner(url, "SELECT count(*) FROM affray.heads") == [(0,)]


# --- notices ---


def test_who_listens_hears_of_every_append_of_anybody(url: str) -> None:
    """Also of a new fight; not of what was refused; and after a lost connection is told to look at all heads."""
    asyncio.run(listening(PostgresStore(url), PostgresStore(url)))


async def listening(store: PostgresStore, other: PostgresStore) -> None:
    heard = store.listen()

    async def next_one() -> HeadMoved:
        return await asyncio.wait_for(anext(heard), postgres.PATIENCE)

    assert await next_one() == HeadMoved()
    other.begin("a fight, with a long name", OPENING, None)
    begin_shared_fight(other)
    with pytest.raises(OutOfDate):
        other.append(FIGHT, NEXT, 2)
    other.append(FIGHT, NEXT, 3)
    assert await next_one() == HeadMoved("a fight, with a long name", 3)
    assert [await next_one() for _ in range(2)] == [HeadMoved(FIGHT, 3), HeadMoved(FIGHT, 6)]
    for nonsense in ("nonsense", "9" * 5_000 + " who says so"):
        query_as_owner(postgres.server().url(), "SELECT pg_notify('affray', %s)", nonsense)
        assert await next_one() == HeadMoved()
    postgres.server().kill()
    postgres.server().start()
    assert await next_one() == HeadMoved()
    other.append(FIGHT, make_noted_command("again", 6, GENESIS), 6)
    assert await next_one() == HeadMoved(FIGHT, 9)
    await heard.aclose()


def test_a_listener_that_is_cancelled_twice_closes_its_connection(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second cancellation while the connection closes, as a task group sends it when a server stops."""
    opened: list[psycopg.AsyncConnection[Any]] = []
    connect = psycopg.AsyncConnection.connect

    async def connect_and_remember(**settings: Any) -> psycopg.AsyncConnection[Any]:
        opened.append(await connect(**settings))
        return opened[-1]

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", connect_and_remember)
    monkeypatch.setattr(psycopg.waiting, "MAX_BUSY_TIME", 0)  # so that also a rollback of nothing lets the loop run
    asyncio.run(cancel_twice(PostgresStore(url)))
    assert [connection.closed for connection in opened] == [True]


async def cancel_twice(store: PostgresStore) -> None:
    """Cancel a listener once it waits, and again at each later step until it has ended."""
    connected = asyncio.Event()

    async def follow() -> None:
        async for _ in store.listen():
            connected.set()

    task = asyncio.create_task(follow())
    await connected.wait()
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)


# --- rights ---


def with_rights(url: str) -> tuple[PostgresStore, PostgresStore]:
    """Let the accounts that the documentation names do what it lets them do; return the reader's and the server's."""
    assert RIGHTS is not None
    store = PostgresStore(url)
    store.begin(FIGHT, OPENING, SEED)
    with psycopg.connect(url, autocommit=True) as database:
        for role in ("affray_reader", "affray_server"):
            if not database.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
                database.execute(f"CREATE ROLE {role} LOGIN".encode())
        database.execute(RIGHTS[1].encode())
    return tuple(PostgresStore(postgres.server().url(role)) for role in ("affray_reader", "affray_server"))  # type: ignore[return-value]


def test_a_reader_reads_no_seed_and_writes_nothing(url: str) -> None:
    """As the documentation promises."""
    reader, _ = with_rights(url)
    assert (reader.read(FIGHT), reader.seed(FIGHT)) == (OPENING, None)
    for forbidden in (
        lambda: query_as_owner(postgres.server().url("affray_reader"), "SELECT seed FROM affray.secrets"),
        lambda: reader.find_grant("x"),
        lambda: reader.grants(FIGHT),
        lambda: reader.begin("other", OPENING, None),
        lambda: reader.append(FIGHT, NEXT, 3),
    ):
        with pytest.raises((StoreFailed, psycopg.errors.InsufficientPrivilege), match="permission denied"):
            forbidden()


def test_a_server_adds_and_cannot_change_what_is_recorded(url: str) -> None:
    """Nor remove it, nor put another seed in the place of one."""
    _, server = with_rights(url)
    server.append(FIGHT, NEXT, 3)
    server.begin("other", OPENING, SEED)
    server.grant(FIGHT, {"hash": b"{}"})
    assert (server.read(FIGHT), server.seed("other"), server.find_grant("hash")) == (
        OPENING + NEXT,
        SEED,
        (FIGHT, b"{}"),
    )
    server.take_back(["hash"])
    assert (server.find_grant("hash"), server.grants(FIGHT)) == (None, [])
    with psycopg.connect(postgres.server().url("affray_server"), autocommit=True) as database:
        for statement in (
            "UPDATE affray.commands SET lines = ''",
            "DELETE FROM affray.commands",
            "TRUNCATE affray.commands",
            "DELETE FROM affray.heads",
            "UPDATE affray.secrets SET seed = ''",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                database.execute(statement.encode())


# --- lost answers ---


@pytest.mark.parametrize("lost", ["question", "answer"])
def test_a_command_whose_answer_was_lost_is_written_once(url: str, lost: str) -> None:
    """Whether or not the database had received it."""
    with Cutter(postgres.server().folder) as cutter:
        store = PostgresStore(cutter.url)
        cutter.cut(lost, b"opening")
        store.begin(FIGHT, OPENING, SEED)
        cutter.cut(lost, b"next")
        store.append(FIGHT, NEXT, 3)
        assert cutter.cuts == 2
        assert (store.read(FIGHT), store.seed(FIGHT)) == (OPENING + NEXT, SEED)
        with pytest.raises(StoreFailed, match="already"):
            store.begin(FIGHT, OPENING, SEED)
        store.close()


def test_a_lost_question_of_who_is_out_of_date_changes_nothing(url: str) -> None:
    """Another writer's command of the same length is not taken for the own one."""
    with Cutter(postgres.server().folder) as cutter:
        store = PostgresStore(cutter.url)
        store.begin(FIGHT, OPENING, SEED)
        PostgresStore(url).append(FIGHT, make_noted_command("theirs", 3, GENESIS), 3)
        cutter.cut("answer", b"next")
        with pytest.raises(OutOfDate):
            store.append(FIGHT, NEXT, 3)
        cutter.cut("answer", b"other")
        with pytest.raises(StoreFailed, match="already"):
            store.begin(FIGHT, make_noted_command("other", 0, GENESIS), None)
        store.close()


@pytest.mark.parametrize(("lost", "head"), [("question", 3), ("answer", 6)])
def test_what_is_not_known_is_not_claimed(url: str, lost: str, head: int) -> None:
    """If the second answer is lost too, the store does not claim that nothing was written."""
    with Cutter(postgres.server().folder) as cutter:
        store = PostgresStore(cutter.url)
        store.begin(FIGHT, OPENING, SEED)
        cutter.cut(lost, b"next", times=2)
        with pytest.raises(StoreFailed, match="whether it was written is not known") as failed:
            store.append(FIGHT, NEXT, 3)
        assert "nothing was written" not in str(failed.value)
        assert len(store.read(FIGHT)) == head
        store.close()


def test_what_the_database_refuses_was_not_written(url: str) -> None:
    """And is said so, in one line, without the values of the row."""
    store = PostgresStore(url)
    store.begin(FIGHT, OPENING, SEED)
    with pytest.raises(StoreFailed, match=r"nothing was written$"):
        store.begin("nul\0byte", OPENING, SEED)
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("ALTER TABLE affray.secrets ADD CHECK (length(seed) > 99) NOT VALID")
    with pytest.raises(StoreFailed, match=r"nothing was written$") as failed:
        store.begin("other", OPENING, SEED)
    assert SEED.hex() not in str(failed.value)
    assert "\n" not in str(failed.value)
    assert store.fights() == [FIGHT]


def test_who_is_late_is_told_so_however_the_database_isolates(url: str) -> None:
    """A stricter isolation would call it a failure to serialize."""
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("ALTER ROLE affray SET default_transaction_isolation = 'serializable'")
        try:
            store = PostgresStore(url)
            store.begin(FIGHT, OPENING, SEED)
            database.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            database.execute("UPDATE affray.heads SET position = 6")
            late = Thread(target=lambda: told.append(find_append_error(store)))
            told: list[Exception] = []
            late.start()
            while not database.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone():
                assert late.is_alive()
            database.execute("COMMIT")
            late.join(postgres.PATIENCE)
            assert [type(one) for one in told] == [OutOfDate]
        finally:
            database.execute("ALTER ROLE affray RESET default_transaction_isolation")


def find_append_error(store: PostgresStore) -> Exception:
    """Return the error of an append."""
    with pytest.raises((OutOfDate, StoreFailed)) as refused:
        store.append(FIGHT, NEXT, 3)
    return refused.value


def test_a_name_that_is_no_text_is_unusable(url: str) -> None:
    """As a command line may hand over any bytes."""
    with pytest.raises(Unusable, match="UTF-8"):
        PostgresStore(url).read("\udc80")
    with pytest.raises(Unusable, match="cannot be read"):
        PostgresStore("postgresql://\udc80@host/club")


# --- passwords ---


@pytest.mark.parametrize(
    "said",
    [
        "postgresql://gm:opensesame@127.0.0.1:1/club",
        "postgresql://gm@127.0.0.1:1/club?password=opensesame",
        "postgresql://127.0.0.1:1/club?user=gm&sslpassword=opensesame",
    ],
)
def test_a_password_is_never_said(said: str) -> None:
    """Neither in the store's name nor in a reason."""
    store = PostgresStore(said)
    assert store.name == "postgresql://gm@127.0.0.1:1/club"
    with pytest.raises(StoreFailed, match="Connection refused") as failed:
        store.begin(FIGHT, OPENING, None)
    assert "opensesame" not in str(failed.value)
    assert str(failed.value).endswith("nothing was written")


@pytest.mark.parametrize(
    "said", ["postgresql://gm:open%zzsesame@host/club", "postgresql://gm@host/club?passwort=opensesame"]
)
def test_an_address_that_cannot_be_read_is_not_quoted(said: str) -> None:
    """Its password may be what cannot be read."""
    with pytest.raises(Unusable, match="postgresql://USER@HOST/DATABASE") as unusable:
        PostgresStore(said)
    assert "sesame" not in str(unusable.value)

"""The common behaviour of all stores for documents: encounters, parties, images, scenes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.errors import EngineError, Full, NoDocument, StoreFailed, Superseded, Unusable
from affray.engine.stores import SqliteStore
from affray.engine.stores.documents import LARGEST, TOML, Document, Documents, documents_of, protocol
from affray.engine.stores.postgres import PostgresStore
from tests.engine.writers import begin_shared_fight, open_store_of_kind, place

HEROES = b'system = "vestige"\n'


@pytest.fixture
def documents(kind: str, at: str) -> Documents:
    """The documents of an empty store of that kind."""
    return documents_of(open_store_of_kind(kind, at))


def test_what_was_written_is_read_back(documents: Documents) -> None:
    """Byte for byte, with what it is and when it was written; the list says the same without what it holds."""
    assert documents.list_documents("party") == []
    said = documents.write("party", "heroes", TOML, HEROES, "")
    found = documents.read("party", "heroes")
    assert (found.content, found.media, found.size) == (HEROES, TOML, len(HEROES))
    assert found.changed.startswith("20")
    assert documents.list_documents("party") == [said]
    assert (said.name, said.version, said.changed) == ("heroes", found.version, found.changed)
    assert not isinstance(said, Document)


def test_it_is_there_for_everybody_and_after_a_restart(documents: Documents, kind: str, at: str) -> None:
    """As soon as the write has returned."""
    documents.write("party", "heroes", TOML, HEROES, "")
    store = open_store_of_kind(kind, at)
    assert documents_of(store).read("party", "heroes").content == HEROES
    begin_shared_fight(store)
    assert store.fights() == ["shared"]
    assert [one.name for one in documents.list_documents("party")] == ["heroes"]


def test_kinds_are_kept_apart_and_names_are_in_order(documents: Documents) -> None:
    for kind, name in (("party", "b"), ("encounter", "b"), ("party", "a")):
        documents.write(kind, name, TOML, f"{kind} {name}".encode(), "")
    assert [one.name for one in documents.list_documents("party")] == ["a", "b"]
    assert documents.read("encounter", "b").content == b"encounter b"


def test_who_does_not_know_the_present_version_changes_nothing(documents: Documents) -> None:
    """They are told which it is; who knows it goes on from there."""
    first = documents.write("party", "heroes", TOML, HEROES, "")
    second = documents.write("party", "heroes", TOML, b"two", first.version)
    assert second.version != first.version
    for stale in ("", first.version, "nonsense"):
        with pytest.raises(Superseded) as late:
            documents.write("party", "heroes", TOML, b"three", stale)
        assert late.value.present == second.version
        with pytest.raises(Superseded):
            documents.delete("party", "heroes", stale)
    assert documents.read("party", "heroes").content == b"two"


def test_what_was_deleted_is_gone_and_its_old_version_writes_nothing(documents: Documents) -> None:
    first = documents.write("party", "heroes", TOML, HEROES, "")
    documents.delete("party", "heroes", first.version)
    assert documents.list_documents("party") == []
    for gone in (documents.read, lambda kind, name: documents.delete(kind, name, first.version)):
        with pytest.raises(NoDocument, match="there is no party heroes"):
            gone("party", "heroes")
    with pytest.raises(Superseded, match="is not there any more"):
        documents.write("party", "heroes", TOML, b"two", first.version)
    assert documents.write("party", "heroes", TOML, HEROES, "").version == first.version


def test_a_document_may_become_one_of_another_media_type(documents: Documents) -> None:
    """It is one document all the while."""
    first = documents.write("picture", "map", "image/png", b"png", "")
    second = documents.write("picture", "map", "image/webp", b"webp", first.version)
    assert documents.list_documents("picture") == [second]
    assert documents.read("picture", "map").media == "image/webp"


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../up", "a/b", "a\\b", ".hidden", "-x", "a b", "a.toml", "x\n", "x\0", "é", "a" * 101, "*"]
)
def test_a_name_that_leads_elsewhere_is_none(documents: Documents, name: str) -> None:
    """For every operation; nothing is written anywhere."""
    for ask in (
        lambda: documents.read("party", name),
        lambda: documents.write("party", name, TOML, HEROES, ""),
        lambda: documents.delete("party", name, ""),
    ):
        with pytest.raises(Unusable, match="must have 1 to 100 letters"):
            ask()
    assert documents.list_documents("party") == []


@pytest.mark.parametrize("other", ["", "Party", "..", "a/b", "party1"])
def test_a_kind_is_a_word(documents: Documents, other: str) -> None:
    for ask in (lambda: documents.list_documents(other), lambda: documents.write(other, "x", TOML, HEROES, "")):
        with pytest.raises(Unusable, match="small letters"):
            ask()


def test_other_media_and_what_is_too_large_is_refused(documents: Documents) -> None:
    with pytest.raises(Unusable, match=r"media: cannot be image/svg\+xml; there are application/toml"):
        documents.write("picture", "map", "image/svg+xml", b"<svg/>", "")
    with pytest.raises(Unusable, match="must have at most 10,485,760 bytes"):
        documents.write("picture", "map", "image/png", bytes(LARGEST + 1), "")
    assert documents.list_documents("picture") == []


def test_there_are_so_many_of_a_kind_and_no_more(documents: Documents, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are there can be written on, and another kind has its own room."""
    monkeypatch.setattr(protocol, "MOST", 2)
    versions = [documents.write("party", name, TOML, HEROES, "").version for name in ("a", "b")]
    with pytest.raises(Full, match="there may be no more: delete one first"):
        documents.write("party", "c", TOML, HEROES, "")
    documents.write("party", "b", TOML, b"two", versions[1])
    documents.write("encounter", "c", TOML, HEROES, "")
    documents.delete("party", "a", versions[0])
    documents.write("party", "c", TOML, HEROES, "")


def test_all_of_a_kind_are_bounded_together(documents: Documents, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replacing a document frees its former size."""
    monkeypatch.setattr(protocol, "MOST_BYTES", 100)
    first = documents.write("picture", "a", "image/png", bytes(60), "")
    with pytest.raises(Full, match="may have 100 bytes together"):
        documents.write("picture", "b", "image/png", bytes(41), "")
    documents.write("picture", "b", "image/png", bytes(40), "")
    documents.write("picture", "a", "image/png", bytes(range(60)), first.version)


@given(
    steps=st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from([b"one", b"two", None]), st.integers(0, 3)), max_size=12
    )
)
def test_every_store_keeps_what_a_dictionary_would(steps: list[tuple[str, bytes | None, int]]) -> None:
    """After writes and deletions in any order, with any version that was ever seen."""
    with TemporaryDirectory() as folder:
        stores = [
            documents_of(open_store_of_kind(kind, place(kind, Path(folder)), durable=False))
            for kind in ("files", "sqlite")
        ]
        for documents in stores:
            model: dict[str, tuple[str, bytes]] = {}
            seen = [""]
            for name, content, which in steps:
                expected = seen[which % len(seen)] if which else model.get(name, ("", b""))[0]
                right = expected == model.get(name, ("", b""))[0]
                try:
                    if content is None:
                        documents.delete("party", name, expected)
                        assert model.pop(name)[0] == expected
                    else:
                        seen.append(documents.write("party", name, TOML, content, expected).version)
                        assert right
                        model[name] = seen[-1], content
                except EngineError:
                    assert not right or (content is None and name not in model)
                found = {
                    one.name: (one.version, documents.read("party", one.name).content)
                    for one in documents.list_documents("party")
                }
                assert found == model


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves no half file, and nothing that is taken for a document."""
    documents = documents_of(open_store_of_kind("files", str(tmp_path)))
    first = documents.write("party", "heroes", TOML, HEROES, "")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("affray.engine.stores.documents.files.os.fsync", full)
        with pytest.raises(StoreFailed, match="No space left on device; nothing was written"):
            documents.write("party", "heroes", TOML, b"two", first.version)
    assert documents.read("party", "heroes").content == HEROES
    assert documents.list_documents("party") == [first]


def test_people_may_write_a_file_of_the_folder_themselves(tmp_path: Path) -> None:
    """It is a document like any other, and in another version by then; what cannot be one is none."""
    documents = documents_of(open_store_of_kind("files", str(tmp_path)))
    first = documents.write("party", "heroes", TOML, HEROES, "")
    (tmp_path / "party/heroes.toml").write_bytes(b"changed")
    for name in ("notes.txt", ".toml", "a b.toml", "x.y.toml"):
        (tmp_path / "party" / name).write_bytes(b"")
    with pytest.raises(Superseded):
        documents.write("party", "heroes", TOML, b"two", first.version)
    assert [one.name for one in documents.list_documents("party")] == ["heroes"]
    assert documents.read("party", "heroes").content == b"changed"


def test_to_look_for_documents_makes_no_database(tmp_path: Path) -> None:
    documents = documents_of(SqliteStore(tmp_path / "club.db"))
    assert documents.list_documents("party") == []
    with pytest.raises(NoDocument):
        documents.read("party", "heroes")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("row", ["1, 2, 'm', 'v', 'c', x'00'", "'party', 'heroes', 'm', 'v', 'c', 'text'"])
def test_a_table_of_that_name_that_holds_something_else_is_told(tmp_path: Path, row: str) -> None:
    with closing(sqlite3.connect(tmp_path / "theirs.db")) as database:
        database.executescript(
            "CREATE TABLE documents (kind, name, media, version, changed, content);"
            f"INSERT INTO documents VALUES ({row}); UPDATE documents SET kind = 'party'"
        )
    documents = documents_of(SqliteStore(tmp_path / "theirs.db"))
    with pytest.raises((StoreFailed, NoDocument)):
        documents.read("party", "heroes")


def test_a_lost_answer_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A write without a confirmation is queried again, and recognised as done."""
    store = PostgresStore(place("postgres", Path()))
    asked = list[bool]()
    write = store.documents._write

    def twice(ask):  # type: ignore[no-untyped-def]
        write(ask)
        asked.append(True)
        return write(lambda database, _: ask(database, True))

    monkeypatch.setattr(store.documents, "_write", twice)
    said = store.documents.write("party", "heroes", TOML, HEROES, "")
    assert documents_of(store).read("party", "heroes").version == said.version
    store.documents.delete("party", "heroes", said.version)
    assert (documents_of(store).list_documents("party"), asked) == ([], [True, True])

"""Fights of a PostgreSQL database, named on the command line like any other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from affray.engine.errors import Unusable
from affray.engine.stores import FileStore, SqliteStore
from affray.engine.stores.postgres import PostgresStore
from affray.tools.api.store_url import store_of
from tests.engine.postgres import fresh
from tests.tools.program import ENCOUNTER, affray

SECRET = "opensesame"


def test_a_fight_in_a_database_server_is_like_any_other(tmp_path: Path) -> None:
    """It is opened, driven, read, forked and audited there."""
    url = fresh()
    kept = f"{url}#duel"
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    assert affray(tmp_path, "new", "duel.toml", "-o", kept, "--json").json["fight"] == kept
    begun = affray(tmp_path, "do", kept, "gm", "begin", "--json").json
    assert affray(tmp_path, "show", kept, "--json").json["at"] == begun["head"]
    position = next(one["position"] for one in begun["events"] if one["event"]["type"] == "Rolled")
    rolled = affray(tmp_path, "audit", kept, "--roll", str(position), "--json")
    assert (rolled.code, rolled.json["position"]) == (0, position)
    taken = affray(tmp_path, "new", "duel.toml", "-o", kept)
    assert (taken.code, taken.err) == (2, f"affray: {kept} exists already; choose another with -o FIGHT\n")
    assert affray(tmp_path, "fork", kept, "-o", "away.jsonl").code == 0
    back = f"{url}#back"
    assert affray(tmp_path, "fork", "away.jsonl", "-o", back, "--json").json["fight"] == back
    which = affray(tmp_path, "show", url)
    assert (which.code, which.err.endswith("#FIGHT; there are back, duel\n")) == (2, True)
    nobody = affray(tmp_path, "show", f"{url}#nobody")
    assert (nobody.code, nobody.err) == (2, f"affray: there is no fight nobody in {url}\n")


def test_a_server_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    """In one line and without the password."""
    ran = affray(tmp_path, "show", "postgresql://gm@127.0.0.1:1/club#duel", PGPASSWORD=SECRET)
    assert ran.code == 2
    assert ran.err.startswith("affray: postgresql://gm@127.0.0.1:1/club: connection failed: ")
    assert (ran.err.count("\n"), SECRET in ran.err) == (1, False)


@pytest.mark.parametrize(
    "said",
    [
        "postgresql://gm:opensesame@127.0.0.1:1/club#duel",
        "postgresql://gm:open#sesame@127.0.0.1:1/club#duel",
        "postgresql://gm:open/sesame@127.0.0.1:1/club#duel",
        "postgresql://gm:open@sesame@127.0.0.1:1/club#duel",
        "postgres://gm@127.0.0.1:1/club?password=opensesame#duel",
    ],
)
def test_a_fight_is_not_named_with_a_password(tmp_path: Path, said: str) -> None:
    """A fight's address is repeated in many places; the refusal says where a password belongs."""
    ran = affray(tmp_path, "show", said)
    assert ran.code == 2
    assert "PGPASSWORD or the file .pgpass" in ran.err
    assert [part for part in ("open", "sesame") if part in ran.out + ran.err] == []


def test_a_store_of_many_fights_is_named_by_its_place(tmp_path: Path) -> None:
    """A folder, a file of SQLite's, a database server."""
    assert isinstance(store_of(str(tmp_path)), FileStore)
    for said in (f"sqlite:{tmp_path}/fights", f"{tmp_path}/fights.db"):
        assert isinstance(store_of(said), SqliteStore)
    for said in ("postgresql://gm@127.0.0.1/club", "postgres://gm@127.0.0.1/club"):
        assert isinstance(store_of(said), PostgresStore)
    with pytest.raises(Unusable, match="is no folder, and neither"):
        store_of(str(tmp_path / "nowhere"))


def test_without_the_extra_it_is_said_what_to_install() -> None:
    """And everything else works."""
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from affray.tools.cli.main import main\n"
        "sys.argv = ['affray', 'show', 'postgresql://gm@127.0.0.1/club#duel']\n"
        "main()"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (
        2,
        'affray: PostgreSQL needs the extra postgres: pip install ".[postgres]" in the folder of Affray\n',
    )

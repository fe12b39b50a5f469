"""A command with an unknown outcome: all clients are told so, and may send it again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from affray.engine.errors import StoreFailed, Unsure
from affray.engine.stores import FileStore
from tests.serve.server import serve_duel
from tests.tools.program import ENCOUNTER


class FailingStore(FileStore):
    """A store that fails once, before or after it has written, and says that it does not know."""

    fails = ""

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        fails, self.fails = self.fails, ""
        if fails != "before":
            super().append(fight, lines, after, hash)
        if fails:
            raise Unsure(f"{self.folder}: gone")


@pytest.mark.parametrize("fails", ["before", "after"])
def test_it_is_told_and_may_be_sent_again(tmp_path: Path, fails: str) -> None:
    """Under the same id it is carried out once, for either outcome."""
    store = FailingStore(tmp_path)
    with serve_duel(store) as server:
        store.fails = fails
        answer = server.gm.says("gm begin", id="mine")
        assert (answer.status_code, answer.json()["code"]) == (503, "unsure")
        assert "send it again under the same id" in answer.json()["detail"]
        assert str(tmp_path) not in answer.text
        again = server.gm.says("gm begin", id="mine")
        assert (again.status_code, again.json()["repeated"]) == (200, fails == "after")
        assert sum(b'"cause":"mine"' in line for line in store.read("duel")) == len(again.json()["lines"])
        with server.client.websocket_connect("/api/fights/duel/feed") as feed:
            feed.send_json({"token": server.gm.token})
            while feed.receive_json()["type"] != "ready":
                pass
            store.fails = fails
            feed.send_json({"type": "command", "id": "dice", "intent": {"type": "Said", "words": "roll 15"}})
            while (message := feed.receive_json())["type"] != "problem":
                pass
            assert (message["id"], message["problem"]["code"]) == ("dice", "unsure")


def test_a_fight_that_was_begun_is_not_told_as_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its links cannot be stored."""

    def full(*_: object) -> None:
        raise StoreFailed("disk full")

    with serve_duel(tmp_path) as server, monkeypatch.context() as meanwhile:
        meanwhile.setattr("affray.tools.server.token_store.FileTokenStore.grant", full)
        answer = server.host.asks("POST", "/api/fights", {"id": "other", "toml": ENCOUNTER, "dice": "entered"})
        assert (answer.status_code, answer.json()["code"]) == (503, "unsure")
        assert "other" in server.host.asks("GET", "/api/fights").text

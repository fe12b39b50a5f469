"""What is hidden from somebody reaches them on no route, and no answer of the server tells them that it is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.server import Server, served
from tests.tools.program import ENCOUNTER

LURKER = """
[[combatant]]
name = "Lurker"
side = "blue"
agility = 14
might = 2
health = 37
weapons = ["bow"]
concealed = true

[[distance]]
between = ["ilse", "lurker"]
metres = 9
"""

VEILED = ENCOUNTER.replace("health = 8\n", 'health = 28\nveiled = ["health"]\n')

PATHS = (
    "",
    "/state",
    "/log",
    "/legal",
    "/clauses",
    "/audit",
    "/export.md",
    "/export.html",
    "/rolls.csv",
    "/events.csv",
)


@pytest.fixture
def hiding(tmp_path: Path) -> Iterator[Server]:
    """A server with a duel that a lurker watches, on Ilse's first turn."""
    with served(tmp_path, ENCOUNTER + LURKER) as server:
        server.gm.does("gm begin", "roll 15", "roll 3", "roll 2")
        yield server


def test_the_game_master_sees_it(hiding: Server) -> None:
    assert "lurker" in hiding.gm.looks("/state").text
    assert hiding.gm.looks("/audit").json()["clean"]


@pytest.mark.parametrize("path", PATHS)
def test_no_look_shows_it(hiding: Server, path: str) -> None:
    head = hiding.gm.looks().json()["head"]
    for who in (hiding.ilse, hiding.spectator):
        for query in [{}] if path != "/state" else [{}, *({"at": at} for at in range(1, head + 1))]:
            assert "lurker" not in who.looks(path, **query).text.casefold(), (path, query)


def test_no_explanation_shows_it(hiding: Server) -> None:
    head = hiding.gm.looks().json()["head"]
    beyond = hiding.ilse.looks(f"/explain/{head + 1}")
    for position in range(1, head + 1):
        answer = hiding.ilse.looks(f"/explain/{position}")
        assert "lurker" not in answer.text.casefold()
        if "lurker" in str(hiding.gm.looks("/log").json()["lines"][position - 1]).casefold():
            assert answer.status_code == 404
            assert answer.json()["title"] == beyond.json()["title"]


@pytest.mark.parametrize(
    "words", ["ilse attack {}", "{} attack ilse", "stand {} never", "rule pool {} health by=-1", "answer {}", "roll {}"]
)
def test_asking_for_it_by_name_is_like_asking_for_nobody(hiding: Server, words: str) -> None:
    """The answers differ in nothing but the name that was asked for."""
    for said in ("lurker", "lur", "Lurker"):
        there, nobody = (hiding.ilse.says(words.format(name)) for name in (said, "zz" + said))
        assert there.status_code == nobody.status_code
        assert there.text == nobody.text.replace("zz" + said, said)


def test_aiming_at_it_is_like_aiming_at_nobody(hiding: Server) -> None:
    def aimed(target: str) -> tuple[int, str]:
        params = {"target": target, "weapon": "ilse.sword"}
        answer = hiding.ilse.sends({"type": "Declared", "actor": "ilse", "kind": "attack", "params": params})
        return answer.status_code, answer.text.replace(target, "TARGET")

    assert aimed("lurker") == aimed("nobody")


@pytest.mark.parametrize("intent", [{"type": "Undo"}, {"type": "Close", "unfinished": True}])
def test_a_reason_that_everybody_reads_may_not_name_it(hiding: Server, intent: dict[str, object]) -> None:
    answer = hiding.gm.sends({**intent, "reason": "the Lurker was to strike first"})
    assert (answer.status_code, answer.json()["field"]) == (400, "intent.reason")
    answer = hiding.gm.sends(intent, id="the-lurker-strikes")
    assert (answer.status_code, answer.json()["field"]) == (400, "id")
    assert hiding.gm.sends({**intent, "reason": "too soon"}).status_code == 200


def test_once_revealed_it_is_seen(hiding: Server) -> None:
    hiding.gm.does("rule reveal lurker")
    assert "lurker" in hiding.ilse.looks("/state").json()["state"]["combatants"]


def test_counters_are_shown_as_bands(tmp_path: Path) -> None:
    with served(tmp_path, VEILED) as server:
        server.gm.does("gm begin", "roll 15", "roll 3", "rule pool bram health by=-9")
        seen = server.ilse.looks("/state").json()
        assert "health" not in seen["state"]["combatants"]["bram"].get("pools", {})
        assert seen["bands"] == {"bram": {"health": "hurt"}}
        assert server.gm.looks("/state").json()["state"]["combatants"]["bram"]["pools"]["health"] == 19
        assert server.bram.looks("/state").json()["state"]["combatants"]["bram"]["pools"]["health"] == 19
        for path in PATHS:
            for number in ('"after":19', '"before":28', '"health":19', '"health":28'):
                assert number not in server.ilse.looks(path).text

"""Correcting over HTTP what was done earlier: what becomes of the rest, what must be answered, what mends a log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.opening import open_fight
from affray.engine.stores import FileStore
from affray.events import PoolChanged
from tests.engine.test_diverged import chained_anew, cheaper
from tests.serve.server import Server, Somebody, served_again


def preview_amendment(by: Somebody, amend: dict[str, Any], id: str = "look") -> Any:
    """Preview an amendment."""
    answer = by.asks("POST", f"/api/fights/{by.fight}/preview", {"id": id, "intent": amend})
    assert answer.status_code == 200, answer.text
    return answer.json()


def find_last_of_type(by: Somebody, kind: str) -> int:
    """The last position that holds an event of a type."""
    lines = by.looks("/log").json()["lines"]
    position: int = max(line["position"] for line in lines if line["event"]["type"] == kind)
    return position


@pytest.fixture
def struck(begun: Server) -> Server:
    """The duel after Ilse has hit Bram for 4 with a real die and ended her turn."""
    begun.gm.does("ilse attack bram", "roll 15", "ilse end_turn")
    return begun


def test_what_would_have_no_place_any_more_is_named_and_dropped(begun: Server) -> None:
    begun.gm.does("ilse attack bram", "roll 15", "ilse swap unarmed pay=action")
    attack = find_last_of_type(begun.gm, "DiceEntered") - 1
    swap = find_last_of_type(begun.gm, "Declared")
    instead = {"type": "Declared", "actor": "ilse", "kind": "end_turn", "params": {}}
    amend = {"type": "Amend", "position": attack, "instead": [instead], "reason": "she never struck"}
    seen = preview_amendment(begun.gm, amend)
    entered, swapped = seen["dropped"]
    assert (entered["event"]["type"], entered["why"]) == ("DiceEntered", None)
    assert (swapped["position"], swapped["event"]["kind"], swapped["why"]["kind"]) == (swap, "swap", "refused")
    assert swapped["why"]["rule"].startswith("VES-")
    done = begun.gm.sends(amend).json()
    assert done["lines"][0]["event"]["dropped"] == [entered["position"], swap]
    assert begun.gm.looks("/state").json()["state"]["combatants"]["bram"]["pools"]["health"] == 8


def test_what_nobody_was_asked_before_is_answered_with_the_amendment(struck: Server) -> None:
    """The die that was entered is taken back, so another one is awaited; the end of the turn waits for it."""
    amend = {
        "type": "Amend",
        "position": find_last_of_type(struck.gm, "DiceEntered"),
        "instead": [],
        "reason": "misread",
    }
    seen = preview_amendment(struck.gm, amend)
    assert (seen["needs"]["by"], len(seen["waiting"])) == ("ilse", 1)
    refused = struck.gm.sends(amend)
    assert (refused.status_code, refused.json()["code"]) == (422, "answer_needed")
    assert refused.json()["source"] == seen["needs"]["roll"]
    answer = {"type": "DiceEntered", "roll": seen["needs"]["roll"], "faces": [3]}
    amend["answers"] = [answer]
    assert (preview_amendment(struck.gm, amend)["needs"], preview_amendment(struck.gm, amend)["dropped"]) == (None, [])
    assert struck.gm.sends(amend).status_code == 200
    assert struck.gm.looks("/state").json()["state"]["combatants"]["bram"]["pools"]["health"] == 8


def test_an_answer_that_nothing_asks_for_is_refused(struck: Server) -> None:
    amend = {"type": "Amend", "position": find_last_of_type(struck.gm, "DiceEntered"), "reason": "misread"}
    answers = [{"type": "Passed", "who": "bram", "window": "none"}]
    instead = [{"type": "DiceEntered", "roll": "1/ilse/attack.1/attack", "faces": [3]}]
    answer = struck.gm.sends({**amend, "instead": instead, "answers": answers})
    assert (answer.status_code, answer.json()["field"]) == (400, "intent.answers")


def test_a_look_that_is_recorded_has_an_id_of_its_own(server: Server) -> None:
    """Unseen dice are drawn for the viewer: the record has an entry under the preview's id."""
    server.host.asks("POST", "/api/fights", {"id": "thrown", "toml": THROWN})
    host = Somebody(server.client, server.host.token, "thrown")
    host.does("gm begin")
    up = host.looks("/state").json()["state"]["acting"][0]
    host.says(f"{up} end_turn", id="ended")
    foe = "bram" if up == "ilse" else "ilse"
    attack = {"type": "Declared", "actor": up, "kind": "attack", "params": {"target": foe, "weapon": f"{up}.sword"}}
    ended = next(line for line in host.looks("/log").json()["lines"] if line["cause"] == "ended")
    amend = {"type": "Amend", "position": ended["position"], "instead": [attack], "reason": "he stayed"}
    taken = host.asks("POST", "/api/fights/thrown/preview", {"id": "ended", "intent": amend})
    assert (taken.status_code, taken.json()["code"]) == (409, "reused")
    head = host.looks().json()["head"]
    seen = preview_amendment(host, amend)
    assert (seen["head"], len(seen["drawn"])) == (head + 1, 1)
    assert preview_amendment(host, amend)["head"] == head + 1


THROWN = """
system = "vestige"
name = "Thrown by the engine"
combatant = [
    { name = "Ilse", side = "red", block = "hero", weapons = ["sword"] },
    { name = "Bram", side = "blue", block = "hero", weapons = ["sword"] },
]
distance = [{ between = ["ilse", "bram"], metres = 1 }]
"""


def test_a_fight_that_diverged_is_mended_by_its_game_master(begun: Server, tmp_path: Path) -> None:
    """Its record says of what is half resolved something else than the rules: it can be taken back, and goes on."""
    begun.gm.does("ilse attack bram")
    recorded = open_fight("duel", FileStore(tmp_path)).history.recorded
    at = max(nth for nth, one in enumerate(recorded) if isinstance(one.event, PoolChanged))
    recorded[at] = replace(recorded[at], event=cheaper(recorded[at].event))
    (tmp_path / "duel.jsonl").write_bytes(b"\n".join([*chained_anew(recorded), b""]))
    with served_again(tmp_path) as host:
        ilse = Somebody(host.client, begun.ilse.token)
        for answer in (host.looks("/state"), host.says("ilse end_turn"), ilse.looks("/state"), ilse.says("ilse wait")):
            assert (answer.status_code, answer.json()["code"]) == (409, "diverged")
        safe = host.looks().json()["position"]
        assert "PoolChanged" in host.looks().json()["detail"]
        assert ilse.looks().json()["detail"] == f"the game master can take the fight back to position {safe}"
        assert ilse.sends({"type": "Undo", "to": safe}).status_code in (403, 409)
        assert host.sends({"type": "Undo", "to": safe, "reason": "it does not fit the rules"}).status_code == 200
        host.does("ilse attack bram", "roll 15")

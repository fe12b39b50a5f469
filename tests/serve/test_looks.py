"""Looks at dice before they fall, over HTTP: what is recorded, what is refused, what an audit lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.serve.server import Server, Somebody, serve_duel, token_in

BEGIN = {"type": "Declared", "actor": "gm", "kind": "begin", "params": {}}
NEVER = {"type": "Declared", "actor": "gm", "kind": "no_such_action", "params": {}}


def amend_to_begin(by: Somebody, *more: dict[str, Any]) -> dict[str, Any]:
    """Return the amendment that begins the fight in place of the last standing pass, and then does more."""
    lines = by.looks("/log").json()["lines"]
    position = max(line["position"] for line in lines if line["event"]["type"] == "AskingSet")
    return {"type": "Amend", "position": position, "instead": [BEGIN, *more], "reason": "a look"}


def previews(by: Somebody, *more: dict[str, Any], id: str = "look") -> int:
    """Ask for a preview of it; return the status."""
    body = {"id": id, "intent": amend_to_begin(by, *more)}
    return by.asks("POST", f"/api/fights/{by.fight}/preview", body).status_code


def list_look_ids(by: Somebody) -> list[str]:
    """Return the ids under which looks are recorded."""
    lines = by.looks("/log").json()["lines"]
    return [line["cause"] for line in lines if line["event"]["type"] == "Previewed"]


def at_table(server: Server) -> Somebody:
    """Return the game master of a fight with a correctable last command."""
    server.gm.does("stand bram never")
    return server.gm


def test_a_refused_preview_is_on_record(tmp_path: Path) -> None:
    with serve_duel(tmp_path, dice="engine") as server:
        gm = at_table(server)
        head = gm.looks().json()["head"]
        assert previews(gm, NEVER) >= 400
        assert (gm.looks().json()["head"], list_look_ids(gm)) == (head + 1, ["look"])
        assert previews(gm, NEVER, id="another") >= 400
        assert gm.looks().json()["head"] == head + 1


def test_a_refused_amendment_is_on_record(tmp_path: Path) -> None:
    with serve_duel(tmp_path, dice="engine") as server:
        gm = at_table(server)
        head = gm.looks().json()["head"]
        assert gm.sends(amend_to_begin(gm, NEVER)).status_code >= 400
        assert (gm.looks().json()["head"], list_look_ids(gm)) == (head + 1, [f"look-{head}"])


def test_words_after_a_look_are_refused(tmp_path: Path) -> None:
    with serve_duel(tmp_path, dice="engine") as server:
        gm = at_table(server)
        assert previews(gm) == 200
        refused = gm.sends({"type": "Stir", "words": "better luck"})
        assert (refused.status_code, refused.json()["code"]) == (422, "dice_were_seen")


def test_an_audit_lists_looks_and_forks_as_no_faults(tmp_path: Path) -> None:
    with serve_duel(tmp_path, dice="engine") as server:
        gm = at_table(server)
        assert previews(gm) == 200
        made = gm.asks("POST", "/api/fights/duel/fork", {"id": "duel-away", "reason": "what if"}).json()
        away = Somebody(server.client, token_in(made["links"]["gm"]), "duel-away")
        away.does("stand bram always")
        assert previews(away, id="again") == 200
        audit = away.looks("/audit").json()
        parent, own = audit["report"]["looks"]
        (fork,) = audit["report"]["forks"]
        assert (audit["verdict"], audit["says"]) == ("clean", [])
        assert (fork["own_dice"], fork["event"]["parent"]) == (True, "duel")
        assert audit["listed"][-4:] == [
            f"{fork['position']:>5}  gm forked this fight from “duel” at position {parent['position']}; "
            "its dice are its own from there",
            f"dice looked at before they fell, 2 times: 4 rolls; gm at {parent['position']}, {own['position']}",
            *(
                f"{one['position']:>5}  gm saw 0/initiative/initiative:ilse (1d20 initiative), "
                "0/initiative/initiative:bram (1d20 initiative)"
                for one in (parent, own)
            ),
        ]

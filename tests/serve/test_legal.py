"""Legal actions over HTTP, step by step: equal to the engine's, small, and for each viewer its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from affray.engine import FileStore, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.fight import Fight
from affray.engine.stores import Store
from affray.tools.api.legal_actions import everything
from affray.tools.lab.bench.crowd import crowd
from tests.engine.fights import noon, salt, submit_accepted
from tests.rulesets.systems import PRESENT
from tests.serve.server import HOST, Server, Somebody, client_of, serving
from tests.tools.walked import Asks, walk_declarations

MOST_BYTES = 20_000
MOMENTS = (1, 12)


def serve_crowd(store: Store, system: str) -> Iterator[tuple[Fight, Somebody]]:
    """Yield a fight with 21 foes at a few moments, and the game master at a server of it."""
    fight = begin_fight("duel", crowd(system), who="gm", seed=bytes([33]) * 32, store=store, clock=noon, salts=salt)
    chance = Random(1)
    with client_of(serving(store)) as client:
        for nth in range(max(MOMENTS)):
            intent = choose_sensibly(fight, chance)
            assert intent is not None
            submit_accepted(fight, intent)
            if nth + 1 in MOMENTS:
                yield fight, Somebody(client, HOST)


def make_server_asker(gm: Somebody, sizes: list[int]) -> Asks:
    """Return what asks a server, and notes how much it answers."""

    def ask(who: str = "", manner: str = "", kind: str = "", chosen: Any = None) -> dict[str, Any]:
        path = f"/legal/{who}/{kind}".rstrip("/")
        said = {"chosen": msgspec.json.encode(chosen).decode()} if kind else {}
        answer = gm.looks(path, **said, **({"manner": manner} if manner else {}))
        assert answer.status_code == 200, answer.text
        sizes.append(len(answer.content))
        found: dict[str, Any] = answer.json()
        return found

    return ask


@pytest.mark.parametrize("system", PRESENT)
def test_among_a_crowd_the_tree_has_the_leaves_of_the_list_in_small_answers(system: str, tmp_path: Path) -> None:
    """In the order of the list, for the first who may act, among 21 foes; without what they have nothing for.

    At the first moment for the first two.
    """
    for many, (fight, gm) in zip((2, 1), serve_crowd(FileStore(tmp_path), system), strict=True):
        sizes: list[int] = []
        ask = make_server_asker(gm, sizes)
        actors = ask()["actors"][:many]
        due = [one for one in list_acceptable(fight) if mover(one) in actors and is_for(fight, one)]
        assert list(walk_declarations(partial(_of, ask, actors))) == due
        assert max(sizes) < MOST_BYTES


def list_acceptable(fight: Fight) -> list[dict[str, Any]]:
    """Return every declaration that would be accepted, as a program reads it."""
    found: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode([*everything(fight)]))
    return [one for one in found if one["kind"] == "declaration"]


def is_for(fight: Fight, declaration: dict[str, Any]) -> bool:
    """Tell whether a declaration is shown to its possible senders."""
    intent = declaration["intent"]
    return fight.ruleset.actions[intent["kind"]].is_for(fight.table, intent["actor"])


def mover(declaration: dict[str, Any]) -> dict[str, Any]:
    """Return who declares it, and how."""
    intent = declaration["intent"]
    return {"who": intent["actor"], "manner": intent.get("manner", "standard")}


def _of(ask: Asks, actors: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Ask what some alone may do."""
    return ask(**more) if more else {"actors": actors}


def test_what_is_still_to_be_chosen_comes_with_the_refusals(begun: Server) -> None:
    """Field by field; what is taken as usual says so."""
    kinds = {one["kind"]: one for one in begun.ilse.looks("/legal/ilse").json()["kinds"]}
    assert kinds["attack"] == {
        "kind": "attack",
        "says": "strike an enemy in range",
        "fields": ["target", "weapon", "ep"],
    }
    assert kinds["forfeit"]["refused"] == {
        "code": "not_at_brink",
        "message": "Ilse is not at the brink",
        "rule": "VES-056",
        "source": "ilse.health",
    }
    assert "reload" not in kinds  # nothing she has is loaded
    filled = begun.ilse.looks("/legal/ilse/attack", fill=True).json()
    assert [(one["field"], one["usual"], one["chosen"]) for one in filled["fields"]] == [("ep", 0, 0)]
    assert filled["whole"]["line"] == "ilse attack bram"
    tried = begun.ilse.looks("/legal/ilse/attack", chosen='{"target":"ilse"}').json()
    assert (tried["whole"], tried["fields"], tried["refused"]["rule"]) == (None, [], "VES-020")


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/legal/zz", {}, "who"),
        ("/legal/ilse", {"manner": "provoked"}, "manner"),
        ("/legal/ilse/attack", {"chosen": "{"}, "chosen"),
        ("/legal/ilse/attack", {"chosen": "[1]"}, "chosen"),
        ("/legal/ilse/attack", {"chosen": "[" * 5000}, "chosen"),
        ("/legal/ilse/attack", {"chosen": '{"target":3}'}, "chosen.target"),
        ("/legal/ilse/attack", {"chosen": '{"wings":3}'}, "chosen.wings"),
        ("/legal/ilse/attack", {"fill": "perhaps"}, "fill"),
    ],
)
def test_served_legal_names_what_cannot_be_parsed(begun: Server, path: str, query: dict[str, str], field: str) -> None:
    answer = begun.gm.looks(path, **query)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_an_action_that_there_is_not_is_refused_as_the_rules_do(begun: Server) -> None:
    assert begun.ilse.looks("/legal/ilse/fly").json()["refused"]["rule"] == "VES-011"


def test_at_a_closed_record_everything_is_refused_for_that(begun: Server) -> None:
    begun.gm.sends({"type": "Close", "unfinished": True})
    assert begun.gm.looks("/legal").json()["actors"] == []
    kinds = begun.ilse.looks("/legal/ilse").json()["kinds"]
    assert {one["refused"]["code"] for one in kinds} == {"closed"}

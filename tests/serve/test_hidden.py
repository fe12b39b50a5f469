"""Hidden facts reach a viewer on no route, and no answer reveals their existence."""

from __future__ import annotations

import asyncio
import tomllib
from contextlib import aclosing, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine.analysis.policies import choose_sensibly
from affray.engine.opening import begin_fight, open_fight
from affray.engine.rulesets.vestige.gear import find_weapon_in_hand
from affray.engine.stores import FileStore
from affray.engine.visibility import Viewer
from affray.events import Declared
from affray.tools.api import queries
from affray.tools.api.access import VisibleRefusal
from affray.tools.api.command_checks import check_visible
from affray.tools.api.projection import project_fight
from affray.tools.api.viewer_queries import list_actions_for, list_actors_for, list_choices_for
from affray.tools.parse.intent_parser import intent
from affray.tools.server.feed import encode_messages
from affray.tools.server.hub import Hub
from affray.tools.server.open_fights import OpenFights
from affray.tools.server.view_cache import View
from tests.engine.fights import noon, salt, submit_accepted
from tests.rulesets.systems import PRESENT
from tests.serve.asking import ask_all, concealing_fights
from tests.serve.followed import whole_chain, wire_line
from tests.serve.server import HOST, LURKER, Server, Somebody, client_of, create_token, serve_duel, serving, token_in
from tests.tools.program import ENCOUNTER

HEXES = """
system = "hexblade"
name = "A room"
[[combatant]]
name = "Ilse"
side = "red"
block = "fighter"
weapons = ["long-sword"]
at = "0,0"
[[combatant]]
name = "Bram"
side = "blue"
block = "archer"
weapons = ["crossbow"]
at = "4,0"
[[combatant]]
name = "Lurker"
side = "blue"
block = "bandit"
initiative = 1
concealed = true
at = "{}"
"""

VEILED = ENCOUNTER.replace("health = 8\n", 'health = 28\nveiled = ["health"]\n')

PATHS = (
    "",
    "/state",
    "/log",
    "/legal",
    "/story",
    "/legal/ilse",
    "/legal/ilse/attack",
    "/clauses",
    "/audit",
    "/export.md",
    "/export.html",
    "/rolls.csv",
    "/events.csv",
    "/forecasts",
)


def test_the_game_master_sees_it(hiding: Server) -> None:
    assert "lurker" in hiding.gm.looks("/state").text
    assert hiding.gm.looks("/audit").json()["clean"]


def test_an_audit_reads_no_line_that_is_recorded_while_it_runs(begun: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who sees all may ask for it; what the game master hides meanwhile is not in the answer."""
    read, said = queries.audit_fight, {"kind": "conceal", "params": {"who": "bram"}, "reason": "behind the altar"}

    def slowly(*about: Any, **more: Any) -> Any:
        assert begun.gm.sends({"type": "Ruled", **said}).is_success
        return read(*about, **more)

    monkeypatch.setattr(queries, "audit_fight", slowly)
    answer = begun.ilse.looks("/audit")
    assert answer.status_code == 200
    assert answer.json()["clean"]
    assert "altar" not in answer.text
    assert begun.ilse.looks("/audit").status_code == 403


@pytest.mark.parametrize("path", PATHS)
def test_no_look_shows_it(hiding: Server, path: str) -> None:
    head = hiding.gm.looks().json()["head"]
    for who in (hiding.ilse, hiding.spectator):
        for query in [{}] if path != "/state" else [{}, *({"at": at} for at in range(1, head + 1))]:
            assert "lurker" not in who.looks(path, **query).text.casefold(), (path, query)


@pytest.mark.parametrize("system", PRESENT)
def test_no_answer_of_any_route_names_a_concealed_companion(tmp_path: Path, system: str) -> None:
    """One player plays two combatants in sight and one who is concealed: what all three share is told as of two."""
    asked = set[str]()
    fights = list(concealing_fights(system, tmp_path, 12))
    assert fights
    with client_of(serving(FileStore(tmp_path))) as client:
        for fight in fights:
            host, state = Somebody(client, HOST, fight.name), fight.state
            known = [who for who in state.combatants if who not in state.concealed]
            eve, bo = create_token(host, "spectator", "Eve"), create_token(host, "player", "Bo", *known[:2])
            assert "krull" in host.looks("/log").text.casefold()
            for token in (eve, bo):
                for path, status, text in ask_all(client.app, Somebody(client, token, fight.name), fight):
                    assert "krull" not in text.casefold(), (path, status)
                    asked |= {*path.split("/")} if status == 200 else set()
    assert asked >= {"state", "log", "story", "headlines", "explain", "legal", "aims", "ways", "cost", "scene"}


def test_no_explanation_shows_it(hiding: Server) -> None:
    head = hiding.gm.looks().json()["head"]
    beyond = hiding.ilse.looks(f"/explain/{head + 1}")
    for position in range(1, head + 1):
        answer = hiding.ilse.looks(f"/explain/{position}")
        assert "lurker" not in answer.text.casefold()
        if "lurker" in str(hiding.gm.looks("/log").json()["lines"][position - 1]["event"]).casefold():
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


def test_words_of_the_game_master_are_for_those_who_know_until_they_are_released(hiding: Server) -> None:
    """Later events are open; viewers who got the words sealed get them again, and can check the chain."""
    ruled = hiding.gm.says("rule pool ilse health by=-1", reason="of a chill").json()["lines"]
    assert [line["event"]["type"] for line in ruled][:2] == ["Ruled", "PoolChanged"]
    for who in (hiding.ilse, hiding.spectator):
        lines = who.looks("/log").json()["lines"]
        assert "of a chill" not in str(lines)
        assert lines[ruled[1]["position"] - 1]["event"]["type"] == "PoolChanged"
    assert hiding.gm.says("rule release").status_code == 200
    for who in (hiding.ilse, hiding.spectator):
        lines = who.looks("/log").json()["lines"]
        assert lines[ruled[0]["position"] - 1]["event"]["reason"] == "of a chill"
        assert "lurker" not in str(lines).casefold()
        whole_chain([wire_line(msgspec.json.encode(line).decode()) for line in lines])


TELLING = ("mara", "lurker", "an-arrow")


@pytest.fixture
def shot(hiding: Server) -> Somebody:
    """The lurker's player, who has hesitated, taken that back, and shot at Ilse; under ids that say so."""
    mara = Somebody(hiding.client, create_token(hiding.gm, "player", "Mara", "lurker"))
    assert mara.says("stand lurker never", id="lurker-hesitates").status_code == 200
    assert mara.sends({"type": "Undo"}, id="mara-thinks-again").status_code == 200
    hiding.gm.does("ilse end_turn", "bram end_turn")
    assert mara.says("lurker attack ilse", id="an-arrow").status_code == 200
    assert mara.says("roll 19", id="lurker-rolls").status_code == 200
    return mara


def no_word_of_it(text: str) -> None:
    """Hold that a text names neither the player of the hidden one, nor the ids of what they did."""
    assert not [word for word in TELLING if word in text.casefold()]


def test_no_look_tells_who_plays_it(hiding: Server, shot: Somebody) -> None:
    """Nor under which id; on no line of their commands, not on the open ones, such as the arrow's harm."""
    head = hiding.gm.looks().json()["head"]
    paths = [*PATHS, "/rulings", *(f"/explain/{position}" for position in range(1, head + 1))]
    for who in (hiding.ilse, hiding.bram, hiding.spectator):
        for path in paths:
            no_word_of_it(who.looks(path).text)
        no_word_of_it(who.asks("GET", "/api/fights").text)
        lines = who.looks("/log").json()["lines"]
        masked = [line for line in lines if "by" in line]
        assert "Rewound" in [line["event"]["type"] for line in masked if "event" in line]
        hurt = [line["event"]["who"] for line in masked if line.get("event", {}).get("type") == "PoolChanged"]
        assert "ilse" in hurt
        assert all("who" not in line and "cause" not in line and "mask" not in line for line in masked)
    for who in (hiding.gm, shot):
        assert {"an-arrow", "mara-thinks-again"} <= {line["cause"] for line in who.looks("/log").json()["lines"]}


def test_an_explanation_of_an_open_line_does_not_tell_who_sent_it(hiding: Server, shot: Somebody) -> None:
    lines = hiding.ilse.looks("/log").json()["lines"]
    rewound = next(line["position"] for line in lines if line.get("event", {}).get("type") == "Rewound")
    told = hiding.ilse.looks(f"/explain/{rewound}").json()["command"]
    assert (told["who"], told["id"]) == ("", "")
    told = shot.looks(f"/explain/{rewound}").json()["command"]
    assert (told["who"], told["id"]) == ("Mara", "mara-thinks-again")


def test_no_stream_tells_who_plays_it(hiding: Server, shot: Somebody, tmp_path: Path) -> None:
    """Neither route; and its reader can check the chain."""

    async def streamed() -> str:
        hub = Hub(OpenFights(FileStore(tmp_path)))
        text = ""
        async with aclosing(
            encode_messages(await hub.follow("duel", Viewer(role="player", owns=("ilse",)), 0))
        ) as stream:
            async for chunk in stream:
                text += chunk.decode()
                if "event: ready" in text:
                    return text
        return text

    sent = asyncio.run(streamed())
    no_word_of_it(sent)
    data = [part.partition("data: ")[2] for part in sent.split("\n\n") if "event: line" in part]
    whole_chain([wire_line(one) for one in data])
    with hiding.ilse.client.websocket_connect("/api/fights/duel/feed") as socket:
        socket.send_json({"token": hiding.ilse.token, "after": 0})
        while '"type":"ready"' not in (text := socket.receive_text()):
            no_word_of_it(text)
        assert shot.says("stand lurker never", id="lurker-waits").status_code == 200
        no_word_of_it(socket.receive_text())


def test_an_id_of_somebody_hidden_is_taken_and_no_more_is_said(hiding: Server, shot: Somebody) -> None:
    """Not even where; their own player is told, by getting the first answer again."""
    asked = {"type": "AskingSet", "who": "ilse", "ask": "never"}
    answer = hiding.ilse.sends(asked, id="an-arrow")
    assert (answer.status_code, answer.json()["code"]) == (409, "reused")
    assert "position" not in answer.json()
    assert "mara" not in answer.text.casefold()
    again = shot.says("lurker attack ilse", id="an-arrow").json()
    assert again["repeated"]
    assert {line["who"] for line in again["lines"]} == {"Mara"}


def test_an_id_is_a_guess_of_whoever_cannot_know(hiding: Server) -> None:
    """A name that is hidden from its sender is in the record as any other word would be, and so confirms nothing."""
    for word, ask in (("lurker", "never"), ("zurker", "always")):
        asked = {"type": "AskingSet", "who": "ilse", "ask": ask}
        lines = hiding.ilse.sends(asked, id=f"is-it-{word}").json()["lines"]
        assert {line["cause"] for line in lines} == {f"is-it-{word}"}


@pytest.mark.parametrize("field", ["kind", "manner"])
def test_what_is_no_action_is_refused_alike_whatever_it_is_called(hiding: Server, field: str) -> None:
    intent = {"type": "Declared", "actor": "ilse", "kind": "attack", "params": {"target": "bram"}}
    there, nobody = (hiding.ilse.sends({**intent, field: word}) for word in ("lurker", "zurker"))
    assert there.status_code == nobody.status_code
    assert there.text == nobody.text.replace("zurker", "lurker")


def test_how_an_attack_on_it_would_go_on_is_like_one_on_nobody(hiding: Server) -> None:
    """Nor is it among those who can be chosen; and what it may do is not told."""
    choices = hiding.ilse.looks("/legal/ilse/attack").json()["fields"][0]
    assert choices["field"] != "target" or [one["value"] for one in choices["choices"]] == ["bram"]
    assert "lurker" in hiding.gm.looks("/legal/ilse/attack").text
    for path in ("/legal/{}", "/legal/{}/attack", '/legal/ilse/attack?chosen={{"target":"{}"}}'):
        there, nobody = (hiding.ilse.asks("GET", f"/api/fights/duel{path.format(name)}") for name in ("lurker", "zzz"))
        assert there.status_code == nobody.status_code
        assert there.text == nobody.text.replace("zzz", "lurker")


def test_what_may_be_done_does_not_depend_on_it() -> None:
    """A hex with it is offered like all others; a collision is refused when tried."""
    ilse = Viewer(role="player", owns=("ilse",))
    offered = []
    for hex in ("1,0", "6,0"):
        fight = begin_fight("room", tomllib.loads(HEXES.format(hex)), who="gm", seed=bytes(32), clock=noon)
        while not (ways := list_choices_for(ilse, fight, "ilse", "move", "standard", {})).fields:
            intent = choose_sensibly(fight, Random(1))
            assert intent is not None
            submit_accepted(fight, intent)
        offered.append(
            (list_actors_for(ilse, fight).actors, list_actions_for(ilse, fight, "ilse", "standard").kinds, ways.fields)
        )
    assert offered[0] == offered[1]


def test_a_hidden_rider_has_the_mount_that_came_along(tmp_path: Path) -> None:
    """The rider's player sees both, and other viewers see neither."""
    text = Path("encounters/verdigris/toll-road.toml").read_text(encoding="utf-8")
    riding = text.replace('name = "Pell"', 'name = "Pell"\nconcealed = true')
    with client_of(serving(FileStore(tmp_path))) as client:
        opened = Somebody(client, HOST).asks("POST", "/api/fights", {"id": "duel", "toml": riding})
        links = opened.json()["links"]
        pell, ilka, spectator = (
            Somebody(client, token_in(link))
            for link in (links["players"]["Pell"], links["players"]["Ilka"], links["spectator"])
        )
        assert pell.looks().json()["you"]["owns"] == ["pell", "pell-courser"]
        assert ilka.looks().json()["you"]["owns"] == ["ilka"]
        assert {"pell", "pell-courser"} <= pell.looks("/state").json()["state"]["combatants"].keys()
        for who in (ilka, spectator):
            assert not [path for path in PATHS if "pell" in who.looks(path).text.casefold()]


def test_once_revealed_it_is_seen(hiding: Server) -> None:
    hiding.gm.does("rule reveal lurker")
    assert "lurker" in hiding.ilse.looks("/state").json()["state"]["combatants"]


@pytest.mark.parametrize("encounter", [ENCOUNTER, ENCOUNTER + LURKER], ids=["nothing hidden", "a lurker"])
def test_no_state_counts_sealed_rulings(tmp_path: Path, encounter: str) -> None:
    """The game master rolls in secret, and rules about Lurker where it lurks. Spectators count neither."""
    with serve_duel(tmp_path, encounter, dice="engine") as server:
        server.gm.does("gm begin")
        before = server.spectator.looks("/state").json()["state"].get("counts", {})
        rulings: list[tuple[str, dict[str, Any]]] = [("secret_roll", {"dice": "1d6", "purpose": "luck"})]
        rulings += [("pool", {"who": "lurker", "pool": "health", "by": -1})] if encounter != ENCOUNTER else []
        for kind, params in rulings:
            ruled = server.gm.sends({"type": "Ruled", "kind": kind, "params": params, "reason": "so"})
            assert ruled.status_code == 200, ruled.text
            counted = server.gm.looks("/state").json()["state"].get("counts", {})
            assert [one for one in counted if one.startswith(f"gm/{kind}.")]
        assert server.spectator.looks("/state").json()["state"].get("counts", {}) == before
        fight = open_fight("duel", FileStore(tmp_path))
        snapshot = View(Viewer(role="spectator"), fight.history.recorded, fight.state).snapshot()
        assert msgspec.json.decode(snapshot)["state"].get("counts", {}) == before


def test_counters_are_shown_as_bands(tmp_path: Path) -> None:
    with serve_duel(tmp_path, VEILED) as server:
        server.gm.does("gm begin", "roll 15", "roll 3", "rule pool bram health by=-9")
        seen = server.ilse.looks("/state").json()
        assert "health" not in seen["state"]["combatants"]["bram"].get("pools", {})
        assert seen["bands"] == {"bram": {"health": "hurt"}}
        assert server.gm.looks("/state").json()["state"]["combatants"]["bram"]["pools"]["health"] == 19
        assert server.bram.looks("/state").json()["state"]["combatants"]["bram"]["pools"]["health"] == 19
        for path in PATHS:
            for number in ('"after":19', '"before":28', '"health":19', '"health":28'):
                assert number not in server.ilse.looks(path).text


def test_who_hides_under_the_name_of_a_thing_costs_the_players_no_answer() -> None:
    """All items are seen, with any name of a hidden combatant, and the rules find what they need."""
    lurker = LURKER.replace("Lurker", "Unarmed").replace("lurker", "unarmed")
    content = tomllib.loads(ENCOUNTER.replace('weapons = ["sword"]\n', "") + lurker)
    fight = begin_fight("duel", content, who="gm", seed=bytes([1]) * 32, clock=noon, salts=salt)
    submit_accepted(fight, intent(fight, "gm begin"))
    while "ilse" not in fight.state.acting:
        submit_accepted(fight, intent(fight, f"{fight.state.acting[0]} end_turn"))
    viewer = Viewer(role="player", name="Ilse", owns=("ilse",))
    assert find_weapon_in_hand(project_fight(viewer, fight).table, "ilse") == find_weapon_in_hand(fight.table, "ilse")
    assert list_actors_for(viewer, fight).actors
    list_actions_for(viewer, fight, "ilse", "standard")
    list_choices_for(viewer, fight, "ilse", "attack", "standard", {})
    for kind in ("attack", "end_turn"):
        with suppress(VisibleRefusal):
            check_visible(viewer, fight, Declared(actor="ilse", kind=kind, params=Raw(b'{"target":"bram"}')))

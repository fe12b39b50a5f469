"""What a foe has left is on no route and in no feed of players and spectators, in every system."""

from __future__ import annotations

import re
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Fight, FileStore, begin_fight
from affray.engine.analysis.playing import play
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.visibility import Viewer, list_foes
from affray.events import PoolChanged, Ruled
from affray.tools.server.view_cache import View
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.serve.server import HOST, Somebody, client_of, create_token, serving

MUCH = 739
"""The health of a foe: a number that nothing else in the fight has."""

FIGHTS: dict[str, tuple[str, str]] = {
    "hexblade": ("hexblade/palisade", "hp"),
    "verdigris": ("verdigris/toll-road", "hp"),
    "vestige": ("vestige/ford", "health"),
    "wwn": ("wwn/cellar", "hp"),
    "wyrd": ("wyrd/mill", "wounds"),
}
"""For each system an encounter, and the field that holds a foe's health."""

PROOF = re.compile(r"[0-9a-f]{16,}")


def begin_unread(tmp_path: Path, system: str, show: str) -> tuple[Fight, set[int]]:
    """Play the beginning of a fight, and return it with all numbers that the health of its foes had."""
    name, field = FIGHTS[system]
    content: dict[str, Any] = deepcopy(load_shipped_encounters()[name])
    heroes = {one["side"] for one in content["combatant"] if one.get("pc") or one.get("player")}
    heroes = heroes or {content["combatant"][0]["side"]}
    foes = [one for one in content["combatant"] if one["side"] not in heroes]
    for nth, one in enumerate(foes if system != "wyrd" else ()):  # there no sheet says how much harm one can take
        one[field] = MUCH + 20 * nth
    store = FileStore(tmp_path)
    fight = begin_fight("duel", {**content, "foes": show}, who="gm", seed=SEED, store=store, clock=noon, salts=salt)
    for nth, who in enumerate(sorted(list_foes(fight.state)) if system == "wyrd" else ()):
        params = msgspec.json.encode({"who": who, "pool": field, "to": MUCH + 20 * nth})
        submit_accepted(fight, Ruled(kind="pool", params=Raw(params), reason="worn"))
    sides = {one.side for one in fight.state.combatants.values()}
    for _ in play(fight, dict.fromkeys(sides, choose_sensibly), chance=Random(5), most=30):
        pass
    known = list_foes(fight.state)
    changes = [one.event for one in fight.history.recorded if isinstance(one.event, PoolChanged)]
    numbers = {n for one in changes if one.who in known and one.pool == field for n in (one.before, one.after)}
    return fight, {MUCH + 20 * nth for nth in range(len(foes))} | {one for one in numbers if one > MUCH - 100}


@pytest.mark.parametrize("show", ["rough", "hidden"])
@pytest.mark.parametrize("system", FIGHTS)
def test_no_answer_holds_the_health_of_a_foe(tmp_path: Path, system: str, show: str) -> None:
    """The game master reads it on several routes; players and spectators on none, and no sheet of a foe."""
    fight, numbers = begin_unread(tmp_path, system, show)
    wanted = re.compile(rf"(?<!\d)({'|'.join(map(str, sorted(numbers)))})(?!\d)")
    foes = list_foes(fight.state)
    heroes = [who for who in fight.state.combatants if who not in foes]
    with client_of(serving(FileStore(tmp_path))) as client:
        host = Somebody(client, HOST)
        tokens = [create_token(host, "player", "Anna", *heroes), create_token(host, "spectator", "Eve")]
        paths = [path.removeprefix("/api/fights/{fight}") for path, way in _list_paths(host) if "get" in way]
        paths = [path for path in paths if not path.startswith("/api") and "feed" not in path]
        known = {"position": str(fight.head), "who": heroes[0], "kind": "attack", "target": min(foes)}
        told = 0
        for path in paths:
            asked = re.sub(r"{(\w+)}", lambda field: known.get(field[1], "1"), path)
            told += bool(wanted.search(PROOF.sub("", host.looks(asked).text)))
            for token in tokens:
                answer = Somebody(client, token).looks(asked)
                found = wanted.search(PROOF.sub("", answer.text))
                assert found is None, (asked, answer.text[max(0, found.start() - 200) : found.end() + 100])
        assert told >= 3
        seen = Somebody(client, tokens[0]).looks("/state").json()
        for who in foes:
            assert not seen["state"]["combatants"][who].get("stats")
        for text in (Somebody(client, tokens[0]).looks("/story").text, Somebody(client, tokens[1]).looks("/log").text):
            said = re.findall(r'"(?:text|says)":"([^"]*)"', text)
            assert not [one for one in said for who in foes if re.search(rf"\b{who}\b", one) and "-" in who]
        assert bool(seen.get("bands")) == (show == "rough")
    for viewer in (Viewer(role="player", owns=tuple(heroes)), Viewer(role="spectator")):
        snapshot = View(viewer, fight.history.recorded, fight.state).snapshot().decode()
        assert not wanted.search(PROOF.sub("", snapshot))


def _list_paths(host: Somebody) -> list[tuple[str, Any]]:
    return [*msgspec.json.decode(host.asks("GET", "/schema/openapi.json").content)["paths"].items()]

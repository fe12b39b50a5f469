"""Sentences of open lines use no name that their readers may not know."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Command, Fight, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.visibility import Viewer, WireLine, can_read
from affray.events import Declared, MarkSet, RelationSet, Ruled
from affray.tools.api.viewer_queries import project_lines, project_log
from affray.tools.present.story.line_sentences import LineSentences
from affray.tools.server.line_cache import LineCache
from tests.engine.fights import SEED, noon, salt, submit_accepted

SPECTATOR = Viewer(role="spectator")
HOST = Viewer(role="gm")


def begin_spoken_fight(system: str, *combatants: dict[str, Any]) -> Fight:
    """Open a fight."""
    told = {"system": system, "name": "road", "combatant": list(combatants)}
    return begin_fight("road", told, who="gm", seed=SEED, clock=noon, salts=salt)


def declare_and_submit(fight: Fight, actor: str, kind: str, **params: Any) -> None:
    """Let a combatant do something."""
    submit_accepted(fight, Declared(actor=actor, kind=kind, params=Raw(msgspec.json.encode(params))))


def list_said_lines(fight: Fight, viewer: Viewer) -> list[str]:
    """Return what every line says to a viewer: as an answer, in the log, and as it is followed."""
    recorded = fight.history.recorded
    answered = [one.says for one in project_lines(viewer, fight, recorded)]
    written = [msgspec.json.encode({"event": one.event}) for one in recorded]
    logged = msgspec.json.decode(msgspec.json.encode(project_log(viewer, fight, 0, written)), type=list[WireLine])
    assert [one.says for one in logged] == answered

    async def nothing(_: int) -> list[bytes]:
        return []

    lines = LineCache(nothing, fight.history).list_recent(0, len(recorded)) or ()
    assert [msgspec.json.decode(one.encode_for(viewer)).get("says", "") for one in lines] == answered
    return [one for one in answered if one]


def open_road_fight() -> Fight:
    """Return a fight of Verdigris in which Anna plays two known combatants and a concealed one."""
    hero = {"side": "party", "pc": True, "hp": 5, "weapons": ["broad-sword"]}
    fight = begin_spoken_fight(
        "verdigris",
        {"name": "Runa", "player": "Anna", **hero},
        {"name": "Ilse", "player": "Anna", **hero},
        {"name": "Jory", "player": "Bo", **hero},
        {"name": "Baron Krull", "player": "Anna", "concealed": True, **hero},
        {"name": "Bandit", "side": "enemies", "block": "bandit"},
    )
    declare_and_submit(fight, "gm", "begin")
    declare_and_submit(fight, "runa", "roll_initiative")
    return fight


def test_a_relation_that_is_called_by_its_members_is_called_by_those_in_sight() -> None:
    """The player of three, one of them concealed, is the player of two."""
    fight = open_road_fight()
    assert not [one for one in list_said_lines(fight, SPECTATOR) if "Krull" in one]
    assert [one for one in list_said_lines(fight, SPECTATOR) if "the player of Runa and Ilse" in one]
    assert [one for one in list_said_lines(fight, HOST) if "Krull" in one]


def test_a_sealed_line_names_no_combatant_that_its_readers_do_not_know() -> None:
    """Jory and the Baron are concealed. Bo plays Jory, and reads what is sealed for Jory."""
    fight = open_road_fight()
    submit_accepted(fight, Ruled(kind="conceal", params=Raw(b'{"who":"jory"}'), reason="a trap"))
    seats = [one.event.relation for one in fight.history.recorded if isinstance(one.event, RelationSet)]
    rolled = MarkSet(owner="fight", key="rolled", value=seats[0])
    line = replace(fight.history.recorded[-1], event=rolled, audience=("jory",))
    assert can_read(Viewer(role="player", name="Bo", owns=("jory",)), line)
    assert not can_read(SPECTATOR, line)
    assert LineSentences(fight.history).of(line) == "Fight: rolled = the player of Runa and Ilse"


@pytest.mark.parametrize("text", ["baron-krull shows", "nobody-at-all shows", "jory shouts (VER-072). Bandit is dead"])
def test_words_of_a_player_are_told_as_they_were_written(text: str) -> None:
    """The words are a concealed combatant's id, a known one's, or an unused word."""
    fight = open_road_fight()
    while "runa" not in fight.state.acting or not fight.state.quiet:
        intent = choose_sensibly(fight, Random(0))
        assert intent is not None
        submit_accepted(fight, intent)
    params = Raw(msgspec.json.encode({"trigger": "other", "text": text}))
    ready = Declared(actor="runa", kind="ready", params=params)
    fight.submit(Command(id="ready", who="Bo", intent=ready, knows=("runa",)))
    assert [one for one in list_said_lines(fight, SPECTATOR) if f"= “{text}”" in one]


def test_a_side_is_called_alike_whoever_is_concealed_on_it() -> None:
    """Several of a side act together; one in sight and one who is concealed do not show that they are several."""
    told = []
    for side in ("pack", "bears"):
        fight = begin_spoken_fight(
            "wwn",
            {"name": "Runa", "side": "guards", "pc": True, "class": "warrior", "level": 1, "hp": 8},
            {"name": "Wolf", "side": "pack", "ac": 12, "hp": 5, "attack": 1},
            {"name": "Lurker", "side": side, "ac": 12, "hp": 5, "attack": 1, "concealed": True},
        )
        declare_and_submit(fight, "gm", "begin", surprised="pack")
        told.append([one for one in list_said_lines(fight, SPECTATOR) if "surprised" in one])
    assert told[0] == told[1] != []

"""A name of a side means that side, even if a concealed combatant has the same name."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.commands import Intent
from affray.events import Asked, Declared, DiceSourceSet, Event, Ruled
from tests.engine.fights import SEED, noon, salt
from tests.engine.twins import open_events

ALLEY = Path(__file__).parents[2] / "encounters" / "vestige" / "alley.toml"


def open_watch_fight(name: str) -> Fight:
    """Return a fight of the night watch, a side, with one more smuggler, who is concealed."""
    told = tomllib.loads(ALLEY.read_text("utf-8"))
    entry = {"name": name, "side": "smugglers", "block": "minion", "weapons": ["knife"], "concealed": True}
    told["combatant"].append(entry)
    next(one for one in told["distance"] if {*one["between"]} == {"odo", "nell"})["metres"] = 4
    known = {"odo": 20, "maren": 20, "nell": 4, "vesna": 20}
    told["distance"] += [{"between": [who, name.lower()], "metres": far} for who, far in known.items()]
    return begin_fight("alley", told, who="gm", seed=SEED, clock=noon, salts=salt)


def send_as_player(fight: Fight, who: str, intent: Intent, *knows: str) -> None:
    """Send a command, of the game master or of the player of those named."""
    fight.submit(Command(id=f"c{fight.head}", who=who, intent=intent, knows=knows or None))


def list_first_turn(name: str, intent: Intent, *knows: str) -> list[Event]:
    """Return the open events of Nell's first turn with a declaration or ruling."""
    fight = open_watch_fight(name)
    send_as_player(fight, "gm", Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    send_as_player(fight, "gm", Ruled(kind="turn", params=Raw(b'{"who":"nell"}'), reason="she is quick"))
    while "nell" not in fight.state.acting:
        (who,) = fight.state.acting
        send_as_player(fight, "gm", Declared(actor=who, kind="end_turn", params=Raw(b"{}")))
    before = len(open_events(fight))
    send_as_player(fight, "Anna" if knows else "gm", intent, *knows)
    return open_events(fight)[before:]


@pytest.mark.parametrize("word", ["beside", "away_from"])
def test_a_player_who_moves_to_or_from_a_side_means_the_side(word: str) -> None:
    """Their words lead to the combatants of the side that they know, and are open."""
    params: dict[str, Any] = {word: "watch"}
    move = Declared(actor="nell", kind="move", params=Raw(msgspec.json.encode(params)))
    events = list_first_turn("Watch", move, "nell")
    assert events == list_first_turn("Shadow", move, "nell")
    assert isinstance(events[0], Declared)
    assert any(isinstance(one, Asked) for one in events)


def test_a_ruling_about_a_side_is_about_the_side() -> None:
    """Its dice are real ones from then on, and those of a concealed combatant called like it are not."""
    ruling = Ruled(kind="dice", params=Raw(b'{"owner":"watch","source":"entered"}'), reason="their own dice")
    events = list_first_turn("Watch", ruling)
    assert events == list_first_turn("Shadow", ruling)
    assert [(one.owner, one.side) for one in events if isinstance(one, DiceSourceSet)] == [("", "watch")]

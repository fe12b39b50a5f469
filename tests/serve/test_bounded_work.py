"""The work of one command or query is bounded, or done outside the event loop."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.core.state import Combatant, Item, Relation, State
from affray.engine.visibility import Viewer
from affray.events import Member
from affray.tools.api.schemas.feed import Ready
from affray.tools.server import fight_size, line_cache
from affray.tools.server.feed import encode_batch
from affray.tools.server.fight_size import count_entries, is_slow_update
from affray.tools.server.messages import Batch
from affray.tools.server.server_state import ServerState
from affray.tools.server.sessions import FightSession
from affray.tools.server.view_cache import rights_of
from tests.serve.followed import GM, NAME, Client, Process, whole_chain
from tests.serve.server import Server, create_token


@pytest.fixture
def aside(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what is done in threads with a fight."""
    done: list[str] = []
    in_thread = FightSession.run_in_thread

    def noted(seat: FightSession, work: Any, *about: Any) -> Any:
        done.append(getattr(work, "__name__", ""))
        return in_thread(seat, work, *about)

    monkeypatch.setattr(FightSession, "run_in_thread", noted)
    return done


def test_a_ruling_is_carried_out_in_a_thread(begun: Server, aside: list[str]) -> None:
    """It may bring in a thousand combatants with all their things, to a fight of two."""
    standing = {"type": "AskingSet", "who": "ilse", "ask": "never"}
    assert begun.ilse.sends(standing).status_code == 200
    assert aside == []
    ruled = {"type": "Ruled", "kind": "note", "params": {"text": "x"}, "reason": "so"}
    assert begun.gm.sends(ruled).status_code == 200
    assert aside == ["_execute"]


NAMES = [f"n{nth}" for nth in range(fight_size.HEAVY + 1)]
NUMBERS = dict.fromkeys(NAMES, 1)
RUNA = Combatant(id="runa", name="Runa", side="party")
SMALL = State(combatants={"runa": RUNA})
MANY: dict[str, State] = {
    "things": replace(SMALL, items={one: Item(id=one, name=one, kind="weapon") for one in NAMES}),
    "marks": replace(SMALL, marks={"runa": {"held": dict(NUMBERS)}}),
    "relations": replace(SMALL, relations={"a": Relation(id="a", kind="melee", members=(Member(who="runa"),) * 1_001)}),
    "distances": replace(SMALL, distances={"runa": NUMBERS}),
    "conditions": replace(SMALL, combatants={"runa": replace(RUNA, conditions={"prone": NUMBERS})}),
    "pools": replace(SMALL, combatants={"runa": replace(RUNA, pools=NUMBERS)}),
    "departed": replace(SMALL, departed={one: replace(RUNA, id=one) for one in NAMES}),
}
"""States of one combatant with more entries than are looked at at once, all of one kind."""


@pytest.mark.parametrize("of", MANY)
def test_whatever_a_state_holds_makes_it_large(of: str) -> None:
    state = MANY[of]
    assert count_entries(state) > fight_size.HEAVY
    assert is_slow_update(5, 1, state)
    assert not is_slow_update(5, 1, SMALL)


def test_a_fight_of_many_things_is_asked_in_a_thread(
    begun: Server, aside: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fight_size, "HEAVY", 1)
    begun.ilse.looks("/state")
    assert len(aside) == 1


def test_whoever_owns_a_combatant_twice_sees_what_its_owner_sees(server: Server) -> None:
    """Otherwise each repetition would have a separate view, computed for each command."""
    create_token(server.gm, "player", "Twice", "ilse", "ilse", "bram", "ilse")
    people = {one["name"]: one for one in server.gm.looks("/grants").json()["grants"]}
    assert people["Twice"]["owns"] == ["ilse", "bram"]
    once, twice = (Viewer(role="player", name="Eve", owns=owns) for owns in (("a", "b"), ("b", "a", "b")))
    assert rights_of(once) == rights_of(twice)
    here: ServerState = server.app.state.server
    assert len(here.grants._known) >= 1


def test_a_long_command_is_sent_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after its lines left the cache; a reader of all parts has every line once."""
    for name, number in (("PART", 1), ("LONGEST_PART", 3), ("RECENT", 4)):
        monkeypatch.setattr(line_cache, name, number)

    async def read() -> None:
        process = Process(tmp_path)
        client = Client(GM, after=0)
        stream = (await process.hub.follow(NAME, GM, 0)).messages()
        await process.brawl(5)
        parts = []
        while client.head < process.present.head:
            batch = await anext(stream)
            assert isinstance(batch, Batch)
            client.take(batch.encode_once(encode_batch))
            parts.append(len(batch.lines))
        assert max(parts) == 3
        whole_chain(client.lines)
        assert await anext(stream) == Ready(process.present.head)
        await stream.aclose()

    asyncio.run(read())

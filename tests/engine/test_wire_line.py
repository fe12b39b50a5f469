"""Lines as viewers receive them, and a fight opened from its stored lines."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from affray.engine import Unusable, begin_fight, open_fight
from affray.engine.visibility import WireLine, verify_wire
from affray.events import ChainBroken, read_line
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon, submit_accepted
from tests.engine.histories import make_note_ruling
from tests.engine.memory import MemoryStore

BARE = {"position": 1, "time": "t", "hash": "h"}
ABSENT: dict[str, Any] = {
    "who": "", "cause": "", "more": 0, "by": "", "event": msgspec.UNSET, "says": "", "digest": "", "readers": "",
    "audience": None,
    "salt": "", "known_to": None, "mask": "",
}  # fmt: skip


def test_what_a_line_does_not_say_is_not_sent() -> None:
    """A reader of the line fills in the same values."""
    assert msgspec.json.encode(WireLine(**BARE, **ABSENT)) == msgspec.json.encode(BARE)  # type: ignore[arg-type]
    assert msgspec.structs.asdict(msgspec.convert(BARE, WireLine)) == {**BARE, **ABSENT}


def store_noted_duel() -> MemoryStore:
    """Return a store that holds a duel with a note."""
    store = MemoryStore()
    submit_accepted(begin_fight("duel", two(), who="gm", seed=SEED, store=store, clock=noon), make_note_ruling("a"))
    return store


def test_a_fight_is_opened_only_if_its_chain_holds_unless_that_is_not_asked() -> None:
    store = store_noted_duel()
    lines = store.streams["duel"]
    lines[-1] = msgspec.json.encode(replace(read_line(lines[-1]), hash="00" * 32))
    with pytest.raises(
        ChainBroken, match=f"line {len(lines)}: the hash of position {len(lines)} does not fit"
    ) as found:
        open_fight("duel", store)
    assert found.value.line == len(lines)
    assert open_fight("duel", store, verified=False).head == len(lines)


def test_a_seed_that_the_log_did_not_promise_is_not_used() -> None:
    store = store_noted_duel()
    assert open_fight("duel", store).head == len(store.streams["duel"])
    store.seeds["duel"] = bytes(32)
    with pytest.raises(Unusable, match="does not match the log's commitment") as found:
        open_fight("duel", store)
    assert found.value.field == "seed"
    del store.seeds["duel"]
    assert open_fight("duel", store).head == len(store.streams["duel"])


def test_a_wire_line_that_was_not_due_is_named_with_the_one_that_was() -> None:
    line: WireLine = msgspec.convert(BARE, WireLine)
    with pytest.raises(ChainBroken, match=r"^position 1 where 5 was due"):
        verify_wire(line, after=4, previous="")
    with pytest.raises(ChainBroken, match=r"^the hash of position 1 does not fit what is written"):
        verify_wire(line, after=0, previous="")

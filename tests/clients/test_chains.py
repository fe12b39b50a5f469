"""The JavaScript client checks the hash chain: over the bytes as they were written, and past what it may not read."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from affray.engine import FileStore, verify_chain
from affray.engine.visibility import Viewer, wire_line
from affray.events import FORMAT, ChainBroken, Noted, Rolled, Sealed, Seals, decode_line, seal, sender_of
from tests.clients.node import ask_script
from tests.test_replays import REPLAYS

LINES = FileStore(REPLAYS / "vestige").read("format-1-goes-on")
HASH = decode_line(LINES[-1]).hash
MIDDLE = 500


def replace_in_line(position: int, old: bytes, new: bytes) -> list[bytes]:
    """The log with one line altered."""
    line = LINES[position - 1]
    assert old in line
    return [*LINES[: position - 1], line.replace(old, new, 1), *LINES[position:]]


ROLLED = next(position for position, line in enumerate(LINES, 1) if b'"type":"Rolled"' in line)
TAMPERED: dict[str, tuple[Callable[[], list[bytes]], int]] = {
    "a face": (lambda: replace_in_line(ROLLED, b'"faces":[', b'"faces":[1'), ROLLED),
    "a space in the payload": (lambda: replace_in_line(MIDDLE, b'"event":{', b'"event":{ '), MIDDLE),
    "the author": (lambda: replace_in_line(MIDDLE, b'"who":"', b'"who":"not '), MIDDLE),
    "the time": (lambda: replace_in_line(MIDDLE, b'"time":"2', b'"time":"1'), MIDDLE),
    "the command": (lambda: replace_in_line(MIDDLE, b'"cause":"', b'"cause":"0'), MIDDLE),
    "the audience": (lambda: replace_in_line(MIDDLE, b'"event":', b'"audience":[],"event":'), MIDDLE),
    "a hash": (lambda: replace_in_line(MIDDLE, b'"hash":"', b'"hash":"0'), MIDDLE),
    "swapped": (lambda: [*LINES[:MIDDLE], LINES[MIDDLE + 1], LINES[MIDDLE], *LINES[MIDDLE + 2 :]], MIDDLE + 1),
    "left out": (lambda: [*LINES[:MIDDLE], *LINES[MIDDLE + 1 :]], MIDDLE + 1),
    "doubled": (lambda: [*LINES[:MIDDLE], LINES[MIDDLE - 1], *LINES[MIDDLE:]], MIDDLE + 1),
}


def test_an_altered_line_is_found_where_the_engine_finds_it() -> None:
    """For any altered, missing, doubled or swapped line; an untouched log has its head's hash."""
    logs = [LINES, *(make() for make, _ in TAMPERED.values())]
    answers = ask_script("chains.mjs", [{"lines": [line.decode() for line in log]} for log in logs])
    assert answers == [HASH, *({"broken": position} for _, position in TAMPERED.values())]


def test_a_line_of_the_whole_file_is_named_if_it_cannot_be_read() -> None:
    """Not JSON, an unknown event, a later format, a command that is not whole, another beginning."""
    whole = [line.decode() for line in LINES]
    wrong = {
        "half a line": ([*whole[:9], whole[9][:40]], 10),
        "no such event": ([*whole[:9], whole[9].replace('"type":"', '"type":"Sang', 1), *whole[10:]], 10),
        "a field is missing": ([*whole[:9], whole[9].replace('"cause"', '"because"', 1)], 10),
        "a later format": ([whole[0].replace('"format":1', f'"format":{FORMAT + 1}'), *whole[1:]], 1),
        "half a command": (whole[:9], 1),
        "no opening": (whole[1:], 1),
        "nothing at all": ([""], 1),
    }
    answers = ask_script("chains.mjs", [{"log": "\n".join(log) + "\n"} for log, _ in wrong.values()])
    assert [one["unreadable"] for one in answers] == [line for _, line in wrong.values()]
    assert all(one["reason"] for one in answers)


@pytest.mark.parametrize("known_to", [None, (), ("ilse", "bram")], ids=str)
@pytest.mark.parametrize("role", ["gm", "spectator"])
def test_the_chain_holds_past_what_is_sealed(role: str, known_to: tuple[str, ...] | None) -> None:
    """A viewer without the payload or the sender checks their digests, and notices a wrong one."""
    secret = Rolled(roll="1/gm/1/listening", by="gm", purpose="listening", dice=(), total=7)
    sealed = [Sealed(), Sealed(("ilse", "bram"), "5a17"), Sealed((), "5a18")]
    seals = Seals(sealed) if known_to is None else Seals(sealed, known_to, "5a16")
    recorded, lines = seal(
        [Noted(text="open"), secret, Noted(text="for the game master")],
        after=0, previous="", time="t", who="mara", cause="c", seals=seals,
    )  # fmt: skip
    viewer = Viewer(role=role, name="somebody", owns=())  # type: ignore[arg-type]
    payloads = [msgspec.json.decode(line, type=dict[str, msgspec.Raw])["event"] for line in lines]
    wired = [
        msgspec.json.encode(wire_line(viewer, one, payload)).decode()
        for one, payload in zip(recorded, payloads, strict=True)
    ]
    assert ("listening" in "".join(wired)) == (role == "gm")
    assert ("mara" in "".join(wired)) == (role == "gm" or known_to is None)
    other = [line.replace('"digest":"', '"digest":"0').replace('"salt":"5a17"', '"salt":"5a19"') for line in wired]
    by = sender_of("mara", "c", known_to, "5a16")[0]
    sent = [line.replace(by, "0" * 64).replace('"mask":"5a16"', '"mask":"5a19"') for line in wired]
    assert ask_script("chains.mjs", [{"lines": one} for one in (wired, other, sent)]) == [
        recorded[-1].hash,
        {"broken": 2},
        recorded[-1].hash if known_to is None else {"broken": 1},
    ]


def test_the_engine_finds_the_same() -> None:
    """The engine's check stops at the same line for the same alteration."""
    for make, position in TAMPERED.values():
        with pytest.raises(ChainBroken) as broken:
            verify_chain(make())
        assert broken.value.line == position

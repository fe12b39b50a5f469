"""The Python client checks the hash chain of the lines that it follows."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from affray.client import RecordAltered, UnreadableAnswer, WireLine
from affray.client.chain import FollowedChain
from affray.events import FORMAT, OLDEST, digest_of, format_of, readers_of

REPLAYS = sorted((Path(__file__).parents[2] / "replays").rglob("*.jsonl"))


def read_lines(log: Path, most: int = 400) -> list[WireLine]:
    """Return the lines of a log as a viewer gets them who sees everything."""
    return [msgspec.json.decode(line, type=WireLine) for line in log.read_bytes().splitlines()[:most]]


def seal_line(line: WireLine) -> WireLine:
    """Return a line as a viewer gets it who may not read it."""
    assert isinstance(line.event, msgspec.Raw)
    sealed = {
        "digest": digest_of(bytes(line.event), line.salt),
        "readers": readers_of(line.audience, line.salt, format_of(HIDING.read_bytes().splitlines()[0])),
    }
    return msgspec.structs.replace(line, event=msgspec.UNSET, audience=None, salt="", **sealed)


LOGS = {format_of(one.read_bytes().splitlines()[0]): one for one in REPLAYS}
RAISED = next(one for one in REPLAYS if b"FormatRaised" in one.read_bytes())
HIDING = next(one for one in REPLAYS if one.stem == "hidden-archer")


@pytest.mark.parametrize("log", [*LOGS.values(), RAISED], ids=lambda log: log.stem)
def test_a_record_of_any_format_is_followed_from_any_line(log: Path) -> None:
    lines = read_lines(log, 10_000)
    for start in (0, len(lines) // 2):
        chain = FollowedChain(start, lines[start - 1].hash if start else "")
        for line in lines[start:]:
            chain.add(line)
        assert (chain.position, chain.hash) == (len(lines), lines[-1].hash)


def test_there_is_a_log_of_each_format() -> None:
    assert {*range(OLDEST, FORMAT + 1)} <= LOGS.keys()


@pytest.mark.parametrize("change", [{"who": "x"}, {"time": "now"}, {"more": 9}, {"event": msgspec.Raw(b'{"a":1}')}])
def test_an_altered_line_is_refused(change: dict[str, object]) -> None:
    first, second, third, *_ = read_lines(LOGS[FORMAT])
    chain = FollowedChain()
    chain.add(first)
    with pytest.raises(RecordAltered, match="position 2 does not fit what is written") as altered:
        chain.add(msgspec.structs.replace(second, **change))
    assert altered.value.position == 2
    assert isinstance(altered.value, UnreadableAnswer)
    with pytest.raises(RecordAltered, match=re.escape("position 3 where 2 was due")):
        chain.add(third)
    chain.add(second)


def test_an_opened_line_must_be_the_one_that_was_sealed() -> None:
    """A line that came before the client did is not known to it, and is taken as it is."""
    lines = read_lines(HIDING)
    chain, hidden = FollowedChain(), next(line for line in lines if line.audience is not None)
    for line in lines:
        chain.add(seal_line(line) if line is hidden else line)
    chain.check_opened(hidden)
    with pytest.raises(RecordAltered, match=f"the hash of position {hidden.position}"):
        chain.check_opened(msgspec.structs.replace(hidden, event=lines[0].event))
    with pytest.raises(RecordAltered, match=f"position {hidden.position} was opened with another hash"):
        chain.check_opened(msgspec.structs.replace(hidden, hash=lines[0].hash))
    FollowedChain(chain.position, chain.hash).check_opened(hidden)

"""Every reader gives the same verdict on a whole file: where its lines end, and where the record does."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from affray.engine import FileStore
from affray.events import format_of, hash_of, read_line
from tests.clients.node import ask_script
from tests.examples import THOROUGH
from tests.serve.server import Server, serve_duel
from tests.test_replays import REPLAYS
from tests.tools.program import affray

LINES = FileStore(REPLAYS / "vestige").read("closed-bridge")
WHOLE = b"\n".join(LINES) + b"\n"
MARK = b"\xef\xbb\xbf"
OPENING, LAST = 0, len(LINES) - 1


def chain_anew(lines: list[bytes]) -> bytes:
    """Compute the chain again. Read what is no UTF-8 as a tolerant reader does."""
    found, previous = [], ""
    format = format_of(lines[0])
    for line in lines:
        one = read_line(line.decode("utf-8", "replace").encode())
        previous = hash_of(one, previous, bytes(one.event), format)
        found.append(line.replace(one.hash.encode(), previous.encode(), 1))
    return b"\n".join(found) + b"\n"


def find_first_line(word: bytes) -> int:
    """Return the index of the first line that holds a word."""
    return next(at for at, line in enumerate(LINES) if word in line)


def alter(at: int, before: bytes, after: bytes) -> bytes:
    """Replace something in one line."""
    line = re.sub(before, lambda _: after, LINES[at], count=1)
    assert line != LINES[at]
    return chain_anew([*LINES[:at], line, *LINES[at + 1 :]])


def append(type: str, **fields: object) -> bytes:
    """Add one command behind the last one."""
    line = {
        "position": len(LINES) + 1,
        "time": msgspec.json.decode(LINES[-1])["time"],
        "who": "mara",
        "cause": "later",
        "hash": "0" * 64,
        "event": {"type": type, **fields},
    }
    return chain_anew([*LINES, msgspec.json.encode(line)])


def add_field(written: bytes) -> bytes:
    """Add a field to an envelope; no chain covers it, unless a reader takes it for another one's."""
    line = LINES[SHORT][:-1] + b"," + written + b"}"
    return b"\n".join([*LINES[:SHORT], line, *LINES[SHORT + 1 :]]) + b"\n"


def replace_short_line(type: str, **fields: object) -> bytes:
    """Record something else at a short line."""
    return alter(SHORT, rb'"event":.*', b'"event":' + msgspec.json.encode({"type": type, **fields}) + b"}")


def add_before(written: bytes) -> bytes:
    """Begin an envelope with a field that it has already."""
    line = b"{" + written + LINES[SHORT][1:]
    return b"\n".join([*LINES[:SHORT], line, *LINES[SHORT + 1 :]]) + b"\n"


JOINED, MOVED, ROLLED = (find_first_line(b'"%s"' % one) for one in (b"Joined", b"Moved", b"Rolled"))
DICE = {"count": 1001, "sides": 6, "kind": "p"}
RULED, LONG = find_first_line(b'"Ruled"'), find_first_line(b'"more":')
SHORT = next(at for at, line in enumerate(LINES) if b'"more":' not in line)

FILES: dict[str, Callable[[], bytes]] = {
    "as it was written": lambda: WHOLE,
    "a fact after the close": lambda: append("PoolChanged", who="ilse", pool="health", before=1, after=9),
    "an undo after the close": lambda: append("Rewound", to=5, lane=LAST, commands=1),
    "a second close": lambda: append("Closed", seed=""),
    "no last newline": lambda: WHOLE[:-1],
    "a last line that is torn": lambda: WHOLE[:-20],
    "a command that is torn": lambda: b"\n".join(LINES[: LONG + 1]) + b"\n",
    "a command that is torn within a line": lambda: b"\n".join(LINES[: LONG + 1]) + b"\n" + LINES[LONG + 1][:40],
    "only one line, and torn": lambda: LINES[0],
    "a carriage return at the end": lambda: WHOLE + b"\r",
    "only a carriage return": lambda: b"\r",
    "an empty line at the end": lambda: WHOLE + b"\n",
    "empty lines at the end": lambda: WHOLE + b"\n \t\n\r\n" * 50,
    "empty lines, and a torn one": lambda: WHOLE + b"\n\n" + LINES[0][:40],
    "a torn command, and empty lines": lambda: b"\n".join(LINES[: LONG + 1]) + b"\n\n\n",
    "blanks behind the last line": lambda: WHOLE[:-1] + b" \t\n",
    "blanks behind a last line that is torn": lambda: WHOLE[:-1] + b" \t",
    "an empty line inside": lambda: b"\n".join([*LINES[:9], b"", *LINES[9:]]) + b"\n",
    "nothing at all": lambda: b"",
    "only a newline": lambda: b"\n",
    "a byte order mark": lambda: MARK + WHOLE,
    "two byte order marks": lambda: MARK * 2 + WHOLE,
    "a byte order mark inside": lambda: WHOLE.replace(b"\n", b"\n" + MARK, 1),
    "line ends of Windows": lambda: WHOLE.replace(b"\n", b"\r\n"),
    "two carriage returns": lambda: WHOLE.replace(b"\n", b"\r\r\n"),
    "no UTF-8 in a reason": lambda: alter(RULED, b'"reason":"', b'"reason":"\xff'),
    "no UTF-8 in parameters": lambda: alter(RULED, b'"params":{', b'"params":{"x":"\xff",'),
    "no UTF-8 in a field that no line has": lambda: add_field(b'"unheard_of":"\xff"'),
    "no UTF-8 in the torn end": lambda: WHOLE + b'{"position":\xff',
    "format 0": lambda: alter(OPENING, rb'"format":\d', b'"format":0'),
    "a negative format": lambda: alter(OPENING, rb'"format":\d', b'"format":-1'),
    "a later format": lambda: alter(OPENING, rb'"format":\d', b'"format":99'),
    "a time twice, once a number": lambda: add_before(b'"time":5,'),
    "a salt twice, once a number": lambda: add_field(b'"salt":5,"salt":"5"'),
    "lines to come twice, once a text": lambda: add_field(b'"more":"x","more":0'),
    "a position twice, once with a point": lambda: add_before(b'"position":1.5,'),
    "half a character in a field that no line has": lambda: add_field(b'"zz":"\\ud800"'),
    "half a character in a key": lambda: add_field(b'"\\udc00":1'),
    "a whole character in two halves": lambda: add_field(b'"zz":"\\ud83d\\ude00"'),
    "a backslash before a name of half a character": lambda: add_field(b'"zz":"\\\\ud800"'),
    "a time twice, once half a character": lambda: add_before(b'"time":"\\ud800",'),
    "a field nested 1,200 deep": lambda: add_field(b'"zz":' + b"[" * 1200 + b"]" * 1200),
    "a field nested 9,000 deep": lambda: add_field(b'"zz":' + b"[" * 9000 + b"]" * 9000),
    "a field nested 100 deep": lambda: add_field(b'"zz":' + b"[" * 100 + b"]" * 100),
    "brackets in words": lambda: add_field(b'"zz":"' + b"[" * 9000 + b'"'),
    "two senders": lambda: add_before(b'"who":"nobody",'),
    "a total twice, once a text": lambda: alter(ROLLED, b'"total":', b'"total":"7","total":'),
    "two totals": lambda: alter(ROLLED, b'"total":', b'"total":7,"total":'),
    "sides twice, once a text": lambda: alter(ROLLED, b'"sides":', b'"sides":"6","sides":'),
    "sides twice, once none": lambda: alter(ROLLED, b'"sides":', b'"sides":null,"sides":'),
    "a die of no sides": lambda: alter(ROLLED, rb'"sides":\d+', b'"sides":0'),
    "a die of too many sides": lambda: alter(ROLLED, rb'"sides":\d+', b'"sides":1001'),
    "a face that no die has": lambda: alter(ROLLED, rb'"faces":\[\d+', b'"faces":[21'),
    "a face below one": lambda: alter(ROLLED, rb'"faces":\[\d+', b'"faces":[0'),
    "more fates than dice": lambda: alter(ROLLED, b'"faces":', b'"fates":["kept","kept","kept"],"faces":'),
    "parameters with too long a number": lambda: alter(RULED, b'"params":{', b'"params":{"x":' + b"1" * 4301 + b","),
    "parameters with a long number": lambda: alter(RULED, b'"params":{', b'"params":{"x":' + b"1" * 400 + b","),
    "parameters with too large a number": lambda: alter(RULED, b'"params":{', b'"params":{"x":1e999,'),
    "a place that is no cell": lambda: alter(JOINED, rb'"place":"[^"]+"', b'"place":"gate"'),
    "a way to no cell": lambda: alter(MOVED, rb'"after":"[^"]+"', b'"after":"gate"'),
    "a question to nobody": lambda: replace_short_line(
        "Asked", question="q", of=[], about="a", options=[{"choice": "a"}]
    ),
    "a question to somebody": lambda: replace_short_line(
        "Asked", question="q", of=["ilse"], about="a", options=[{"choice": "a"}]
    ),
    "more dice than anybody throws": lambda: replace_short_line(
        "DiceAwaited", roll="r", by="gm", purpose="p", dice=[DICE]
    ),
    "dice as they are thrown": lambda: replace_short_line(
        "DiceAwaited", roll="r", by="gm", purpose="p", dice=[{**DICE, "count": 9}]
    ),
    "the loss of a thing that nobody has": lambda: replace_short_line("ItemRemoved", item="nothing"),
    "a counter of nobody": lambda: replace_short_line("PoolChanged", who="nobody", pool="health", before=1, after=2),
    "the dice scheme of another format": lambda: alter(OPENING, rb'"format":(\d)', b'"dice_scheme":7,"format":4'),
    "readers that are false": lambda: add_field(b'"audience":false'),
    "readers that are zero": lambda: add_field(b'"audience":0'),
    "readers that are an empty text": lambda: add_field(b'"audience":""'),
    "readers of null": lambda: add_field(b'"audience":null'),
    "a salt of null": lambda: add_field(b'"salt":null'),
    "a salt that is false": lambda: add_field(b'"salt":false'),
    "no number of lines to come": lambda: add_field(b'"more":null'),
    "fewer lines to come than none": lambda: add_field(b'"more":-1'),
    "more lines to come than JavaScript can count": lambda: add_field(b'"more":9007199254740993'),
}


class Verdict(NamedTuple):
    """The line that a reader refuses; or else the hash up to which it verifies, and whether a torn end was left out."""

    refused: int | None = None
    hash: str = ""
    torn: bool = False


def write_log_file(what: str, folder: Path) -> Path:
    """Write one of the files."""
    path = folder / "fight.jsonl"
    path.write_bytes(FILES[what]())
    return path


def replay_says(path: Path) -> Verdict:
    """Return the verdict of ``affray replay``."""
    ran = affray(path.parent, "replay", path.name, "--json")
    if ran.code:
        assert ran.code == 2
        return Verdict(ran.json["error"]["line"] or 1)
    return Verdict(None, ran.json["chain"], "torn tail" in ran.err)


@pytest.fixture(scope="module")
def client_says() -> dict[str, Verdict]:
    """The verdict of the JavaScript client, which is that of the page."""
    answers: list[Any] = ask_script("chains.mjs", [{"bytes": b64encode(make()).decode()} for make in FILES.values()])
    return {what: client_verdict(one) for what, one in zip(FILES, answers, strict=True)}


def client_verdict(answer: dict[str, Any]) -> Verdict:
    """Return what one answer comes to."""
    refused = answer.get("broken") or answer.get("unreadable")
    return Verdict(refused) if refused else Verdict(None, answer["hash"], answer["torn"])


@pytest.mark.parametrize("what", FILES)
def test_replay_and_the_client_verify_or_refuse_the_same_line(
    what: str, client_says: dict[str, Verdict], tmp_path: Path
) -> None:
    assert client_says[what] == replay_says(write_log_file(what, tmp_path))


def test_a_torn_log_is_read_up_to_its_last_whole_command(client_says: dict[str, Verdict]) -> None:
    """It is not closed, since the line that closes it was never finished."""
    before = read_line(LINES[-2]).hash
    for what in ("an empty line at the end", "empty lines at the end", "empty lines, and a torn one"):
        assert client_says[what] == Verdict(None, read_line(LINES[-1]).hash, torn=True)
    assert client_says["no last newline"] == Verdict(None, before, torn=True)
    assert client_says["as it was written"] == Verdict(None, read_line(LINES[-1]).hash)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that tells logs."""
    with serve_duel(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.mark.parametrize("what", list(FILES)[:: 1 if THOROUGH else 3])
def test_a_log_is_told_up_to_where_replay_reads_it(what: str, server: Server, tmp_path: Path) -> None:
    """A request is text, so bytes that are no UTF-8 never reach the server."""
    path = write_log_file(what, tmp_path)
    try:
        log = path.read_bytes().decode()
    except UnicodeDecodeError:
        return
    answer = server.client.post("/api/told", json={"log": log})
    ran = affray(tmp_path, "replay", path.name, "--unverified", "--json")
    assert (answer.status_code == 200) == (ran.code == 0), answer.text
    if not ran.code:
        assert len(answer.json()["says"]) == ran.json["events"]

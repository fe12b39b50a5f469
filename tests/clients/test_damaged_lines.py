"""The engine and the JavaScript client agree on each kind of damage, at any line."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from affray.engine import FileStore
from affray.engine.history.log import read_log
from affray.engine.stores.lines import LONGEST_LINE
from affray.events import LogError, read_line
from tests.clients.node import ask_script
from tests.clients.test_whole_logs import LINES, Verdict, client_verdict

ENDS = [at for at, line in enumerate(LINES, 1) if read_line(line).more == 0]
HEAD = LINES[: next(at for at in ENDS if at > 30)]
"""The beginning of a recorded fight, up to the end of a command."""

EVENT = b'{"type":"Noted","text":"so it is"}'

DEEP = b"[" * 2000 + b"]" * 2000

DAMAGE: dict[str, tuple[bytes, bytes]] = {
    "none": (b"", b""),
    "half a character in who": (b'"mara"', b'"\\ud800"'),
    "half a character in the event": (b"so it is", b"\\ud800"),
    "half a character in another field": (b'"who"', b'"zz":"\\udc00","who"'),
    "no event": (b'"event":%b,' % EVENT, b""),
    "an event of null": (EVENT, b"null"),
    "an event of an empty text": (EVENT, b'""'),
    "a digest instead of the event": (b'"event":%b' % EVENT, b'"digest":"00"'),
    "a digest beside the event": (b'"who"', b'"digest":5,"who"'),
    "by instead of who": (b'"who"', b'"by"'),
    "by beside who": (b'"who"', b'"by":"x","who"'),
    "no cause": (b'"cause":"later",', b""),
    "a number as hash": (b'"hash":"', b'"hash":5,"zz":"'),
    "more with a point": (b'"more":1', b'"more":1.0'),
    "more with an exponent": (b'"more":1', b'"more":1e0'),
    "more of true": (b'"more":1', b'"more":true'),
    "more as a text": (b'"more":1', b'"more":"1"'),
    "more of null": (b'"more":1', b'"more":null'),
    "more of minus one": (b'"more":1', b'"more":-1'),
    "more of minus zero": (b'"more":1', b'"more":-0'),
    "more beyond what is exact": (b'"more":1', b'"more":9007199254740993'),
    "more with an escape in its name": (b'"more":1', b'"mo\\u0072e":1'),
    "more twice, once with a point": (b'"more":1', b'"more":1.0,"more":1'),
    "more twice, at last none": (b'"more":1', b'"more":1,"more":0'),
    "more twice, at first none": (b'"more":1', b'"more":0,"more":1'),
    "a position with a point": (b',"time"', b'.0,"time"'),
    "a position beyond what is exact": (b',"time"', b'00000000000000000001,"time"'),
    "a salt of a number": (b'"who"', b'"salt":5,"who"'),
    "readers of a number": (b'"who"', b'"audience":[5],"who"'),
    "readers of null": (b'"who"', b'"audience":null,"who"'),
    "a deep event": (b'"so it is"', DEEP),
    "a deep field": (b'"who"', b'"zz":%b,"who"' % DEEP),
    "a large number in the event": (b'"so it is"', b"1e999"),
    "a large number in another field": (b'"who"', b'"zz":1e999,"who"'),
    "no UTF-8 in who": (b'"mara"', b'"\xff"'),
    "no UTF-8 in the event": (b"so it is", b"\xff"),
    "half a character as UTF-8 in the event": (b"so it is", b"\xed\xa0\x80"),
    "no UTF-8 in another field": (b'"who"', b'"zz":"\xff","who"'),
    "no UTF-8 in another field's name": (b'"who"', b'"\xff":1,"who"'),
    "no UTF-8 in readers": (b'"who"', b'"audience":["\xff"],"who"'),
    "no UTF-8 outside of texts": (b'"who"', b'\xff"who"'),
    "a control character in the event": (b"so it is", b"\x01"),
    "a byte order mark": (b'{"position"', b'\xef\xbb\xbf{"position"'),
    "a vertical tab": (b'{"position"', b'\x0b{"position"'),
    "blanks around it": (b'{"position"', b' \t{"position"'),
    "a carriage return": (b'"later"', b'"later"\r'),
    "a comma too many": (b'is"}', b'is",}'),
    "an event of no known type": (b"Noted", b"Sung"),
}
"""What is replaced in a line, and by what."""

WHOLE_LINES: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b" \t",
    "a wide blank": "\u3000".encode(),
    "no UTF-8": b"\xff",
    "null": b"null",
    "a list": b"[1]",
    "an empty object": b"{}",
    "a text": b'"' + b"x" * 80 + b'"',
    "a short line": b'{"position":1,"time":"","who":"","cause":"","hash":"","event":5}'[:63],
    "half a line": HEAD[3][:90],
}
"""Lines that are something else altogether."""


def make_line(position: int, more: int) -> bytes:
    """Return a line that no chain leads to."""
    sender = b'"time":"2025-06-01T12:00:00.000Z","who":"mara","cause":"later"'
    return b'{"position":%d,%b,"hash":"%b","event":%b,"more":%d}' % (position, sender, b"0" * 64, EVENT, more)


def place_line(where: str, line: bytes) -> bytes:
    """Return a log with a damaged line somewhere."""
    position = len(HEAD) + 1
    lines = {
        "last of a torn command": [*HEAD, line],
        "before the last of a torn command": [*HEAD, line, make_line(position + 1, 1)],
        "in a whole command": [*HEAD, line, make_line(position + 1, 0)],
        "first": [line, *HEAD[1:]],
        "in the middle": [*HEAD[:20], line, *HEAD[21:]],
    }[where]
    return b"\n".join(lines) + b"\n"


PLACES = (
    "last of a torn command", "before the last of a torn command", "in a whole command", "first", "in the middle",
)  # fmt: skip


def list_files() -> dict[str, bytes]:
    """Return logs by what is damaged in them, and where."""
    files: dict[str, bytes] = {}
    for where in PLACES:
        position = {"first": 1, "in the middle": 21}.get(where, len(HEAD) + 1)
        for more in (1, 0):
            line = make_line(position, more)
            for what, replaced in DAMAGE.items():
                before, after = (one.replace(b'"more":1', b'"more":%d' % more) for one in replaced)
                assert before in line
                files[f"{what}, {where}, {more} to come"] = place_line(where, line.replace(before, after, 1))
        for what, line in WHOLE_LINES.items():
            files[f"{what}, {where}"] = place_line(where, line)
    return files


def lengthen(size: int) -> bytes:
    """Return a log with a torn command, and with so many bytes in line 30, which no chain covers."""
    line = HEAD[29][:-1] + b',"zz":"'
    line += b"x" * (size - len(line) - 2) + b'"}'
    return b"\n".join([*HEAD[:29], line, *HEAD[30:], make_line(len(HEAD) + 1, 1)]) + b"\n"


def judge_by_engine(folder: Path, log: bytes) -> Verdict:
    """Return the verdict of the engine."""
    (folder / "fight.jsonl").write_bytes(log)
    try:
        lines = FileStore(folder).read("fight")
        return Verdict(None, read_log(lines)[-1].hash, len(b"\n".join([*lines, b""])) < len(log))
    except LogError as error:
        return Verdict(error.line or 1)


def list_verdicts(files: dict[str, bytes], folder: Path) -> list[tuple[str, Verdict, Verdict]]:
    """Return the verdicts of the engine and of the client."""
    answers = ask_script("chains.mjs", [{"bytes": b64encode(log).decode()} for log in files.values()])
    return [
        (what, judge_by_engine(folder, log), client_verdict(answer))
        for (what, log), answer in zip(files.items(), answers, strict=True)
    ]


def test_each_kind_of_damage_is_judged_alike_in_each_place(tmp_path: Path) -> None:
    found = list_verdicts(list_files(), tmp_path)
    assert [one for one in found if one[1] != one[2]] == []
    assert {one.refused is None for _, one, _ in found} == {True, False}


def test_a_line_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """One of the greatest length is read."""
    files = {str(size): lengthen(size) for size in (LONGEST_LINE, LONGEST_LINE + 1)}
    (_, longest, read), (_, over, refused) = list_verdicts(files, tmp_path)
    assert (longest.refused, over.refused) == (None, 30)
    assert (longest, over) == (read, refused)

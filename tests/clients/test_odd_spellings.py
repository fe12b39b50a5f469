"""Every reader gives the same verdict on the same bytes, however oddly a line is spelt."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from affray.engine import FileStore, read_log
from affray.engine.history.log_validation import must_be_possible
from affray.engine.integrity.audit import audit
from affray.engine.stores.lines import strip_line_end
from affray.events import LogError, format_of, hash_of, read_line
from tests.clients.node import ask_script
from tests.tampering.spellings import SPELLINGS
from tests.test_replays import REPLAYS

LINES = FileStore(REPLAYS / "vestige").read("closed-bridge")
SPELL = Callable[[bytes], bytes]
HUGE = b"1" + b"0" * 4999


def find_first_spelling(word: bytes) -> int:
    """Return the index of the first line that holds a word."""
    return next(at for at, line in enumerate(LINES) if word in line)


OPENING, ROLLED, RULED, PASSED = (
    0,
    find_first_spelling(b'"Rolled"'),
    find_first_spelling(b'"Ruled"'),
    find_first_spelling(b'"Passed"'),
)


def total(written: bytes) -> SPELL:
    """Write the sum of a roll otherwise."""
    return lambda line: re.sub(rb'"total":-?\d+', b'"total":' + written, line, count=1)


def respell_params(written: bytes) -> SPELL:
    """Begin the parameters of a ruling otherwise."""
    return lambda line: line.replace(b'"params":{', b'"params":{' + written, 1)


def reason(written: bytes) -> SPELL:
    """Begin the reason of a ruling otherwise."""
    return lambda line: line.replace(b'"reason":"', b'"reason":"' + written, 1)


def ending(written: bytes) -> SPELL:
    """Add a field to the envelope."""
    return lambda line: line[:-1] + written + b"}"


ODD: dict[str, tuple[int, SPELL]] = {
    **{f"{what} {nth}": (PASSED, way) for what, ways in SPELLINGS.items() for nth, way in enumerate(ways)},
    **{f"first line: {what} {nth}": (OPENING, way) for what, ways in SPELLINGS.items() for nth, way in enumerate(ways)},
    "two carriage returns": (PASSED, lambda line: line + b"\r\r"),
    "a blank before it": (PASSED, lambda line: b" " + line),
    "a no-break space behind it": (PASSED, lambda line: line + b"\xc2\xa0"),
    "a form feed behind it": (PASSED, lambda line: line + b"\x0c"),
    "a letter behind it": (PASSED, lambda line: line + b"x"),
    "a sum with an exponent": (ROLLED, total(b"1e0")),
    "a sum with a point": (ROLLED, total(b"1.0")),
    "a sum that is a fraction": (ROLLED, total(b"1.5")),
    "a sum with a leading zero": (ROLLED, total(b"07")),
    "a sum of minus zero": (ROLLED, total(b"-0")),
    "a sum of 5,000 digits": (ROLLED, total(HUGE)),
    "a sum beyond 64 bits": (ROLLED, total(b"18446744073709551616")),
    "a sum beyond every number": (ROLLED, total(b"1e400")),
    "a sum that is none": (ROLLED, total(b"NaN")),
    "a sum as a text": (ROLLED, total(b'"7"')),
    "a sum of null": (ROLLED, total(b"null")),
    "a parameter of 5,000 digits": (RULED, respell_params(b'"x":' + HUGE + b",")),
    "a parameter with an exponent": (RULED, respell_params(b'"x":1e0,')),
    "a parameter twice": (RULED, respell_params(b'"x":1,"x":2,')),
    "a blank in parameters": (RULED, respell_params(b" ")),
    "an invisible character": (RULED, reason(b"\xe2\x80\x8b")),
    "half a character": (RULED, reason(b"\\ud800")),
    "a tab": (RULED, reason(b"\t")),
    "an escaped line break": (RULED, reason(b"\\n")),
    "a position as a text": (PASSED, lambda line: re.sub(rb'"position":(\d+)', rb'"position":"\1"', line, count=1)),
    "an author of null": (PASSED, lambda line: re.sub(rb'"who":"[^"]*"', b'"who":null', line, count=1)),
    "a salt that is a number": (PASSED, ending(b',"salt":5')),
    "readers that are numbers": (PASSED, ending(b',"audience":[1]')),
    "a mask for nothing": (PASSED, ending(b',"mask":"00"')),
    "what only a server sends": (PASSED, ending(b',"by":"00","digest":"00","readers":"00"')),
    "an unknown number with a point": (PASSED, ending(b',"unheard_of":1.5')),
    "an unknown reason": (PASSED, lambda line: line.replace(b'"event":{', b'"event":{"why":"bored",', 1)),
    "a prototype": (PASSED, lambda line: line.replace(b'"event":{', b'"event":{"__proto__":{"x":1},', 1)),
    "a format with a point": (OPENING, lambda line: re.sub(rb'"format":(\d)', rb'"format":\1.0', line, count=1)),
    "a format twice, at first with a point": (
        OPENING,
        lambda line: line.replace(b'"format":', b'"format":1.0,"format":', 1),
    ),
    "a format twice, at first none": (OPENING, lambda line: line.replace(b'"format":', b'"format":0,"format":', 1)),
    "a format where none belongs": (PASSED, lambda line: line.replace(b'"event":{', b'"event":{"format":9,', 1)),
    "an event twice, at first a number": (PASSED, lambda line: line.replace(b'"event":', b'"event":5,"event":', 1)),
    "a sum twice, at first with a point": (ROLLED, lambda line: line.replace(b'"total":', b'"total":1.0,"total":', 1)),
    "a sum with a blank before its colon": (ROLLED, lambda line: re.sub(rb'"total":(-?\d+)', rb'"total" :\1E0', line)),
    "an unknown fraction in dice": (ROLLED, lambda line: line.replace(b'"dice":[{', b'"dice":[{"why":1.5,', 1)),
    "an event of format 1": (
        PASSED,
        lambda line: line.replace(b'"type":"Passed"', b'"type":"PassStanding","unless":"asked"'),
    ),
    "a position with a blank before its colon": (
        PASSED,
        lambda line: re.sub(rb'"position":(\d+)', rb'"position" :\1e0', line, count=1),
    ),
    "a format as a text": (OPENING, lambda line: re.sub(rb'"format":(\d)', rb'"format":"\1"', line, count=1)),
}


def recompute_chain(lines: list[bytes]) -> list[bytes]:
    """Compute the chain again, as far as lines can be read."""
    found: list[bytes] = []
    format, previous = format_of(LINES[0]), ""
    for number, line in enumerate(lines, 1):
        try:
            one = read_line(strip_line_end(line, number))
        except LogError:
            return [*found, *lines[number - 1 :]]
        previous = hash_of(one, previous, bytes(one.event), format)
        found.append(line.replace(one.hash.encode(), previous.encode(), 1))
    return found


def spelt_oddly(what: str) -> list[bytes]:
    """Return the log with one odd line, and with a chain that holds."""
    at, spell = ODD[what]
    assert spell(LINES[at]) != LINES[at]
    return recompute_chain([*LINES[:at], spell(LINES[at]), *LINES[at + 1 :]])


def find_last_good_hash(lines: list[bytes]) -> str | int:
    """Return the hash up to which the command line says ``chain verified``, or the line that it refuses."""
    try:
        recorded = read_log([strip_line_end(line, number) for number, line in enumerate(lines, 1)])
        must_be_possible(recorded)
        return recorded[-1].hash
    except LogError as error:
        return error.line


@pytest.fixture(scope="module")
def clients_say() -> dict[str, str | int]:
    """Return the JavaScript client's verdict on each log, which the page shows."""
    logs = [{"log": b"\n".join(spelt_oddly(what)).decode() + "\n"} for what in ODD]
    answers: list[Any] = ask_script("chains.mjs", logs)
    told = [one if isinstance(one, str) else one.get("broken") or one["unreadable"] for one in answers]
    return dict(zip(ODD, told, strict=True))


@pytest.mark.parametrize("what", ODD)
def test_the_engine_and_the_client_verify_or_refuse_the_same_lines(
    what: str, clients_say: dict[str, str | int]
) -> None:
    assert clients_say[what] == find_last_good_hash(spelt_oddly(what))


@pytest.mark.parametrize("what", ODD)
def test_the_audit_finds_each_where_it_stands(what: str) -> None:
    """If the chain is valid, the audit names the other fault; no such log is clean."""
    report = audit(lambda: spelt_oddly(what))
    assert report.verdict == "found"
    at = ODD[what][0] + 1
    assert at in {one.line for one in report.findings}


def test_a_log_as_it_was_written_has_one_verdict(clients_say: dict[str, str | int]) -> None:
    """The table above would show nothing if every log were refused."""
    head = read_line(LINES[-1]).hash
    assert find_last_good_hash(LINES) == head
    assert ask_script("chains.mjs", [{"log": b"\n".join(LINES).decode() + "\n"}]) == [head]
    assert len({one for one in clients_say.values() if isinstance(one, str)}) > 10

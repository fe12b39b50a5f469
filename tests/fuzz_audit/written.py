"""Bytes, lines and spellings."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Literal

from tests.forging import encode_obj
from tests.fuzz_audit.draft import Draft
from tests.fuzz_audit.ways import way

ODD_BYTES = b'\x00\n\r\t "\\{}[]:,0-\xff\xc3\xef\xbb\xbf\x7f'
ODD_LINES = (
    b"", b" ", b"{}", b"[]", b"null", b"0", b'""', b"{", b"\xff", b"\x00", b"[" * 3000, b'{"a":' * 3000, b"1" * 5000,
    b'{"position":1}', b'{"position":1,"time":"","who":"","cause":"","hash":"","event":{}}', b"\xef\xbb\xbf",
)  # fmt: skip


@way("bytes")
def flip_a_bit(draft: Draft) -> None:
    nth = draft.any()
    line = bytearray(draft.lines[nth])
    line[draft.random.randrange(len(line))] ^= 1 << draft.random.randrange(8)
    draft.lines[nth] = bytes(line)


@way("bytes")
def replace_a_byte(draft: Draft) -> None:
    nth = draft.any()
    line = bytearray(draft.lines[nth])
    line[draft.random.randrange(len(line))] = draft.random.choice(draft.random.choice((ODD_BYTES, bytes(line))))
    draft.lines[nth] = bytes(line)


@way("bytes")
def insert_a_byte(draft: Draft) -> None:
    nth = draft.any()
    line, at = draft.lines[nth], draft.random.randrange(len(draft.lines[nth]) + 1)
    draft.lines[nth] = line[:at] + bytes([draft.random.choice(draft.random.choice((ODD_BYTES, line)))]) + line[at:]


@way("bytes")
def delete_bytes(draft: Draft) -> None:
    nth = draft.any()
    line, at = draft.lines[nth], draft.random.randrange(len(draft.lines[nth]))
    draft.lines[nth] = line[:at] + line[at + draft.random.choice((1, 1, 1, 2, 8, 40)) :]


@way("bytes")
def splice_bytes(draft: Draft) -> None:
    nth, source = draft.any(), draft.lines[draft.any()]
    line, at, start = (
        draft.lines[nth],
        draft.random.randrange(len(draft.lines[nth])),
        draft.random.randrange(len(source)),
    )
    run = source[start : start + draft.random.choice((1, 4, 20, 100))]
    draft.lines[nth] = line[:at] + run + line[at + draft.random.choice((0, len(run))) :]


@way("bytes")
def swap_a_number(draft: Draft) -> None:
    nth = draft.any()
    found = draft.random.choice(list(re.finditer(rb"\d+", draft.lines[nth])))
    number = str(draft.random.choice((0, 1, 2, 6, 20, int(found[0][:18]) + 1, 10**7, 2**63, 2**64))).encode()
    draft.lines[nth] = draft.lines[nth][: found.start()] + number + draft.lines[nth][found.end() :]


@way("bytes")
def swap_words(draft: Draft) -> None:
    """Let a quoted word stand where another does."""
    nth, source = draft.any(), draft.lines[draft.any()]
    found = draft.random.choice(list(re.finditer(rb'"[^"\\]*"', draft.lines[nth])))
    word = draft.random.choice(re.findall(rb'"[^"\\]*"', source))
    draft.lines[nth] = draft.lines[nth][: found.start()] + word + draft.lines[nth][found.end() :]


@way("lines")
def strike_out_a_line(draft: Draft) -> None:
    nth = draft.any()
    del draft.lines[nth : nth + draft.random.choice((1, 1, 1, 2, 5))]


@way("lines")
def double_a_line(draft: Draft) -> None:
    nth = draft.any()
    draft.lines.insert(nth, draft.lines[nth])


@way("lines")
def swap_neighbours(draft: Draft) -> None:
    nth = draft.any()
    draft.lines[nth], draft.lines[nth + 1] = draft.lines[nth + 1], draft.lines[nth]


@way("lines")
def swap_payloads(draft: Draft) -> None:
    """Swap the events of two lines, and leave their envelopes."""
    one, two = draft.any(), draft.any()
    first, second = draft.obj(one), draft.obj(two)
    first["event"], second["event"] = second["event"], first["event"]
    draft.put(one, first)
    draft.put(two, second)


@way("lines")
def move_a_line(draft: Draft) -> None:
    draft.lines.insert(draft.any(), draft.lines.pop(draft.any()))


@way("lines")
def cut_the_head(draft: Draft) -> None:
    del draft.lines[: draft.random.choice((1, 1, 2, draft.any() + 1))]


@way("lines")
def cut_the_tail(draft: Draft) -> None:
    del draft.lines[draft.any() :]


@way("lines")
def splice_another_fight(draft: Draft) -> None:
    nth, other = draft.any(), draft.other().lines
    start = draft.random.randrange(len(other))
    taken = other[start : start + draft.random.choice((1, 1, 3, 20))]
    draft.lines[nth : nth + draft.random.choice((0, len(taken)))] = taken


@way("lines")
def splice_a_payload(draft: Draft) -> None:
    """Put an event of another fight, or of elsewhere in this one, in a line."""
    nth, other = draft.any(), draft.random.choice((draft.other().lines, draft.lines))
    obj = draft.obj(nth)
    obj["event"] = json.loads(draft.random.choice(other))["event"]
    draft.put(nth, obj)


@way("lines")
def insert_a_payload(draft: Draft) -> None:
    """Add a line with an event of elsewhere to a command."""
    nth, other = draft.any(), draft.random.choice((draft.other().lines, draft.lines))
    obj = draft.obj(nth)
    obj["event"] = json.loads(draft.random.choice(other))["event"]
    draft.lines.insert(nth + 1, encode_obj(obj))


@way("lines")
def odd_lines(draft: Draft) -> None:
    line = draft.random.choice(ODD_LINES)
    nth = draft.random.choice((0, draft.any(), len(draft.lines)))
    draft.lines[nth:nth] = [line] * draft.random.choice((1, 1, 1, 300))


@way("spelling")
def escape_a_character(draft: Draft) -> None:
    nth = draft.any()
    line = draft.lines[nth].decode()
    inside = [at for found in re.finditer(r'"[^"\\]+"', line) for at in range(found.start() + 1, found.end() - 1)]
    at = draft.random.choice(inside)
    spelt = f"\\u{ord(line[at]):04x}" if line[at] != "/" else "\\/"
    draft.lines[nth] = (
        f"{line[:at]}{draft.random.choice((spelt, spelt.upper().replace('U', 'u', 1)))}{line[at + 1 :]}".encode()
    )


@way("spelling")
def add_whitespace(draft: Draft) -> None:
    nth = draft.any()
    line = draft.lines[nth]
    at = draft.random.choice([found.start() for found in re.finditer(rb'[{}\[\],:](?=["\[{\d}])', line)]) + 1
    space = draft.random.choice((b" ", b"\t", b"\r", b"  ", b" " * 5000))
    draft.lines[nth] = line[:at] + space + line[at:]


@way("spelling")
def add_around_a_line(draft: Draft) -> None:
    nth = draft.random.choice((0, draft.any(), len(draft.lines) - 1))
    before, after = draft.random.choice(
        ((b" ", b""), (b"", b" "), (b"", b"\r"), (b"\xef\xbb\xbf", b""), (b"", b"\x00"), (b"\x0c", b""), (b"", b"\t "))
    )
    draft.lines[nth] = before + draft.lines[nth] + after


@way("spelling")
def end_every_line_otherwise(draft: Draft) -> None:
    draft.lines[:] = [line + b"\r" for line in draft.lines]


@way("spelling")
def reorder_keys(draft: Draft) -> None:
    nth = draft.any()
    obj = draft.obj(nth)
    inner = draft.random.choice([one for one in _objects(obj) if len(one) > 1])
    keys = list(inner)
    draft.random.shuffle(keys)
    moved = {key: inner.pop(key) for key in keys}
    inner.update(moved)
    draft.put(nth, obj)


@way("spelling")
def spell_a_number_otherwise(draft: Draft) -> None:
    nth = draft.any()
    line = draft.lines[nth]
    found = draft.random.choice(list(re.finditer(rb"(?<=[:,\[])\d+(?=[,}\]])", line)))
    ways = (b"%b.0", b"%be0", b"%bE+0", b"0%b", b"-%b", b"+%b", b"%b.", b'"%b"', b"%b0e-1", b"%b.0000000000000001")
    draft.lines[nth] = line[: found.start()] + draft.random.choice(ways) % found[0] + line[found.end() :]


@way("spelling")
def double_a_key(draft: Draft) -> None:
    """Write a key twice, with the same value or with another one, before or behind the first."""
    nth = draft.any()
    obj = draft.obj(nth)
    inner = draft.random.choice([one for one in _objects(obj) if one])
    key = draft.random.choice(list(inner))
    value: Any = draft.random.choice((inner[key], 0, "x", None, draft.obj(draft.any()).get(key), [], {}, True))
    inner["\0first"], inner["\0last"] = key, value
    moved = encode_obj(obj)
    pair = b"%b:%b" % (encode_obj(key), encode_obj(value))
    mark = b',"\\u0000first":%b,"\\u0000last":%b' % (encode_obj(key), encode_obj(value))
    if draft.random.random() < 0.5:
        draft.lines[nth] = moved.replace(mark, b"," + pair)
    else:
        del inner["\0first"], inner["\0last"]
        plain = encode_obj(inner)
        draft.lines[nth] = encode_obj(obj).replace(plain, b"{" + pair + b"," + plain[1:], 1)


@way("spelling")
def write_a_default(draft: Draft) -> None:
    """Write a default that must be left out."""
    nth = draft.any()
    obj = draft.obj(nth)
    field, value = draft.random.choice(
        (("more", 0), ("audience", None), ("salt", ""), ("known_to", None), ("mask", ""), ("more", False))
    )
    inside, default = draft.random.choice((("rules", []), ("reason", ""), ("source", "engine"), ("fresh", False)))
    if draft.random.random() < 0.5:
        obj.setdefault(field, value)
    else:
        obj["event"].setdefault(inside, default)
    draft.put(nth, obj)


@way("spelling")
def another_unicode_form(draft: Draft) -> None:
    nth = draft.any()
    obj = draft.obj(nth)
    text = draft.random.choice(("é", "ﬁ", "Å", "ﾊ"))
    form: Literal["NFD", "NFKD"] = draft.random.choice(("NFD", "NFKD"))
    inner = draft.random.choice([one for one in _objects(obj) if any(isinstance(part, str) for part in one.values())])
    key = draft.random.choice([key for key, part in inner.items() if isinstance(part, str)])
    inner[key] = unicodedata.normalize(form, inner[key] + draft.random.choice(("", text)))
    draft.put(nth, obj)


@way("spelling")
def another_case(draft: Draft) -> None:
    nth = draft.any()
    obj = draft.obj(nth)
    key = draft.random.choice(("hash", "who", "cause", "time"))
    obj[key] = draft.random.choice((obj[key].upper(), obj[key].swapcase(), obj[key].lower()))
    draft.put(nth, obj)


def _objects(obj: Any) -> list[dict[str, Any]]:
    parts = list(obj.values()) if isinstance(obj, dict) else obj if isinstance(obj, list) else []
    return [obj] * isinstance(obj, dict) + [one for part in parts for one in _objects(part)]

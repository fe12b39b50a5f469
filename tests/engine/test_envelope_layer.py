"""An audit's findings about a line's envelope and spelling, and a fight's opening."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw

from affray.engine.core.evolve import fold
from affray.engine.core.loading import load
from affray.engine.core.ruleset import config_of
from affray.engine.errors import Unusable
from affray.engine.integrity.audit.envelope import goes_back, is_time, reader_faults, sender_faults
from affray.engine.integrity.audit.opening import opening_faults
from affray.engine.integrity.audit.spelling import is_older, spelling_fault
from affray.engine.kit.encounters import ViewEntry
from affray.engine.texts import check_word
from affray.events import (
    Amended,
    ConditionChanged,
    Declared,
    Event,
    Faces,
    FightOpened,
    ItemAdded,
    Joined,
    Left,
    Noted,
    PhaseEntered,
    RawRecorded,
    Recorded,
    Rolled,
    Ruled,
    Senseless,
    choose_decoder,
)

NOON, LATER = "2025-06-01T12:00:00.000Z", "2025-06-01T12:00:00.001Z"
SALT = "0123456789abcdef" * 2


def make_raw_line(**fields: object) -> RawRecorded:
    whole = {"position": 1, "time": NOON, "who": "gm", "cause": "c", "hash": "", "event": Raw(b"{}"), **fields}
    return RawRecorded(**whole)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "fits"),
    [
        (NOON, True),
        ("2024-02-29T23:59:59.999Z", True),
        ("2025-02-29T12:00:00.000Z", False),
        ("2025-13-01T12:00:00.000Z", False),
        ("2025-06-01T24:00:00.000Z", False),
        ("2025-06-01T12:00:00Z", False),
        ("2025-06-01 12:00:00.000Z", False),
        ("٢025-06-01T12:00:00.000Z", False),
        ("", False),
    ],
)
def test_a_time_is_one_that_there_is(written: str, fits: bool) -> None:
    assert is_time(written) == fits
    told = list(sender_faults(None, make_raw_line(time=written), 4))
    assert told == ([] if fits else [("time", "a time in UTC such as 2025-06-01T12:00:00.000Z", f"“{written}”")])


def test_a_command_is_sent_no_earlier_than_the_one_before() -> None:
    last = make_raw_line(time=LATER)
    assert goes_back(last, make_raw_line())
    assert not goes_back(last, last)
    assert not goes_back(make_raw_line(), last)
    assert not goes_back(make_raw_line(time=LATER, more=1), make_raw_line())
    assert not goes_back(make_raw_line(time="z"), make_raw_line())
    due = [("time", f"a time not before {LATER}", NOON)]
    assert [list(sender_faults(last, make_raw_line(), format)) for format in (2, 3, 4)] == [[], due, due]


@pytest.mark.parametrize(("field", "code"), [("who", "who"), ("cause", "cause")])
def test_names_and_ids_have_1_to_200_visible_characters(field: str, code: str) -> None:
    for text in ("x", "x" * 200):
        assert list(sender_faults(None, make_raw_line(**{field: text}), 4)) == []
    for text in ("", "x" * 201, "a\u200b"):
        assert list(sender_faults(None, make_raw_line(**{field: text}), 4)) == [
            (code, "1 to 200 visible characters", repr(text))
        ]


BLANKS = ("\u3000", "\u00a0", "\u1680", "\u2000", "\u200a", "\u202f", "\u205f", " \u3000 ")
"""Spaces of many scripts and widths, which nobody sees where they stand alone."""


@pytest.mark.parametrize("text", [*BLANKS, " ", "   "])
@pytest.mark.parametrize("field", ["who", "cause"])
def test_a_name_of_blanks_alone_is_found_as_it_is_refused_where_it_is_entered(field: str, text: str) -> None:
    """Before format 4 spaces alone could be entered, and nothing else; between letters a space may be of any kind."""
    with pytest.raises(Unusable, match="must have 1 to 200 printable characters"):
        check_word(text, field, most=200)
    found = [list(sender_faults(None, make_raw_line(**{field: text}), format)) for format in (3, 4)]
    fault = [(field, "1 to 200 visible characters", repr(text))]
    assert found == [fault if text.strip(" ") else [], fault]
    check_word(f"Anna{text}B", field, most=200)
    assert list(sender_faults(None, make_raw_line(**{field: f"Anna{text}B"}), 4)) == []


READERS = "ids without control characters, line breaks or commas"


@pytest.mark.parametrize(
    ("who", "hides", "format", "faults"),
    [
        (("ilse", "bo"), SALT, 4, []),
        ((), SALT, 4, []),
        (None, SALT, 4, [("no {}, for everybody may know it", SALT)]),
        (("ilse",), "", 4, [("a {} of 32 figures", "none")]),
        (("ilse",), SALT.upper(), 4, [("a {} of 32 figures", f"“{SALT.upper()}”")]),
        (("ilse",), SALT[1:], 4, [("a {} of 32 figures", SALT[1:])]),
        (("a,b", "c"), SALT, 4, []),
        (("a,b", "c"), SALT, 3, [(READERS, "'a,b'")]),
        (("a", "b\n"), SALT, 4, [(READERS, repr("b\n"))]),
    ],
)
def test_what_is_hidden_has_readers_and_a_salt(
    who: tuple[str, ...] | None, hides: str, format: int, faults: list[tuple[str, str]]
) -> None:
    """Lines as well as the senders of commands."""
    read = list(reader_faults(make_raw_line(audience=who, salt=hides), format))
    sent = list(sender_faults(None, make_raw_line(known_to=who, mask=hides), format))
    for found, readers, secret in ((read, "audience", "salt"), (sent, "known_to", "mask")):
        assert found == [(readers if due == READERS else secret, due.format(secret), shown) for due, shown in faults]


# --- spelling ---


def spelt(event: Event, was: bytes = b"", now: bytes = b"", format: int = 4) -> tuple[str, str] | None:
    """Return the findings for an event's line with a changed spelling."""
    one = Recorded(3, "t", "gm", "c", "00", event)
    written = msgspec.json.encode(one)
    assert was in written
    changed = written.replace(was, now, 1) if was else written
    return spelling_fault(changed, msgspec.json.decode(changed, type=Recorded), format)


NOTE = Noted(text="a b")
ROLL = Rolled(roll="r", by="al", purpose="x", dice=(Faces(sides=6, faces=(1,)),), total=1)
WAITS = Declared(actor="a", kind="b", params=Raw(b"{}"))
RULED = Ruled(kind="note", params=Raw(b'{"text":"a","n":1}'), reason="so")


@pytest.mark.parametrize(
    ("event", "was", "now", "format", "due"),
    [
        (NOTE, b"", b"", 4, ""),
        (NOTE, b'"text":"a b"', b'"text": "a b"', 4, "the line as we write it"),
        (NOTE, b'"text":"a b"', b'"text":"a\\u0020b"', 4, "the line as we write it"),
        (NOTE, b'"text":"a b"', b'"text":"a b","rules":[]', 4, "the line as we write it"),
        (NOTE, b'"text":"a b"', b'"text":"a b","more":1', 4, "the line as we write it"),
        (NOTE, b'"text":"a b"', '"text":"a\u200bb"'.encode(), 4, "texts that can be seen"),
        (NOTE, b'"text":"a b"', '"text":"a\u200bb"'.encode(), 3, ""),
        (NOTE, b'"text":"a b"', '"text":"é"'.encode(), 4, ""),
        (NOTE, b'"text":"a b"', b'"text":"a\\nb"', 4, "texts that can be seen"),
        (NOTE, b'"text":"a b"', b'"text":"a\\nb"', 3, ""),
        (NOTE, b'"text":"a b"', b'"text":"a\\"b\\\\n"', 4, ""),
        (NOTE, b'"text":"a b"', b'"text":"a\x7fb"', 4, "texts that can be seen"),
        (ROLL, b"", b"", 4, ""),
        (ROLL, b'"total":1', b'"total":1,"reading":"sum"', 4, "the line as we write it"),
        (ROLL, b'"total":1', b'"total":1,"source":"engine"', 4, "the line as we write it"),
        (ROLL, b'"total":1', b'"total":1,"source":"entered"', 4, ""),
        (ROLL, b'"faces":[1]', b'"faces":[1],"kind":"die"', 4, "the line as we write it"),
        (
            Declared(actor="a", kind="b", params=Raw(b"{}")),
            b'"params":{}',
            b'"params":{},"manner":"standard"',
            4,
            "the line as we write it",
        ),
        (Declared(actor="a", kind="b", params=Raw(b"{}"), manner="readied"), b"", b"", 4, ""),
        (RULED, b"", b"", 4, ""),
        (RULED, b'"n":1', b'"n": 1', 4, "parameters as we write them"),
        (RULED, b'"n":1', b'"n": 1', 3, ""),
        (RULED, b'"n":1', b'"text":"b"', 4, "parameters as we write them"),
        (RULED, b'"n":1', b'"text":"b"', 3, "no key twice"),
        (RULED, b'"n":1', b'"n":' + b"1" * 5_000, 3, "one JSON value"),
        (RULED, b'"n":1', b'"n":{"x":1,"x":1}', 3, "no key twice"),
    ],
)
def test_there_is_one_way_to_write_an_event(event: Event, was: bytes, now: bytes, format: int, due: str) -> None:
    fault = spelt(event, was, now, format)
    assert (fault[0] if fault else "") == due


def test_where_a_spelling_parts_is_shown() -> None:
    fault = spelt(NOTE, b'"text":"a b"', b'"text":  "a b"')
    assert fault is not None
    written = msgspec.json.encode(Recorded(3, "t", "gm", "c", "00", NOTE))
    at = written.index(b'"text":') + len(b'"text":')
    assert fault[1] == f'another spelling from byte {at + 1} on: …{written[at - 20 : at].decode()}  "a b"}}}}…'
    fault = spelt(RULED, b'{"text":"a","n":1}', b'{"text":"a","n":1 }')
    assert fault == ("parameters as we write them", 'another spelling from byte 18 on: …{"text":"a","n":1 }…')
    behind = spelling_fault(written + b" ", Recorded(3, "t", "gm", "c", "00", NOTE), 4)
    assert behind is not None
    assert behind[1].startswith(f"another spelling from byte {len(written) + 1} on: …")
    twice = spelt(RULED, b'"n":1', b'"text":1', 2)
    assert twice == ("no key twice", "the key text twice")


def test_a_form_that_only_the_first_format_had_is_spelt_as_then() -> None:
    told = b'{"position":3,"time":"t","who":"gm","cause":"c","hash":"00",'
    told += b'"event":{"type":"PassStanding","who":"al","unless":"never"}}'
    read = choose_decoder(1)(told, 3)
    assert spelling_fault(told, read, 1) is None
    assert spelling_fault(told, read, 2) is not None
    spaced = told.replace(b'"who":"al"', b'"who": "al"')
    assert spelling_fault(spaced, choose_decoder(1)(spaced, 3), 1) is not None


def test_some_events_came_with_the_third_format() -> None:
    assert [is_older(Amended, format) for format in (1, 2, 3, 4)] == [True, True, False, False]
    assert not is_older(Noted, 1)


# --- openings ---


def test_an_opening_names_all_settings_and_sets_up_a_fight_once() -> None:
    ruleset = load("vestige")
    config = config_of(ruleset, {})
    whole = msgspec.to_builtins(config)
    opening = FightOpened(format=4, fight="f", system="vestige", version="1", digest="", config=whole)
    begun = PhaseEntered(phase=ruleset.flow.initial, trigger="opened")
    al = Joined(who="al", name="Al", side="a", stats={}, pools={})
    axe = ItemAdded(item="al", name="Axe", kind="w", owner="al")

    def faults(*events: Event, opened: FightOpened = opening) -> list[tuple[int, str, str, str]]:
        told = [Recorded(nth, "t", "gm", "c", "", one) for nth, one in enumerate((opened, *events), 1)]
        return list(opening_faults(ruleset, config, opened, told))

    assert faults(begun, al, axe) == []
    assert faults(al) == [(1, "opening", f"the phase {begun.phase}", "Joined")]
    assert faults(begun, al, Left(who="al")) == [(3, "opening", "what sets up a fight", "Left")]
    assert faults(begun, al, axe, al) == [(4, "opening", "somebody or something new", "al again")]
    assert faults(begun, axe, axe)[0] == (3, "opening", "somebody or something new", "al again")
    fewer = msgspec.structs.replace(opening, config=dict(list(whole.items())[1:]))
    (found,) = faults(begun, opened=fewer)
    assert found[:2] == (0, "config")
    assert found[2].startswith("every setting: {")


# --- what fits no state ---


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (Left(who="zoe"), "Left: there is no zoe"),
        (ConditionChanged(who="zoe", condition="x", before=0, after=1), "ConditionChanged: there is no zoe"),
    ],
)
def test_a_fact_about_nobody_fits_no_state(event: Event, says: str) -> None:
    told = [Recorded(nth, "t", "gm", "c", "", one) for nth, one in enumerate((Noted(text="a"), event), 1)]
    with pytest.raises(Senseless, match=says) as found:
        fold(told)
    assert found.value.line == 2


@pytest.mark.parametrize(
    ("seen", "ways"),
    [
        (ViewEntry(between=("al", "bo")), (("al", "bo"), ("bo", "al"))),
        (ViewEntry(between=("al", "bo"), both=False), (("al", "bo"),)),
        (ViewEntry(viewer="bo", target="al"), (("bo", "al"),)),
    ],
)
def test_who_sees_whom_is_said_both_ways_or_one(seen: ViewEntry, ways: tuple[tuple[str, str], ...]) -> None:
    assert seen.list_pairs(("al", "bo"), "seen[0]") == ways


@pytest.mark.parametrize(
    ("seen", "field", "says"),
    [
        (ViewEntry(between=("al", "cy")), "seen[0].between", "there is no cy; there are al, bo"),
        (ViewEntry(viewer="al", target="cy"), "seen[0]", "there is no cy; there are al, bo"),
        (ViewEntry(target="al"), "seen[0]", "there is no viewer; there are al, bo"),
        (ViewEntry(between=("al", "al")), "seen[0].between", "must name two combatants"),
        (ViewEntry(viewer="al", target="al"), "seen[0]", "must name two combatants"),
    ],
)
def test_who_sees_whom_names_two_who_are_there(seen: ViewEntry, field: str, says: str) -> None:
    with pytest.raises(Unusable) as found:
        seen.list_pairs(("al", "bo"), "seen[0]")
    assert (found.value.field, found.value.message) == (field, says)

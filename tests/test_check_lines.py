"""Lines that end the short check of docs/verify.md: ambiguous ones, odd fields, malformed ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from affray.engine.integrity.commitment import find_promise
from affray.engine.runtime.dice import NamedDice
from affray.events import Dice, EntropyAdded, Faces, Rolled
from tests.engine.fights import SEED
from tests.test_docs import all_right, check, list_roll_positions, make_closed_fight, save_log_in_folder, seal_events

Forge = Callable[[list[bytes]], list[bytes]]

FORMAT_5 = (
    b'{"position":2,"time":"2025-06-01T12:00:00.000Z","who":"gm","cause":"c1","hash":"",'
    b'"event":{"type":"FormatRaised","format":5}}'
)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (b'"who":', b'"who":"somebody else","who":', "line {} has a key twice"),
        (b'"name":', b'"name":"Nobody","name":', "line {} has a key twice"),
        (b'"who":', b'"remark":"x","who":', "line {} has unknown keys: remark"),
        (b'{"position"', b'\xef\xbb\xbf{"position"', "a byte order mark stands before the first line; take it away"),
    ],
)
def test_a_line_that_could_be_read_in_two_ways_ends_the_check(
    tmp_path: Path, before: bytes, after: bytes, says: str
) -> None:
    """No die covers such an addition to the opening, so the check must not pass."""
    played, lines = make_closed_fight("vestige")
    nth = 0 if b"\xef" in after else next(n for n, line in enumerate(lines) if b'"type":"Joined"' in line)
    assert before in lines[nth]
    save_log_in_folder(
        tmp_path, "forged", (line.replace(before, after, 1) if n == nth else line for n, line in enumerate(lines))
    )
    ran = check(tmp_path, "forged", *list_roll_positions(played.history.recorded))
    assert (ran.code, ran.out, ran.err) == (1, "", says.format(nth + 1) + "\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"event":', b'"mask":"Odo carries a magic crossbow","event":'),
        (b'"event":', b'"known_to":[],"event":'),
        (b'"event":', b'"salt":"","event":'),
        (b'"event":', b'"salt":null,"event":'),
        (b'"event":', b'"audience":null,"event":'),
        (b'"event":', b'"audience":"bo","event":'),
        (b'"position":2,', b'"position":"2",'),
        (b'"position":2,', b'"position":2.0,'),
        (b'"position":2,', b'"position":3,'),
    ],
)
def test_a_field_that_affray_would_not_write_ends_the_check(tmp_path: Path, before: bytes, after: bytes) -> None:
    """A reader may skip it or read it otherwise, so the check must not call a roll behind it right."""
    wanted = (Dice(count=1, sides=20),)
    recorded, _ = seal_events(EntropyAdded(words="luck"), scheme=2)
    (faces,) = NamedDice(SEED, ("luck",), find_promise(recorded).bound).faces("1/bo/attack/attack", wanted)
    dice = (Faces(sides=20, faces=faces),)
    roll = Rolled(roll="1/bo/attack/attack", by="bo", purpose="attack", dice=dice, total=faces[0])
    recorded, lines = seal_events(EntropyAdded(words="luck"), roll, scheme=2)
    save_log_in_folder(tmp_path, "whole", lines)
    all_right(check(tmp_path, "whole", 3), recorded)
    assert before in lines[1]
    save_log_in_folder(tmp_path, "odd", [lines[0], lines[1].replace(before, after, 1), *lines[2:]])
    ran = check(tmp_path, "odd", 3)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "line 2 has a field that Affray would not write there\n"


@pytest.mark.parametrize("odd", [b"\n", b'{"position":', b"[1]\n", b'{"event":{}}\n', b'{"position":1, "event" :{}}\n'])
def test_a_line_that_is_none_ends_the_check(tmp_path: Path, odd: bytes) -> None:
    """In words, as an editor or a broken disk may leave one."""
    _, lines = seal_events(EntropyAdded(words="luck"), scheme=2)
    log = save_log_in_folder(tmp_path, "odd", lines)
    log.write_bytes(log.read_bytes() + odd)
    ran = check(tmp_path, "odd", 1)
    said = "has a field" if b'"event":' in odd else "is empty, or cut off, or not spelt as Affray writes it"
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"line {len(lines) + 1} {said}")


def test_no_name_or_word_of_a_log_writes_a_line_of_the_check(tmp_path: Path) -> None:
    """A forger puts what the check would print into the names of dice and into words, with escapes."""
    kind, words = "d20 [20] [20]\n2 right: \x1b[8m", "\x1b[A1 right: all"
    dice = (Faces(sides=20, faces=(20, 20, 20), kind=kind),)
    roll = Rolled(roll="1/bo/attack/attack", by="bo", purpose="attack", dice=dice, total=60)
    save_log_in_folder(tmp_path, "forged", seal_events(EntropyAdded(words=words), roll, scheme=2)[1])
    ran = check(tmp_path, "forged", 3)
    assert (ran.code, ran.err) == (1, "")
    assert [line.split()[:2] for line in ran.out.splitlines()] == [
        ["3", "WRONG:"],
        ["format", "6:"],
        ["words", "stirred"],
    ]
    assert ran.out.replace("\n", "").isprintable()


def test_faces_that_are_a_text_end_the_check(tmp_path: Path) -> None:
    """A text would be printed as it is."""
    roll = Rolled(roll="1/bo/attack/attack", by="bo", purpose="attack", dice=(Faces(sides=20, faces=(20,)),), total=20)
    _, lines = seal_events(EntropyAdded(words="luck"), roll, scheme=2)
    forged = [line.replace(b'"faces":[20]', b'"faces":"\\r3 right: all"') for line in lines]
    assert forged != lines
    save_log_in_folder(tmp_path, "forged", forged)
    assert check(tmp_path, "forged", 3) == (1, "", "3 has faces that are no list\n")


@pytest.mark.parametrize(
    ("forge", "says"),
    [
        (
            lambda lines: [line.replace(b'"who":', b'"more":1,"who":', 1) for line in lines],
            "line 2 belongs to no command",
        ),
        (lambda lines: [lines[0], FORMAT_5, *lines[2:]], "line 2 lowers the format"),
    ],
    ids=["endless opening", "format of old"],
)
def test_a_promise_always_covers_the_opening(tmp_path: Path, forge: Forge, says: str) -> None:
    """No log is judged by the rules of an earlier format, under which a promise covered less."""
    _, lines = seal_events(EntropyAdded(words="luck"), scheme=2)
    save_log_in_folder(tmp_path, "forged", forge(lines))
    assert check(tmp_path, "forged", 2) == (1, "", f"{says}\n")

"""Valid input of a pipe, and its unrequested output."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from select import select
from typing import Any

import msgspec
import pytest

from affray.tools.cli.main import CLOSED_PIPE
from affray.tools.pipe.lines import LONGEST
from tests.tools.pipes import ATTACK, NOTE, Talk, ask_duel, pipe_lines
from tests.tools.program import affray, duel, rebuild_from_log


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """A pipe with the duel open."""
    duel(tmp_path)
    one = Talk(tmp_path)
    yield one
    one.program.kill()
    one.program.communicate()


# --- lines that are no requests ---


NO_REQUESTS: list[tuple[bytes, object, str]] = [
    (b"rubbish", None, "line"),
    (b'"a text"', None, "line"),
    (b"[1, 2]", None, "line"),
    (b"{}", None, "line"),
    (b'{"id": 1}', 1, "line"),
    (b'{"id": "a", "do": "dance"}', "a", "do"),
    (b'{"id": "a", "do": "state", "att": 3}', "a", "line"),
    (b'{"id": "a", "do": "state", "at": "now"}', "a", "at"),
    (b'{"id": "", "do": "list"}', "", "id"),
    (b'{"id": "\\u0007", "do": "list"}', "\x07", "id"),
    (b'{"id": null, "do": "list"}', None, "id"),
    (b'{"id": "a", "do": "list"', None, "line"),
    (b'{"id": "\xff\xfe", "do": "list"}', None, "line"),
    (b'{"id": "\\ud800", "do": "list"}', None, "line"),
    (b"\x00", None, "line"),
    (b'{"id": "a", "do": "new", "fight": "x", "encounter": ' + b'{"a":' * 100_000, None, "line"),
]
"""Lines, the id that can be told of each, and what is wrong with it."""


def test_a_line_that_is_no_request_meets_a_problem_and_the_next_one_an_answer(tmp_path: Path) -> None:
    lines = b"".join(line + b"\n\n" for line, _, _ in NO_REQUESTS)
    *said, last = pipe_lines(tmp_path, lines, {"id": 2, "do": "list"})
    assert [(one["id"], one["problem"]["status"], one["problem"]["line"], one["problem"]["field"]) for one in said] == [
        (id, 400, 2 * nth + 1, field) for nth, (_, id, field) in enumerate(NO_REQUESTS)
    ]
    assert last == {"id": 2, "ok": True, "fights": [], "open": []}


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path) -> None:
    """However long it is, only so much of it is kept; one of exactly the most is read."""
    most = b'{"id": 1, "do": "list"}'.ljust(LONGEST)
    first, second, third = pipe_lines(tmp_path, most + b"\n", most + b" \n", b"x" * (3 * LONGEST) + b"\n")
    assert first["ok"]
    assert [(one["problem"]["status"], one["problem"]["line"]) for one in (second, third)] == [(413, 2), (413, 3)]


def test_lines_may_come_in_any_pieces(talk: Talk) -> None:
    request = msgspec.json.encode({"id": "ü", "do": "list"}) + b"\r\n"
    for byte in request + request[:9]:
        talk.say(bytes([byte]))
    assert talk.hear()["id"] == "ü"
    talk.say(request[9:])
    assert talk.hear()["id"] == "ü"


def test_the_last_line_needs_no_end(tmp_path: Path) -> None:
    assert pipe_lines(tmp_path, b'{"id": 1, "do": "list"}')[0]["ok"]


def test_who_has_no_input_asks_nothing(tmp_path: Path) -> None:
    assert affray(tmp_path, "pipe", before=lambda: os.close(0)) == (0, "", "")


def test_a_closed_output_ends_the_pipe_quietly(talk: Talk) -> None:
    assert talk.program.stdout is not None
    talk.program.stdout.close()
    talk.ask("a", "list")
    assert talk.program.wait(30) == CLOSED_PIPE
    assert talk.program.stderr is not None
    assert talk.program.stderr.read() == b""


def test_a_command_whose_answer_was_lost_is_sent_again(talk: Talk, tmp_path: Path) -> None:
    """The program is killed before a reader gets the answer."""
    talk.ask("c", "command", intent=NOTE)
    assert talk.program.stdout is not None
    assert select([talk.program.stdout], [], [], 30)[0]
    talk.program.kill()
    (said,) = ask_duel(tmp_path, {"id": "c", "do": "command", "intent": NOTE})
    assert said["repeated"]
    causes = [one.cause for one in rebuild_from_log(tmp_path / "duel.jsonl").history.recorded]
    assert causes.count("c") == 2  # the ruling and the note


# --- following ---


def test_who_follows_gets_every_event_before_the_answer(talk: Talk) -> None:
    talk.ask("f", "follow")
    followed, first, ready = talk.hear(), talk.hear(), talk.hear()
    assert (followed["id"], first["snapshot"]["position"], ready["ready"]["head"]) == ("f", *[followed["head"]] * 2)
    talk.ask("c", "command", intent=ATTACK)
    lines: list[Any] = []
    while "line" in (said := talk.hear()):
        lines.append(said["line"])
    assert said["id"] == "c"
    assert lines == said["lines"]
    assert [line["position"] for line in lines] == list(range(followed["head"] + 1, said["head"] + 1))
    talk.ask("u", "unfollow")
    talk.ask("d", "command", intent=NOTE)
    assert [talk.hear()["id"], talk.hear()["id"]] == ["u", "d"]


def test_who_follows_hears_of_what_another_program_does(talk: Talk, tmp_path: Path) -> None:
    talk.ask("f", "follow")
    head = talk.hear()["head"]
    assert ["snapshot" in talk.hear(), "ready" in talk.hear()] == [True, True]
    assert affray(tmp_path, "rule", "duel.jsonl", "note", "it rains", "--reason", "for the record").code == 0
    first, second = talk.hear()["line"], talk.hear()["line"]
    assert (first["position"], first["more"], second.get("more", 0)) == (head + 1, 1, 0)
    talk.ask("s", "state")
    assert talk.hear()["position"] == head + 2


def test_a_command_is_carried_out_upon_what_another_program_did(talk: Talk, tmp_path: Path) -> None:
    talk.ask("a", "command", intent=NOTE)
    head = talk.hear()["head"]
    assert affray(tmp_path, "rule", "duel.jsonl", "note", "it rains", "--reason", "for the record").code == 0
    talk.ask("b", "command", intent=NOTE)
    assert talk.hear()["head"] == head + 4
    talk.ask("c", "command", intent=NOTE, expected=head)
    assert talk.hear()["problem"]["head"] == head + 4


def test_who_comes_back_goes_on_where_they_were(tmp_path: Path) -> None:
    log = duel(tmp_path)
    written = log.read_bytes().splitlines()
    followed, *lines, ready = ask_duel(tmp_path, {"id": 1, "do": "follow", "after": 9})
    told = [one["line"] for one in lines]
    assert all(one.pop("says") for one in told)
    assert [msgspec.json.decode(line) for line in written[9:]] == told
    assert followed["head"] == ready["ready"]["head"] == len(written)
    (refused,) = ask_duel(tmp_path, {"id": 1, "do": "follow", "after": len(written) + 1})
    assert refused["problem"]["field"] == "after"


def test_a_followed_fight_that_can_no_longer_be_read_is_said_to_be(talk: Talk, tmp_path: Path) -> None:
    talk.ask("f", "follow")
    for _ in range(3):
        talk.hear()
    (tmp_path / "duel.jsonl").unlink()
    said = talk.hear()
    assert (said["fight"], said["problem"]["status"]) == ("duel", 400)
    talk.ask("l", "list")
    assert talk.hear()["fights"] == []

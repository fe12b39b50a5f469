"""The Python client before servers that are none, links that are none, and without httpx: one clear error each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from affray.client import BadLink, Client, ClientError, RequestRefused, Unreachable, UnreadableAnswer
from affray.client.feed import EventParser
from affray.client.steps import LONGEST_WAIT, MOST_REPEATS
from affray.events import hash_line
from tests.client.conftest import OpenClient
from tests.client.table import saying

STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
SNAPSHOT = 'event: snapshot\ndata: {"position":3,"hash":"","state":{},"bands":{}}\n\n'
ODD = '{"type":"","title":"Odd","status":500,"detail":"","code":"odd"}'
MISFIT = '{"type":"PoolChanged","who":"x","pool":"hp","before":1,"after":0}'


def http(body: str, status: str = "200 OK", kind: str = "application/json", more: str = "") -> bytes:
    """Return an answer as it is sent."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body.encode())}\r\n{more}\r\n"
    return (head + body).encode()


def line(position: int, event: str, hash: str = "") -> str:
    """Return a line of a feed behind ``SNAPSHOT``, with the right hash if none is given."""
    hash = hash or hash_line("", position, "", ("gm", "c"), 0, "*", event.encode())
    said = f'{{"position":{position},"time":"","who":"gm","cause":"c","hash":"{hash}","event":{event}}}'
    return f"event: line\ndata: {said}\n\n"


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (http("<p>Sign in"), UnreadableAnswer, "no About of an Affray server: .+ it begins with '<p>Sign in'$"),
        (http('{"id":3}'), UnreadableAnswer, r"Expected `str`, got `int` - at `\$.id`"),
        (http('{"id":"duel"}'), UnreadableAnswer, "missing required field `name`"),
        (http("[" * 100_000), UnreadableAnswer, "no About of an Affray server: "),
        (http('"?"').replace(b"?", b"\xff"), UnreadableAnswer, "no About of an Affray server"),
        (http(""), UnreadableAnswer, "it is empty$"),
        (http("no gzip", more="Content-Encoding: gzip\r\n"), UnreadableAnswer, "cannot be decompressed"),
        (http("gone", "502 Bad Gateway", "text/html"), Unreachable, "^the answer is 502 Bad Gateway$"),
        (http("no", "404 Not Found", "text/html"), UnreadableAnswer, "404 Not Found without a reason.+'no'$"),
        (http("?", "799 Odd", "text/html"), UnreadableAnswer, r"799 \(unknown\) without a reason"),
        (
            http("", "302 Found", "text/html", "Location: https://elsewhere.example/\r\n"),
            *(UnreadableAnswer, "which leads to 'https://elsewhere.example/': use that server's own link"),
        ),
        (http("{}", "422 No", "application/problem+json"), UnreadableAnswer, "no Problem of an Affray server"),
        (http(ODD, "500 Odd", "application/problem+json"), RequestRefused, "^Odd$"),
        (b"SSH-2.0-dropbear\r\n", Unreachable, "the server cannot be reached: "),
        (b"", Unreachable, "the server cannot be reached: "),
        (http("{}")[:-1], Unreachable, "the server cannot be reached: "),
    ],
)  # fmt: skip
def test_a_foreign_answer_is_one_clear_error(
    enter: OpenClient, answer: bytes, kind: type[ClientError], says: str
) -> None:
    with saying(answer) as link, pytest.raises(kind, match=says) as error:
        enter(link).get_fight()
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__ or error.value.__context__ is None


@pytest.mark.parametrize(
    ("stream", "says"),
    [
        (http("{}"), "no feed of an Affray server, but application/json"),
        (STREAM + "event: snapshot\ndata: {}\n\n", "missing required field"),
        (STREAM + SNAPSHOT + "event: line\ndata: nonsense\n\n", "no WireLine of an Affray server"),
        (STREAM + SNAPSHOT + line(5, "{}"), "does not continue the record: position 5 where 4 was due"),
        (STREAM + SNAPSHOT + line(4, "{}", "0"), "does not continue the record: the hash of position 4 does not fit"),
        (STREAM + SNAPSHOT + line(4, '{"type":"Dreamt"}'), "position 4 is no event that is known here"),
        (STREAM + SNAPSHOT + line(4, MISFIT), "position 4 does not fit"),
    ],
)  # fmt: skip
def test_a_foreign_feed_is_one_clear_error(enter: OpenClient, stream: bytes | str, says: str) -> None:
    answer = stream if isinstance(stream, bytes) else stream.encode()
    with saying(answer) as link, pytest.raises(UnreadableAnswer, match=says):
        list(enter(link).follow())


def refuse_too_fast(seconds: str) -> bytes:
    """Return the answer to a client that asks too fast."""
    said = ODD.replace("500", "429")
    more = f"Retry-After: {seconds}\r\nConnection: close\r\n"
    return http(said, "429 Too Many Requests", "application/problem+json", more)


def test_a_client_that_asks_too_fast_waits_as_long_as_the_server_says(enter: OpenClient) -> None:
    with saying(refuse_too_fast("2"), refuse_too_fast("7"), http("[]", more="Connection: close\r\n")) as link:
        client = enter(link)
        assert client.list_rulings() == []
    assert client.pauses == [2, 7]


@pytest.mark.parametrize(
    ("seconds", "tries"),
    [
        ("1", 1 + MOST_REPEATS),
        (str(LONGEST_WAIT + 1), 1),
        ("0", 1),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 1),
        ("9" * 99, 1),
    ],
)
def test_a_client_does_not_wait_for_ever(enter: OpenClient, seconds: str, tries: int) -> None:
    """Nor where the server names no time, as when there are as many fights as there may be."""
    with saying(*[refuse_too_fast(seconds)] * tries) as link:
        client = enter(link)
        with pytest.raises(RequestRefused, match="Odd"):
            next(client.follow())
    assert client.pauses == [1] * (tries - 1)


def test_separators_in_words_end_no_line_of_the_feed() -> None:
    """JSON may hold U+2028, U+0085 and their like as they are; parts may end anywhere."""
    data = '{"says":"one\u2028two\x85three"}'.encode()
    stream = b": beat\r\n\r\nevent: line\r\ndata: " + data + b"\r\nid: 3\r\n\r\n"
    for size in (1, 2, 7, len(stream)):
        parser = EventParser()
        parts = [stream[at : at + size] for at in range(0, len(stream), size)]
        assert [event for part in parts for event in parser.parse(part)] == [("line", data)]


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("", "no address of a server; a link has the form"),
        ("table.example/#fight=a&token=b", "no address of a server"),
        ("ftp://table.example/#fight=a&token=b", "no address of a server"),
        ("http://[::1/#fight=a&token=b", "not an address"),
        ("http://table:99999/#fight=a&token=b", "not an address"),
        ("http://gm:secret@table/#fight=a&token=b", "a user name stands before the host"),
        ("http://table/#fight=a", "no token in it"),
        ("http://table/#fight=a&token=%0A", "no token in it"),
        ("http://table/#token=b", "it names no fight"),
    ],
)
def test_a_link_that_is_none_is_refused(link: str, says: str) -> None:
    with pytest.raises(BadLink, match=says):
        Client(link)


def test_a_link_to_another_fight_is_refused() -> None:
    with pytest.raises(BadLink, match="a link to duel, not to bridge"):
        Client("http://table/#fight=duel&token=b", "bridge")


def test_no_text_of_a_client_shows_its_token() -> None:
    with Client("http://table/#fight=duel&token=secret") as client:
        assert "secret" not in f"{client!r} {client.link!r} {client.link}"


def test_proxy_settings_that_httpx_cannot_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "fe11::/16")
    with pytest.raises(ClientError, match="cannot use the proxy settings of the environment"):
        Client("http://table/#fight=duel&token=b")


def test_without_httpx_one_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "httpx.py").write_text("raise ModuleNotFoundError('No module named httpx', name='httpx')\n", "utf-8")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import affray.client"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == (
        "ImportError: affray.client needs httpx, which is not installed: pip install 'affray[client]'"
    )
    assert "During handling" not in ran.stderr

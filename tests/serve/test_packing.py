"""Compressed answers, plain ones, and answers to a browser with a current copy."""

from __future__ import annotations

import gzip
import re

import pytest

from affray.tools.server.compression import MOST_NOISE, SHORTEST_BYTES, accepts_gzip, compress
from tests.serve.server import Server

PLAIN = {"Accept-Encoding": "identity"}


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [("gzip, br", True), ("br;q=1.0, GZIP;q=0.5", True), ("*", True), ("gzip;q=0", False), ("br", False), ("", False)],
)
def test_who_takes_it_says_so(accepted: str, taken: bool) -> None:
    assert accepts_gzip(accepted) is taken


def test_what_is_packed_is_whole_and_its_length_says_too_little() -> None:
    """Random bytes are added, so that the length does not reveal other parts of an answer."""
    content = b'{"name":"Lurker"}' * 100
    several = [compress(content) for _ in range(60)]
    assert {gzip.decompress(one) for one in several} == {content}
    lengths = {len(one) for one in several}
    assert len(lengths) > 10
    assert max(lengths) - len(compress(content, noise=0)) <= MOST_NOISE


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/static/style.css", "/static/icons.svg", "/rules/vestige"])
def test_the_page_and_the_books_travel_packed(server: Server, path: str) -> None:
    """For clients that accept it; all others get the same bytes uncompressed."""
    for_all = server.client.get(path, headers=PLAIN)
    assert "content-encoding" not in for_all.headers
    answer = server.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "accept-encoding")
    assert int(answer.headers["content-length"]) < len(for_all.content)
    assert answer.content == for_all.content
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_file_that_one_has_is_not_sent_again(server: Server) -> None:
    """The browser always asks, so that it never keeps half of an older page."""
    first = server.client.get("/static/app.js")
    assert first.headers["cache-control"] == "no-cache"
    tag = first.headers["etag"]
    again = server.client.get("/static/app.js", headers={"If-None-Match": f'W/"another", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert server.client.get("/static/app.js", headers={"If-None-Match": 'W/"another"'}).status_code == 200
    page = server.client.get("/", headers={"If-None-Match": server.client.get("/").headers["etag"]})
    assert (page.status_code, page.content) == (304, b"")
    assert "script-src 'self' 'sha256-" in page.headers["content-security-policy"]


def test_the_page_names_every_module_so_that_all_are_fetched_at_once(server: Server) -> None:
    page = server.client.get("/").text
    named = re.findall(r'<link rel="modulepreload" href="(static/[\w./-]+)">', page)
    assert {"static/app.js", "static/lib/preact.js", "static/affray/index.js"} <= set(named)
    assert not [one for one in named if one.startswith("static/host/")]
    assert all(server.client.get(f"/{one}").status_code == 200 for one in named)
    assert page.index("importmap") < page.index("modulepreload") < page.index('type="module"')


def test_long_answers_travel_packed_and_short_ones_and_pictures_do_not(server: Server) -> None:
    long = server.gm.asks("GET", "/api/fights/duel/vocabulary")
    assert len(long.content) > SHORTEST_BYTES
    assert long.headers["content-encoding"] == "gzip"
    assert server.gm.asks("GET", "/api/fights/duel/vocabulary").json() == long.json()
    assert "content-encoding" not in server.gm.asks("GET", "/api/fights/duel").headers
    assert "content-encoding" not in server.gm.asks("GET", "/api/fights/duel/log.jsonl").headers  # sent in parts

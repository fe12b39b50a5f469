"""A front-end of another origin in a real browser: it loads the client, follows a fight, acts, and frames the page."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from tests.page.duels import DUEL
from tests.page.served import Served
from tests.page.window import Windows

FRONT_END = """async ([base, token]) => {
  const { Client } = await import(`${base}/static/affray/client.js`);
  const client = new Client({ base, token });
  const seen = new Promise((done) => {
    client.follow("duel", { changed: ({ state }) => { if (state.round === 1) done(state.round); } });
  });
  await client.say("duel", "gm begin");
  return seen;
}"""


class EmptyPage(BaseHTTPRequestHandler):
    """Answers each request with an empty page."""

    def do_GET(self) -> None:
        """Send the page."""
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title>")

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The address of another server, and so another origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), EmptyPage) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, elsewhere: str) -> Iterator[Served]:
    """A server that lets in that origin."""
    with Served(tmp_path_factory.mktemp("elsewhere")) as running:
        running.begin("duel", DUEL)
        running.start("duel", "--allow-origin", elsewhere, "--allow-frame", elsewhere)
        yield running


@pytest.fixture
def front_end(windows: Windows, elsewhere: str) -> Page:
    """A window with a page of the other origin."""
    return windows.open(elsewhere)


def test_a_page_of_another_origin_follows_a_fight_and_acts(served: Served, front_end: Page) -> None:
    token = parse_qs(served.links["duel"]["game master"].partition("#")[2])["token"][0]
    assert front_end.evaluate(FRONT_END, [served.address, token]) == 1


def test_a_page_of_another_origin_shows_the_table_in_a_frame(served: Served, front_end: Page) -> None:
    front_end.evaluate(
        "link => { const frame = document.createElement('iframe'); frame.src = link; document.body.append(frame); }",
        served.links["duel"]["spectators"],
    )
    expect(front_end.frame_locator("iframe").locator(".headline h1")).to_be_visible()

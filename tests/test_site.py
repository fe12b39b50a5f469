"""The documentation site is built without a warning, describes all that there is, and asks no other host."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from affray.engine.core.loading import available, load
from affray.events import EVENTS
from affray.tools.api.operations import ALLOWED_ROLES
from affray.tools.cli.command_registry import COMMANDS
from affray.tools.pipe.requests import DOES

ROOT = Path(__file__).parents[1]
ASKED = re.compile(
    r"""<(?:script|img|iframe|source|link(?![^>]*rel="(?:index|search|next|prev)"))\b[^>]*?(?:src|href)="([^"]+)"|url\(([^)]+)\)"""
)
"""What a browser asks for by itself: scripts, images, style sheets, fonts."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. A link that leads nowhere is a warning, and a warning stops the build."""
    folder = tmp_path_factory.mktemp("site")
    words = [
        "--quiet",
        "--fail-on-warning",
        "--keep-going",
        "--conf-dir",
        "docs",
        "--builder",
        "html",
        ".",
        str(folder),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def read_page(site: Path, name: str) -> str:
    """The text of a page, without its markup."""
    page = (site / "docs" / f"{name}.html").read_text("utf-8")
    return re.sub(r"<[^>]+>", "", page[page.index("<article") :])


def test_the_start_leads_to_the_index(site: Path) -> None:
    assert 'url=docs/index.html"' in (site / "index.html").read_text("utf-8")


def test_every_document_is_in_the_index(site: Path) -> None:
    index = (site / "docs" / "index.html").read_text("utf-8")
    pages = [path for path in (ROOT / "docs").glob("*.md") if path.stem != "index"]
    assert len(pages) > 15
    assert [path.stem for path in pages if f'href="{path.stem}.html"' not in index] == []


def test_the_reference_names_every_command_event_and_request(site: Path) -> None:
    pages = ("commands", "events", "http", "pipe")
    commands, events, requests, pipe = (read_page(site, f"reference/{name}") for name in pages)
    assert [name for name in COMMANDS if f"affray {name}" not in commands] == []
    assert [kind.__name__ for kind in EVENTS if kind.__name__ not in events] == []
    assert [name for name in DOES if name not in pipe] == []
    hidden = ("/feed", "/{path:path}")
    missing = [f"{method} {path}" for method, path in ALLOWED_ROLES if f"{method} {path}" not in requests]
    assert [route for route in missing if not route.endswith(hidden)] == []


def test_the_refusals_of_each_system_are_listed(site: Path) -> None:
    page = read_page(site, "reference/refusals")
    for shown in ("nothing_to_undo", "WWN-003", "VER-018", "HEX-001", "WYR-001", "VES-001"):
        assert shown in page, shown


def test_the_settings_of_each_system_are_listed(site: Path) -> None:
    page = read_page(site, "reference/settings")
    missing = [name for key in available() for name in load(key).config.__struct_fields__ if name not in page]
    assert missing == []


def test_search_needs_no_server_and_knows_words_of_the_pages(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    assert [word for word in ("checkpoint", "initiative", "websocket", "poolchang") if word not in index] == []


def test_no_page_asks_another_host(site: Path) -> None:
    pages = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(pages) > 30
    asked = {
        (path.name, where)
        for path in pages
        for found in ASKED.findall(path.read_text("utf-8"))
        for where in found
        if re.match(r"[\"']?(?:https?:)?//", where)
    }
    assert asked == set()

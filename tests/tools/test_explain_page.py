"""``affray explain --html``: one self-contained page, for any names."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from shutil import copy

import msgspec

from affray.engine import Command, FileStore, begin_fight
from affray.engine.core.ids import id_of
from affray.tools.parse import intent_parser
from tests.tools.program import ENCOUNTER, affray

REPLAYS = Path(__file__).parents[2] / "replays"

EVIL = "<img src=x onerror=alert(1)>"


def copy_page_replay(folder: Path, name: str) -> str:
    """Put a recorded fight into a folder and return its FIGHT."""
    path = REPLAYS / f"{name}.jsonl"
    copy(path, folder)
    return path.name


class ExplainedPage(HTMLParser):
    """Reads a page, and fails where an element is not closed as it should be."""

    VOID = frozenset({"meta"})

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(content)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    """Well-formed, with headings and tables, for light and dark, without script, address or anything to load."""
    fight = copy_page_replay(tmp_path, "verdigris/the-gatehouse")
    ran = affray(tmp_path, "explain", fight, "365", "--html", "why.html")
    assert (ran.code, ran.out) == (0, "written to why.html\n")
    content = (tmp_path / "why.html").read_text("utf-8")
    page = ExplainedPage(content)
    tags = {tag for tag, _ in page.seen}
    assert {"h1", "h2", "table", "caption", "th", "main", "dl"} <= tags
    assert not tags & {"script", "link", "img", "iframe", "object", "form"}
    assert "://" not in content
    assert "url(" not in content
    assert "@import" not in content
    assert "prefers-color-scheme: dark" in content
    targets = {attributes["id"] for _, attributes in page.seen if "id" in attributes}
    links = {(attributes["href"] or "").removeprefix("#") for tag, attributes in page.seen if tag == "a"}
    assert links
    assert links <= targets
    assert "lay there from the roll at 361" in page.text
    assert content == affray(tmp_path, "explain", fight, "365", "--html", "-").out


def test_its_clauses_lead_into_a_book_that_lies_beside_it(tmp_path: Path) -> None:
    fight = copy_page_replay(tmp_path, "vestige/undo-and-redo")
    assert affray(tmp_path, "rules", "vestige", "--book", "the rules.html").code == 0
    ran = affray(tmp_path, "explain", fight, "365", "--html", "why.html", "--book", "the rules.html")
    assert ran.code == 0
    page = ExplainedPage((tmp_path / "why.html").read_text("utf-8"))
    book = (tmp_path / "the rules.html").read_text("utf-8")
    links = [attributes["href"] or "" for tag, attributes in page.seen if tag == "a"]
    out = [link.removeprefix("the%20rules.html#") for link in links if link.startswith("the%20rules.html#")]
    assert out
    assert [clause for clause in out if f'id="{clause}"' not in book] == []
    alone = affray(tmp_path, "explain", fight, "365", "--book", "the rules.html")
    assert (alone.code, "--book goes with --html" in alone.err) == (2, True)


def test_its_links_lead_from_where_it_lies_to_where_the_book_lies(tmp_path: Path) -> None:
    fight = copy_page_replay(tmp_path, "vestige/undo-and-redo")
    (tmp_path / "sub").mkdir()
    assert affray(tmp_path, "rules", "vestige", "--book", "sub/rules.html").code == 0
    links = {}
    for html, book in (("sub/e.html", "sub/rules.html"), ("e.html", "sub/rules.html"), ("sub/f.html", "none.html")):
        ran = affray(tmp_path, "explain", fight, "365", "--html", html, "--book", book)
        assert ran.code == 0
        assert ("none.html: there is no such book" in ran.err) == (book == "none.html")
        page = ExplainedPage((tmp_path / html).read_text("utf-8"))
        found = {(attributes["href"] or "").partition("#")[0] for tag, attributes in page.seen if tag == "a"}
        links[html] = found - {""}
    assert links == {"sub/e.html": {"rules.html"}, "e.html": {"sub/rules.html"}, "sub/f.html": {"../none.html"}}
    (tmp_path / "none.html").write_text("<p>no book</p>", "utf-8")
    ran = affray(tmp_path, "explain", fight, "365", "--html", "g.html", "--book", "none.html")
    assert (ran.code, "none.html: there is no such book" in ran.err) == (0, True)


def test_whatever_somebody_is_called_is_only_a_name(tmp_path: Path) -> None:
    content = msgspec.toml.decode(ENCOUNTER)
    content["name"] = "</title><script>alert(2)</script>"
    content["combatant"][1]["name"] = EVIL
    content["distance"][0]["between"] = ["ilse", id_of(EVIL)]
    fight = begin_fight("evil", content, who="<b>me</b>", seed=bytes(32), store=FileStore(tmp_path))
    fight.submit(Command(id="<i>", who="<b>me</b>", intent=intent_parser.intent(fight, "gm begin")))
    joined = next(one.position for one in fight.history.recorded if getattr(one.event, "name", "") == EVIL)
    for position in (1, joined, fight.head):
        written = affray(tmp_path, "explain", "evil.jsonl", str(position), "--html", "-").out
        page = ExplainedPage(written)
        assert not {tag for tag, _ in page.seen} & {"script", "img", "i"}
        assert "“<b>me</b>” (by their own word)" in page.text
    assert EVIL in ExplainedPage(affray(tmp_path, "explain", "evil.jsonl", str(joined), "--html", "-").out).text


def test_a_page_never_takes_the_place_of_a_fight(tmp_path: Path) -> None:
    fight = copy_page_replay(tmp_path, "vestige/undo-and-redo")
    before = (tmp_path / fight).read_bytes()
    ran = affray(tmp_path, "explain", fight, "1", "--html", fight)
    assert (ran.code, (tmp_path / fight).read_bytes()) == (2, before)
    assert "is the name of a fight; choose another" in ran.err

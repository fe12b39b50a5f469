"""Exports of a fight: readable reports and complete tables, both safe to open."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from unittest.mock import patch

import msgspec
import pytest
from msgspec import Raw

from affray.engine.commands import Command
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight, open_fight
from affray.engine.stores import FileStore
from affray.events import Damaged, Event, Joined, Rolled, Ruled
from affray.tools.present.exports import events_csv, markdown, page, rolls_csv
from affray.tools.present.exports.report import BattleReport, make_report
from affray.tools.present.story.narration import tell
from affray.tools.present.story.words import names_of
from tests.tools.program import ENCOUNTER, affray

REPLAYS = Path(__file__).parents[2] / "replays"
FIGHTS = sorted(REPLAYS.glob("*/*.jsonl"))
BRIDGE = REPLAYS / "vestige" / "closed-bridge.jsonl"

NASTY = [
    '<img src=x onerror="alert(1)">',
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "*bold* _low_ `code` [link](javascript:alert(1)) | cell",
    "# heading",
    "1. first",
    "&lt;b&gt;",
]
"""Names that somebody may give a combatant."""


@cache
def load_exported_fight(log: Path) -> Fight:
    """A recorded fight."""
    return open_fight(log.stem, FileStore(log.parent))


@cache
def make_exported_report(log: Path) -> BattleReport:
    """The report of a recorded fight."""
    return make_report(load_exported_fight(log))


def read_csv(text: str) -> list[dict[str, str]]:
    """A CSV as a program reads it."""
    return list(csv.DictReader(StringIO(text, newline="")))


def nasty(who: str = "=gm") -> Fight:
    """A fight of people with nasty names, opened and ruled by an author."""
    content = msgspec.toml.decode(ENCOUNTER)
    first = content["combatant"][0]
    people = [{**first, "name": name, "side": "red" if nth % 2 else "blue"} for nth, name in enumerate(NASTY)]
    fight = begin_fight(
        "nasty", {**content, "name": NASTY[0], "combatant": people, "distance": []}, who=who, seed=bytes(32)
    )
    first = next(iter(fight.state.combatants))
    for nth, words in enumerate(NASTY):
        roll = {"dice": "1d6", "purpose": words}
        for kind, params in (("condition", {"who": first, "condition": words, "own": True}), ("secret_roll", roll)):
            ruled = Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason=words)
            with patch("affray.engine.fight.check_new_ruling"):  # older records hold any words
                fight.submit(Command(id=f"{kind}-{nth}", who=who, intent=ruled))
    return fight


class ExportedPage(HTMLParser):
    """A page as a browser takes it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


# --- reports ---


@pytest.mark.parametrize("log", FIGHTS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_every_recorded_fight_has_its_reports(log: Path) -> None:
    """With all combatants, equal harm dealt and taken, and a well-formed, self-contained page."""
    fight, told = load_exported_fight(log), make_exported_report(log)
    joined = Counter(one.event.name for one in fight.history.effective() if isinstance(one.event, Joined))
    assert Counter(one.name for one in told.fighters) == joined
    harm = sum(one.event.amount for one in fight.history.effective() if isinstance(one.event, Damaged))
    assert sum(one.taken for one in told.fighters) == harm
    assert sum(one.dealt for one in told.fighters) <= harm
    assert len(told.chapters) >= told.rounds
    written = ExportedPage(page(fight))
    assert written.open == []
    assert {tag for tag, _ in written.tags}.isdisjoint({"script", "link", "img", "iframe", "object", "form"})
    assert not [
        value for _, attributes in written.tags for name, value in attributes.items() if name in ("src", "href")
    ]
    assert markdown(fight).startswith(f"# {told.name}\n")


def test_a_report_tells_the_fight_from_its_beginning_to_its_end() -> None:
    told = make_exported_report(REPLAYS / "wwn" / "the-sunken-road.jsonl")
    assert (told.name, told.rounds, told.outcome) == ("“The sunken road”", 12, "Won by nobody")
    assert [str(one.counters[0]) for one in told.fighters if one.name == "Osric"] == ["HP 15 → 2"]
    assert [(one.round, one.text) for one in told.highlights] == [
        (1, "Archer A is dead: Mab deals 6 (first blood)"),
        (2, "Jessamy is mortally wounded: Archer C deals 6"),
        (3, "The hardest blow: Mab deals 7 to The Fox"),
        (5, "Mab is mortally wounded: Archer B deals 4"),
        (5, "The Fox goes down: Osric deals 3"),
        (8, "Archer B is dead: Osric deals 5"),
        (11, "Mab is dead"),
    ]
    assert [chapter.title for chapter in told.chapters[1:-1]] == [f"Round {nth}" for nth in range(1, 13)]


def test_who_strikes_back_gets_the_credit() -> None:
    """In a clash the one who was attacked may be the one who wounds."""
    told = make_exported_report(REPLAYS / "hexblade" / "the-barrow-at-dusk.jsonl")
    assert (3, "Wight A is slain: Isen deals 10") in [(one.round, one.text) for one in told.highlights]
    assert {one.name: one.felled for one in told.fighters if one.side == "party"} == {"Isen": 3, "Kara": 0, "Tamm": 2}


def test_a_report_says_how_to_tell_the_record_by_and_what_its_audit_found() -> None:
    fight = load_exported_fight(BRIDGE)
    done = affray(BRIDGE.parent, "audit", BRIDGE.name)
    shown = affray(BRIDGE.parent, "export", BRIDGE.name).out
    assert done.out.splitlines()[0] in shown
    assert fight.history.head_hash in shown
    assert "Left undecided in round 2" in shown


def test_rulings_and_corrections_are_listed() -> None:
    told, names = make_exported_report(BRIDGE), names_of(load_exported_fight(BRIDGE).history.recorded)
    for one in (*told.rulings, *told.corrections):
        assert one.text == tell(load_exported_fight(BRIDGE).history.at(one.position).event, names)
    assert any("brandy" in one.text for one in told.rulings)
    assert any(one.text.startswith("Position 50 is corrected") for one in told.corrections)


# --- names that mean harm ---


def test_a_nasty_name_is_only_a_name_on_a_page() -> None:
    written = ExportedPage(page(nasty()))
    everything = "\n".join(written.texts)
    assert all(name.replace('"', "'") in everything for name in NASTY)
    assert "img" not in {tag for tag, _ in written.tags}
    assert not [name for _, attributes in written.tags for name in attributes if name.startswith("on")]


def test_a_nasty_name_is_only_a_name_in_markdown() -> None:
    text = markdown(nasty())
    assert "<img" not in text.replace("\\<img", "")
    assert r"\*bold\* \_low\_ \`code\` \[link\](javascript:alert(1)) \| cell" in text
    assert "| “1. first” |" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {6, 7}


@pytest.mark.parametrize("written", [events_csv, rolls_csv])
def test_no_cell_is_a_formula(written: object) -> None:
    """A text that begins like one has an apostrophe before it, and every text is in quotes."""
    assert callable(written)
    text = written(nasty())
    cells = [cell for row in csv.reader(StringIO(text, newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    if written is events_csv:
        assert "'=gm" in cells
        assert text.count('"\'=gm"') == text.count("\r\n") - 1


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_no_sign_of_a_formula_begins_a_cell(sign: str) -> None:
    """A spreadsheet set to Japanese or Chinese takes the full-width signs for the usual ones."""
    fight = nasty(f"{sign}1+1")
    authors = {row["who"] for row in read_csv(events_csv(fight))}
    assert f"'{sign}1+1" in authors
    assert f"{sign}1+1" not in authors


HIDDEN = ("\u2068\u2060", "\u2060\u2069", "\u2068\u2068\u2060\u2060", "\u2068\u2060 ", "\u3000", " ")
"""What may stand before a sign and is not seen: marks of earlier versions, also in each other, and spaces."""


@pytest.mark.parametrize("sign", "=+-@＝＋－＠\t\r\n")
@pytest.mark.parametrize("written", [events_csv, rolls_csv])
def test_no_unseen_character_hides_the_sign_of_a_formula(written: Callable[[Fight], str], sign: str) -> None:
    """A foreign log may hold characters that cannot be entered, in an author or in a name."""
    bridge = load_exported_fight(BRIDGE)
    recorded = bridge.history.recorded
    for before in HIDDEN:
        text = f'{before}{sign}HYPERLINK("")'
        events = [msgspec.structs.replace(one, who=text, event=rename_in_event(one.event, text)) for one in recorded]
        fight = cast("Fight", SimpleNamespace(history=SimpleNamespace(recorded=events, is_effective=lambda _: True)))
        cells = [cell for row in csv.reader(StringIO(written(fight), newline="")) for cell in row]
        hidden = [cell for cell in cells if "HYPERLINK" in cell]
        assert hidden
        assert not [cell for cell in hidden if cell.strip()[0] in "=+-@＝＋－＠\t\r\n"], before


def rename_in_event(event: Event, name: str) -> Event:
    """Return an event in which a combatant, or a roll's source, has a name."""
    if isinstance(event, Joined):
        return msgspec.structs.replace(event, name=name)
    return msgspec.structs.replace(event, source=name) if isinstance(event, Rolled) else event


def test_a_negative_number_stays_a_number() -> None:
    margins = [
        row["margin"] for log in FIGHTS for row in read_csv(rolls_csv(load_exported_fight(log))) if row["margin"]
    ]
    assert any(margin.startswith("-") for margin in margins)
    assert all(margin.lstrip("-").isdigit() for margin in margins)


# --- tables ---


@pytest.mark.parametrize("log", FIGHTS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_the_tables_hold_every_event_and_every_roll(log: Path) -> None:
    history = load_exported_fight(log).history
    events, rolls = read_csv(events_csv(load_exported_fight(log))), read_csv(rolls_csv(load_exported_fight(log)))
    assert [int(row["position"]) for row in events] == list(range(1, history.head + 1))
    for row, one in zip(events, history.recorded, strict=True):
        fields = {"type": row["type"], **msgspec.json.decode(row["fields"])}
        rules = {"rules": row["rules"].split()} if row["rules"] else {}
        assert msgspec.json.decode(msgspec.json.encode(one.event)) == fields | rules
        assert (row["counts"] == "yes") == history.is_effective(one.position)
    recorded = [one for one in history.recorded if isinstance(one.event, Rolled)]
    assert [int(row["position"]) for row in rolls] == [one.position for one in recorded]
    for row, one in zip(rolls, recorded, strict=True):
        assert isinstance(one.event, Rolled)
        faces = [face for group in one.event.dice for face in group.faces]
        assert [int(face) for face in row["faces"].replace("|", " ").split()] == faces
        assert int(row["total"]) == one.event.total


def test_a_roll_has_what_it_came_to_and_the_round_it_was_in() -> None:
    rows = {int(row["position"]): row for row in read_csv(rolls_csv(load_exported_fight(BRIDGE)))}
    hit = next(row for row in rows.values() if row["purpose"] == "attack")
    assert (hit["round"], hit["counts"], hit["roller"], hit["purpose"]) == ("1", "undone", "Tomas", "attack")
    assert (hit["dice"], hit["modifiers"], hit["outcome"], hit["margin"]) == ("1d20", "accuracy +1", "hit", "2")
    last = max(rows)
    assert (rows[last]["round"], rows[last]["counts"]) == ("2", "yes")


# --- the command ---


def test_the_ending_of_the_file_says_what_is_meant(log: Path) -> None:
    folder = log.parent
    assert affray(folder, "export", log.name, "-o", "duel.html").code == 0
    assert (folder / "duel.html").read_text("utf-8").startswith("<!doctype html>")
    assert affray(folder, "export", log.name, "-o", "duel.md").code == 0
    assert (folder / "duel.md").read_text("utf-8").startswith("# “A duel”\n")
    said = affray(folder, "export", log.name, "-o", "duel.csv")
    assert (said.code, "--format" in said.err) == (2, True)


@pytest.mark.parametrize("form", ["rolls", "events"])
def test_a_spreadsheet_reads_the_umlauts_of_a_table_and_a_program_meets_no_mark(log: Path, form: str) -> None:
    """Excel takes a file for UTF-8 only if it begins with a byte order mark; a program reads that as part of a name."""
    folder = log.parent
    assert affray(folder, "export", log.name, "--format", form, "-o", "duel.csv").code == 0
    written = (folder / "duel.csv").read_bytes()
    assert written.startswith(b'\xef\xbb\xbf"position",')
    shown = affray(folder, "export", log.name, "--format", form).out
    assert shown.startswith('"position",')
    assert read_csv(written.decode("utf-8-sig")) == read_csv(shown)
    assert read_csv(affray(folder, "export", log.name, "--format", form, "--json").json["content"]) == read_csv(shown)


def test_nothing_else_is_written_over(log: Path) -> None:
    before = log.read_bytes()
    said = affray(log.parent, "export", log.name, "--format", "html", "-o", log.name)
    assert said.code == 2
    assert log.read_bytes() == before


def test_a_machine_gets_the_same(log: Path) -> None:
    said = affray(log.parent, "export", log.name, "--format", "events", "--json").json
    assert said["content"] == events_csv(load_exported_fight(log))
    assert said["format"] == "events"

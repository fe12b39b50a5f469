"""The book of each system is complete and up to date, and every link in it has a target."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from affray.engine.core.loading import load
from affray.tools.book.book import book, missing
from affray.tools.book.code import find_citing
from affray.tools.book.page import html
from affray.tools.book.plots import shades_of
from affray.tools.book.settings import describe_settings
from affray.tools.book.shipped import MADE, encode_made, load_made, make, notes
from tests.rulesets.coverage import trials
from tests.rulesets.systems import PRESENT, RULESETS

EACH = pytest.mark.parametrize("system", PRESENT)
REPLAYS = Path(__file__).parents[2] / "replays"


@EACH
def test_what_is_made_from_scenarios_and_recorded_fights_is_up_to_date(system: str) -> None:
    """Otherwise run ``python -m affray.tools.book`` in the top folder."""
    ruleset = RULESETS[system]
    kept = (files(ruleset.package) / MADE).read_text("utf-8")
    assert kept == encode_made(make(ruleset, trials(system), REPLAYS / system)), "run python -m affray.tools.book"


@EACH
def test_every_clause_has_an_example_code_and_chances_or_a_reason_why_not(system: str) -> None:
    """The reasons stand in ``book.toml``; one that is not needed any more is found as well."""
    where = f"engine/rulesets/{system}"
    assert missing(RULESETS[system]) == [], (
        f"name the clause in a table of {where}/odds.toml, or say why not under [without.odds] in {where}/book.toml"
    )


@EACH
def test_every_setting_stands_at_a_clause_and_every_choice_of_an_example_is_one(system: str) -> None:
    ruleset = RULESETS[system]
    said = notes(ruleset.package)
    found = describe_settings(ruleset, said.settings)
    assert [one.key for one in found if not one.clauses] == []
    assert [one.key for one in found if not one.says] == []
    assert set(said.settings) <= {one.key for one in found}
    assert {clause for clauses in said.settings.values() for clause in clauses} <= set(ruleset.clauses)
    titles = {trial.scenario.title for trial in trials(system)}
    assert [title for title in said.examples.values() if title not in titles] == []


@EACH
def test_the_code_that_is_named_is_there(system: str) -> None:
    """Its first line stands where it is said to, and the clause stands in it."""
    ruleset = RULESETS[system]
    for clause, functions in find_citing(ruleset).items():
        for one in functions:
            lines = (files(ruleset.package) / one.file).read_text("utf-8").splitlines()
            assert one.source.splitlines()[0] == lines[one.line - 1].strip()
            assert clause in one.source


class Page(HTMLParser):
    """Reads a page: what is open, which names there are, and where links lead."""

    VOID = frozenset({"meta", "input", "br"})

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.links: list[str] = []
        self.taken: list[str] = []
        self.feed(content)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert len(found) == len(attrs)
        assert not {"style", "onclick", "src"} & set(found)
        self.names += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if tag == "a" else []
        if tag not in self.VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()


@EACH
def test_the_page_is_whole_and_every_link_leads_somewhere(system: str) -> None:
    content = html(RULESETS[system])
    page = Page(content)
    assert len(page.names) == len(set(page.names))
    assert set(RULESETS[system].clauses) <= set(page.names)
    assert [link for link in page.links if not (link.startswith("#") and link[1:] in page.names)] == []
    assert "://" not in content
    assert "url(" not in content


@EACH
def test_every_plot_is_well_formed_and_keeps_within_its_width(system: str) -> None:
    plots = re.findall(r'<svg class="plot".*?</svg>\n(?=<p|<details)', html(RULESETS[system]), re.DOTALL)
    assert len(plots) == sum(len(entry.tables) for entry in book(RULESETS[system]).entries)
    for plot in plots:
        for one in ElementTree.fromstring(plot).iter("rect"):
            left, width = (float(one.get(name, "0").rstrip("%")) for name in ("x", "width"))
            assert -0.01 <= left <= left + width <= 100.01


@EACH
def test_an_example_says_who_has_what_and_why_something_is_refused(system: str) -> None:
    """Not a side of bare names, nor a number of a clause twice, nor what only a program would write."""
    examples = load_made(RULESETS[system].package).examples
    assert any("in hand" in side for one in examples.values() for side in one.there)
    acts = [act for one in examples.values() for act in one.acts]
    assert [act.do for act in acts if not act.do or (act.rule and act.refused == act.rule)] == []
    lines = [line.text for act in acts for line in act.came if not line.text.startswith("Note: ")]
    assert [line for line in lines if re.search(r'"\w+":|\bfrees\b|shock_|: $|^The \w+s rolls', line)] == []


@EACH
def test_of_a_recorded_fight_only_the_present_record_is_counted(system: str) -> None:
    counted = load_made(RULESETS[system].package).counted
    fights = {one.fight for some in counted.values() for one in some}
    earlier = {fight for fight in fights if fight.startswith("version-")}
    assert fights
    assert {fight for fight in earlier if fight.split("-", 2)[2] in fights} == set()


def test_dice_of_what_was_given_are_told() -> None:
    told = [act for one in load_made(RULESETS["vestige"].package).examples.values() for act in one.acts if act.given]
    assert any(act.dice and act.came for act in told)


def test_nothing_has_the_quietest_colour() -> None:
    assert shades_of(("a hit", "Shock on a miss", "nothing")) == "aec"
    assert shades_of(("a", "b", "c")) == "ace"


def test_a_system_of_somebody_elses_has_a_book_without_any_of_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A catalogue is enough."""
    (tmp_path / "elsewhere").mkdir()
    catalogue = files(RULESETS["vestige"].package).joinpath("clauses.toml").read_text("utf-8")
    (tmp_path / "elsewhere/clauses.toml").write_text(catalogue, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    plain = msgspec.structs.replace(load("vestige"), package="elsewhere", name="other")
    content = html(plain)
    assert set(plain.clauses) <= set(Page(content).names)

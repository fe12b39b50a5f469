"""What players read of their foes in a real browser: a word and a ring, nothing, or numbers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Locator, Page, expect

from affray.engine import open_fight
from affray.engine.visibility import list_foes
from tests.examples import THOROUGH
from tests.page.duels import moved_on
from tests.page.served import Served
from tests.page.test_maps import rule_by_form
from tests.page.window import Windows, position, up_to_date

SHIPPED = {"hexblade": "palisade", "verdigris": "toll-road", "vestige": "ford", "wwn": "cellar", "wyrd": "mill"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fight of each system, in which players read a word of foes."""
    with Served(tmp_path_factory.mktemp("foes")) as running:
        for system, name in SHIPPED.items():
            text = files("affray").joinpath("encounters", system, f"{name}.toml").read_text("utf-8")
            assert "foes" not in tomllib.loads(text)
            running.begin(system, f'foes = "rough"\n{text}')
        running.start(*SHIPPED)
        yield running


@pytest.mark.parametrize("system", SHIPPED if THOROUGH else ["hexblade", "wyrd"])
def test_players_read_of_foes_what_the_fight_is_set_to(system: str, server: Served, windows: Windows) -> None:
    """A word and a ring; after rulings neither, and then the number. The game master reads numbers all the while."""
    links = server.links[system]
    gm = windows.open(links["game master"])
    player = windows.open(next(link for who, link in links.items() if who not in ("game master", "spectators")))
    up_to_date(gm, player, at=position(gm))
    fight = open_fight(system, server.store)
    foes = sorted(list_foes(fight.state))
    pool = next(iter(fight.ruleset.vocabulary.with_role("health") & fight.state.combatants[foes[0]].pools.keys()))
    rises = pool in fight.ruleset.vocabulary.rising
    has_map = bool(player.locator(".token").count())

    def row(page: Page, who: str) -> Locator:
        return page.locator(f".person[data-who={who}]")

    for who in foes:
        expect(row(player, who).locator(".band")).to_have_text("unhurt")
        expect(row(player, who).locator("[role=meter]")).to_have_count(0)
        expect(row(gm, who).locator(".number")).to_have_count(1)
        if has_map:
            expect(player.locator(f".token[data-who={who}] .fares.good")).to_have_count(1)

    before = position(gm)
    hurt = {"by": "9"} if rises else {"to": "1"}
    rule_by_form(gm, "pool", who=foes[0], pool=pool, **hurt)
    moved_on(gm, player, after=before)
    expect(row(player, foes[0]).locator(".band")).to_have_text("badly hurt")
    if has_map:
        expect(player.locator(f".token[data-who={foes[0]}] .fares.poor")).to_have_count(1)
    assert not re.search(r"\d", row(player, foes[0]).locator(".vital").inner_text())

    before = position(gm)
    rule_by_form(gm, "foes", show="hidden")
    moved_on(gm, player, after=before)
    for who in foes:
        expect(row(player, who).locator(".band, [role=meter], .number")).to_have_count(0)
        expect(player.locator(f".token[data-who={who}] .fares")).to_have_count(0)
    expect(row(gm, foes[0]).locator(".number")).to_have_count(1)

    before = position(gm)
    rule_by_form(gm, "foes", show="open")
    moved_on(gm, player, after=before)
    expect(row(player, foes[0]).locator(".number")).to_have_count(1)
    expect(row(player, foes[0]).locator(".band")).to_have_count(0)


def test_a_new_encounter_says_that_foes_are_shown_by_a_word(server: Served, windows: Windows) -> None:
    """The field of the editor is set so, begun empty or as a copy of one that says nothing."""
    page = windows.open(server.host)
    for address in ("#encounter=", "#encounter=&from=wwn%2Fcellar"):
        page.goto(f"{server.address}/{address}")
        page.reload()
        if "from" not in address:
            page.locator("[data-system=wwn]").get_by_role("button", name="Start empty").click()
        page.locator("summary", has_text="Hidden from players").last.click()
        chosen = page.get_by_label("Players see what foes have left").locator("option:checked")
        expect(chosen).to_have_text("As a word")

"""Real dice at the table: the roller is asked, types the faces, and is told about impossible ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from affray.events import DiceAwaited, DiceEntered, Rolled
from tests.page.duels import DUEL, begin, moved_on, sit_down
from tests.page.served import Served
from tests.page.window import Windows, declare, position, stays_within, there, up_to_date

POOLS = """\
system = "verdigris"
name = "Pools"

[[zone]]
name = "yard"

[[combatant]]
name = "Hild"
side = "party"
pc = true
at = "yard"
strength = 4
agility = 2
dodge = 2
withstand = 3
panic = 3
hp = 6
weapons = ["broad-sword"]

[[combatant]]
name = "Orc"
side = "enemies"
block = "orc"
at = "yard"

[[melee]]
members = ["hild", "orc"]
"""

NEXT = ".card :is(.main, .answer)"
"""What a card waits for: what it urges, or the answers it offers."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Fights with entered dice for all, and one where a ruling sets this."""
    with Served(tmp_path_factory.mktemp("dice")) as running:
        for name in ("real", "refused"):
            running.begin(name, DUEL, dice="entered")
        running.begin("ruled", DUEL)
        running.begin("pools", POOLS, dice="entered")
        running.start("real", "refused", "ruled", "pools")
        yield running


def throws(page: Page, *faces: int) -> None:
    """Type what the dice show, a box each, and enter it."""
    boxes = page.locator(".faces input")
    expect(boxes).to_have_count(len(faces))
    for box, face in zip(boxes.all(), faces, strict=True):
        box.fill(str(face))
    page.locator(".faces").get_by_role("button", name="Enter").click()


def list_typed_faces(server: Served, fight: str) -> list[tuple[int, ...]]:
    """Return a combatant's entered faces in the stored log."""
    return [one.event.faces for one in server.recorded(fight) if isinstance(one.event, DiceEntered)]


def test_a_fight_is_played_with_real_dice_in_two_windows(server: Served, windows: Windows) -> None:
    """Each roll is asked of the roller and of the game master, who may type it for them."""
    gm, ilse = sit_down(server, windows, "real")
    begin(gm, ilse)
    typed: list[int] = []
    hers = 0
    for face in (15, 4, 17, 18, 19, 6, 16):
        for _ in range(12):
            up_to_date(gm, ilse, at=position(gm))
            if gm.locator(".faces").count():
                break
            before = position(gm)
            page = next(one for one in (ilse, gm) if there(one, f"{NEXT}, .kinds [data-kind]") is not None)
            card = there(page, NEXT)
            if card is not None:
                card.click()
            else:
                declare(page, next(one for one in ("attack", "end_turn") if there(page, f".kinds [data-kind={one}]")))
            moved_on(gm, ilse, after=before)
            if "is over" in gm.locator(".standing").inner_text():
                break
        if not gm.locator(".faces").count():
            break
        awaited = next(one.event for one in reversed(server.recorded("real")) if isinstance(one.event, DiceAwaited))
        for page in (gm, ilse):
            expect(page.locator(".standing")).to_contain_text("1d20")
        expect(ilse.locator(".faces")).to_have_count(1 if awaited.by == "ilse" else 0)
        before = position(gm)
        throws(ilse if awaited.by == "ilse" else gm, face)
        hers += awaited.by == "ilse"
        typed.append(face)
        moved_on(gm, ilse, after=before)
    assert list_typed_faces(server, "real") == [(face,) for face in typed]
    rolled = [one.event for one in server.recorded("real") if isinstance(one.event, Rolled)]
    assert [one.dice[0].faces for one in rolled] == [(face,) for face in typed]
    assert {one.source for one in rolled} == {"entered"}
    assert 2 < hers < len(typed)
    stays_within(ilse)


def test_what_no_die_can_show_is_refused_at_its_box(server: Served, windows: Windows) -> None:
    gm, ilse = sit_down(server, windows, "refused")
    begin(gm, ilse)
    before = position(gm)
    card, page = next((one.locator(".faces"), one) for one in (ilse, gm) if there(one, ".faces"))
    box, said = card.get_by_label("Result of the d20"), card.get_by_role("alert")
    for typed, words in {
        "": "Enter 1 number. You entered none.",
        "21": "A d20 cannot roll 21. Enter 1 to 20.",
        "0": "A d20 cannot roll 0. Enter 1 to 20.",
        "-3": "A d20 cannot roll -3. Enter 1 to 20.",
        "1.5": "A d20 cannot roll 1.5. Enter 1 to 20.",
        "five": "A d20 cannot roll five. Enter 1 to 20.",
        "3 4": "Enter 1 number. You entered 2.",
    }.items():
        box.fill(typed)
        card.get_by_role("button", name="Enter").click()
        expect(said).to_have_text(words)
        expect(box).to_have_attribute("aria-invalid", "true")
        expect(box).to_be_focused()
        assert box.evaluate("box => document.getElementById(box.getAttribute('aria-describedby')).textContent") == words
    assert (position(gm), list_typed_faces(server, "refused")) == (before, [])
    box.fill("7")
    page.keyboard.press("Enter")
    moved_on(gm, ilse, after=before)
    assert list_typed_faces(server, "refused") == [(7,)]


def test_a_pool_has_a_box_a_die_and_takes_numbers_in_one_go(server: Served, windows: Windows) -> None:
    """Groups of dice that mean different things stand apart; what was pasted into the first box is spread."""
    gm = windows.open(server.links["pools"]["game master"])
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    begin(gm)
    for _ in range(8):
        if gm.locator(".faces .dice-of").count() > 1:
            break
        expect(gm.locator(".kinds :is([data-kind=begin_turn], [data-kind=roll_initiative])")).to_have_count(0)
        before = position(gm)
        if gm.locator(".faces").count():
            throws(gm, *[4] * gm.locator(".faces input").count())
        elif gm.locator(NEXT).count():
            gm.locator(NEXT).first.click()
        elif there(gm, ".kinds [data-kind=attack]") is not None:
            declare(gm, "attack")
        else:
            declare(gm, str(gm.locator(".kinds [data-kind]").first.get_attribute("data-kind")))
        moved_on(gm, after=before)
    awaited = server.recorded("pools")[-1].event
    assert isinstance(awaited, DiceAwaited)
    assert len(awaited.dice) > 1
    count = sum(one.count for one in awaited.dice)
    boxes = gm.locator(".faces input")
    expect(boxes).to_have_count(count)
    names = boxes.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert len(set(names)) == count
    first = gm.locator(".faces .dice-of").first
    boxes.first.fill(" ".join(["2"] * (count - 1)))
    gm.locator(".faces").get_by_role("button", name="Enter").click()
    expect(gm.locator(".faces .dice-of").last.get_by_role("alert")).to_contain_text("You entered")
    expect(first.get_by_role("alert")).to_be_hidden()
    before = position(gm)
    boxes.last.fill("5")
    gm.locator(".faces").get_by_role("button", name="Enter").click()
    moved_on(gm, after=before)
    assert list_typed_faces(server, "pools")[-1] == (*[2] * (count - 1), 5)


def test_a_ruling_makes_a_players_dice_real_ones(server: Served, windows: Windows) -> None:
    """From then on she is asked for hers, while the engine throws the others."""
    gm, ilse = sit_down(server, windows, "ruled")
    before = position(gm)
    gm.get_by_role("button", name="Rule …").click()
    form = gm.locator("form.ruling")
    form.locator("#ruling-kind").select_option("dice")
    form.locator("#field-owner").select_option("ilse")
    form.locator("#field-source").select_option("entered")
    form.get_by_label("Reason").fill("she has brought her own")
    form.get_by_role("button", name="Rule").click()
    moved_on(gm, ilse, after=before)
    begin(gm, ilse)
    before = position(gm)
    throws(ilse, 11)
    moved_on(gm, ilse, after=before)
    sources = {one.event.by: one.event.source for one in server.recorded("ruled") if isinstance(one.event, Rolled)}
    assert sources == {"ilse": "entered", "bram": "engine"}

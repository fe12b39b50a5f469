"""A turn takes few taps, and what one needs for it is in sight, on a laptop and on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from affray.events import Answered, Moved, TurnEnded
from tests.page.duels import DUEL, begin, first_turn, moved_on, sit_down
from tests.page.served import Served
from tests.page.set_fights import PHONE, WYRD, others_end, players_turn
from tests.page.test_dice import POOLS
from tests.page.test_maps import SQUARES
from tests.page.window import Windows, declare, look, position, up_to_date


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fight for each test."""
    with Served(tmp_path_factory.mktemp("few-taps")) as running:
        running.begin("few", DUEL, first="ilse")
        running.begin("form", SQUARES)
        running.begin("pushed", POOLS, first="hild")
        running.begin("answered", WYRD)
        running.begin("far", SQUARES.replace('at = "4,1"', 'at = "25,3"'))
        running.start("few", "form", "pushed", "answered", "far")
        yield running


def test_few_taps_end_a_turn_and_play_one(server: Served, windows: Windows) -> None:
    """The suggested action ends the turn if set so; the engine plays one turn only, and then stops."""
    gm, ilse = sit_down(server, windows, "few")
    begin(gm, ilse)
    gm.wait_for_function("() => document.querySelector('.person.up')")
    if gm.locator(".person.up").get_attribute("data-who") == "bram":
        gm.locator("[data-key=one-turn]").click()
    expect(ilse.locator("[data-likely=attack]")).to_contain_text("Ilse attacks Bram")
    ilse.locator("[data-likely-ends]").click()
    expect(gm.locator(".person.up")).to_have_attribute("data-who", "bram")
    ended = [one.event.slot for one in server.recorded("few") if isinstance(one.event, TurnEnded)]
    assert ended[-1] == "ilse"
    gm.locator("[data-key=one-turn]").click()
    expect(gm.locator(".person.up")).to_have_attribute("data-who", "ilse")
    up_to_date(gm, ilse, at=position(gm))
    ended = [one.event.slot for one in server.recorded("few") if isinstance(one.event, TurnEnded)]
    assert ended[-2:] == ["ilse", "bram"]
    before = position(gm)
    gm.get_by_role("button", name="Undo").click()
    moved_on(gm, ilse, after=before)
    expect(gm.locator(".person.up")).to_have_attribute("data-who", "bram")


def test_what_one_does_most_stands_first_and_the_last_word_is_in_sight(server: Served, windows: Windows) -> None:
    """The end button is separate; a form's own button is on every screen; rulings are grouped."""
    gm = windows.open(server.links["form"]["game master"], size=(1280, 800))
    first_turn(gm)
    offered = gm.locator(".kinds .bar:not(.apart) [data-kind]").evaluate_all(
        "all => all.map((one) => one.dataset.kind)"
    )
    assert [one for one in offered if one in ("attack", "move", "shift")] == [
        one for one in ("attack", "move", "shift") if one in offered
    ]
    assert "end_turn" not in offered
    expect(gm.locator(".kinds .apart [data-kind=end_turn]")).to_have_count(1)
    for size in ((1280, 800), PHONE):
        gm.set_viewport_size({"width": size[0], "height": size[1]})
        gm.locator(".kinds [data-kind=swap]").click()  # where one goes to is chosen on the map, and has no last word
        the_form_is_in_sight(gm)
        gm.locator(".more-kinds").click()  # what is there besides takes the place of the form
        expect(gm.locator(".details-of")).to_have_count(0)
        expect(gm.locator(".further [data-kind]").first).to_be_in_viewport(ratio=1)
        gm.locator(".kinds [data-kind=swap]").click()  # and the other way round
        expect(gm.locator(".further")).to_have_count(0)
        the_form_is_in_sight(gm)
        gm.get_by_role("button", name="Cancel").click()
        gm.locator(".more-kinds").click()
    gm.set_viewport_size({"width": 1280, "height": 800})
    gm.get_by_role("button", name="Rule …").click()
    expect(gm.locator("#ruling-kind optgroup").nth(3)).to_be_attached()
    gm.locator("#ruling-kind").select_option("condition")
    for name in ("who", "condition"):
        expect(gm.locator(f"form.ruling #field-{name}")).to_have_count(1)
    assert gm.locator("form.ruling select").count() >= 2


def the_form_is_in_sight(page: Page) -> None:
    """The last word of what is being chosen, and the first thing to choose, under nothing else."""
    expect(page.locator(".details-of .declare")).to_be_in_viewport(ratio=1)
    if page.locator(".details-of fieldset").count():
        expect(page.locator(".details-of fieldset legend").first).to_be_in_viewport(ratio=1)
        assert page.locator(".details-of .values :is(button, select)").first.evaluate(UNCOVERED)


UNCOVERED = """one => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
"""Whether nothing lies over the middle of something."""


def test_what_somebody_always_answers_is_answered_until_they_are_asked_again(server: Served, windows: Windows) -> None:
    """One tap answers, and says that it always is; what is so answered is shown, and can be dropped."""
    gm, phone = players_turn(server, windows, "pushed")
    for answers in ("by a tap", "by itself", "not yet"):
        before = position(phone)
        phone.locator("[data-likely=attack]").click()
        if answers == "by a tap":
            phone.locator(".card.question [data-always=keep]").click()
        if answers == "not yet":
            expect(phone.locator(".card.question [data-choice=keep]")).to_be_visible()
            break
        expect(phone.locator(".kinds [data-kind=end_turn]")).to_be_visible()
        expect(phone.locator(".card.question")).to_have_count(0)
        moved_on(gm, phone, after=before)
        expect(phone.locator(".result .whose").first).to_have_text("Hild, attack")  # it was thrown before the question
        if answers == "by itself":
            look(phone, "More")
            phone.locator(".habits").get_by_role("button", name="Hild, push: Keep").click()
            look(phone, "Map")
        declare(phone, "end_turn")
        moved_on(gm, phone, after=position(gm) - 1)
        others_end(gm, phone)
    said = [one.event.choice for one in server.recorded("pushed") if isinstance(one.event, Answered)]
    assert said == ["keep", "keep"]


def test_a_map_of_26_columns_is_all_in_sight(server: Served, windows: Windows) -> None:
    """On a laptop and on a phone, as soon as one sits down; who is far away is offered to go nearer, with one tap."""
    watching = windows.open(server.links["far"]["spectators"], size=PHONE)
    gm = windows.open(server.links["far"]["game master"], size=(1280, 800))
    for page in (watching, gm):
        expect(page.locator(".token .body")).to_have_count(2)
        assert page.evaluate(OUTSIDE) == []
    first_turn(gm, watching)
    before = position(gm)
    gm.locator("[data-likely=move]").click()
    moved_on(gm, watching, after=before)
    (moved,) = [one.event for one in server.recorded("far") if isinstance(one.event, Moved)]
    x, _ = (int(one) for one in moved.after.split(","))
    assert 0 < x < 25
    expect(gm.locator(".kinds [data-kind=end_turn]")).to_be_visible()


OUTSIDE = """() => {
  const frame = document.querySelector(".map").getBoundingClientRect();
  return [...document.querySelectorAll(".token")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const corners = [[left + 2, top + 2], [right - 2, top + 2], [left + 2, bottom - 2], [right - 2, bottom - 2]];
    return left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom
      || corners.some(([x, y]) => !document.elementFromPoint(x, y).closest(".board"));
  }).map((one) => one.dataset.who);
}"""
"""Who stands where the map is cut off, or under something that lies over it."""


def test_a_table_says_that_it_is_being_set(server: Served, windows: Windows) -> None:
    page = windows.open(server.links["form"]["spectators"])
    held: list[Route] = []
    is_held = [True]  # until then; what is asked for once more goes through
    page.route("**/api/fights/*/feed*", lambda route: held.append(route) if any(is_held) else route.continue_())
    page.reload()
    expect(page.locator(".loading")).to_contain_text("Loading the table")
    is_held.clear()
    for one in held:
        one.continue_()
    expect(page.locator(".standing")).to_be_visible()


def test_what_goes_with_any_answer_is_asked_once(server: Served, windows: Windows) -> None:
    """Grog's answer to a blow: ability and push above all three ways, the weapon beside its own one."""
    gm, phone = players_turn(server, windows, "answered")
    before = position(gm)
    declare(phone, "end_turn")
    moved_on(gm, phone, after=before)
    expect(phone.locator(".kinds [data-kind=spell], .kinds [data-not=spell]")).to_have_count(0)
    gm.locator("[data-likely=attack]").click()
    card = phone.locator(".card.question")
    expect(card.locator("[data-key^=answer-]")).to_have_count(3)
    for field, count in (("ability", 1), ("push", 1), ("weapon", 1)):
        expect(card.locator(f"[data-field={field}]")).to_have_count(count)
    expect(card.locator("form[data-choice=riposte]")).to_contain_text("a success hits the attacker")
    card.locator(".shared [data-field=ability]").select_option("grace")
    before = position(gm)
    card.locator("[data-key=answer-guard]").click()
    moved_on(gm, phone, after=before)
    (said,) = [one.event for one in server.recorded("answered") if isinstance(one.event, Answered)]
    assert (said.choice, said.fields) == ("guard", {"ability": "grace"})
    expect(gm.locator(".story")).to_contain_text("Grog concentrates on defence with all armour (Grace)")

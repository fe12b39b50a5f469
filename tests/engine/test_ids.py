"""Ids that names of any script give: two names that differ in a vowel sign are two people, in fights old and new."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.core.ids import id_of, ids_of_scheme
from affray.engine.texts import normalize
from affray.events import Ruled
from affray.tools.encounters.party.costs import after_fight
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon

SIGNS = {
    "मीना": "मोना",
    "கலா": "கலை",
    "กา": "กี",
    "লীলা": "লোলা",
    "مُحَمَّد": "مِحمد",
    "שָׂרָה": "שִׁרָה",
}
"""Two names of each script that differ in vowel signs alone: Hindi, Tamil, Thai, Bengali, Arabic, Hebrew."""

AS_BEFORE = (
    "Zoë", "Jose\u0301", "Łukasz", "İstanbul", "Weiß", "x\u0302y", "а\u0301нна", "ΣΑΣ", "Ἀχιλλεύς", "Ёж", "Mal’ganis",
    "影の者", "が", "한글", "Guard A", "=2", "1\ufe0f\u20e3", "می\u200cخواهم", "\u0940x", "لیلا",
)  # fmt: skip
"""Names whose ids are the same as they have always been."""


def make_content(*names: str) -> dict[str, Any]:
    """Return an encounter of two, and of others like the first of them."""
    people = two()["combatant"]
    return {**two(), "combatant": [*people, *({**people[0], "name": name} for name in names)]}


def rule_on_ids(fight: Fight, kind: str, **params: Any) -> None:
    ruled = Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so")
    fight.submit(Command(id=f"c{fight.head}", who="gm", intent=ruled))


@pytest.mark.parametrize("names", SIGNS.items(), ids=lambda names: names[0])
def test_two_names_that_differ_in_a_vowel_sign_stand_in_one_fight(names: tuple[str, str]) -> None:
    fight = begin_fight("x", make_content(*names), who="gm", seed=SEED, clock=noon)
    assert {*names} <= {one.name for one in fight.state.combatants.values()}
    assert [fight.state.combatants[id_of(name)].name for name in map(normalize, names)] == [*map(normalize, names)]
    assert all(id_of(id_of(name)) == id_of(name) for name in names)


@pytest.mark.parametrize("name", AS_BEFORE, ids=ascii)
def test_other_names_give_the_ids_that_they_always_gave(name: str) -> None:
    """Names with accented letters, without letters, and with signs outside of letters."""
    now = id_of(normalize(name))
    with ids_of_scheme(1):
        assert id_of(normalize(name)) == now


def earlier(monkeypatch: pytest.MonkeyPatch, content: dict[str, Any]) -> Fight:
    """A fight that was opened before ids kept vowel signs."""
    monkeypatch.setattr("affray.engine.opening.FORMAT", 4)
    monkeypatch.setattr("affray.engine.opening.DICE_SCHEME", 1)
    with ids_of_scheme(1):
        return begin_fight("x", content, who="gm", seed=SEED, clock=noon)


FIGHTERS: dict[str, dict[str, Any]] = {
    "hexblade": {"block": "fighter", "pc": True},
    "verdigris": {
        "strength": 2,
        "agility": 2,
        "dodge": 2,
        "withstand": 2,
        "panic": 2,
        "hp": 4,
        "at": "hall",
        "pc": True,
    },
    "vestige": {"block": "hero"},
    "wwn": {"block": "raider"},
    "wyrd": {"power": 6, "grace": 6, "pc": True},
}
"""An entry of an encounter in each system."""

GROUND: dict[str, dict[str, Any]] = {"verdigris": {"zone": [{"name": "hall"}]}, "wwn": {"apart": 30}}


@pytest.mark.parametrize("system", FIGHTERS)
def test_a_fight_of_before_goes_on_with_the_ids_it_had(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    """A newcomer who was concealed before the change joins concealed after it."""
    hexes = [{"at": f"{nth},0"} if system == "hexblade" else {} for nth in range(3)]
    ada, bo, newcomer = (
        {**FIGHTERS[system], **where, "name": name, "side": side}
        for name, side, where in zip(("Ada", "Bo", "मीना"), ("party", "enemies", "party"), hexes, strict=True)
    )
    fight = earlier(monkeypatch, {"system": system, **GROUND.get(system, {}), "combatant": [ada, bo]})
    rule_on_ids(fight, "conceal", coming="मीना")
    rule_on_ids(fight, "join", combatant=newcomer)
    assert fight.state.combatants["म-न"].name == "मीना"
    assert "म-न" in fight.state.concealed


def test_a_party_finds_its_member_in_a_fight_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fight's cost is carried over, although the name gives another id today."""
    fight = earlier(monkeypatch, make_content("मीना"))
    who = fight.state.combatants["म-न"]
    rule_on_ids(fight, "pool", who="म-न", pool="health", by=-1)
    rule_on_ids(fight, "end")
    party = {"system": "vestige", "combatant": [make_content("मीना")["combatant"][-1]]}
    after, told = after_fight(party, fight, "now")
    assert [line.text for line in told] == [f"मीना: health {who.pools['health']} → {who.pools['health'] - 1}"]
    assert after["combatant"][0]["carries"] == {"pools": {"health": who.pools["health"] - 1}}
    assert after_fight(after, fight, "later")[0] == after

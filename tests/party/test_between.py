"""Each system's rules between two fights: ended effects, recovery by rest, and lasting state."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from affray.engine.core.loading import load
from affray.tools.encounters.party.costs import after_fight, cost_lines, rest_party
from affray.tools.encounters.party.members import made_from
from tests.party.campaigns import encounter, open_party_fight, rule_in_campaign


class Evening(NamedTuple):
    """A fight in which the game master rules the state of a party, and the lines about it.

    Attributes:
        rulings: As on the command line.
        told: Each line of what it cost and what recovers.
        carries: What each member carries over; nothing where that is nothing.
        rest: A rest after it, and what that brings.
    """

    system: str
    name: str
    rulings: list[str]
    told: list[str]
    carries: dict[str, dict[str, Any]]
    rest: tuple[str, list[str]] | None = None


EVENINGS = [
    Evening(
        "vestige",
        "bridge",
        ["pool ilse health by=-7", "condition tomas forfeited count=1", "pool tomas morale by=-1"],
        [
            "Ilse: health 10 → 3",
            "Tomas: morale 2 → 1",
            "Tomas gives up the fight",
            "recovers: Tomas is no longer forfeited (VES-056)",
        ],
        {"ilse": {"pools": {"health": 3}}, "tomas": {"pools": {"morale": 1}}},
    ),
    Evening(
        "wwn",
        "cellar",
        [
            "pool hild hp by=-9",
            "condition tam fled count=1",
            "item tam.throwing_blade count to=2",
            "condition wenna prone",
        ],
        [
            "Hild: HP 16 → 7",
            "Tam has fled",
            "Tam's throwing blade: 5 → 2",
            "recovers: Tam is back (WWN-G02)",
        ],
        {
            "hild": {"pools": {"hp": 7}},
            "tam": {"things": {"throwing_blade": {"counters": {"count": 2}}}},
            "wenna": {},
        },
    ),
    Evening(
        "hexblade",
        "barrow",
        ["pool isen hp by=-4", "item tamm.bolt left to=6"],
        ["Isen: HP 12 → 8", "Tamm's bolts: 10 → 6"],
        {"isen": {"pools": {"hp": 8}}, "kara": {}, "tamm": {"things": {"bolt": {"counters": {"left": 6}}}}},
    ),
    Evening(
        "wyrd",
        "barrow",
        ["condition sigrid incapacitated count=1", "pool torvald fatigue to=3", "condition torvald fled count=1"],
        [
            "Sigrid is out of the fight",
            "recovers: Sigrid is no longer out of the fight (WYR-068)",
            "Torvald: fatigue 0 → 3",
            "Torvald has fled",
            "recovers: Torvald is no longer fled (WYR-G05)",
        ],
        {"sigrid": {}, "torvald": {"pools": {"fatigue": 3}}},
        ("downtime", ["recovers: Sigrid: fatigue 2 → 0 (WYR-T19)", "recovers: Torvald: fatigue 3 → 0 (WYR-T19)"]),
    ),
    Evening(
        "verdigris",
        "gatehouse",
        ["pool hild hp by=-2", "condition tam scattered count=1", "item oda.arrow count to=7", "pool wren luck to=0"],
        [
            "Hild: HP 6 → 4",
            "Tam is scattered",
            "Oda's arrows: 12 → 7",
            "Wren: luck 1 → 0",
        ],
        {
            "hild": {"pools": {"hp": 4}},
            "tam": {"conditions": {"scattered": 1}},
            "oda": {"things": {"arrow": {"counters": {"count": 7}}}},
            "wren": {"pools": {"luck": 0}},
        },
        ("night", ["recovers: Tam is no longer scattered (VER-T30)"]),
    ),
]


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.system)
def test_what_a_fight_cost_and_what_recovers(evening: Evening) -> None:
    content = encounter(evening.system, evening.name)
    party = made_from(content, "heroes")
    fight = open_party_fight(content, party, 1)
    for words in (*evening.rulings, "end"):
        rule_in_campaign(fight, words)
    party, told = after_fight(party, fight, "now")
    assert cost_lines(told) == evening.told
    found = {one["name"].lower(): one.get("carries", {}) for one in party["combatant"]}
    assert {who: found[who] for who in evening.carries} == evening.carries
    if evening.rest:
        kind, due = evening.rest
        party, told = rest_party(party, kind, "then")
        assert cost_lines(told) == due
        assert cost_lines(rest_party(party, kind, "again")[1]) == []


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.system)
def test_every_clause_that_is_cited_is_one(evening: Evening) -> None:
    cited = [line.rpartition("(")[2].rstrip(")") for line in evening.told if line.startswith("recovers: ")]
    assert set(cited) <= set(load(evening.system).clauses)


def test_what_an_injury_holds_takes_longer_than_a_night() -> None:
    """VER-T30: weakened by the day's toil it is gone by morning, weakened by a wound it is not."""
    content = encounter("verdigris", "gatehouse")
    party = made_from(content, "heroes")
    party["combatant"][0]["carries"] = {
        "conditions": {"weakened": {"": 1, "ribs broken": 1}, "injured": {"ribs broken": 1}}
    }
    party, told = rest_party(party, "night", "now")
    assert cost_lines(told) == ["recovers: Hild is no longer weakened (VER-T30)"]
    assert party["combatant"][0]["carries"]["conditions"] == {
        "injured": {"ribs broken": 1},
        "weakened": {"ribs broken": 1},
    }

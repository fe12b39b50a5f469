"""Actions against a target and reachable places over HTTP: complete, and by the viewer's view."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from affray.engine import Fight, FileStore, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.state import State
from affray.engine.errors import Refused
from affray.engine.visibility import Viewer, project_state
from affray.events import Ruled
from affray.tools.api import viewer_queries
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, submit_accepted
from tests.rulesets.statistics import params
from tests.rulesets.systems import PRESENT
from tests.serve.server import Server
from tests.serve.test_legal import serve_crowd

MOST_BYTES = 60_000
"""A way to each of 300 squares with every square on it is long; it is asked once, when somebody begins to go."""


def test_all_that_can_be_done_to_somebody_is_told_at_once(begun: Server) -> None:
    """Legal ones come first, complete and with their chance; the others have their refusal."""
    found = begun.ilse.looks("/aims/ilse/bram").json()
    kinds = {one["kind"]: one for one in found["kinds"]}
    attack = kinds["attack"]
    assert (attack["aims"], attack["whole"]["line"]) == ("target", "ilse attack bram")
    assert attack["prospect"] == {
        "chance": 0.55,
        "harm": {"least": 4, "mean": 4.0, "most": 4, "pool": "health"},
        "costs": [{"pool": "actions", "amount": 1}],
        "says": "each point of energy adds 1 to the die",
    }
    assert (
        attack["promises"]
        == "55 % to succeed; takes 4 health; costs one action; each point of energy adds 1 to the die"
    )
    possible = ["refused" not in one for one in found["kinds"]]
    assert possible == sorted(possible, reverse=True)
    assert all(
        "refused" in one for one in begun.ilse.looks("/aims/ilse/ilse").json()["kinds"] if one["kind"] == "attack"
    )


def test_a_whole_says_what_it_promises(begun: Server) -> None:
    now = begun.ilse.looks("/legal/ilse/attack", chosen='{"target":"bram","ep":2}').json()
    assert now["prospect"]["chance"] == 0.65
    assert now["prospect"]["costs"] == [{"pool": "actions", "amount": 1}, {"pool": "ep", "amount": 2}]


@pytest.mark.parametrize("path", ["/aims/bram/ilse", "/ways/bram", "/likely/bram"])
def test_nobody_hears_what_others_might_do(begun: Server, path: str) -> None:
    assert begun.ilse.looks(path).status_code == 403


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/aims/zz/bram", {}, "who"),
        ("/aims/ilse/zz", {}, "whom"),
        ("/aims/ilse/bram", {"manner": "provoked"}, "manner"),
        ("/ways/zz", {}, "who"),
        ("/ways/ilse", {"manner": "provoked"}, "manner"),
        ("/likely/zz", {}, "who"),
        ("/likely/ilse", {"manner": "provoked"}, "manner"),
    ],
)
def test_aims_name_what_cannot_be_parsed(begun: Server, path: str, query: dict[str, str], field: str) -> None:
    answer = begun.gm.looks(path, **query)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_at_a_closed_record_there_is_nowhere_to_go(begun: Server) -> None:
    begun.gm.sends({"type": "Close", "unfinished": True})
    assert begun.gm.looks("/ways/ilse").json()["ways"] == []
    assert begun.gm.looks("/likely/ilse").json()["whole"] is None
    assert {one["refused"]["code"] for one in begun.gm.looks("/aims/ilse/bram").json()["kinds"]} == {"closed"}


def test_what_is_likely_is_told_of_whoever_is_up_and_can_be_sent_as_it_is(begun: Server) -> None:
    """The likely action of an inactive combatant is none."""
    assert begun.gm.looks("/likely/bram").json()["whole"] is None
    whole = begun.ilse.looks("/likely/ilse").json()["whole"]
    assert whole == begun.gm.looks("/likely/ilse").json()["whole"]
    assert whole["intent"]["actor"] == "ilse"
    assert begun.ilse.sends(whole["intent"]).status_code == 200


def test_what_is_likely_rests_on_nobody_who_is_concealed(hiding: Server) -> None:
    """A combatant that Ilse cannot see is no reason for her actions."""
    assert '"bram"' in hiding.ilse.looks("/likely/ilse").text
    hiding.gm.does("rule conceal bram")
    assert '"bram"' in hiding.gm.looks("/likely/ilse").text
    assert '"bram"' not in hiding.ilse.looks("/likely/ilse").text


def test_somebody_concealed_is_unknown_at_whom_one_aims(hiding: Server) -> None:
    """The answer is the same as for a combatant that does not exist."""
    hidden, nobody = (hiding.ilse.looks(f"/aims/ilse/{whom}") for whom in ("lurker", "nobody"))
    assert hidden.text.replace("lurker", "nobody") == nobody.text
    assert hiding.gm.looks("/aims/ilse/lurker").status_code == 200


GM = Viewer(role="gm")


@pytest.mark.parametrize(("system", "rule"), [("vestige", "VES-033"), ("wwn", "WWN-T34"), ("verdigris", "VER-074")])
def test_who_is_concealed_is_not_told_among_those_who_would_strike(system: str, rule: str) -> None:
    """A concealed combatant does not strike at one who leaves, so neither the player nor the game master is told so."""
    fight, who, foe = open_with_threat(system)
    player = Viewer(role="player", owns=(who,))
    assert (foe, rule) in strikers(fight, GM, who) & strikers(fight, player, who)
    rule_if_possible(fight, "conceal", who=foe)
    assert viewer_queries.list_destinations_for(player, fight, who, "standard").ways
    assert foe not in {one for one, _ in strikers(fight, GM, who) | strikers(fight, player, who)}
    rule_if_possible(fight, "reveal", who=foe)
    assert (foe, rule) in strikers(fight, GM, who) & strikers(fight, player, who)


def strikers(fight: Fight, viewer: Viewer, who: str) -> set[tuple[str, str]]:
    """Return the combatants that would strike on any way, with the clause, as a viewer is told."""
    ways = viewer_queries.list_destinations_for(viewer, fight, who, "standard").ways
    return {(one.who, one.rule) for way in ways for one in way.prospect.provokes}


def open_with_threat(system: str) -> tuple[Fight, str, str]:
    """Return a fight, the active combatant, and one that it provokes by moving."""
    fight, chance = (
        begin_fight("near", load_shipped_encounters()[f"{system}/template"], who="gm", seed=SEED, clock=noon),
        Random(1),
    )
    while not fight.state.ended:
        for who in () if fight.state.window or fight.state.question else fight.state.acting:
            for foe, _ in sorted(strikers(fight, GM, who)):
                return fight, who, foe
        intent = choose_sensibly(fight, chance)
        assert intent is not None
        submit_accepted(fight, intent)
    raise AssertionError("nobody ever stands beside a foe")


@pytest.mark.parametrize("system", PRESENT)
def test_among_a_crowd_every_way_is_told_in_one_answer(system: str, tmp_path: Path) -> None:
    for fight, gm in serve_crowd(FileStore(tmp_path), system):
        foes = list(fight.state.combatants)
        for who in fight.state.acting:
            ways = gm.looks(f"/ways/{who}")
            assert len(ways.content) < MOST_BYTES
            aims = gm.looks(f"/aims/{who}/{next(one for one in foes if one != who)}")
            assert (aims.status_code, len(aims.content) < 20_000) == (200, True)


def encode_all_aims(fight: Fight, viewer: Viewer, who: str) -> list[bytes]:
    """Encode all targeted actions and reachable places that a viewer is told."""
    seen = project_state(viewer, fight.state).combatants
    found: list[Any] = [viewer_queries.list_targeted_actions_for(viewer, fight, who, whom, "standard") for whom in seen]
    found.append(viewer_queries.list_destinations_for(viewer, fight, who, "standard"))
    return [msgspec.json.encode(replace(one, head=0)) for one in found]


def list_visible(viewer: Viewer, fight: Fight) -> State:
    """Return a viewer's visible state without the number of rulings, which all can count."""
    return replace(project_state(viewer, fight.state), counts={})


def rule_if_possible(fight: Fight, kind: str, **said: Any) -> None:
    """Rule something; what this fight has no use for is left."""
    try:
        submit_accepted(fight, Ruled(kind=kind, params=params(**said), reason="so it is"))
    except Refused:
        assert kind == "place"


@pytest.mark.parametrize("name", load_shipped_encounters())
def test_what_is_hidden_changes_no_number(name: str) -> None:
    """A foe is concealed, and another's endurance is veiled: players get the same in all states of them."""
    fight, chance = begin_fight("hid", load_shipped_encounters()[name], who="gm", seed=SEED, clock=noon), Random(5)
    while fight.state.round < 1 or fight.state.window or fight.state.question or not fight.state.acting:
        intent = choose_sensibly(fight, chance)
        assert intent is not None
        submit_accepted(fight, intent)
    people, who = fight.state.combatants, fight.state.acting[0]
    foes = [one for one in people if people[one].side != people[who].side]
    health = [pool for pool in fight.ruleset.vocabulary.with_role("health") if people[foes[0]].pools.get(pool)]
    rule_if_possible(fight, "conceal", who=foes[-1])
    if health and len(foes) > 1:
        rule_if_possible(fight, "veil", who=foes[0], pools=health)
    viewer, alike = Viewer(role="player", name="somebody", owns=(who,)), 0
    for kind, said in hidden_changes(fight, who, foes, health):
        seen, before = list_visible(viewer, fight), encode_all_aims(fight, viewer, who)
        rule_if_possible(fight, kind, **said)
        if list_visible(viewer, fight) == seen:  # a mount that goes with its rider is seen to go
            assert encode_all_aims(fight, viewer, who) == before, kind
            alike += 1
    assert alike


def hidden_changes(fight: Fight, who: str, foes: list[str], health: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield rulings about what is hidden: how much the first foe can bear, where the last one is, and its sheet."""
    people = fight.state.combatants
    if health:
        yield "pool", {"who": foes[0], "pool": health[0], "by": -1}
    for stat, value in list(people[foes[-1]].stats.items())[:3]:
        yield "sheet", {"who": foes[-1], "stat": stat, "to": 2 if value == 1 else 1}
    if people[who].place:
        yield "place", {"who": foes[-1], "to": people[who].place}

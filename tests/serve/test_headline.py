"""The headline: the turn or the awaited input, for each viewer; never a bare phase."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Raw
from msgspec.json import encode

from affray.engine import EngineError, Fight, begin_fight
from affray.engine.analysis.policies import choose_anything
from affray.engine.core.state import State
from affray.engine.runtime.offers import list_movers
from affray.engine.visibility import Viewer, project_state
from affray.events import Answered, DiceEntered, Ruled
from affray.tools.api import access, command_checks, viewer_queries
from affray.tools.present.awaited import Waiting
from affray.tools.present.awaiting import headline
from affray.tools.present.awaiting_history import list_headlines
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, submit_accepted
from tests.engine.test_open_ids import ALONE
from tests.engine.waiting import moments
from tests.rulesets.statistics import make_declaration
from tests.rulesets.systems import PRESENT
from tests.serve.server import LURKER, Server, serve_duel
from tests.tools.program import ENCOUNTER

GM, SPECTATOR = Viewer(role="gm"), Viewer(role="spectator")


def collect_headlines(server: Server) -> tuple[str, str, str]:
    """Return what the game master, Ilse's player and a spectator hear; the fight in short says the same."""
    who = server.gm, server.ilse, server.spectator
    said = [one.looks("/legal").json()["headline"] for one in who]
    assert said == [one.looks("").json()["waiting"]["headline"] for one in who]
    return said[0], said[1], said[2]


def test_a_fight_says_to_each_whom_it_waits_for(server: Server) -> None:
    """Before it begins, while dice are awaited, in a turn, in a window, and at the end; and again when played back."""
    waits = "The fight has not begun: waiting for the game master"
    assert collect_headlines(server) == ("You begin the fight", waits, waits)
    server.gm.does("gm begin")
    gm, ilse, spectator = collect_headlines(server)
    assert (gm, ilse.startswith("Your dice, Ilse: "), spectator) == (gm, True, gm)
    assert gm.startswith("Waiting for Ilse's dice: ")
    server.gm.does("roll 15", "roll 3")
    assert collect_headlines(server) == ("Ilse's turn", "Your turn: Ilse", "Ilse's turn")
    server.gm.sends({"type": "AskingSet", "who": "*", "ask": "always"})
    server.ilse.does("ilse ready")
    mine = "Ilse can react: between turns"
    assert collect_headlines(server) == ("Ilse can react: between turns", mine, "Waiting for Ilse: between turns")
    server.ilse.does("pass")
    assert collect_headlines(server) == ("Bram's turn", "Bram's turn", "Bram's turn")
    server.gm.does("bram attack ilse")
    means = "Bram means to attack Ilse"
    assert collect_headlines(server)[1:] == (
        f"Ilse can react: {means}",
        f"Waiting for Ilse: {means}",
    )
    server.gm.says("rule end red", reason="it is late")
    assert set(collect_headlines(server)) == {"The fight is over, won by the red"}
    played_back = [one["says"] for one in server.spectator.looks("/headlines").json()["headlines"]]
    assert (played_back[0], played_back[-1]) == (waits, "The fight is over, won by the red")
    assert {"Ilse's turn", "Waiting for Ilse: between turns", f"Waiting for Ilse: {means}"} < {*played_back}


def test_those_who_roll_for_initiative_are_waited_for_with_what_they_do() -> None:
    fight = begin_fight("begun", load_shipped_encounters()["hexblade/barrow"], who="gm", seed=SEED, clock=noon)
    submit_accepted(fight, make_declaration("gm", "begin"))
    assert headline(fight) == "Isen, Kara or Tamm may roll for initiative"  # the game master may do it for them
    assert headline(fight, ()) == "Waiting for Isen, Kara or Tamm to roll for initiative"
    assert headline(fight, {"kara"}) == "You may roll for initiative: Kara"


def test_somebody_concealed_is_in_nobodys_headline(hiding: Server) -> None:
    hiding.ilse.does("ilse end_turn")
    while "Lurker" not in collect_headlines(hiding)[0]:
        assert hiding.gm.says("bram end_turn").status_code == 200
    assert "Lurker" not in "".join(collect_headlines(hiding)[1:])
    assert "Lurker" in hiding.gm.looks("/headlines").text
    assert "urker" not in hiding.spectator.looks("/headlines").text + hiding.ilse.looks("/headlines").text


WAITS = "Waiting for the game master"


def describe_wait(state: State) -> tuple[str, set[str]]:
    """Return the kind of awaited input, and its senders."""
    if state.question is not None:
        return "answer", {*state.question.of}
    if state.awaited is not None:
        return "dice", {state.awaited.by}
    if state.window is not None:
        return "pass", {*state.window.to}
    return ("nothing", set()) if state.ended else ("turn", {*state.acting})


def list_told_waits(viewer: Viewer, fight: Fight) -> list[object]:
    """Return a viewer's texts about the awaited input, without the actors."""
    legal, waiting = viewer_queries.list_actors_for(viewer, fight), viewer_queries.waiting_for(viewer, fight)
    last = list_headlines(fight.history.recorded, viewer)[-1].says
    return [legal.headline, legal.waits, legal.meant, waiting, last]


MET = {
    "hexblade": {"turn"},
    "verdigris": {"turn"},
    "vestige": {"turn", "pass", "answer"},
    "wwn": {"turn", "pass"},
    "wyrd": {"turn"},
}
"""What is awaited of somebody hidden in the fights below."""


def dark_fights(system: str) -> Iterator[tuple[Fight, Viewer]]:
    """Yield fights with the last side concealed, and the player of all others."""
    for encounter in [told for name, told in load_shipped_encounters().items() if name.startswith(f"{system}/")][:2]:
        side = encounter["combatant"][-1]["side"]
        people = [{**one, "concealed": one["side"] == side} for one in encounter["combatant"]]
        fight = begin_fight("heads", {**encounter, "combatant": people}, who="gm", seed=SEED, clock=noon)
        seen = [who for who in fight.state.combatants if who not in fight.state.concealed]
        yield fight, Viewer(role="player", owns=tuple(seen))


@pytest.mark.parametrize("system", MET)
def test_whatever_hidden_thing_is_awaited_players_read_the_same(system: str) -> None:
    """A concealed combatant's turn, question or window: players read of the game master only.

    They are offered nothing but what any combatant may do in the turn of another.
    """
    nothing_else = [WAITS, [], "", Waiting(awaits="action", of=["gm"], headline=WAITS), WAITS]
    met = set[str]()
    for fight, player in dark_fights(system):
        chance = Random(1)
        for _ in range(60):
            kind, of = describe_wait(fight.state)
            if of and of <= {*fight.state.concealed}:
                met.add(kind)
                assert [list_told_waits(one, fight) for one in (SPECTATOR, player)] == [nothing_else, nothing_else]
                meanwhile = set(list_movers(fight.ruleset, fight.table)) if kind == "turn" else set()
                offered = viewer_queries.list_actors_for(player, fight).actors
                assert {(one.who, one.manner) for one in offered} <= meanwhile
                if not meanwhile & {(who, "standard") for who in player.owns}:
                    kinds = viewer_queries.list_actions_for(player, fight, player.owns[0], "standard").kinds
                    assert all(one.refused for one in kinds)
            intent = None if fight.state.ended else choose_anything(fight, chance)
            if intent is None:
                break
            submit_accepted(fight, intent)
    assert met >= MET[system]


def test_in_the_dice_of_somebody_concealed_players_read_the_same(tmp_path: Path) -> None:
    with serve_duel(tmp_path, ENCOUNTER + LURKER) as server:
        server.gm.does("gm begin", "roll 15", "roll 3")
        gm, *others = collect_headlines(server)
        assert gm.startswith("Waiting for Lurker's dice")
        assert others == [WAITS, WAITS]
        assert server.ilse.looks().json()["waiting"] == {"for": "action", "of": ["gm"], "headline": WAITS}
        refused = server.ilse.says("ilse end_turn")
        assert (refused.status_code, refused.json()["detail"]) == (422, "waiting for the game master")


@pytest.mark.parametrize("system", PRESENT)
def test_whatever_hidden_thing_waits_on_top_of_what_players_see_they_read_the_same(system: str) -> None:
    """A known combatant is asked, or its dice are awaited, and then a concealed one is asked or throws first.

    The reply that the viewer could see is awaited is refused as everything else is.
    """
    tried = 0
    for moment in moments(system):
        draft = moment.fight().table.draft
        of = draft.question.of if draft.question else (draft.awaited.by,) if draft.awaited else ()
        stacked = {who for one in draft.stack for who in (one.actor, *one.targets)}
        aside = [who for who in draft.combatants if who not in {*of, *draft.acting, *stacked}]
        if not of or not aside or of == ("gm",):
            continue
        fight, player = moment.fight(), Viewer(role="player", owns=of)
        try:
            rule_for_headline(fight, "conceal", who=aside[0])
            rule_for_headline(fight, "dice", owner=aside[0], source="entered")
            seen = project_state(player, fight.state)
            rule_for_headline(fight, **HIDDEN[system], who=aside[0])
        except EngineError:
            continue
        first = fight.state.awaited
        if first is None or first.by != aside[0] or not (seen.question or seen.awaited):
            continue
        tried += 1
        assert project_state(player, fight.state).question == seen.question
        assert list_told_waits(player, fight) == [
            WAITS,
            [],
            "",
            Waiting(awaits="action", of=["gm"], headline=WAITS),
            WAITS,
        ]
        reply = next(iter(reply_to(seen)))
        with pytest.raises(access.VisibleRefusal, match="waiting for the game master"):
            command_checks.check_visible(player, fight, reply)
        if tried == ENOUGH:
            return
    assert tried


ENOUGH = 4


def rule_for_headline(fight: Fight, kind: str, **params: object) -> None:
    """Rule something."""
    submit_accepted(fight, Ruled(kind=kind, params=Raw(encode(params)), reason="so it is"))


def reply_to(seen: State) -> Iterator[Answered | DiceEntered]:
    """Yield the reply to what a state waits for: the first choice, or ones."""
    if seen.question is not None:
        yield Answered(question=seen.question.id, by=seen.question.of[0], choice=seen.question.options[0].choice)
    elif seen.awaited is not None:
        yield DiceEntered(roll=seen.awaited.roll, faces=tuple(1 for one in seen.awaited.dice for _ in range(one.count)))


HIDDEN: dict[str, dict[str, Any]] = {
    "hexblade": {"kind": "test", **ALONE["hexblade"]},
    "verdigris": {"kind": "test", "attribute": "agility"},
    "vestige": {"kind": "test", **ALONE["vestige"]},
    "wwn": {"kind": "test", **ALONE["wwn"]},
    "wyrd": {"kind": "test", **ALONE["wyrd"]},
}
"""Rulings by which a combatant throws dice."""


@pytest.mark.parametrize("name", load_shipped_encounters())
def test_no_headline_is_a_bare_phase(name: str) -> None:
    fight, chance = begin_fight("heads", load_shipped_encounters()[name], who="gm", seed=SEED, clock=noon), Random(4)
    phases = {phase.replace("_", " ").lower() for phase in fight.ruleset.flow.phases}
    player = Viewer(role="player", owns=(next(iter(fight.state.combatants)),))
    for _ in range(60):
        for viewer in (GM, SPECTATOR, player):
            said = viewer_queries.list_actors_for(viewer, fight).headline
            assert said
            assert said.lower() not in phases
            assert len(said.split()) > 1
        intent = None if fight.state.ended else choose_anything(fight, chance)
        if intent is None:
            break
        submit_accepted(fight, intent)
    assert list_headlines(fight.history.recorded)[-1].says == viewer_queries.list_actors_for(SPECTATOR, fight).headline

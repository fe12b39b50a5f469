"""Stops of the table in windows: the game master's setting, a player's, timeouts, and useful options."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from affray.engine import Fight, FileStore, Undo, Unusable, begin_fight, open_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.clock import format_time
from affray.events import EVERYBODY, AskingSet, OfferDeclined, Passed, WindowOpened
from affray.tools.api.auto_pass import TABLE, not_worth, sent_for_others
from affray.tools.server.window_timers import pass_expired, pass_idle, seconds_left
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.twins import NamedDice
from tests.rulesets.statistics import make_declaration
from tests.serve.server import HOST, Server, Somebody, client_of, serving

WITH_WINDOWS = [("vestige", "bridge", "announce"), ("wwn", "ambush", "snap")]


def at_a_window(system: str, name: str, *, idle: bool | None = None, **table: Any) -> Fight:
    """Return a fight at its first window, or at one with a useful option for all or not for all."""
    fight = begin_fight("stops", load_shipped_encounters()[f"{system}/{name}"], who="gm", seed=SEED, clock=noon)
    if table:
        submit_accepted(fight, AskingSet(who=EVERYBODY, **table))
    chance = Random(2)
    while not fight.state.ended:
        if fight.state.window and (idle is None or bool([*not_worth(fight, "worthwhile")]) == idle):
            return fight
        intent = choose_sensibly(fight, chance)
        assert intent is not None
        submit_accepted(fight, intent)
    raise LookupError("no such window")


@pytest.mark.parametrize(("system", "name", "what"), WITH_WINDOWS)
def test_a_table_that_stops_never_asks_nobody(system: str, name: str, what: str) -> None:
    """In all windows, or in those of a kind; each that was not asked is recorded."""
    tables: list[dict[str, Any]] = [{"ask": "never"}, {"ask": "never", "what": what}]
    for table in tables:
        with pytest.raises(LookupError):
            at_a_window(system, name, **table)


@pytest.mark.parametrize(("system", "name", "what"), WITH_WINDOWS)
def test_a_table_that_stops_for_those_aimed_at_asks_nobody_else(system: str, name: str, what: str) -> None:
    try:
        fight = at_a_window(system, name, ask="targeted")
    except LookupError:
        return  # nobody who could answer was ever aimed at
    assert fight.state.window is not None
    targets = {who for pending in fight.state.stack for who in pending.targets}
    assert set(fight.state.window.to) <= targets


@pytest.mark.parametrize(("system", "name", "what"), WITH_WINDOWS)
def test_nobody_is_asked_more_often_than_the_table_stops(system: str, name: str, what: str) -> None:
    """A player's setting only reduces questions; it applies at once to the asked combatants."""
    fight = at_a_window(system, name, ask="always")
    assert fight.state.window is not None
    who = fight.state.window.to[0]
    recorded = submit_accepted(fight, AskingSet(who=EVERYBODY, ask="never")).recorded
    assert {one.event.who for one in recorded if isinstance(one.event, OfferDeclined)} >= {who}
    submit_accepted(fight, AskingSet(who=who, ask="worthwhile"))
    assert fight.table.draft.asking_frequency(who, what) == "never"


def test_what_is_for_the_whole_table_is_refused_for_one() -> None:
    fight = at_a_window("vestige", "bridge")
    who = next(iter(fight.state.combatants))
    for wrong, field in (
        (AskingSet(who=who, ask="never", what="announce"), "what"),
        (AskingSet(who=who, ask="never", seconds=3), "seconds"),
        (AskingSet(who=EVERYBODY, ask="never", what="tea"), "what"),
        (AskingSet(who=EVERYBODY, ask="never", seconds=-1), "seconds"),
        (AskingSet(who=EVERYBODY, ask="never", what="announce", seconds=9), "seconds"),
    ):
        with pytest.raises(Unusable) as no:
            submit_accepted(fight, wrong)
        assert no.value.field == field


@pytest.mark.parametrize(("system", "name", "what"), WITH_WINDOWS)
def test_a_window_in_which_nothing_is_worth_it_stops_nobody(system: str, name: str, what: str) -> None:
    """Each automatic pass is recorded with its reason; targets, and players who want all questions, are asked."""
    fight = at_a_window(system, name, idle=True)
    idle = {one.who for one in not_worth(fight, "worthwhile")}
    assert not idle & {who for pending in fight.state.stack for who in pending.targets}
    assert [*not_worth(fight)] == []  # where nobody set anything and nobody assumes anything, all are asked
    before = fight.head
    pass_idle(fight)
    passes = [one for one in fight.history.recorded[before:] if isinstance(one.event, Passed)]
    assert idle <= {one.event.who for one in passes if isinstance(one.event, Passed) and one.event.why == "not worth"}
    assert {one.who for one in passes} == {TABLE}
    assert not fight.state.window or not [*not_worth(fight, "worthwhile")]
    assert sent_for_others(fight.history) == len(passes)
    submit_accepted(fight, Undo(commands=len(passes)))
    assert fight.state.window is not None
    submit_accepted(fight, AskingSet(who=EVERYBODY, ask="always"))
    assert [*not_worth(fight, "worthwhile")] == []


@pytest.mark.parametrize("encounter", ["wwn/ambush", "wwn/ford", "vestige/ford"])
def test_few_steps_of_a_game_master_only_pass(encounter: str) -> None:
    """At most three in 40, where the game master plays all combatants: a target with only poor options is not asked."""
    fight = begin_fight("few", load_shipped_encounters()[encounter], who="gm", seed=SEED, clock=noon)
    chance, steps, passes = Random(3), 0, 0
    while not fight.state.ended and steps < 80:
        pass_idle(fight)
        intent = choose_sensibly(fight, chance)
        if intent is None:
            break
        steps += 1
        passes += isinstance(intent, Passed)
        submit_accepted(fight, intent)
    assert 40 * passes <= 3 * steps


def test_a_player_who_wants_it_is_asked_whenever_targeted() -> None:
    """Even with only poor options."""
    fight = begin_fight("poor", load_shipped_encounters()["wwn/ambush"], who="gm", seed=SEED, clock=noon)
    chance, poor = Random(3), set[str]()
    for _ in range(400):
        window, stack = fight.state.window, fight.state.stack
        targets = {*window.to} & {*stack[-1].targets} if window and stack else set()
        poor = targets & {one.who for one in not_worth(fight, "worthwhile")}
        if poor:
            break
        intent = choose_sensibly(fight, chance)
        assert intent is not None
        submit_accepted(fight, intent)
    for who in poor:
        submit_accepted(fight, AskingSet(who=who, ask="targeted"))
    assert poor
    assert poor.isdisjoint(one.who for one in not_worth(fight, "worthwhile"))


def ready_ilse(begun: Server, *, seconds: int = 0, ask: str = "always") -> None:
    """Let Ilse ready an action, and Bram move in the open, so that she is asked."""
    begun.gm.sends({"type": "AskingSet", "who": "*", "ask": ask, "seconds": seconds})
    begun.ilse.does("ilse ready")


def test_when_the_time_is_up_the_server_passes_for_whoever_has_not_answered(begun: Server) -> None:
    """With who and why; a window that was answered in time is left alone."""
    ready_ilse(begun, seconds=600)
    waits = begun.gm.looks("/legal").json()["waits"]
    assert [one["kind"] for one in waits] == ["pass"]
    window = waits[0]["intent"]["window"]
    serving = begun.app.state.server
    assert serving.window_timers.running["duel"][0] == window
    with begun.client.portal() as portal:
        portal.call(pass_expired, serving, "duel", window)
    log = begun.gm.looks("/log").json()["lines"]
    passed = [one for one in log if one["event"]["type"] == "Passed"]
    assert [(one["who"], one["event"]["who"], one["event"]["why"]) for one in passed] == [(TABLE, "ilse", "time")]
    assert "the time is up" in passed[0]["says"]
    head = begun.gm.looks("").json()["head"]
    with begun.client.portal() as portal:
        portal.call(pass_expired, serving, "duel", window)
    assert begun.gm.looks("").json()["head"] == head


def test_the_clock_of_a_window_goes_on_when_the_server_starts_again(begun: Server, tmp_path: Path) -> None:
    """Once a client opens the fight; a time that ran out, or is unreadable, starts again."""
    ready_ilse(begun, seconds=600)
    fight = open_fight("duel", FileStore(tmp_path))
    (window, time), *_ = [
        (one.event.window, one.time) for one in fight.history.recorded if isinstance(one.event, WindowOpened)
    ]
    opened = datetime.fromisoformat(time)
    assert seconds_left(fight, window, "no time") == 600
    for gone, left in ((0, 600), (250.5, 349.5), (599, 1), (600, 600), (86_400, 600), (-60, 600)):
        assert seconds_left(fight, window, format_time(opened + timedelta(seconds=gone))) == left
    after = serving(FileStore(tmp_path))
    with client_of(after) as client:
        assert not after.window_timers.running
        Somebody(client, HOST).looks("/legal")
        assert after.window_timers.running["duel"][0] == window
        with client.portal() as portal:
            portal.call(pass_expired, after, "duel", window)
        assert not after.window_timers.running
        assert Somebody(client, HOST).looks("/legal").json()["waits"] == []


def test_the_clock_runs_for_a_window_that_was_opened_elsewhere(begun: Server, tmp_path: Path) -> None:
    """At the command line, say; and not in a record that has ended."""
    after = serving(FileStore(tmp_path))
    with client_of(after) as client:
        host = Somebody(client, HOST)
        assert host.looks("/legal").json()["waits"] == []
        ready_ilse(begun, seconds=600)
        host.looks("/legal")
        assert list(after.window_timers.running) == ["duel"]
        assert begun.gm.sends({"type": "Close", "unfinished": True}).status_code == 200
        host.looks("/legal")
        assert not after.window_timers.running


def test_no_client_finds_out_by_the_ids_of_the_server_who_passed(begun: Server) -> None:
    """The server passed for Ilse. A client that tries the id of that pass hears the same as of any other such id."""
    ready_ilse(begun, ask="worthwhile")
    log = begun.gm.looks("/log").json()["lines"]
    used = [one["cause"] for one in log if one["event"]["type"] == "Passed"]
    assert len(used) == 1
    for sender in (begun.bram, begun.gm):
        answers = [
            sender.sends({"type": "Passed", "window": "no/such", "who": "bram"}, id=id)
            for id in (*used, f"{TABLE}:goblin@{len(log)}", f"{TABLE}:")
        ]
        assert {one.status_code for one in answers} == {400}
        assert len({one.text for one in answers}) == 1
        assert answers[0].json()["field"] == "id"


def test_players_set_their_own_asking_and_not_the_tables(begun: Server) -> None:
    assert begun.ilse.sends({"type": "AskingSet", "who": "*", "ask": "never"}).status_code == 403
    assert begun.ilse.sends({"type": "AskingSet", "who": "ilse", "ask": "targeted"}).status_code == 200
    ready_ilse(begun)
    assert begun.ilse.sends({"type": "Passed", "window": "w", "who": "ilse", "why": "time"}).status_code == 403


def test_whoever_takes_a_command_back_takes_the_passes_behind_it_back_too(begun: Server) -> None:
    """Ilse readies an action; nothing in the window behind it is worth an answer, and her turn is over."""
    ready_ilse(begun, ask="worthwhile")
    log = begun.gm.looks("/log").json()["lines"]
    assert [one["event"]["why"] for one in log if one["event"]["type"] == "Passed"] == ["not worth"]
    assert begun.ilse.sends({"type": "Undo"}).status_code == 200
    assert begun.gm.looks("/state").json()["state"]["acting"] == ["ilse"]


@pytest.mark.parametrize("lurks_at", ["2,1", "9,5"])
def test_a_concealed_combatant_changes_nothing_about_where_the_table_stops(lurks_at: str) -> None:
    """All viewers see an automatic pass, so only facts that all know decide it."""
    fighter = {"agility": 10, "might": 3, "accuracy": 2, "health": 9, "ep": 3, "weapons": ["sword"]}
    people = [
        {"name": "Ilse", "side": "heroes", **fighter, "at": "1,1"},
        {"name": "Bandit", "side": "bandits", **fighter, "at": "8,1"},
        {"name": "Captain", "side": "bandits", **fighter, "at": lurks_at, "concealed": True},
    ]
    told = {"system": "vestige", "name": "a bridge", "board": {}, "combatant": people}
    fight = begin_fight("bridge", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    while not any(one.actor == "bandit" and one.kind == "move" for one in fight.state.stack):
        if fight.state.window is not None:
            submit_accepted(fight, Passed(window=fight.state.window.id, who=fight.state.window.to[0]))
            continue
        (who, *_) = fight.state.acting
        if who == "bandit" and fight.state.combatants["ilse"].conditions.get("readied"):
            submit_accepted(fight, make_declaration(who, "move", path=["9,1"]))
        else:
            submit_accepted(fight, make_declaration(who, "ready" if who == "ilse" else "end_turn"))
    assert [one.who for one in not_worth(fight, "worthwhile")] == ["ilse"]


def snap_at(hp: int, left: int) -> Fight:
    """Return a fight in which Mab may snap at a moving brute with a number of veiled hit points."""
    archer = {"pc": True, "class": "warrior", "level": 3, "dex": 16, "skills": {"shoot": 1}, "weapons": ["bow_large"]}
    people = [
        {"name": "Mab", "side": "heroes", **archer, "hp": 12, "at": "0,0"},
        {"name": "Brute", "side": "foes", "ac": 11, "hp": hp, "attack": 2, "weapons": ["dagger"], "at": "6,0"},
    ]
    people[1]["veiled"] = ["hp"]
    told = {"system": "wwn", "name": "a road", "board": {}, "combatant": people}
    fight = begin_fight("road", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    while fight.state.acting != ("brute",):
        submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    rule(fight, "pool", who="brute", pool="hp", by=left - hp) if left < hp else None
    submit_accepted(fight, make_declaration("brute", "move", path=["7,0"]))
    return fight


@pytest.mark.parametrize("numbers", [((4, 4), (40, 40)), ((4, 3), (40, 21))], ids=["unhurt", "hurt"])
def test_a_veiled_counter_changes_nothing_about_where_the_table_stops(numbers: tuple[tuple[int, int], ...]) -> None:
    """Only its band counts, which all viewers see: a snap shot looks the same at any true value."""
    passed = [[one.who for one in not_worth(snap_at(*one), "worthwhile")] for one in numbers]
    assert passed == [["mab"], ["mab"]]


def test_only_the_game_master_passes_for_everybody_in_one_line(begun: Server) -> None:
    """Sent again under its id, the line changes nothing."""
    ready_ilse(begun)
    head = begun.gm.looks("").json()["head"]
    assert begun.bram.says("pass *").status_code >= 400
    assert begun.gm.looks("").json()["head"] == head
    first = begun.gm.says("pass *", id="all").json()
    again = begun.gm.says("pass *", id="all").json()
    assert [one["event"]["who"] for one in first["lines"] if one["event"]["type"] == "Passed"] == ["*"]
    assert (again["repeated"], again["head"]) == (True, first["head"])

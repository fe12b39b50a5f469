"""The command ``party``, as a game master uses it from one evening to the next."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from affray.engine.opening import begin_fight
from affray.engine.stores import FileStore
from tests.party.campaigns import encounter, fight_sensibly, rule_in_campaign
from tests.tools.program import affray

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
BRIDGE = str(ENCOUNTERS / "vestige/bridge.toml")
ALLEY = str(ENCOUNTERS / "vestige/alley.toml")


def run_party(folder: Path, *words: str) -> str:
    """Run ``affray party`` and return what it prints."""
    ran = affray(folder, "party", *words)
    assert (ran.code, ran.err) == (0, ""), ran.err
    return ran.out


def content(folder: Path, name: str = "heroes.toml") -> dict[str, Any]:
    """Return what a party's file says."""
    return tomllib.loads((folder / name).read_text("utf-8"))


def play_party_bridge(folder: Path, name: str = "evening", *rulings: str) -> None:
    """Fight the bridge with the party, and leave it as a finished fight."""
    run_party(folder, "join", "heroes.toml", BRIDGE, "-o", f"{name}.jsonl")
    for words in (*rulings, "end"):
        ran = affray(folder, "rule", f"{name}.jsonl", *words.split(), "--reason", "so it is")
        assert ran.code == 0, ran.err


@pytest.fixture
def heroes(tmp_path: Path) -> Path:
    """A folder with a party."""
    assert run_party(tmp_path, "new", "heroes.toml", "--from", BRIDGE) == "made heroes.toml: Ilse, Tomas\n"
    return tmp_path


def test_it_reads_like_an_encounter_and_shows_how_everybody_is(heroes: Path) -> None:
    party = content(heroes)
    assert (party["system"], party["name"], [one["name"] for one in party["combatant"]]) == (
        "vestige",
        "heroes",
        ["Ilse", "Tomas"],
    )
    assert not any("at" in one for one in party["combatant"])
    assert run_party(heroes, "show", "heroes.toml").splitlines() == [
        "heroes (Vestige)",
        "  Ilse: health 10/10, morale 2",
        "  Tomas: health 8/8, morale 2",
    ]


def test_a_party_that_is_there_is_made_anew_only_when_asked(heroes: Path) -> None:
    run_party(heroes, "set", "heroes.toml", "ilse", "health", "4")
    kept = content(heroes)
    ran = affray(heroes, "party", "new", "heroes.toml", "--from", BRIDGE)
    assert (ran.code, ran.out) == (2, "")
    assert "heroes.toml exists already" in ran.err
    assert content(heroes) == kept
    run_party(heroes, "new", "heroes.toml", "--from", BRIDGE, "--force")
    assert "carries" not in content(heroes)["combatant"][0]


def test_what_a_fight_cost_is_taken_line_by_line_with_its_clauses(heroes: Path) -> None:
    play_party_bridge(heroes, "evening", "pool ilse health by=-4", "condition tomas forfeited count=1")
    assert run_party(heroes, "after", "heroes.toml", "evening.jsonl").splitlines() == [
        "Ilse: health 10 → 6",
        "Tomas gives up the fight",
        "recovers: Tomas is no longer forfeited (VES-056)",
    ]
    assert content(heroes)["combatant"][0]["carries"] == {"pools": {"health": 6}}
    assert "carries" not in content(heroes)["combatant"][1]
    assert "  Ilse: health 6/10, morale 2" in run_party(heroes, "show", "heroes.toml")
    before = (heroes / "heroes.toml").read_bytes()
    assert (
        run_party(heroes, "after", "heroes.toml", "evening.jsonl") == "this fight was taken already; nothing changes\n"
    )
    assert (heroes / "heroes.toml").read_bytes() == before


def second_wave(folder: Path) -> None:
    """Let the evening go on: Ilse loses three hit points more."""
    for words in (
        "join name=Brute side=bandits agility=10 might=3 health=9 weapons=sword at=1,1",
        "pool ilse health by=-3",
        "end",
    ):
        ran = affray(folder, "rule", "evening.jsonl", *words.split(), "because", "so")
        assert ran.code == 0, ran.err


def test_what_a_fight_cost_since_it_was_taken_is_taken_once(heroes: Path) -> None:
    """A second wave comes after Ilse was healed by three: she bears the difference, and it can be undone."""
    play_party_bridge(heroes, "evening", "pool ilse health by=-4", "condition tomas forfeited count=1")
    run_party(heroes, "after", "heroes.toml", "evening.jsonl")
    run_party(heroes, "set", "heroes.toml", "ilse", "health", "9")
    second_wave(heroes)
    assert run_party(heroes, "after", "heroes.toml", "evening.jsonl") == "Ilse: health 6 → 3\n"
    assert "  Ilse: health 6/10, morale 2" in run_party(heroes, "show", "heroes.toml")
    assert (
        run_party(heroes, "after", "heroes.toml", "evening.jsonl") == "this fight was taken already; nothing changes\n"
    )
    run_party(heroes, "undo", "heroes.toml")
    assert run_party(heroes, "after", "heroes.toml", "evening.jsonl") == "Ilse: health 6 → 3\n"


def test_the_next_fight_begins_as_the_last_one_ended(heroes: Path) -> None:
    """By ``party join`` and by ``new --party`` alike; the dead stay behind."""
    play_party_bridge(heroes, "evening", "pool ilse health by=-4", "condition tomas dead count=1")
    run_party(heroes, "after", "heroes.toml", "evening.jsonl")
    joined = run_party(heroes, "join", "heroes.toml", ALLEY, "-o", "next.jsonl")
    assert joined.splitlines()[:2] == ["opened next.jsonl", "Tomas stays behind"]
    ran = affray(heroes, "new", ALLEY, "--party", "heroes.toml", "-o", "same.jsonl")
    assert ran.code == 0, ran.err
    for name in ("next", "same"):
        people = affray(heroes, "show", f"{name}.jsonl", "--json").json["state"]["combatants"]
        assert people["ilse"]["pools"]["health"] == 6
        assert "tomas" not in people


def test_it_is_corrected_and_every_change_is_taken_back(heroes: Path) -> None:
    first = content(heroes)
    run_party(heroes, "set", "heroes.toml", "ilse", "health", "3")
    run_party(heroes, "set", "heroes.toml", "Tomas", "unable", "1")
    run_party(heroes, "set", "heroes.toml", "tomas", "bow.lost", "true")
    run_party(heroes, "set", "heroes.toml", "ilse", "agility", "14")
    assert run_party(heroes, "show", "heroes.toml").splitlines()[1:] == [
        "  Ilse: health 3/10, morale 2",
        "  Tomas: health 8/8, morale 2",
        "    is out of the fight",
        "    no longer has bow",
    ]
    assert content(heroes)["combatant"][0]["agility"] == 14
    for what in (
        "Ilse's agility is 14",
        "Tomas no longer has bow",
        "Tomas is out of the fight",
        "Ilse's health is 3",
    ):
        assert run_party(heroes, "undo", "heroes.toml") == f"took back: {what}\n"
    assert content(heroes) == first
    ran = affray(heroes, "party", "undo", "heroes.toml")
    assert (ran.code, ran.err) == (1, "refused: nothing is known of what this party was before (nothing_to_undo)\n")


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("ilse", "health", "11"), "must be from 0 to the maximum of 10"),
        (("ilse", "helth", "3"), "unknown field helth; did you mean health"),
        (("ilsa", "health", "3"), "there is no member ilsa; there are ilse, tomas"),
        (("ilse", "health", "lots"), "carries.pools[...]: must be a whole number, not a text"),
        (("ilse", "weapons", '["swrod"]'), "there is no weapon swrod"),
    ],
)
def test_what_cannot_be_so_is_told_and_changes_nothing(heroes: Path, words: tuple[str, ...], wrong: str) -> None:
    before = (heroes / "heroes.toml").read_bytes()
    ran = affray(heroes, "party", "set", "heroes.toml", *words)
    assert ran.code == 2
    assert wrong in ran.err, ran.err
    assert (heroes / "heroes.toml").read_bytes() == before


def test_comments_that_people_made_stay(heroes: Path) -> None:
    file = heroes / "heroes.toml"
    file.write_text(file.read_text("utf-8").replace('block = "hero"', 'block = "hero"   # since the flood'), "utf-8")
    run_party(heroes, "set", "heroes.toml", "ilse", "health", "3")
    assert "# since the flood" in file.read_text("utf-8")


def test_a_party_may_live_in_the_store_of_the_fights(tmp_path: Path) -> None:
    run_party(tmp_path, "new", "club.db#heroes", "--from", BRIDGE)
    run_party(tmp_path, "join", "club.db#heroes", BRIDGE, "-o", "club.db#evening")
    affray(tmp_path, "rule", "club.db#evening", "pool", "ilse", "health", "by=-4", "--reason", "x")
    affray(tmp_path, "rule", "club.db#evening", "end", "--reason", "x")
    run_party(tmp_path, "after", "club.db#heroes", "club.db#evening")
    assert "  Ilse: health 6/10, morale 2" in run_party(tmp_path, "show", "club.db#heroes")
    ran = affray(tmp_path, "party", "show", "club.db#villains")
    assert (ran.code, ran.err) == (2, "PARTY: there is no party villains; there are heroes\n")
    ran = affray(tmp_path, "party", "new", "club.db#heroes", "--from", BRIDGE)
    assert "exists already" in ran.err


def test_what_is_not_over_or_of_another_system_is_refused(heroes: Path) -> None:
    run_party(heroes, "join", "heroes.toml", BRIDGE, "-o", "open.jsonl")
    ran = affray(heroes, "party", "after", "heroes.toml", "open.jsonl")
    assert (ran.code, ran.err.startswith("refused: the fight is not over")) == (1, True)
    ran = affray(heroes, "party", "join", "heroes.toml", str(ENCOUNTERS / "wyrd/mill.toml"))
    assert (ran.code, "the party is of vestige, and the encounter of wyrd" in ran.err) == (2, True)
    fight = begin_fight("mill", encounter("wyrd", "mill"), who="gm", seed=bytes(32), store=FileStore(heroes))
    rule_in_campaign(fight, "end")
    ran = affray(heroes, "party", "after", "heroes.toml", "mill.jsonl")
    assert "the fight is one of Wyrd, and the party is of Vestige" in ran.err


def test_a_whole_fight_leaves_what_it_cost(tmp_path: Path) -> None:
    """After any dice, costs are charged, cited and undone."""
    run_party(tmp_path, "new", "heirs.toml", "--from", str(ENCOUNTERS / "wyrd/barrow.toml"))
    party, store = content(tmp_path, "heirs.toml"), FileStore(tmp_path)
    cost: list[str] = []
    for seed in range(20):
        name = f"howe{seed}"
        fight_sensibly(begin_fight(name, encounter("wyrd", "barrow"), who="gm", seed=bytes([seed]) * 32, store=store))
        cost = run_party(tmp_path, "after", "heirs.toml", f"{name}.jsonl").splitlines()
        if any("→" in line for line in cost):
            break
        run_party(tmp_path, "undo", "heirs.toml")
    assert any("→" in line for line in cost)
    assert all(line.endswith(")") and "(WYR-" in line for line in cost)
    assert content(tmp_path, "heirs.toml")["combatant"] != party["combatant"]
    run_party(tmp_path, "undo", "heirs.toml")
    assert content(tmp_path, "heirs.toml") == party


def test_a_rest_brings_back_what_the_rules_say(tmp_path: Path) -> None:
    run_party(tmp_path, "new", "heirs.toml", "--from", str(ENCOUNTERS / "wyrd/barrow.toml"))
    who = content(tmp_path, "heirs.toml")["combatant"][0]["name"].lower()
    run_party(tmp_path, "set", "heirs.toml", who, "fatigue", "3")
    told = run_party(tmp_path, "rest", "heirs.toml", "downtime")
    assert f"recovers: {who.capitalize()}: fatigue 3 → 0 (WYR-T19)" in told
    ran = affray(tmp_path, "party", "rest", "heirs.toml", "nap")
    assert "there is no rest called nap; there are downtime" in ran.err

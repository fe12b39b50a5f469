"""Hidden things one by one: who is concealed, what is veiled, and the game master's secret rolls."""

from __future__ import annotations

import tomllib
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from msgspec import UNSET, Raw

from affray.engine import Amend, Close, Fight, Redo, Refused, Undo, Unusable, begin_fight, digest
from affray.engine.core.loading import load, template
from affray.engine.core.state import Combatant, Relation, State
from affray.engine.visibility import Viewer, can_read, list_bands, names_hidden, project_state, verify_wire, wire_line
from affray.events import AnySource, ChainBroken, Declared, Event, Member, Recorded, Rolled, Ruled, Source
from tests.engine.conftest import two
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, submit_accepted

SPECTATOR = Viewer(role="spectator")
GM = Viewer(role="gm")


def open_duel(**entry: Any) -> Fight:
    """Return the duel with something hidden about the second of the two."""
    encounter = two()
    encounter["combatant"][1].update(entry)
    return begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon)


def rule(fight: Fight, kind: str, **params: Any) -> tuple[Recorded, ...]:
    """Rule something that must be accepted."""
    return submit_accepted(fight, Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so be it")).recorded


def list_known(fight: Fight, viewer: Viewer = SPECTATOR) -> set[str]:
    """List the combatants of a fight that a viewer knows."""
    return set(project_state(viewer, fight.state).combatants)


def open_to(viewer: Viewer, recorded: tuple[Recorded, ...]) -> list[str]:
    """List the event types of a command that a viewer may read."""
    return [type(one.event).__name__ for one in recorded if can_read(viewer, one)]


def test_a_concealed_combatant_is_known_to_its_player_alone() -> None:
    """The others do not see that it joined, nor who sees it, nor that it is there."""
    fight = open_duel(concealed=True)
    assert list_known(fight) == {"ilse"}
    assert list_known(fight, Viewer(role="player", owns=("brand",))) == {"ilse", "brand"}
    hidden = {one.audience for one in fight.history.recorded if "brand" in repr(one.event)}
    assert hidden == {("brand",)}
    assert project_state(SPECTATOR, fight.state).distances == {}


def test_a_relation_is_hidden_with_those_without_whom_it_would_not_be() -> None:
    """A held combatant without a holder, or a rider without a mount, would reveal a concealed one."""
    fight = open_duel()
    rule(fight, "conceal", who="brand")
    pair = Relation(id="hold", kind="grapple", members=(Member(who="ilse"), Member(who="brand")))
    alone = Relation(id="guard", kind="group", members=(Member(who="ilse"),))
    state = msgspec.structs.replace(fight.state, relations={"hold": pair, "guard": alone})
    assert project_state(SPECTATOR, state).relations == {"guard": alone}
    assert project_state(Viewer(role="player", owns=("brand",)), state).relations == {"hold": pair, "guard": alone}


def test_what_is_ruled_about_somebody_hidden_is_hidden_with_it() -> None:
    """The ruling that conceals is sealed too, so that no viewer learns the subject."""
    fight = open_duel()
    assert open_to(SPECTATOR, rule(fight, "conceal", who="brand")) == []
    assert open_to(SPECTATOR, rule(fight, "pool", who="brand", pool="health", by=-1)) == []
    assert open_to(Viewer(role="player", owns=("brand",)), rule(fight, "trait", who="brand", trait="x")) != []


def test_what_is_revealed_is_open_from_then_on() -> None:
    """The revelation itself is open, and nothing that was sealed before becomes so."""
    fight = open_duel(concealed=True)
    sealed = [one.position for one in fight.history.recorded if not can_read(SPECTATOR, one)]
    assert open_to(SPECTATOR, rule(fight, "reveal", who="brand")) == ["Concealed"]
    assert open_to(SPECTATOR, rule(fight, "note", text="Brand steps out")) == ["Ruled", "Noted"]
    assert list_known(fight) == {"ilse", "brand"}
    assert [one.position for one in fight.history.recorded[: max(sealed)] if not can_read(SPECTATOR, one)] == sealed


def test_who_is_hidden_counts_as_the_record_stands() -> None:
    """Taking the revelation back hides again; bringing it back reveals again."""
    fight = open_duel(concealed=True)
    rule(fight, "reveal", who="brand")
    submit_accepted(fight, Undo())
    assert list_known(fight) == {"ilse"}
    assert open_to(SPECTATOR, rule(fight, "note", text="Brand waits")) == []
    submit_accepted(fight, Undo())
    submit_accepted(fight, Redo(lane=fight.head - 4))
    assert list_known(fight) == {"ilse", "brand"}


def test_an_amended_line_is_sealed_by_what_counts_in_it() -> None:
    """If the revelation is retracted, later events in the new lane are sealed; the amendment is open."""
    fight = open_duel(concealed=True)
    revealed = rule(fight, "reveal", who="brand")
    rule(fight, "note", text="Brand steps out")
    recorded = submit_accepted(fight, Amend(position=revealed[0].position, reason="not yet")).recorded
    assert open_to(SPECTATOR, recorded) == ["Amended"]
    assert list_known(fight) == {"ilse"}


def test_an_amendment_says_nothing_of_who_is_hidden_by_now() -> None:
    """Also where it tells of a time before they were; the game master has hidden them since."""
    fight = open_duel()
    wrong = rule(fight, "pool", who="ilse", pool="health", by=-1)[0].position
    rule(fight, "note", text="Brand stands by")
    rule(fight, "conceal", who="brand")
    instead = Ruled(kind="pool", params=Raw(b'{"who":"ilse","pool":"health","by":-2}'), reason="it was two")
    recorded = submit_accepted(fight, Amend(position=wrong, instead=(instead,), reason="misheard")).recorded
    assert open_to(SPECTATOR, recorded) == ["Amended", "PoolChanged"]
    assert open_to(Viewer(role="player", owns=("brand",)), recorded)[-4:] == ["Ruled", "Noted", "Ruled", "Concealed"]


def test_an_amendment_can_be_the_first_to_hide_something() -> None:
    """It is sealed from there on, although nothing was hidden before."""
    fight = open_duel()
    noted = rule(fight, "note", text="all is quiet")
    conceal = Ruled(kind="conceal", params=Raw(b'{"who":"brand"}'), reason="forgotten")
    recorded = submit_accepted(
        fight, Amend(position=noted[0].position, instead=(conceal,), reason="an ambush")
    ).recorded
    assert open_to(SPECTATOR, recorded) == ["Amended"]


def test_a_group_is_told_without_its_concealed_member() -> None:
    """Viewers of the group's other members read events as if it had no concealed one."""
    encounter = tomllib.loads(template(load("wwn")))
    (like,) = (one for one in encounter["combatant"] if one.get("count", 1) > 2)
    lone = {key: value for key, value in like.items() if key != "count"} | {"at": like["at"][0]}
    told = list[list[Event]]()
    for more in ([], [{**lone, "name": "Lurker", "concealed": True}]):
        people = [*encounter["combatant"], *more]
        fight = begin_fight("pack", {**encounter, "combatant": people}, who="gm", seed=SEED, clock=noon)
        told.append([one.event for one in fight.history.recorded if can_read(SPECTATOR, one)][1:])
        assert (
            project_state(SPECTATOR, fight.state).relations
            == begin_fight("pack", encounter, who="gm", seed=SEED, clock=noon).state.relations
        )
    assert told[0] == told[1]


def test_a_phase_that_stays_the_same_is_sealed_with_the_concealed_combatant_who_acts() -> None:
    """Where each combatant rolls for initiative, no open event tells that a concealed one rolled."""
    fight = begin_fight("barrow", load_shipped_encounters()["hexblade/barrow"], who="gm", seed=SEED, clock=noon)
    rule(fight, "conceal", who="tamm")
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    phase = fight.state.phase
    recorded = submit_accepted(fight, Declared(actor="tamm", kind="roll_initiative", params=Raw(b"{}"))).recorded
    assert fight.state.phase == phase
    assert "PhaseEntered" in [type(one.event).__name__ for one in recorded]
    assert open_to(SPECTATOR, recorded) == []


@pytest.mark.parametrize("hidden", [False, True])
def test_that_a_fight_goes_on_tells_of_a_concealed_enemy(hidden: bool) -> None:
    """It ends with the last enemy, seen or not: so docs/security.md lists it as open."""
    encounter = two()
    if hidden:
        encounter["combatant"].append({**encounter["combatant"][1], "name": "Lurker", "concealed": True})
    fight = begin_fight("duel", encounter, who="gm", seed=SEED, clock=noon)
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    assert ("FightEnded" in open_to(SPECTATOR, rule(fight, "leave", who="brand"))) != hidden


def test_somebody_can_join_unseen() -> None:
    """A newcomer that is concealed first is hidden from its first event on."""
    fight = open_duel()
    rule(fight, "conceal", coming="Hooded Man")
    fighter = {"agility": 10, "might": 3, "accuracy": 2, "health": 6, "ep": 3, "weapons": ["sword"]}
    recorded = rule(fight, "join", combatant={"name": "Hooded Man", "side": "b", **fighter})
    assert not any("ooded" in repr(one.event) for one in recorded if can_read(SPECTATOR, one))
    assert list_known(fight) == {"ilse", "brand"}
    assert "hooded-man" in fight.state.combatants


@pytest.mark.parametrize(("health", "band"), [(6, "unhurt"), (5, "hurt"), (3, "hurt"), (2, "badly hurt"), (0, "down")])
def test_hidden_hit_points_are_shown_as_a_band(health: int, band: str) -> None:
    """By their share of what the combatant had; the numbers are nowhere."""
    fight = open_duel(veiled=["health"])
    assert list_bands(SPECTATOR, fight.state) == {"brand": {"health": "unhurt"}}
    if health != 6:
        assert open_to(SPECTATOR, rule(fight, "pool", who="brand", pool="health", to=health))[:1] != ["Ruled"]
    assert list_bands(SPECTATOR, fight.state) == {"brand": {"health": band}}
    one = project_state(SPECTATOR, fight.state).combatants["brand"]
    assert "health" not in one.pools
    assert "health_max" not in one.stats
    assert "ep" in one.pools
    assert (
        project_state(Viewer(role="player", owns=("brand",)), fight.state).combatants["brand"].pools["health"] == health
    )


RISING = {
    "hexblade": set[str](),
    "verdigris": {"stress"},
    "vestige": set[str](),
    "wwn": {"bleed", "shock_ignored"},
    "wyrd": {"fatigue", "wounds"},
}
"""The counters of which more is worse; of all others less is."""

BEST_FIRST = ("unhurt", "hurt", "badly hurt", "down")


@pytest.mark.parametrize("system", RISING)
def test_a_band_gets_worse_with_the_harm_whichever_way_the_counter_moves(system: str) -> None:
    """For every counter of the vocabulary: as good as at first is unhurt, and each step of harm is no better a band."""
    words = load(system).vocabulary
    assert words.rising == RISING[system]
    for pool in words.pools:
        worse, whole = (range(4, 12), 4) if pool in words.rising else (range(4, -1, -1), 4)
        found = [_band_of(system, pool, count, whole) for count in worse]
        assert found == sorted(found, key=BEST_FIRST.index)
        assert (found[0], found[-1]) == ("unhurt", "badly hurt" if pool in words.rising else "down")
        assert set(BEST_FIRST[:3]) <= set(found)
        assert _band_of(system, pool, 0 if pool in words.rising else 9, whole) == "unhurt"


def _band_of(system: str, pool: str, count: int, whole: int) -> str:
    one = Combatant(id="brand", name="Brand", side="b", pools={pool: count})
    state = State(system=system, combatants={"brand": one}, veiled={"brand": {pool: whole}})
    return list_bands(SPECTATOR, state)["brand"][pool]


def test_with_a_counter_whatever_is_declared_to_tell_of_it_is_hidden() -> None:
    """Here the lower limit of stress; other words of a similar name stay open."""
    encounter = tomllib.loads(template(load("verdigris")))
    fight = begin_fight("camp", encounter, who="gm", seed=SEED, clock=noon)
    before = project_state(SPECTATOR, fight.state).combatants["runa"]
    assert "stress_min" in before.stats
    rule(fight, "veil", who="runa", pools=["stress"])
    after = project_state(SPECTATOR, fight.state).combatants["runa"]
    assert before.stats.keys() - after.stats.keys() == {"stress_min"}
    assert before.pools.keys() - after.pools.keys() == {"stress"}


def test_a_veil_can_be_drawn_and_lifted() -> None:
    """A shown counter is open again; an unknown counter cannot be hidden."""
    fight = open_duel()
    assert open_to(SPECTATOR, rule(fight, "veil", who="brand", pools=["health"])) == []
    assert open_to(SPECTATOR, rule(fight, "pool", who="ilse", pool="health", by=-1)) == ["Ruled", "PoolChanged"]
    assert open_to(SPECTATOR, rule(fight, "unveil", who="brand")) == ["Ruled", "Veiled"]
    assert project_state(SPECTATOR, fight.state) is fight.state
    with pytest.raises(Unusable, match="brand has the counters"):
        rule(fight, "veil", who="brand", pools=["luck"])


def test_a_secret_roll_is_committed_now_and_opened_when_the_record_is_closed() -> None:
    """Only the game master reads it before; then its digest proves its content."""
    fight = open_duel()
    recorded = rule(fight, "secret_roll", dice="2d6", purpose="listening", plus=1)
    assert [type(one.event) for one in recorded] == [Ruled, Rolled]
    assert open_to(Viewer(role="player", owns=("ilse", "brand")), recorded) == []
    assert fight.history.opened == {}
    submit_accepted(fight, Close(unfinished=True))
    assert fight.history.opened == {one.position: fight.head for one in recorded}
    rolled = recorded[1]
    payload = msgspec.json.encode(rolled.event)
    opened = wire_line(SPECTATOR, rolled, payload, opened=fight.history.opened)
    assert opened.event is not UNSET
    assert (opened.who, opened.cause) == (rolled.who, rolled.cause)
    previous = recorded[0].hash
    assert verify_wire(opened, after=rolled.position - 1, previous=previous) == rolled.hash
    with pytest.raises(ChainBroken):
        verify_wire(msgspec.structs.replace(opened, salt="0" * 32), after=rolled.position - 1, previous=previous)


def test_a_secret_roll_about_somebody_hidden_is_never_opened() -> None:
    """Its player does not read it either; the dice are the game master's. Only older records have such rolls."""
    fight = open_duel(concealed=True)
    with patch("affray.engine.fight.check_new_ruling"):
        recorded = rule(fight, "secret_roll", dice="d20", purpose="listen:brand")
    with pytest.raises(Refused, match="no words are sealed"):
        rule(fight, "release")
    submit_accepted(fight, Close(unfinished=True))
    assert open_to(Viewer(role="player", owns=("brand",)), recorded) == []
    assert fight.history.opened == {}


def test_a_secret_roll_while_somebody_is_hidden_is_opened_by_releasing_its_words_and_closing_the_record() -> None:
    """Its purpose is the game master's free text, so the end of the record alone does not open it."""
    for closes in (False, True):
        fight = open_duel(concealed=True)
        recorded = rule(fight, "secret_roll", dice="d20", purpose="does ilse hear Brand")
        assert open_to(Viewer(role="player", owns=("brand",)), recorded) == []
        rule(fight, *("note",) if closes else ("release",), **{"text": "so it ends"} if closes else {})
        assert not any(one.position in fight.history.opened for one in recorded)  # before the end nobody reads its dice
        if not closes:
            with pytest.raises(Refused, match="no words are sealed"):
                rule(fight, "release", positions=[recorded[0].position])
        submit_accepted(fight, Close(unfinished=True))
        assert all((one.position in fight.history.opened) != closes for one in recorded)


def test_secret_dice_are_the_engines() -> None:
    """Real dice would be awaited in public; the roll must have dice."""
    fight = open_duel()
    rule(fight, "dice", owner="*", source="entered")
    before = digest(fight.state)
    with pytest.raises(Refused, match="behind a screen"):
        rule(fight, "secret_roll", dice="2d6", purpose="listening")
    with pytest.raises(Unusable, match="such as 2d6"):
        rule(fight, "secret_roll", dice="six", purpose="listening")
    assert digest(fight.state) == before


def test_who_plays_one_of_two_hidden_ones_does_not_learn_of_the_other() -> None:
    """Only a viewer who plays both reads an event that names both."""
    fight = open_duel(concealed=True)
    rule(fight, "conceal", who="ilse")
    recorded = rule(fight, "note", text="ilse meets brand")
    assert open_to(Viewer(role="player", owns=("brand",)), recorded) == []
    assert open_to(Viewer(role="player", owns=("brand", "ilse")), recorded) == ["Ruled", "Noted"]


@pytest.mark.parametrize(
    ("kind", "text", "hidden"),
    [
        ("source", "brand", True),
        ("source", "brand.sword", True),
        ("source", "brand.might", True),
        ("source", Source(of="ilse", to="brand"), True),
        ("source", Source(of="brand", name="modifier", about="rain"), True),
        ("source", "ilse.brand", False),
        ("source", Source(of="ilse", name="modifier", about="brand"), False),
        ("source", "brandish", False),
        ("roll", "1/brand/2", True),
        ("roll", "g2:1/brand/2/attack", True),
        ("roll", "1/ilse/1/provoked:brand", True),
        ("roll", "1/ilse/1/brink:brand#2", True),
        ("roll", "1/turn_start/panic:ilse@brand", True),
        ("roll", "1/turn_start/panic:ilse@brand#2", True),
        ("roll", "0/brand/initiative:ilse", False),
        ("roll", "1/ilse/1/brand", False),
        ("topic", "outcome:1/brand/1", True),
        ("topic", "brand", False),
        ("side", "b", True),
        ("side", "a", False),
    ],
)
def test_whom_an_id_names_follows_from_its_kind(kind: str, text: AnySource, hidden: bool) -> None:
    """A side that is made up of hidden ones alone, a thing of theirs, a roll of or about them; no part of a word."""
    fight = open_duel(concealed=True)
    assert names_hidden(SPECTATOR, fight.state, kind, text) == hidden
    assert not names_hidden(GM, fight.state, kind, text)
    assert not names_hidden(Viewer(role="player", owns=("brand",)), fight.state, kind, text)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"concealed": "yes"}, "combatant[1].concealed"),
        ({"veiled": "health"}, "combatant[1].veiled"),
        ({"veiled": ["luck"]}, "combatant[1].veiled"),
        ({"hat": "red"}, "combatant[1]"),
    ],
)
def test_an_encounter_says_in_which_field_it_is_wrong(entry: dict[str, Any], field: str) -> None:
    """As everything else in an encounter file does."""
    with pytest.raises(Unusable) as no:
        open_duel(**entry)
    assert no.value.field == field


def test_a_combatant_that_is_no_table_is_unusable() -> None:
    with pytest.raises(Unusable, match="combatant"):
        begin_fight("duel", {**two(), "combatant": [3]}, who="gm", seed=SEED, clock=noon)


def test_who_has_won_is_known_unless_only_hidden_people_are_on_that_side() -> None:
    """A side without known combatants is unknown."""
    for victors, known in (("a", "a"), ("b", "")):
        fight = open_duel(concealed=True)
        rule(fight, "end", victors=victors)
        assert project_state(SPECTATOR, fight.state).victors == known
        assert project_state(Viewer(role="player", owns=("brand",)), fight.state).victors == victors

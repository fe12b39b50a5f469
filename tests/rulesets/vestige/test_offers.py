"""Candidates of each action of Vestige before the legality check, and the actors of each phase."""

from __future__ import annotations

from affray.engine.core.actions import Action
from affray.engine.fight import Fight
from affray.engine.rulesets.vestige.attack import Attack
from affray.engine.rulesets.vestige.chapters.skills import Improvise, Skill
from affray.engine.rulesets.vestige.gear import Swap
from affray.engine.rulesets.vestige.movement.moving import Move, Shift
from affray.engine.rulesets.vestige.turns.order import EndTurn
from affray.engine.rulesets.vestige.turns.procedures import Begin, list_movers
from affray.events import Declared
from tests.rulesets.offered import list_offered_actions as everything
from tests.rulesets.statistics import open_unstored_fight, params, submit_intent
from tests.rulesets.vestige.fights import FIGHTER, act_in_vestige, begin_vestige_fight, four, rule_in_vestige


def list_vestige_offers(fight: Fight, kind: type[Action], who: str = "ada") -> list[Action]:
    """Return a combatant's candidates for a kind of action."""
    return everything(fight, kind, who)


def test_a_fight_is_begun_by_a_threat_by_surprise_or_by_a_first_blow() -> None:
    blows = [("ada", "bo"), ("ada", "di"), ("bo", "ada"), ("bo", "cy"), ("cy", "bo"), ("cy", "di")]
    blows += [("di", "ada"), ("di", "cy")]
    fight = four(ada={"skills": ["lunge"], "ep": 1}, **{who: {"ep": 0} for who in ("bo", "cy", "di")})
    assert list_vestige_offers(fight, Begin, "gm") == [
        Begin(),
        Begin(surprising="heroes"),
        Begin(surprising="foes"),
        *(
            Begin(cause="first_attack", attacker=one, target=other, skill=skill, ep=ep)
            for one, other in blows
            for skill in (("", "lunge") if one == "ada" else ("",))
            for ep in ((0, 1) if one == "ada" else (0,))
        ),
    ]


def test_every_enemy_is_offered_with_all_the_energy_there_is() -> None:
    """In any order of the roster; friends and the actor are no targets."""
    fight = four(ada={"ep": 2}, di={"ep": 0})
    assert list_vestige_offers(fight, Attack) == [Attack(target=one, ep=ep) for one in ("bo", "di") for ep in (0, 1, 2)]
    assert list_vestige_offers(fight, Attack, "di") == [Attack(target="ada"), Attack(target="cy")]


def test_skills_are_offered_by_what_they_do() -> None:
    """Attacks with the energy that is left beside their cost, movements as ways, others as they are."""
    skills = {
        "feint": {"name": "Feint", "effect": "gm"},
        "glide": {"name": "Glide", "effect": "move", "metres": 1, "ep": 0},
        "smash": {"name": "Smash", "effect": "attack", "ep": 2},
    }
    people = [
        {**FIGHTER, "name": "Ada", "side": "a", "at": "0,0", "skills": ["feint", "smash", "glide"]},
        {**FIGHTER, "name": "Bo", "side": "b", "at": "1,0", "skills": ["smash"], "ep": 1},
        {**FIGHTER, "name": "Cy", "side": "a", "at": "0,1", "skills": ["smash"], "ep": 2},
    ]
    fight = open_unstored_fight({"system": "vestige", "board": {}, "combatant": people, "skill": skills})
    around = ("-1,0", "0,-1", "0,1", "1,0", "-1,-1", "-1,1", "1,-1", "1,1")
    assert list_vestige_offers(fight, Skill) == [
        Skill(skill="feint"),
        *(Skill(skill="glide", path=(one,)) for one in around),
        Skill(skill="smash", target="bo"),
        Skill(skill="smash", target="bo", ep=1),
    ]
    assert list_vestige_offers(fight, Skill, "bo") == [
        Skill(skill="smash", target="ada"),
        Skill(skill="smash", target="cy"),
    ]
    assert list_vestige_offers(fight, Skill, "cy") == [Skill(skill="smash", target="bo")]


def test_ways_are_offered_up_to_the_allowance() -> None:
    """A shift is one metre; a move as many as the sheet says, or the table."""
    fight = four({"move_metres": 2}, cy={"move": 1})
    around = ["-1,0", "0,-1", "0,1", "1,0", "-1,-1", "-1,1", "1,-1", "1,1"]
    assert list_vestige_offers(fight, Shift) == [Shift(path=(one,)) for one in around]
    assert len(list_vestige_offers(fight, Move)) == 5 * 5 - 1
    assert len(list_vestige_offers(fight, Move, "cy")) == 3 * 3 - 1
    assert len(list_vestige_offers(four(), Move)) == 11 * 11 - 1


def test_without_a_board_metres_are_offered() -> None:
    people = [{**FIGHTER, "name": name, "side": name, "skills": ["slip-away"]} for name in ("Ada", "Bo")]
    fight = open_unstored_fight({"system": "vestige", "combatant": people})
    assert list_vestige_offers(fight, Shift) == [Shift(metres=1)]
    assert list_vestige_offers(fight, Move) == [Move(metres=metres) for metres in (1, 2, 3, 4, 5)]
    assert list_vestige_offers(fight, Skill) == [Skill(skill="slip-away", metres=1), Skill(skill="slip-away", metres=2)]


def test_other_weapons_are_offered_for_an_action_and_for_energy() -> None:
    fight = four()
    others = ("ada.bow", "ada.unarmed")
    assert list_vestige_offers(fight, Swap) == [
        Swap(weapon=one, payment=pay) for one in others for pay in ("action", "ep")
    ]


def test_what_was_allowed_is_offered_once() -> None:
    fight = four()
    for what in ("sing", "dance", "sing"):
        rule_in_vestige(fight, "allow", who="ada", what=what)
    assert list_vestige_offers(fight, Improvise) == [Improvise(what="sing"), Improvise(what="dance")]
    assert list_vestige_offers(fight, Improvise, "bo") == []


def test_ending_a_turn_has_no_parameters() -> None:
    assert list_vestige_offers(four(), EndTurn) == [EndTurn()]


def may_act(fight: Fight) -> list[tuple[str, str]]:
    """Return the possible actors, each with the manner."""
    return list(list_movers(fight.table))


def test_who_might_act() -> None:
    """The game master first, then the active combatant, holders of tokens, and those at the brink."""
    fight = four()
    assert may_act(fight) == [("gm", "standard")]
    begin_vestige_fight(fight)
    assert may_act(fight) == [("ada", "standard")]
    rule_in_vestige(fight, "condition", who="bo", condition="readied")
    rule_in_vestige(fight, "condition", who="ada", condition="readied")
    assert may_act(fight) == [("ada", "standard"), ("bo", "readied")]
    rule_in_vestige(fight, "pool", who="di", pool="health", to=0)
    rule_in_vestige(fight, "pool", who="ada", pool="health", to=0)
    assert may_act(fight) == [("ada", "standard"), ("bo", "readied"), ("di", "standard")]
    rule_in_vestige(fight, "pool", who="cy", pool="health", to=0)
    rule_in_vestige(fight, "unable", who="cy")
    assert may_act(fight) == [("ada", "standard"), ("bo", "readied"), ("di", "standard")]
    act_in_vestige(fight, "ada", "shift", to="0,-1")
    assert may_act(fight) == [("bo", "readied")]


def test_while_somebody_answers_nobody_forfeits() -> None:
    """Also before the first action of the turn."""
    fight = begin_vestige_fight(four())
    rule_in_vestige(fight, "pool", who="di", pool="health", to=0)
    for who in ("bo", "cy"):
        rule_in_vestige(fight, "condition", who=who, condition="readied")
    assert ("di", "standard") in may_act(fight)
    submit_intent(fight, Declared(actor="bo", kind="shift", params=params(to="2,0"), manner="readied"))
    assert may_act(fight) == [("cy", "readied")]


def test_who_acted_keeps_those_at_the_brink_silent() -> None:
    """Until the turn is over; between turns all at the brink may speak, or all if configured so."""
    for only, between in ((True, ["di"]), (False, ["ada", "cy", "di"])):
        fight = begin_vestige_fight(four({"forfeit_only_at_brink": only}))
        rule_in_vestige(fight, "pool", who="di", pool="health", to=0)
        rule_in_vestige(fight, "condition", who="bo", condition="readied")
        begin = [("bo", "standard"), ("cy", "standard")] if not only else []
        assert may_act(fight) == [("ada", "standard"), ("bo", "readied"), *begin, ("di", "standard")]
        act_in_vestige(fight, "ada", "shift", to="0,-1")
        rule_in_vestige(fight, "close")
        assert may_act(fight) == [("ada", "standard"), ("bo", "readied")]
        act_in_vestige(fight, "ada", "end_turn")
        assert may_act(fight) == [("bo", "readied"), *((who, "standard") for who in between)]

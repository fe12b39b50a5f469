"""Questions, word by word; and refusals with their causes."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.errors import Unusable
from affray.events import Field, Option
from tests.rulesets.wyrd.moments import Scene

PEACE = {"npc_morale": False}
ABILITIES = ("power", "grace", "intellect", "will")


def list_answers(scene: Scene) -> tuple[Option, ...]:
    """Return what can be answered now."""
    question = scene.fight.state.question
    assert question is not None
    return question.options


def test_an_attack_can_be_answered_like_this() -> None:
    """Each weapon, each pair of one-handed ones in both orders, or bare hands; a helper may be named, nothing must."""
    change = {"mira": {"weapons": ["shortsword", "dagger", "halberd"], "load": 0}}
    scene = Scene(
        "grog mira orc", "begin", "rule allow mira will", "grog end_turn", "mira end_turn", change=change, config=PEACE
    )
    scene.does("orc attack mira")
    ability = Field(name="ability", kind="id", among=("power", "grace", "will"), optional=True)
    push = Field(name="push", kind="int", low=0, high=1, optional=True)
    helper = Field(name="helper", kind="id", among=("grog",), optional=True)
    ways = ("shortsword", "dagger", "halberd", "shortsword+mira.dagger", "dagger+mira.shortsword", "unarmed")
    weapon = Field(name="weapon", kind="id", among=tuple(f"mira.{one}" for one in ways), optional=True)
    assert list_answers(scene) == (
        Option(choice="avoid", says="avoids it with the ability alone", fields=(ability, push, helper)),
        Option(choice="riposte", says="strikes back with the weapons", fields=(ability, push, helper, weapon)),
        Option(choice="guard", says="concentrates on defence with all armor", fields=(ability, push, helper)),
    )


def test_what_armor_leaves_can_be_dodged_or_sundered() -> None:
    change = {"mira": {"protection": ["buckler"], "load": 3}}
    own = {"buckler": {"name": "buckler", "kind": "shield", "die": 4, "tags": ["light"]}}
    scene = Scene("mira orc", "begin", "rule harm mira 9 : d4=1 d6=6", change=change, gear=own, config=PEACE)
    fatigue = Field(name="fatigue", kind="int", low=1, high=3)
    assert list_answers(scene) == (
        Option(choice="take", says="takes what is left"),
        Option(choice="dodge", says="dodges nimbly, 1 fatigue for each point", fields=(fatigue,)),
        Option(choice="sunder", says="gives up the shield, and nothing is left"),
    )


def test_a_setback_touches_whole_pieces_of_both() -> None:
    """Not abilities, not bare hands, nothing destroyed or without a die."""
    change = {"mira": {"gear": ["rope"], "load": 0}}
    own = {"rope": {"name": "rope"}}
    scene = Scene("mira orc", "begin", "rule step mira.dagger -9", change=change, gear=own, config=PEACE)
    scene.does("mira engage orc shortsword : d8=5 d6=2 d6=2 d6=6")
    nothing, step, other = list_answers(scene)
    pieces = ("mira.leather_vest", "mira.longbow", "mira.shortsword", "orc.maille", "orc.orc_spear")
    assert nothing == Option(choice="nothing", says="nothing comes of it")
    assert step.fields == (
        Field(name="piece", kind="id", among=pieces),
        Field(name="steps", kind="int", low=1, high=5, optional=True),
    )
    assert other.fields == (Field(name="outcome", kind="text"),)


def test_a_test_that_is_ruled_names_its_ability_if_it_likes() -> None:
    scene = Scene("mira orc", "begin", "mira improvise climb", config=PEACE)
    allow, test, forbid = list_answers(scene)
    assert (allow.choice, forbid.choice) == ("allow", "forbid")
    assert test.fields == (Field(name="ability", kind="id", among=ABILITIES, optional=True),)


def test_who_is_up_may_speak_for_a_side_in_a_test_of_morale() -> None:
    scene = Scene(
        "grog orc brigand bandit",
        "begin",
        "rule condition orc incapacitated",
        "rule harm brigand 1 : d6=6 d4=4 d2=2 d6=6",
    )
    assert list_answers(scene)[0].fields == (Field(name="who", kind="id", among=("brigand", "bandit"), optional=True),)
    scene.does("answer test who=bandit : d6=6")
    assert scene.fight.state.question is None


REFUSALS = """
| rule grant orc | not_your_turn T58 orc | it is the phase of party, not of Orc; grant it in that of foes
rule unaware mira | rule unaware mira | no_change 028 mira | Mira is unaware already
rule join '{"name": "Wolf", "side": "wolves"}'; rule condition orc fled | rule morale foes flees | not_active G06 \
foes | no combatant of foes can act
rule end | mira repair grog.greatsword | not_owned T50 grog.greatsword | Mira does not have greatsword
rule end | mira repair power | not_owned T50 mira.power | Mira does not have Power
rule end | mira repair dagger | at_base 045 mira.dagger | the dagger is whole
rule step mira.dagger -9; rule end | mira repair dagger | destroyed 045 mira.dagger | the dagger is destroyed for good
rule condition mira dead; rule end | mira repair dagger | dead 044 mira | Mira is dead
rule end | mira rest | no_change T19 mira.fatigue | Mira has no fatigue
rule end | rule recover mira | at_base 070 mira.power | Power of Mira is whole
rule step mira.power | rule recover mira | in_combat 070 turn | nobody recovers during a fight
| rule give mira.longbow grog where='off hand' | hands_full 034 grog.greatsword | Grog has no hand free for the longbow
| rule give mira.shortsword grog where='off hand' | hands_full 034 grog.greatsword | Grog has no hand free for the \
shortsword
| rule give mira.shortsword mira where='off hand' | hands_full 034 mira.dagger | Mira has no hand free for \
the shortsword
| rule give mira.longbow mira where='main hand' | hands_full 034 mira.shortsword | Mira has no hand free for the longbow
| rule give mira.leather_vest grog where='off hand' | hands_full 034 grog.greatsword | Grog has no hand free for the \
leather vest
rule condition grog disarmed | rule give mira.leather_vest grog where='off hand' | hands_full 034 mira.leather_vest | \
Grog has no hand free for the leather vest
| rule give brand.maille grog where=worn | slot_taken 035 grog.padded_leathers | Grog wears the padded leathers
| rule give mira.dagger grog where=worn | not_wearable T15 mira.dagger | the dagger is no protection
rule item orc.musket loaded 0 | mira fire orc orc.musket | not_owned T50 orc.musket | Mira does not have musket
rule item brand.musket loaded 0 | mira fire orc brand.musket | not_owned T50 brand.musket | Mira does not have musket
grog end_turn; mira end_turn; brand end_turn | \
orc attack grog maille | wrong_weapon G01 orc.maille | the iron maille cannot be used in a melee
| grog engage orc greatsword dirk | hands_full 034 grog.greatsword | two weapons at once are one in each hand
| grog wear padded_leathers | no_change 035 grog.padded_leathers | the padded leathers is worn already
rule condition grog disarmed | grog engage orc greatsword | disarmed T50 grog.greatsword | Grog no longer holds the \
greatsword
| grog fire orc dirk | wrong_weapon 050 grog.dirk | the dirk cannot be fired
| mira engage orc longbow | wrong_weapon 013 mira.longbow | the longbow cannot be used in a melee
rule step mira.arrows -9; rule step mira.bolts -9 | mira fire orc | no_ammunition G04 mira.arrows | Mira has used up \
the arrows
grog wear padded_leathers off=true; rule grant grog 1 | grog wear padded_leathers off=true | no_change 035 \
grog.padded_leathers | the padded leathers is not worn already
"""
"""What was done before; what is done; code, clause and cause of the refusal; and what it says."""


@pytest.mark.parametrize("line", REFUSALS.strip("\n").split("\n"))
def test_a_refusal_says_what_is_wrong(line: str) -> None:
    given, do, why, message = (part.strip() for part in line.split("|"))
    code, rule, source = why.split()
    own = {name: {"name": name, "kind": "ammunition", "die": 4} for name in ("arrows", "bolts")}
    change: dict[str, dict[str, Any]] = {
        "grog": {"weapons": ["greatsword", "dirk"], "load": 0},
        "mira": {"gear": ["bolts", "arrows"]},
        "brand": {"weapons": ["musket"], "load": 0},
        "orc": {"weapons": ["orc_spear", "musket"]},
    }
    before = [one.strip() for one in given.split(";") if one]
    scene = Scene("grog mira brand orc", "begin", *before, change=change, gear=own, config={**PEACE, "ammo_die": True})
    found = scene.refuses(do)
    assert (found.code, found.rule, found.message, found.source) == (code, f"WYR-{rule}", message, source)


@pytest.mark.parametrize(
    ("given", "code", "rule", "message"),
    [
        ((), "not_lightly_armored", "032", "Orc wears too much to dodge nimbly"),
        (("rule tag orc.targe light",), "no_free_slots", "033", "Orc has 0 free slots"),
    ],
)
def test_who_has_no_slots_has_none_free_to_dodge_with(given: Any, code: str, rule: str, message: str) -> None:
    scene = Scene("grog orc bandit", "begin", *given, change={"orc": {"protection": ["targe"]}}, config=PEACE)
    scene.does("rule harm orc 5 : d2=2 d6=6")
    found = scene.refuses("answer dodge fatigue=1")
    assert (found.code, found.rule, found.message) == (code, f"WYR-{rule}", message)


@pytest.mark.parametrize(
    ("do", "field", "says"),
    [
        ("rule step grog.greatsword 0", "by", "by how many steps"),
        ("rule step grog.unarmed 1", "item", "name a piece with a die"),
        ("rule harm orc", "amount", "either an amount or a die"),
        ("rule harm orc 2 die=4", "amount", "either an amount or a die"),
        ("rule give grog.power mira", "item", "name a thing that can be handed over"),
        ("rule give grog.unarmed mira", "item", "name a thing that can be handed over"),
        ("rule morale wolves holds", "side", "there are the sides foes, party"),
        ("rule tag grog.greatsword shiny", "tag", "there is no tag shiny"),
        ("grog engage orc ability=luck", "ability", "there is no ability luck"),
        ("grog stunt other what='  '", "what", "say what is tried"),
        ("grog stunt shoved", "target", "say against whom"),
    ],
)
def test_what_makes_no_sense_is_named_by_its_field(do: str, field: str, says: str) -> None:
    scene = Scene("grog mira orc", "begin", config=PEACE)
    with pytest.raises(Unusable) as caught:
        scene.does(do)
    assert (caught.value.field.rpartition(".")[2], says in caught.value.message) == (field, True), caught.value


@pytest.mark.parametrize(
    ("at", "said", "says"),
    [
        ("", '"at": "yard"', "there are no places in this fight"),
        ("yard", '"slots": 9', "must say where, since others do"),
        ("yard", '"at": "gate"', ""),
    ],
)
def test_a_newcomer_stands_somewhere_where_others_do(at: str, said: str, says: str) -> None:
    change = {who: {"at": at} for who in ("grog", "orc")}
    scene = Scene("grog orc", "begin", change=change)
    do = f'rule join \'{{"name": "Hal", "side": "party", {said}}}\''
    if not says:
        scene.does(do)
        assert scene.fight.state.combatants["hal"].place == "gate"
        return
    with pytest.raises(Unusable) as caught:
        scene.does(do)
    assert (caught.value.field, caught.value.message) == ("combatant.at", says)


def test_a_newcomer_needs_a_name_that_leaves_nothing_behind() -> None:
    scene = Scene("grog mira orc", "begin", "rule give mira.dagger grog", "rule leave mira", config=PEACE)
    with pytest.raises(Unusable) as caught:
        scene.does('rule join \'{"name": "Mira", "side": "party", "weapons": ["dagger"]}\'')
    assert caught.value.message == "Grog has mira.dagger of one who has left; take another name"


@pytest.mark.parametrize(
    ("given", "do", "field"),
    [
        (("grog end_turn", "mira end_turn", "orc attack grog"), "answer avoid ability=luck", "fields.ability"),
        (("grog end_turn", "mira end_turn", "orc attack grog"), "answer avoid ability=5", "fields.ability"),
        (("grog end_turn", "mira end_turn", "orc attack grog"), "answer avoid helper=nobody", "fields.helper"),
        (("grog end_turn", "mira end_turn", "orc attack grog"), "answer avoid weapon=mace", "fields"),
        (("grog end_turn", "mira end_turn", "orc attack grog"), "answer riposte push=2", "fields.push"),
        (("grog end_turn", "mira end_turn", "orc attack grog"), "answer parry", "choice"),
        (("rule harm mira 6 : d2=2 d6=6",), "answer dodge", "fields.fatigue"),
        (("rule harm mira 6 : d2=2 d6=6",), "answer dodge fatigue=0", "fields.fatigue"),
        (("rule harm mira 6 : d2=2 d6=6",), "answer dodge fatigue=much", "fields.fatigue"),
        (("grog engage orc : d6=5 d10=1 d6=6 d6=6",), "answer step piece=harp", "fields.piece"),
        (("grog engage orc : d6=5 d10=1 d6=6 d6=6",), "answer step", "fields.piece"),
        (("grog engage orc : d6=5 d10=1 d6=6 d6=6",), "answer step piece=orc.maille steps=6", "fields.steps"),
        (("grog engage orc : d6=5 d10=1 d6=6 d6=6",), "answer other", "fields.outcome"),
    ],
)
def test_an_answer_that_makes_no_sense_is_named_by_its_field(given: tuple[str, ...], do: str, field: str) -> None:
    scene = Scene("grog mira orc", "begin", *given, config=PEACE)
    with pytest.raises(Unusable) as caught:
        scene.does(do)
    assert caught.value.field == field


def test_somebody_unknown_speaks_for_no_side() -> None:
    scene = Scene("grog orc brigand bandit", "begin", "rule harm orc 9 ignores_armor=true : d6=2")
    with pytest.raises(Unusable) as caught:
        scene.does("answer test who=nobody")
    assert caught.value.field == "fields.who"
    assert scene.refuses("answer test who=orc").code == "incapacitated"


@pytest.mark.parametrize("who", ["brand", "mira", "orc"])
def test_nobody_but_the_game_master_begins_the_fight(who: str) -> None:
    found = Scene("mira brand orc").refuses(f"{who} begin")
    assert (found.code, found.rule) == ("not_your_turn", "WYR-T35")


def test_a_fight_needs_two_sides() -> None:
    found = Scene("mira brand").refuses("begin")
    assert (found.code, found.rule, found.source) == ("need_two_sides", "WYR-T35", "sides")


def test_one_goes_where_there_is_a_place_and_a_way() -> None:
    change = {who: {"at": "yard"} for who in ("grog", "orc")}
    places = [{"name": "yard", "exits": ["gate"]}, {"name": "gate"}, {"name": "tower"}]
    scene = Scene("grog orc", "begin", change=change, place=places)
    with pytest.raises(Unusable) as caught:
        scene.does("grog move cellar")
    assert (caught.value.field, caught.value.message) == ("to", "there is no place cellar; there are yard, gate, tower")
    found = scene.refuses("grog move tower")
    assert (found.code, found.message, found.source) == ("no_way", "from yard one comes to gate", "yard")
    scene.does("grog move yard")
    assert scene.refuses("grog move gate").code == "no_move"
    scene.does("grog move gate pay=action")
    assert scene.fight.state.combatants["grog"].place == "gate"


@pytest.mark.parametrize("places", [("gate", "yard"), ("yard", "gate")])
def test_nobody_strikes_into_another_place(places: tuple[str, str]) -> None:
    change = {who: {"at": at} for who, at in zip(("grog", "orc"), places, strict=True)}
    scene = Scene("grog orc", "begin", change=change)
    assert scene.refuses("grog engage orc").code == "out_of_reach"
    scene.does("rule place grog " + places[1])
    scene.does("grog engage orc : d6=6 d10=1 d6=6 d6=6")


@pytest.mark.parametrize(("metres", "reached"), [(0, True), (2, True), (3, False)])
def test_two_metres_are_within_reach(metres: int, reached: bool) -> None:
    scene = Scene("grog orc", "begin", f"rule distance orc grog {metres}")
    if reached:
        scene.does("grog engage orc : d6=6 d10=1 d6=6 d6=6")
    else:
        assert scene.refuses("grog engage orc").code == "out_of_reach"

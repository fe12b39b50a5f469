"""Candidates of each action: all real choices, and no impossible ones."""

from __future__ import annotations

from functools import cache

import pytest

from affray.engine.fight import Fight
from affray.engine.runtime.offers import LegalAction
from affray.engine.runtime.offers import list_legal_actions as legal_now
from tests.rulesets.verdigris.moments import HALL_AND_YARD, list_offer_words, moment, one_of_us, orc

PACK = [{"name": "potion", "kind": "potion", "where": "belt"}, {"name": "rope", "where": "pack"}]


@cache
def brawl() -> Fight:
    """A melee in the hall with riders on both sides, an archer, a dead goblin; Cal and an ogre in the yard."""
    spear = {"weapons": ["spear", {"weapon": "dagger", "where": "belt"}], "items": PACK, "stress": 2}
    spear |= {"shield": {"shield": "heater", "where": "pack"}, "talents": {"wild-tackle": 1, "coolheaded": 1}}
    people = [
        one_of_us("Ada", at="hall", **spear),
        one_of_us(
            "Bram",
            at="hall",
            stress=1,
            mount={"mount": "destrier", "name": "Storm"},
            weapons=[{"weapon": "musket", "loaded": False, "lit": False}],
        ),
        one_of_us("Cal", at="yard", mount={"mount": "courser", "name": "Dun"}),
        one_of_us("Dee", at="hall", weapons=["shortbow"]),
        orc("Orc A", at="hall"),
        orc("Orc B", at="hall", mount={"mount": "courser", "name": "Roan"}),
        orc("Goblin", block="goblin", at="hall"),
        orc("Ogre", block="ogre", at="yard"),
    ]
    melee = [{"members": ["ada", "bram", "orc-a", "orc-b"]}]
    told = {"zone": HALL_AND_YARD, "combatant": people, "melee": melee}
    return moment(told, "begin", "rule condition goblin slain 1")


@cache
def sickroom() -> Fight:
    """A fight with every hold and ailment; Cal has dismounted, and the dog-tired orc is an enemy."""
    people = [
        one_of_us("Ada"),
        one_of_us("Bram"),
        one_of_us("Cal", mount={"mount": "courser", "name": "Dun"}),
        orc("Orc"),
    ]
    told = {"combatant": people, "melee": [{"members": ["ada", "bram", "orc"]}]}
    begun = ("begin", "ada roll_initiative : d6=6", "cal begin_turn", "answer calm", "cal dismount", "cal end_turn")
    held = ("orc begin_turn", "orc drop hand-axe", "orc grapple ada : d6=6+6+6+6 d6=6 d6=1", "orc end_turn")
    ruled = (
        *(f"rule condition {who} ablaze 1" for who in ("bram", "orc")),
        *(f"rule condition {who} {what} 1" for who, what in (("bram", "ensnared"), ("bram", "entangled"))),
    )
    return moment(told, *begun, *held, *ruled)


RIDDEN = ("target=orc-b {} strike=rider", "target=orc-b {} strike=mount")


def test_attacks() -> None:
    """With every weapon in hand, at rider and mount, in both grips; not at friends, nor at the dead."""
    both = [f"{line}{grip}" for line in RIDDEN for grip in ("", " grip=two")]
    expected = ["target=orc-a {}", "target=orc-a {} grip=two", "target=orc-a weapon=ada.unarmed"]
    expected += [*both, *(line.format("weapon=ada.unarmed") for line in RIDDEN)]
    for target in ("roan", "ogre"):
        expected += [f"target={target} {{}}", f"target={target} {{}} grip=two", f"target={target} weapon=ada.unarmed"]
    assert list_offer_words(brawl(), "ada", "attack") == [line.format("weapon=ada.spear") for line in expected]
    assert list_offer_words(brawl(), "cal", "attack") == [
        "target=orc-a weapon=cal.unarmed",
        *(line.format("weapon=cal.unarmed") for line in RIDDEN),
        "target=roan weapon=cal.unarmed",
        "target=ogre weapon=cal.unarmed",
    ]


def test_called_shots() -> None:
    """For damage and for an effect."""
    assert list_offer_words(brawl(), "cal", "called_shot")[:6] == [
        "target=orc-a purpose=vital weapon=cal.unarmed",
        "target=orc-a purpose=effect aim=legs weapon=cal.unarmed",
        "target=orc-b purpose=vital weapon=cal.unarmed strike=rider",
        "target=orc-b purpose=vital weapon=cal.unarmed strike=mount",
        "target=orc-b purpose=effect aim=legs weapon=cal.unarmed strike=rider",
        "target=orc-b purpose=effect aim=legs weapon=cal.unarmed strike=mount",
    ]


def test_grapples() -> None:
    """Every enemy, and a wild tackle as long as there is one."""
    assert list_offer_words(brawl(), "ada", "grapple")[:4] == [
        "target=orc-a",
        "target=orc-a wild=True",
        "target=orc-b strike=rider",
        "target=orc-b strike=rider wild=True",
    ]
    assert list_offer_words(brawl(), "dee", "grapple") == [
        "target=orc-a",
        "target=orc-b strike=rider",
        "target=orc-b strike=mount",
        "target=roan",
        "target=goblin",
        "target=ogre",
    ]


BRAWL: list[tuple[str, str, list[str]]] = [
    ("gm", "begin", ["", "surprising=party", "surprising=enemies"]),
    ("gm", "surprise_check", ["ambushers=orc-a orc-b ogre", "ambushers=ada bram cal dee"]),
    ("ada", "calm", ["patient=ada", "patient=bram", "coolheaded=True"]),
    ("dee", "calm", ["patient=ada", "patient=bram"]),
    ("orc-a", "calm", []),
    ("bram", "control_mount", [""]),
    ("ada", "douse", []),
    ("ada", "draw", ["item=ada.dagger", "item=ada.potion"]),
    ("cal", "drop", ["item=cal.unarmed"]),
    ("dee", "drop", ["item=dee.arrow", "item=dee.shortbow", "item=dee.unarmed"]),
    ("ada", "end_turn", [""]),
    ("ada", "enter_melee", ["target=goblin", "target=orc-a", "target=orc-b", "target=roan", "melee=melee"]),
    ("cal", "enter_melee", ["target=ogre", "melee=melee"]),
    ("dee", "heal", []),
    ("ada", "leave_melee", ["", "skill=acrobatics"]),
    ("bram", "leave_melee", ["", "skill=acrobatics", "skill=riding"]),
    ("ada", "light_match", []),
    ("bram", "light_match", ["weapon=bram.musket"]),
    ("bram", "mount_attack", ["target=orc-a", "target=orc-b strike=rider", "target=orc-b strike=mount", "target=roan"]),
    ("cal", "mount_attack", [""]),
    ("ada", "mount", []),
    ("ada", "move", ["to=yard", "to=yard cautious=True"]),
    ("ada", "reload", []),
    ("bram", "reload", ["weapon=bram.musket", "weapon=bram.musket quick=True"]),
    ("ada", "struggle", []),
    ("ada", "break_grapple", []),
    (
        "ada",
        "take_pack_item",
        ["item=ada.heater", "item=ada.heater to=belt", "item=ada.rope", "item=ada.rope to=belt"],
    ),
    (
        "ada",
        "use",
        [
            "item=ada.dagger take=True",
            "item=ada.dagger",
            "item=ada.potion take=True",
            "item=ada.potion",
            "item=ada.potion target=bram",
            "item=ada.potion target=dee",
            "item=ada.potion target=storm",
            "item=ada.spear",
        ],
    ),
    (
        "cal",
        "ready",
        [
            *(f"trigger={one} zone=yard" for one in ("enters_zone", "leaves_zone", "enters_melee", "leaves_melee")),
            "trigger=acts",
        ],
    ),
    *(("ada", kind, []) for kind in ("harm", "improvise")),
]


@pytest.mark.parametrize(("who", "kind", "expected"), BRAWL, ids=lambda one: one if isinstance(one, str) else "")
def test_in_a_brawl(who: str, kind: str, expected: list[str]) -> None:
    """Everything in reach, in hand, on the belt or in the pack, as the action needs it."""
    assert list_offer_words(brawl(), who, kind) == expected


SICKROOM: list[tuple[str, str, list[str]]] = [
    ("ada", "douse", ["patient=bram"]),
    ("orc", "douse", ["patient=orc"]),
    ("ada", "struggle", ["grapple=grapple:orc:ada", "source=grapple:orc:ada"]),
    ("bram", "struggle", [""]),
    ("orc", "break_grapple", ["grapple=grapple:orc:ada"]),
    ("ada", "mount", ["mount=dun"]),
    ("bram", "move", []),
    ("cal", "enter_melee", ["target=orc", "melee=melee"]),
    (
        "cal",
        "heal",
        [
            f"patient={who}{cures}"
            for who in ("ada", "bram")
            for cures in (
                " cures=deaths_door",
                "",
                " cures=bleeding",
                " cures=poisoned",
                " cures=unconscious",
            )
        ],
    ),
]


@pytest.mark.parametrize(("who", "kind", "expected"), SICKROOM, ids=lambda one: one if isinstance(one, str) else "")
def test_where_people_are_held_and_hurt(who: str, kind: str, expected: list[str]) -> None:
    """Burning or suffering combatants are offered to friends only, a hold to the held one."""
    assert list_offer_words(sickroom(), who, kind) == expected


def test_what_nobody_can_declare_is_not_legal() -> None:
    """A combatant on foot has no mount to command; actions of rules and rulings are not declared."""
    told = {"combatant": [one_of_us("Ada"), orc("Orc")], "melee": [{"members": ["ada", "orc"]}]}
    fight = moment(told, "begin", "ada roll_initiative : d6=6", "ada begin_turn")
    legal = {one.intent.kind for one in legal_now(fight.ruleset, fight.table) if isinstance(one, LegalAction)}
    assert {"attack", "end_turn"} <= legal
    ridden = {"control_mount", "mount_attack", "dismount"}
    assert not legal & (ridden | {"nerve", "check", "harm", "free_attack"})


def test_an_ambush_takes_somebody_to_surprise() -> None:
    """A side without able combatants cannot ambush; without other combatants none can notice."""
    told = {"combatant": [one_of_us("Ada"), one_of_us("Bram"), orc("Orc")]}
    paralysed = moment(told, "rule condition ada paralysed 1", "rule condition orc paralysed 1")
    assert list_offer_words(paralysed, "gm", "surprise_check") == ["ambushers=bram"]
    alone = moment(told, "rule condition orc slain 1")
    assert list_offer_words(alone, "gm", "surprise_check") == []

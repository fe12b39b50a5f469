"""All legal actions in a fight of Worlds Without Number, at moments of several kinds."""

from __future__ import annotations

from typing import Any

import msgspec

from affray.engine import Fight, Refused
from affray.engine.rulesets.wwn import RULESET
from affray.engine.runtime.offer_tree import Offers
from affray.engine.runtime.offers import LegalAction, OpenPass, list_legal_actions
from affray.events import Answered, Passed
from tests.rulesets.statistics import make_declaration, open_unstored_fight, submit_intent
from tests.rulesets.wwn.moments import rule

ASHA: dict[str, Any] = {"name": "Asha", "side": "heroes", "pc": True, "attack": 3, "hp": 20, "dex": 18}
ASHA |= {"skills": {"stab": 1}, "weapons": ["club", "dagger", "bow_small", "mace"], "stowed": ["mace"]}
BRAN: dict[str, Any] = {"name": "Bran", "side": "heroes", "pc": True, "attack": 0, "hp": 9, "rides": "nag"}
BRAN |= {"weapons": ["hurlant_great", "spear_light"], "in_hand": ["hurlant_great"]}
NAG = {"name": "Nag", "side": "heroes", "block": "riding_horse"}
RAIDERS = {"name": "Raider", "side": "raiders", "block": "raider", "count": 2, "dual_wields": True}
RAIDERS |= {"weapons": ["sword_short", "dagger"]}


def list_wwn_offers(fight: Fight) -> dict[str, list[str]]:
    """Return everything that may be done, by actor and kind: the parameters that are not left out."""
    found: dict[str, list[str]] = {}
    for one in list_legal_actions(fight.ruleset, fight.table):
        if isinstance(one, LegalAction):
            intent = one.intent
            told = msgspec.json.decode(intent.params)
            words = [f"{key}={format_offer(value, intent.actor)}" for key, value in told.items() if value]
            manner = [] if intent.manner == "standard" else [intent.manner]
            found.setdefault(" ".join([intent.actor, *manner, intent.kind]), []).append(" ".join(words))
        else:
            assert isinstance(one, OpenPass)
            found.setdefault(f"{one.intent.who} pass", []).append("")
    return found


def format_offer(value: object, actor: str) -> str:
    return ">".join(value) if isinstance(value, list) else str(value).removeprefix(f"{actor}.")


def melee() -> Fight:
    """Open a fight without a map: Asha and two raiders beside each other, Bran on the nag 20 feet away."""
    told = {"system": "wwn", "combatant": [ASHA, BRAN, NAG, RAIDERS], "apart": 20}
    return open_unstored_fight({**told, "melee": [{"members": ["asha", "raider-a", "raider-b"]}]})


def turn() -> Fight:
    fight = melee()
    rule(fight, "mount_check", mount="nag", check="none")
    submit_intent(fight, make_declaration("gm", "begin"))
    return fight


def play_to_bran() -> Fight:
    """Go on to Bran, who rides beside one raider, and has loaded a hurlant that is not set up."""
    fight = turn()
    while fight.state.acting != ("bran",):
        submit_intent(fight, make_declaration(fight.state.acting[0], "end_turn"))
    rule(fight, "distance", one="bran", other="raider-a", to=5)
    rule(fight, "item", item="bran.hurlant_great", counter="loaded", to=0)
    rule(fight, "item", item="asha.bow_small", counter="loaded", to=0)
    rule(fight, "allow", who="nag", target="raider-a")
    return fight


def window() -> Fight:
    """Let Bran try something, and wait for those who might strike meanwhile."""
    fight = play_to_bran()
    submit_intent(fight, make_declaration("bran", "improvise", what="shout"))
    return fight


def open_walled_map() -> Fight:
    """Open a fight on a map: Asha beside a mount of hers, a raider near by, a wall around them; she lies down."""
    asha = {**ASHA, "weapons": ["halberd"], "stowed": [], "at": "0,0"}
    nag, raider = {**NAG, "at": "1,0"}, {**RAIDERS, "count": 1, "at": "2,1", "weapons": [], "dual_wields": False}
    walls = ["-1,-1", "0,-1", "-1,0", "-1,1", "0,1", "2,-1", "1,-1", "2,0", "0,2", "1,2", "2,2", "3,2", "3,1", "3,0"]
    fight = open_unstored_fight({"system": "wwn", "board": {"blocked": walls}, "combatant": [asha, nag, raider]})
    submit_intent(fight, make_declaration("gm", "begin"))
    return fight


def blows(target: str, *weapons: str, usual: bool = True) -> list[str]:
    """Return the attacks on a combatant with these weapons, each in the following manners."""
    found = [f"target={target}"] if usual else []
    for weapon in weapons:
        name, *ways = weapon.split()
        found += [f"target={target} weapon={name} {way}".strip() for way in ways or [""]]
    return [one.replace(" plain", "").replace("+", " ") for one in found]


def feet(most: int) -> list[str]:
    """Return the ways without a map, for the Move and for the Main Action."""
    return [f"feet={one}{pay}" for one in range(5, most + 1, 5) for pay in ("", " pay=main")]


CLUB, DAGGER, FISTS = (
    "club plain spare=True dual=dagger dual=dagger+spare=True mode=throw mode=throw+spare=True",
    "dagger plain dual=club mode=throw",
    "unarmed plain spare=True",
)
SWORD, SECOND = "sword_short plain dual=dagger", "dagger plain dual=sword_short mode=throw"


def test_a_fight_is_begun_by_the_game_master_and_may_surprise() -> None:
    """The first one named of each side watches and sneaks."""
    surprised = [f"surprised={side}" for side in ("heroes", "raiders")]
    pairs = ["surprised=heroes watcher=asha sneak=raider-a", "surprised=raiders watcher=raider-a sneak=asha"]
    assert list_wwn_offers(melee()) == {"gm begin": ["", surprised[0], pairs[0], surprised[1], pairs[1]]}
    told = {"system": "wwn", "combatant": [ASHA, RAIDERS], "apart": 20, "config": {"surprise": "opposed"}}
    assert list_wwn_offers(open_unstored_fight(told)) == {"gm begin": ["", *pairs]}


def test_on_ones_turn() -> None:
    """All weapons at hand, with two in hand both; other combatants may only drop items."""
    assert list_wwn_offers(turn()) == {
        "asha attack": [*blows("raider-a", CLUB, DAGGER, FISTS), *blows("raider-b", CLUB, DAGGER, FISTS)],
        "asha cast": ["spell=a spell"],
        "asha draw": ["item=bow_small"],
        "asha drop": ["item=club", "item=dagger", "item=bow_small"],
        "asha end_turn": [""],
        "asha improvise": ["what=a stunt", "what=a stunt target=raider-a", "what=a stunt target=raider-b"],
        "asha move": feet(30),
        "asha prone": [""],
        "asha ready": ["item=mace"],
        "asha stow": ["item=club", "item=dagger", "item=bow_small"],
        "asha withdraw": [""],
        "bran drop": ["item=hurlant_great", "item=spear_light"],
        "raider-a drop": ["item=sword_short", "item=dagger"],
        "raider-b drop": ["item=sword_short", "item=dagger"],
    }


def test_on_a_riders_turn() -> None:
    """Rider and mount each have what is theirs; the spear is thrown at the one who is farther away."""
    spear = "spear_light plain mode=throw"
    thrown = blows("raider-b", "spear_light mode=throw", usual=False)
    stunts = ["what=a stunt", "what=a stunt target=raider-a", "what=a stunt target=raider-b"]
    assert list_wwn_offers(play_to_bran()) == {
        "bran attack": [*blows("raider-a", spear, FISTS, usual=False), *thrown],
        "bran dismount": ["", "pay=main"],
        "bran draw": ["item=spear_light"],
        "bran drop": ["item=hurlant_great", "item=spear_light"],
        "bran end_turn": [""],
        "bran obey": ["mount=nag", "mount=nag attribute=dex", "mount=nag attribute=cha"],
        "bran improvise": stunts,
        "bran reload": ["", "weapon=hurlant_great"],
        "bran stow": ["item=hurlant_great", "item=spear_light"],
        "bran withdraw": [""],
        "nag attack": blows("raider-a", "natural"),
        "nag improvise": stunts,
        "nag move": [*feet(60), "beside=raider-b", "beside=raider-b pay=main"],
        "nag withdraw": [""],
        "asha drop": ["item=club", "item=dagger", "item=bow_small"],
        "raider-a drop": ["item=sword_short", "item=dagger"],
        "raider-b drop": ["item=sword_short", "item=dagger"],
    }


def test_while_somebody_may_answer() -> None:
    """Only attacks are snapped; all combatants may drop items, asked or not."""
    far = "dagger mode=throw"
    assert list_wwn_offers(window()) == {
        "asha snap attack": [*blows("raider-a", CLUB, DAGGER, FISTS), *blows("raider-b", CLUB, DAGGER, FISTS)],
        "asha snap drop": ["item=club", "item=dagger", "item=bow_small"],
        "raider-a snap attack": [
            *blows("asha", SWORD, SECOND, FISTS),
            *blows("bran", SWORD, SECOND, FISTS),
            *blows("nag", SWORD, SECOND, FISTS),
        ],
        "raider-a snap drop": ["item=sword_short", "item=dagger"],
        "raider-b snap attack": [
            *blows("asha", SWORD, SECOND, FISTS),
            *blows("bran", far, usual=False),
            *blows("nag", far, usual=False),
        ],
        "raider-b snap drop": ["item=sword_short", "item=dagger"],
        "bran snap drop": ["item=hurlant_great", "item=spear_light"],
        "asha pass": [""],
        "raider-a pass": [""],
        "raider-b pass": [""],
    }


def test_on_a_map() -> None:
    """Every square that can be reached, by the shortest way; a long weapon reaches two squares far."""
    fight = open_walled_map()
    rest = {
        "asha attack": blows("raider", "halberd"),
        "asha cast": ["spell=a spell"],
        "asha drop": ["item=halberd"],
        "asha end_turn": [""],
        "asha improvise": ["what=a stunt", "what=a stunt target=raider"],
        "asha stow": ["item=halberd"],
        "asha withdraw": [""],
    }
    assert list_wwn_offers(fight) == {
        **rest,
        "asha mount": ["mount=nag", "mount=nag pay=main"],
        "asha move": ["path=1,1", "path=1,1 pay=main"],
        "asha prone": [""],
    }
    rule(fight, "condition", who="asha", condition="prone")
    assert list_wwn_offers(fight) == {**rest, "asha stand": ["", "pay=main"]}


def test_getting_off_on_a_map() -> None:
    """To every free square beside the mount."""
    fight = open_walled_map()
    submit_intent(fight, make_declaration("asha", "mount", mount="nag"))
    while (window := fight.state.window) is not None:
        submit_intent(fight, Passed(window=window.id, who=window.to[0]))
    assert list_wwn_offers(fight)["asha dismount"] == ["pay=main", "to=1,1 pay=main", "to=0,0 pay=main"]


def list_accepted_kinds(fight: Fight, actor: str, manner: str, *kinds: str) -> list[str]:
    """Return the kinds that a combatant could declare in a manner."""
    found = Offers(RULESET, fight.table, actor, manner).kinds()
    return [kind for kind, no in found if no is None and kind in kinds]


def why_not(fight: Fight, actor: str, kind: str) -> str:
    """Return the code of the refusal for everything of a kind."""
    no = dict(Offers(RULESET, fight.table, actor, "standard").kinds())[kind]
    assert isinstance(no, Refused)
    return no.code


def test_on_somebody_elses_turn_and_as_a_snap_there_is_nothing() -> None:
    fight = play_to_bran()
    rule(fight, "condition", who="raider-b", condition="mortally_wounded")
    own = ("stabilize", "cast", "draw", "ready", "stow", "reload", "improvise", "move", "mount")
    assert list_accepted_kinds(fight, "asha", "standard", "attack", *own) == []
    slow = ("stabilize", "cast", "reload", "improvise", "move", "mount", "dismount")
    assert list_accepted_kinds(fight, "bran", "snap", *slow, "drop", "attack") == []
    assert list_accepted_kinds(window(), "bran", "standard", "drop") == []
    assert list_accepted_kinds(fight, "raider-a", "standard", "dismount") == []


def test_why_nobody_moves() -> None:
    """Not from the saddle, not while prone, not without an action; for any way."""
    assert why_not(play_to_bran(), "bran", "move") == "riding"
    for fight, who in ((turn(), "asha"), (open_walled_map(), "asha")):
        for pool in ("move", "main"):
            rule(fight, "grant", who=who, action=pool, by=-1)
        assert why_not(fight, who, "move") == "no_move_action"
        rule(fight, "grant", who=who, action="move", by=1)
        rule(fight, "condition", who=who, condition="prone")
        assert why_not(fight, who, "move") == "prone"


def test_the_feet_a_mount_has_left_cost_nothing() -> None:
    """Beyond them it takes the action that is left."""
    fight = play_to_bran()
    submit_intent(fight, make_declaration("nag", "move", feet=50))
    while (open_ := fight.state.window) is not None:
        submit_intent(fight, Passed(window=open_.id, who=open_.to[0]))
    asked = fight.state.question
    assert asked is not None
    submit_intent(fight, Answered(question=asked.id, by="gm", choice="stated"))
    paid = [f"feet={one} pay=main" for one in range(15, 75, 5)]
    assert list_wwn_offers(fight)["nag move"] == [*feet(10), *paid, "beside=raider-b pay=main"]
    rule(fight, "grant", who="nag", action="main", by=-1)
    assert list_wwn_offers(fight)["nag move"] == ["feet=5", "feet=10"]


def test_the_wounded_may_be_helped_with_either_attribute() -> None:
    fight = turn()
    for who in ("bran", "raider-b"):
        rule(fight, "condition", who=who, condition="mortally_wounded")
    assert list_wwn_offers(fight)["asha stabilize"] == [
        "target=bran",
        "target=bran attribute=dex",
        "target=bran attribute=int",
    ]

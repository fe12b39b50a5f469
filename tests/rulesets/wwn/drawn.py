"""Generated encounters and rulings of Worlds Without Number: everything an encounter file and a game master can say."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant
from affray.engine.rulesets.wwn.config import Config
from affray.engine.rulesets.wwn.tables import armor, blocks, classes, conditions, foci, weapons
from tests.engine.choices import Choices
from tests.engine.drawing import (
    Drawn,
    Kind,
    Params,
    config_values,
    configs,
    draw_two,
    ids_of,
    several,
    side,
    somebody,
    who,
)

NAMES = ("Asha", "Bran", "Cole", "Dara", "Ulf", "Vika", "Wim", "Zora")
MOUNTS = ("Grey", "Bay")
SIDES = ("heroes", "raiders", "wolves")
ATTRIBUTES = ("str", "dex", "con", "int", "wis", "cha")
SKILLS = ("stab", "shoot", "punch", "ride", "heal", "notice", "sneak", "exert")
WEAPONS = tuple(key for key, one in weapons().items() if not {"unarmed", "shield"} & set(one.tags))
ARMOR = tuple(key for key, one in armor().items() if one.class_ != "shield")
SHIELDS = tuple(key for key, one in armor().items() if one.class_ == "shield")
BEASTS = tuple(key for key, one in blocks().items() if one.mount)
OUT = {name for name, one in conditions().items() if one.out}
CIRCUMSTANCES = (
    "prone_near",
    "prone_far",
    "attacker_prone",
    "half_cover",
    "near_complete_cover",
    "snap",
    "range",
    "thrown_in_melee",
    "no_ride",
)
SPAN = 7
"""Boards are so many squares wide and deep, so that people meet."""
CELLS = tuple(f"{x},{y}" for x in range(SPAN) for y in range(SPAN))
VALUES = config_values(Config)


@st.composite
def gear(draw: st.DrawFn) -> dict[str, Any]:
    """Draw weapons, some of them stowed or magical, and now and then a shield and foci."""
    arms = draw(st.lists(st.sampled_from(WEAPONS), unique=True, max_size=3))
    arms = [f"{one}+1" if draw(st.integers(0, 7)) == 0 else one for one in arms]
    told = {
        "weapons": arms,
        "stowed": [one.partition("+")[0] for one in arms[-1:]] if draw(st.integers(0, 5)) == 0 else [],
        "shield": draw(st.sampled_from(("", "", *SHIELDS))),
        "foci": draw(st.lists(st.sampled_from(tuple(foci())), unique=True, max_size=2)),
    }
    return {key: value for key, value in told.items() if value}


@st.composite
def heroes(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a hero's sheet: scores, skills, a class with a level or an attack bonus, armor."""
    hp = draw(st.integers(1, 24))
    bonus = {"class": draw(st.sampled_from(tuple(classes()))), "level": draw(st.integers(1, 6))}
    return {
        "pc": True,
        **(bonus if draw(st.booleans()) else {"attack": draw(st.integers(0, 5))}),
        **{name: draw(st.integers(3, 18)) for name in ATTRIBUTES if draw(st.booleans())},
        "skills": draw(st.dictionaries(st.sampled_from(SKILLS), st.integers(-1, 2), max_size=4)),
        "hp": draw(st.integers(1, hp)),
        "hp_max": hp,
        "armor": draw(st.sampled_from(ARMOR)),
        **draw(gear()),
    }


@st.composite
def foes(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a foe: the raider, or single numbers."""
    if draw(st.booleans()):
        return {"block": "raider"}
    quick = draw(st.sampled_from((False, False, True, 2)))
    return {
        "ac": draw(st.integers(9, 18)),
        "hp": draw(st.integers(1, 16)),
        "attack": draw(st.integers(0, 5)),
        "skill": draw(st.integers(0, 2)),
        "move": draw(st.integers(4, 8)) * 5,
        "morale": draw(st.integers(2, 12)),
        "shock_immune": draw(st.booleans()),
        "dual_wields": draw(st.booleans()),
        "quick": quick,
        **draw(gear()),
    }


@st.composite
def encounters(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an encounter of 2 to 8 combatants on 2 or 3 sides, some of them mounted, on a board or with distances."""
    sides = draw(st.integers(2, 3))
    people: list[dict[str, Any]] = []
    total = draw(st.integers(2, 6))
    while total > 0 or len(people) < 2:
        count = max(1, min(total, draw(st.sampled_from((1, 1, 1, 2, 3)))))
        of = SIDES[len(people) % sides if len(people) < sides else draw(st.integers(0, sides - 1))]
        one: dict[str, Any] = {"name": NAMES[len(people)], "side": of, "count": count}
        people.append({**one, **draw(heroes() if of == "heroes" and draw(st.integers(0, 4)) else foes())})
        total -= count
    mounts = draw(_mounts(people))
    told: dict[str, Any] = {"system": "wwn", "name": "drawn", "config": draw(configs(VALUES))}
    told |= draw(_on_a_board([*people, *mounts]) if draw(st.booleans()) else _at_distances([*people, *mounts]))
    return {**told, "combatant": [*people, *mounts]}


@st.composite
def _mounts(draw: st.DrawFn, people: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Draw beasts, each with a rider or not, and put the riders on them."""
    riders = [one for one in people if one["count"] == 1]
    drawn = []
    for nth in range(draw(st.integers(0, 2))):
        rider = draw(st.sampled_from(people))
        beast = {"name": MOUNTS[nth], "side": rider["side"], "block": draw(st.sampled_from(BEASTS)), "count": 1}
        if draw(st.booleans()):
            beast["war_trained"] = draw(st.booleans())
        if rider in riders and draw(st.integers(0, 3)):
            riders.remove(rider)
            rider["rides"] = beast["name"].lower()
        drawn.append(beast)
    return drawn


@st.composite
def _on_a_board(draw: st.DrawFn, people: list[dict[str, Any]]) -> dict[str, Any]:
    """Place each combatant but ridden mounts in a separate square, and mark some others."""
    free = iter(draw(st.permutations(CELLS)))
    ridden = {one.get("rides") for one in people}
    for one in people:
        if one["name"].lower() not in ridden:
            told = [next(free) for _ in range(one["count"])]
            one["at"] = told if len(told) > 1 else told[0]
    marked = {
        key: [next(free) for _ in range(draw(st.integers(0, most)))]
        for key, most in (("blocked", 3), ("half_cover", 4), ("near_complete_cover", 2))
    }
    return {"board": marked}


@st.composite
def _at_distances(draw: st.DrawFn, people: list[dict[str, Any]]) -> dict[str, Any]:
    """State distances one by one, or one for all; some are side by side, and some hidden."""
    ridden = {one.get("rides") for one in people}
    afoot = [one for one in people if one["name"].lower() not in ridden]
    told: dict[str, Any] = {"apart": draw(st.sampled_from((5, 10, 20, 40, 120)))}
    some = draw(st.lists(st.sampled_from(pairs(afoot)), unique=True, max_size=4))
    told["distance"] = [{"between": pair, "feet": draw(st.integers(1, 30)) * 5} for pair in some]
    seen = draw(st.lists(st.sampled_from(pairs(afoot)), unique=True, max_size=3))
    told["view"] = [
        {"viewer": one, "target": other, "view": draw(st.sampled_from(("half", "near_complete", "blocked")))}
        for one, other in seen
    ]
    if draw(st.integers(0, 2)) == 0:
        told["melee"] = [{"members": list(draw(st.sampled_from(pairs(afoot))))}]
    return told


def pairs(people: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return every two of the combatants once."""
    return list(combinations([who for one in people for who in ids_of(one)], 2))


def with_an_end(told: dict[str, Any]) -> dict[str, Any]:
    """Return the encounter with everything left out for which blows might never settle it.

    Those are walls, hidden and far enemies, dice that cannot hit, armor that lets nothing through, and people with
    nothing that does damage.
    """
    config = {key: value for key, value in told["config"].items() if not key.startswith(("nat_", "unusable_"))}
    people = [
        {
            **one,
            **({"armor": "buff_coat"} if "armor" in one else {}),
            **({"weapons": ["sword_short", "dagger"], "stowed": []} if not one.get("block") else {}),
        }
        for one in told["combatant"]
    ]
    near: dict[str, Any] = {"apart": 5, "distance": [], "view": []}
    if "board" in told:
        near = {"board": {}}
    return {**told, "config": config, "combatant": people, **near}


def _group(draft: Draft, choices: Choices) -> Params:
    foes = [one.id for one in draft.combatants.values() if "pc" not in one.traits and "mount" not in one.traits]
    members = sorted({choices.of(foes) for _ in range(2)}) if foes else ["nobody"]
    return {"group": "pack", "members": members, **choices.of(({}, {"quick": 2}))}


def _join(draft: Draft, choices: Choices) -> Params:
    newcomer: Params = {"name": f"New {choices.of('ABC')}", "side": choices.of(SIDES), "block": "raider"}
    if any(one.place for one in draft.combatants.values()):
        newcomer["at"] = choices.of(CELLS)
    return {"combatant": newcomer, **choices.of(({}, {"initiative": 6}))}


def _quick(draft: Draft, choices: Choices) -> Params:
    groups = [one.id for one in draft.relations.values() if one.kind == "group"]
    return {"group": choices.of(groups or ["nobody"]), **choices.of(({}, {"bonus": 0}, {"bonus": 3}))}


def _beast(draft: Draft, choices: Choices) -> str:
    return choices.of([one.id for one in draft.combatants.values() if "mount" in one.traits] or ["nobody"])


def _test(draft: Draft, choices: Choices) -> Params:
    one, other = draw_two(draft, choices)
    told: Params = {"who": one, "attribute": choices.of(ATTRIBUTES), "skill": choices.of(SKILLS)}
    against: Params = {"against": other, "against_attribute": "wis", "against_skill": "notice"}
    follows: Params = {"harm": 2, "condition": "prone", "rounds": 1, "upon_success": bool(choices.below(2))}
    return {**told, **choices.of(({}, {"difficulty": 9}, against)), **choices.of(({}, follows))}


def out(one: Combatant) -> bool:
    """Tell whether a combatant is out of the fight; a mount alone does not count."""
    return "mount" in one.traits or not OUT.isdisjoint(one.conditions)


DRAWN = Drawn(
    encounters=encounters,
    with_an_end=with_an_end,
    ruled={
        "allow": lambda draft, choices: {"who": _beast(draft, choices), "target": who(draft, choices)},
        "circumstance": somebody(name=CIRCUMSTANCES, applies=(True, False)),
        "close": lambda draft, choices: {},
        "deny": somebody(action=("main", "move")),
        "end": lambda draft, choices: {"victors": choices.of(("", side(draft, choices)))},
        "fate": somebody(fate=("dead", "downed", "mortally_wounded", "stabilized")),
        "grant": somebody(action=("main", "move"), by=(1, -1, 2)),
        "group": _group,
        "damage": several(dice=("2d6+1", "d4"), each=(False, True), spare=(False, True)),
        "harm": somebody(amount=(1, 3, 9)),
        "join": _join,
        "loose": lambda draft, choices: {"mount": _beast(draft, choices), "slot": choices.of((True, False))},
        "melee": lambda draft, choices: {"members": sorted(set(draw_two(draft, choices)))},
        "morale": lambda draft, choices: {
            "side": side(draft, choices),
            **choices.of(({}, {"outcome": "flee"}, {"outcome": "yield"}, {"fails": True})),
        },
        "mount_check": lambda draft, choices: {
            "mount": _beast(draft, choices),
            **choices.of(({"check": "morale"}, {"check": "instinct"}, {"check": "none"}, {"difficulty": 10}, {})),
        },
        "quick": _quick,
        "test": _test,
        "unable": somebody(how=("fled", "surrendered", "dead", "downed"), able=(False, True)),
    },
    conditions=("prone", "helpless", "grappled", "bolting", "shield_committed", "stabilized", "mortally_wounded"),
    places=CELLS,
    things=("sword_long", "shield_large", "mail_shirt", "lantern"),
    out=out,
    first={"loose": Kind("action", "dismount"), "mount": Kind("action", "dismount")},
)

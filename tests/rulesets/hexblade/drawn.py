"""Generated encounters and rulings of Hexblade: everything an encounter file and a game master can say."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant
from affray.engine.rulesets.hexblade.config import Config
from affray.engine.rulesets.hexblade.tables import ATTRIBUTES, armors, blocks, skills, weapons
from tests.engine.choices import Choices
from tests.engine.drawing import (
    Drawn,
    Kind,
    Params,
    config_values,
    configs,
    draw_two,
    item,
    several,
    side,
    somebody,
    who,
)

NAMES = ("Ash", "Bo", "Cato", "Dora", "Egil", "Finn", "Gro", "Hild")
SIDES = ("party", "foes", "strays")
WEAPONS = tuple(key for key in weapons() if key != "unarmed")
ARMORS = tuple(key for key in armors() if key != "shield")
GOODS = ("potion", "rope", "lamp")
SPELLS = {
    "flash": {"name": "flash", "classes": ["wizard"], "condition": "blinded", "rounds": 1},
    "veil": {"name": "veil", "classes": ["wizard", "priest"]},
}
SPAN = 5
"""Maps are so many hexes long in both directions, so that people meet."""
HEXES = tuple(f"{q},{r}" for q in range(SPAN) for r in range(SPAN))
VALUES = config_values(Config, hex_feet=st.sampled_from((1, 5, 10, 40)))


@st.composite
def sheets(draw: st.DrawFn) -> dict[str, Any]:
    """Draw numbers and gear: a sample combatant, or single numbers and items."""
    if draw(st.booleans()):
        return {"block": draw(st.sampled_from(tuple(blocks())))}
    most = draw(st.integers(1, 14))
    sheet: dict[str, Any] = {"hp": draw(st.integers(1, most)), "hp_max": most, "pc": draw(st.booleans())}
    sheet |= draw(st.dictionaries(st.sampled_from(tuple(ATTRIBUTES)), st.integers(-2, 5), max_size=6))
    gear: dict[str, Any] = {
        "initiative": draw(st.integers(1, 20)),
        "movement": draw(st.sampled_from((0, 10, 30, 60))),
        "armor": draw(st.sampled_from(ARMORS)),
        "shield": draw(st.booleans()),
        "skills": draw(st.dictionaries(st.sampled_from(tuple(skills())), st.integers(0, 4), max_size=3)),
        "weapons": draw(st.lists(st.sampled_from(WEAPONS), unique=True, max_size=3)),
        "belt": draw(st.lists(st.sampled_from(GOODS), unique=True, max_size=1)),
        "cover": draw(st.sampled_from(("", "soft", "hard"))),
    }
    if gear["weapons"] and weapons()[gear["weapons"][0]].hands == 2:
        gear["shield"] = False
    if draw(st.booleans()):
        gear["pack"] = [one for one in ("mace", "bandage") if draw(st.booleans()) and one not in gear["weapons"]]
    if draw(st.integers(0, 3)) == 0:
        gear |= {"class": draw(st.sampled_from(("wizard", "priest"))), "spells": list(SPELLS)}
    return {**sheet, **{key: value for key, value in gear.items() if value or key in ("movement", "pack", "weapons")}}


@st.composite
def encounters(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an encounter of 2 to 8 combatants on 2 or 3 sides, on a map with ground, cover and perhaps edges."""
    sides = draw(st.integers(2, 3))
    people: list[dict[str, Any]] = []
    total = draw(st.integers(2, 8))
    while total > 0:
        count = min(total, draw(st.sampled_from((1, 1, 1, 2, 3))))
        of = SIDES[len(people) % sides if len(people) < sides else draw(st.integers(0, sides - 1))]
        people.append({"name": NAMES[len(people)], "side": of, "count": count, **draw(sheets())})
        total -= count
    if len(people) < 2:
        people.append({"name": NAMES[1], "side": SIDES[1], **draw(sheets())})
    free = iter(draw(st.permutations(HEXES)))
    for one in people:
        told = [next(free) for _ in range(one.get("count", 1))]
        one["at"] = told if len(told) > 1 else told[0]
    return {
        "system": "hexblade",
        "name": "drawn",
        "config": draw(configs(VALUES)),
        "board": draw(boards([next(free) for _ in range(8)])),
        "spell": SPELLS,
        "combatant": people,
    }


@st.composite
def boards(draw: st.DrawFn, free: list[str]) -> dict[str, Any]:
    """Draw the ground of free hexes, cover along a side, and whether the map has edges."""
    ground = draw(st.lists(st.sampled_from(("", "difficult", "smoke", "fence", "blocked")), min_size=8, max_size=8))
    board: dict[str, Any] = {}
    for hex, kind in zip(free, ground, strict=True):
        if kind:
            board.setdefault(kind, []).append(hex)
    if draw(st.booleans()):
        board |= {"q": [0, SPAN - 1], "r": [0, SPAN - 1]}
    if draw(st.booleans()):
        board["side"] = [{"between": ["1,1", "2,1"], "cover": draw(st.sampled_from(("soft", "hard")))}]
    return board


def with_an_end(told: dict[str, Any]) -> dict[str, Any]:
    """Return the encounter with everything left out for which blows might never settle it.

    Those are ground that bars the way, hexes too wide to enter, armour that bare hands never get through, and whoever
    may stay on their feet at 0 hit points.
    """
    config = {key: value for key, value in told["config"].items() if not key.startswith(("zero_hp_", "hex_"))}
    people = []
    for one in told["combatant"]:
        more = {} if "block" in one else {"str": 3, "movement": 30, "armor": "light", "shield": False}
        people.append({**one, **more})
    return {**told, "config": config, "board": {}, "combatant": people}


def _join(draft: Draft, choices: Choices) -> Params:
    newcomer = {"name": f"New {choices.of('ABC')}", "side": choices.of(SIDES), "block": choices.of(tuple(blocks()))}
    return {"combatant": {**newcomer, "at": choices.of(HEXES)}}


def _free_attack(draft: Draft, choices: Choices) -> Params:
    one, other = draw_two(draft, choices)
    return {"who": one, "target": other, **choices.of(({}, {"shot": True}))}


def draw_worn(draft: Draft, choices: Choices) -> Params:
    damaged = tuple(one.id for one in draft.items.values() if one.counters.get("damaged"))
    return {"item": choices.of(damaged) if damaged else item(draft, choices)}


def draw_spent(draft: Draft, choices: Choices) -> Params:
    spent = tuple(one.id for one in draft.items.values() if one.counters.get("spent"))
    return {"item": choices.of(spent) if spent else item(draft, choices), "count": choices.below(3)}


def _drop(draft: Draft, choices: Choices) -> Params:
    return {"item": item(draft, choices), "at": choices.of((*HEXES, "nowhere"))}


def out(one: Combatant) -> bool:
    """Tell whether a combatant is out of the fight."""
    return not {"down", "slain", "unable"}.isdisjoint(one.conditions)


DRAWN = Drawn(
    encounters=encounters,
    with_an_end=with_an_end,
    ruled={
        "allow": somebody(rule=("HEX-016", "HEX-027", "HEX-064", "HEX-065", "HEX-067")),
        "cover": lambda draft, choices: {
            "one": choices.of(HEXES),
            "other": choices.of(HEXES),
            "cover": choices.of(("soft", "hard", "none")),
        },
        "drop": _drop,
        "effect": somebody(condition=("blinded", "shaken", "prone"), rounds=(None, 1, 2), seconds=(None, 9)),
        "end": lambda draft, choices: {"victors": choices.of(("", side(draft, choices)))},
        "free_attack": _free_attack,
        "grant": somebody(by=(1, -1, 5), pool=(None, "actions", "movement")),
        "damage": several(dice=("2d6+1", "d4"), each=(False, True), armored=(False, True)),
        "harm": somebody(amount=(1, 3, 9), armored=(False, True)),
        "initiative": lambda draft, choices: {"who": [who(draft, choices)], "to": choices.below(25)},
        "join": _join,
        "outcome": somebody(to=("slain", "down", "stands")),
        "recoverable": draw_spent,
        "repair": draw_worn,
        "dc": somebody(dc=(5, 12, 20)),
        "test": somebody(
            test=("evade", "str"),
            dc=(None, 5, 20),
            dice=(None, "2d6+1"),
            condition=(None, "prone"),
            upon_success=(False, True),
        ),
        "unable": somebody(able=(False, True)),
        "verdict": somebody(verdict=("miss", "hit", "critical", "no_critical", "fails", "succeeds")),
        "wear": lambda draft, choices: {
            "item": item(draft, choices),
            "to": choices.of(("whole", "damaged", "broken")),
        },
    },
    conditions=("prone", "grappled", "blinded", "helpless", "down", "slain", "unable"),
    places=HEXES,
    things=("long sword", "shield", "medium", "arrow"),
    out=out,
    first={"break_free": Kind("action", "grapple"), "recover_ammo": Kind("ruling", "recoverable")},
)

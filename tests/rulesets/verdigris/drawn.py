"""Generated encounters and rulings of Verdigris: everything an encounter file and a game master can say."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant
from affray.engine.rulesets.verdigris.config import Config
from affray.engine.rulesets.verdigris.tables import blocks, conditions, inventory, people, protection, talents, weapons
from tests.engine.choices import Choices
from tests.engine.drawing import Drawn, Kind, Params, config_values, configs, ids_of, item, several, somebody, who

NAMES = ("Ada", "Bram", "Cal", "Dee", "Grim", "Hod", "Ishk", "Ruk")
SIDES = ("party", "enemies")
ZONES = ("hall", "yard", "tower")
WEAPONS = tuple(key for key in weapons() if key != "unarmed")
BOWS = tuple(key for key, weapon in weapons().items() if not people().group[weapon.group].melee)
MAKES = tuple(inventory().make)
ARMOR = ("", *protection().armor)
SHIELDS = ("", *protection().shield)
SKILLS = people().skills
TALENTS = tuple(talents())
CREATURES = tuple(blocks().creature)
MOUNTS = tuple(blocks().mount)
CONDITIONS = (*conditions(), "readied", "deaths_door", "unable", "slain", "hidden")
PLACES = (*ZONES, "")
GONE = frozenset({"slain", "dead", "deaths_door", "unconscious", "unable"})
VALUES = config_values(Config)


@st.composite
def sheets(draw: st.DrawFn, side: str, nth: int) -> dict[str, Any]:
    """Draw a sheet: a stat block, or single numbers, with wounds and stress for a player character.

    The first one is always a player character, for the party needs one to roll initiative.
    """
    if side == "enemies" and draw(st.booleans()):
        return {"block": draw(st.sampled_from(CREATURES))}
    names = (*people().attributes, *people().saves)
    sheet: dict[str, Any] = {name: draw(st.integers(1, 4)) for name in names}
    sheet |= {"hp": draw(st.integers(1, 6)), "hp_max": 6}
    if draw(st.booleans()):
        sheet["size"] = draw(st.sampled_from(("small", "common", "large")))
        sheet["bodies"] = draw(st.integers(0, 3))
    if side == "party" and (not nth or draw(st.integers(0, 3))):
        sheet |= {"pc": True, "wounds": draw(st.integers(0, 2)), "wounds_max": 2, "stress": draw(st.integers(0, 2))}
        sheet |= {"inspiration": draw(st.integers(0, 1)), "background": draw(st.sampled_from(("", "sailor")))}
        sheet |= {"stress_min": draw(st.integers(0, 1)), "player": draw(st.sampled_from(("", "anna", "bo")))}
    return sheet


@st.composite
def gear(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a combatant's knowledge and items, few enough for belt and pack."""
    plain = draw(st.lists(st.sampled_from(WEAPONS), unique=True, max_size=2))
    told = [draw(draw_weapon(key)) if draw(st.integers(0, 4)) == 0 else key for key in plain]
    carried: dict[str, Any] = {
        "weapons": told,
        "armor": draw(st.sampled_from(ARMOR)),
        "shield": draw(st.sampled_from(SHIELDS)),
        "skills": draw(st.dictionaries(st.sampled_from(SKILLS), st.integers(0, 3), max_size=3)),
        "talents": draw(st.dictionaries(st.sampled_from(TALENTS), st.just(1), max_size=3)),
    }
    if draw(st.integers(0, 3)) == 0:
        carried["items"] = [{"name": "healing potion", "kind": "potion", "where": draw(st.sampled_from(("", "pack")))}]
    if draw(st.integers(0, 4)) == 0:
        carried["mount"] = draw(st.sampled_from(MOUNTS))
    return {key: value for key, value in carried.items() if value}


@st.composite
def draw_weapon(draw: st.DrawFn, key: str) -> dict[str, Any]:
    """Draw how a weapon is made, where it is, and whether it can be fired."""
    told: dict[str, Any] = {"weapon": key, "make": draw(st.sampled_from(MAKES))}
    if key in BOWS:
        told["loaded"] = draw(st.booleans())
    if weapons()[key].group == "blackpowder":
        told["lit"] = draw(st.booleans())
    return told


@st.composite
def encounters(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an encounter of 2 to 7 combatants on both sides, in zones or in one place, perhaps come to blows already."""
    crowd: list[dict[str, Any]] = []
    total = draw(st.integers(2, 7))
    while total > 0 or len(crowd) < 2:
        count = max(1, min(total, draw(st.sampled_from((1, 1, 1, 2)))))
        side = SIDES[len(crowd)] if len(crowd) < 2 else draw(st.sampled_from(SIDES))
        one = {"name": NAMES[len(crowd)], "side": side, **draw(sheets(side, len(crowd))), **draw(gear())}
        crowd.append({**one, "count": count} if count > 1 else one)
        total -= count
    told: dict[str, Any] = {"system": "verdigris", "name": "drawn", "config": draw(configs(VALUES)), "combatant": crowd}
    if draw(st.booleans()):
        traits = draw(st.sampled_from(((), ("indoors",))))
        told["zone"] = [{"name": "hall", "exits": ["yard"], "traits": traits}, {"name": "yard", "exits": ["tower"]}]
        told["zone"].append({"name": "tower"})
        for one in crowd:
            one["at"] = draw(st.sampled_from(ZONES))
    elif draw(st.booleans()):
        members = [ids_of(one)[0] for one in crowd[:2]]
        told |= draw(st.sampled_from(({"melee": [{"members": members}]}, {"sight": [{"between": members}]})))
    return told


def with_an_end(told: dict[str, Any]) -> dict[str, Any]:
    """Return the encounter with everything left out for which blows might never settle it.

    Those are zones and walls between, armour and nimbleness that no blow gets through, and gear that keeps hands busy.
    """
    people = []
    for one in told["combatant"]:
        kept = {key: one[key] for key in ("name", "side", "count", "block", "pc", "wounds", "wounds_max") if key in one}
        numbers = {"strength": 4, "dodge": 1, "withstand": 1, "hp": 3}
        people.append({**kept, **numbers, "skills": {"light weapons": 2}, "weapons": ["broad-sword"]})
    return {"system": told["system"], "name": told["name"], "config": {}, "combatant": people}


def _join(draft: Draft, choices: Choices) -> Params:
    newcomer: Params = {"name": f"New {choices.of('ABC')}", "side": choices.of(SIDES), "block": choices.of(CREATURES)}
    if any(one.place for one in draft.combatants.values()):
        newcomer["at"] = choices.of(ZONES)
    return {"combatant": newcomer, **choices.of(({}, {"acts": False}))}


def _free_attack(draft: Draft, choices: Choices) -> Params:
    return {"attacker": who(draft, choices), "target": who(draft, choices), **choices.of(({}, {"strike": "rider"}))}


def _melee(draft: Draft, choices: Choices) -> Params:
    return {"members": sorted({who(draft, choices), who(draft, choices), who(draft, choices)})}


def _seat(draft: Draft, choices: Choices) -> Params:
    seats = [one.id for one in draft.relations.values() if one.kind == "seat"]
    return {"seat": choices.of((*seats, "nobody"))}


def _repair(draft: Draft, choices: Choices) -> Params:
    gear = [one for one in draft.items.values() if one.kind in ("weapon", "armor", "shield")]
    worn = [one.id for one in gear for counter, now in one.counters.items() if now < one.stats.get(counter, 0)]
    return {"item": choices.of(worn) if worn else item(draft, choices)}


def _trigger(draft: Draft, choices: Choices) -> Params:
    ready = [one for one in draft.combatants.values() if one.has("readied")]
    if not ready:
        return {"who": who(draft, choices), "target": who(draft, choices)}
    one = choices.of(ready)
    foes = [other.id for other in draft.combatants.values() if other.side != one.side]
    return {"who": one.id, "target": choices.of(foes or [one.id])}


def out(one: Combatant) -> bool:
    """Tell whether a combatant is out of the fight, or is a mount, which keeps no fight going."""
    return "mount" in one.traits or not GONE.isdisjoint(one.conditions)


DRAWN = Drawn(
    encounters=encounters,
    with_an_end=with_an_end,
    ruled={
        "allow": somebody(what=("VER-015", "VER-066", "VER-081")),
        "end": lambda draft, choices: {"victors": choices.of(("", *SIDES))},
        "forbid": somebody(what=("attack", "move")),
        "free_attack": _free_attack,
        "grant": somebody(what=("move", "action"), by=(1, -1, 2)),
        "damage": several(
            dice=("2d6+1", "d4"),
            each=(False, True),
            save=("", "dodge", "withstand"),
            saved=("half", "none"),
            armor=(False, True),
        ),
        "harm": somebody(amount=(1, 3, 9), withstand=(False, True), armor=(False, True)),
        "injury": somebody(row=("23", "52", "toes broken", "nothing")),
        "join": _join,
        "melee": _melee,
        "repair": _repair,
        "due": lambda draft, choices: {"side": choices.of(("party", "enemies"))},
        "seat": _seat,
        "stabilize": somebody(),
        "stray": lambda draft, choices: {"victims": [who(draft, choices)]},
        "surprise": lambda draft, choices: {
            "side": choices.of(SIDES),
            **choices.of(({}, {"exempt": [who(draft, choices)]})),
        },
        "test": somebody(
            save=(None, "dodge", "panic"),
            attribute=(None, "agility"),
            skill=(None, "sneaking"),
            needs=(1, 2),
            upon_success=(False, True),
            harm=(0, 2),
            dice=(None, "d6"),
            condition=(None, "stunned"),
            rounds=(0, 1),
        ),
        "morale": somebody(needs=(1, 2), fails=(False, True)),
        "trigger": _trigger,
        "unable": somebody(able=(False, True)),
        "verdict": somebody(verdict=("miss", "hit", "critical", "no_critical", "fails", "succeeds")),
        "zone": lambda draft, choices: {"zone": choices.of(ZONES), "exits": [choices.of(ZONES)]},
    },
    conditions=CONDITIONS,
    places=PLACES,
    things=("long-sword", "heater", "chainmail", "arrow"),
    out=out,
    first={
        "break_grapple": Kind("action", "grapple"),
        "douse": Kind("ruling", "condition", somebody(condition=("ablaze",), count=(1, 2))),
        "mount": Kind("action", "dismount"),
        "trigger": Kind("action", "ready"),
    },
)

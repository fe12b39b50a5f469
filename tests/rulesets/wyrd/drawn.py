"""Generated encounters and rulings of Wyrd: everything an encounter file and a game master can say."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant
from affray.engine.rulesets.wyrd.config import Config
from affray.engine.rulesets.wyrd.movement.melee import REACH
from affray.engine.rulesets.wyrd.sheet import OUT
from affray.engine.rulesets.wyrd.tables import Piece, abilities, blocks, gear, grades, tags
from tests.engine.choices import Choices
from tests.engine.drawing import (
    Drawn,
    Params,
    config_values,
    configs,
    draw_two,
    ids_of,
    item,
    several,
    side,
    somebody,
    who,
)

NAMES = ("Ilse", "Tomas", "Brand", "Vesna", "Odo", "Nell", "Maren", "Ruk")
SIDES = ("heroes", "bandits", "wolves")
PLACES = ("gate", "yard", "tower", "cellar")
SIZES = (4, 6, 8, 10, 12)
GRADES, TAGS, BLOCKS = tuple(grades()), tuple(tags()), tuple(blocks())
ABILITIES = tuple(abilities())
CHAINS = (("d2", "d4", "d6", "d8", "d10", "d12"), ("d2", "d6", "d10"), ("d4", "d6", "d8", "d12"), ("d2", "d4", "d6"))
VALUES = config_values(Config, chain=st.sampled_from(CHAINS), slots=st.integers(8, 14))
OWN: dict[str, dict[str, Any]] = {
    "hook": {"name": "boat hook", "kind": "weapon", "grade": "standard", "hands": 2, "slots": 2},
    "pot": {"name": "copper pot", "kind": "head", "grade": "poor", "material": "better", "slots": 1},
    "rope": {"name": "rope", "kind": "other", "die": 4, "slots": 1},
    "arrows": {"name": "arrows", "kind": "ammunition", "grade": "above_average", "slots": 1},
    "vial": {"name": "vial of oil", "kind": "other", "grade": "single_use", "slots": 1},
}
"""Gear of their own; whichever of it is drawn carries drawn tags."""


def pieces(*kinds: str) -> list[str]:
    """Return what the tables and ``OWN`` have of these kinds, bare hands aside."""
    known: dict[str, Piece] = gear()
    found = [key for key, one in known.items() if one.kind in kinds and key != "unarmed"]
    return found + [key for key, one in OWN.items() if one["kind"] in kinds]


WEAPONS, OTHER = pieces("weapon"), pieces("other", "ammunition")
WORN = {kind: pieces(kind) for kind in ("body", "head", "shield")}


@st.composite
def sheets(draw: st.DrawFn) -> dict[str, Any]:
    """Draw abilities and gear: a stat block, or single numbers and items."""
    if draw(st.booleans()):
        return {"block": draw(st.sampled_from(BLOCKS))}
    base = {key: draw(st.sampled_from(SIZES)) for key in draw(st.lists(st.sampled_from(ABILITIES), unique=True))}
    hurt = {key: draw(st.sampled_from((2, 4, size))) for key, size in base.items() if draw(st.booleans())}
    weapons = draw(st.lists(st.sampled_from(WEAPONS), unique=True, max_size=2))
    worn = [draw(st.sampled_from(WORN[kind])) for kind in WORN if draw(st.booleans())]
    sheet: dict[str, Any] = {
        **base,
        "current": hurt,
        "weapons": weapons,
        "hands": weapons[:1] if draw(st.booleans()) else [],
        "protection": worn,
        "gear": draw(st.lists(st.sampled_from(OTHER), unique=True, max_size=1)),
        "fatigue": draw(st.integers(0, 1)),
        "load": draw(st.integers(0, 1)),
    }
    return {**sheet, "slots": 14, "pc": draw(st.booleans())}


@st.composite
def encounters(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an encounter of 2 to 7 combatants on 2 or 3 sides, in places, at stated distances, or with neither."""
    sides = draw(st.integers(2, 3))
    people: list[dict[str, Any]] = []
    for nth in range(draw(st.integers(2, 5))):
        name_and_side = {"name": NAMES[nth], "side": SIDES[nth if nth < sides else draw(st.integers(0, sides - 1))]}
        more = {"pc": True} if nth == 0 else {}
        people.append({"count": draw(st.sampled_from((1, 1, 1, 2))), **name_and_side, **draw(sheets()), **more})
    ids = [id for one in people for id in ids_of(one)]
    told: dict[str, Any] = {
        "system": "wyrd",
        "name": "drawn",
        "config": draw(configs(VALUES)),
        "gear": {key: {**one, "tags": draw(drawn_tags())} for key, one in OWN.items()},
        "sight": [
            {"between": pair, "view": draw(st.sampled_from(("blocked", "cover")))}
            for pair in draw(st.lists(st.sampled_from(pairs(ids)), unique=True, max_size=1))
        ],
    }
    match draw(st.sampled_from(("places", "distances", "near"))):
        case "places":
            told |= draw(_in_places(people))
        case "distances":
            metres = draw(st.lists(st.sampled_from((0, 1, 6, 20)), min_size=len(pairs(ids)), max_size=len(pairs(ids))))
            apart = zip(pairs(ids), metres, strict=True)
            told["distance"] = [{"between": pair, "metres": far} for pair, far in apart if far]
    beside = _enemies_beside(people, told)
    engaged = draw(st.lists(st.sampled_from(beside), max_size=1)) if beside else []
    told["melee"] = [{"members": pair} for pair in engaged]
    return {**told, "combatant": people}


def _enemies_beside(people: list[dict[str, Any]], told: dict[str, Any]) -> list[tuple[str, str]]:
    """Return every two enemies who can strike each other."""
    side, place = {}, {}
    for one in people:
        at = one.get("at", "")
        for nth, id in enumerate(ids_of(one)):
            side[id], place[id] = one["side"], at if isinstance(at, str) else at[nth]
    far = [one["between"] for one in told.get("distance", []) if one["metres"] > REACH]
    opposed = [(one, other) for one, other in pairs(side) if side[one] != side[other] and place[one] == place[other]]
    return [pair for pair in opposed if pair not in far]


def drawn_tags() -> st.SearchStrategy[list[str]]:
    """Draw what is special about a piece."""
    return st.lists(st.sampled_from(TAGS), unique=True, max_size=2)


def pairs(ids: Iterable[str]) -> list[tuple[str, str]]:
    """Return every two of the combatants once."""
    return list(combinations(ids, 2))


@st.composite
def _in_places(draw: st.DrawFn, people: list[dict[str, Any]]) -> dict[str, Any]:
    """Put each combatant at a place; the places are all connected, or along a path and back."""
    for one in people:
        told = [draw(st.sampled_from(PLACES)) for _ in range(one["count"])]
        one["at"] = told if len(told) > 1 else told[0]
    if draw(st.booleans()):
        return {"place": [{"name": place} for place in PLACES]}
    near = [[place for nth, place in enumerate(PLACES) if abs(nth - at) == 1] for at in range(len(PLACES))]
    return {"place": [{"name": place, "exits": exits} for place, exits in zip(PLACES, near, strict=True)]}


def with_an_end(told: dict[str, Any]) -> dict[str, Any]:
    """Return the encounter with everything left out for which blows might never settle it.

    Those are enemies who cannot see or reach each other, and Power that outlasts every weapon.
    """
    people = [{key: value for key, value in one.items() if key not in ("power", "at")} for one in told["combatant"]]
    for one in people:
        one["current"] = {key: size for key, size in one.get("current", {}).items() if key != "power"}
    left_out = {"place", "distance", "sight"}
    return {**{key: value for key, value in told.items() if key not in left_out}, "combatant": people}


def _worn(draft: Draft, choices: Choices) -> str:
    """Draw a piece that is worn down, or any thing where there is none."""
    worn = tuple(one.id for one in draft.items.values() if one.base and one.die != one.base)
    return choices.of(worn or (item(draft, choices),))


def _join(draft: Draft, choices: Choices) -> Params:
    newcomer: Params = {"name": f"New {choices.of('ABC')}", "side": choices.of(SIDES), "block": choices.of(BLOCKS)}
    if any(one.place for one in draft.combatants.values()):
        newcomer["at"] = choices.of(PLACES)
    return {"combatant": newcomer}


def _down(draft: Draft, choices: Choices) -> Params:
    down = [one.id for one in draft.combatants.values() if one.has("incapacitated")]
    return {"who": [choices.of(down)] if down else [who(draft, choices)]}


def out(one: Combatant) -> bool:
    """Tell whether a combatant is out of the fight."""
    return not OUT.isdisjoint(one.conditions)


DRAWN = Drawn(
    encounters=encounters,
    with_an_end=with_an_end,
    ruled={
        "allow": somebody(what=("will", "intellect", "sunder", "overflow", "contact")),
        "blow": somebody(dice=([8], [6, 4], [])),
        "consequence": somebody(text=("the rope snaps", "nothing much")),
        "end": lambda draft, choices: {"victors": choices.of(("", side(draft, choices)))},
        "grant": somebody(by=(1, -1, 2), pool=(None, "actions", "moves")),
        "damage": several(
            dice=("2d6+1", "d4"), each=(False, True), ignores_armor=(False, True), unavoidable=(False, True)
        ),
        "harm": somebody(amount=(1, 3, 9), ignores_armor=(False, True), cause=(None, "shoved")),
        "join": _join,
        "morale": lambda draft, choices: {
            "side": side(draft, choices),
            "outcome": choices.of(("", "flees", "parleys", "holds")),
        },
        "recover": somebody(ability=(None, "power", "grace"), healer=(False, True), weeks=(None, 1)),
        "safe_moment": _down,
        "repair": lambda draft, choices: {"item": _worn(draft, choices)},
        "step": lambda draft, choices: {"item": item(draft, choices), "by": choices.of((-1, 1, -3))},
        "stray": lambda draft, choices: dict(zip(("who", "victim"), draw_two(draft, choices), strict=True)),
        "tag": lambda draft, choices: {
            "item": item(draft, choices),
            "tag": choices.of(TAGS),
            "present": choices.of((True, False)),
        },
        "revival": somebody(ability=ABILITIES),
        "test": somebody(ability=ABILITIES, dice=(None, "d6"), condition=(None, "prone"), upon_success=(False, True)),
        "unaware": somebody(),
        "verdict": somebody(verdict=("miss", "hit", "critical", "no_critical", "fails", "succeeds")),
    },
    conditions=("prone", "incapacitated", "dead", "fled", "yielded", "shoved", "surprised"),
    places=PLACES,
    things=("shortsword", "maille", "longbow"),
    out=out,
)

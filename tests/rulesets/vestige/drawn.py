"""Generated encounters and rulings of Vestige: everything an encounter file and a game master can say."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant
from affray.engine.rulesets.vestige.config import Config
from affray.engine.rulesets.vestige.tables import skills, weapons
from tests.engine.choices import Choices
from tests.engine.drawing import Drawn, Kind, Params, config_values, configs, ids_of, several, somebody, who

NAMES = ("Ilse", "Tomas", "Brand", "Vesna", "Odo", "Nell", "Maren", "Ruk")
SIDES = ("heroes", "bandits", "wolves")
WEAPONS = tuple(key for key in weapons() if key != "unarmed")
SKILLS = tuple(skills())
DISCIPLINES = tuple(sorted({skill.discipline for skill in skills().values() if skill.discipline}))
SPAN = 6
"""Boards are so many cells wide and deep, so that people meet."""
CELLS = tuple(f"{x},{y}" for x in range(SPAN) for y in range(SPAN))
VALUES = config_values(Config)


@st.composite
def sheets(draw: st.DrawFn) -> dict[str, Any]:
    """Draw numbers and gear: a stat block, or single numbers."""
    if draw(st.booleans()):
        sheet: dict[str, Any] = {"block": draw(st.sampled_from(("hero", "minion", "leader")))}
    else:
        health, ep = draw(st.integers(1, 12)), draw(st.integers(0, 5))
        sheet = {
            "agility": draw(st.integers(5, 16)),
            "might": draw(st.integers(0, 7)),
            "accuracy": draw(st.integers(-3, 6)),
            "protection": draw(st.integers(0, 3)),
            "health": draw(st.integers(1, health)),
            "health_max": health,
            "ep": draw(st.integers(0, ep)),
            "ep_max": ep,
            "ep_regain": draw(st.integers(0, 2)),
            "move": draw(st.integers(1, 4)),
            "morale": draw(st.integers(0, 2)),
        }
    gear = {
        "weapons": draw(st.lists(st.sampled_from(WEAPONS), unique=True, max_size=2)),
        "skills": draw(st.lists(st.sampled_from(SKILLS), unique=True, max_size=2)),
        "disciplines": draw(st.lists(st.sampled_from(DISCIPLINES), unique=True, max_size=1)),
    }
    return {**sheet, **{key: value for key, value in gear.items() if value}}


@st.composite
def encounters(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an encounter of 2 to 8 combatants on 2 or 3 sides, on a board or with stated distances."""
    sides = draw(st.integers(2, 3))
    people: list[dict[str, Any]] = []
    total = draw(st.integers(2, 8))
    while total > 0:
        count = min(total, draw(st.sampled_from((1, 1, 1, 2, 3))))
        side = SIDES[len(people) % sides if len(people) < sides else draw(st.integers(0, sides - 1))]
        one = {"name": NAMES[len(people)], "side": side, "count": count, **draw(sheets())}
        people.append({**one, "group": draw(st.booleans())} if count > 1 else one)
        total -= count
    if len(people) < 2:
        people.append({"name": NAMES[1], "side": SIDES[1], **draw(sheets())})
    told: dict[str, Any] = {"system": "vestige", "name": "drawn", "config": draw(configs(VALUES))}
    told |= draw(_on_a_board(people)) if draw(st.booleans()) else draw(_at_distances(people))
    return {**told, "combatant": people}


@st.composite
def _on_a_board(draw: st.DrawFn, people: list[dict[str, Any]]) -> dict[str, Any]:
    """Place each combatant in a separate cell, and mark some other cells."""
    cells = draw(st.permutations(CELLS))
    free = iter(cells)
    for one in people:
        told = [next(free) for _ in range(one.get("count", 1))]
        one["at"] = told if len(told) > 1 else told[0]
    difficult = [next(free) for _ in range(draw(st.integers(0, 6)))]
    blocked = [next(free) for _ in range(draw(st.integers(0, 3)))]
    return {"board": {"difficult": difficult, "blocked": blocked}}


@st.composite
def _at_distances(draw: st.DrawFn, people: list[dict[str, Any]]) -> dict[str, Any]:
    """State most distances, and hide some from each other."""
    all_pairs = pairs(people)
    metres = draw(st.lists(st.integers(0, 9), min_size=len(all_pairs), max_size=len(all_pairs)))
    hidden = draw(st.lists(st.sampled_from(all_pairs), unique=True, max_size=1))
    return {
        "distance": [{"between": two, "metres": apart} for two, apart in zip(all_pairs, metres, strict=True) if apart],
        "sight": [{"between": two} for two in hidden],
    }


def pairs(people: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return every two of the combatants once."""
    return list(combinations([who for one in people for who in ids_of(one)], 2))


def with_an_end(told: dict[str, Any]) -> dict[str, Any]:
    """Return the encounter with everything left out for which blows might never settle it.

    Those are walls, hidden and far enemies, a roll at the brink nobody can fail, and armour that no blow gets through.
    """
    config = {key: value for key, value in told["config"].items() if not key.startswith(("brink_", "move_"))}
    people = [{**one, "might": 4, "protection": 2} if "might" in one else one for one in told["combatant"]]
    near: dict[str, Any] = {"distance": [{"between": two, "metres": 3} for two in pairs(people)]}
    if "board" in told:
        near = {"board": {}}
    return {**told, "config": config, "combatant": people, "sight": [], **near}


def _group(draft: Draft, choices: Choices) -> Params:
    first = draft.combatants.get(who(draft, choices))
    alike = [
        one.id for one in draft.combatants.values() if first and (one.side, one.stats) == (first.side, first.stats)
    ]
    return {"group": "pack", "members": alike}


def _join(draft: Draft, choices: Choices) -> Params:
    newcomer: Params = {"name": f"New {choices.of('ABC')}", "side": choices.of(SIDES), "block": "minion"}
    if any(one.place for one in draft.combatants.values()):
        newcomer["at"] = choices.of(CELLS)
    return {"combatant": newcomer, **choices.of(({}, {"initiative": 12}))}


def _twins(draft: Draft, choices: Choices) -> Params:
    """Two identical combatants that can be grouped, which drawn ones rarely are."""
    twins: Params = {"name": "Twin", "side": choices.of(SIDES), "block": "minion", "count": 2}
    if any(one.place for one in draft.combatants.values()):
        at = choices.below(len(CELLS) - 1)
        twins["at"] = [CELLS[at], CELLS[at + 1]]
    return {"combatant": twins}


def _slot(draft: Draft, choices: Choices) -> Params:
    return {"slot": choices.of(tuple(slot.id for slot in draft.slots) or ("none",))}


def out(one: Combatant) -> bool:
    """Tell whether a combatant is out of the fight."""
    return not {"forfeited", "dead", "unable"}.isdisjoint(one.conditions)


DRAWN = Drawn(
    encounters=encounters,
    with_an_end=with_an_end,
    ruled={
        "allow": somebody(what=("opens the gate", "helps a friend")),
        "brink": somebody(
            outcome=(None, "holds on", "dies", "unable"), sides=(None, 6), target=(None, 5), modifier=(None, 2)
        ),
        "close": lambda draft, choices: {},
        "end": lambda draft, choices: {
            "victors": choices.of(("", *{one.side: 0 for one in draft.combatants.values()}))
        },
        "forfeit": somebody(),
        "grant": somebody(by=(1, -1, 2)),
        "group": _group,
        "damage": several(dice=("2d6+1", "d4"), each=(False, True), protected=(False, True)),
        "harm": somebody(amount=(1, 3, 9), protected=(False, True)),
        "join": _join,
        "late_delay": lambda draft, choices: {},
        "place_slot": _slot,
        "split": somebody(),
        "test": somebody(
            number=("accuracy", "agility"), difficulty=(5, 20), dice=(None, "d6"), condition=(None, "prone")
        ),
        "unable": somebody(able=(False, True)),
        "waive": somebody(),
    },
    conditions=("prone", "readied", "brink", "unable", "delayed"),
    places=CELLS,
    things=("sword", "bow", "lantern"),
    out=out,
    first={
        "group": Kind("ruling", "join", _twins),
        "place_slot": Kind("action", "delay"),
        "reinsert": Kind("action", "delay"),
    },
)

"""Fights with chances that can be computed by hand, and moments of recorded ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from affray.engine import begin_fight
from affray.engine.fight import Fight
from affray.engine.opening import look_at_fight
from affray.engine.stores import FileStore
from affray.engine.stores.protocol import Store
from affray.events import Passed
from tests.engine.fights import SEED, noon, submit_accepted
from tests.rulesets.statistics import make_declaration

ROOT = Path(__file__).parents[3]
RECORDED = sorted(ROOT.glob("replays/*/*.jsonl"))


@cache
def load_recorded_fight(path: Path) -> Fight:
    """Return a recorded fight."""
    fight, _ = look_at_fight(path.stem, FileStore(path.parent))
    return fight


def last_blows(store: Store | None = None, seed: bytes = SEED) -> Fight:
    """Return two foes of one hit point each, with clubs that hit on 14 to 20, in a turn."""
    fighter: dict[str, Any] = {"ac": 14, "hp": 1, "attack": 0, "move": 30, "morale": 12, "weapons": ["cudgel"]}
    encounter = {
        "system": "wwn",
        "name": "the last blows",
        "combatant": [{"name": "Asha", "side": "red", **fighter}, {"name": "Bran", "side": "blue", **fighter}],
        "weapon": {
            "cudgel": {"name": "cudgel", "damage": "1d4", "attribute": ["str"], "skill": "punch", "tags": ["natural"]}
        },
        "apart": 5,
    }
    fight = begin_fight("blows", encounter, who="gm", seed=seed, store=store, clock=noon)
    submit_accepted(fight, make_declaration("gm", "begin"))
    return fight


def fight_to_the_end(fight: Fight) -> Fight:
    """Let the two of the last blows strike until one falls, and return the fight."""
    while not fight.state.ended:
        actor = fight.state.acting[0]
        target = next(one for one in fight.state.combatants if one != actor)
        window = fight.state.window
        assert window is None
        submit_accepted(fight, make_declaration(actor, "attack", target=target))
        while (window := fight.state.window) is not None:
            submit_accepted(fight, Passed(window=window.id, who=window.to[0]))
        if not fight.state.ended:
            submit_accepted(fight, make_declaration(actor, "end_turn"))
    return fight


def endless() -> Fight:
    """Return two who cannot hurt each other, and never give up."""
    fighter: dict[str, Any] = {
        "agility": 10,
        "might": 1,
        "accuracy": 9,
        "health": 6,
        "protection": 9,
        "weapons": ["sword"],
    }
    encounter = {
        "system": "vestige",
        "name": "a wall against a wall",
        "combatant": [{"name": "Ilse", "side": "a", **fighter}, {"name": "Brand", "side": "b", **fighter}],
        "distance": [{"between": ["ilse", "brand"], "metres": 1}],
    }
    return begin_fight("endless", encounter, who="gm", seed=SEED, clock=noon)


def fists_on_leather() -> Fight:
    """Return two bare-handed foes with armour that stops their one point of harm."""
    fighter: dict[str, Any] = {"power": 6, "slots": 14, "at": "yard", "protection": ["padded_leathers", "helmet"]}
    encounter = {
        "system": "wyrd",
        "name": "fists on leather",
        "config": {"npc_gear_wears": False, "npc_morale": False},
        "combatant": [{"name": "Tomas", "side": "a", **fighter}, {"name": "Brand", "side": "b", **fighter}],
        "place": [{"name": "yard"}],
    }
    return begin_fight("fists", encounter, who="gm", seed=SEED, clock=noon)

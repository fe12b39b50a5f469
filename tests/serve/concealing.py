"""Concealed combatants in every relation that can obstruct a player."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.errors import EngineError
from affray.engine.runtime.offers import build_offer_trees, list_movers
from affray.engine.visibility import Viewer
from affray.events import Declared, Id, Ruled, Senseless
from affray.tools.api.projection import project_fight
from affray.tools.api.viewer_queries import (
    list_actors_for,
    list_destinations_for,
    list_targeted_actions_for,
    suggest_action_for,
)
from tests.engine.fights import SEED, noon, salt

ENCOUNTERS = Path("encounters")
NEAR = 1
"""How many cells away from a player's combatant the concealed one is put."""

LEAVES = 20
"""How many ways to declare each action are tried."""


def iterate_concealing_moments(system: str, steps: int, every: int) -> Iterator[Fight]:
    """Yield moments of each encounter of a system with its last or last but one combatants concealed.

    Args:
        steps: How many commands are carried out.
        every: After how many of them, at least, the concealed one is put in the way of a player who may act.
    """
    for path in sorted((ENCOUNTERS / system).glob("*.toml")):
        for hidden in (-1, -2):
            fight, due = open_with_hidden(path, hidden), 0
            for nth in range(steps):
                intent = choose_sensibly(fight, Random(nth))
                if intent is None:
                    break
                fight.submit(Command(id=f"s{nth}", who="gm", intent=intent))
                if nth >= due and movers_of(fight):
                    due = nth + every
                    yield fight
                    yield from in_the_way(fight)


def open_with_hidden(path: Path, hidden: int) -> Fight:
    """Return an encounter's fight with the combatants of one entry concealed."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    content["combatant"][hidden]["concealed"] = True
    return begin_fight("hidden", content, who="gm", seed=SEED, clock=noon, salts=salt)


def in_the_way(fight: Fight) -> Iterator[Fight]:
    """Yield the fight with a concealed combatant in every cell near a player's, in reach, and in a melee with it."""
    state = fight.state
    foe = next((who for who in state.concealed if who in state.combatants), "")
    for who in movers_of(fight)[:1] if foe else ():
        foes = [foe, *(one for one in state.combatants if state.combatants[one].side == state.combatants[foe].side)]
        for kind, params in (
            *(("place", {"who": foe, "to": to}) for to in _near(fight, who)),
            ("distance", {"one": foe, "other": who, "to": 1}),
            ("melee", {"members": [foe, who]}),
            ("melee", {"members": [*dict.fromkeys(foes), who]}),
            ("relate", {"relation": "melee", "members": [foe, who]}),
        ):
            copy = fight.copy_at(fight.head)
            with suppress(EngineError):
                ruling = Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is")
                copy.submit(Command(id="there", who="gm", intent=ruling))
                yield copy


def _near(fight: Fight, who: Id) -> list[Id]:
    here = fight.state.combatants[who].place
    if not here or fight.ruleset.board.kind == "zones":
        return list(fight.state.places)
    column, row = map(int, here.split(","))
    reach = range(-NEAR, NEAR + 1)
    return [f"{column + right},{row + down}" for right in reach for down in reach]


def players_of(fight: Fight) -> list[Id]:
    """Return the combatants that a player may have who knows of no concealed one."""
    state = fight.state
    hidden = next((state.combatants[who].side for who in state.concealed if who in state.combatants), "")
    return [who for who, one in state.combatants.items() if one.side != hidden and who not in state.concealed]


def movers_of(fight: Fight) -> list[Id]:
    """Return those of them who may declare something now."""
    state = fight.state
    if state.question is not None or state.awaited is not None:
        return []
    may = {who for who, _ in list_movers(fight.ruleset, fight.table)}
    return [who for who in players_of(fight) if who in may]


def viewer_of(who: Id) -> Viewer:
    """Return the player of one combatant."""
    return Viewer(role="player", name=f"{who}'s player", owns=(who,))


def iterate_offers(fight: Fight, viewer: Viewer) -> Iterator[Declared]:
    """Yield everything that a player is offered: by the tree, as likely, against each combatant, and as ways."""
    (who,) = viewer.owns
    for mover in list_actors_for(viewer, fight).actors:
        likely = suggest_action_for(viewer, fight, who, mover.manner).whole
        yield from (whole.intent for whole in (likely,) if whole is not None)
        yield from (one.intent for one in list_destinations_for(viewer, fight, who, mover.manner).ways)
        for whom in project_fight(viewer, fight).table.draft.combatants:
            kinds = list_targeted_actions_for(viewer, fight, who, whom, mover.manner).kinds
            yield from (one.whole.intent for one in kinds if one.whole is not None)
        seen = project_fight(viewer, fight)
        for ways in build_offer_trees(seen.ruleset, seen.table):
            if (ways.actor, ways.manner) == (who, mover.manner):
                for form in ways.forms:
                    with suppress(Senseless):
                        yield from map(ways.intent, islice(ways.leaves_of(form.kind), LEAVES))

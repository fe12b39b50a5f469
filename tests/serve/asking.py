"""Every answer about a fight that a viewer can get by asking: each GET route of the application's own table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from litestar import Litestar
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.ids import id_of
from affray.engine.errors import EngineError
from affray.engine.stores import FileStore
from affray.events import Ruled
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, salt
from tests.serve.server import Somebody
from tests.twins.routes import routes

CONCEALED = "Baron Krull"
"""The name of the concealed combatant. No word of the rules or of an encounter is like it."""

OF_ONE = ("count", "mount", "rides", "in_hand", "dual_wields", "current")
"""The keys of an entry that a copy of it does not have."""


def conceal_one(told: dict[str, Any], nth: int) -> dict[str, Any] | None:
    """Return an encounter with a concealed copy of a combatant, or nothing where that one is several or mounted.

    Where encounters say who plays whom, the same player plays both, and another combatant of their side.
    """
    found = deepcopy(told)
    people = found["combatant"]
    if people[nth].keys() & {*OF_ONE[:3]}:
        return None
    mates = [one for one in people if one["side"] == people[nth]["side"] and one is not people[nth]]
    if told["system"] == "verdigris" and "block" not in people[nth]:
        for one in (people[nth], *mates[:1]):
            one["player"] = "Anna"
    copy = {key: value for key, value in people[nth].items() if key not in OF_ONE}
    copy |= {"at": "6,4"} if told["system"] == "hexblade" else {}  # a hex holds one combatant
    people.insert(nth + 1, {**copy, "name": CONCEALED, "concealed": True})
    for one in [*found.get("distance", [])]:
        if id_of(people[nth]["name"]) in one["between"]:
            between = [id_of(CONCEALED) if who == id_of(people[nth]["name"]) else who for who in one["between"]]
            found["distance"].append({**one, "between": between})
    return found


def concealing_fights(system: str, folder: Path, steps: int) -> Iterator[Fight]:
    """Play a system's encounters with a concealed companion of the first combatant that can have one."""
    for name, told in [(name, told) for name, told in load_shipped_encounters().items() if told["system"] == system][
        :2
    ]:
        fight = begin_concealing(name.replace("/", "-"), told, FileStore(folder))
        for step in range(steps):
            if step == steps // 2:
                relate(fight)
            intent = choose_sensibly(fight, Random(step))
            if intent is None:
                break
            fight.submit(Command(id=f"s{step}", who="gm", intent=intent))
        yield fight


def begin_concealing(id: str, told: dict[str, Any], store: FileStore) -> Fight:
    """Open an encounter with a concealed companion of the first combatant that can have one."""
    for nth in range(len(told["combatant"])):
        content = conceal_one(told, nth)
        if content is not None:
            with suppress(EngineError):  # such as a mount, which stands where its rider is
                return begin_fight(id, content, who="gm", seed=SEED, store=store, clock=noon, salts=salt)
    raise AssertionError(f"no combatant of {id} can have a companion")


def relate(fight: Fight) -> None:
    """Rule that the concealed combatant and two of its side share every relation and group that the rules take."""
    hidden = id_of(CONCEALED)
    mates = [who for who, one in fight.state.combatants.items() if one.side == fight.state.combatants[hidden].side]
    foe = next(who for who, one in fight.state.combatants.items() if one.side != fight.state.combatants[hidden].side)
    members = [hidden, *[who for who in mates if who != hidden][:2]]
    ruled: list[tuple[str, dict[str, Any]]] = [("group", {"group": "pack", "members": members})]
    ruled += [("relate", {"relation": kind, "members": members}) for kind in fight.ruleset.vocabulary.relations]
    ruled += [("melee", {"members": [*members, foe]})]
    for nth, (kind, params) in enumerate(ruled):
        ruling = Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is")
        with suppress(EngineError):
            fight.submit(Command(id=f"r{nth}", who="gm", intent=ruling))


def ask_all(app: Litestar, viewer: Somebody, fight: Fight) -> Iterator[tuple[str, int, str]]:
    """Yield every answer that a viewer gets who asks of what is in sight: its path, status and text."""
    state = fight.state
    people = [who for who in state.combatants if who not in state.concealed]
    places = sorted({one.place for who, one in state.combatants.items() if who in people and one.place}) or ["0,0"]
    positions = [str(one) for one in range(1, fight.head + 1)]
    values = {
        "fight": [fight.name],
        "who": people[:3],
        "whom": people[-2:],
        "kind": sorted(fight.ruleset.actions)[:4],
        "position": positions,
        "id": ["1"],
    }
    for route in routes(app):
        if route.method != "GET" or not set(route.wants) <= values.keys():
            continue
        queries: list[dict[str, str]] = [{}]
        if "here" in route.takes:
            queries = [{"here": one, "there": other} for one, other in product(places[:2], places[-2:])]
        if "at" in route.takes:
            queries += [{"at": one} for one in positions[:: len(positions) // 4 or 1]]
        for said in product(*(values[name] for name in route.wants)):
            path = route.path.format(**dict(zip(route.wants, said, strict=True)))
            for query in queries:
                answer = viewer.asks("GET", path, params=query)
                yield path, answer.status_code, answer.text

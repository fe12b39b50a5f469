"""Newcomers are full combatants: who joins equals the same combatant opened with the encounter, but for its turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Fight, begin_fight
from affray.engine.core.ids import id_of, name_combatants
from affray.engine.core.state import State
from affray.engine.kit.encounters import NAMING, PAIRS
from affray.events import Ruled
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon, submit_accepted

SHIPPED = load_shipped_encounters()

ENTRIES = [(name, nth) for name, told in sorted(SHIPPED.items()) for nth in range(len(told["combatant"]))]

KEPT = ("combatants", "items", "relations", "places", "distances", "views", "marks", "clocks", "concealed", "veiled")
"""What is compared of a state: all but whose turn it is."""


def open_newcomers(told: dict[str, Any]) -> Fight:
    """Open a fight."""
    return begin_fight(NAME, told, who="gm", seed=SEED, clock=noon)


def rule(fight: Fight, kind: str, **params: Any) -> None:
    """Rule something that must be accepted."""
    submit_accepted(fight, Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so be it"))


@cache
def whole(name: str) -> dict[str, Any]:
    """Return what is compared of an encounter as it opens."""
    return as_known(open_newcomers(SHIPPED[name]).state)


def as_known(state: State) -> dict[str, Any]:
    """Return what is compared of a state: relations without their numbers, and no notes about the fight itself."""
    found = {part: msgspec.to_builtins(getattr(state, part)) for part in KEPT}
    relations = found["relations"].values()
    found["relations"] = sorted(f"{one['kind']} {sorted(map(str, one['members']))}" for one in relations)
    found["marks"].pop("fight", None)
    return found


def without(told: dict[str, Any], nth: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return an encounter without an entry, and what brings it in: the entry, and the parts that name it.

    A mount and its riders, which entries of their own describe, come in together.
    """
    entries = told["combatant"]
    ridden = {id_of(str(one.get("rides", ""))) for one in entries if "rides" in one}
    together = [entries[nth]]
    if "rides" in entries[nth] or id_of(entries[nth]["name"]) in ridden:
        together = [one for one in entries if "rides" in one or id_of(one["name"]) in ridden]
    rest = {**told, "combatant": [one for one in entries if one not in together]}
    joins: dict[str, Any] = {"combatant": together if len(together) > 1 else together[0]}
    theirs = {who for one in together for who, _ in name_combatants(one["name"], one.get("count", 1), "", set())}
    for part in ("sight", *PAIRS):
        about = [one for one in told.get(part, ()) if theirs & set(named_in(one))]
        if about:
            rest[part] = [one for one in told[part] if one not in about]
            joins["view" if part == "sight" else part] = about
    return rest, joins | {key: told[key] for key in ("apart",) if key in told}


def named_in(one: dict[str, Any]) -> Iterator[str]:
    """Yield the combatants that a part of an encounter names."""
    for field in NAMING:
        value = one.get(field, ())
        yield from [value] if isinstance(value, str) else value


@pytest.mark.parametrize(("name", "nth"), ENTRIES)
def test_who_joins_is_as_if_opened_with_the_encounter(name: str, nth: int) -> None:
    """Sheet, counters, things, conditions, marks, relations, distances: all is as in the file."""
    rest, joins = without(SHIPPED[name], nth)
    fight = open_newcomers(rest)
    rule(fight, "join", **joins)
    assert as_known(fight.state) == whole(name)


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_who_left_comes_back_as_it_was(name: str) -> None:
    """By its id, with what it carried and what it has suffered."""
    fight = open_newcomers(SHIPPED[name])
    who = [*fight.state.combatants][-1]
    before = as_known(fight.state)
    rule(fight, "leave", who=who)
    assert who not in fight.state.combatants
    rule(fight, "join", combatant=who)
    after = as_known(fight.state)
    for parts in (before, after):
        del parts["relations"]
    assert after == before

"""Orders that may not matter: rulings on different combatants, sources that end, a former member.

``python -m tests.metamorphic.orders SYSTEM [SEED]`` prints what it finds.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Raw

from affray.engine import Fight, begin_fight
from affray.engine.commands import Intent
from affray.engine.runtime.dice import NamedDice
from affray.events import (
    INPUTS,
    ConditionChanged,
    Event,
    Id,
    ItemMoved,
    MarkSet,
    Moved,
    PoolChanged,
    Recorded,
    Ruled,
    StatChanged,
)
from tests.engine.choices import Choices
from tests.engine.encounters import DRAWN, load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon
from tests.engine.moves import act
from tests.engine.ruled import make_ruling
from tests.engine.waiting import Moment, moments
from tests.metamorphic.meanwhile import Counts, describe_intent, play_intents, without_waiting
from tests.metamorphic.twins import ask_and_record, parting

ABOUT: dict[type[Event], tuple[str, ...]] = {
    ConditionChanged: ("who",),
    ItemMoved: ("item", "owner"),
    MarkSet: ("owner",),
    Moved: ("who",),
    PoolChanged: ("who",),
    StatChanged: ("who",),
}
"""Where facts name whom they are about; rulings that come to nothing else are about those alone.

What changes hands is about who had it, whose id begins its own, and who has it now.
"""


PLAIN = ("pool", "condition", "sheet", "place", "item", "harm", "give", "allow")
"""Rulings that all systems know, and that are mostly about one person."""


def uncommuting(system: str, dice: Random, counts: Counts, *, tries: int = 3) -> Iterator[str]:
    """Rule two things about different people in either order; yield where the order matters."""
    for moment in moments(system):
        for _ in range(tries):
            pair = [make_ruling(moment.fight(), Choices(dice.randbytes(8)), dice.choice(PLAIN)) for _ in range(2)]
            about = [subjects(moment, one) for one in pair]
            if not (about[0] and about[1]) or about[0] & about[1]:
                counts["not independent"] += 1
                continue
            one, other = (play_intents(moment, len(moment.recorded), order) for order in (pair, pair[::-1]))
            if one is None and other is None and one_room(pair):
                counts["no room for both"] += 1
                continue
            if one is None or other is None:
                yield f"{describe_intent(pair[0])} and {describe_intent(pair[1])}: refused in one order"
            elif without_waiting(one.state) != without_waiting(other.state):
                yield f"{describe_intent(pair[0])} and {describe_intent(pair[1])}: {list_differing_parts(one, other)}"
            counts["compared"] += 1


def subjects(moment: Moment, ruling: Ruled) -> frozenset[Id]:
    """Return the only combatants that a ruling changes; none if it is refused, or has another effect."""
    fight = play_intents(moment, len(moment.recorded), (ruling,))
    if fight is None:
        return frozenset()
    facts = [one.event for one in fight.history.recorded[len(moment.recorded) + 1 :]]
    if not all(type(fact) in ABOUT for fact in facts):
        return frozenset()
    named = [str(getattr(fact, field)) for fact in facts for field in ABOUT[type(fact)]]
    return frozenset(one.partition(".")[0] for one in named if one)


def one_room(pair: Sequence[Ruled]) -> bool:
    """Tell whether two people are put into the same place, where only the first one may find room."""
    return {one.kind for one in pair} == {"place"} and len({msgspec.json.decode(one.params)["to"] for one in pair}) == 1


def remaining(system: str, counts: Counts, *, most: int = 100) -> Iterator[str]:
    """Give a condition for two reasons and end it for both, in either order; yield where anything of it remains.

    A ruling can let a pending blow land. What that blow brings has a source of its own and may remain.

    Args:
        system: The rule system.
        counts: Takes how many were compared.
        most: How many conditions are given at one moment, more or less; the next moments get the others.
    """
    conditions = DRAWN[system].conditions
    apart = max(1, len(conditions) // most)
    for nth, moment in enumerate(moments(system)):
        fight = moment.fight()
        who, start = next(iter(fight.state.combatants)), len(moment.recorded)
        for condition in conditions[nth % apart :: apart]:
            given = [_condition(who, condition, 1, source) for source in ("one", "other")]
            ended = [_condition(who, condition, 0, source) for source in ("one", "other")]
            for order in (ended, ended[::-1]):
                came = play_intents(moment, start, (*given, *order))
                if came is None or fight.state.combatants[who].conditions.get(condition):
                    counts["refused"] += 1
                    continue
                counts["ended"] += 1
                kept = came.state.combatants[who].conditions if who in came.state.combatants else {}
                remains = kept.get(condition, {}).keys() - list_condition_sources(
                    came.history.recorded[start:], who, condition
                )
                if remains:
                    yield f"{who} keeps {condition}: {sorted(remains)}"


def list_condition_sources(recorded: Sequence[Recorded], who: Id, condition: Id) -> set[str]:
    """Return the sources from which the rules themselves brought a condition to a combatant."""
    changes = (one.event for one in recorded if isinstance(one.event, ConditionChanged))
    found = {one.source for one in changes if (one.who, one.condition) == (who, condition) and one.after > one.before}
    return found - {"one", "other"}


def _condition(who: Id, condition: str, count: int, source: Id) -> Ruled:
    params = {"who": who, "condition": condition, "count": count, "source": source}
    return Ruled(kind="condition", params=Raw(msgspec.json.encode(params)), reason="so it is")


FREE = ("7,7", "6,0", "0,6", "3,3", "5,1", "2,4")
"""Cells that may be free on a map."""


def left_again(told: dict[str, Any], seed: int, most: int, counts: Counts) -> Iterator[str]:
    """Let a combatant join and leave before the fight; yield the first difference that it causes."""
    entry = told["combatant"][-1]
    stranger = {key: value for key, value in entry.items() if key not in ("count", "rides", "mount")} | {"name": "Zeno"}
    one, other = (begin_fight(NAME, told, who="gm", seed=SEED, clock=noon, dice=NamedDice(SEED)) for _ in range(2))
    cells = [{"at": cell} for cell in FREE] if "," in entry.get("at", "") else [{}]
    if not any(ask_and_record(other, _ruling("join", combatant=stranger | cell), -1)[0][:1] == "{" for cell in cells):
        counts[f"nobody joins {told['system']}"] += 1
        return
    ask_and_record(other, _ruling("leave", who="zeno"), -2)
    for nth in range(2):
        ask_and_record(one, _ruling("note", text="nobody comes"), -1 - nth)
    dice = Random(f"left/{seed}")
    for nth in range(most):
        choices = Choices(dice.randbytes(8))
        intent: Intent | None = make_ruling(one, choices) if dice.random() < 0.1 else act(one, choices)
        if not isinstance(intent, INPUTS):
            return
        counts["the same"] += 1
        came, theirs = ask_and_record(one, intent, nth), ask_and_record(other, intent, nth)
        if came != theirs:
            yield f"command {nth}, {describe_intent(intent)[:300]}: {parting(came, theirs)}"
            return


def _ruling(kind: str, **params: Any) -> Ruled:
    return Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is")


def list_differing_parts(one: Fight, other: Fight) -> str:
    """List the parts that differ in two states."""
    left, right = (msgspec.json.decode(without_waiting(fight.state)) for fight in (one, other))
    return "; ".join(f"{key}: {left.get(key)} / {right.get(key)}"[:600] for key in left if left[key] != right.get(key))


def main(system: str, seed: str = "0") -> None:
    """Print everything that is found."""
    counts: Counts = Counter()
    for found in uncommuting(system, Random(seed), counts):
        print("order:", found, flush=True)
    for found in remaining(system, counts):
        print("remains:", found, flush=True)
    for name, told in sorted(load_shipped_encounters().items()):
        if name.startswith(f"{system}/"):
            for found in left_again(told, int(seed), 80, counts):
                print("left:", name, found, flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])

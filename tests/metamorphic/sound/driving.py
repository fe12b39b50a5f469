"""Fights that are driven by commands of all kinds, and are looked at after each.

``python -m tests.metamorphic.sound.driving SYSTEM [FIRST LAST [MOST]]`` prints each kind of fault once.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from random import Random

from affray.engine import Command, Fight
from affray.engine.commands import Intent
from affray.events import Declared
from tests.driving import Broken, Driver, must
from tests.engine.choices import Choices
from tests.engine.moves import act, blunder, rule_at_a_moment, stand, undo
from tests.fuzz_commands.driving import open_live_fight
from tests.metamorphic.meanwhile import Counts, describe_intent
from tests.metamorphic.sound.common import Sound, faults

WAYS = ((64, act), (24, rule_at_a_moment), (6, undo), (3, stand), (3, blunder))
"""How likely each kind of command is: whatever is offered, a ruling, something taken back, a standing ask, nonsense."""


def sound(system: str) -> Sound:
    """Return what a system says of when its fights are sound."""
    found: Sound = import_module(f"tests.metamorphic.sound.{system}").SOUND
    return found


def unsound(system: str, seed: int, most: int, counts: Counts) -> Iterator[str]:
    """Drive a fight by so many commands; yield the first fault there is after one of them, or in how it is refused."""
    dice = Random(f"sound/{system}/{seed}")
    fight, _, _ = open_live_fight(system, dice)
    expected = sound(system)
    driver = Driver(fight, lambda _, came: counts.update(["refused" if came.no else came.kind]))
    for nth in range(most):
        choices = Choices(dice.randbytes(8))
        way = choices.by_weight(WAYS)
        intent = way(fight, choices)
        if intent is None:
            continue
        offered = way is act
        try:
            if offered:
                _must_take_part(expected, fight, intent)
            kind = "offered" if offered else "accepted"
            driver.send(Command(id=f"c{nth}", who="gm", intent=intent), kind, offered=offered)
            found = list(faults(expected, fight.table))
        except Broken as fault:
            found = [str(fault)]
        if found:
            yield f"{system}/{seed}, command {nth}, {describe_intent(intent)}: " + "; ".join(found)
            return


def _must_take_part(sound: Sound, fight: Fight, intent: Intent) -> None:
    """Check that a combatant out of a running fight gets no offers."""
    if isinstance(intent, Declared) and intent.actor != "gm" and not fight.state.ended:
        fine = intent.kind in sound.even_so or sound.takes_part(fight.table, intent.actor)
        must(fine, f"{intent.kind} is offered to {intent.actor}")


def main(system: str, first: str = "0", last: str = "20", most: str = "80") -> None:
    """Print what is found, each kind once."""
    counts: Counts = Counter()
    shown: Counter[str] = Counter()
    for seed in range(int(first), int(last)):
        for found in unsound(system, seed, int(most), counts):
            kind = found.partition(": ")[2].rpartition("}: ")[2].partition(":")[0]
            shown[kind] += 1
            if shown[kind] <= 2:
                print(found[:1500], flush=True)
    print(dict(counts), dict(shown))


if __name__ == "__main__":
    main(*sys.argv[1:])

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
from affray.engine.errors import Refused, Unusable
from affray.events import Declared
from tests.engine.choices import Choices
from tests.engine.moves import act, blunder, rule_at_a_moment, stand, undo
from tests.live.driving import open_live_fight
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
    for nth in range(most):
        choices = Choices(dice.randbytes(8))
        way = choices.by_weight(WAYS)
        intent = way(fight, choices)
        if intent is None:
            continue
        fault = _idle(expected, fight, intent) if way is act else ""
        fault = fault or check_acceptance(fight, intent, nth, counts, offered=way is act)
        found = [fault] if fault else list(faults(expected, fight.table))
        if found:
            yield f"{system}/{seed}, command {nth}, {describe_intent(intent)}: " + "; ".join(found)
            return


def _idle(sound: Sound, fight: Fight, intent: Intent) -> str:
    """Return what is offered to somebody who takes no part in the fight, as long as there is one."""
    if not isinstance(intent, Declared) or intent.actor == "gm" or fight.state.ended:
        return ""
    fine = intent.kind in sound.even_so or sound.takes_part(fight.table, intent.actor)
    return "" if fine else f"{intent.kind} is offered to {intent.actor}"


def check_acceptance(fight: Fight, intent: Intent, nth: int, counts: Counts, *, offered: bool) -> str:
    """Ask a fight for something; return what is wrong with how it is refused."""
    try:
        fight.submit(Command(id=f"c{nth}", who="gm", intent=intent))
    except (Refused, Unusable) as no:
        counts["refused"] += 1
        return f"it was offered, and is refused: {no}" if offered else ""
    counts["offered" if offered else "accepted"] += 1
    return ""


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

"""A ruling made while something is asked, awaited or open leads where the same ruling leads that was made before it.

``python -m tests.metamorphic.meanwhile SYSTEM [SEED [TRIES]]`` prints each kind of ruling that leads elsewhere, once.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from affray.engine import Command, Fight, load
from affray.engine.analysis.policies import make_input
from affray.engine.commands import Intent
from affray.engine.core.state import State, Window
from affray.engine.errors import Refused, Unusable
from affray.engine.history.timeline import History
from affray.engine.runtime.dice import Faces, NamedDice, SeenDice
from affray.engine.runtime.offers import Legal, OpenPass, list_legal_actions
from affray.events import (
    INPUTS,
    Answered,
    Asked,
    Dice,
    DiceAwaited,
    DiceEntered,
    Event,
    Id,
    Passed,
    PoolChanged,
    Recorded,
    Rolled,
    Ruled,
    WindowClosed,
    WindowOpened,
)
from tests.engine.choices import Choices
from tests.engine.fights import NAME, SEED, noon
from tests.engine.ruled import make_ruling
from tests.engine.waiting import Moment, moments
from tests.metamorphic.exempt import (
    COUNTED,
    MOOT,
    exempt,
    is_about_different_things,
    is_chosen,
    is_ended,
    is_listed_together,
    thrown_in_turn,
)

WAITING = ("question", "awaited", "window")
"""What a fight may wait for in the middle of something."""


class Elsewhere(NamedTuple):
    """A ruling that led elsewhere when it was made meanwhile.

    Attributes:
        command, ruling: What had led to the waiting, and what was ruled.
        what: In what the two fights differ.
        meanwhile, before: How each of them is.
    """

    command: str
    ruling: str
    what: str
    meanwhile: str
    before: str


Counts = Counter[str]
"""How many rulings were compared, and why others could not be."""

Differs = tuple[str, str, str]
"""In what two fights differ, and how each of them is."""


def try_rulings(system: str, dice: Random, counts: Counts, *, tries: int) -> Iterator[Elsewhere]:
    """Try so many rulings at every moment of a system's scenarios that waits; yield what leads elsewhere."""
    kinds = sorted(load(system).rulings)
    for moment in moments(system):
        state = moment.fight().state
        if not any(getattr(state, what) for what in WAITING):
            continue
        last = [one for one in moment.recorded if one.cause == moment.recorded[-1].cause]
        if not isinstance(last[0].event, INPUTS):
            continue
        for _ in range(tries):
            ruling = make_ruling(moment.fight(), Choices(dice.randbytes(8)), dice.choice(kinds))
            found = compare_orders(moment, len(moment.recorded) - len(last), ruling, dice, counts)
            if found:
                yield Elsewhere(describe_intent(last[0].event), describe_intent(ruling), *found)


def compare_orders(moment: Moment, before: int, ruling: Ruled, dice: Random, counts: Counts) -> Differs | None:
    """Return in what the two orders differ, if they can be compared and do."""
    command = moment.recorded[before].event
    one = try_more_commands(moment, len(moment.recorded), (ruling,))
    other = try_more_commands(moment, before, (ruling, command))
    if isinstance(one, Refused):
        counts["refused"] += 1
        known = not isinstance(try_more_commands(moment, before, (ruling,)), Fight) or exempt(ruling.kind, one.code)
        return None if known else ("the refusal", f"{one.code} {one}", str(other))
    if not isinstance(one, Fight) or not isinstance(other, Fight):
        counts["refused"] += 1
    elif without_waiting(one.state) != without_waiting(other.state):
        counts["otherwise before"] += 1
    elif not list_rolls_behind(one, before) <= list_rolls_behind(other, before):
        counts["the dice had fallen"] += 1
    elif ruling.kind in MOOT and not has_moved_counter(one, len(moment.recorded)) and has_moved_counter(other, before):
        counts["brought about"] += 1
    elif _one_by_one(one.state, other.state):
        counts["asked in turn"] += 1
    elif is_chosen(command, ruling):
        counts["chosen already"] += 1
    elif is_ended(command, ruling):
        counts["withdrawn with the end"] += 1
    elif is_listed_together(command, ruling):
        counts["listed as they came"] += 1
    elif ruling.kind in ("veil", "unveil"):
        counts["told with an open die"] += 1  # a roll that fell before tells its margin, one that falls behind does not
    else:
        counts["compared"] += 1
        return differing(one, other, dice)
    return None


def _one_by_one(one: State, other: State) -> bool:
    """Tell whether both wait for something that comes in either order, but not in the same place of it."""
    if one.question and other.question:
        return is_about_different_things(one.question.about, other.question.about)
    return bool(one.awaited and other.awaited and thrown_in_turn(one.awaited.purpose, other.awaited.purpose))


def list_rolls_behind(fight: Fight, after: int) -> set[str]:
    """Return the rolls after a position; later rulings do not change fallen dice."""
    return {
        strip_counts(describe_intent(one.event))
        for one in fight.history.recorded[after:]
        if isinstance(one.event, Rolled)
    }


def has_moved_counter(fight: Fight, at: int) -> bool:
    """Tell whether the ruling at a position has moved a counter."""
    recorded = fight.history.recorded[at:]
    facts = [one.event for one in recorded if one.cause == recorded[0].cause]
    return any(isinstance(one, PoolChanged) and one.before != one.after for one in facts)


def _without_order(waiting: object) -> object:
    """Return what is waited for; who may answer in a window does so in any order."""
    return replace(waiting, to=tuple(sorted(waiting.to))) if isinstance(waiting, Window) else waiting


def differing(one: Fight, other: Fight, dice: Random) -> Differs | None:
    """Return in what two fights differ that ought to wait for the same."""
    for what in WAITING:
        if what == "window" and (one.state.question or one.state.awaited):
            continue  # it is read again as soon as nothing is on top of it
        left, right = (
            strip_counts(describe_intent(_without_order(getattr(fight.state, what)))) for fight in (one, other)
        )
        if left != right:
            return what, left, right
    offers = list(list_legal_actions(one.ruleset, one.table))
    ours, theirs = [_offer(x) for x in offers], [_offer(x) for x in list_legal_actions(other.ruleset, other.table)]
    if ours != theirs:
        return "offers", str([x for x in ours if x not in theirs]), str([x for x in theirs if x not in ours])
    for offer in dice.sample(offers, min(2, len(offers))):
        intent = make_input(offer, Random(dice.random()))
        left, right = (describe_follow_up(fight, intent) for fight in (one, other))
        if left != right:
            return f"what follows {describe_intent(intent)}", left, right
    return None


def _offer(offer: Legal) -> str:
    return strip_counts(describe_intent(offer.intent if isinstance(offer, OpenPass) else offer))


class Named:
    """Dice that go by names without the numbers that a ruling moves on, so that both fights throw the same."""

    def __init__(self, moment: Moment | None = None) -> None:
        rolls = [one.event for one in moment.recorded if isinstance(one.event, Rolled)] if moment else []
        self.dice = SeenDice({strip_counts(roll.roll): roll for roll in rolls}, NamedDice(SEED))

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        return self.dice.faces(strip_counts(roll), dice)


def try_more_commands(moment: Moment, end: int, intents: Sequence[Intent]) -> Fight | Refused | Unusable:
    """Return the fight of a moment's record up to a position, with more commands; or how the first one is refused."""
    history = History()
    history.add(moment.recorded[:end])
    fight = Fight(NAME, load(moment.system), history, clock=noon, dice=Named(moment))
    for nth, intent in enumerate(intents):
        try:
            fight.submit(Command(id=f"m{nth}", who="gm", intent=intent))
        except (Refused, Unusable) as no:
            return no
    return fight


def play_intents(moment: Moment, end: int, intents: Sequence[Intent]) -> Fight | None:
    """Return the same fight; ``None`` if a command is refused."""
    came = try_more_commands(moment, end, intents)
    return came if isinstance(came, Fight) else None


def describe_follow_up(fight: Fight, intent: Event) -> str:
    """Return what would follow a command that is offered, and what is then waited for.

    A window beneath, a question or a die may be read again earlier or later.
    """
    history = History()
    history.add(fight.history.recorded)
    then = Fight(NAME, fight.ruleset, history, clock=noon, dice=Named())
    state = then.state
    if isinstance(intent, Passed) and state.window is not None:
        intent = replace(intent, window=state.window.id)
    if isinstance(intent, Answered) and state.question is not None:
        intent = replace(intent, question=state.question.id)
    if isinstance(intent, DiceEntered) and state.awaited is not None:
        intent = replace(intent, roll=state.awaited.roll)
    try:
        came = then.submit(Command(id="f", who="gm", intent=intent)).recorded
        beneath = state.window is not None or any(isinstance(one.event, WindowClosed) for one in last_two(fight))
        if beneath and (state.question or state.awaited):
            came = tuple([one for one in came if not isinstance(one.event, WindowClosed | WindowOpened)])
    except (Refused, Unusable) as no:
        return strip_counts(f"{type(no).__name__}: {no}")
    facts = [one.event for one in came if not isinstance(one.event, Asked | DiceAwaited)]
    return strip_counts(" ".join(map(describe_intent, (*facts, then.state.question, then.state.awaited))))


def last_two(fight: Fight) -> list[Recorded]:
    """Return what the last two commands recorded: the ruling and the other one, in either order."""
    recorded = fight.history.recorded
    ends = [at for at, one in enumerate(recorded[:-1], 1) if one.more == 0]
    return recorded[ends[-2] :]


def strip_counts(text: str) -> str:
    """Return a text with names that do not count what was ruled or asked."""
    for pattern, (name, _) in COUNTED.items():
        text = re.sub(pattern, name, text)
    return text


def without_waiting(state: State) -> bytes:
    """Return a state without what it waits for, and how often anything was asked."""
    counts = {who: count for who, count in state.counts.items() if "/" not in who}
    bare = replace(state, question=None, awaited=None, window=None, counts=counts)
    return msgspec.json.encode(bare, order="deterministic")


def describe_intent(intent: object) -> str:
    """Return a command or an event in one line."""
    return msgspec.json.encode(intent).decode()


def main(system: str, seed: str = "0", tries: str = "30") -> None:
    """Print what leads elsewhere, each kind of ruling and difference once."""
    counts: Counts = Counter()
    shown: Counter[tuple[str, str]] = Counter()
    for one in try_rulings(system, Random(seed), counts, tries=int(tries)):
        kind = msgspec.json.decode(one.ruling)["kind"], one.what[:40]
        shown[kind] += 1
        if shown[kind] == 1:
            print(f"{one.what}\n  command    {one.command}\n  ruling     {one.ruling}")
            print(f"  meanwhile  {one.meanwhile[:1500]}\n  before     {one.before[:1500]}\n", flush=True)
    print(dict(counts), shown.total(), "lead elsewhere")


if __name__ == "__main__":
    main(*sys.argv[1:])

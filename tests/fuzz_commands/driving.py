"""Fights that are driven by random commands, and asked everything after each of them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

import msgspec

from affray.engine import Command, Fight, begin_fight, load
from affray.engine.errors import Unusable
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.runtime.offers import list_legal_actions
from tests.driving import Came, Driver, in_time, locate_failure
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, noon, salt
from tests.engine.memory import MemoryStore

from .asking import ask_at_once, ask_everything, ask_of_the_record, is_unchanged
from .sending import Sender, SentCommand
from .wild import list_fields

LONGEST = 250
"""So many commands one fight gets."""

OFTEN = 3
"""What may be done is asked after every ruling, after one other command in so many, and before whatever is legal."""

EVERYTHING = 40
"""One accepted command in so many is followed by all the questions there are, the others by those asked at once."""

SLOW = 10
"""How many seconds a command, or what is asked after it, may take."""


class Failure(NamedTuple):
    """A failure, with a way to repeat it."""

    system: str
    seed: int
    nth: int
    sent: str
    where: str
    what: str


class Driven:
    """The result of a run.

    Attributes:
        counts: How many commands there were, by kind and outcome.
        asked: How many questions were asked of fights.
        failures: What should not have happened.
    """

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.asked = 0
        self.fights = 0
        self.failures: list[Failure] = []

    @property
    def commands(self) -> int:
        """The number of commands."""
        return self.counts.total()

    def of(self, outcome: str) -> int:
        """Return how many came to an outcome."""
        return sum(count for (_, came), count in self.counts.items() if came == outcome)


@cache
def encounters_of(system: str) -> list[dict[str, Any]]:
    """Return the encounters and the template that come with a system."""
    return [told for name, told in sorted(load_shipped_encounters().items()) if name.startswith(f"{system}/")]


def open_live_fight(system: str, dice: Random) -> tuple[Fight, MemoryStore, bytes | None]:
    """Open a fight from an encounter or a template, four times in five under a random configuration."""
    encounter = dice.choice(encounters_of(system))
    form = load(system).config
    while True:
        config = {}
        for field in list_fields(form) if dice.random() < 0.8 else ():
            if dice.random() < 0.25:
                config[field.encode_name] = setting(field.type, dice)
        seed = None if dice.random() < 0.06 else dice.randbytes(32)
        store = MemoryStore()
        hidden = [{**one, **({"concealed": True} if dice.random() < 0.06 else {})} for one in encounter["combatant"]]
        with suppress(Unusable):
            drawn = {**encounter, "config": {**encounter.get("config", {}), **config}, "combatant": hidden}
            return begin_fight(NAME, drawn, who="gm", seed=seed, store=store, clock=noon, salts=salt), store, seed


def setting(type_: Any, dice: Random) -> Any:
    """Return a value of a configuration key; numbers without a bound stay small."""
    if isinstance(type_, msgspec.inspect.UnionType):
        type_ = dice.choice(type_.types)
    if isinstance(type_, msgspec.inspect.LiteralType):
        return dice.choice(type_.values)
    if isinstance(type_, msgspec.inspect.VarTupleType):
        return [setting(type_.item_type, dice) for _ in range(dice.randrange(4))]
    if isinstance(type_, msgspec.inspect.IntType):
        low = -3 if type_.ge is None else type_.ge
        return dice.choice((low, low if type_.le is None else type_.le, dice.randint(low, low + 8)))
    return dice.choice(_PLAIN[type(type_)])


_PLAIN: dict[type[msgspec.inspect.Type], tuple[Any, ...]] = {
    msgspec.inspect.BoolType: (True, False),
    msgspec.inspect.NoneType: (None,),
    msgspec.inspect.StrType: ("d20", "d6", "d8", "2d6"),
}


def driven(system: str, seed: int, most: int, came: Driven, *, whole: bool = True) -> None:
    """Drive one fight by so many commands, and note what came of it.

    Args:
        system: Whose rules it follows.
        seed: Names the fight: the same one has the same commands.
        most: How many commands it gets.
        came: Where it is noted.
        whole: Whether the record is opened anew, audited and exported at the end.
    """
    dice = Random(f"{system}/{seed}")
    fight, store, key = open_live_fight(system, dice)
    entries = [one for told in encounters_of(system) for one in told["combatant"]]
    sender = Sender(fight, dice, entries)
    driver = Driver(fight, Unchanged(fight), partial(_count_and_ask, came, sender))
    came.fights += 1
    sent: SentCommand | None = None
    try:
        while sender.sent < most:
            with in_time(SLOW):
                sent = None
                sent = sender.next()
                driver.send(sent.command, sent.kind, offered=sent.offered)
            if fight.history.closed and dice.random() < 0.3:
                break
        if whole:
            sent = None
            with in_time(3 * SLOW):
                came.asked += ask_of_the_record(fight, store, key)
                if dice.random() < 0.3:
                    fork_fight(
                        ForkRequest(parent=NAME, name="if", who="gm"), store, MemoryStore(), fresh=bytes(32), clock=noon
                    )
    except Exception as fault:  # whatever it is, it should not have happened
        came.failures.append(_failure(system, seed, sender.sent, sent, fault))


class Unchanged:
    """Sees that a refused command changed nothing."""

    def __init__(self, fight: Fight) -> None:
        self.before = fight.head, msgspec.json.encode(fight.state)

    def __call__(self, fight: Fight, sent: Came) -> None:
        assert sent.no is None or is_unchanged(fight, self.before), "refused, and yet something changed"
        self.before = fight.head, msgspec.json.encode(fight.state)


def _count_and_ask(came: Driven, sender: Sender, fight: Fight, sent: Came) -> None:
    """Count what came of a command; ask what people ask behind one that was accepted."""
    dice = sender.dice
    came.counts[sent.kind, type(sent.no).__name__ if sent.no else "accepted"] += 1
    if sent.recorded:
        sender.offers = None
        came.asked += ask_at_once(fight, sent.recorded)
        if sent.kind.startswith("rule") or dice.random() < 1 / OFTEN:
            sender.offers = tuple(list_legal_actions(fight.ruleset, fight.table))
            came.asked += 1
        if dice.random() < 1 / EVERYTHING:
            came.asked += ask_everything(fight, dice)


def _failure(system: str, seed: int, nth: int, sent: SentCommand | None, fault: Exception) -> Failure:
    said = show_command(sent.command) if sent else "what is asked afterwards"
    return Failure(system, seed, nth, said, locate_failure(fault), f"{type(fault).__name__}: {fault}")


def show_command(command: Command) -> str:
    try:
        return msgspec.json.encode(command.intent).decode()[:600]
    except Exception:  # a command that cannot be shown has been found by what follows it
        return type(command.intent).__name__

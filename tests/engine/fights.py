"""Generated fights: a strategy for what happens, and the player that lets it happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st
from msgspec import Raw

from affray.engine.commands import Command, Intent, Outcome
from affray.engine.core.state import State
from affray.engine.errors import EngineError, OutOfDate, Refused, Reused, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight, open_fight
from affray.engine.runtime.offers import Legal, list_legal_actions
from affray.engine.stores.protocol import Store
from affray.engine.visibility import Salts
from affray.events import Ruled
from tests.engine.choices import Choices
from tests.engine.drawing import ids_of
from tests.engine.encounters import encounters
from tests.engine.memory import MemoryStore
from tests.engine.moves import move

NAME = "drawn"
SEED = bytes(range(32))
NO = (Refused, Unusable, OutOfDate, Reused)
"""What a command may meet; anything else is a bug."""


class Plan(NamedTuple):
    """A fight before it happens: who meets, under which seed (none: all dice are entered), and drawn moves.

    ``entered`` is whose dice are real ones from the start: somebody's, or ``*`` for everybody's.
    """

    encounter: dict[str, Any]
    seed: bytes | None
    moves: tuple[bytes, ...]
    entered: str = ""


class Asked(NamedTuple):
    """One command, and what it came to."""

    command: Command
    answer: Outcome | EngineError


class FightSeen(NamedTuple):
    """Everything visible of a fight at one moment."""

    state: bytes
    legal: list[Legal]
    effective: list[int]


@st.composite
def fights(draw: st.DrawFn, most: int = 45) -> Plan:
    """Draw a fight of so many commands at most; one in eight is played with real dice alone."""
    encounter = draw(encounters())
    seed = draw(st.sampled_from((*(bytes([nth]) * 32 for nth in range(7)), None)))
    moves = draw(st.lists(st.binary(min_size=4, max_size=4), min_size=most // 2, max_size=most))
    entered = draw(st.sampled_from(("", "", "", "*", *ids_of(encounter["combatant"][0]))))
    return Plan(encounter, seed, tuple(moves), entered)


def noon() -> str:
    """Tell the same time always, so that equal fights have equal logs."""
    return "2025-06-01T12:00:00.000Z"


def salt() -> str:
    """Give every hidden event the same salt, so that equal fights have equal logs."""
    return "5a17" * 8


def begin_plan(plan: Plan, store: Store | None = None, salts: Salts = salt) -> Fight:
    """Open the fight."""
    return begin_fight(NAME, plan.encounter, who="gm", seed=plan.seed, store=store, clock=noon, salts=salts)


def reload_fight(store: Store, name: str = NAME, *, verified: bool = True) -> Fight:
    """Open it again, as after a restart."""
    return open_fight(name, store, clock=noon, verified=verified, salts=salt)


def commands(fight: Fight, plan: Plan) -> Iterator[Command]:
    """Yield the plan's commands, each chosen in view of the fight as it then is.

    Now and then one is sent twice, has the id of another one, or believes in another head.
    """
    last: Command | None = None
    if plan.entered:
        params = Raw(msgspec.json.encode({"owner": plan.entered, "source": "entered"}))
        yield Command(id="dice", who="gm", intent=Ruled(kind="dice", params=params, reason="their own dice"))
    for nth, drawn in enumerate(plan.moves):
        choices = Choices(drawn + b"?")
        chance = choices.below(100)
        if last is not None and chance < 3:
            yield last
        intent: Intent | None = move(fight, drawn)
        if intent is None:
            continue
        id = last.id if last is not None and chance > 97 else f"c{nth}"
        expected = fight.head - choices.below(2) if 90 < chance < 96 else None
        last = Command(id=id, who=choices.of(("gm", "Anna", "Bo")), intent=intent, expected=expected)
        yield last


def ask_fight(fight: Fight, command: Command) -> Asked:
    """Ask a fight for something, which it may refuse."""
    try:
        return Asked(command, fight.submit(command))
    except NO as no:
        return Asked(command, no)


def play_plan(plan: Plan, store: Store | None = None) -> Fight:
    """Play a plan to its end."""
    fight = begin_plan(plan, store)
    for command in commands(fight, plan):
        ask_fight(fight, command)
    return fight


def play_into_store(plan: Plan) -> tuple[Fight, MemoryStore]:
    """Play a plan to its end, in a fresh store."""
    store = MemoryStore()
    return play_plan(plan, store), store


def encode_state(state: State) -> bytes:
    """Return a state byte by byte, the order of its tables included, for rules go by it."""
    return msgspec.json.encode(state)


def view_all_sides(fight: Fight) -> FightSeen:
    """Look at a fight from all sides."""
    return FightSeen(
        encode_state(fight.state), list(list_legal_actions(fight.ruleset, fight.table)), list(fight.history.path)
    )


def submit_accepted(fight: Fight, intent: Intent, id: str = "") -> Outcome:
    """Ask for something that must be accepted."""
    return fight.submit(Command(id=id or f"at{fight.head}", who="gm", intent=intent))


def encode_answer(answer: Outcome | EngineError) -> bytes:
    """Encode a viewer's answer as bytes."""
    return repr(answer).encode() if isinstance(answer, EngineError) else msgspec.json.encode(answer)

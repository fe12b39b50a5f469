"""A fight played by policies, command by command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from affray.engine.commands import GM, Command, Outcome
from affray.engine.errors import NoSuch
from affray.engine.fight import Fight
from affray.events import Event, Id

from .policies import DecidesFor, Playable, Policy, choose_by_side, choose_sensibly, decide_for_all
from .stalemate import StalemateDetector

MOST = 10_000
"""The maximum number of commands, where the caller names none."""


def play(
    fight: Fight, policies: Mapping[str, Policy | None], *, who: Id = GM, chance: Random | None = None, most: int = MOST
) -> Iterator[Outcome]:
    """Play a fight by policies, and yield the outcome of each command.

    Each command is carried out when its outcome is asked for, so a caller can stop at any time. The loop ends when the
    fight is over or at a stalemate. It also ends when a side without a policy has to act, and when real dice are
    awaited.

    Args:
        fight: The fight, at any moment.
        policies: The policy of each side, by its name. A side without one is left to the caller. The entry ``gm`` is
            for the game master's own decisions, such as to begin. Without that entry ``choose_sensibly`` makes them;
            if it is ``None``, they are left to the caller too.
        who: The sender of the commands, as it is recorded.
        chance: The source of random choices; by default it depends on the head alone.
        most: The maximum number of commands.

    Raises:
        NoSuch: the fight has no side of that name.
        Refused, Unusable, OutOfDate, StoreFailed: as ``Fight.submit``.
    """
    known = {one.side for one in fight.table.draft.combatants.values()}
    unknown = next((side for side in policies if side != GM and side not in known), None)
    if unknown is not None:
        raise NoSuch("side", unknown, sorted(known), "policies")
    return _play(fight, policies, who, chance or Random(fight.head), most)


def _play(fight: Fight, policies: Mapping[str, Policy | None], who: Id, chance: Random, most: int) -> Iterator[Outcome]:
    """Yield the outcomes of ``play``; its arguments were checked."""
    stalemate = StalemateDetector(fight.ruleset, chance)
    for _ in range(most):
        intent = _choose_input(fight, policies, chance)
        if intent is None:
            return
        id = fight.history.free_command_id(f"play-{fight.head}")
        outcome = fight.submit(Command(id=id, who=who, intent=intent, expected=fight.head))
        over = stalemate.observe(fight.table, [one.event for one in outcome.recorded])
        yield outcome
        if over:
            return


def _choose_input(fight: Fight, policies: Mapping[str, Policy | None], chance: Random) -> Event | None:
    """Return the next input, or ``None`` if it is left to the caller."""
    draft = fight.table.draft
    if draft.awaited is not None:
        return None
    game_master = policies.get(GM, choose_sensibly)
    sides = dict.fromkeys(one.side for one in draft.combatants.values())
    by_side = {side: policies.get(side) or choose_nothing for side in (*policies, *sides) if side in sides}
    found = choose_by_side(fight, by_side, game_master or choose_nothing, chance)
    if found is None and game_master is not None and choose_nothing not in by_side.values():
        return game_master(fight, chance)
    return found


def choose_nothing(fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> None:
    """Leave every decision to others."""

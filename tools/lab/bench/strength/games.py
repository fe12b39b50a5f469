"""Pairs of games: the same fight with the same dice, with policies swapped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from random import Random
from time import process_time
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.analysis.odds import MOST
from affray.engine.analysis.policies import Policy
from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.analysis.search import Budget, SearchPolicy
from affray.engine.commands import Command
from affray.engine.core.loading import load
from affray.engine.fight import Fight
from affray.events import Event, Id
from affray.tools.lab.balance.variants import read_vary, variants
from affray.tools.lab.bench.brawl import begin_brawl
from affray.tools.lab.bench.crowd import encounter_of

EVEN: dict[str, tuple[str, ...]] = {
    "hexblade": ("robber.count=5",),
    "verdigris": ("bandit.count=4", "bandit.hp=5"),
    "vestige": ("runa.health=7", "jory.health=7"),
    "wwn": ("wolf.count=9",),
    "wyrd": ("keeper.count=4",),
}
"""Changes to the template, as in ``affray balance --vary``, that give both sides a chance."""

GAMES = 2
"""Games of a pair: one with either side."""


class Pair(Struct, frozen=True, kw_only=True):
    """The result of two games with the same dice.

    Attributes:
        number: Number of the pair, from which its dice are derived.
        won: Games that the policy won.
        first: Games that the first side won.
        unended: Games that no side won: they did not end, or no combatant was left.
        decisions: Decisions of the policy.
        trials: Trials that it fought for them.
        seconds: Processor time that they took.
    """

    number: int
    won: int
    first: int
    unended: int
    decisions: int
    trials: int
    seconds: float

    @property
    def lost(self) -> int:
        """Games that the other policy won."""
        return GAMES - self.won - self.unended


class Match(Struct, frozen=True, kw_only=True):
    """A match: the system, the two policies, and the encounter.

    Attributes:
        changes: Changes to the template encounter.
        budget: Limits of the policy for a decision, if it has any.
    """

    system: str
    policy: str
    against: str
    changes: tuple[str, ...]
    budget: Budget | None


def match_of(system: str, policy: str, against: str) -> Match:
    """Return the match of two policies in a system's even encounter."""
    played = POLICIES[policy]
    budget = played.budget if isinstance(played, SearchPolicy) else None
    return Match(system=system, policy=policy, against=against, changes=EVEN.get(system, ()), budget=budget)


def fought_over(match: Match) -> dict[str, Any]:
    """Build the encounter of a match."""
    ruleset, content = load(match.system), encounter_of(match.system)
    config = msgspec.to_builtins(ruleset.config())
    (variant,) = variants(content, ruleset, [read_vary(said, content, config) for said in match.changes])
    return variant.content


def pairs(match: Match, numbers: Iterable[int], jobs: int = 1) -> Iterator[Pair]:
    """Play pairs of games, and yield them in order.

    Args:
        jobs: Number of processes; it does not change the games.
    """
    from joblib import Parallel, delayed  # noqa: PLC0415 - takes a tenth of a second, which no other benchmark needs

    work = Parallel(n_jobs=jobs, return_as="generator")
    yield from work(delayed(pair)(match, number) for number in numbers)


def pair(match: Match, number: int) -> Pair:
    """Play a pair of games."""
    seed = sha256(f"strength {match.system} {number}".encode()).digest()
    encounter = fought_over(match)
    sides = list(dict.fromkeys([one.side for one in begin_brawl(encounter, seed).state.combatants.values()]))
    games = [_Game(begin_brawl(encounter, seed), match, side) for side in sides]
    won = [game.play_out() for game in games]
    return Pair(
        number=number,
        won=sum(victors == game.side for victors, game in zip(won, games, strict=True)),
        first=won.count(sides[0]),
        unended=sum(victors not in sides for victors in won),
        decisions=sum(game.decisions for game in games),
        trials=sum(game.trials for game in games),
        seconds=sum(game.seconds for game in games),
    )


class _Game:
    """A game of one policy on one side against another policy on all others."""

    def __init__(self, fight: Fight, match: Match, side: str) -> None:
        self.side = side
        self.decisions = self.trials = 0
        self.seconds = 0.0
        self._fight = fight
        self._policy, self._against = POLICIES[match.policy], POLICIES[match.against]
        self._members = {who for who, one in fight.state.combatants.items() if one.side == side}

    def play_out(self) -> str:
        """Play to the end; return the victors, or nothing after ``MOST`` commands."""
        for _ in range(MOST):
            intent = self._next()
            if intent is None:
                break
            self._fight.submit(Command(id=str(self._fight.head), who="gm", intent=intent))
        return self._fight.state.victors if self._fight.state.ended else ""

    def _next(self) -> Event | None:
        """Return the next input: of the policy for its side, else of the other one."""
        fight, chance = self._fight, Random(self._fight.head)
        begun = process_time()
        intent = self._decide(self._policy, chance)
        if intent is not None:
            self.seconds += process_time() - begun
            self.decisions += 1
            return intent
        intent = self._against(fight, chance, lambda who: who not in self._members)
        return self._against(fight, chance) if intent is None else intent

    def _decide(self, policy: Policy, chance: Random) -> Event | None:
        """Ask a policy for a decision, and count its trials."""
        if not isinstance(policy, SearchPolicy):
            return policy(self._fight, chance, self._is_mine)
        decision = policy.search(self._fight, chance, self._is_mine)
        self.trials += decision.trials
        return decision.intent

    def _is_mine(self, who: Id) -> bool:
        """Tell whether a combatant is on the policy's side."""
        return who in self._members

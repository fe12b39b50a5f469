"""A fight as a PettingZoo environment: its sides are the agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random, SystemRandom
from typing import Any, TypedDict

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from affray.engine.analysis.policies import Policy, choose_sensibly, list_deciders, list_open_choices
from affray.engine.commands import Command
from affray.engine.core.draft import Draft
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.engine.visibility import Viewer, project_state
from affray.events import Event
from affray.tools.lab.bench.crowd import encounter_of
from affray.tools.present.story.narration import tell_story
from affray.tools.present.story.words import names_of

from .choices import Choice, Choosing, Decision, Struck, choosing, possible
from .encoding import Coding, Floats

MOST_CHOICES = 64
"""Default of the most choices at a time."""

LEAST_CHOICES = 2
"""With fewer choices no decision would be possible."""

MOST_COMMANDS = 3000
"""Default of the most commands of a fight; a longer fight is cut off."""

NOTHING: Struck = ("", "", "")


class Seen(TypedDict):
    """An observation: the state, the possible choices, and a mask of valid choices."""

    observation: Floats
    choices: Floats
    action_mask: NDArray[np.int8]


class _Glimpse:
    """A side's view of a fight, for policies and choices."""

    def __init__(self, ruleset: Ruleset, table: Table) -> None:
        self.ruleset, self.table = ruleset, table


class Fights(AECEnv):  # type: ignore[misc] # has no types
    """Fights of one encounter, one after the other.

    Each side is an agent. A step is one small choice (actor, action, target …). The command is carried out when the
    last choice is made. Choices with one option, and those of the game master, are made automatically.

    Args:
        encounter: The content of an encounter file, or the name of a rule system, for its template.
        most_choices: The most choices at a time. If there are more, the last one leads to the next page.
        most_commands: The most commands of a fight; a longer fight is cut off.
        policies: Sides that a policy plays instead of an agent.
        render_mode: ``ansi`` for the story so far as text.

    Attributes:
        sides: The side of each combatant.
        coding: Encoding of observations.
        seed: Dice seed of the current fight, 32 bytes.

    Raises:
        Unusable: the system or side does not exist, the encounter cannot be played, or no side is left to an agent.
    """

    metadata: dict[str, Any] = {"name": "affray_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        encounter: str | Mapping[str, Any],
        *,
        most_choices: int = MOST_CHOICES,
        most_commands: int = MOST_COMMANDS,
        policies: Mapping[str, Policy] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._encounter = encounter_of(encounter) if isinstance(encounter, str) else encounter
        self._most_choices, self._most_commands = most_choices, most_commands
        self._policies = dict(policies or {})
        self._opening = self._begin_fight(bytes(32))
        state = self._opening.state
        self.sides = {one.id: one.side for one in state.combatants.values()}
        self.coding = Coding(self._opening.ruleset, state)
        self.possible_agents = self._agents()
        self._spaces = {side: self._space() for side in self.possible_agents}
        self._actions = {side: Discrete(most_choices) for side in self.possible_agents}
        self._random = Random(SystemRandom().random())

    def _agents(self) -> list[str]:
        """Return the sides that no policy plays, in joining order.

        Raises:
            Unusable: no side is left, a policy names an unknown side, or ``most_choices`` is too small.
        """
        sides = list(dict.fromkeys(self.sides.values()))
        for side in self._policies:
            if side not in sides:
                raise NoSuch("side", side, sides, "policies")
        if len(self._policies) == len(sides):
            raise Unusable("leave one side at least to an agent", "policies")
        if self._most_choices < LEAST_CHOICES:
            raise Unusable(f"{LEAST_CHOICES} at least, since the last one leads to the others", "most_choices")
        return [side for side in sides if side not in self._policies]

    def _space(self) -> Dict:
        """Return the space of an observation."""
        numbers = Box(-np.inf, np.inf, (self.coding.length,), np.float32)
        choices = Box(-np.inf, np.inf, (self._most_choices, len(self.coding.chosen)), np.float32)
        mask = Box(0, 1, (self._most_choices,), np.int8)
        return Dict({"observation": numbers, "choices": choices, "action_mask": mask})

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of a side's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of a side's actions: the index of a choice."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new fight.

        Args:
            seed: Seed of the dice of this and all later fights. None continues the current sequence.
        """
        if seed is not None:
            self._random = Random(seed)
        self.seed = self._random.randbytes(32)
        self._chance = Random(self.seed)
        ruleset, config = self._opening.ruleset, self._opening.table.config
        self._decider = Decider(ruleset, Draft(self._opening.state), config, NamedDice(self.seed))
        self._said: list[Event] = []
        self._struck: set[Struck] = set()
        self._choosing: Choosing | None = None
        self._choices: list[Choice] = []
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {side: {} for side in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> Seen:
        """Return the observation of a side, with the choices if it is its turn to choose."""
        chooses = agent == self.agent_selection
        offered = self._choices if chooses else []
        mask = np.zeros(self._most_choices, np.int8)
        mask[: len(offered)] = 1
        return {
            "observation": self.coding.state(self._table(agent).draft, agent),
            "choices": self.coding.choices(offered, agent, self._most_choices),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """Make a choice, given its index.

        Raises:
            ValueError: the choice does not exist.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self._choices):
            raise ValueError(f"there are {len(self._choices)} choices, so that there is no choice {action}")
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        self._go_on(int(action))
        self._accumulate_rewards()

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the fight."""
        return self._opening.ruleset

    @property
    def table(self) -> Table:
        """The current table, with all hidden facts."""
        return self._decider.table

    @property
    def offered(self) -> tuple[Choice, ...]:
        """The current choices, in words."""
        return tuple(self._choices)

    def record(self) -> Fight:
        """Return the fight so far as a recorded fight, for odds and stories.

        Its dice are derived from the seed alone, without the opening, so an audit cannot derive them.
        """
        fight = self._begin_fight(self.seed)
        for nth, intent in enumerate(self._said):
            fight.submit(Command(id=str(nth), who="gm", intent=intent))
        return fight

    def render(self) -> str | None:
        """Return the story so far, if the render mode asks for it."""
        if self.render_mode is None:
            return None
        recorded = self.record().history.recorded
        return "\n".join(line.text for line in tell_story(recorded, names_of(recorded)))

    def close(self) -> None:
        """Do nothing; there are no resources to release."""

    def _begin_fight(self, seed: bytes) -> Fight:
        """Begin a recorded fight with a seed."""
        return begin_fight("environment", self._encounter, who="gm", seed=seed, dice=NamedDice(seed))

    def _table(self, side: str) -> Table:
        """Return the table as a side sees it."""
        table = self._decider.table
        if not table.draft.concealed and not table.draft.veiled:
            return table
        viewer = Viewer(role="player", owns=tuple(who for who in self.sides if self.sides[who] == side))
        return Table(Draft(project_state(viewer, table.draft.freeze())), table.config)

    def _go_on(self, picked: int | None = None) -> None:
        """Continue the fight until a side has to choose, or the fight is over."""
        while self._choosing is None or not self._choose(picked):
            picked = None
            if self._decider.draft.ended:
                self._end()
                return
            if len(self._said) >= self._most_commands or not self._asks():
                self.truncations = dict.fromkeys(self.agents, True)
                self._choices = []
                return

    def _choose(self, picked: int | None) -> bool:
        """Make a choice; carry out the decision if it was the last one.

        Return whether another choice must be made.
        """
        assert self._choosing is not None
        try:
            self._choices = next(self._choosing) if picked is None else self._choosing.send(picked)
        except StopIteration as stop:
            self._choosing = None
            self._carry_out(stop.value)
            return False
        return True

    def _carry_out(self, decision: Decision) -> None:
        """Carry out a decision. If it is refused, strike its choice out.

        A refusal can have a reason that the side does not see.
        """
        if decision.intent is not None:
            try:
                self._decider.carry_out(decision.intent)
            except Refused:
                pass
            else:
                self._said.append(decision.intent)
                self._struck.clear()
                return
        self._struck.add(decision.chosen)

    def _asks(self) -> bool:
        """Find the next decider; sides of policies decide at once.

        Return whether there is any decision to make.
        """
        for side in self._in_turn():
            members = {who for who in self.sides if self.sides[who] == side}
            if side in self._policies:
                intent = self._policies[side](self._decider, self._chance, members.__contains__)
                if intent is not None:
                    self._carry_out(Decision(intent, NOTHING))
                    return True
                continue
            seen = _Glimpse(self._decider.ruleset, self._table(side))
            found = [*possible(seen, members.__contains__, self._struck)]
            if found:
                self._choosing = choosing(found, members.__contains__, self._most_choices)
                self.agent_selection = side
                return True
        intent = choose_sensibly(self._decider, self._chance, lambda who: who not in self.sides)
        if intent is not None:
            self._carry_out(Decision(intent, NOTHING))
        return intent is not None

    def _in_turn(self) -> Iterable[str]:
        """Return the sides that can decide now, in the order of the rules."""
        ways = list_open_choices(self._decider, self.sides.__contains__)
        return dict.fromkeys(self.sides[who] for way in ways for who in list_deciders(way) if who in self.sides)

    def _end(self) -> None:
        """Set the rewards: 1 for victory, -1 for defeat, 0 if no side won."""
        victors = self._decider.draft.victors
        self._choices = []
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = {side: 0 if not victors else 1 if side == victors else -1 for side in self.agents}


def raw_env(encounter: str | Mapping[str, Any], **settings: Any) -> Fights:
    """Return the environment itself; see ``Fights``."""
    return Fights(encounter, **settings)


def env(encounter: str | Mapping[str, Any], **settings: Any) -> AECEnv:
    """Return the environment with the usual wrappers.

    An illegal choice ends the fight and costs its side 1.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(Fights(encounter, **settings), -1))

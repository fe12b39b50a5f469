"""A fight as a PettingZoo environment: its sides are the agents, its rules and its dice those of the table."""

from __future__ import annotations

import tomllib
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
from affray.engine.core.ruleset import Ruleset, load, template
from affray.engine.core.table import Table
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.engine.runtime.decider import Decider
from affray.engine.runtime.dice import NamedDice
from affray.engine.visibility import Viewer, project_state
from affray.events import Event
from affray.tools.present.story.narration import story
from affray.tools.present.story.words import names_of

from .choices import Choice, Choosing, Decision, Struck, choosing, possible
from .encoding import Coding, Floats

MOST_CHOICES = 64
"""As many choices there are at a time where nothing else is said."""

LEAST_CHOICES = 2
"""With fewer nothing could ever be chosen."""

MOST_COMMANDS = 3000
"""A fight that goes on for longer is cut off where nothing else is said."""

NOTHING: Struck = ("", "", "")


class Seen(TypedDict):
    """What an agent is given: the state as it sees it, what may be chosen, and how many choices there are."""

    observation: Floats
    choices: Floats
    action_mask: NDArray[np.int8]


class _Glimpse:
    """What a side sees of a fight, as policies and choices read it."""

    def __init__(self, ruleset: Ruleset, table: Table) -> None:
        self.ruleset, self.table = ruleset, table


class Fights(AECEnv):  # type: ignore[misc] # has no types
    """Fights of one encounter, one after the other.

    Each side is an agent. A step is one small choice (who, which action, which target …); the command is carried out
    once nothing is left to choose. What leaves no choice happens by itself, and so does what is the game master's.

    Args:
        encounter: The content of an encounter file, or the name of a rule system, for its template.
        most_choices: How many choices there may be at a time; of more, the last one leads to the others.
        most_commands: After so many commands a fight is cut off.
        policies: Sides that a policy plays instead of an agent.
        render_mode: ``ansi`` for the story so far as text.

    Attributes:
        sides: The side of each combatant.
        coding: What the numbers of an observation mean.
        seed: What the dice of the present fight follow from.

    Raises:
        Unusable: there is no such system or side, the encounter cannot be played, or no side is left to an agent.
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
        self._encounter = tomllib.loads(template(load(encounter))) if isinstance(encounter, str) else encounter
        self._most_choices, self._most_commands = most_choices, most_commands
        self._policies = dict(policies or {})
        self._opening = self._begun(bytes(32))
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
            Unusable: there is none, or a policy is to play a side that there is not, or nothing could be chosen.
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
        numbers = Box(-np.inf, np.inf, (self.coding.length,), np.float32)
        choices = Box(-np.inf, np.inf, (self._most_choices, len(self.coding.chosen)), np.float32)
        mask = Box(0, 1, (self._most_choices,), np.int8)
        return Dict({"observation": numbers, "choices": choices, "action_mask": mask})

    def observation_space(self, agent: str) -> Space[Any]:
        """Return what an observation of a side is."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return what a side may choose: the number of a choice."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a fight.

        Args:
            seed: What its dice and those of all later fights follow from; they go on as they are if not given.
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
        """Return what a side sees, and what it may choose if it is its choice."""
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
        """Choose one of the choices, by its number.

        Raises:
            ValueError: there is no such choice.
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
        """The rules."""
        return self._opening.ruleset

    @property
    def table(self) -> Table:
        """The present, with all that is hidden."""
        return self._decider.table

    @property
    def offered(self) -> tuple[Choice, ...]:
        """What may be chosen now, in words."""
        return tuple(self._choices)

    def record(self) -> Fight:
        """Return the fight so far as a recorded one, from which odds can be asked, and which can be told.

        Its dice follow from the seed alone, not from the opening as well, so an audit cannot derive them.
        """
        fight = self._begun(self.seed)
        for nth, intent in enumerate(self._said):
            fight.submit(Command(id=str(nth), who="gm", intent=intent))
        return fight

    def render(self) -> str | None:
        """Return the story so far, if that was wanted."""
        if self.render_mode is None:
            return None
        recorded = self.record().history.recorded
        return "\n".join(line.text for line in story(recorded, names_of(recorded)))

    def close(self) -> None:
        """Do nothing: there is nothing to be released."""

    def _begun(self, seed: bytes) -> Fight:
        return begin_fight("environment", self._encounter, who="gm", seed=seed, dice=NamedDice(seed))

    def _table(self, side: str) -> Table:
        """Return what a side sees: the present itself where nothing is hidden."""
        table = self._decider.table
        if not table.draft.concealed and not table.draft.veiled:
            return table
        viewer = Viewer(role="player", owns=tuple(who for who in self.sides if self.sides[who] == side))
        return Table(Draft(project_state(viewer, table.draft.freeze())), table.config)

    def _go_on(self, picked: int | None = None) -> None:
        """Let the fight go on until a side has to choose, or until it is over."""
        while self._choosing is None or not self._chosen(picked):
            picked = None
            if self._decider.draft.ended:
                self._end()
                return
            if len(self._said) >= self._most_commands or not self._asks():
                self.truncations = dict.fromkeys(self.agents, True)
                self._choices = []
                return

    def _chosen(self, picked: int | None) -> bool:
        """Make a choice; return whether another is to be made, or else carry out what was decided."""
        assert self._choosing is not None
        try:
            self._choices = next(self._choosing) if picked is None else self._choosing.send(picked)
        except StopIteration as stop:
            self._choosing = None
            self._carry_out(stop.value)
            return False
        return True

    def _carry_out(self, decision: Decision) -> None:
        """Carry out a command; one that is refused, for a reason that its side does not see, is not offered again."""
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
        """Find who decides next, and let whoever is no agent decide at once; return whether anybody can."""
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
        """Return the sides to which something is open, in the order in which the rules list them."""
        ways = list_open_choices(self._decider, self.sides.__contains__)
        return dict.fromkeys(self.sides[who] for way in ways for who in list_deciders(way) if who in self.sides)

    def _end(self) -> None:
        """Give each side what the fight was worth to it: 1 for victory, -1 for another's, 0 for nobody's."""
        victors = self._decider.draft.victors
        self._choices = []
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = {side: 0 if not victors else 1 if side == victors else -1 for side in self.agents}


def raw_env(encounter: str | Mapping[str, Any], **settings: Any) -> Fights:
    """Return the environment itself; see ``Fights``."""
    return Fights(encounter, **settings)


def env(encounter: str | Mapping[str, Any], **settings: Any) -> AECEnv:
    """Return the environment in the usual wrappers: a choice that there is not ends the fight, and costs its side 1."""
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(Fights(encounter, **settings), -1))

"""One of two twins: a fight at a separate server, its viewers, and its game master."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from affray.engine import Fight, begin_fight
from affray.engine.analysis.policies import choose_sensibly, make_input
from affray.engine.core.ids import id_of
from affray.engine.core.words import Deed
from affray.engine.runtime.offers import AwaitedDice, OpenPass, build_offer_trees, list_awaited
from affray.engine.runtime.offers import OpenQuestion as ToAnswer
from affray.engine.stores import FileStore
from affray.engine.visibility import Viewer, can_read
from affray.events import Dice, Event, PhaseEntered
from affray.tools.api.projection import project_fight
from affray.tools.present.fight_view import is_waiting_unseen
from affray.tools.server.app import build_application
from affray.tools.server.sessions import FightSession
from tests.engine.fights import noon
from tests.serve.server import serving

from .casting import ELSE, HIDDEN
from .inside import Answer, Stream, ask

MOST_SETTLED = 60
"""So many commands the game master gives at most before players are waited for again."""

DELAY = "delay"
"""The action by which a combatant sets its turn aside."""

DECLINED = ("no", "none", "pass", "decline", "stand", "keep", "nothing")
"""Answers by which somebody hidden does as little as possible."""


class TwinDice:
    """Dice known by a seed and the names of the rolls, but for secret rolls the same in both twins."""

    def __init__(self, seed: str, twin: str) -> None:
        self._seed, self._twin = seed, twin

    def faces(self, roll: str, dice: Sequence[Dice]) -> tuple[tuple[int, ...], ...]:
        """Return what a roll shows."""
        own = self._twin if SECRET in roll else ""
        alike = roll.replace(id_of(ELSE), id_of(HIDDEN))
        chance = Random(sha256(f"{self._seed}/{own}/{alike}".encode()).digest())
        return tuple(tuple(chance.randint(1, one.sides) for _ in range(one.count)) for one in dice)


SECRET = "eavesdropping"
"""What secret rolls are for."""


class Guest(NamedTuple):
    """A viewer with a token and the streams that they follow."""

    viewer: Viewer
    token: str
    streams: list[Stream]


class Side:
    """A twin.

    Attributes:
        twin: Which of the two.
        guests: Those who may not see everything.
        before: Where the record stood before each visible command.
        delays: Whether those who are hidden delay their turns, where the rules let them.
    """

    def __init__(self, folder: Path, twin: str) -> None:
        self.twin = twin
        self.store = FileStore(folder, durable=False)
        self.serving = serving(self.store)
        self.app = build_application(self.serving)
        self.name = ""
        self.guests: list[Guest] = []
        self.before: list[int] = []
        self.delays = False

    @property
    def fight(self) -> Fight:
        """The fight as its server has it."""
        seat = self.serving.fights._open[self.name]
        assert seat.fight is not None
        return seat.fight

    async def begin(self, name: str, encounter: dict[str, Any], seed: str) -> None:
        """Open a fight.

        Raises:
            Unusable: the encounter cannot be played.
        """
        dice = TwinDice(seed, self.twin)
        fight = begin_fight(name, encounter, who="gm", seed=None, store=self.store, clock=noon, dice=dice)
        seat = FightSession()
        seat.fight = fight
        self.serving.fights._open[name] = seat
        self.name, self.guests, self.before = name, [], []
        (self.gm,) = await self.serving.create_tokens(name, Viewer(role="gm", name="gm"))

    async def invite(self, viewers: Sequence[Viewer]) -> None:
        """Let some come in, and follow the fight in every way there is."""
        for viewer in viewers:
            (token,) = await self.serving.create_tokens(self.name, viewer)
            ways = ((0, False), (None, False), (None, True))
            streams = list[Stream]()
            self.guests.append(Guest(viewer, token, streams))
            for after, socket in ways:  # one after the other, so that each hears of each who comes
                streams.append(Stream(self.app, self.name, token, after=after, socket=socket))
                await self.quiet()

    async def leave(self) -> None:
        """Disconnect all viewers."""
        for guest in self.guests:
            for stream in guest.streams:
                await stream.leave()

    async def quiet(self) -> None:
        """Wait until all viewers have received everything."""
        for _ in range(100_000):
            await asyncio.sleep(0)
            followers = self.serving.hub.list_subscriptions(self.name)
            wanted = sum(len(guest.streams) for guest in self.guests)
            if len(followers) >= wanted and all(
                one.position == self.fight.head and one._waiting is not None and not one._waiting.done()
                for one in followers
            ):
                return
        raise AssertionError("a follower was not sent everything")

    async def ask(
        self, method: str, path: str, token: str, query: dict[str, object] | None = None, body: object = None
    ) -> Answer:
        """Send a request."""
        return await ask(self.app, method, path, token, query, body)

    async def send(self, token: str, id: str, intent: Any) -> Answer:
        """Send a command, and wait until all viewers have received its events."""
        body = {"id": id, "intent": msgspec.json.decode(msgspec.json.encode(intent))}
        answer = await self.ask("POST", f"/api/fights/{self.name}/commands", token, body=body)
        await self.quiet()
        return answer

    async def settle(self) -> None:
        """Let the game master do what is waited for from those who are hidden, and as little as possible."""
        nobody = Viewer(role="spectator")
        for _ in range(MOST_SETTLED):
            if not is_waiting_unseen(project_fight(nobody, self.fight)):
                return
            intent = least(self.fight, delays=self.delays)
            if intent is None:
                return
            answer = await self.send(self.gm, f"gm-{self.fight.head}", intent)
            assert answer.status == 200, (answer.body, intent)

    def open_to(self, viewer: Viewer) -> list[int]:
        """Return the positions that a viewer may read; of phases that follow each other the last."""
        history, found = self.fight.history, list[int]()
        in_phases = False
        for one in history.recorded:
            if can_read(viewer, one, history.opened):
                was_phase, in_phases = in_phases, isinstance(one.event, PhaseEntered) and not one.event.item
                if was_phase and in_phases:
                    found.pop()
                found.append(one.position)
        return found


def least(fight: Fight, *, delays: bool = False) -> Event | None:
    """Return the least that those who are hidden may do now; or that they delay."""
    hidden = {*fight.state.concealed}
    for awaited in list_awaited(fight.table):
        match awaited:
            case ToAnswer():
                ranks = {choice: nth for nth, choice in enumerate(DECLINED)}
                said = awaited.intent(min(awaited.options, key=lambda one: ranks.get(one.choice, len(ranks))))
                return replace(
                    said, fields={name: "so be it" if value == "" else value for name, value in said.fields.items()}
                )
            case OpenPass() if awaited.intent.who in hidden:
                return awaited.intent
            case AwaitedDice():
                return make_input(awaited, Random(0), lambda _: True)
    actions = fight.ruleset.vocabulary.actions
    for way in build_offer_trees(fight.ruleset, fight.table):
        if way.actor in hidden:
            kinds = [kind for kind, refused in way.kinds() if refused is None]
            wanted_kinds = [kind for kind in kinds if _is_nothing(actions[kind]) or (delays and kind == DELAY)]
            for kind in sorted(wanted_kinds, key=lambda one: (one != DELAY, not actions[one].ends)):
                return way.intent(next(way.leaves_of(kind)))
    return choose_sensibly(fight, Random(0), hidden.__contains__)


def _is_nothing(deed: Deed) -> bool:
    """Tell whether an action ends a turn, or is what every combatant does in it."""
    return deed.ends or deed.each

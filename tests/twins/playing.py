"""Two fights that differ in a secret, with the same commands, and every query of an uninitiated viewer."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from affray.engine.commands import Amend, Stir, Undo
from affray.engine.core.ids import id_of
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, list_bands
from affray.events import Attempted, Declared, Fizzled, Recorded, Senseless
from affray.tools.api.projection import project_fight
from tests.engine.choices import Choices
from tests.engine.moves import act

from .casting import DELAYED, ELSE, HIDDEN, Pair, iterate_pairs
from .comparing import Numbers, ToldDifference, compare_answers, compared_streams, last_headline
from .inside import Answer, Stream
from .routes import BODIES, Knowledge, Route, request, routes, values
from .ruling import make_sent_ruling, rule_in_secret, rule_openly
from .side import SECRET, Side
from .stopping import compare_stops, find_stop

STEPS = 12
"""So many commands a pair of fights gets."""

SHARE = 0.15
"""Of how many routes an answer is compared after each command; of those about no fight, once a pair."""

TRIES = 40
"""So many encounters are tried until two can be opened."""


class Found(NamedTuple):
    """The result of a pair of fights.

    Attributes:
        pair: Which encounters they were.
        told: How they differ, if they do.
        sent: The commands that led there, as JSON.
        viewer: Who was told something else.
        counts: How many fights, positions, answers and messages were compared.
    """

    pair: Pair
    told: ToldDifference | None
    sent: tuple[str, ...]
    viewer: Viewer | None
    counts: Counter[str]


class Differing(Exception):
    """The twins are told apart."""

    def __init__(self, viewer: Viewer, told: ToldDifference) -> None:
        super().__init__(told.label)
        self.viewer, self.told = viewer, told


def _is_attempt(one: Recorded) -> bool:
    """Tell whether an event says that something hidden prevents or foils an action."""
    return isinstance(one.event, Attempted) or (isinstance(one.event, Fizzled) and one.event.code == "attempt")


def _corrects(place: int, *, amends: bool) -> Amend | Undo:
    """Return what takes back the command behind a position alone, or with all that followed."""
    if amends:
        return Amend(position=place + 1, reason="it was otherwise")
    return Undo(to=place, reason="a bad call")


class PartedError(Exception):
    """The twins go different ways, for a reason that is open or that only the game master is told."""


class TwinServers:
    """A pair of fights at two servers.

    Args:
        sides: The servers, which other pairs were played at before.
        name: Of both fights; no other fight of these servers has it.
        seed: Which pair of fights of the system it is.
    """

    def __init__(self, sides: tuple[Side, Side], name: str, system: str, seed: int) -> None:
        self.sides, self.name, self.system = sides, name, system
        self.dice = f"{system}:{seed}"
        self.chance = Random(self.dice)
        self.rules = bool(seed % 2)  # in every other pair the game master rules as well
        self._says: dict[Stream, str] = {}
        self.counts = Counter[str]()
        self.sent: list[str] = []
        self.chosen: list[str] = []

    async def play(self) -> Found:
        """Play a pair of fights, until they are told apart or have been played long enough."""
        pair = await self._begin()
        try:
            with suppress(PartedError):
                await self._played()
            return Found(pair, None, tuple(self.sent), None, self.counts)
        except Differing as found:
            return Found(pair, found.told, tuple(self.sent), found.viewer, self.counts)
        finally:
            for side in self.sides:
                await side.leave()

    async def _begin(self) -> Pair:
        for nth, pair in enumerate(islice(iterate_pairs(self.system, self.chance), TRIES)):
            try:
                for side, content in zip(self.sides, (pair.one, pair.other), strict=True):
                    await side.begin(f"{self.name}-{nth}", content, self.dice)
                self.sides[1].delays = pair.secret == DELAYED
            except EngineError:
                continue
            people = [who for who in self.people if who not in self.sides[0].fight.state.veiled]
            viewers = [
                Viewer(role="spectator", name="Eve"),
                Viewer(role="player", name="Anna", owns=tuple(people[:1])),
                Viewer(role="player", name="Bo", owns=tuple(people[1:3])),
            ]
            for side in self.sides:
                await side.invite(viewers)
            self.counts["fights"] += 1
            return pair
        raise AssertionError(f"no encounter of {self.system} could be opened")

    @property
    def people(self) -> list[str]:
        """The combatants that all viewers see."""
        state = self.sides[0].fight.state
        return [who for who in state.combatants if who not in state.concealed]

    async def _played(self) -> None:
        await self._look(first=True)
        for nth in range(STEPS):
            intent = self._next(nth)
            if intent is None or self._parted():
                return
            before = [side.fight.head for side in self.sides]
            answers = await self._send(f"c{nth}", intent)
            self._hold(0, compare_stops(*[find_stop(*one) for one in zip(self._fights, before, strict=True)]))
            if {answer.status for answer in answers} == {200}:
                for side, head in zip(self.sides, before, strict=True):
                    side.before.append(head)
            for side in self.sides:
                await side.settle()
            await self._look(first=False)

    @property
    def _fights(self) -> list[Fight]:
        return [side.fight for side in self.sides]

    def _parted(self) -> bool:
        """Tell whether the twins differ by now in what is no secret: an attempt, a band, or that a fight is over."""
        one, other = (side.fight.state for side in self.sides)
        eve = Viewer(role="spectator")
        failed = [sum(map(_is_attempt, side.fight.history.recorded)) for side in self.sides]
        return failed[0] != failed[1] or one.ended != other.ended or list_bands(eve, one) != list_bands(eve, other)

    # --- what is done ---

    def _next(self, nth: int) -> Any:
        """Return the next command, by open facts only; a list if it differs in the twins."""
        chance, kind = self.chance, self.chance.random()
        if kind < 0.12:
            notes = [make_sent_ruling("note", text=f"{words} are afraid") for words in ("the birds", "the horses")]
            return notes if kind < 0.06 else make_sent_ruling("secret_roll", dice="2d6", purpose=SECRET)
        if kind < 0.18 and self.sides[0].before:
            back = chance.randint(1, min(3, len(self.sides[0].before)))
            places = [side.before[-back] for side in self.sides]
            for side in self.sides:
                del side.before[-back:]
            amends = chance.random() < 0.4
            return [_corrects(place, amends=amends) for place in places]
        if kind < 0.22:
            return Stir(words=f"luck {nth}")
        if kind < 0.30:
            who, target = chance.choice(self.people), chance.choice((*self.people, id_of(HIDDEN)))
            params = chance.choice(({"target": target}, {"to": "0,0"}, {"what": "listens at the door"}, {}))
            act_of = chance.choice(sorted(self.sides[0].fight.ruleset.actions))
            return Declared(actor=who, kind=act_of, params=Raw(msgspec.json.encode(params)))
        if self.rules and kind < 0.65:
            rule = rule_openly if kind < 0.55 else rule_in_secret
            return rule(self.sides[0].fight, chance) or self._legal()
        return self._legal()

    def _legal(self) -> Any:
        table = Viewer(role="player", owns=tuple(self.people))
        try:
            intent = act(project_fight(table, self.sides[0].fight), Choices(self.chance.randbytes(8)))
        except Senseless:
            return None
        if isinstance(intent, Declared):
            self.chosen.append(bytes(intent.params).decode())
        return intent

    async def _send(self, id: str, intent: Any) -> list[Answer]:
        """Send a command to both twins; what its sender is told, who may not know everything, is compared."""
        intents = intent if isinstance(intent, list) else [intent, intent]
        self.sent.append(msgspec.json.encode(intents[0]).decode())
        who = getattr(intents[0], "actor", None) or getattr(intents[0], "by", None) or getattr(intents[0], "who", None)
        owner = next((nth for nth, one in enumerate(self.sides[0].guests) if who in one.viewer.owns), None)
        if isinstance(intents[0], Stir):
            owner = 1
        label, answers = getattr(intents[0], "kind", type(intents[0]).__name__), []
        for side, one in zip(self.sides, intents, strict=True):
            token = side.gm if owner is None else side.guests[owner].token
            answers.append(await side.send(token, id, one))
        one, other = answers
        if (one.status == 200) != (other.status == 200):
            if owner is None:
                raise PartedError
            self._hold(
                owner,
                ToldDifference(
                    f"refusal of {label}", f"{one.status} {one.body!r:.400}", f"{other.status} {other.body!r:.400}"
                ),
            )
        if self._parted():
            raise PartedError
        if owner is not None:
            self._hold(owner, compare_answers(f"answer to {label}", one, other, self._numbers(owner)))
        return answers

    # --- what is asked ---

    async def _look(self, *, first: bool) -> None:
        """Compare all messages to viewers, and the answers to some of all requests."""
        self.counts["positions"] += 1
        known = [*routes(self.sides[0].app)]
        for nth in range(len(self.sides[0].guests)):
            self._hear(nth)
            numbers, know = self._numbers(nth), self._knowledge(nth)
            for route in known:
                if self.chance.random() < SHARE if route.of_a_fight else first and not nth:
                    await self._ask(nth, route, values(know, self.chance), numbers)

    async def _ask(self, nth: int, route: Route, found: dict[str, Any], numbers: Numbers) -> None:
        answers, label = [], f"{route.method} {route.path}"
        for twin, side in enumerate(self.sides):
            asked = request(route, found, numbers.positions[twin], side.before)
            body = None if route.method == "GET" else BODIES.get(route.path, {})
            answers.append(await side.ask(route.method, asked.path, side.guests[nth].token, asked.query, body))
        self.counts["answers"] += 1
        self._hold(nth, compare_answers(label, answers[0], answers[1], numbers))

    def _hear(self, nth: int) -> None:
        """Compare what came over the streams of a viewer."""
        for one, other in zip(*(side.guests[nth].streams for side in self.sides), strict=True):
            came = one.taken(), other.taken()
            self.counts["messages"] += len(came[0])
            says = self._says.get(one, "")
            self._hold(nth, compared_streams(*came, self._numbers(nth), says))
            self._says[one] = last_headline(came[0], says)

    def _hold(self, nth: int, told: ToldDifference | None) -> None:
        if told is not None:
            raise Differing(self.sides[0].guests[nth].viewer, told)

    def _numbers(self, nth: int) -> Numbers:
        viewer = self.sides[0].guests[nth].viewer
        one, other = (side.open_to(viewer) for side in self.sides)
        shapes = [
            (found, [event.more for event in side.fight.history.recorded])
            for found, side in zip((one, other), self.sides, strict=True)
        ]
        return Numbers((one, other), (shapes[0], shapes[1]))

    def _knowledge(self, nth: int) -> Knowledge:
        side = self.sides[0]
        fight = side.fight
        return Knowledge(
            fight=side.name,
            system=self.system,
            own=side.guests[nth].viewer.owns,
            people=self.people,
            hidden=(id_of(HIDDEN), id_of(ELSE)),
            actions=sorted(fight.ruleset.actions),
            manners=sorted(fight.ruleset.turns.manners),
            places=sorted({one.place for one in fight.state.combatants.values() if one.place}),
            chosen=self.chosen[-3:],
            readable=min(len(one.open_to(one.guests[nth].viewer)) for one in self.sides),
            commands=min(len(one.before) for one in self.sides),
        )

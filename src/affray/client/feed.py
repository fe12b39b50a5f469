"""The feed of a fight: its messages, the state folded from them, and its resumption after a lost connection."""

from collections.abc import Generator, Iterator
from typing import TypeAlias

import msgspec
from msgspec import UNSET, Struct

from affray.engine.core.evolve import fold
from affray.engine.core.state import State
from affray.engine.visibility import WireLine
from affray.events import OLDEST, Event, LogError, RawRecorded, Recorded, choose_decoder
from affray.tools.api.schemas.feed import Halted, HeadlineChanged, Settled
from affray.tools.api.schemas.fights import Moment

from .chain import FollowedChain
from .errors import RequestRefused, Unreachable, UnreadableAnswer
from .links import TableLink
from .steps import MOST_BYTES, Flow, Outcome, Pause, Request, Step, begin, decode, must_succeed, read_next, read_whole

SILENCE_SECONDS = 40.0
"""Longer than two heartbeats: if nothing comes for so long, the connection is lost."""

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0
"""Seconds before a lost connection is tried again, and their bound; each pause is twice the one before."""

EVENT_STREAM = "text/event-stream"

START = Moment(position=0, hash="", state=State())
"""The moment before the first line; following a fight from here gives its whole record."""

_read = choose_decoder(OLDEST)
"""Reads a payload of any format: its upcasters leave later payloads as they are."""


class LineRecorded(Struct, frozen=True):
    """A line of the record.

    Attributes:
        line: The line as it was sent, with its sentence (``says``).
        event: Its event; ``None`` where it is hidden from the viewer.
    """

    line: WireLine
    event: Event | None


class LineOpened(Struct, frozen=True):
    """An earlier line that was sealed, and can be read from now on."""

    line: WireLine
    event: Event | None


class ConnectionLost(Struct, frozen=True):
    """The connection is lost and will be tried again. The client goes on behind the last line, without a gap.

    Attributes:
        why: The reason in a sentence.
        tries: How often in a row it failed.
    """

    why: str
    tries: int


Message: TypeAlias = LineRecorded | LineOpened | Moment | Settled | HeadlineChanged | Halted | ConnectionLost
"""A message to a follower; a ``Moment`` is a state that does not follow from the lines."""

FORMS: dict[str, type[WireLine] | type[Moment] | type[Settled] | type[HeadlineChanged] | type[Halted]] = {
    "line": WireLine,
    "opened": WireLine,
    "snapshot": Moment,
    "settled": Settled,
    "headline": HeadlineChanged,
    "halted": Halted,
}
"""The messages that are read, by their name; others are skipped."""


class Update(Struct, frozen=True):
    """A message, and the moment after it.

    Attributes:
        message: The message.
        moment: The position and the state, folded up to here. Follow from here to go on later.
    """

    message: Message
    moment: Moment

    @property
    def settled(self) -> bool:
        """Whether no more lines are on their way, so that a command may expect this moment's position."""
        return isinstance(self.message, Settled)


Feed: TypeAlias = Generator[Step | Update, Outcome, None]


def read_event(line: WireLine) -> Event | None:
    """Return the event of a line, in the present format; ``None`` where it is hidden from the viewer.

    Raises:
        UnreadableAnswer: it is none.
    """
    recorded = _read_recorded(line)
    return recorded.event if recorded else None


def follow(link: TableLink, since: Moment | None = None, *, headline: bool = False) -> Feed:
    """Follow a fight without a gap or a duplicate, over any number of lost connections.

    The feed ends only if the caller leaves it, or by an error.

    Args:
        since: The moment to go on from, such as the last update's, or ``START``; the present one if not given.
        headline: Whether ``HeadlineChanged`` says whose turn it is.

    Raises:
        RequestRefused: the server refuses, and will again.
        UnreadableAnswer: what came is no feed of an Affray server.
        RecordAltered: a line was altered, or is missing.
    """
    follower, tries = Follower(since), 0
    while True:
        try:
            yield from _open_stream(link, follower.chain, headline=headline)
            parser = EventParser()
            while part := (yield from read_next()):
                tries = 0
                for name, data in parser.parse(part):
                    for message in follower.take(name, data):
                        yield Update(message, follower.moment)
            why = "the server ended the stream"
        except Unreachable as error:
            why = error.why
        except RequestRefused as error:
            if error.problem.status < 500:
                raise
            why = str(error)
        tries += 1
        yield Update(ConnectionLost(why, tries), follower.moment)
        yield Pause(min(FIRST_PAUSE * 2 ** min(tries - 1, 10), LONGEST_PAUSE))


def next_update(feed: Feed) -> Flow[Update]:
    """Return the next update of a feed.

    Raises:
        RequestRefused, UnreadableAnswer: as ``follow``.
    """
    outcome: Outcome = None
    while not isinstance(step := feed.send(outcome), Update):
        outcome = yield step
    return step


def _open_stream(link: TableLink, chain: FollowedChain | None, *, headline: bool) -> Generator[Step, Outcome, None]:
    """Connect, or connect again behind the last line."""
    url = link.build_url("feed", settled=True, headline=headline or None)
    headers = {"Authorization": f"Bearer {link.token}", "Accept": EVENT_STREAM, "Cache-Control": "no-store"}
    if chain is not None:
        headers["Last-Event-ID"] = str(chain.position)
    head = yield from begin(Request("GET", url, headers, silence=SILENCE_SECONDS))
    if not 200 <= head.status < 300:
        must_succeed(head, (yield from read_whole()))
    if head.kind != EVENT_STREAM:
        raise UnreadableAnswer(f"no feed of an Affray server, but {head.kind or 'an answer without a media type'}")


class EventParser:
    """Parser of a text/event-stream. Only line feeds end a line: other separators may stand in JSON."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._size = 0
        self._name = ""
        self._data: list[bytes] = []

    def parse(self, part: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the data of each event that ends in these bytes.

        Raises:
            UnreadableAnswer: an event is too long.
        """
        *lines, rest = part.split(b"\n")
        for line in lines:
            whole = b"".join((*self._rest, line)).removesuffix(b"\r")
            self._rest = []
            if not whole:
                if self._data:
                    yield self._name, b"\n".join(self._data)
                self._name, self._data, self._size = "", [], 0
            elif whole.startswith(b"event:"):
                self._name = whole[6:].strip().decode(errors="replace")
            elif whole.startswith(b"data:"):
                self._data.append(whole[5:].removeprefix(b" "))
                self._size += len(whole)
        self._rest.append(rest)
        self._size += len(rest)
        if self._size > MOST_BYTES:
            raise UnreadableAnswer(f"a message of the feed is longer than {MOST_BYTES >> 20} MiB")


class Follower:
    """The moment that a client has followed a fight to.

    Attributes:
        moment: The state and its position; lines that lead there may be yet to come.
        chain: The hash chain up to the last line; ``None`` before the first message.
    """

    def __init__(self, since: Moment | None) -> None:
        self.moment = START if since is None else since
        self.chain = None if since is None else FollowedChain(since.position, since.hash)

    def take(self, name: str, data: bytes) -> Iterator[Message]:
        """Fold an event of the stream, and yield it as a message.

        Raises:
            UnreadableAnswer: it is no message, or does not fit what came before.
            RecordAltered: a line does not continue the hash chain.
        """
        form = FORMS.get(name)
        if form is None:
            return
        message = decode(data, form)
        if isinstance(message, Moment):
            self.moment = message
            self.chain = self.chain or FollowedChain(message.position, message.hash)
            yield message
        elif not isinstance(message, WireLine):
            yield message
        elif name == "opened":
            if self.chain is not None:
                self.chain.check_opened(message)
            yield LineOpened(message, read_event(message))
        else:
            self.chain = self.chain or FollowedChain()
            if message.position > self.chain.position:
                self.chain.add(message)
                yield LineRecorded(message, self._fold(message))

    def _fold(self, line: WireLine) -> Event | None:
        """Fold a line unless the state has it already; return its event."""
        recorded = _read_recorded(line)
        if line.position > self.moment.position:
            try:
                state = fold([recorded] if recorded else [], onto=self.moment.state)
            except LogError as error:
                raise UnreadableAnswer(f"position {line.position} does not fit what came before: {error}") from None
            self.moment = Moment(line.position, line.hash, state, bands=self.moment.bands)
        return recorded.event if recorded else None


def _read_recorded(line: WireLine) -> Recorded | None:
    if line.event is UNSET:
        return None
    raw = RawRecorded(line.position, line.time, line.who, line.cause, line.hash, line.event)
    try:
        return _read(msgspec.json.encode(raw), line.position)
    except LogError as error:
        raise UnreadableAnswer(f"position {line.position} is no event that is known here: {error}") from None

"""Collect the chances along one line of the record."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from affray import events as facts
from affray.engine.history.timeline import History
from affray.events import INPUTS, Event, Id, Recorded

from .chance import Chance, ChanceReply, Fate


class ChanceScan:
    """Scans one line of the record for chances."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.found: dict[int, Chance] = {}
        self.open: dict[Id, int] = {}
        self.stacked: dict[Id, int] = {}
        self.standing: dict[Id, int] = {}
        self.round = 0
        self.up = ""
        self.between = False
        self.cause = history.at(1)

    def scan(self, line: Sequence[int]) -> Iterable[Chance]:
        """Return the chances along a line of positions, with open ones marked as open."""
        for position in line:
            one = self.history.at(position)
            if isinstance(one.event, INPUTS):
                self.cause = one
            self._process(one.event, position)
        for chance in self.found.values():
            for who in _list_unanswered(chance):
                self.reply(chance.id, ChanceReply(who=who, fate="open", undone=chance.undone), position=chance.position)
        return self.found.values()

    def _process(self, event: Event, position: int) -> None:
        """Track events that open, answer or end chances, and the round and turn."""
        match event:
            case facts.RoundBegan():
                self.round = event.round
            case facts.TurnBegan():
                self.up, self.between = event.slot, False
            case facts.TurnEnded():
                self.between = True
            case facts.Stacked():
                self.stacked[event.item] = position
            case facts.AskingSet():
                self.standing[event.who] = position
            case facts.WindowOpened():
                self.offer(position, "window", event.window, event.what, event.about, event.to)
            case facts.Asked():
                about = event.question.removesuffix(event.question[event.question.rfind(f"/{event.about}") :])
                self.offer(position, "question", event.question, event.about, about, event.of)
            case facts.OfferDeclined() if event.window in self.open:
                standing = self.standing.get(event.who, 0) if event.standing else 0
                self.record_reply(
                    event.window, event.who, "standing" if event.standing else "declined", standing=standing
                )
            case facts.WindowClosed():
                declared = self.cause.event
                taker = declared.actor if event.how == "taken" and isinstance(declared, facts.Declared) else ""
                self.end(event.window, taker, "forestalled" if taker else "shut")
            case facts.Answered():
                self.end(event.question, event.by, "forestalled")
            case facts.Withdrawn():
                self.end(event.what, "", "shut")

    def offer(self, position: int, kind: str, id: Id, what: str, about: Id, to: tuple[Id, ...]) -> None:
        """Record a chance to answer. One already open before a ruling is shut.

        A chance is recorded twice in one command, first without the concealed combatants. Both count as one chance.
        """
        if self.open.get(id, 0) > self.cause.position:
            del self.found[self.open[id]]
        else:
            self.end(id, "", "shut")
        self.open[id] = position
        self.found[position] = Chance(
            position=position,
            round=self.round,
            kind=kind,
            id=id,
            what=what,
            pending=self.stacked.get(about, 0),
            up=self.up,
            between=self.between,
            to=to,
            undone=not self.history.is_effective(position),
        )

    def reply(self, id: Id, reply: ChanceReply, *, position: int = 0) -> None:
        """Record a combatant's reply to a chance."""
        at = position or self.open[id]
        self.found[at] = replace(self.found[at], replies=(*self.found[at].replies, reply))

    def record_reply(self, id: Id, who: Id, fate: Fate, *, by: Id = "", standing: int = 0) -> None:
        """Record the present input as a combatant's reply to a chance."""
        cause = self.cause
        undone = not self.history.is_effective(cause.position)
        sender = _find_sender(self.history, self.history.at(standing) if standing else cause)
        self.reply(
            id,
            ChanceReply(
                who=who, fate=fate, position=cause.position, sender=sender, by=by, standing=standing, undone=undone
            ),
        )

    def end(self, id: Id, taker: Id, fate: Fate) -> None:
        """Record the end of a chance for the combatants who had not replied."""
        if id in self.open:
            left = _list_unanswered(self.found[self.open[id]])
            if taker in left:
                self.record_reply(id, taker, "took")
            for who in left:
                if who != taker:
                    self.record_reply(id, who, fate, by=taker)
            del self.open[id]


def _list_unanswered(chance: Chance) -> list[Id]:
    said = {reply.who for reply in chance.replies}
    return [who for who in chance.to if who not in said]


def _find_sender(history: History, one: Recorded) -> str:
    """Return the sender of an input.

    An input that an amendment decided again has its first sender.
    """
    first = history.at(history.commands[one.cause]).event
    if isinstance(first, facts.Amended):
        for position in history.list_ancestors(first.lane):
            if position > first.to and history.at(position).event == one.event:
                return _find_sender(history, history.at(position))
    return one.who

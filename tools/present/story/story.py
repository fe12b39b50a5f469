"""The lines of a story while they are built, with events that may join them."""

from __future__ import annotations

from typing import Any, get_args

from msgspec import Struct

from affray import events as facts
from affray.events import ABOUT_THE_RECORD, Event, Id, Option, Recorded

from .actions import phrase
from .sentences import action_said
from .words import Names, capital

ROUND, TURN, ACT = 0, 1, 2
"""The depth of a line: a round, a turn, or an action."""


BOOKKEEPING = frozenset(
    {
        facts.MarkSet,
        facts.MemberDone,
        facts.OfferDeclined,
        facts.PhaseEntered,
        facts.Resolved,
        facts.Stacked,
        facts.TurnEnded,
        facts.WindowClosed,
    }
)
"""The event types that a story omits, because other events tell the same."""


def is_budget(names: Names, pool: str) -> bool:
    """Tell whether a counter only limits how often a combatant may act."""
    known = names.words.pools.get(pool)
    return known is not None and known.role == "budget"


class Piece(Struct, frozen=True, omit_defaults=True):
    """A part of a line.

    Attributes:
        text: The words.
        position: The log position of the roll or damage that the text is a number of, for an explanation; 0 for other
            words.
    """

    text: str
    position: int = 0


class Line:
    """A line of a story while it grows.

    Attributes:
        depth: ``ROUND``, ``TURN`` or ``ACT``.
        pieces: The text, in pieces.
        notes: The side effects, told in brackets.
        positions: The log positions of the first and the last event that it tells.
        about: The kind of event that may still join it: the type of its first event, and the subject.
        whom: The combatant whose changes belong in its notes; ``*`` for all combatants.
        manner: The manner of the declaration that it tells.
        input: The log position of its input: the declaration, answer, pass, entered dice or ruling; 0 for none.
        during: The pending action meanwhile, as a sentence, if the line does not begin with it.
    """

    def __init__(self, depth: int, text: str, position: int, about: tuple[Any, ...] = (), whom: Id = "") -> None:
        self.depth = depth
        self.pieces = [Piece(capital(text))]
        self.notes: list[str] = []
        self.positions = (position, position)
        self.about = about
        self.whom = whom
        self.manner = ""
        self.input = 0
        self.during = ""

    def say(self, text: str, position: int = 0) -> None:
        """Add a piece of text; see ``Piece``."""
        self.pieces.append(Piece(text, position))

    @property
    def text(self) -> str:
        """All it says, but for the notes."""
        return "".join(piece.text for piece in self.pieces)

    def __str__(self) -> str:
        notes = f" [{', '.join(self.notes)}]" if self.notes else ""
        return f"{'  ' * self.depth}{self.text}{notes}"


class GrowingStory:
    """Lines so far, and what later events need to know of earlier ones."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.lines: list[Line] = []
        self.pending: dict[Id, tuple[Id, str, str]] = {}
        self.stacked: dict[Id, tuple[Id, str, str]] = {}
        self.options: dict[Id, tuple[Option, ...]] = {}
        self.rolls: dict[Id, facts.Rolled] = {}
        self.struck: set[Id] = set()
        self.depth = TURN
        self.input = 0
        self.inputs: dict[int, Input] = {}
        self.undone: dict[int, dict[int, Input]] = {}
        self.moved: tuple[Input, ...] = ()

    @property
    def last(self) -> Line:
        """The line that is still open."""
        return self.lines[-1] if self.lines else Line(ROUND, "", 0)

    def add(self, depth: int, text: str, position: int, *about: Any, whom: Id = "") -> None:
        """Begin a line; an action still open before it has not taken place yet."""
        self.settle()
        self.lines.append(Line(depth, text, position, about, whom))
        self.lines[-1].input = self.input

    def settle(self) -> None:
        """Let the last line, if it is an action that waits for others, say that it is only meant."""
        match self.last.about:
            case ("head", str(item)) if item in self.pending:
                self.last.pieces = [Piece(capital(action_said(*self.pending[item], self.names, sure=False)))]
                self.last.about = ()

    def turn_back(self) -> None:
        """Mark undone actions as pending again, since they may continue."""
        self.settle()
        self.pending = dict(self.stacked)
        self.struck.clear()

    def add_to_list(self, key: str, value: str, title: str, piece: str, position: int, *, roll: int = 0) -> None:
        """Add to a list of alike things, or begin one with its title.

        Args:
            roll: The position of the roll that the piece tells; 0 for other pieces.
        """
        if self.last.about == ("list", key, value):
            self.last.say(", ")
        else:
            self.add(self.depth, title, position, "list", key, value)
        self.last.say(piece, roll)

    def move_back(self, to: int) -> dict[int, Input]:
        """Drop the inputs behind a position, and return them."""
        dropped = {at: event for at, event in self.inputs.items() if at > to}
        self.inputs = {at: event for at, event in self.inputs.items() if at <= to}
        return dropped

    def follow_record(self, event: Event) -> None:
        """Note which inputs an event about the record undoes, or brings back."""
        match event:
            case facts.Rewound():
                self.undone[event.lane] = self.move_back(event.to)
                self.moved = tuple(self.undone[event.lane].values())
            case facts.Restored():
                again = self.undone.get(event.lane, {})
                self.inputs |= again
                self.moved = tuple(again.values())
            case facts.UndoRequested():
                self.moved = tuple([one for at, one in self.inputs.items() if at > event.to])
            case facts.Amended():
                self.move_back(event.to)


Input = facts.Answered | facts.Attempted | facts.Declared | facts.DiceEntered | facts.Passed | facts.Ruled

INPUTS = get_args(Input)
"""The inputs of people, which an amendment can correct."""


def remember(tale: GrowingStory, one: Recorded) -> None:
    """Note facts that the text of later events needs."""
    event = one.event
    if isinstance(event, INPUTS):
        tale.input = one.position
        tale.inputs[one.position] = event
    if type(event) in ABOUT_THE_RECORD:
        tale.follow_record(event)
        tale.turn_back()
    if isinstance(event, facts.Stacked):
        what = phrase(event.kind, event.params, tale.names, event.actor)
        tale.pending[event.item] = tale.stacked[event.item] = (event.actor, what, event.manner)
        tale.struck.discard(event.item)  # it may be declared again, after an undo
    elif isinstance(event, facts.Rolled):
        tale.rolls[event.roll] = event
    elif isinstance(event, facts.Asked):
        tale.options[event.question] = event.options
    elif isinstance(event, facts.TurnBegan | facts.FightEnded):
        tale.depth = ACT if isinstance(event, facts.TurnBegan) else TURN

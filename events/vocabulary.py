"""The list of all event types, and groups of them."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar, Union

from . import consequences, declarations, flow, hiding, record, rolls
from .root import Event

EVENTS: tuple[type[Event], ...] = tuple(
    kind
    for family in (record, flow, declarations, rolls, consequences, hiding)
    for kind in vars(family).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == family.__name__
)
"""Every event type, in the order of the families and of their definitions."""

SETTING_UP: frozenset[type[Event]] = frozenset(
    {
        consequences.ClockSet, consequences.ConditionChanged, consequences.DistanceSet, consequences.ItemAdded,
        consequences.Joined, consequences.MarkSet, consequences.PlaceSet, consequences.RelationSet,
        consequences.ViewSet, hiding.Concealed, hiding.FoesSet, hiding.Veiled, record.DiceSourceSet,
    }
)  # fmt: skip
"""The events that set up an encounter's contents, beside the opening and the first phase."""

ABOUT_THE_RECORD: frozenset[type[Event]] = frozenset(
    {
        record.Amended, record.Closed, record.EntropyAdded, record.Forked, record.FormatRaised, record.Previewed,
        record.Restored, record.Rewound, record.RulesetAdopted, record.UndoDeclined, record.UndoRequested,
    }
)  # fmt: skip
"""The events that no lane holds: about the head, the dice key and the rules' version. They are never taken back."""

VOIDING: frozenset[type[Event]] = frozenset(
    {
        record.Amended, record.EntropyAdded, record.Forked, record.Previewed, record.Restored, record.Rewound,
        record.UndoDeclined, record.UndoRequested,
    }
)  # fmt: skip
"""The events about the record that make a player's earlier undo request void."""

INPUTS: tuple[type[Event], ...] = (
    record.FightOpened,
    *sorted(ABOUT_THE_RECORD, key=lambda kind: kind.__name__),
    *(declarations.Declared, declarations.Answered, declarations.Passed, declarations.AskingSet, declarations.Ruled),
    *(declarations.Attempted, rolls.DiceEntered),
)
"""The events that record a command. Each command begins with one; only an amendment holds several."""

STARTS: frozenset[type[Event]] = frozenset({*INPUTS, record.DiceRenewed})
"""The events that no earlier event causes: the inputs, and dice renewed along with an undo."""

if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = Union[EVENTS]  # noqa: UP007 - built from the table, so that it cannot fall behind it

T = TypeVar("T")


def split_before(things: Iterable[T], starts: Callable[[T], bool]) -> Iterator[list[T]]:
    """Split a sequence before each item that starts a part."""
    segment: list[T] = []
    for one in things:
        if segment and starts(one):
            yield segment
            segment = []
        segment.append(one)
    if segment:
        yield segment

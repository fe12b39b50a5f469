"""The preview of an amendment, for programs."""

from typing import Any, Literal

from msgspec import Struct

from affray.engine.analysis.diff import Change
from affray.engine.fight import Fight
from affray.engine.history.amend import Amendment
from affray.events import Id
from affray.events.vocabulary import AnyEvent
from affray.tools.parse.faults import Fault, fault_of
from affray.tools.present.amendment_text import compare_amended, find_parting, lane_of
from affray.tools.present.story.diff_text import list_differences
from affray.tools.present.story.narration import sentence
from affray.tools.present.story.words import names_of


class Differs(Struct, frozen=True, kw_only=True):
    """The first later event that differs; dropped inputs do not count.

    Attributes:
        position: The log position of the recorded event.
        one, other: The recorded event and the amended one; ``None`` where a side has no further event.
    """

    position: int
    one: AnyEvent | None
    other: AnyEvent | None


class NoPlace(Struct, frozen=True, kw_only=True):
    """A later input that would be dropped.

    Attributes:
        position: The log position of the input.
        event: The input.
        says: The input as a sentence.
        why: The refusal by the rules; ``None`` if the input answers a question that is no longer asked or reached.
    """

    position: int
    event: AnyEvent
    says: str
    why: Fault | None


class Preview(Struct, frozen=True, kw_only=True):
    """The preview of an amendment.

    Attributes:
        head: The log position of the present head.
        position: The log position of the corrected input.
        to: The log position of the last event before the corrected input.
        retracted: Whether the input is retracted, without a replacement.
        events: The events that would follow ``to``, from the corrected command on.
        parting: The first difference in the later events; ``None`` without one.
        changes: The changes of the final state. They are preliminary while ``needs`` is set.
        says: The changes as sentences.
        order: The first round with another turn order; 0 without one.
        dropped: The later inputs that are no longer possible. Accepting the amendment drops them.
        needs: The question, the dice or the window that needs an answer, because the fight as recorded never asked it.
            The amendment is refused (``answer_needed``) until its ``answers`` hold the answer; the next preview shows
            the next need.
        waiting: The log positions of the later inputs that cannot be replayed before that answer.
        drawn: The ids of the rolls whose dice the fight as recorded never drew.
    """

    head: int
    preview: Literal[True] = True
    position: int
    to: int
    retracted: bool
    events: tuple[AnyEvent, ...]
    parting: Differs | None
    changes: tuple[Change, ...]
    says: tuple[str, ...]
    order: int
    dropped: tuple[NoPlace, ...]
    needs: Any  # Question | Awaited | Window | None, which a decoder could not tell apart
    waiting: tuple[int, ...]
    drawn: tuple[Id, ...]


def make_preview(fight: Fight, seen: Amendment) -> Preview:
    """Return a preview as one object."""
    found, parted = compare_amended(fight, seen), find_parting(fight, seen)
    names = names_of([*fight.history.recorded, *lane_of(fight, seen)])
    return Preview(
        head=fight.head,
        position=seen.position,
        to=seen.to,
        retracted=not seen.instead,
        events=seen.events,
        parting=None if parted is None else Differs(position=parted[0], one=parted[1], other=parted[2]),
        changes=found.changes,
        says=tuple(list_differences(found.changes, names)),
        order=found.order,
        dropped=tuple(
            NoPlace(
                position=one.position,
                event=one.event,
                says=sentence(one.event, names),
                why=fault_of(one.why) if one.why else None,
            )
            for one in seen.dropped
        ),
        needs=seen.needs,
        waiting=seen.waiting,
        drawn=seen.drawn,
    )

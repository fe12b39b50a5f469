"""Find the event that granted a modifier: a sheet, condition, item, mark, roll …

The search uses the modifier's source and the purposes of rolls. Labels that people read are not used.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from affray import events as facts
from affray.engine.commands import GM
from affray.engine.core.ruleset import Ruleset
from affray.events import STANDARD, AnySource, Clause, Event, Id, Recorded, Source, owner_of

from .causality import Thread
from .provenance_index import ProvenanceIndex, place_key


class Term(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A modifier, and the events that granted it.

    Attributes:
        value, label, source, rule: As in ``Modifier``.
        granted: Positions of the granting events; empty where the rules themselves grant it.
    """

    value: int
    label: str
    source: AnySource = ""
    rule: Clause = ""
    granted: tuple[int, ...] = ()


class ExplainedEvent(Struct, frozen=True, kw_only=True):
    """An event with modifiers, and the record before it.

    Attributes:
        ruleset: The rules, which define the meaning of words.
        recorded: All recorded events.
        index: Finds the events that set a value.
        threads: The thread of every event of the path.
        position: The position of the event.
        who: The combatant who rolls or takes the damage.
    """

    ruleset: Ruleset
    recorded: Sequence[Recorded]
    index: ProvenanceIndex
    threads: Mapping[int, Thread]
    position: int
    who: Id


def trace_term(moment: ExplainedEvent, modifier: facts.Modifier) -> Term:
    """Return a modifier with the events that granted it."""
    granted: tuple[int, ...] = ()
    for way in _WAYS:
        granted = tuple(one for one in way(moment, modifier) if one)
        if granted:
            break
    return Term(value=modifier.value, label=modifier.label, source=modifier.source, rule=modifier.rule, granted=granted)


def _find_roll(moment: ExplainedEvent, modifier: facts.Modifier) -> Iterator[int]:
    """Find the roll in the same resolution with this damage as its total or margin."""
    if isinstance(moment.recorded[moment.position - 1].event, facts.Damaged):
        for position in reversed(_list_earlier(moment)):
            event = moment.recorded[position - 1].event
            if isinstance(event, facts.Rolled | facts.Judged) and _is_granted_by(moment.ruleset, event, modifier):
                yield position
                return


def _is_granted_by(ruleset: Ruleset, event: facts.Rolled | facts.Judged, modifier: facts.Modifier) -> bool:
    """Tell whether a number is a margin, a roll's total, or a face of an item's die."""
    worth = abs(modifier.value)
    if isinstance(event, facts.Judged):
        return modifier.source in ruleset.margins and abs(event.margin) == (0 if modifier.tells else worth)
    shown = {face for group in event.dice if group.item == modifier.source for face in group.counted}
    if event.reading != "sixes" and worth in shown:
        return True
    if event.total != worth or isinstance(modifier.source, Source) or owner_of(modifier.source) != event.by:
        return False
    return ruleset.vocabulary.purpose_role(event.purpose) == ("hurts" if modifier.value > 0 else "guards")


def _find_ruling(moment: ExplainedEvent, modifier: facts.Modifier) -> Iterator[int]:
    """Find the game master's answer, ruling or declaration that led to a modifier.

    Modifiers without source and clause come from the game master, too.
    """
    if modifier.source != GM and (modifier.source or modifier.rule):
        return
    thread: Thread | None = moment.threads[moment.position]
    while thread is not None:
        for position in reversed(thread.positions):
            if position < moment.position and _is_by_gm(moment.recorded[position - 1].event):
                yield position
                return
        thread = thread.below


def _is_by_gm(event: Event) -> bool:
    if isinstance(event, facts.Answered):
        return event.by == GM
    return isinstance(event, facts.Ruled) or (isinstance(event, facts.Declared) and event.actor == GM)


def _find_distance_and_view(moment: ExplainedEvent, modifier: facts.Modifier) -> Iterator[int]:
    """Find the last events that set the distance and view between two combatants.

    If none did, find their last moves.
    """
    if isinstance(modifier.source, Source) and modifier.source.to:
        line = (modifier.source.of, modifier.source.to)
        stated = [moment.index.find_last(key, moment.position) for key in (line, modifier.source)]
        moved = [moment.index.find_last(place_key(who), moment.position) for who in line]
        yield from sorted(stated if any(stated) else moved)


def _find_named_value(moment: ExplainedEvent, modifier: facts.Modifier) -> Iterator[int]:
    """Find the event that set a named value. A name without owner is the roller's."""
    if modifier.source not in ("", *moment.index.people):
        names = (modifier.source, f"{moment.who}.{modifier.source}")
        found = (moment.index.find_last_valuable(name, modifier.value, moment.position) for name in names)
        yield next((one for one in found if one), 0)


def _find_declaration(moment: ExplainedEvent, modifier: facts.Modifier) -> Iterator[int]:
    """Find the named combatant's declaration, if its manner is what counts."""
    for position in _list_earlier(moment)[:2]:
        event = moment.recorded[position - 1].event
        if (
            isinstance(event, facts.Declared | facts.Stacked)
            and event.actor == modifier.source
            and event.manner != STANDARD
        ):
            yield position
            return


def _find_relations(moment: ExplainedEvent, modifier: facts.Modifier) -> Iterator[int]:
    """Find a combatant's relations: a melee, a rider and mount."""
    if isinstance(modifier.source, str):
        yield from moment.index.list_relations(modifier.source, moment.position)


def _find_source(moment: ExplainedEvent, modifier: facts.Modifier) -> Iterator[int]:
    yield moment.index.find_last(modifier.source, moment.position)


def _list_earlier(moment: ExplainedEvent) -> list[int]:
    return [one for one in moment.threads[moment.position].positions if one < moment.position]


_WAYS: tuple[Callable[[ExplainedEvent, facts.Modifier], Iterator[int]], ...] = (
    _find_roll,
    _find_ruling,
    _find_named_value,
    _find_distance_and_view,
    _find_declaration,
    _find_relations,
    _find_source,
)
"""The ways to find the granting event, the surest first."""

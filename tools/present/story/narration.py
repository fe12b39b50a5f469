"""The events of a fight as single sentences, or as a story by rounds and turns."""

from collections.abc import Callable, Sequence
from typing import Any

from affray import events as facts
from affray.engine.fight import Fight
from affray.engine.runtime.hidden_causes import ATTEMPT
from affray.events import Event, Recorded, about_of, owner_of, pending_of, topic_of

from .changes import pool_said, thing_counted, traits_said, way_said
from .sentences import SENTENCES, action_said, answer_said, option_said, outcome, roller, rolls_for
from .story import BOOKKEEPING, ROUND, TURN, GrowingStory, Line, Piece, is_budget, remember
from .words import (
    Names,
    capital,
    change,
    dice_said,
    is_now,
    name_of,
    names_of,
    place_of_thing,
    plain,
    possessive,
    series,
)


def tell(event: Event, names: Names, *, verbose: bool = False) -> str | None:
    """Return an event as a sentence; ``None`` for book-keeping, unless ``verbose``."""
    quiet = type(event) in BOOKKEEPING or (isinstance(event, facts.PoolChanged) and is_budget(names, event.pool))
    return None if quiet and not verbose else sentence(event, names)


def sentence(event: Event, names: Names) -> str:
    """Return an event as a sentence."""
    return capital(SENTENCES[type(event)](event, names))


def tell_all(recorded: Sequence[Recorded], fight: Fight, *, verbose: bool = False) -> list[str]:
    """Tell recorded events, with related ones on one line unless ``verbose``.

    Args:
        fight: The fight of the record, for names and earlier declarations.
        verbose: Whether positions, clauses and book-keeping are included.
    """
    known = fight.history.recorded
    names = names_of(known)
    if verbose:
        return [detail(one, names) for one in recorded]
    before = known[: recorded[0].position - 1] if recorded else ()
    return [str(line) for line in tell_story(recorded, names, before)]


def detail(one: Recorded, names: Names) -> str:
    """Return an event with its position and the clauses that caused it."""
    rules = f" ({', '.join(one.event.rules)})" if one.event.rules else ""
    return f"{one.position:>5}  {tell(one.event, names, verbose=True)}{rules}"


def tell_story(recorded: Sequence[Recorded], names: Names, before: Sequence[Recorded] = ()) -> list[Line]:
    """Return what was recorded as a story; ``before`` is what came earlier and is not told."""
    tale = GrowingStory(names)
    for one in before:
        remember(tale, one)
    for one in recorded:
        remember(tale, one)
        _TOLD.get(type(one.event), _sentence)(tale, one.event, one.position)
        if tale.lines:
            last = tale.last
            last.positions = (last.positions[0], one.position)
    tale.settle()
    return tale.lines


def _sentence(tale: GrowingStory, event: Any, position: int) -> None:
    text = tell(event, tale.names)
    if text:
        tale.add(tale.depth, text, position)


def _add_moved_head(
    tale: GrowingStory, event: facts.Rewound | facts.Restored | facts.UndoRequested, position: int
) -> None:
    """Tell an undo or a redo: first the commands that it is about, the latest of them if there are many."""
    said = SENTENCES[type(event)](event, tale.names)
    told = [one for one in (SENTENCES[type(event)](event, tale.names) for event in tale.moved[-MOST_MOVED:]) if one]
    more = f"{len(tale.moved) - len(told)} more, and at last: " if len(tale.moved) > len(told) else ""
    tale.add(tale.depth, f"{_MOVED[type(event)]}: {more}{'; '.join(told)} ({said})" if told else said, position)


MOST_MOVED = 3
"""The most commands of an undo that a story names."""

_MOVED = {facts.Rewound: "undone", facts.Restored: "brought back", facts.UndoRequested: "asks to undo"}


def _nothing(tale: GrowingStory, event: Any, position: int) -> None:
    """Add no text; a later event tells it."""


def _chapter(
    tale: GrowingStory,
    event: facts.FightOpened | facts.RoundBegan | facts.FightEnded | facts.FightReopened,
    position: int,
) -> None:
    about = ("round",) if isinstance(event, facts.RoundBegan) else ()
    tale.add(ROUND, sentence(event, tale.names), position, *about)


def _turn(tale: GrowingStory, event: facts.TurnBegan, position: int) -> None:
    whom = event.members[0] if len(event.members) == 1 else "*"
    said = SENTENCES[facts.TurnBegan](event, tale.names)
    if event.adds and tale.last.about == ("turn",):
        tale.last.pieces, tale.last.whom = [Piece(said)], whom
    else:
        tale.add(TURN, said, position, "turn", whom=whom)


def _add_declared(tale: GrowingStory, event: facts.Declared, position: int) -> None:
    known = tale.names.words.actions.get(event.kind)
    if known is not None and not known.told:
        return
    tale.add(tale.depth, SENTENCES[facts.Declared](event, tale.names), position, "head", None, whom=event.actor)
    tale.last.manner = event.manner


def _add_attempted(tale: GrowingStory, event: facts.Attempted, position: int) -> None:
    tale.add(tale.depth, SENTENCES[facts.Attempted](event, tale.names), position, whom=event.actor)


def _add_ruled(tale: GrowingStory, event: facts.Ruled, position: int) -> None:
    tale.add(tale.depth, SENTENCES[facts.Ruled](event, tale.names), position, "ruling", whom="*")


def _add_stacked(tale: GrowingStory, event: facts.Stacked, position: int) -> None:
    if tale.last.about == ("head", None) and tale.last.whom == event.actor:
        tale.last.about = ("head", event.item)


def _add_resolved(tale: GrowingStory, event: facts.Resolved, position: int) -> None:
    if tale.last.about == ("head", event.item):
        tale.last.about = ()
    tale.pending.pop(event.item, None)


def _add_fizzled(tale: GrowingStory, event: facts.Fizzled | facts.Dropped, position: int) -> None:
    actor, what, _ = tale.pending.pop(event.item, ("", event.item, ""))
    why = tale.names.label("refusals", event.code if isinstance(event, facts.Fizzled) else event.why)
    if tale.last.about == ("head", event.item):
        tale.last.about = ()
    verb = "does not get to"
    if isinstance(event, facts.Fizzled):
        verb = "cannot" if event.code == ATTEMPT else "can no longer"
    tale.add(tale.depth, f"{name_of(tale.names, actor)} {verb} {what} ({why})", position)


def _add_rolled(tale: GrowingStory, event: facts.Rolled, position: int) -> None:
    item = pending_of(event.roll)
    action = tale.pending.get(item)
    if action and action[0] == event.by and ":" not in event.purpose and item not in tale.struck:
        tale.struck.add(item)
        if tale.last.about == ("head", item):
            tale.last.say(": ")
            tale.last.about = ("roll", event.roll)
        else:
            text = f"{action_said(*action, tale.names)}: "
            tale.add(tale.depth, text, position, "roll", event.roll, whom=event.by)
        tale.last.say(dice_said(event, tale.names), position)
    elif event.against is None:
        who = roller(event, tale.names)
        title = tale.names.label("purposes", topic_of(event.purpose))
        tale.add_to_list(
            "rolls", title, f"{title} – ", f"{who}: {dice_said(event, tale.names)}", position, roll=position
        )
    else:
        whom = about_of(event.purpose) or event.by
        tale.add(tale.depth, f"{rolls_for(event, tale.names)}: ", position, "roll", event.roll, whom=whom)
        tale.last.say(dice_said(event, tale.names), position)
        tale.last.during = action_said(*action, tale.names) if action else ""


def _add_judged(tale: GrowingStory, event: facts.Judged, position: int) -> None:
    rolled = tale.rolls.get(event.roll)
    if tale.last.about == ("roll", event.roll):
        tale.last.say(outcome(event, tale.names))
    elif rolled is not None:
        whose = possessive(roller(rolled, tale.names))
        what = tale.names.label("purposes", topic_of(rolled.purpose))
        tale.add(tale.depth, f"{whose} {what}{outcome(event, tale.names)}", position, "judged", event.roll)
        action = tale.pending.get(pending_of(event.roll))
        tale.last.during = action_said(*action, tale.names) if action and action[0] == rolled.by else ""
    else:
        _sentence(tale, event, position)


def _add_damaged(tale: GrowingStory, event: facts.Damaged, position: int) -> None:
    tale.add(tale.depth, "", position, "damage", event.who)
    tale.last.pieces = [Piece(capital(SENTENCES[facts.Damaged](event, tale.names)), position)]


def _pool(tale: GrowingStory, event: facts.PoolChanged, position: int) -> None:
    if is_budget(tale.names, event.pool):
        return
    last, who = tale.last, name_of(tale.names, event.who)
    if last.about == ("damage", event.who):
        last.say(f". {capital(pool_said(event, tale.names))}")
        last.about = ("hurt", event.who)
    elif last.whom == event.who:
        last.notes.append(pool_said(event, tale.names))
    elif last.whom == "*":
        last.notes.append(f"{who} {pool_said(event, tale.names)}")
    else:
        label = tale.names.label("pools", event.pool)
        tale.add_to_list(
            "pool", event.pool, f"{label} – ", f"{who}: {change(plain(event.before), plain(event.after))}", position
        )


def _condition(tale: GrowingStory, event: facts.ConditionChanged, position: int) -> None:
    last = tale.last
    if last.about[:1] == ("head",) and last.whom == event.who and event.condition == last.manner:
        return
    if last.about == ("hurt", event.who):
        last.say(f". {capital(is_now(tale.names, event.condition, event.after))}")
        last.about = ("changed", event.who)
        return
    joins = (("head",), ("turn",), ("ruling",), ("roll",))
    if last.about[:1] in joins and last.whom in (event.who, "*"):
        text = is_now(tale.names, event.condition, event.after)
        last.notes.append(text if last.whom == event.who else f"{name_of(tale.names, event.who)} {text}")
    else:
        _sentence(tale, event, position)


def _add_moved(tale: GrowingStory, event: facts.Moved, position: int) -> None:
    last = tale.last
    if last.about[:1] == ("head",) and last.whom == event.who:
        if event.before:
            last.notes.append(f"from {tale.names.at(event.before)}")
        if event.cost:
            last.notes.append(f"cost {way_said(event.cost, tale.names)}")
        last.about = ()
    else:
        _sentence(tale, event, position)


def _add_counted(tale: GrowingStory, event: facts.ItemCounted, position: int) -> None:
    if tale.last.whom == owner_of(event.item):
        tale.last.notes.append(thing_counted(event, tale.names))
    else:
        _sentence(tale, event, position)


def _item_moved(tale: GrowingStory, event: facts.ItemMoved, position: int) -> None:
    if tale.last.whom == event.owner:
        tale.last.notes.append(f"{name_of(tale.names, event.item)} {place_of_thing(tale.names, event.after)}")
    else:
        _sentence(tale, event, position)


def _add_joined(tale: GrowingStory, event: facts.Joined, position: int) -> None:
    tale.add(TURN, SENTENCES[facts.Joined](event, tale.names), position, "joined", whom=event.who)


def _item_added(tale: GrowingStory, event: facts.ItemAdded, position: int) -> None:
    if tale.last.whom == event.owner:
        known = (f"d{event.die}" if event.die else "", place_of_thing(tale.names, event.where) if event.where else "")
        about = ", ".join(filter(None, known))
        name = name_of(tale.names, event.item)
        tale.last.notes.append(f"{name} ({about})" if about else name)
    else:
        _sentence(tale, event, position)


def _place(tale: GrowingStory, event: facts.PlaceSet, position: int) -> None:
    if event.exits:
        _sentence(tale, event, position)
    else:
        kind = traits_said(tale.names, event.traits, event.side_traits)
        tale.add_to_list("place", kind, f"{kind}: ", tale.names.place(event.place), position)


def _distance(tale: GrowingStory, event: facts.DistanceSet, position: int) -> None:
    pair = series(name_of(tale.names, who) for who in event.pair)
    tale.add_to_list("distance", "", "apart – ", f"{pair}: {event.after}", position)


def _add_foes_set(tale: GrowingStory, event: facts.FoesSet, position: int) -> None:
    tale.add(tale.depth, sentence(event, tale.names), position, "foes")


def _add_veiled(tale: GrowingStory, event: facts.Veiled, position: int) -> None:
    if tale.last.about != ("foes",):  # the setting of the fight tells it of all foes
        _sentence(tale, event, position)


def _add_answered(tale: GrowingStory, event: facts.Answered, position: int) -> None:
    options = tale.options.get(event.question, ())
    says = next((option_said(one) for one in options if one.choice == event.choice), "")
    says = says or tale.names.label("options", event.choice)
    tale.add(tale.depth, answer_said(event, says, tale.names), position, whom=event.by)


_TOLD: dict[type[Event], Callable[[GrowingStory, Any, int], None]] = {
    facts.Answered: _add_answered,
    facts.Asked: _nothing,
    facts.Attempted: _add_attempted,
    facts.ConditionChanged: _condition,
    facts.Damaged: _add_damaged,
    facts.Declared: _add_declared,
    facts.DiceAwaited: _nothing,
    facts.DiceEntered: _nothing,
    facts.DistanceSet: _distance,
    facts.FoesSet: _add_foes_set,
    facts.Veiled: _add_veiled,
    facts.Dropped: _add_fizzled,
    facts.FightEnded: _chapter,
    facts.FightReopened: _chapter,
    facts.FightOpened: _chapter,
    facts.Fizzled: _add_fizzled,
    facts.ItemAdded: _item_added,
    facts.ItemCounted: _add_counted,
    facts.ItemMoved: _item_moved,
    facts.Joined: _add_joined,
    facts.Judged: _add_judged,
    facts.Moved: _add_moved,
    facts.Passed: _nothing,
    facts.PlaceSet: _place,
    facts.PoolChanged: _pool,
    facts.Resolved: _add_resolved,
    facts.Restored: _add_moved_head,
    facts.Rewound: _add_moved_head,
    facts.Rolled: _add_rolled,
    facts.RoundBegan: _chapter,
    facts.Ruled: _add_ruled,
    facts.Stacked: _add_stacked,
    facts.TurnBegan: _turn,
    facts.UndoRequested: _add_moved_head,
    facts.WindowOpened: _nothing,
}
"""The functions that join an event to a story in a special way, by event type."""

"""Authorised queries: each answers from the state that the viewer sees, and refuses what they may not ask."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, wraps
from math import inf
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.commands import GM
from affray.engine.core.actions import Ruling
from affray.engine.core.state import digest
from affray.engine.core.vocabulary import TABLES, Vocabulary
from affray.engine.errors import EngineError, Unusable
from affray.engine.fight import Fight
from affray.engine.visibility import (
    Viewer,
    WireLine,
    can_read,
    has_hidden_part,
    knows_sender,
    list_bands,
    project_for_sending,
    project_state,
    wire_line,
)
from affray.events import Id, Recorded, Senseless, list_naming_fields, names_recorded
from affray.tools.present.awaited import Waiting, find_awaited
from affray.tools.present.awaiting import headline
from affray.tools.present.awaiting_history import list_headlines
from affray.tools.present.fight_view import is_waiting_unseen
from affray.tools.present.perils import list_shown_perils
from affray.tools.present.story.entries import StoryEntry, entries
from affray.tools.present.story.line_sentences import LineSentences, list_openly_named

from .access import NotFound, VisibleRefusal, check_own
from .distances import Apart, distance_between
from .legal_actions import expand_action, list_actions, list_actors
from .projection import headline_for, project_fight
from .queries import explain_position, moment_of
from .schemas import fights as schemas
from .schemas.legal_actions import WhoMay
from .schemas.receipts import Explanation, list_positions
from .targeting import likely_declarations, may_do_to, where_may

T = TypeVar("T")


def sees_all(viewer: Viewer, fight: Fight) -> bool:
    """Tell whether a viewer sees everything in the record."""
    if viewer.role == "gm":
        return True
    history = fight.history
    return project_state(viewer, fight.state) is fight.state and not any(
        has_hidden_part(viewer, one, history.opened) for one in history.recorded
    )


def project_lines(viewer: Viewer, fight: Fight, recorded: Iterable[Recorded]) -> list[WireLine]:
    """Project the events of a command for a viewer, as lines."""
    format_at, sentences = fight.history.format_at, LineSentences(fight.history)
    return [
        wire_line(viewer, one, msgspec.json.encode(one.event), sentences.of(one), format=format_at(one.position))
        for one in recorded
    ]


def project_log(
    viewer: Viewer, fight: Fight, after: int, written: Iterable[bytes], most: float = inf
) -> list[WireLine]:
    """Project the stored lines after a position for a viewer.

    Each line is encoded here, not on the event loop, since together they may be long.

    Args:
        most: The size in bytes at which to stop, as the viewer receives them. So it does not tell how long a sealed
            line is.
    """
    history, sentences = fight.history, LineSentences(fight.history)
    lines: list[msgspec.Raw] = []
    size = 0
    for position, line in enumerate(written, after + 1):
        one, payload = history.at(position), msgspec.json.decode(line, type=_Payload).event
        format = history.format_at(position)
        seen = wire_line(viewer, one, payload, sentences.of(one), opened=history.opened, format=format)
        lines.append(msgspec.Raw(msgspec.json.encode(seen)))
        size += len(lines[-1])
        if size >= most:
            break
    return cast("list[WireLine]", lines)


def project_story(viewer: Viewer, fight: Fight, after: int = 0) -> tuple[list[StoryEntry], int]:
    """Return the story of a fight for a viewer, and the number of all its entries.

    Each entry is encoded here, not on the event loop, since together they may be long.

    Args:
        after: The number of entries to skip.
    """
    opened = fight.history.opened
    recorded = fight.history.recorded
    told = entries((one for one in recorded if can_read(viewer, one, opened)), list_openly_named(recorded))
    return cast("list[StoryEntry]", [msgspec.Raw(msgspec.json.encode(one)) for one in told[after:]]), len(told)


class _Payload(Struct):
    event: msgspec.Raw


def waiting_for(viewer: Viewer, fight: Fight) -> Waiting:
    """Describe what a fight waits for, from the state that the viewer sees."""
    seen = project_fight(viewer, fight)
    says = headline(seen, None if viewer.role == "gm" else viewer.owns)
    if is_waiting_unseen(seen):
        return Waiting(awaits="action", of=[GM], headline=says)
    return replace(find_awaited(project_state(viewer, fight.state), fight.history.closed), headline=says)


def list_actors_for(viewer: Viewer, fight: Fight) -> WhoMay:
    """List the combatants who may act now, and what else the fight waits for; players get their own combatants.

    The actions of each are one level further down. Leaving out an actor because of a hidden combatant would reveal that
    combatant. So offers, here and in each further step, follow from the viewer's state; the command may still be
    refused. The same holds for the dangers to combatants.
    """
    seen = project_fight(viewer, fight)
    found = WhoMay(fight.head, [], [], "", "")
    if viewer.role == "gm":
        found = list_actors(seen)
    elif viewer.role == "player":
        with suppress(Senseless, Unusable):  # who may act may depend on hidden state
            found = list_actors(seen, viewer.owns)
    perils = [] if fight.history.closed else list_shown_perils(seen.ruleset, seen.table)
    return replace(found, headline=found.headline or headline_for(viewer, fight), perils=perils)


def _ask_about_visible(viewer: Viewer, fight: Fight, ask: Callable[..., T], *given: Any, **named: Any) -> T:
    """Ask about a fight from visible state.

    The names in a question are the viewer's own words, so a refusal may repeat them.

    Raises:
        VisibleRefusal: the engine refuses the question, or does not understand it.
    """
    if viewer.role == "gm":
        return ask(fight, *given, **named)
    try:
        return ask(project_fight(viewer, fight), *given, blind=True, **named)
    except EngineError as error:
        raise VisibleRefusal(error) from None


def _of_own(ask: Callable[..., T]) -> Callable[..., T]:
    """Let a viewer ask about a combatant that they play: ``who``, the first argument after the fight.

    Raises:
        NotAllowed: the viewer does not play the combatant.
        VisibleRefusal: see ``_ask_about_visible``.
    """

    @wraps(ask)
    def asking(viewer: Viewer, fight: Fight, who: Id, *given: Any, **named: Any) -> T:
        check_own(viewer, who)
        return _ask_about_visible(viewer, fight, ask, who, *given, **named)

    return asking


list_actions_for = _of_own(list_actions)
list_choices_for = _of_own(expand_action)
list_targeted_actions_for = _of_own(may_do_to)
list_destinations_for = _of_own(where_may)
suggest_action_for = _of_own(likely_declarations)


def measure_distance_for(viewer: Viewer, fight: Fight, here: Id, there: Id) -> Apart:
    """Measure the distance between two places, as the rules count it and in words.

    Raises:
        VisibleRefusal, Refused, Unusable: see ``distance_between``.
    """
    return _ask_about_visible(viewer, fight, lambda seen, **_: distance_between(seen, here, there))


def describe_fight(viewer: Viewer, fight: Fight) -> schemas.About:
    """Describe a fight: its rules, its head, what it waits for, and the role of the client."""
    state, rules, history = fight.state, fight.ruleset, fight.history
    return schemas.About(
        id=fight.name,
        name=state.fight,
        system=rules.name,
        title=rules.title,
        version=history.version,
        map=rules.board.kind,
        head=fight.head,
        hash=history.head_hash,
        closed=bool(history.closed),
        ended=state.ended,
        you=viewer,
        waiting=waiting_for(viewer, fight),
    )


def read_state(viewer: Viewer, fight: Fight, at: int | None = None) -> schemas.Moment:
    """Return the present or a past state, without what is hidden from the viewer.

    A viewer who does not see everything can see past states only between commands (400).
    """
    full = sees_all(viewer, fight)
    moment = moment_of(fight) if at is None else moment_of(fight, at)
    if not full and fight.history.at(moment["position"]).more:  # a combatant may have joined who hides a moment later
        raise Unusable("is in the middle of a command", "at")
    whole = moment["state"]
    return schemas.Moment(
        position=moment["position"],
        hash=moment["hash"],
        state=whole if full else project_for_sending(viewer, whole),
        digest=digest(whole) if full else "",
        bands=list_bands(viewer, whole),
    )


def tell_story_for(viewer: Viewer, fight: Fight, after: int) -> schemas.Story:
    """Tell the story of a fight in sentences, as the viewer may read it, without its first lines.

    The last line of a story can still grow: ask for it again together with the new ones.
    """
    return schemas.Story(fight.head, *project_story(viewer, fight, after))


def tell_headlines(viewer: Viewer, fight: Fight) -> schemas.Headlines:
    """Return the headline at each position of a fight, for its playback."""
    hides = not sees_all(viewer, fight)
    return schemas.Headlines(fight.head, list_headlines(fight.history.recorded, viewer if hides else None))


def get_vocabulary(_: Viewer, fight: Fight) -> Vocabulary:
    """Return the vocabulary of the fight's rules: words for users, and their meaning."""
    return fight.ruleset.vocabulary


def list_clauses(_: Viewer, fight: Fight) -> dict[str, schemas.Clause]:
    """Return the clauses of the fight's rules, in our own words, by their name."""
    return {name: schemas.Clause(one.section, one.title, one.says) for name, one in fight.ruleset.clauses.items()}


def list_ruling_forms(_: Viewer, fight: Fight) -> list[schemas.RulingForm]:
    """List the rulings that game masters may give, each with a JSON Schema of its fields."""
    return [_describe_ruling(kind, form) for kind, form in fight.ruleset.rulings.items()]


@cache
def _describe_ruling(kind: str, form: type[Ruling]) -> schemas.RulingForm:
    people, things = list_naming_fields(form, "combatant"), list_naming_fields(form, "item")
    named = {field: TABLES.get(what, what) for field, what in names_recorded(form).items()}
    schema = msgspec.convert(msgspec.json.schema(form), schemas.Schema)
    return schemas.RulingForm(kind, form.says, form.words, people, things, schema, named)


def explain_for(viewer: Viewer, fight: Fight, position: int) -> Explanation:
    """Explain an event: its cause, its clauses, and for a roll the source of each die.

    Hidden events, and those that rest on hidden ones, are missing (404).

    Raises:
        NotFound: it is missing.
    """
    history = fight.history
    missing = NotFound(f"there is no position {position}")
    if not 1 <= position <= fight.head or not can_read(viewer, history.at(position), history.opened):
        raise missing
    told = explain_position(fight, position, viewer)
    rests_on_hidden = not all(can_read(viewer, history.at(one), history.opened) for one in list_positions(told))
    if viewer.role != "gm" and rests_on_hidden:
        raise missing
    if knows_sender(viewer, history.at(position), history.opened):
        return told
    return replace(told, command=replace(told.command, who="", id=""))  # the viewer may not know who sent it

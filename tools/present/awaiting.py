"""The headline of a fight for a viewer: the turn, or the awaited input."""

from collections.abc import Collection, Sequence

from msgspec import Raw

from affray.engine.commands import GM
from affray.engine.core.state import Awaited, Question, Window
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.runtime.hidden_causes import ATTEMPT
from affray.engine.runtime.offer_tree import Offers
from affray.engine.runtime.offers import build_offer_trees
from affray.events import Id, Senseless

from .awaited import Waiting, find_awaited
from .fight_view import WAITING, is_waiting_unseen
from .names import names_of_state
from .story.actions import phrase
from .story.questions import pending_sentence, question_said
from .story.sentences import dice_wanted, purpose
from .story.words import (
    MANY,
    Names,
    capital,
    name_of,
    name_of_slot,
    name_or_count,
    possessive,
    series,
    won_by,
)


def headline(fight: Fight, mine: Collection[Id] | None = None, asked: str | None = None) -> str:
    """Return the headline of a fight: ``Your turn: Ilse``, ``Waiting for Bram: push?``.

    Args:
        fight: The fight, projected for the viewer.
        mine: The combatants of the viewer. Without them the viewer is the game master, who may answer any question; the
            headline then names its recipients.
        asked: The pending question as a sentence without its roll, if the caller has it already.
    """
    try:
        return capital(_sentence(fight, {GM} if mine is None else {*mine}, asked))
    except (Senseless, EngineError):  # who may act can depend on a hidden fact
        return ""


def _sentence(fight: Fight, mine: Collection[Id], asked: str | None) -> str:
    draft, names = fight.table.draft, names_of_state(fight.table.draft)
    if is_waiting_unseen(fight):
        return WAITING
    match find_awaited(draft, fight.history.closed):
        case Waiting(question=Question() as question):
            asks = asked or question_said(question.about, question.of, draft.stack, None, names)
            says = _question_line(question, asks, mine, names)
        case Waiting(dice=Awaited() as dice):
            says = _dice(dice, mine, names)
        case Waiting(window=Window() as window):
            says = _open(window, pending_sentence(draft.stack, names), mine, names)
        case _ if draft.ended:
            says = f"the fight is over, {won_by(draft.victors, *draft.allied_victors)}"
        case Waiting(awaits="nothing"):
            says = "the record is closed"
        case _ if draft.acting:
            says = _up(draft.up, draft.acting, mine, names)
        case _ if draft.phase == fight.ruleset.flow.initial:
            says = "you begin the fight" if GM in mine else "the fight has not begun: waiting for the game master"
        case _:
            says = _next(build_offer_trees(fight.ruleset, fight.table), mine, names)
    return says


def _question_line(asked: Question, says: str, mine: Collection[Id], names: Names) -> str:
    if not set(asked.of).isdisjoint(mine):
        return f"you are asked: {says}"
    if asked.about == ATTEMPT:
        return WAITING
    people = name_people(asked.of, names)
    return f"{people} {_is(asked.of)} asked: {says}" if GM in mine else f"waiting for {people}: {says}"


def _dice(awaited: Awaited, mine: Collection[Id], names: Names) -> str:
    dice = f"{dice_wanted(awaited.dice)} {purpose(awaited.purpose, names)}"
    if awaited.by in mine:
        return f"your dice, {name_of(names, awaited.by)}: {dice}"
    return f"waiting for {possessive(name_of(names, awaited.by))} dice: {dice}"


def _open(window: Window, means: str, mine: Collection[Id], names: Names) -> str:
    what = means or "between turns"
    asked = window.to if GM in mine else [who for who in window.to if who in mine]
    return (
        f"{name_or_count(asked, names)} can react: {what}"
        if asked
        else f"waiting for {name_people(window.to, names)}: {what}"
    )


def _up(slot: Id, acting: Collection[Id], mine: Collection[Id], names: Names) -> str:
    own = [who for who in acting if who in mine]
    if own:
        return f"your turn: {name_or_count(own, names)}"
    if len(acting) > MANY:
        return f"{possessive(name_of_slot(names, slot))} turn: {len(acting)} to act"
    return f"{possessive(series(name_of(names, who) for who in acting))} turn"


def _next(ways: Sequence[Offers], mine: Collection[Id], names: Names) -> str:
    """Name the combatants that may act next between turns, and the first one's only action."""
    people = list(dict.fromkeys(way.actor for way in ways))
    kinds = [kind for way in ways[:1] for kind, refusal in way.kinds() if refusal is None]
    what = phrase(kinds[0], Raw(b"{}"), names) if len(kinds) == 1 else "go on"
    own = [who for who in people if who in mine]
    if own:
        return "you go on" if own == [GM] else f"you may {what}: {name_people(own, names)}"
    if not people:
        return "no combatant can act"
    return (
        f"{name_people(people, names)} may {what}"
        if GM in mine
        else f"waiting for {name_people(people, names)} to {what}"
    )


def _is(who: Collection[Id]) -> str:
    return "is" if len(who) == 1 else "are"


def name_people(who: Collection[Id], names: Names) -> str:
    """Return the names of alternative combatants, joined by ``or``, or how many they are."""
    return name_or_count(who, names, "or")

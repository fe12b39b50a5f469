"""The line that names the turn of a fight, or its awaited input."""

from affray.engine.core.draft import Draft
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import Awaited, Question, State, Window
from affray.engine.core.table import Table
from affray.engine.fight import Fight
from affray.engine.runtime.offers import list_movers
from affray.events import Option, topic_of
from affray.tools.present.awaited import Waiting, find_awaited
from affray.tools.present.awaiting import name_people
from affray.tools.present.names import list_typed_fields, names_of_state
from affray.tools.present.story.actions import phrase
from affray.tools.present.story.questions import still_asked
from affray.tools.present.story.sentences import dice_awaited_said, option_said
from affray.tools.present.story.words import Names, capital, name_of, possessive, series, won_by

MOST_FIELDS = 2
"""The most fields of an option that one line spells out."""


def waiting_line(fight: Fight) -> str:
    """Return one line that names the turn, or the awaited input and its senders."""
    if fight.history.closed:
        return f"The record is closed, at position {fight.history.closed}; a fork of it can go on"
    return waiting_sentence(fight.state, fight.ruleset)


def waiting_sentence(state: State, ruleset: Ruleset) -> str:
    """Return the same of a state."""
    names = names_of_state(state)
    match find_awaited(state):
        case Waiting(question=Question() as question, of=of):
            options = (still_asked(one, state.combatants, names.words) for one in question.options)
            ways = series((f"{one.choice}{_wants(one)} ({option_said(one)})" for one in options), "or")
            says = f"{name_people(of, names)} must answer, {names.label('questions', topic_of(question.about))}: {ways}"
        case Waiting(dice=Awaited() as dice):
            says = dice_awaited_said(dice.by, dice.purpose, dice.dice, names)
        case Waiting(window=Window(what=what), of=of):
            says = f"{name_people(of, names)} may {names.label('triggers', what)} or pass{_on(state, names)}"
        case Waiting(awaits="nothing"):
            says = f"the fight is over, {won_by(state.victors, *state.allied_victors)}"
        case _ if state.stack:
            says = f"something is pending{_on(state, names)}"
        case _ if state.acting:
            says = f"it is {possessive(series(name_of(names, one) for one in state.acting))} turn"
        case _ if state.phase == ruleset.flow.initial:
            says = "the fight has not begun: the game master begins it"
        case _:
            table = Table(Draft(state), config_of(ruleset, state.config))
            may = dict.fromkeys(who for who, _ in list_movers(ruleset, table))
            says = f"{name_people(may, names)} may act" if may else "no combatant can act"
            says += f": {names.label('phases', state.phase)}"
    return capital(says)


def _on(state: State, names: Names) -> str:
    if not state.stack:
        return ", between turns"
    top = state.stack[-1]
    return f": {name_of(names, top.actor)} means to {phrase(top.kind, top.params, names, top.actor)}"


def _wants(option: Option) -> str:
    if len(option.fields) > MOST_FIELDS:
        return " …"
    return "".join(f" {one}" for one in list_typed_fields(option))

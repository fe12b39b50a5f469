"""The line that names the turn of a fight, or its awaited input."""

from affray.engine.core.draft import Draft
from affray.engine.core.ruleset import Ruleset, config_of
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.fight import Fight
from affray.engine.runtime.offers import list_movers
from affray.events import Option, topic_of
from affray.tools.present.names import field_said, names_of_state
from affray.tools.present.story.actions import phrase
from affray.tools.present.story.questions import still_asked
from affray.tools.present.story.sentences import dice_wanted, option_said, purpose
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
    if state.ended and state.question is None and state.awaited is None:
        return f"The fight is over, {won_by(state.victors, *state.allied_victors)}"
    if not state.quiet:
        return capital(_pending_text(state, names))
    if state.acting:
        return f"It is {possessive(series(name_of(names, one) for one in state.acting))} turn"
    if state.phase == ruleset.flow.initial:
        return "The fight has not begun: the game master begins it"
    may = dict.fromkeys(who for who, _ in list_movers(ruleset, Table(Draft(state), config_of(ruleset, state.config))))
    if may:
        return capital(
            f"{series((name_of(names, who) for who in may), 'or')} may act: {names.label('phases', state.phase)}"
        )
    return f"Nobody is up: {names.label('phases', state.phase)}"


def _pending_text(state: State, names: Names) -> str:
    if state.question is not None:
        who = series((name_of(names, one) for one in state.question.of), "or")
        options = (still_asked(one, state.combatants, names.words) for one in state.question.options)
        ways = series((f"{one.choice}{_wants(one)} ({option_said(one)})" for one in options), "or")
        return f"{who} must answer, {names.label('questions', topic_of(state.question.about))}: {ways}"
    if state.awaited is not None:
        wanted = f"{dice_wanted(state.awaited.dice)} {purpose(state.awaited.purpose, names)}"
        return f"{possessive(name_of(names, state.awaited.by))} dice are awaited: {wanted}"
    if state.window is not None:
        who = series((name_of(names, one) for one in state.window.to), "or")
        return f"{who} may {names.label('triggers', state.window.what)} or pass{_on(state, names)}"
    return f"something is pending{_on(state, names)}"


def _on(state: State, names: Names) -> str:
    if not state.stack:
        return ", between turns"
    top = state.stack[-1]
    return f": {name_of(names, top.actor)} means to {phrase(top.kind, top.params, names, top.actor)}"


def _wants(option: Option) -> str:
    if len(option.fields) > MOST_FIELDS:
        return " …"
    return "".join(f" {field_said(one)}" for one in option.fields)

"""The validation of declarations, answers, settings and entered dice."""

import shlex
from collections.abc import Callable

from affray.engine.core.actions import Action, Ruling
from affray.engine.core.awaiting import describe_awaited
from affray.engine.core.draft import Draft
from affray.engine.core.flow import MEANWHILE, Step
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import Awaited, Question
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.events import (
    EVERYBODY,
    Answered,
    AskingSet,
    Declared,
    DiceEntered,
    Field,
    Option,
    WhenAsked,
    find_value,
    topic_of,
)

from .dice import DiceSource, EnteredDice, Faces


def check_open(closed: int) -> None:
    """Refuse every command once a record has ended.

    Args:
        closed: The position of the line that closed it; 0 while it is open.

    Raises:
        Refused: it has ended.
    """
    if closed:
        said = f"the record ended at position {closed}; a fork of it can go on"
        raise Refused("closed", "", said, source=str(closed))


def check_nothing_awaited(ruleset: Ruleset, draft: Draft) -> None:
    """Refuse every declaration while an answer or dice are awaited.

    Raises:
        Refused: with the clause that forbids other input meanwhile.
    """
    if draft.question is None and draft.awaited is None:
        return
    topic = topic_of(draft.question.about if draft.question else draft.awaited.purpose if draft.awaited else "")
    refusal = ruleset.flow.refusal(draft.phase, f"{MEANWHILE}{topic}")
    raise Refused(refusal.code, refusal.rule, describe_awaited(draft, ruleset.vocabulary), source=draft.phase)


def check_declaration(ruleset: Ruleset, table: Table, intent: Declared) -> tuple[Action, str, Step]:
    """Check a declaration; return its action, its trigger and the flow's step.

    Raises:
        Refused: the phase or the rules forbid it.
        Unusable: it cannot be understood.
    """
    action = ruleset.decode_declaration(intent)
    trigger = action.trigger(ruleset.turns.manners[intent.manner])
    step = ruleset.flow.permit(table, intent.actor, trigger)
    action.check(table, intent.actor, intent.manner)
    return action, trigger, step


ASKING_TEXTS: dict[WhenAsked, str] = {
    "always": "always",
    "worthwhile": "only when something is worthwhile",
    "targeted": "only when targeted",
    "never": "never",
}
"""The texts for how often a combatant is asked."""


def check_asking(table: Table, intent: AskingSet) -> None:
    """Refuse a setting of how often a combatant is asked that changes nothing.

    Raises:
        Refused: with a line that changes it.
    """
    draft, who, ask = table.draft, intent.who, intent.ask
    other = "never" if ask == "always" else "always"
    if who == EVERYBODY:
        if draft.stops.get(intent.what) != ask or (not intent.what and draft.patience != intent.seconds):
            return
        where = f" in windows of the kind {intent.what}" if intent.what else ""
        waits = f", for {intent.seconds} seconds" if intent.seconds else ""
        said, source = f"the table stops {ASKING_TEXTS[ask]} already{where}{waits}", draft.phase
    elif draft.standing.get(who, "always") != ask:
        return
    else:
        said, source = f"{table.name_of(who)} is asked {ASKING_TEXTS[ask]} already", who
    raise Refused("no_change", "", said, source, example=f"stand {who} {other} {intent.what}".rstrip())


def check_answer(question: Question, answer: Answered, refuses: Callable[[Answered], None] | None = None) -> None:
    """Refuse an answer that the question does not take; the question then stays open.

    Args:
        refuses: Refuses an answer with the rules' own reason.

    Raises:
        Refused: its sender was not asked, or the rules forbid the choice.
        Unusable: the option does not exist, or a field is missing, unknown or out of bounds.
    """
    if answer.by != "gm" and answer.by not in question.of:
        asked = " or ".join(question.of)
        raise Refused("not_asked", "", f"{answer.by} was not asked; {asked} may answer", source=question.id)
    if refuses is not None:
        refuses(answer)
    options = {one.choice: one for one in question.options}
    if answer.choice not in options:
        raise Unusable(f"{answer.choice} is no answer to {question.topic}; there are {', '.join(options)}", "choice")
    check_fields(options[answer.choice], answer)


def check_fields(option: Option, answer: Answered) -> None:
    """Refuse fields that an option does not take; see ``check_answer``."""
    known = {(field.about, field.name) for field in option.fields}
    unknown = sorted(name for name in answer.fields if ("", name) not in known)
    if unknown:
        raise Unusable(f"{option.choice} does not take {', '.join(unknown)}", "fields")
    for about, values in answer.about.items():
        more = sorted(name for name in values or ("anything",) if (about, name) not in known)
        if more:
            raise Unusable(f"{option.choice} does not take {', '.join(more)} about {about}", "about")
    for field in option.fields:
        fault = _fault(field, find_value(answer, field))
        if fault:
            raise Unusable(fault, f"about.{field.about}.{field.name}" if field.about else f"fields.{field.name}")


def _fault(field: Field, value: object) -> str:
    """Return the fault of a field's value; empty if there is none."""
    if value is None and field.optional:
        return ""
    if field.kind == "int":
        if isinstance(value, int) and not isinstance(value, bool) and field.low <= value <= field.high:
            return ""
        return f"must be a whole number from {field.low} to {field.high}"
    if field.kind == "id":
        return "" if value in field.among else f"must be one of {', '.join(field.among)}"
    return "" if isinstance(value, str) and value.strip() else "must be a text"


def check_faces(awaited: Awaited, entered: DiceEntered) -> Faces:
    """Check entered faces, and return them group by group.

    Raises:
        Unusable: there are too few or too many of them, or a die cannot show such a face.
    """
    wanted = [one.sides for one in awaited.dice for _ in range(one.count)]
    said = " ".join(f"{one.count}d{one.sides}" for one in awaited.dice)
    if len(wanted) != len(entered.faces):
        raise Unusable(f"{said} wanted for {awaited.purpose}, {len(entered.faces)} faces entered", "faces")
    for face, sides in zip(entered.faces, wanted, strict=True):
        if not 1 <= face <= sides:
            raise Unusable(f"a d{sides} cannot show {face}", "faces")
    groups, at = [], 0
    for one in awaited.dice:
        groups.append(entered.faces[at : at + one.count])
        at += one.count
    return tuple(groups)


def check_ruled_dice(ruling: Ruling, dice: DiceSource, draft: Draft) -> None:
    """Refuse to use the engine's dice in a fight that was opened without a seed.

    Raises:
        Refused: says how a fight with a seed is opened.
    """
    if ruling.kind == "dice" and getattr(ruling, "source", "") == "engine" and isinstance(dice, EnteredDice):
        side = next((one.side for one in draft.combatants.values()), "SIDE")
        way = shlex.quote(f"entered:{side}")
        message = "this fight keeps no seed for the engine's dice, as all its dice are entered; open one that does"
        raise Refused("no_seed", "", f"{message}: affray new ENCOUNTER.toml --dice {way}", source="dice")

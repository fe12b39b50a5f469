"""A sentence for each type of event."""

from msgspec.structs import replace

from affray import events as facts
from affray.engine.core.sentences import fill_in
from affray.engine.core.words import MannerWord, QuestionWord
from affray.engine.texts import quote, word_said
from affray.events import Dice, Id, Option, about_of, name_of_path, question_topic, topic_of

from .actions import fields_said, pending_said, phrase, ruling_said
from .changes import CHANGES
from .record_changes import RECORD_CHANGES
from .words import (
    Names,
    Sentences,
    Several,
    dice_said,
    name_of,
    name_of_slot,
    name_or_count,
    possessive,
    series,
    third_person,
    won_by,
)

SENTENCES = Sentences({**CHANGES, **RECORD_CHANGES})
"""The functions that tell an event, by event type."""

_CALLED_OFF = frozenset({"fight over", "fight reopened", "ruled"})
"""The reasons of the rules for dropping a pending action; any other reason is free text."""

SENTENCES.tell(facts.RoundBegan, lambda event, names: f"round {event.round}")
SENTENCES.tell(facts.MemberDone, lambda event, names: f"{name_of(names, event.who)} is done")
SENTENCES.tell(facts.TurnEnded, lambda event, names: f"the turn of {name_of_slot(names, event.slot)} is over")
SENTENCES.tell(facts.Answered, lambda event, names: answer_said(event, names.label("options", event.choice), names))
SENTENCES.tell(
    facts.Passed,
    lambda event, names: (
        f"{'everybody' if event.who == facts.EVERYBODY else name_of(names, event.who)} lets it pass{_passed_for(event)}"
    ),
)
SENTENCES.tell(facts.Resolved, lambda event, names: f"{pending_said(event.item, names)} has taken place")
SENTENCES.tell(
    facts.Fizzled,
    lambda event, names: f"{pending_said(event.item, names)} comes to nothing ({names.label('refusals', event.code)})",
)
SENTENCES.tell(facts.Rolled, lambda event, names: f"{rolls_for(event, names)}: {dice_said(event, names)}")
SENTENCES.tell(facts.Judged, lambda event, names: f"that is {came_to(event, names)}")


@SENTENCES.tells(facts.Dropped)
def _(event: facts.Dropped, names: Names) -> str:
    why = event.why if event.why in _CALLED_OFF else quote(event.why)
    return f"{pending_said(event.item, names)} is called off ({why})"


# --- the course of the fight ---


@SENTENCES.tells(facts.PhaseEntered)
def _(event: facts.PhaseEntered, names: Names) -> str:
    of = f" of {pending_said(event.item, names)}" if event.item else ""
    words = names.words
    return f"phase{of}: {words.label('phases', event.phase)}, on {words.label('triggers', event.trigger)}"


@SENTENCES.tells(facts.OrderSet)
def _(event: facts.OrderSet, names: Names) -> str:
    scored = any(slot.score for slot in event.slots)
    order = ", ".join(f"{name_of_slot(names, slot.id)}{f' ({slot.score})' if scored else ''}" for slot in event.slots)
    return f"turn order: {order or 'nobody yet'}"


@SENTENCES.tells(facts.TurnBegan)
def _(event: facts.TurnBegan, names: Names) -> str:
    if event.members == (event.slot,):
        return f"{possessive(name_of(names, event.slot))} turn"
    return f"turn of {name_of_slot(names, event.slot)}: {name_or_count(event.members, names)}"


def _passed_for(event: facts.Passed) -> str:
    """Return the reason for an automatic pass; empty for a combatant's own."""
    return {"": "", "not worth": ", with nothing worth doing", "time": ", for the time is up"}[event.why]


@SENTENCES.tells(facts.WindowOpened)
def _(event: facts.WindowOpened, names: Names) -> str:
    return f"{series((name_of(names, who) for who in event.to), 'or')} may {names.label('triggers', event.what)} now"


@SENTENCES.tells(facts.OfferDeclined)
def _(event: facts.OfferDeclined, names: Names) -> str:
    standing = " as always" if event.standing else ""
    return f"{name_of(names, event.who)} lets it pass{standing}"


@SENTENCES.tells(facts.WindowClosed)
def _(event: facts.WindowClosed, names: Names) -> str:
    missed = f"; {series(name_of(names, who) for who in event.expired)} could still have answered"
    return f"nobody can answer any more ({word_said(event.how)}){missed if event.expired else ''}"


@SENTENCES.tells(facts.FightEnded)
def _(event: facts.FightEnded, names: Names) -> str:
    why = f": {names.words.ending(event.why, event.victors)}" if event.why else ""
    return f"the fight is over, {won_by(event.victors, *event.allies)}{why}"


@SENTENCES.tells(facts.FightReopened)
def _(event: facts.FightReopened, names: Names) -> str:
    return "the fight goes on after all"


# --- free text ---


@SENTENCES.tells(facts.Declared)
def _(event: facts.Declared, names: Names) -> str:
    return action_said(event.actor, phrase(event.kind, event.params, names, event.actor), event.manner, names)


@SENTENCES.tells(facts.Attempted)
def _(event: facts.Attempted, names: Names) -> str:
    what = phrase(event.kind, event.params, names, event.actor)
    return action_said(event.actor, f"try to {what}", event.manner, names)


@SENTENCES.tells(facts.AttemptRefused)
def _(event: facts.AttemptRefused, names: Names) -> str:
    because = series((name_of(names, who) for who in event.because_of), "or")
    why = f"{names.label('refusals', event.code)}{f', because of {because}' if because else ''}"
    return f"{name_of(names, event.actor)} cannot ({why})"


def action_said(actor: str, what: str, manner: str, names: Names, *, sure: bool = True) -> str:
    """Return a sentence of actor and action, as done or (not ``sure``) as meant."""
    who = name_of(names, actor)
    does = what if sure else f"mean to {what}"
    played = names.words.manners.get(manner, MannerWord())
    if played.says:
        done = played.says.replace("{what}", what if not sure else third_person(what, who))
        return f"{who} {third_person(done if sure else f'mean to {done}', who)}"
    how = "" if played.plain else f" ({names.label('manners', manner)})"
    return f"{who}{how} {third_person(does, who)}"


def answer_said(event: facts.Answered, says: str, names: Names) -> str:
    """Return an answer as a sentence, with its reason and, for the game master, its target."""
    asked, who = question_topic(event.question), name_of(names, event.by)
    whom = names.get(about_of(name_of_path(event.question)), "") if event.by == "gm" else ""
    does = names.words.questions.get(topic_of(asked), QuestionWord()).does.get(event.choice)
    why = f" – {quote(event.reason)}" if event.reason else ""
    if does:
        done = choice_said(event, does, names)
        return (f"{who} lets {whom} {done}" if whom else f"{who} {third_person(done, who)}") + why
    return f"{who}{f' on {whom}' if whom else ''}: {choice_said(event, says, names)}{why}"


def option_said(option: Option) -> str:
    """Return the text of an option; free text in it is quoted."""
    return quote(option.says) if any(one.kind == "text" for one in option.fields) else option.says


def choice_said(event: facts.Answered, says: str, names: Names) -> str:
    """Return the same without who chose."""
    filled = fields_said(event, names)
    return f"{says} ({filled})" if filled else says


@SENTENCES.tells(facts.AskingSet)
def _(event: facts.AskingSet, names: Names) -> str:
    if event.who == facts.EVERYBODY:
        return _stops(event, names)
    how = {
        "never": "lets everything pass from now on",
        "targeted": "lets everything pass from now on unless aimed at",
        "worthwhile": "lets pass from now on what is not worth an answer",
        "always": "wants to be asked again",
    }
    return f"{name_of(names, event.who)} {how[event.ask]}"


def _stops(event: facts.AskingSet, names: Names) -> str:
    """Return when the table stops from now on."""
    when = {
        "never": "for nobody",
        "targeted": "only for those who are aimed at",
        "worthwhile": "only for those who are aimed at or have something worth doing",
        "always": "for whoever can answer",
    }
    where = f" in windows to {names.label('triggers', event.what)}" if event.what else ""
    waits = f", and waits {event.seconds} seconds at most" if event.seconds else ""
    return f"the table stops {when[event.ask]} from now on{where}{waits}"


@SENTENCES.tells(facts.Ruled)
def _(event: facts.Ruled, names: Names) -> str:
    return f"the game master rules: {ruling_said(event.kind, event.params, names)} – {quote(event.reason)}"


@SENTENCES.tells(facts.Stacked)
def _(event: facts.Stacked, names: Names) -> str:
    what = phrase(event.kind, event.params, names, event.actor)
    return f"pending at {event.at}: {name_of(names, event.actor)} ({names.label('manners', event.manner)}) to {what}"


@SENTENCES.tells(facts.Asked)
def _(event: facts.Asked, names: Names) -> str:
    ways = series((f"{names.label('options', one.choice)} ({option_said(one)})" for one in event.options), "or")
    whom, about = series((name_of(names, who) for who in event.of), "or"), topic_of(event.about)
    return f"{whom} is asked about {names.label('questions', about)}: {ways}"


@SENTENCES.tells(facts.Withdrawn)
def _(event: facts.Withdrawn, names: Names) -> str:
    return f"nothing is wanted {purpose(question_topic(event.what), names)} any more"


# --- dice ---


def rolls_for(event: facts.Rolled, names: Names) -> str:
    """Return the roller and the purpose of a roll, as text."""
    who = roller(event, names)
    rolls = f"{possessive(who)} roll" if isinstance(who, Several) else f"{who} rolls"
    return f"{rolls} {purpose(event.purpose, names)}"


def roller(event: facts.Rolled | facts.DiceAwaited, names: Names) -> str:
    """Return the name of the combatant, group or side that rolls."""
    about = about_of(event.purpose)
    return name_of_slot(names, about if about in names or about in names.sides else event.by)


def purpose(name: str, names: Names) -> str:
    """Return the purpose of a roll: ``for attack``, ``at the brink``."""
    word = topic_of(name)
    known = names.words.purposes.get(word)
    return known.says if known is not None and known.says else f"for {names.label('purposes', word)}"


def outcome(event: facts.Judged, names: Names) -> str:
    """Return the outcome of a roll, as it follows the dice: ``, a hit by 2``."""
    return " ".join(_came_to(event, names))


def came_to(event: facts.Judged, names: Names) -> str:
    """Return a roll's outcome without punctuation: ``a hit by 2``."""
    return _came_to(event, names)[1]


def _came_to(event: facts.Judged, names: Names) -> tuple[str, str]:
    """Return the outcome of a roll, with the separator before it."""
    if event.rolled:
        by_dice = _came_to(replace(event, outcome=event.rolled, rolled=""), names)[1]
        return ":", f"{_came_to(replace(event, margin=0, rolled=''), names)[1]} by ruling, not {by_dice}"
    known = names.words.outcomes.get(event.outcome)
    if known is not None and known.says:
        return ",", fill_in(known.says, lambda _: str(abs(event.margin)) if event.margin else None)
    return ":", names.label("outcomes", event.outcome)


@SENTENCES.tells(facts.DiceAwaited)
def _(event: facts.DiceAwaited, names: Names) -> str:
    wanted = f"{dice_wanted(event.dice)} {purpose(event.purpose, names)}"
    return f"{possessive(roller(event, names))} dice are awaited, {wanted}"


def dice_wanted(dice: tuple[Dice, ...]) -> str:
    """Return the dice to throw, such as ``2d6 and 1d20``."""
    return series(f"{one.count}d{one.sides}" for one in dice)


def dice_awaited_said(by: Id, wanted_for: str, dice: tuple[Dice, ...], names: Names) -> str:
    """Name the owner of awaited dice, and the dice: ``Ilse's dice are awaited: 1d20 for attack``."""
    whose = possessive(name_of(names, about_of(wanted_for) or by))
    return f"{whose} dice are awaited: {dice_wanted(dice)} {purpose(wanted_for, names)}"


@SENTENCES.tells(facts.DiceEntered)
def _(event: facts.DiceEntered, names: Names) -> str:
    return f"dice entered: {', '.join(map(str, event.faces))}"

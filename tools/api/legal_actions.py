"""The legal actions, step by step: actors, actions, then the values of each field."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from sys import intern
from typing import Any

from msgspec import UNSET, UnsetType

from affray.engine.commands import GM
from affray.engine.core.actions import Action
from affray.engine.core.preview import Prospect
from affray.engine.errors import EngineError, Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.runtime.offer_tree import FieldStep, No, Offers
from affray.engine.runtime.offers import (
    AwaitedDice,
    LegalAction,
    OpenPass,
    OpenQuestion,
    build_offer_trees,
    list_awaited,
    list_legal_actions,
)
from affray.engine.runtime.partial_action import PartialAction
from affray.engine.runtime.preview import preview_action
from affray.events import Declared, Id, Senseless
from affray.tools.present.awaiting import headline
from affray.tools.present.fight_view import must_go_on
from affray.tools.present.names import names_of_state
from affray.tools.present.story.actions import phrase
from affray.tools.present.story.preview_text import promise_said
from affray.tools.present.story.questions import (
    about_roll,
    latest_rolls,
    pending_sentence,
    question_said,
    roll_said,
    stakes_said,
    still_asked,
)
from affray.tools.present.story.sentences import action_said, dice_awaited_said
from affray.tools.present.story.words import Names, capital
from affray.tools.present.typed_choices import type_declaration

from .schemas import legal_actions


def list_actors(fight: Fight, mine: Collection[Id] | None = None) -> legal_actions.WhoMay:
    """Return the combatants that may act now, and the awaited inputs.

    Args:
        mine: The combatants of a player who may not see everything; ``None`` for all combatants.
    """
    if is_halted(fight):
        return legal_actions.WhoMay(fight.head, [], [], "", headline(fight, mine))
    ways = [one for one in build_offer_trees(fight.ruleset, fight.table) if mine is None or one.actor in mine]
    names = names_of_state(fight.table.draft)
    awaited = [
        _describe_awaited(fight, one, names)
        for one in list_awaited(fight.table)
        if mine is None or set(mine) & _of(one)
    ]
    movers = [legal_actions.Mover(one.actor, one.manner) for one in ways if _open(one, mine is not None)]
    means = capital(pending_sentence(fight.table.draft.stack, names))
    asked = next((one.asks for one in awaited if isinstance(one, legal_actions.MayAnswer)), None)
    return legal_actions.WhoMay(fight.head, movers, awaited, means, headline(fight, mine, asked))


def list_actions(fight: Fight, who: str, manner: str, *, blind: bool = False) -> legal_actions.WhatMay:
    """List every action of a combatant; illegal ones have their refusals.

    The combatant need not be able to act. Players may ask about their own combatants (403).

    Args:
        who: The combatant's id; ``gm`` for actions of the game master.
        blind: Whether the fight is a projection, in which rules may fail on hidden facts. Actions that fail are left
            out.

    Raises:
        Unusable: there is no such combatant or manner.
    """
    ways = offers_of(fight, who, manner)
    ended = _refusal_of_any(fight)
    forms = [form for form in ways.forms if form.is_for(fight.table, who)]
    judged = _judge_actions(ways, forms, blind=blind) if ended is None else ((form, ended) for form in forms)
    kinds = [
        legal_actions.Kind(form.kind, form.says, tuple(PartialAction(form).fields), refusal_of(no))
        for form, no in judged
    ]
    return legal_actions.WhatMay(fight.head, who, manner, kinds)


def expand_action(
    fight: Fight,
    who: str,
    kind: str,
    manner: str,
    chosen: Mapping[str, Any],
    *,
    fill: bool = False,
    blind: bool = False,
) -> legal_actions.HowMay:
    """List the choices for the next field of an action, and the refusals of the others.

    If no field is left, the answer has the ``whole``: its ``intent`` can be sent as a command.

    Args:
        who, manner: As in ``list_actions``.
        chosen: The values of some fields, as they are recorded.
        fill: Whether to fill in fields that are not chosen with their default, or with the only possible value.
        blind: As in ``list_actions``.

    Raises:
        Unusable: there is no such combatant, manner or field, or the field cannot have such a value.
    """
    ways = offers_of(fight, who, manner)
    said, fields = dict(chosen), list[legal_actions.ToChoose]()
    try:
        must_go_on(fight)
        while isinstance(step := ways.step(kind, said), FieldStep):
            taken = _default_of(step) if fill else UNSET
            fields.append(_to_choose(step, taken))
            if taken is UNSET:
                return legal_actions.HowMay(fight.head, fields, farther=ways.farther)
            said[step.field] = taken
    except Refused as no:
        return legal_actions.HowMay(fight.head, fields, refused=refusal_of(no))
    except Unusable as no:
        raise Unusable(no.message, f"chosen.{no.field}" if no.field in chosen else no.field) from None
    except Senseless:
        if not blind:
            raise
        nothing = Refused("no_choice", "", "it has no possible target or object now", who)
        return legal_actions.HowMay(fight.head, fields, refused=refusal_of(nothing))
    names, found = names_of_state(fight.table.draft), preview_of_action(ways, step)
    whole, promises = describe_declaration(fight, ways.intent(step), names), promise_said(found, names) if found else ""
    return legal_actions.HowMay(fight.head, fields, whole=whole, prospect=found, promises=promises)


def preview_of_action(ways: Offers, action: Action) -> Prospect | None:
    """Preview an action; return ``None`` if the preview needs a fact hidden from the viewer."""
    try:
        return preview_action(ways, action)
    except (Senseless, EngineError):
        return None


def everything(fight: Fight) -> Iterator[legal_actions.MayDeclare | legal_actions.Awaits]:
    """Yield every legal input: the leaves of the offer tree, and the awaited inputs."""
    names = names_of_state(fight.table.draft)
    for one in () if fight.history.closed else list_legal_actions(fight.ruleset, fight.table):
        yield (
            describe_declaration(fight, one.intent, names)
            if isinstance(one, LegalAction)
            else _describe_awaited(fight, one, names)
        )


def refusal_of(no: No | None) -> legal_actions.Refusal | None:
    """Convert a refusal for programs; ``None`` stays ``None``."""
    match no:
        case None:
            return None
        case Refused():
            return legal_actions.Refusal(code=no.code, message=no.message, rule=no.rule, source=no.source)
        case _:
            return legal_actions.Refusal(code="unusable", message=no.message, field=no.field)


def offers_of(fight: Fight, who: str, manner: str) -> Offers:
    """Return the offer tree of a combatant's declarations in a manner.

    Raises:
        Unusable: there is no such combatant or manner.
    """
    fight.ruleset.check_manner(manner)
    people = fight.table.draft.combatants
    if who != GM and who not in people:
        raise Unusable(f"there is no {who} in this fight; there are {', '.join(people)}", "who")
    same = intern(manner)  # a default is left out of JSON only if it is the very object
    return Offers(fight.ruleset, fight.table, who, same)


def is_halted(fight: Fight) -> bool:
    """Tell whether no action is legal: the record is closed, or a hidden fact is awaited."""
    return _refusal_of_any(fight) is not None


def _refusal_of_any(fight: Fight) -> Refused | None:
    try:
        must_go_on(fight)
    except Refused as ended:
        return ended
    return None


def _open(ways: Offers, blind: bool) -> bool:
    """Tell whether any action is legal; try those with few fields first, for speed."""
    forms = sorted(ways.forms, key=lambda form: len(form.__struct_fields__))
    return any(no is None for _, no in _judge_actions(ways, forms, blind=blind))


def _judge_actions(
    ways: Offers, forms: Iterable[type[Action]], *, blind: bool
) -> Iterator[tuple[type[Action], No | None]]:
    """Yield actions, each with why it may not be declared."""
    for form in forms:
        try:
            yield form, ways.refusal(form)
        except Senseless:
            if not blind:
                raise


def _default_of(step: FieldStep) -> Any | UnsetType:
    """Return a field's default: the usual value if possible, or the only possible one."""
    possible = [one.value for one in step.choices if one.refused is None]
    if step.usual in possible or (step.open and step.usual is not UNSET):
        return step.usual
    return possible[0] if len(possible) == 1 and not step.open else UNSET


def _to_choose(step: FieldStep, taken: Any | UnsetType) -> legal_actions.ToChoose:
    values = [legal_actions.Value(one.value, refusal_of(one.refused)) for one in step.choices]
    return legal_actions.ToChoose(step.field, step.names, values, step.open, step.usual, taken)


def describe_declaration(fight: Fight, intent: Declared, names: Names) -> legal_actions.MayDeclare:
    """Return a declaration with its words."""
    done = phrase(intent.kind, intent.params, names, intent.actor)
    return legal_actions.MayDeclare(
        intent, capital(action_said(intent.actor, done, intent.manner, names)), type_declaration(fight, intent).line
    )


def _of(one: OpenQuestion | AwaitedDice | OpenPass) -> set[Id]:
    """Return the combatants that must respond."""
    match one:
        case OpenQuestion():
            return set(one.of)
        case AwaitedDice():
            return {one.by}
        case OpenPass():
            return {one.intent.who}


def _describe_awaited(fight: Fight, one: OpenQuestion | AwaitedDice | OpenPass, names: Names) -> legal_actions.Awaits:
    """Describe an awaited input: a question, dice, or a pass."""
    match one:
        case OpenPass():
            return legal_actions.MayPass(one.intent, "let it pass", f"pass {one.intent.who}")
        case OpenQuestion():
            stack, rolled = fight.table.draft.stack, about_roll(one.question, latest_rolls(fight.history))
            says = question_said(one.about, one.of, stack, rolled, names)
            asks = question_said(one.about, one.of, stack, None, names)
            about = roll_said(rolled, names) if says != asks else ""  # the words differ if it is about a roll
            stakes = stakes_said(one.about, one.options, names)
            people = fight.table.draft.combatants
            options = tuple(still_asked(option, people, names.words) for option in one.options)
            return legal_actions.MayAnswer(
                one.question,
                one.of,
                one.about,
                options,
                says,
                capital(pending_sentence(stack, names)),
                about,
                stakes,
                asks,
            )
        case AwaitedDice():
            says = dice_awaited_said(one.by, one.purpose, one.dice, names)
            return legal_actions.MayEnter(one.roll, one.by, one.purpose, one.dice, says)

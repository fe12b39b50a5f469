"""Policies, which choose among the legal actions: at random, or sensibly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from random import Random
from typing import Any, Protocol

from affray.engine.core.actions import Action
from affray.engine.core.groups.fighter import first_value
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.runtime.offer_tree import Offers
from affray.engine.runtime.offers import (
    AwaitedDice,
    Legal,
    LegalAction,
    OpenPass,
    OpenQuestion,
    build_offer_trees,
    list_awaited,
)
from affray.events import Answered, Declared, Event, Field, Id, Option, Passed, Scalar, give_values

PASSING = 20.0
"""The appraisal of a pass in a window. It is better than a poor declaration."""


class Playable(Protocol):
    """The object that a policy plays: a fight, or a decider without a record."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules."""

    @property
    def table(self) -> Table:
        """The present state."""


DecidesFor = Callable[[Id], bool]
"""Tells whether a policy decides for a combatant or for the game master."""


def decide_for_all(_: Id) -> bool:
    """Decide for all combatants and the game master."""
    return True


class Policy(Protocol):
    """A policy chooses the next input."""

    def __call__(self, fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> Event | None:
        """Return the next input, or ``None`` if those it decides for have nothing to do.

        Args:
            fight: The fight to play.
            dice: The source of random choices.
            among: Tells which combatants the policy decides for.
        """


def choose_anything(fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> Event | None:
    """Choose a random legal action: first its kind, then one of that kind.

    So many possible moves weigh no more than one attack. One time in three the sensible action is taken instead.
    Fighters who only move at random would lose each other, and no fight would end.
    """
    if dice.random() < 1 / 3:
        return choose_sensibly(fight, dice, among)
    return choose_random_legal(fight, dice, among)


def choose_random_legal(fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> Event | None:
    """Return a legal action's input, its kind chosen at random, or ``None``."""
    found = list_choices_by_kind(fight, among)
    for kind in dice.sample(list(found), len(found)):
        intent = choose_random_action(found[kind], kind, dice, among)
        if intent is not None:
            return intent
    return None


OpenChoice = Offers | OpenQuestion | OpenPass | AwaitedDice
"""The offers of a combatant, or an input that the fight waits for."""


def list_choices_by_kind(fight: Playable, among: DecidesFor = decide_for_all) -> dict[str, list[OpenChoice]]:
    """Return the open choices, legal or not, by kind.

    A kind is an action's name, ``pass``, ``answer`` or ``faces``.
    """
    found: dict[str, list[OpenChoice]] = {}
    for way in list_open_choices(fight, among):
        kinds = [form.kind for form in way.forms] if isinstance(way, Offers) else [type(way).__name__.lower()]
        for kind in kinds:
            found.setdefault(kind, []).append(way)
    return found


def list_open_choices(fight: Playable, among: DecidesFor) -> Iterator[OpenChoice]:
    """Yield the offers of combatants, and the inputs that the fight waits for.

    Args:
        among: Tells which combatants to include.
    """
    for way in (*build_offer_trees(fight.ruleset, fight.table), *list_awaited(fight.table)):
        if any(map(among, list_deciders(way))):
            yield way


def list_legal_choices(fight: Playable, among: DecidesFor = decide_for_all) -> Iterator[Legal]:
    """Yield every legal action, and the answer, pass or dice that the fight waits for.

    Rulings are left out: the game master can always make them.

    Args:
        among: Tells which combatants' choices to include.
    """
    for way in list_open_choices(fight, among):
        if isinstance(way, Offers):
            yield from (LegalAction(intent=way.intent(action), says=action.says) for action in way.leaves())
        else:
            yield way


def list_deciders(way: OpenChoice) -> tuple[Id, ...]:
    """Return the combatants who can make a choice."""
    match way:
        case Offers():
            return (way.actor,)
        case OpenQuestion():
            return way.of
        case OpenPass():
            return (way.intent.who,)
        case AwaitedDice():
            return (way.by,)


def choose_random_action(
    found: Sequence[OpenChoice], kind: str, dice: Random, among: DecidesFor = decide_for_all
) -> Event | None:
    """Return the input of a random legal action of a kind, or ``None``."""

    def shuffle(values: Iterable[Any]) -> Iterable[Any]:
        listed = list(values)
        dice.shuffle(listed)
        return listed

    for way in dice.sample(found, len(found)):
        if not isinstance(way, Offers):
            return make_input(way, dice, among)
        action = way.first(kind, shuffle)
        if action is not None:
            return way.intent(action)
    return None


def choose_sensibly(fight: Playable, dice: Random, among: DecidesFor = decide_for_all) -> Event | None:
    """Choose the first legal action that the ruleset prefers, or the best appraised.

    A ruleset without preferences appraises every action.
    """
    ruleset, table = fight.ruleset, fight.table
    draft = table.draft
    if draft.ended and draft.quiet:
        return None
    if ruleset.fighter.prefer is None or draft.awaited is not None:
        return choose_best(fight, dice, among)
    if draft.question is not None:
        asked = draft.question
        reply, by = ruleset.fighter.answer(table, asked), next(filter(among, asked.of), None)
        whole = Answered(question=asked.id, by=by or "", choice=reply.choice, fields=reply.fields, about=reply.about)
        return whole if by else None
    left_out = False
    for actor, manner in ruleset.turns.list_movers(table):
        if among(actor):
            found = find_preferred(ruleset, table, actor, manner)
            if found is not None:
                return found
        else:
            left_out = True
    if draft.window is not None:
        who = next(filter(among, draft.window.to), None)
        return Passed(window=draft.window.id, who=who) if who else None
    return None if left_out else choose_best(fight, dice, among, least=0.0)


def choose_by_side(fight: Playable, by_side: Mapping[str, Policy], usual: Policy, dice: Random) -> Event | None:
    """Choose the next input by the policy of a side, or by the usual one for all others.

    Args:
        by_side: The policies of some sides; the first one in order that finds something decides.
        usual: The policy for the other sides and the game master.
    """
    sides = {who: one.side for who, one in fight.table.draft.combatants.items()}
    for side, policy in by_side.items():
        members = {who for who in sides if sides[who] == side}
        intent = policy(fight, dice, members.__contains__)
        if intent is not None:
            return intent
    return usual(fight, dice, lambda who: sides.get(who, "") not in by_side)


def find_preferred(ruleset: Ruleset, table: Table, actor: Id, manner: str) -> Declared | None:
    """Return the first legal declaration among the ruleset's preferences, or ``None``."""
    if ruleset.fighter.prefer is None:
        return None
    way: Offers | None = None
    for action in ruleset.fighter.prefer(table, actor, manner):
        way = way or Offers(ruleset, table, actor, manner)
        if way.refusal_of(action) is None:
            return way.intent(action)
    return None


def choose_best(fight: Playable, dice: Random, among: DecidesFor = decide_for_all, least: float = -inf) -> Event | None:
    """Return the input of the best appraised action. Equals are drawn by lot.

    Args:
        least: Actions that are appraised lower are left out.
    """
    found: list[tuple[float, float, Callable[[], Event]]] = []
    for way in list_open_choices(fight, among):
        if isinstance(way, Offers):
            likes = [(worth, action) for worth, action in appraise_declarations(way) if worth >= least]
            found += [(worth, dice.random(), partial(way.intent, action)) for worth, action in likes]
        else:
            found.append((PASSING, dice.random(), partial(make_input, way, dice, among, sensibly=True)))
    return max(found, key=lambda one: one[:2])[2]() if found else None


def appraise_declarations(way: Offers) -> Iterator[tuple[float, Action]]:
    """Yield each legal declaration of an offer with its appraisal by the ruleset."""
    for action in way.leaves():
        yield way.ruleset.fighter.appraise(way.table, way.actor, action, way.manner), action


def make_input(choice: Legal, dice: Random, among: DecidesFor = decide_for_all, *, sensibly: bool = False) -> Event:
    """Return the input for an open choice, with its open fields filled at random."""
    if isinstance(choice, LegalAction | OpenPass):
        return choice.intent
    if isinstance(choice, AwaitedDice):
        return choice.intent(*(dice.randint(1, one.sides) for one in choice.dice for _ in range(one.count)))
    return _make_answer(choice, dice, among, sensibly)


def _make_answer(choice: OpenQuestion, dice: Random, among: DecidesFor, sensibly: bool) -> Answered:
    """Answer a question.

    A sensible fighter takes the first option, which the ruleset lists as the usual one. It takes the first value of
    every field:
    the least energy, the shortest distance, a clear view.
    """
    option: Option = choice.options[0] if sensibly else dice.choice(choice.options)
    values = [
        (field, first_value(field) if sensibly else _choose_value(field, dice))
        for field in option.fields
        if sensibly or not field.optional or dice.random() < 0.5
    ]
    by = dice.choice([*filter(among, choice.of)])
    return give_values(Answered(question=choice.question, by=by, choice=option.choice), values)


def _choose_value(field: Field, dice: Random) -> Scalar:
    if field.kind == "int":
        return dice.randint(field.low, field.high)
    return dice.choice(field.among) if field.kind == "id" else "so it happens"

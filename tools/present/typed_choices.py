"""The legal actions as typed, grouped so that a hundred moves take one line."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.analysis.policies import appraise_declarations
from affray.engine.commands import GM
from affray.engine.core.actions import Action
from affray.engine.core.coordinates import place_label
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.runtime.offer_tree import Offers
from affray.engine.runtime.offers import (
    AwaitedDice,
    Legal,
    LegalAction,
    OpenPass,
    OpenQuestion,
    build_offer_trees,
    list_legal_actions,
)
from affray.events import Declared, Id, names_recorded
from affray.tools.parse.intent_parser import OTHERWISE, declaration
from affray.tools.parse.typed_names import as_word, words_of
from affray.tools.present.names import list_typed_fields, names_of_state
from affray.tools.present.story.questions import still_asked
from affray.tools.present.story.sentences import dice_wanted, option_said, purpose

EXAMPLES = 6
"""The number of places that are named if there are very many."""

MANY = 12
"""The number of choices above which only examples are named."""

LOOKED_AT = 4
"""The most combatants for which declarations are suggested."""


class Spoken(Struct, frozen=True, kw_only=True):
    """A declaration in the words one types.

    Attributes:
        start: The actor, the action and all positional parameters but the last.
        choice: The last positional parameter; empty if there is none.
        named: Parameters said as ``name=value`` that are words.
        numbers: Parameters said as ``name=value`` that are numbers.
    """

    start: str
    choice: str = ""
    named: tuple[str, ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()

    @property
    def line(self) -> str:
        """The whole line."""
        numbers = [f"{name}={value}" for name, value in self.numbers if value]
        return " ".join((*self.start.split(" "), *((self.choice,) if self.choice else ()), *self.named, *numbers))


def type_declaration(fight: Fight, intent: Declared) -> Spoken:
    """Return a declaration as one types it.

    If names would be read otherwise, every parameter has its name, and ``do`` stands before the id. An example is a
    combatant called *Bob attack* beside *Bob*.
    """
    form = fight.ruleset.actions[intent.kind]
    said: dict[str, Any] = msgspec.json.decode(intent.params)
    if "to" in form.words and said.get("path"):
        said["to"] = said.pop("path")[-1]
    short = _type_with(fight, intent, said, _list_unnamed(form.words, said), apart=intent.actor in OTHERWISE)
    return short if _is_read_back(fight, intent, said, short) else _type_with(fight, intent, said, [], apart=True)


def _type_with(fight: Fight, intent: Declared, said: dict[str, Any], unnamed: list[str], *, apart: bool) -> Spoken:
    """Type a declaration with some positional parameters, after ``do`` if needed."""
    form = fight.ruleset.actions[intent.kind]
    counted = _list_counted(form)
    whole = {name: name in counted and type(value) is int for name, value in said.items()}

    def type_value(name: str) -> str:
        return as_typed(fight.ruleset, form, name, said[name], intent.actor)

    words = [type_value(name) for name in unnamed]
    named = tuple(f"{name}={type_value(name)}" for name in said if name not in unnamed and not whole[name])
    numbers = dict.fromkeys(counted, 0)
    numbers |= {name: value for name, value in said.items() if name not in unnamed and whole[name]}
    who = () if intent.actor == GM else ("do", intent.actor) if apart else (intent.actor,)
    manner = () if intent.manner == "standard" else (fight.ruleset.turns.manners[intent.manner],)
    start = " ".join((*who, *manner, intent.kind, *words[:-1]))
    return Spoken(start=start, choice=words[-1] if words else "", named=named, numbers=tuple(numbers.items()))


@cache
def _list_counted(form: type[Action]) -> tuple[str, ...]:
    """Return the parameters of an action that are numbers unless said otherwise."""
    return tuple(one.encode_name for one in msgspec.structs.fields(form) if type(one.default) is int)


def _is_read_back(fight: Fight, intent: Declared, said: dict[str, Any], short: Spoken) -> bool:
    """Tell whether words are read as the declaration that they are of."""
    form = fight.ruleset.actions[intent.kind]
    try:
        read = declaration(fight, words_of(short.line))
        return (read.actor, read.kind, read.manner) == (intent.actor, intent.kind, intent.manner) and (
            msgspec.json.decode(read.params, type=form) == msgspec.convert(said, form)
        )
    except (EngineError, msgspec.ValidationError):
        return False


def _list_unnamed(words: Iterable[str], said: dict[str, Any]) -> list[str]:
    """Return the parameters that can be said without their names: those before the first that is not said."""
    found = []
    for name in words:
        if name not in said:
            break
        found.append(name)
    return found


def as_typed(ruleset: Ruleset, form: type[Action], name: str, value: object, actor: Id) -> str:
    """Return a parameter as one types it: things of the actor's without their owner, places as people say them."""
    if isinstance(value, list):
        return ";".join(as_typed(ruleset, form, name, one, actor) for one in value)
    if isinstance(value, str):
        is_place = names_recorded(form).get(name) == "place"
        word = place_label(value, ruleset.board.kind) if is_place else value.removeprefix(f"{actor}.")
        return as_word(word) if word else word
    return msgspec.json.encode(value).decode()


def list_choices(fight: Fight) -> list[str]:
    """List all legal inputs, a line for each actor and kind of action."""
    offered = list(list_legal_actions(fight.ruleset, fight.table))
    lines = list(_group_alike(type_declaration(fight, one.intent) for one in offered if isinstance(one, LegalAction)))
    for one in offered:
        lines += list_responses(fight, one)
    return lines


def list_responses(fight: Fight, one: Legal) -> Iterator[str]:
    """Yield lines for the awaited answer, pass or dice."""
    names = names_of_state(fight.table.draft)
    if isinstance(one, OpenQuestion):
        for option in one.options:
            asked = still_asked(option, fight.table.draft.combatants, names.words)
            fields = "".join(f" {one}" for one in list_typed_fields(asked))
            yield f"answer {option.choice}{fields}  ({option_said(option)})"
    elif isinstance(one, OpenPass):
        yield f"pass {one.intent.who}"
    elif isinstance(one, AwaitedDice):
        yield f"roll FACES  ({dice_wanted(one.dice)} {purpose(one.purpose, names)}, thrown by {one.by})"


def _group_alike(all_spoken: Iterable[Spoken]) -> Iterator[str]:
    """Yield one line for choices that begin alike and have the same open numbers."""
    ranges: dict[tuple[str, tuple[str, ...]], dict[str, dict[str, set[int]]]] = {}
    for one in all_spoken:
        choices = ranges.setdefault((one.start, one.named), {})
        numbers = choices.setdefault(one.choice, {})
        for name, value in one.numbers:
            numbers.setdefault(name, set()).add(value)
    for (start, named), choices in ranges.items():
        alike: dict[str, list[str]] = {}
        for choice, numbers in choices.items():
            alike.setdefault("  ".join(filter(None, map(_range, numbers.items()))), []).append(choice)
        for numbers_said, alternatives in alike.items():
            yield "  ".join(part for part in (start, several(alternatives), " ".join(named), numbers_said) if part)


def _range(numbers: tuple[str, set[int]]) -> str:
    name, values = numbers
    low, high = min(values), max(values)
    if low == high:
        return f"{name}={low}" if low else ""
    return f"{name} {low}–{high}"


def several(choices: list[str]) -> str:
    """Return words in a row; of a great many only examples."""
    between = "  " if any("," in one for one in choices) else ", "
    if len(choices) <= MANY:
        return between.join(choices)
    step = len(choices) // EXAMPLES
    return f"{len(choices)} ways, such as  {between.join(choices[::step][:EXAMPLES])}"


def suggest_declarations(fight: Fight, most: int = 6, least: float = 0.0) -> list[Declared]:
    """List the best declaration of each actor and kind of action, best first.

    Actions that the actor is not equipped for, or that are appraised lower than ``least``, are left out. During a
    turn, suggestions are for its combatants only; others can still answer. In a crowd they are for the first few
    combatants, because all their actions must be tried.
    """
    draft = fight.table.draft
    up = draft.acting if draft.window is None else ()
    ways = [way for way in build_offer_trees(fight.ruleset, fight.table) if not up or way.actor in up]
    few = list(dict.fromkeys(way.actor for way in ways))[:LOOKED_AT]
    best: dict[tuple[Id, str], tuple[float, Offers, Action]] = {}
    for way in ways:
        if way.actor not in few:
            continue
        for worth, action in appraise_declarations(way):
            if worth < least or not action.is_for(way.table, way.actor):
                continue
            key = (way.actor, action.kind)
            if key not in best or worth > best[key][0]:
                best[key] = (worth, way, action)
    return [way.intent(action) for _, way, action in sorted(best.values(), key=lambda one: -one[0])[:most]]

"""A sensible fighter: how it chooses among the legal actions and answers. No rule depends on it."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec import Struct

from affray.engine.core.actions import Action
from affray.engine.core.state import Question
from affray.engine.core.table import Table
from affray.events import Answered, Field, Id, OptionName, Scalar, SeveralId, give_values


class Reply(NamedTuple):
    """An answer to a question: the option, and the values of its fields, as ``Answered`` has them."""

    choice: OptionName
    fields: dict[str, Scalar] = {}
    about: dict[SeveralId, dict[str, Scalar]] = {}


def rate_all_alike(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Rate every declaration alike."""
    return 0.0


def choose_default_answer(table: Table, question: Question) -> Reply:
    """Choose the first option, and the first value of each of its fields.

    A ruleset lists its usual option first. First values are the least energy, the shortest distance, a clear view.
    """
    option = question.options[0]
    answer = Answered(question=question.id, by=question.of[0], choice=option.choice)
    whole = give_values(answer, [(field, first_value(field)) for field in option.fields])
    return Reply(option.choice, whole.fields, whole.about)


def first_value(field: Field) -> Scalar:
    """Return a field's lowest number, the first of its ids, or a fixed text."""
    return field.low if field.kind == "int" else (*field.among, "so it happens")[0]


def full_fitness(table: Table, who: Id) -> float:
    """Return full fitness: only wounds wear combatants out."""
    return 1.0


class FighterPolicy(Struct, frozen=True, kw_only=True):
    """The choices of a sensible fighter.

    Attributes:
        appraise: Rates a declaration as a sensible fighter would; higher is better.
        prefer: Lists the declarations in a manner that a sensible fighter would make now, best first. The first that is
            accepted is declared; if none is, a window is passed. The actor is ``gm`` where the game master declares,
            as before round 1. Without it every legal action is appraised, which takes far longer.
        answer: Returns the answer of a sensible fighter.
        fitness: Rates how fit a combatant is to fight on, wounds aside, in a unit of the system's own. Policies that
            look ahead compare it with its earlier value.
    """

    appraise: Callable[[Table, Id, Action, str], float] = rate_all_alike
    prefer: Callable[[Table, Id, str], Iterable[Action]] | None = None
    answer: Callable[[Table, Question], Reply] = choose_default_answer
    fitness: Callable[[Table, Id], float] = full_fitness

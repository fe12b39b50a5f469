"""The legal actions of the present."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.draft import Draft
from affray.engine.core.rule_faults import convert_rule_errors
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import Awaited, Question, State, Window
from affray.engine.core.table import Table
from affray.events import Answered, Declared, Dice, DiceEntered, Id, Option, Passed, give_values

from .offer_tree import Offers


class LegalAction(Struct, frozen=True, kw_only=True):
    """A legal action."""

    intent: Declared
    says: str


class OpenQuestion(Struct, frozen=True, kw_only=True):
    """An open question, with its options."""

    question: Id
    of: tuple[Id, ...]
    about: str
    options: tuple[Option, ...]

    def intent(self, option: Option, by: Id | None = None, **fields: int | str) -> Answered:
        """Build the input event for an option; fields not given take their first value."""
        needed = (
            (one, one.low if one.kind == "int" else (*one.among, "")[0]) for one in option.fields if not one.optional
        )
        answer = Answered(question=self.question, by=by or self.of[0], choice=option.choice)
        filled = give_values(answer, needed)
        return replace(filled, fields={**filled.fields, **fields})


class OpenPass(Struct, frozen=True, kw_only=True):
    """An open window that a combatant may pass in."""

    intent: Passed


class AwaitedDice(Struct, frozen=True, kw_only=True):
    """Real dice that must be entered."""

    roll: Id
    by: Id
    purpose: str
    dice: tuple[Dice, ...]

    def intent(self, *faces: int) -> DiceEntered:
        """Build the input event for the faces that fell, in the order of ``dice``."""
        return DiceEntered(roll=self.roll, faces=faces)


Legal = LegalAction | OpenQuestion | OpenPass | AwaitedDice
"""A legal action, answer, pass or entry of dice."""


def list_legal_actions(ruleset: Ruleset, table: Table) -> Iterator[Legal]:
    """Yield all legal actions, answers, passes and entries of dice.

    Rulings are left out: the game master can always make them.

    Raises:
        Senseless: the rules fail on the state that the record led to.
    """
    for offered in build_offer_trees(ruleset, table):
        for action in offered.leaves():
            yield LegalAction(intent=offered.intent(action), says=action.says)
    yield from list_awaited(table)


def build_offer_trees(ruleset: Ruleset, table: Table) -> list[Offers]:
    """Return the legal actions as a tree for each combatant and manner.

    There are none while an answer or dice are awaited.

    Raises:
        Senseless: the rules fail on the state that the record led to.
    """
    if table.draft.question is not None or table.draft.awaited is not None:
        return []
    return [Offers(ruleset, table, actor, manner) for actor, manner in list_movers(ruleset, table)]


def list_awaited(table: Table) -> Iterator[OpenQuestion | OpenPass | AwaitedDice]:
    """Yield the answer, real dice or passes that the fight waits for."""
    match find_awaited_input(table.draft):
        case Question() as asked:
            yield OpenQuestion(question=asked.id, of=asked.of, about=asked.about, options=asked.options)
        case Awaited() as awaited:
            yield AwaitedDice(roll=awaited.roll, by=awaited.by, purpose=awaited.purpose, dice=awaited.dice)
        case Window() as window:
            for who in window.to:
                yield OpenPass(intent=Passed(window=window.id, who=who))


def find_awaited_input(state: State | Draft) -> Question | Awaited | Window | None:
    """Return what must be answered before anything else: the question, the real dice, or the open window."""
    return state.question or state.awaited or state.window


def list_movers(ruleset: Ruleset, table: Table) -> list[tuple[Id, str]]:
    """List the combatants that may declare an action now, each with a manner.

    Raises:
        Senseless: the rules fail on the state that the record led to.
    """
    with convert_rule_errors(ruleset, table.draft):
        return list(ruleset.turns.list_movers(table))

"""The rules about turns: who may act, what interrupts an action, and what follows it."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, Event, Id


class Offer(Struct, frozen=True, kw_only=True, gc=False):
    """The combatants that may answer in a window, and the kind of offer."""

    to: tuple[Id, ...]
    what: str
    rules: tuple[Clause, ...] = ()


def list_acting(table: Table) -> Iterable[tuple[Id, str]]:
    """List the combatants that have the turn; before round 1 the game master."""
    return [(who, "standard") for who in (table.draft.acting if table.draft.round else ("gm",))]


def no_such_action(kind: str) -> Refused:
    """Return the refusal of an action that is not in the system."""
    return Refused("unknown_action", "", f"there is no action {kind}", kind)


def put_on_top(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Put a declared action on top of the stack."""
    return len(table.draft.stack), ()


def follow_with_nothing(_: Table) -> Rule[str]:
    """Fire no trigger: the fight goes on where it stands."""
    yield from ()
    return ""


def is_never_passing(_: Table, __: Event) -> bool:
    """Count none of the system's own events as passing time only."""
    return False


def keeps_no_turn(_: Table, __: Id) -> bool:
    """Tell that no combatant sets its turn aside."""
    return False


class TurnRules(Struct, frozen=True, kw_only=True):
    """The rules about turns.

    Attributes:
        manners: The manners of playing an action, and the flow's trigger for each.
        declarable: The manners in which players declare; the others are for the rules and the game master's rulings.
        list_movers: Lists the combatants that may declare an action now, each with a manner.
        procedures: The phases that run without a command. Each has its rule, which returns the trigger that leaves it.
        windows: The phases in which others may answer before ``close`` is fired, each with a function that finds them.
        passes_hold: Whether a combatant that passed is not asked again where a ruling reopens the window.
        resolving: The phases in which the pending action on top resolves.
        refuse_unknown: Returns the refusal of an action that does not exist.
        precedence: Returns the place of a new action on the stack, given its manner and tags, and its clauses; 0 is the
            bottom.
        aftermath: The rule that runs when a pending action has left the stack; returns a trigger of the fight's own
            phase, or nothing.
        fizzles: The clauses about actions that cannot happen any longer; cited beside the clause that forbids it.
        keeps_turn: Tells whether a combatant has set its turn of this round aside, so that it has not ended yet.
        is_passing: Tells whether an event only marks the passing of time: dice for the turn order, a mark that is
            irrelevant in the next round, a clock without a limit. The stalemate test uses it
            (``analysis/stalemate.py``).
    """

    manners: Mapping[str, str] = MappingProxyType({"standard": "declare"})
    declarable: tuple[str, ...] = ("standard",)
    list_movers: Callable[[Table], Iterable[tuple[Id, str]]] = list_acting
    procedures: Mapping[str, Callable[[Table], Rule[str]]] = MappingProxyType({})
    windows: Mapping[str, Callable[[Table], Offer]] = MappingProxyType({})
    passes_hold: bool = False
    resolving: frozenset[str] = frozenset({"resolution"})
    refuse_unknown: Callable[[str], Refused] = no_such_action
    precedence: Callable[[Table, str, tuple[str, ...]], tuple[int, tuple[Clause, ...]]] = put_on_top
    aftermath: Callable[[Table], Rule[str]] = follow_with_nothing
    fizzles: tuple[Clause, ...] = ()
    keeps_turn: Callable[[Table, Id], bool] = keeps_no_turn
    is_passing: Callable[[Table, Event], bool] = is_never_passing

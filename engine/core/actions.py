"""The base classes of what a combatant can declare and of what a game master can rule."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from msgspec import Struct

from affray.events import Clause, Id, Recorded

from .domains import aimed, usual
from .effects import Rule

if TYPE_CHECKING:
    from .table import Table


class Action(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Something that can be declared. Its fields are its parameters; it is recorded under its ``kind``.

    Class attributes:
        kind: Its name.
        says: What it does, in a few words.
        words: The fields that may be said without their names, in order.
        own_trigger: The trigger that declaring it fires, where that is not the manner's.
        by_gm: Whether the game master declares it, for no combatant.
        by_rules: Whether nobody declares it: only the rules or a ruling set it going.
        stacks: Whether it goes on the stack, where others can interrupt it, or resolves at once.
        throughout: Whether it goes on only as long as its check allows it, until it has resolved.
        pays: The clauses by which it takes what actions of its system usually take.
    """

    kind: ClassVar[str] = ""
    says: ClassVar[str] = ""
    words: ClassVar[tuple[str, ...]] = ()
    own_trigger: ClassVar[str] = ""
    by_gm: ClassVar[bool] = False
    by_rules: ClassVar[bool] = False
    stacks: ClassVar[bool] = True
    throughout: ClassVar[bool] = False
    pays: ClassVar[tuple[Clause, ...]] = ()

    def trigger(self, of_manner: str) -> str:
        """Return the trigger that declaring it fires: its own, or that of its manner."""
        return self.own_trigger or of_manner

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse what may not be declared, or cannot happen any more.

        Called when it is declared, when legal actions are listed, and again (with budgets paid) before it resolves.

        Raises:
            Refused: with the first clause that forbids it.
        """

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Tell whether it is shown to somebody at all: they have what it takes, such as a spell that they know.

        It refuses nothing. What they have, but cannot do now, is shown with its refusal.
        """
        return not cls.by_rules

    def fix_choices(self, table: Table, actor: Id) -> Self:
        """Return the action with the choices that its declaration left open, such as the usual weapon.

        Called once, after it was allowed and before it is paid for. What it returns is paid for, checked again and
        resolved, so that a later change of the state cannot choose otherwise.
        """
        return self

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Yield what declaring costs."""
        yield from ()

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Resolve it. A refusal in here lets the rest of it fizzle."""
        yield from ()

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on if its conditions no longer hold: who must be there, able and in reach, with what in hand.

        Called while it resolves, after every ruling and every interruption. A refusal is raised where
        the rule waits: there it may be caught, or the rest fizzles. The phase says how far the rule has come.

        Raises:
            Refused: with the clause it rests on.
        """
        if self.throughout:
            self.check(table, actor, "pending")

    def tags(self, table: Table, actor: Id) -> tuple[str, ...]:
        """Return tags for the system's precedence."""
        return ()

    def targets(self) -> tuple[Id, ...]:
        """Return the combatants it is aimed at: those that its fields of the type ``Target`` name."""
        return tuple([who for field in aimed(type(self)) if (who := getattr(self, field))])

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return the candidates for a field, in the order in which they are offered; each is still checked.

        Args:
            field: Which field: first those in ``words``, then the others in their order.
            so_far: The action with the fields before that one; no other can be read.

        Raises:
            Refused: with the reason why there is nothing to choose from.
        """
        return usual(cls, table, actor, field)


class Ruling(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Something the game master can decide. Its fields are what was meant; class attributes are as in ``Action``.

    Whether the combatants, items and places that its fields name are in the fight is looked at before its own check.
    A ruling that changes nothing is refused, and so is one that the rules would undo at once.

    Class attributes:
        only_recorded: Whether its effect is that it is recorded, as with a remark or a roll; it need not change the
            state.
    """

    kind: ClassVar[str] = ""
    says: ClassVar[str] = ""
    words: ClassVar[tuple[str, ...]] = ()
    only_recorded: ClassVar[bool] = False

    def may_name(self, table: Table, who: Id) -> bool:
        """Tell whether somebody can be meant: whoever is in the fight."""
        return who in table.draft.combatants

    def check(self, table: Table) -> None:
        """Refuse what is impossible in this fight.

        Raises:
            Refused: with the reason.
        """

    def check_record(self, recorded: Sequence[Recorded], opened: Container[int]) -> None:
        """Refuse what would change nothing about who can read the record.

        Called for a new ruling, before its own check. A recorded ruling is decided again without it.

        Args:
            recorded: The whole record, with the lanes that were taken back.
            opened: The positions of sealed lines that every viewer can read by now.

        Raises:
            Refused: with the reason.
        """

    def check_new(self, table: Table) -> None:
        """Refuse what earlier versions accepted: words that the rules do not know, numbers beyond a maximum.

        Called for a new ruling, before its own check and before what it names is looked up. A recorded ruling is
        decided again without it.

        Raises:
            Refused, Unusable: with the reason.
        """

    def decide(self, table: Table) -> Rule[str | None]:
        """Yield its changes; return the trigger that it fires, or nothing.

        It may not ask or roll: for that it puts an action on the stack.
        """
        yield from ()
        return None

    def already(self, table: Table) -> str:
        """Say what is so already, where it changes nothing."""
        return "that is so already"

    def instead(self, table: Table) -> str:
        """Return a line that would work, where it changes nothing or the rules would undo it; nothing if none does."""
        return ""


A = TypeVar("A", bound=Action)
R = TypeVar("R", bound=Ruling)


def declared_as(
    kind: str,
    says: str,
    *words: str,
    own_trigger: str = "",
    by_gm: bool = False,
    stacks: bool = True,
    throughout: bool = False,
    pays: tuple[Clause, ...] = (),
) -> Callable[[type[A]], type[A]]:
    """Declare the class attributes of an action, which ``Action`` describes; ``words`` come last, each by itself."""

    def said(form: type[A]) -> type[A]:
        form.kind, form.says, form.words = kind, says, words
        form.own_trigger, form.by_gm, form.stacks, form.throughout = own_trigger, by_gm, stacks, throughout
        form.pays = pays
        return form

    return said


def ruled_as(kind: str, says: str, *words: str) -> Callable[[type[R]], type[R]]:
    """Declare the class attributes of a ruling; ``words`` come last, each by itself."""

    def said(form: type[R]) -> type[R]:
        form.kind, form.says, form.words = kind, says, words
        return form

    return said

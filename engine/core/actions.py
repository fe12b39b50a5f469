"""The base classes of actions, which combatants declare, and of rulings."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from msgspec import Struct

from affray.events import Clause, Id, Recorded

from .candidates import list_candidates, list_target_fields
from .effects import Rule

if TYPE_CHECKING:
    from .table import Table


class Action(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """An action that can be declared. Its fields are its parameters.

    It is recorded under its ``kind``.

    Class attributes:
        kind: Its name.
        says: Its effect, in a few words.
        words: The fields that may be given without their names, in order.
        own_trigger: The trigger that declaring it fires, where that is not the manner's.
        by_gm: Whether the game master declares it, for no combatant.
        by_rules: Whether it cannot be declared: only the rules or a ruling start it.
        one_by_one: Whether each of its questions and rolls is about one of its targets alone.
        stacks: Whether it goes on the stack, where others can interrupt it; otherwise it resolves at once.
        throughout: Whether its check must hold until it has resolved; if the check fails, the rest fizzles.
        pays: The clauses of its costs, if its system's actions usually cost the same.
    """

    kind: ClassVar[str] = ""
    says: ClassVar[str] = ""
    words: ClassVar[tuple[str, ...]] = ()
    own_trigger: ClassVar[str] = ""
    by_gm: ClassVar[bool] = False
    by_rules: ClassVar[bool] = False
    one_by_one: ClassVar[bool] = False
    stacks: ClassVar[bool] = True
    throughout: ClassVar[bool] = False
    pays: ClassVar[tuple[Clause, ...]] = ()

    def trigger(self, of_manner: str) -> str:
        """Return the trigger that declaring it fires: its own, or that of its manner."""
        return self.own_trigger or of_manner

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse the action if it may not be declared, or cannot happen any longer.

        Called when it is declared, when legal actions are listed, and again (with budgets paid) before it resolves.

        Raises:
            Refused: with the first clause that forbids it.
        """

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Tell whether a combatant is equipped for it, such as with a spell that it knows.

        Only such actions are listed. An action that the combatant is equipped for, but cannot take now, is listed with
        its refusal.
        """
        return not cls.by_rules

    def fix_choices(self, table: Table, actor: Id) -> Self:
        """Return the action with its open choices filled in, such as the usual weapon.

        Called once, after it was allowed and before it is paid for. The returned action is paid for, checked again and
        resolved, so that a later change of the state cannot choose otherwise.
        """
        return self

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Yield the costs of declaring it."""
        yield from ()

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Resolve it. A refusal raised here makes the rest of it fizzle."""
        yield from ()

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on if a condition of the action no longer holds.

        Such conditions are combatants that must be present, able and in reach, and gear that must be in hand. Called
        while it resolves, after every ruling and every interruption. A refusal is raised where the rule waits: there it
        may be caught, or the rest fizzles. The phase tells how far the rule has come.

        Raises:
            Refused: with the clause it rests on.
        """
        if self.throughout:
            self.check(table, actor, "pending")

    def tags(self, table: Table, actor: Id) -> tuple[str, ...]:
        """Return the tags that decide its precedence in the system."""
        return ()

    def targets(self) -> tuple[Id, ...]:
        """Return the ids of its targets: the combatants that its ``Target`` fields name."""
        return tuple([who for field in list_target_fields(type(self)) if (who := getattr(self, field))])

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the candidates for a field, in the order they are offered.

        Each candidate is still checked.

        Args:
            field: The field: first those in ``words``, then the others in their order.
            so_far: The action with the fields before that one; no other can be read.

        Raises:
            Refused: with the reason why there is no candidate.
        """
        return list_candidates(cls, table, actor, field)


class Ruling(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A ruling of the game master. Its fields are the intent.

    Class attributes are as in ``Action``. The combatants, items and places that its fields name are looked up in the
    fight before its own check. A ruling that changes nothing is refused, and so is a ruling that the rules would undo
    at once.

    Class attributes:
        only_recorded: Whether it may leave the state unchanged: its effect is the record itself, as with a remark or a
            roll.
    """

    kind: ClassVar[str] = ""
    says: ClassVar[str] = ""
    words: ClassVar[tuple[str, ...]] = ()
    only_recorded: ClassVar[bool] = False

    def may_name(self, table: Table, who: Id) -> bool:
        """Tell whether it may name a combatant: by default, any in the fight."""
        return who in table.draft.combatants

    def has_open_part(self, table: Table) -> bool:
        """Tell whether some of its dice are open, even if it names a concealed combatant."""
        return False

    def check(self, table: Table) -> None:
        """Refuse the ruling if it is impossible in this fight.

        Raises:
            Refused: with the reason.
        """

    def check_record(self, recorded: Sequence[Recorded], opened: Container[int]) -> None:
        """Refuse the ruling if it would not change who can read the record.

        Called for a new ruling, before its own check. A recorded ruling is decided again without it.

        Args:
            recorded: The whole record, with the lanes that were taken back.
            opened: The positions of sealed lines that every viewer can read by now.

        Raises:
            Refused: with the reason.
        """

    def check_new(self, table: Table) -> None:
        """Refuse inputs that only earlier versions accepted.

        Examples are words that the rules do not know, and numbers beyond a maximum. Called for a new ruling, before its
        own check and before its names are looked up. A recorded ruling is decided again without it.

        Raises:
            Refused, Unusable: with the reason.
        """

    def decide(self, table: Table) -> Rule[str | None]:
        """Yield its changes; return the trigger that it fires, or nothing.

        It may not ask or roll; for these it puts an action on the stack.
        """
        yield from ()
        return None

    def already(self, table: Table) -> str:
        """Return the refusal's text if the ruling would change nothing."""
        return "that is so already"

    def instead(self, table: Table) -> str:
        """Return a command line that would work; empty if there is none.

        It is called if the ruling changes nothing, or if the rules would undo it.
        """
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
    """Set the class attributes of an action, which ``Action`` describes.

    Args:
        words: The fields that may be given without their names.
    """

    def set_attributes(form: type[A]) -> type[A]:
        form.kind, form.says, form.words = kind, says, words
        form.own_trigger, form.by_gm, form.stacks, form.throughout = own_trigger, by_gm, stacks, throughout
        form.pays = pays
        return form

    return set_attributes


def ruled_as(kind: str, says: str, *words: str) -> Callable[[type[R]], type[R]]:
    """Set the class attributes of a ruling; ``words`` as in ``declared_as``."""

    def set_attributes(form: type[R]) -> type[R]:
        form.kind, form.says, form.words = kind, says, words
        return form

    return set_attributes

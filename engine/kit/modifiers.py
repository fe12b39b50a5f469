"""Modifiers that a game master adds to a pending action or a next roll."""

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.effects import Rule
from affray.engine.core.marks import StructMark
from affray.engine.core.table import Table
from affray.events import Clause, Id, MarkSet, Modifier, Source, Text


class Granted(Struct, frozen=True, kw_only=True, gc=False):
    """A modifier that a game master added: the number, and its label."""

    value: int
    label: Text


GRANTED = StructMark("modifier", Granted, "that roll")
"""The marks that hold modifiers. The topic tells those of one owner apart."""


def grant_modifier(
    table: Table, owner: Id, label: str, value: int, *rules: Clause, until: str = GRANTED.until
) -> MarkSet:
    """Return the mark that adds a modifier to an action or a combatant.

    Earlier modifiers stay, even under the same label.
    """
    about, nth = label, 1
    while GRANTED.is_on(table, owner, about):
        nth += 1
        about = f"{label}#{nth}"
    return replace(GRANTED.set_on(owner, Granted(value=value, label=label), *rules, about=about), until=until)


def list_granted(table: Table, who: Id, rule: Clause) -> tuple[Modifier, ...]:
    """Return the modifiers for the roll that a combatant is about to make.

    These are the combatant's own, and those of the pending action.

    Args:
        rule: The clause that each modifier cites.
    """
    return tuple([one for owner in _list_owners(table, who) for one in list_granted_to(table, owner, rule)])


def list_granted_to(table: Table, owner: Id, rule: Clause) -> tuple[Modifier, ...]:
    """Return the modifiers for a combatant's own next roll, or those of an action alone."""
    return tuple(
        [
            Modifier(
                value=one.value, label=one.label, source=Source(of=owner, name=GRANTED.key, about=about), rule=rule
            )
            for about, one in GRANTED.list_on(table, owner)
        ]
    )


def use_up_granted(table: Table, who: Id) -> Rule[None]:
    """Remove the modifiers that ``list_granted`` returned, after the roll."""
    for owner in _list_owners(table, who):
        for about, _ in GRANTED.list_on(table, owner):
            yield GRANTED.clear_on(owner, about=about)


def _list_owners(table: Table, who: Id) -> tuple[Id, ...]:
    """List who and what may have modifiers: the combatant, and the pending action."""
    draft = table.draft
    if not draft.mark_parts:
        return ()
    owners = (who, draft.stack[-1].id) if draft.stack else (who,)
    return tuple([one for one in owners if one in draft.mark_parts])

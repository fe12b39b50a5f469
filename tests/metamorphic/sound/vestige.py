"""Invariants of Vestige."""

from __future__ import annotations

from collections.abc import Iterator

from affray.engine.core.table import Table
from affray.engine.rulesets.vestige.sheet import is_active
from affray.engine.rulesets.vestige.turns.order import likeness
from tests.metamorphic.sound.common import Sound, in_several, members, of_kind, those_of_the_slot_act


def who_is_out_holds_no_token(table: Table) -> Iterator[str]:
    """Only active holders of a token can play it (VES-042)."""
    yield from (who for who, one in table.draft.combatants.items() if one.has("readied") and not is_active(table, who))


def who_is_out_has_no_delayed_turn(table: Table) -> Iterator[str]:
    """A delayed turn is taken later, or lost (VES-052, VES-054)."""
    yield from (who for who, one in table.draft.combatants.items() if one.has("delayed") and not is_active(table, who))


def who_has_delayed_does_not_act(table: Table) -> Iterator[str]:
    """In a running fight, a delayed combatant has no turn before its re-insertion (VES-053)."""
    acting = () if table.draft.ended else table.draft.acting
    yield from (who for who in acting if table[who].has("delayed"))


def who_is_at_the_brink_has_no_health(table: Table) -> Iterator[str]:
    """A combatant without health is at the brink, one by one where several are harmed (VES-055, VES-G01, VES-T51)."""
    if table.draft.question is not None and table.draft.stack and table.draft.stack[-1].kind == "damage":
        return
    for who, one in table.draft.combatants.items():
        if one.has("brink") != (one.pools.get("health") == 0):
            yield f"{who} has {one.pools.get('health')} health, conditions {dict(one.conditions)}"


def groups_are_of_one_kind(table: Table) -> Iterator[str]:
    """Before the order is set, combatants that roll together are of one side, with equal sheets (VES-005)."""
    groups = of_kind(table, "group")
    yield from in_several(groups)
    for one in groups if not table.draft.slots else ():
        if len({repr(likeness(table, table[who])) for who in members(one)}) > 1:
            yield one.id


SOUND = Sound(
    takes_part=is_active,
    invariants=(
        those_of_the_slot_act,
        who_is_out_holds_no_token,
        who_is_out_has_no_delayed_turn,
        who_has_delayed_does_not_act,
        who_is_at_the_brink_has_no_health,
        groups_are_of_one_kind,
    ),
    keeps_its_turn="whoever falls while the others of its slot act goes on if it can fight again before they are done",
)

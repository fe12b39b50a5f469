"""The order of turns, their budgets, and the aftermath of each action."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import ClassVar, TypeVar

from affray.engine.core.actions import Action
from affray.engine.core.changes import change_pool
from affray.engine.core.effects import Rule
from affray.engine.core.state import Relation
from affray.engine.errors import Refused
from affray.engine.kit.fight_end import is_fought_unseen
from affray.engine.kit.turn_order import NEXT_TURN, find_first_to_come, list_called_up, must_be_acting
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.movement.melees import list_loose_bonds, tidy_bonds
from affray.engine.texts import name_said
from affray.events import Clause, Id

MANNERS = {
    "standard": "act",
    "free": "claim",
    "readied": "fire",
    "granted": "grant",
    "panicked": "lash_out",
    "shying": "shy",
    "ruled": "intervene",
    "called": "call",
}
"""The manners in which an action is played, each with its trigger in the flow."""


IN_FLIGHT = frozenset({"move", "leave_melee", "dismount", "break_grapple", "struggle"})
"""The actions that a fleeing combatant can still declare."""


def refuse_unknown_action(kind: str) -> Refused:
    """Return the refusal of an action that is on no list (VER-T64)."""
    return sheet.refusal_by("VER-T64", f"there is no action {kind}; anything else is done with improvise", kind)


def must_have_turn(table: Table, actor: Id) -> None:
    """Refuse an actor who does not have the turn (VER-004)."""
    must_be_acting(table, actor, "VER-004", "VER-004", table.draft.up)


def find_manner(table: Table, manner: str) -> str:
    """Return an action's manner; before resolving, that of the pending action."""
    if manner != "pending":
        return manner
    pending = table.pending()
    return pending.manner if pending is not None else "standard"


class Deed(Action, frozen=True, kw_only=True):
    """An action in the own turn, paid from the budget; the game master can veto it.

    Class attributes:
        cost: The cost: ``action``, ``move``, ``crawl`` for both, or ``free``.
        rule: The clause of the action, which a veto cites.
        paid_by: The clauses that the payment cites, besides those about budgets.
    """

    cost: ClassVar[str]
    rule: ClassVar[Clause]
    paid_by: ClassVar[tuple[Clause, ...]]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an unable actor, a spent budget, unmet requirements, or a vetoed action."""
        sheet.must_be_able(table, actor)
        if manner == "standard":
            if table[actor].has("fleeing") and self.kind not in IN_FLIGHT:
                raise sheet.refusal_by("VER-S12", f"{table.name_of(actor)} can only flee this turn", f"{actor}.fleeing")
            must_afford(table, actor, self.costs(table, actor))
        self.must_fit(table, actor, manner)
        noted = manner == "standard" and actor in table.draft.marks
        if noted and marks.FORBIDDEN.of(table, actor, self.kind) == table.draft.round:
            message = f"the game master does not let {table.name_of(actor)} {self.kind} this round"
            raise sheet.refusal_by(self.clause(), message, actor)

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse what the action itself does not allow; by default nothing."""

    def costs(self, table: Table, actor: Id) -> str:
        """Return the cost now; only a standard declaration pays it."""
        return self.cost

    def clause(self) -> Clause:
        """Return the clause of the action with these parameters."""
        return self.rule

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the cost from the budget."""
        yield from spend(table, actor, self.costs(table, actor), *self.paid_by)


D = TypeVar("D", bound=Deed)


def done_for(cost: str, rule: Clause, *, paid_by: tuple[Clause, ...] | None = None) -> Callable[[type[D]], type[D]]:
    """Declare the class attributes of a deed.

    Its payment cites the deed's own clause unless others are named.
    """

    def declare(form: type[D]) -> type[D]:
        form.cost, form.rule, form.paid_by = cost, rule, (rule,) if paid_by is None else paid_by
        return form

    return declare


def must_afford(table: Table, actor: Id, cost: str) -> None:
    """Refuse a cost beyond the budget of one move and one action (VER-015).

    The action may be spent on a second move.
    """
    move, action = table.pool(actor, "move"), table.pool(actor, "action")
    if cost == "action" and not action:
        if marks.MOVED_TWICE.of(table, actor) == table.draft.round:
            raise table.refuse(actor, "has spent the action on a second move", "VER-016", source=f"{actor}.action")
        sheet.must_be_allowed("VER-015", table, actor, f"{table.name_of(actor)} has no action left", f"{actor}.action")
    elif cost == "move" and not move and not action:
        message = f"{table.name_of(actor)} has neither a move nor an action left"
        sheet.must_be_allowed("VER-016", table, actor, message, f"{actor}.move")
    elif cost == "crawl" and not (move and action):
        raise table.refuse(actor, "crawls: it takes the move and the action", "VER-T30", source=f"{actor}.crawling")


def spend(table: Table, actor: Id, cost: str, *rules: Clause) -> Rule[None]:
    """Take a declaration's cost from the budget (VER-016)."""
    if cost in ("action", "crawl") and table.pool(actor, "action"):
        yield change_pool(table, actor, "action", -1, "VER-015", *rules)
    if cost in ("move", "crawl"):
        if table.pool(actor, "move"):
            yield change_pool(table, actor, "move", -1, "VER-015", *rules)
        elif cost == "move" and table.pool(actor, "action"):
            yield change_pool(table, actor, "action", -1, "VER-016", *rules)
            yield marks.MOVED_TWICE.set_on(actor, table.draft.round, "VER-016")


OUT = sheet.GONE | {"unable"}
WAITING = frozenset({"initiative", "slot", "surprise", "turn"})
"""The fight's own phases in which it waits for a declaration, once it has begun."""


def is_over(table: Table, ahead: int = 0) -> bool:
    """Tell whether only one side has able combatants left (VER-T36).

    It is false if the game master let the fight go on this round.
    """
    alone = len(table.derive(sheet.list_standing_sides)) < 2 and not is_fought_unseen(table, sheet.list_able)
    return alone and marks.UNFINISHED.of(table, marks.FIGHT) != table.draft.round + ahead


def aftermath(table: Table, lash_out: Callable[[Table, Id], Rule[None]]) -> Rule[str]:
    """Tidy up after an action, and choose the next step.

    A combatant in panic lashes out, a turn ends, or the fight goes on.
    """
    if table.derive(list_loose_bonds):
        yield from tidy_bonds(table)
    draft = table.draft
    attacker = marks.LASHES.of(table, marks.FIGHT)
    if attacker:
        yield from lash_out(table, attacker)
    return "resume" if draft.stack else _choose_step(table)


def _choose_step(table: Table) -> str:
    """Return the trigger in the fight's own phase.

    The turn or the fight may be over, or another side due.
    """
    draft = table.draft
    phase = draft.phases[""]
    if phase in ("turn", "turn_start") and not [who for who in draft.acting if sheet.is_in_play(table, who)]:
        return "spent" if phase == "turn" else "falls"
    if phase in WAITING and is_over(table):
        return "one_side_left"
    if phase in ("slot", "surprise"):
        now = find_due_side(table)
        if now is None or now[0] != find_side_of_turn(table, find_called_up(table)):
            return "again"
    return "resume"


def fighters_by_side(table: Table) -> dict[str, tuple[Id, ...]]:
    """Return per side the combatants with a turn in each round, in joining order.

    Ask it through ``table.derive``. All in play have one but mounts, those ruled out, and those stable at Death's Door
    (VER-002).
    """
    found: dict[str, list[Id]] = {}
    for one in table.draft.combatants.values():
        lies = one.has("stable") and one.has("deaths_door") and not table.config.deaths_door_may_act
        if not lies and "mount" not in one.traits and OUT.isdisjoint(one.conditions):
            found.setdefault(one.side, []).append(one.id)
    return {side: tuple(members) for side, members in found.items()}


def is_waiting(table: Table, who: Id) -> bool:
    """Tell whether a combatant still has a turn to come this round (VER-002)."""
    draft = table.draft
    if f"{who}/turn" in draft.counts:
        return False
    return who not in draft.marks or marks.WAITS.of(table, who) != draft.round


def has_waiting(table: Table, side: str, *, exempt: bool = False) -> bool:
    """Tell whether a side has a combatant, or an exempt one, with a turn to come."""
    members = table.derive(fighters_by_side).get(side, ())
    if exempt:
        return any(marks.EXEMPT.is_on(table, who) and is_waiting(table, who) for who in members)
    left = members[find_first_to_come(table, members, side) :]
    return bool(left) and (is_waiting(table, left[0]) or any(is_waiting(table, one) for one in left[1:]))


def find_due_side(table: Table, noted: str = "") -> tuple[str, bool] | None:
    """Return the side with the next turn, and whether only the exempt may take it.

    Return nothing once all have had a turn. A side without turns left is skipped (VER-009). The surprising side comes
    before the surprised one, in turns with the exempt of the other side (VER-012, VER-013).

    Args:
        noted: The next side; by default the one in the present note.
    """
    called = find_called_up(table)
    return (table[called].side, False) if called else _find_waiting_side(table, noted)


def _find_waiting_side(table: Table, noted: str = "") -> tuple[str, bool] | None:
    """Return the side with the next turn if the game master gave it to no combatant."""
    side = noted or marks.SIDE_DUE.of(table, marks.FIGHT)
    ambush = marks.SURPRISING.of(table, marks.FIGHT)
    for one in (side, sheet.other_side(side)):
        exempt = ambush not in ("", one)
        if has_waiting(table, one, exempt=exempt):
            return one, exempt
    surprised = sheet.other_side(ambush)
    late = ambush and table.config.surprise_surprised_side_acts_in_first_round and has_waiting(table, surprised)
    return (surprised, False) if late else None


def find_side_of_turn(table: Table, who: Id) -> str:
    """Return the side of a combatant's present or coming turn.

    A concealed combatant that was given the turn has a separate note.
    """
    return marks.SIDE_DUE.of(table, who if marks.SIDE_DUE.is_on(table, who) else marks.FIGHT)


def find_called_up(table: Table) -> Id:
    """Return the combatant with the next turn by ruling, if it can have one (VER-T76)."""
    if not NEXT_TURN.is_on(table, marks.FIGHT):
        return ""
    return next((who for who in list_called_up(table) if who in table.derive(all_fighters)), "")


def list_due(table: Table) -> tuple[Id, ...]:
    """Return the combatants who may begin a turn now, in joining order (VER-008)."""
    called = find_called_up(table)
    if called:
        return (called,)
    side, exempt = find_due_side(table) or ("", False)
    waiting = (who for who in table.derive(fighters_by_side).get(side, ()) if is_waiting(table, who))
    return tuple(who for who in waiting if not exempt or marks.EXEMPT.is_on(table, who))


def all_fighters(table: Table) -> frozenset[Id]:
    """Return the combatants with a turn in each round.

    Ask it through ``table.derive``.
    """
    return frozenset(chain.from_iterable(table.derive(fighters_by_side).values()))


def must_be_due(table: Table, actor: Id) -> None:
    """Refuse a mount, and a combatant out of play, who has acted, or is not due."""
    one = table[actor]
    if "mount" in one.traits:
        raise table.refuse(actor, "acts in the turn of its rider", "VER-060")
    if actor not in table.derive(all_fighters):
        raise table.refuse(actor, "has no turn", "VER-002")
    called = find_called_up(table)
    if called and called != actor:
        raise sheet.refusal_by("VER-T76", f"the game master gave the next turn to {table.name_of(called)}", called)
    if called:
        return
    if not is_waiting(table, actor):
        raise table.refuse(actor, "has had its turn this round", "VER-002")
    now = _find_waiting_side(table)
    exempt = marks.EXEMPT.is_on(table, actor)
    if now is None or (now[0] == one.side and (exempt or not now[1])):
        return
    if marks.SURPRISING.of(table, marks.FIGHT) not in ("", one.side):
        why = "is not surprised" if exempt else "is surprised"
        raise table.refuse(actor, f"{why}, but others come first", "VER-012")
    raise sheet.refusal_by("VER-008", f"the other side is due, not {name_said(one.side)}", actor)


def seats(table: Table) -> tuple[Relation, ...]:
    """Return the players' seats in their order. Ask it through ``table.derive``."""
    return tuple(one for one in table.draft.relations.values() if one.kind == "seat")


def has_living(table: Table, seat: Relation) -> bool:
    """Tell whether a seat still has a character who is not dead."""
    return bool([one for one in seat.members if sheet.is_in_play(table, one.who)])


def find_due_seat(table: Table) -> Relation | None:
    """Return the seat for the next initiative roll, skipping the dead (VER-011).

    It is the seat after the last one. A seat of concealed characters alone comes up only if it was named, or if there
    is no other.
    """
    there = table.derive(seats)
    named = marks.SEAT.of(table, marks.FIGHT)
    for one in there:
        if one.id == named and has_living(table, one):
            return one
    last = marks.ROLLED.of(table, marks.FIGHT)
    ids = [one.id for one in there]
    at = ids.index(last) + 1 if last in ids else 0
    living = (one for one in (*there[at:], *there[:at]) if has_living(table, one))
    if not table.draft.concealed:
        return next(living, None)
    left = tuple(living)
    return next((one for one in left if _has_known(table, one)), left[0] if left else None)


def _has_known(table: Table, seat: Relation) -> bool:
    """Tell whether a seat has a living character known to all viewers."""
    return any(sheet.is_in_play(table, who) for who in table.list_known([one.who for one in seat.members]))


def list_rollers(table: Table) -> tuple[Id, ...]:
    """Return the combatants who may roll initiative.

    They are the characters of the seat due, or the whole party if no player is left.
    """
    seat = find_due_seat(table)
    if seat is not None:
        return tuple(one.who for one in seat.members if one.who in table.draft.combatants)
    return table.derive(fighters_by_side).get(sheet.PARTY, ())

"""Turns, the cost of actions, and the aftermath of each action."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from affray.engine.core.actions import Action
from affray.engine.core.candidates import EACH
from affray.engine.core.changes import change_pool, set_condition, set_pool
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused
from affray.engine.kit.fight_end import FightEnd, record_fight_end, reopen_fight, settle_end
from affray.engine.kit.riding import list_unit, mount_of, pair_saddles, rider_of
from affray.engine.kit.turn_order import must_be_acting
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import ATTACKED, CHECKED, MET, MOUNTED, NERVE, TURN, MountTurn
from affray.engine.rulesets.wwn.sheet import is_active, is_contested, is_mount, list_able, must_be_able, must_be_active
from affray.events import Clause, ConditionChanged, Id, MarkSet, TurnEnded

MANNERS = {"standard": "declare", "snap": "snap", "free": "strike", "bolts": "bolt", "ruled": "intervene"}
"""The manners in which an action is played, each with its trigger in the flow."""

Payment = Annotated[Literal["move", "main"], EACH]
"""The payment for a Move Action, recorded as ``pay``: itself, or the Main Action instead."""

PAYMENTS: tuple[Payment, ...] = ("move", "main")
"""All payments, in the order in which they are offered."""

NEXT = "next"
"""The source of a denial that takes effect next round."""

OPEN = ("surprise", "initiative", "mount_check", "turn")
"""The fight's own phases in which it may turn out to be over."""


def refuse_unknown_action(kind: str) -> Refused:
    """Return the refusal of an action that does not exist."""
    return Refused("not_an_action", "WWN-065", f"{kind} is no action of its own; it can be improvised", source=kind)


def must_have_turn(table: Table, actor: Id) -> None:
    """Refuse an actor without the turn; a mount has it with its rider (WWN-T42)."""
    if actor in table.draft.acting:
        return
    if is_mount(table, actor):
        if rider_of(table, actor) in table.draft.acting:
            return
        raise table.refuse(actor, "acts in its rider's turn only", "WWN-055", "not_mounts_turn")
    raise Refused("not_your_turn", "WWN-T41", f"it is not the turn of {table.name_of(actor)}", source=actor)


def must_be_up(table: Table, actor: Id) -> None:
    """Refuse to end another combatant's turn."""
    must_be_acting(table, actor, "WWN-T41")


def must_take_part(table: Table, actor: Id) -> None:
    """Refuse an Instant action of a combatant out of the fight."""
    must_be_active(table, actor, "WWN-T65")


def must_be_able_to_snap(table: Table, actor: Id) -> None:
    """Refuse a snap attack on the own turn, of a mount, or out of the fight (WWN-T56)."""
    if is_mount(table, actor):
        raise table.refuse(actor, "acts in its rider's turn only", "WWN-055", "not_mounts_turn")
    if actor in table.draft.acting:
        raise table.refuse(actor, "cannot interrupt on its own turn", "WWN-T56", "not_your_turn")
    must_be_able(table, actor, "WWN-T65")


def must_be_able_to_act(table: Table, actor: Id, manner: str) -> None:
    """Refuse an action by its actor's state, and non-attacks as snaps (WWN-T25, WWN-T43).

    An actor who was felled while the action was pending has lost it, unless both happen at once (WWN-021).
    """
    if manner == "pending" and is_met(table):
        return
    must_be_able(table, actor, "WWN-T43" if manner == "pending" else "WWN-T65")
    if manner == "snap":
        raise Refused("not_an_attack", "WWN-T25", "only an attack can be made as a snap", source=actor)


def is_met(table: Table) -> bool:
    """Tell whether a snap attack has met the pending action without preventing it (WWN-T57)."""
    if table.config.snap_timing != "simultaneous":
        return False
    pending = table.pending()
    return pending is not None and MET.is_on(table, pending.id)


def has_struck(table: Table) -> bool:
    """Tell whether the pending action has hit or missed, and only its effect is due."""
    question, awaited = table.draft.question, table.draft.awaited
    named = question is not None and question.about == "weapon"
    return named or (awaited is not None and awaited.purpose == "damage")


def must_be_no_beast(table: Table, actor: Id) -> None:
    """Refuse a mount's action that only people can do."""
    if is_mount(table, actor):
        raise table.refuse(actor, "is a beast", "WWN-T65", "not_for_beasts")


def must_afford(table: Table, actor: Id, with_: Payment, rule: Clause) -> None:
    """Refuse a combatant without a Main or Move Action this round, or denied it."""
    if table.pool(actor, with_) < 1:
        because = "WWN-069" if is_denied(table, actor, with_) else rule
        message = f"{table.name_of(actor)} has no {with_.capitalize()} Action left this round"
        raise Refused(f"no_{with_}_action", because, message, f"{actor}.{with_}")


def is_denied(table: Table, actor: Id, with_: str) -> bool:
    """Tell whether a combatant was denied this round's Main or Move Action."""
    return any(source != NEXT for source in table[actor].conditions.get(f"denied_{with_}", ()))


def end_denials(table: Table, who: Id, condition: str, *rules: Clause) -> list[ConditionChanged]:
    """Return the events that end a condition.

    Sources with a separate end, or yet to come, stay.
    """
    one = table[who]
    return [
        set_condition(table, who, condition, 0, *rules, source=source)
        for source in one.conditions.get(condition, ())
        if source != NEXT and one.ending(condition, source) is None
    ]


def lose_denied(table: Table, who: Id, condition: str) -> Rule[None]:
    """Take the actions of this round that a new condition denies."""
    for pool in PAYMENTS:
        if condition == f"denied_{pool}" and is_denied(table, who, pool) and table.pool(who, pool):
            yield set_pool(table, who, pool, 0, "WWN-069")


def must_afford_move(table: Table, actor: Id, payment: Payment, rule: Clause) -> None:
    """Refuse a Move Action without its payment, or one not allowed (WWN-T12)."""
    if payment == "main" and not table.config.main_as_move:
        raise Refused("no_move_action", "WWN-T12", "here a Main Action is no second Move", "config.main_as_move")
    must_afford(table, actor, payment, rule)


def spend_move(table: Table, actor: Id, manner: str, with_: Payment, *rules: Clause) -> Rule[None]:
    """Spend a Move Action, or the Main Action as a second one (WWN-T50)."""
    yield from spend(table, actor, manner, with_, *rules, *(("WWN-T12", "WWN-T50") if with_ == "main" else ()))


def spend(table: Table, actor: Id, manner: str, with_: Payment, *rules: Clause) -> Rule[None]:
    """Spend the Main or the Move Action; actions set off by rules or rulings are free."""
    if manner in ("standard", "snap"):
        own = ("WWN-053", "WWN-054") if is_mount(table, actor) else ()
        yield change_pool(table, actor, with_, -1, *own, *rules)


class MainAction(Action, frozen=True, kw_only=True):
    """An action that costs the Main Action.

    Class attributes:
        rule: The clause by which it costs the Main Action.
    """

    rule: ClassVar[Clause]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it by the state of the actor, and without the Main Action."""
        must_be_able_to_act(table, actor, manner)
        if manner == "standard":
            must_afford(table, actor, "main", self.rule)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the Main Action."""
        yield from spend(table, actor, manner, "main", self.rule)


def precedence(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Put every action on top: a snap attack resolves before the action it interrupts."""
    return len(table.draft.stack), ("WWN-T56",) if manner == "snap" else ()


def aftermath(table: Table) -> Rule[str]:
    """Find the next step: the fight or the turn is over, a beast mounted, or none.

    The fight goes on while an action is pending that a snap attack met at the same moment.
    """
    draft = table.draft
    if table.config.snap_timing == "simultaneous":
        yield from _forget_met(table)
    met = draft.stack and any(MET.is_on(table, pending.id) for pending in draft.stack)
    if draft.phases[""] in OPEN and not met and not table.derive(is_contested) and (yield from end_if_over(table)):
        return "over"
    if not draft.stack and draft.phases[""] == "turn" and not has_active_actor(table):
        yield from end_turn(table)
        return "spent"
    if draft.relations and not draft.stack and draft.phases[""] == "turn" and list_mounted(table):
        return "rides_up"
    return "resume"


def list_mounted(table: Table) -> list[tuple[Id, Id]]:
    """List riders that just mounted a beast, or joined mounted, and need a check."""
    noted, mounts = table.draft.marks, table.derive(pair_saddles)[0]
    return [(rider, mount) for rider, mount in mounts.items() if MOUNTED.key in noted.get(mount, ())]


def find_due_beast(table: Table) -> Id:
    """Return the first unchecked beast with an acting or newly mounted rider (WWN-060).

    Return an empty id if there is none.
    """
    mounts = table.derive(pair_saddles)[0]
    if not mounts:
        return ""
    led = [(rider, mounts.get(rider, "")) for rider in table.draft.acting] + list_mounted(table)
    able = (mount for rider, mount in led if mount and is_active(table, mount) and is_active(table, rider))
    return next((mount for mount in able if is_due(table, mount)), "")


def is_due(table: Table, mount: Id) -> bool:
    """Tell whether a ridden beast still needs its check this round."""
    if "war_trained" in table[mount].traits or find_check_kind(table, mount) == "none":
        return False
    return CHECKED.of(table, mount) != table.draft.round


def note_mounted(table: Table, mount: Id) -> Iterable[MarkSet]:
    """Return the note that a beast needs its check now, unless it has had it."""
    return (MOUNTED.set_on(mount, True, "WWN-060"),) if is_due(table, mount) else ()


def find_check_kind(table: Table, mount: Id) -> str:
    """Return a beast's check: the ruled one, or the configured one."""
    return NERVE.of(table, mount) or table.config.mount_check


def _forget_met(table: Table) -> Rule[None]:
    """Remove the notes on actions that are no longer pending."""
    pending = {one.id for one in table.draft.stack}
    for owner in tuple(table.draft.marks):
        if owner not in pending and MET.is_on(table, owner):
            yield MET.clear_on(owner, "WWN-T57")


def has_active_actor(table: Table) -> bool:
    """Tell whether any acting combatant is still in the fight."""
    return bool([who for who in table.draft.acting if is_active(table, who)])


def end_turn(table: Table) -> Rule[None]:
    """End the current turn, also if its owner fell in it."""
    for who in table.draft.acting:
        yield from forget_attackers(table, who)
    yield TurnEnded(slot=table.draft.up, rules=("WWN-003",))


def forget_attackers(table: Table, who: Id) -> Rule[None]:
    """Let the beasts that a combatant led forget who attacked them before."""
    here = MountTurn(round=table.draft.round, who=who)
    beasts = [owner for owner in table.draft.mark_parts if TURN.of(table, owner) == here]
    for beast in beasts:
        for attacker, _ in tuple(ATTACKED.list_on(table, beast)):
            yield ATTACKED.clear_on(beast, "WWN-059", about=attacker)


def _end_fight(table: Table, victors: Sequence[str], why: str) -> Rule[None]:
    """Drop pending actions, close an open window, name the victors (WWN-T48)."""
    yield from record_fight_end(table, victors, why, "WWN-G02")


FIGHT_END = FightEnd(
    able=list_able,
    is_contested=is_contested,
    end=_end_fight,
    rules=("WWN-G02", "WWN-T77"),
)
"""The conditions and the procedure of a fight's end."""


def end_if_over(table: Table) -> Rule[bool]:
    """End the fight once no two known enemies are active; return whether it is over (WWN-G02)."""
    return settle_end(table, FIGHT_END)


def reopen(table: Table) -> Rule[str]:
    """Reopen a finished fight in a new round (WWN-T77).

    A fight without a turn order starts from its beginning.
    """
    yield from reopen_fight(table, "WWN-T77")
    if table.draft.acting:
        yield from end_turn(table)
    return "reopen" if table.draft.slots else "begin_anew"


def sort_by_turn(table: Table, who: list[Id]) -> tuple[Id, ...]:
    """Return combatants in turn order, mounts with riders, others in roster order."""
    if len(who) < 2:
        return tuple(who)
    rank = {member: at for at, slot in enumerate(table.draft.slots) for member in slot.members}
    roster = list(table.draft.combatants)
    return tuple(sorted(who, key=lambda one: (rank.get(list_unit(table, one)[0], len(rank)), roster.index(one))))


def movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield the combatants who might declare an action now, each with its manner."""
    draft = table.draft
    if draft.phase == "setup":
        yield "gm", "standard"
    if draft.phase not in ("turn", "window"):
        return
    if not draft.stack:
        for who in draft.acting:
            yield who, "standard"
            if mount_of(table, who):
                yield mount_of(table, who), "standard"
    asked = draft.window.to if draft.window is not None else ()
    for who in asked:
        yield who, "snap"
    for who in draft.combatants:
        if draft.stack and who not in asked:
            yield who, "snap"
        elif not draft.stack and who not in draft.acting and rider_of(table, who) not in draft.acting:
            yield who, "standard"

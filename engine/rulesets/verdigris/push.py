"""Throwing a pool, pushing it, and what pushing wears down (VER-S07 to VER-S10)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.changes import item_counted, marked, pool_moved
from affray.engine.core.effects import Ask, Roll, Rule, throw
from affray.engine.core.table import Table
from affray.engine.kit.modifiers import used_up
from affray.events import SET_ASIDE, Answered, Dice, Faces, Field, Id, Option, Rolled

from .refusing import no
from .sheet import is_pc
from .wanted import Pool, Wanted, noted, rolled

KEEP = Option(choice="keep", says="lets the roll stand")
PUSH = Option(choice="push", says="sets ones and sixes aside and rolls the others again")
LUCK = "luck"

INSPIRED = "inspired"
"""Key of the mark that says that inspiration was spent on the next test."""


class Thrown(Struct, frozen=True):
    """A roll that is final.

    Attributes:
        roll: Id of its last throw.
        sl: Its success level, never below 0 (VER-S02).
        pushed: Whether it was pushed.
        panics: How many ones its stress dice show (VER-S11).
    """

    roll: Id
    sl: int
    pushed: bool = False
    panics: int = 0


def thrown(table: Table, present: Callable[[], Pool], ground: Callable[[], None] | None = None) -> Rule[Thrown]:
    """Throw a pool, let its owner push it or use luck, and wear down what a push wears down.

    Args:
        table: The fight.
        present: What the pool is now; while real dice are awaited, a ruling may change it.
        ground: Refuses to go on, after a ruling, where what the roll rests on is gone; it rests on its owner anyway.
    """
    wanted = Wanted(table, present, ground)
    roll: Rolled = yield wanted.roll()
    pool = wanted.pool
    if noted(table, pool.who):
        yield from _counted(table, pool)
    pushed = False
    while (ask := _asked(table, pool, roll, pushed)) is not None:
        answer = yield replace(ask, again=partial(_asked, table, pool, roll, pushed, wanted.check_ground))
        if answer is None or answer.choice == "keep":
            break
        if answer.choice == LUCK:
            roll = yield from _lucky(table, pool, roll, wanted.check_ground, answer)
        else:
            pushed = True
            roll = yield from _push(table, pool, roll, wanted.check_ground)
    if pushed:
        yield from _worn(table, pool, roll)
    panics = 0
    if pool.stress or pushed:
        panics = sum([group.faces.count(1) for group in roll.dice if group.kind == "stress"])
    return Thrown(roll.roll, max(0, roll.total), pushed, panics)


def _counted(table: Table, pool: Pool) -> Rule[None]:
    """Strike out what counted for one roll alone: modifiers, a faltering after panic, inspiration (VER-S12, S15)."""
    yield from used_up(table, pool.who)
    if table.mark(pool.who, "falters") is not None:
        yield marked(pool.who, "falters", None, "VER-S12")
    if pool.is_test and table.mark(pool.who, INSPIRED) is not None:
        yield marked(pool.who, INSPIRED, None, "VER-S15")


def _asked(
    table: Table, pool: Pool, roll: Rolled, pushed: bool, check_ground: Callable[[], None] | None = None
) -> Ask | None:
    """Return the question whether a roll is pushed or a die is thrown again; nothing where neither is possible."""
    if not roll.dice:
        return None
    pc = is_pc(table, pool.who)
    willing = pool.may_push and not pushed and (pc or table.config.npc_may_push)
    may_push = willing and (_loose(roll) or (pool.is_test and pc))
    lucky = table.pool(pool.who, LUCK)
    if not (may_push or lucky) or stands_back(table, pool.who):
        return None
    if check_ground is not None:
        check_ground()
    options = (KEEP, PUSH) if may_push else (KEEP,)
    if lucky:
        die = Field(name="die", kind="int", low=1, high=sum([len(group.faces) for group in roll.dice]))
        again = Option(choice=LUCK, says="rolls one die again, counted from the first shown", fields=(die,))
        options = (*options, again)
    about = "push" if table.draft.stack else f"push:{pool.who}"
    of = (pool.who if pc else "gm",)
    rules = ("VER-S07", "VER-T15")
    return Ask(of=of, about=about, options=options, rules=rules, refuses=None if may_push else _once)


def _once(answer: Answered) -> None:
    """Refuse to push what cannot be pushed, or has been (VER-S07)."""
    if answer.choice == "push":
        raise no("VER-S07", "this roll cannot be pushed, or has been", "push")


def _loose(roll: Rolled) -> bool:
    """Tell whether a push would have any dice to roll again."""
    for group in roll.dice:
        for face in group.faces:
            if 1 < face < 6:
                return True
    return False


def stands_back(table: Table, who: Id) -> bool:
    """Tell whether somebody wants to be asked nothing, or only when aimed at, and nothing is aimed at them."""
    ask = table.draft.standing.get(who)
    if ask is None or ask == "never":
        return ask == "never"
    return all(who not in pending.targets for pending in table.draft.stack)


def _push(table: Table, pool: Pool, roll: Rolled, check_ground: Callable[[], None]) -> Rule[Rolled]:
    """Set ones and sixes aside, gain stress for a test, and roll the others again, with a stress die (VER-S07)."""
    stressed = pool.is_test and is_pc(table, pool.who)
    if stressed:
        yield pool_moved(table, pool.who, "stress", 1, "VER-S07")
    held = _aside([(group, face) for group in roll.dice for face in group.faces if face in (1, 6)])
    loose: dict[tuple[str, Id], int] = {}
    for group in roll.dice:
        again = sum([face not in (1, 6) for face in group.faces])
        if again:
            loose[group.kind, group.item] = loose.get((group.kind, group.item), 0) + again
    if stressed:
        loose["stress", ""] = loose.pop(("stress", ""), 0) + 1
    dice = tuple([Dice(count=count, sides=6, kind=kind, item=item) for (kind, item), count in loose.items()])
    rules = (*pool.rules, "VER-S07") if stressed or not pool.is_test else (*pool.rules, "VER-S07", "VER-T55")
    if any(group.kind in ("skill", "bonus") and 1 in group.faces for group in held):
        rules = (*rules, "VER-S10")
    pushed = rolled(pool, dice, roll.pool, roll.modifiers, again="/push", held=held, rules=rules)
    return (yield from _thrown_again(pushed, check_ground))


def _thrown_again(again: Roll, check_ground: Callable[[], None]) -> Rule[Rolled]:
    """Throw once more what lies on the table already, as long as it rests on firm ground."""

    def wanted() -> Roll:
        check_ground()
        return again

    rolled = yield from throw(wanted)
    assert rolled is not None
    return rolled


def _lucky(table: Table, pool: Pool, roll: Rolled, check_ground: Callable[[], None], answer: Answered) -> Rule[Rolled]:
    """Roll one die again, whatever it shows; once a session (table 5.7)."""
    yield pool_moved(table, pool.who, "luck", -1, "VER-T29")
    chosen = int(answer.fields["die"] or 1) - 1
    flat = [(group, face) for group in roll.dice for face in group.faces]
    group, _ = flat.pop(chosen)
    dice = (Dice(count=1, sides=6, kind=group.kind, item=group.item),)
    rules = (*pool.rules, "VER-T29")
    again = rolled(pool, dice, roll.pool, roll.modifiers, again="/luck", held=_aside(flat), rules=rules)
    return (yield from _thrown_again(again, check_ground))


def _aside(dice: list[tuple[Faces, int]]) -> tuple[Faces, ...]:
    """Return dice that stay as they lie, group by group."""
    groups = []
    for (kind, item), members in groupby(dice, key=lambda one: (one[0].kind, one[0].item)):
        faces = tuple([face for _, face in members])
        groups.append(Faces(sides=6, faces=faces, kind=kind, item=item, fates=(SET_ASIDE,) * len(faces)))
    return tuple(groups)


def _worn(table: Table, pool: Pool, roll: Rolled) -> Rule[None]:
    """Let every one of a pushed roll cost what it was rolled with: attributes and gear, but no training (VER-S10)."""
    if pool.is_test:
        yield from _strained(table, pool, _ones(roll, "attribute"))
    lost = _ones(roll, "gear")
    for share in pool.shares:
        if lost and share.kind == "gear" and share.item:
            thing = table.item(share.item)
            counter = "bonus" if thing.kind == "weapon" else "rating"
            now = thing.counters.get(counter, 0)
            if now:
                rules = ("VER-S09",) if lost < now else ("VER-S09", "VER-T53")
                yield item_counted(table, share.item, counter, max(0, now - lost), *rules)
            lost = max(0, lost - now)


def _ones(roll: Rolled, kind: str) -> int:
    """Count the ones on dice of a kind; those of gear that no item gave cost nothing."""
    return sum([group.faces.count(1) for group in roll.dice if group.kind == kind and (kind != "gear" or group.item)])


def _strained(table: Table, pool: Pool, ones: int) -> Rule[None]:
    """Lower the attribute of a test, never below 1, or 2 where somebody is tenacious (VER-S08)."""
    name = next((share.label for share in pool.shares if share.kind == "attribute"), "")
    least = 2 if f"tenacious:{name}" in table[pool.who].traits else 1
    now = table.pool(pool.who, name)
    if ones and now > least:
        yield pool_moved(table, pool.who, name, max(least, now - ones) - now, "VER-S08")

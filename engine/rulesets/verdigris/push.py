"""Throwing a pool, pushing it, and what pushing wears down (VER-S07 to VER-S10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

from msgspec import Struct

from affray.engine.facts import item_counted, marked, pool_moved
from affray.engine.modifiers import used_up
from affray.engine.rule import Ask, Roll, Rule, choice, throw
from affray.engine.table import Table
from affray.events import SET_ASIDE, Answered, Clause, Dice, Faces, Field, Id, Modifier, Option, Rolled

from .pools import Share, lost_sl, pooled
from .refusing import no
from .sheet import in_play, is_pc

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


class Pool(Struct, frozen=True, kw_only=True):
    """A pool that is about to be thrown.

    Attributes:
        who: Whose roll it is.
        purpose: What for.
        shares: What it is made of.
        changes: Bonuses and penalties.
        needs: What is rolled and what it takes, as in ``burdens``.
        stress: How many stress dice it has.
        is_test: Whether it is a test; a save otherwise.
        may_push: Whether the rules let anybody push it.
        against: The SL it needs, for the record.
        rules: The clauses that ask for it.
    """

    who: Id
    purpose: str
    shares: Sequence[Share]
    changes: Sequence[Modifier]
    needs: frozenset[str]
    stress: int = 0
    is_test: bool = True
    may_push: bool = True
    against: int | None = None
    rules: tuple[Clause, ...] = ()


def thrown(table: Table, present: Callable[[], Pool], ground: Callable[[], None] | None = None) -> Rule[Thrown]:
    """Throw a pool, let its owner push it or use luck, and wear down what a push wears down.

    Args:
        table: The fight.
        present: What the pool is now; while real dice are awaited, a ruling may change it.
        ground: Refuses to go on where what the roll rests on is gone; a roll rests on its owner in any case.
    """
    pool: Pool

    def check_ground() -> None:
        if not in_play(table, pool.who):
            raise no("VER-002", f"{pool.who} is out of play", pool.who)
        if ground is not None:
            ground()

    def wanted() -> Roll:
        nonlocal pool
        pool = present()
        check_ground()
        dice, terms = pooled(pool.shares, pool.changes, pool.stress, table.config.pool_minimum)
        lost = lost_sl(table, pool.who, pool.needs) if _hampered(table, pool.who) else ()
        rules = (*pool.rules, *_sums(pool)) if pool.changes else pool.rules
        rules = rules if dice else (*rules, "VER-T52")
        return _roll(pool, dice, terms, lost, rules=rules)

    roll = yield from throw(wanted)
    assert roll is not None
    if noted(table, pool.who):
        yield from _counted(table, pool)
    pushed = False
    while (answer := (yield from choice(partial(_asked, table, pool, roll, pushed, check_ground)))) is not None:
        if answer.choice == LUCK:
            roll = yield from _lucky(table, pool, roll, check_ground, answer)
        elif answer.choice == "push":
            pushed = True
            roll = yield from _push(table, pool, roll, check_ground)
        else:
            break
    if pushed:
        yield from _worn(table, pool, roll)
    panics = 0
    if pool.stress or pushed:
        panics = sum([group.faces.count(1) for group in roll.dice if group.kind == "stress"])
    return Thrown(roll.roll, max(0, roll.total), pushed, panics)


def _sums(pool: Pool) -> tuple[Clause, ...]:
    """Return the clauses by which bonuses and penalties are summed; of gear they take armour first (VER-S05)."""
    balance = sum([change.value for change in pool.changes])
    if balance > 0:
        return ("VER-S05", "VER-T13")
    takes_gear = not pool.is_test and balance + pool.shares[0].dice < 0 and len(pool.shares) > 1
    if takes_gear:
        return ("VER-S05", "VER-T51")
    return ("VER-S05",) if any(change.value for change in pool.changes) else ()


def _roll(
    pool: Pool,
    dice: tuple[Dice, ...],
    terms: tuple[Modifier, ...],
    lost: tuple[Modifier, ...],
    *,
    again: str = "",
    held: tuple[Faces, ...] = (),
    rules: tuple[Clause, ...] = (),
) -> Roll:
    return Roll(
        dice=dice,
        purpose=pool.purpose + again,
        by=pool.who,
        reading="sixes",
        held=held,
        pool=terms,
        modifiers=lost,
        against=pool.against,
        rules=rules or pool.rules,
    )


def _hampered(table: Table, who: Id) -> bool:
    return who in table.draft.marks or table[who].has("injured")


def noted(table: Table, who: Id) -> bool:
    """Tell whether anything is noted about somebody, or about what is under way."""
    marks, stack = table.draft.marks, table.draft.stack
    return who in marks or bool(stack and stack[-1].id in marks)


def _counted(table: Table, pool: Pool) -> Rule[None]:
    """Strike out what counted for one roll alone: modifiers, a faltering after panic, inspiration (VER-S12, S15)."""
    yield from used_up(table, pool.who)
    if table.mark(pool.who, "falters") is not None:
        yield marked(pool.who, "falters", None, "VER-S12")
    if pool.is_test and table.mark(pool.who, INSPIRED) is not None:
        yield marked(pool.who, INSPIRED, None, "VER-S15")


def _asked(table: Table, pool: Pool, roll: Rolled, pushed: bool, check_ground: Callable[[], None]) -> Ask | None:
    """Return the question whether a roll is pushed or a die is thrown again; nothing where neither is possible."""
    if not roll.dice:
        return None
    pc = is_pc(table, pool.who)
    willing = pool.may_push and not pushed and (pc or table.config.npc_may_push)
    may_push = willing and (_loose(roll) or (pool.is_test and pc))
    lucky = table.pool(pool.who, LUCK)
    if not (may_push or lucky) or stands_back(table, pool.who):
        return None
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
    pushed = _roll(pool, dice, roll.pool, roll.modifiers, again="/push", held=held, rules=rules)
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
    again = _roll(pool, dice, roll.pool, roll.modifiers, again="/luck", held=_aside(flat), rules=rules)
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

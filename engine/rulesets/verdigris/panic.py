"""Stress and panic (VER-S06, VER-S11, VER-S12, table 5.8)."""

from __future__ import annotations

from functools import partial

from affray.engine.core.changes import marked, pool_moved, pool_set
from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.core.table import Table
from affray.engine.kit.relations import bond
from affray.events import Dice, Field, Id, Modifier, Noted, Option

from .afflictions import afflict, drop_all
from .gear import empty_handed
from .harm import at_deaths_door
from .rows import Panic
from .saves import passes
from .sheet import friends, in_play, is_mount, no_stress, watching
from .tables import panicking

LASHES = "lashes out"
"""Key of the mark that says at whom somebody in panic strikes next."""

FLEES = "flees"
"""Key of the mark that says that the next turn goes into flight."""

PANIC = "panic"
"""Source of a flight that panic began; it ends in safety, and takes all stress with it."""

DROP = Option(choice="drop", says="lets everything fall")
STRESS = Option(choice="stress", says="holds on to it, for two more stress")


def steady(table: Table, who: Id, ones: int) -> Rule[bool]:
    """Keep one's nerve when stress dice show ones, and be calm again; or panic (VER-S11, VER-S12)."""
    kept = yield from passes(table, who, "panic", ones, "VER-S11", "VER-T14", purpose="panic")
    if kept:
        yield pool_set(table, who, "stress", no_stress(table, who), "VER-S12")
        return True
    yield from panics(table, who)
    return False


def panics(table: Table, who: Id) -> Rule[None]:
    """Roll 2d6 and stress on the panic table, and do what it says (VER-S12)."""
    roll = yield from throw(partial(_shaken, table, who))
    if roll is None:
        return
    row = panicking(roll.total)
    yield Noted(text=f"{table[who].name} panics: {row.says}", rules=("VER-S12",))
    if row.effect == "drop_or_stress":
        yield from _drops(table, who, row)
        return
    if row.stress:
        yield pool_moved(table, who, "stress", row.stress, "VER-S12")
    if row.stunned:
        yield from afflict(table, who, "stunned", row.stunned, "VER-S12")
    if row.allies:
        seen = watching(table, who) if row.effect != "alert" else friends(table, who)
        for friend in seen:
            yield pool_moved(table, friend, "stress", row.allies, "VER-S12")
    yield from _beyond_numbers(table, who, row)


def _shaken(table: Table, who: Id) -> Roll | None:
    """Return the roll on the panic table: 2d6 and stress, of somebody who is still there."""
    if not in_play(table, who):
        return None
    stress = table.pool(who, "stress")
    return Roll(
        dice=(Dice(count=2, sides=6, kind="panic"),),
        purpose="panics",
        by=who,
        modifiers=(Modifier(value=stress, label="stress", source=f"{who}.stress", rule="VER-S12"),) if stress else (),
        rules=("VER-S12",),
    )


def _beyond_numbers(table: Table, who: Id, row: Panic) -> Rule[None]:
    """Do what a row of the table says besides its numbers."""
    if row.effect == "falter":
        yield marked(who, "falters", row.sl, "VER-S12", until="the next roll")
    elif row.effect == "flee":
        yield marked(who, FLEES, True, "VER-S12", until="the next turn")
    elif row.effect == "lash_out":
        yield from _lashes_out(table, who)
    elif row.effect == "collapse":
        yield from _collapses(table, who)


def _drops(table: Table, who: Id, row: Panic) -> Rule[None]:
    """Let everything fall, or gain stress instead; whose hands are empty has no choice."""
    answer = yield from choice(partial(_asked, table, who))
    if answer is not None and answer.choice == "drop":
        yield from drop_all(table, who, "VER-S12")
    else:
        yield pool_moved(table, who, "stress", row.stress, "VER-S12")


def _asked(table: Table, who: Id) -> Ask | None:
    """Return the question whether everything falls from the hands, if there is anything in them."""
    if not in_play(table, who) or empty_handed(table, who):
        return None
    return Ask(of=(who,), about="panic", options=(DROP, STRESS), rules=("VER-S12",))


def _lashes_out(table: Table, who: Id) -> Rule[None]:
    """Choose by die whom the one in panic strikes at, as soon as what is under way is over."""
    roll = yield from throw(partial(_which, table, who))
    nearest = _nearest(table, who)
    if not nearest:
        return
    at = roll.total if roll is not None else 1
    yield marked(who, LASHES, nearest[at - 1], "VER-S12", until="what is under way is over")
    yield marked("fight", LASHES, who, "VER-S12", until="what is under way is over")


def _which(table: Table, who: Id) -> Roll | None:
    """Return the die that chooses between those who are nearest; one alone needs none."""
    nearest = _nearest(table, who)
    if len(nearest) < 2:
        return None
    dice = (Dice(count=1, sides=len(nearest), kind="nearest"),)
    return Roll(dice=dice, purpose="nearest", by=who, rules=("VER-S12", "VER-T02"))


def _nearest(table: Table, who: Id) -> tuple[Id, ...]:
    """Return who is nearest, friend or foe, in joining order: in the same melee, or zone, or anywhere."""
    everybody = [one for one in table.draft.combatants if one != who and in_play(table, one)]
    people = [one for one in everybody if not is_mount(table, one)]
    melee = bond(table, "melee", who)
    if melee is not None:
        members = {member.who for member in melee.members}
        return tuple(one for one in people if one in members and not table[one].has("deaths_door"))
    here = tuple(one for one in people if table[one].place == table[who].place)
    return here or tuple(people)


def _collapses(table: Table, who: Id) -> Rule[None]:
    """Fall to Death's Door, and let friends in sight share the stress as the player divides it (VER-095)."""
    stress = table.pool(who, "stress")
    for pool in ("wounds", "hp"):
        if table.pool(who, pool):
            yield pool_set(table, who, pool, 0, "VER-S12")
    yield from at_deaths_door(table, who)
    yield pool_set(table, who, "stress", 0, "VER-S12")
    yield from _divided(table, who, stress)


def _divided(table: Table, who: Id, stress: int) -> Rule[None]:
    """Ask the player how much of the stress each friend in sight takes; the first, or one alone, takes what is left."""
    answer = yield from choice(partial(_to_divide, table, who, stress))
    shares = dict.fromkeys(watching(table, who), 0)
    left = stress
    told = answer.fields if answer is not None else {}
    for one in shares:
        shares[one] = min(left, int(told.get(one) or 0))
        left -= shares[one]
    for nth, (one, share) in enumerate(shares.items()):
        takes = share if nth else share + left
        if takes:
            yield pool_moved(table, one, "stress", takes, "VER-S12")


def _to_divide(table: Table, who: Id, stress: int) -> Ask | None:
    """Return the question how the stress is divided, if two friends or more see it and can take it."""
    heirs = watching(table, who)
    if len(heirs) < 2:
        return None
    fields = tuple(Field(name=one, kind="int", high=stress, optional=True) for one in heirs)
    options = (Option(choice="given", says=f"who takes how much of the {stress} stress", fields=fields),)
    return Ask(of=(who,), about="divide", options=options, rules=("VER-S12",))

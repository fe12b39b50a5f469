"""Stress and panic, and the tests that can cause panic."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from affray.engine.core.changes import change_pool, set_pool
from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import burden_of, find_armor, is_empty_handed
from affray.engine.rulesets.verdigris.harm.conditions import afflict, drop_all, reach_deaths_door
from affray.engine.rulesets.verdigris.harm.injuries import list_friends, list_witnesses
from affray.engine.rulesets.verdigris.sheet import is_in_play, is_mount, least_stress, shown_melee
from affray.engine.rulesets.verdigris.tables import panicking
from affray.events import Clause, Dice, Field, Id, Judged, Modifier, Noted, Option

from .pools import Pool, attribute, background, skill
from .pushing import Thrown
from .rolls import PASSED, roll_test, try_save

LIMBER = frozenset({"acrobatics", "sneaking", "swimming"})
"""Skills of stealth and movement, which armour impedes (VER-S16)."""


def try_test(
    table: Table,
    who: Id,
    purpose: str,
    of: str,
    with_skill: str,
    *rules: Clause,
    ground: Callable[[], None] | None = None,
    fits: bool = False,
    needs: frozenset[str] = frozenset(),
    needed: int = 1,
) -> Rule[Thrown]:
    """Test an attribute and a skill, without an opponent; 1 SL passes unless given."""
    base = partial(build_test_pool, table, who, purpose, of, with_skill, *rules, fits=fits, needs=needs, against=needed)
    outcome = yield from attempt(table, who, base, ground)
    passed = outcome.sl >= needed
    rules = ("VER-S04", "VER-T06", *rules)
    judged = Judged(roll=outcome.roll, outcome=PASSED[not passed], margin=outcome.sl - needed, rules=rules)
    if passed == (yield from judge_test(table, who, judged, passed, PASSED, "VER-T80")):
        return outcome
    return replace(outcome, sl=needed - 1 if passed else needed)


def build_test_pool(
    table: Table,
    who: Id,
    purpose: str,
    of: str,
    with_skill: str,
    *rules: Clause,
    fits: bool = False,
    needs: frozenset[str] = frozenset(),
    against: int | None = None,
) -> Pool:
    """Return attribute, skill and a fitting background.

    Hiding and running are spared the penalty of a broken nerve (table 5.4).
    """
    shares = [attribute(table, who, of)]
    if with_skill:
        shares.append(skill(table, who, with_skill))
    if fits:
        shares.append(background(table, who))
    changes = _list_impediments(table, who) if with_skill in LIMBER or "movement" in needs else ()
    needs |= {"tests", "flight", of} if with_skill == "sneaking" else {"tests", of}
    return Pool(who=who, purpose=purpose, shares=shares, changes=changes, needs=needs, against=against, rules=rules)


def _list_impediments(table: Table, who: Id) -> tuple[Modifier, ...]:
    """Return the penalty of worn armour on a test of stealth or movement (VER-S16)."""
    burden = burden_of(table, who, find_armor(table, who))
    return (Modifier(value=-burden, label="impeding", source=f"{who}.armor", rule="VER-S16"),) if burden else ()


PANIC = "panic"
"""Source of a flight by panic; in safety it ends, and all stress with it."""

DROP = Option(choice="drop", says="lets everything fall")
STRESS = Option(choice="stress", says="holds on to it, for two more stress")


def keep_nerve(table: Table, who: Id, ones: int, is_ruled: bool = False) -> Rule[bool]:
    """Make a Panic save against ones on stress dice: lose the stress, or panic (VER-S11, VER-T14).

    Args:
        is_ruled: Whether a verdict on tests applies, as to a save that the game master calls for.
    """
    is_calm = yield from try_save(table, who, "panic", ones, "VER-S11", "VER-T14", purpose="panic", is_ruled=is_ruled)
    calm = least_stress(table, who)
    if is_calm and table.pool(who, "stress") != calm:
        yield set_pool(table, who, "stress", calm, "VER-S12")
    if not is_calm:
        yield from panic(table, who)
    return is_calm


attempt = partial(roll_test, keep_nerve)
"""Roll a test; ones on its stress dice call for a Panic save, which may spoil it."""


def panic(table: Table, who: Id) -> Rule[None]:
    """Roll 2d6 and stress on the panic table, and apply its row (VER-S12)."""
    roll = yield from throw(partial(_build_panic_roll, table, who))
    if roll is None:
        return
    row = panicking(roll.total)
    yield Noted(kind="panics", parts={"who": who, "what": row.says}, rules=("VER-S12",))
    if row.effect == "drop_or_stress":
        answer = yield from choice(partial(_build_drop_question, table, who))
        if answer is not None and answer.choice == "drop":
            yield from drop_all(table, who, "VER-S12")
            return
    if row.stress:
        yield change_pool(table, who, "stress", row.stress, "VER-S12")
    if row.stunned:
        yield from afflict(table, who, "stunned", row.stunned, "VER-S12")
    if row.allies:
        seen = list_witnesses(table, who) if row.effect != "alert" else list_friends(table, who)
        for friend in seen:
            yield change_pool(table, friend, "stress", row.allies, "VER-S12")
    if row.effect == "falter":
        yield marks.FALTERS.set_on(who, row.sl, "VER-S12")
    elif row.effect == "flee":
        yield marks.FLEES.set_on(who, True, "VER-S12")
    elif row.effect == "lash_out":
        yield from _lash_out(table, who)
    elif row.effect == "collapse":
        yield from _collapse(table, who)


def _build_panic_roll(table: Table, who: Id) -> Roll | None:
    """Return the roll on the panic table: 2d6 and stress, while its owner is in play."""
    if not is_in_play(table, who):
        return None
    stress = table.pool(who, "stress")
    more = (Modifier(value=stress, label="stress", source=f"{who}.stress", rule="VER-S12"),) if stress else ()
    dice = (Dice(count=2, sides=6, kind="panic"),)
    return Roll(dice=dice, purpose="panics", by=who, modifiers=more, rules=("VER-S12",))


def _build_drop_question(table: Table, who: Id) -> Ask | None:
    """Return the question whether a combatant drops everything, if it holds anything."""
    if not is_in_play(table, who) or is_empty_handed(table, who):
        return None
    return Ask(of=(who,), about="panic", options=(DROP, STRESS), rules=("VER-S12",))


def _lash_out(table: Table, who: Id) -> Rule[None]:
    """Choose a combatant's target in panic; it strikes after the action under way."""
    roll = yield from throw(partial(_build_nearest_roll, table, who))
    nearest = _list_nearest(table, who)
    if not nearest:
        return
    at = roll.total if roll is not None else 1
    yield marks.LASHES.set_on(who, nearest[at - 1], "VER-S12")
    yield marks.LASHES.set_on(marks.FIGHT, who, "VER-S12")


def _build_nearest_roll(table: Table, who: Id) -> Roll | None:
    """Return the die that chooses among the nearest; a single one needs none."""
    nearest = _list_nearest(table, who)
    if len(nearest) < 2:
        return None
    dice = (Dice(count=1, sides=len(nearest), kind="nearest"),)
    return Roll(dice=dice, purpose="nearest", by=who, rules=("VER-S12", "VER-T02"))


def _list_nearest(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the nearest known combatants, friend or foe.

    They are those in the same melee, else in the same zone, else all.
    """
    others = [one for one in table.list_known(table.draft.combatants) if one != who and is_in_play(table, one)]
    people = [one for one in others if not is_mount(table, one)]
    melee = shown_melee(table, who)
    if melee is not None:
        members = {member.who for member in melee.members}
        return tuple(one for one in people if one in members and not table[one].has("deaths_door"))
    here = tuple(one for one in people if table[one].place == table[who].place)
    return here or tuple(people)


def _collapse(table: Table, who: Id) -> Rule[None]:
    """Fall to Death's Door, and divide the stress among friends in sight.

    The player divides it. The first friend takes the rest.
    """
    stress = table.pool(who, "stress")
    for pool in ("wounds", "hp"):
        if table.pool(who, pool):
            yield set_pool(table, who, pool, 0, "VER-S12")
    yield from reach_deaths_door(table, who)
    yield set_pool(table, who, "stress", 0, "VER-S12")
    answer = yield from choice(partial(_build_share_question, table, who, stress))
    divided = answer.about if answer is not None else {}
    shares, left = {}, stress
    for one in list_witnesses(table, who):
        shares[one] = min(left, int(divided.get(one, {}).get("stress") or 0))
        left -= shares[one]
    for nth, (one, share) in enumerate(shares.items()):
        takes = share if nth else share + left
        if takes:
            yield change_pool(table, one, "stress", takes, "VER-S12")


def _build_share_question(table: Table, who: Id, stress: int) -> Ask | None:
    """Return the question how to divide the stress among two or more friends.

    The game master divides the stress of a combatant who is out of play by then.
    """
    heirs = list_witnesses(table, who)
    if len(heirs) < 2:
        return None
    fields = tuple(Field(name="stress", about=one, kind="int", high=stress, optional=True) for one in heirs)
    options = (Option(choice="given", says=f"who takes how much of the {stress} stress", fields=fields),)
    of = who if is_in_play(table, who) else "gm"
    return Ask(of=(of,), about="divide", options=options, rules=("VER-S12",), sources=(f"{who}.stress",))

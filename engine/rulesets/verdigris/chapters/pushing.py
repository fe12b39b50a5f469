"""Pushing a roll, luck, inspiration, and the wear of a push."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

from msgspec import Struct

from affray.engine.core.actions import declared_as
from affray.engine.core.changes import change_pool, set_condition, set_item_counter
from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import build_armor_share, find_armor
from affray.engine.rulesets.verdigris.sheet import TENACIOUS, is_in_play, refusal_by
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import SET_ASIDE, Answered, Dice, Faces, Feature, Id, Option, Rolled, Source

from .pools import Pool, Share, build_roll


class Thrown(Struct, frozen=True):
    """The final result of a roll.

    Attributes:
        roll: Id of the last roll.
        sl: The success level, never below 0 (VER-S02); 0 if panic spoilt it.
        pushed: Whether it was pushed.
        panics: The number of ones on its stress dice (VER-S11).
        panicked: Whether the test failed by panic.
    """

    roll: Id
    sl: int
    pushed: bool = False
    panics: int = 0
    panicked: bool = False


def push(table: Table, pool: Pool, roll: Rolled, check_ground: Callable[[], None]) -> Rule[Rolled]:
    """Set ones and sixes aside, gain stress for a test, and reroll the others (VER-S07, VER-S10, VER-T55)."""
    stressed = pool.is_test and is_pc(table, pool.who)
    if stressed:
        yield change_pool(table, pool.who, "stress", 1, "VER-S07")
    held = _set_aside([(group, face) for group in roll.dice for face in group.faces if face in (1, 6)])
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
    pushed = build_roll(pool, dice, roll.pool, roll.modifiers, rules, again="/push", held=held)
    return (yield from _throw_again(pushed, check_ground))


def _throw_again(again: Roll, check_ground: Callable[[], None]) -> Rule[Rolled]:
    """Reroll dice, as long as the roll's ground still holds."""

    def present() -> Roll:
        check_ground()
        return again

    rolled = yield from throw(present)
    assert rolled is not None
    return rolled


def use_luck(
    table: Table, pool: Pool, roll: Rolled, check_ground: Callable[[], None], answer: Answered
) -> Rule[Rolled]:
    """Reroll one die of any face, once a session (table 5.7)."""
    yield change_pool(table, pool.who, "luck", -1, "VER-T29")
    chosen = int(answer.fields["die"] or 1) - 1
    flat = [(group, face) for group in roll.dice for face in group.faces]
    group, _ = flat.pop(chosen)
    dice = (Dice(count=1, sides=6, kind=group.kind, item=group.item),)
    rules = (*pool.rules, "VER-T29")
    again = build_roll(pool, dice, roll.pool, roll.modifiers, rules, again="/luck", held=_set_aside(flat))
    return (yield from _throw_again(again, check_ground))


def _set_aside(dice: list[tuple[Faces, int]]) -> tuple[Faces, ...]:
    groups = []
    for (kind, item), members in groupby(dice, key=lambda one: (one[0].kind, one[0].item)):
        faces = tuple([face for _, face in members])
        groups.append(Faces(sides=6, faces=faces, kind=kind, item=item, fates=(SET_ASIDE,) * len(faces)))
    return tuple(groups)


def wear_down(table: Table, pool: Pool, roll: Rolled) -> Rule[None]:
    """Let each one of a pushed roll wear attribute or gear, never training (VER-S09, VER-T53)."""
    if pool.is_test:
        yield from _strain(table, pool, _count_ones(roll, "attribute"))
    lost = _count_ones(roll, "gear")
    for share in pool.shares:
        if lost and share.kind == "gear" and share.item:
            thing = table.item(share.item)
            counter = "bonus" if thing.kind == "weapon" else "rating"
            now = thing.counters.get(counter, 0)
            if now:
                rules = ("VER-S09",) if lost < now else ("VER-S09", "VER-T53")
                yield set_item_counter(table, share.item, counter, max(0, now - lost), *rules)
            lost = max(0, lost - now)


def _count_ones(roll: Rolled, kind: str) -> int:
    """Count the ones on dice of a kind; gear dice count only if an item gave them."""
    return sum([group.faces.count(1) for group in roll.dice if group.kind == kind and (kind != "gear" or group.item)])


def _strain(table: Table, pool: Pool, ones: int) -> Rule[None]:
    """Lower the attribute of a test, to no less than 1, or 2 if tenacious (VER-S08)."""
    name = next((share.label for share in pool.shares if share.kind == "attribute"), "")
    least = 2 if Feature(kind=TENACIOUS, of=name) in table[pool.who].traits else 1
    now = table.pool(pool.who, name)
    if ones and now > least:
        yield change_pool(table, pool.who, name, max(least, now - ones) - now, "VER-S08")


def exhaust(table: Table, who: Id, result: Thrown) -> Rule[None]:
    """Exhaust a combatant who pushed a save in vain (VER-S13)."""
    if result.pushed:
        exhausted = table[who].conditions.get("exhausted", {}).get("", 0)
        yield set_condition(table, who, "exhausted", exhausted + 1, "VER-S13")


NO = Option(choice="no", says="keeps it for later")
YES = Option(choice="yes", says="adds the armour's dice, once a session")


def ask_juggernaut(
    table: Table, who: Id, gear: Callable[[], Sequence[Share]], ground: Callable[[], None] | None
) -> Rule[tuple[Share, ...]]:
    """Let a juggernaut add the armour's dice to a save without them, once a session (table 5.7)."""
    answer = yield from choice(partial(_build_juggernaut_question, table, who, gear, ground))
    armor = find_armor(table, who)
    if answer is None or answer.choice == "no" or armor is None:
        return ()
    yield change_pool(table, who, "juggernaut", -1, "VER-T29")
    return (build_armor_share(table, armor.id, "VER-T29"),)


def _build_juggernaut_question(
    table: Table, who: Id, gear: Callable[[], Sequence[Share]], ground: Callable[[], None] | None
) -> Ask | None:
    """Return the question whether a juggernaut adds its armour to this save."""
    armor = find_armor(table, who)
    if armor is None or not armor.counters["rating"] or not is_in_play(table, who) or not table.pool(who, "juggernaut"):
        return None
    if any(share.item == armor.id for share in gear()):
        return None
    if ground is not None:
        ground()
    about = "juggernaut" if table.draft.stack else f"juggernaut:{who}"
    return Ask(of=(who,), about=about, options=(NO, YES), rules=("VER-T29",))


@declared_as("spend_inspiration", "spend inspiration on the next test", own_trigger="manage", stacks=False)
@done_for("free", "VER-S15")
class SpendInspiration(Deed, frozen=True, kw_only=True):
    """Spend inspiration on the next test, before it is rolled."""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to player characters."""
        return is_pc(table, actor)

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a combatant without inspiration, and a second use on one test."""
        if not is_pc(table, actor) or not table.pool(actor, "inspiration"):
            raise refusal_by("VER-S15", f"{table.name_of(actor)} has no inspiration", f"{actor}.inspiration")
        if marks.INSPIRED.is_on(table, actor):
            raise table.refuse(
                actor,
                "has spent inspiration on the next test",
                "VER-S15",
                source=Source(of=actor, name=marks.INSPIRED.key),
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Spend the inspiration (VER-T16)."""
        yield change_pool(table, actor, "inspiration", -1, "VER-S15", "VER-T16")
        yield marks.INSPIRED.set_on(actor, True, "VER-S15")

"""Damage: armor and Power, dodging and sundering, wounds, falling (WYR-021 to WYR-026, 060 to 066)."""

from functools import partial

from msgspec import Struct

from affray.engine.core.changes import change_pool, set_condition
from affray.engine.core.effects import Ask, Go, Roll, Rule, choice, throw
from affray.engine.errors import Refused
from affray.engine.kit.sheets import is_pc
from affray.events import Answered, Clause, Damaged, Dice, Field, Id, Judged, Modifier, Option, Rolled

from .chapters.wear_and_tear import find_highest, step_down, step_to, throw_dice, wear_down
from .config import Table
from .gear.pieces import find_shield, is_lightly_armored, list_armor_dice, list_worn
from .marks import ALLOWED, DEPARTED, FIGHT, MORALE, MORALE_PROMPT
from .sheet import can_be_hurt, count_free_slots, find_ability, find_smaller, is_active, is_member, list_pc_sides
from .turns.turn import leave_turn_and_melee


class Hit(Struct, frozen=True, gc=False):
    """Damage that is about to hurt a combatant.

    Attributes:
        amount: Damage before armor.
        label, source: Its origin, for the record.
        rule: The clause that gives the amount.
        shot: Whether it is a shot, so that armor is rolled with hindrance (WYR-056).
        ignores_armor: Whether armor is not rolled at all (WYR-061).
        unavoidable: Whether it can be neither dodged nor sundered (WYR-T53).
    """

    who: Id
    amount: int
    label: str
    source: Id = ""
    rule: Clause = ""
    shot: bool = False
    ignores_armor: bool = False
    unavoidable: bool = False


def wound(table: Table, hit: Hit, *rules: Clause) -> Rule[None]:
    """Apply damage: armor and the defender reduce it (WYR-024, WYR-026, WYR-061, WYR-T34, WYR-T51).

    The dice fall in the order armor, Power; with the configuration ``when_wounded`` Power falls once the wound is
    certain. A 1 on a piece steps it down after both. If nothing is left, the Power die has no effect (WYR-022). A
    combatant that death or a ruling has taken out of the fight in the meantime is not hurt.
    """
    config, who = table.config, hit.who
    if not can_be_hurt(table, who):
        return
    armor = (
        None if hit.ignores_armor else (yield from throw_dice(table, partial(_build_armor_roll, table, who, hit.shot)))
    )
    power = (yield from throw(partial(_build_power_roll, table, who))) if config.power_roll == "with_armor" else None
    if not can_be_hurt(table, who):
        return
    if armor is not None:
        yield from wear_down(table, armor)
    terms = _list_terms(table, hit, armor)
    total = sum(term.value for term in terms)
    remaining = max(0, total)
    clauses = (*rules, "WYR-024") if remaining else (*rules, "WYR-024", "WYR-026")
    if total < 0:
        clauses = (*clauses, "WYR-T34")
    yield Damaged(who=who, terms=terms, amount=remaining, rules=clauses)
    if not remaining:
        return
    remaining, overflow = yield from reduce_damage(table, who, remaining, hit.unavoidable)
    if remaining and power is None:
        power = yield from throw(partial(_build_power_roll, table, who, "WYR-T51"))
    if remaining and power is not None and can_be_hurt(table, who):
        yield from take_wound(table, who, remaining, power, "WYR-061" if hit.ignores_armor else "WYR-060")
    if overflow:
        yield from wound(table, make_fatigue_hit(who, overflow), "WYR-033", "WYR-T19")


def _build_armor_roll(table: Table, who: Id, shot: bool) -> Roll | None:
    """Return the armor roll in worn order, smaller against a shot (WYR-021, WYR-038, WYR-T17)."""
    pieces = list_worn(table, who) if can_be_hurt(table, who) else []
    if not pieces:
        return None
    dice, pool = list_armor_dice(table, who, shot=shot)
    rules: tuple[Clause, ...] = ("WYR-021", "WYR-038", "WYR-T16", "WYR-T17") if len(pieces) > 1 else ("WYR-021",)
    if shot:
        rules = (*rules, "WYR-056")
    return Roll(dice=dice, purpose=f"armor:{who}", by=who, reading="highest", pool=pool, rules=rules)


def _build_power_roll(table: Table, who: Id, *rules: Clause) -> Roll | None:
    """Return the roll of Power at its present size (WYR-022)."""
    if not can_be_hurt(table, who):
        return None
    power = find_ability(table, who, "power")
    dice = (Dice(count=1, sides=power.die, kind="ability", item=power.id),)
    return Roll(dice=dice, purpose=f"power:{who}", by=who, reading="highest", rules=("WYR-022", *rules))


def _list_terms(table: Table, hit: Hit, armor: Rolled | None) -> tuple[Modifier, ...]:
    """Return the terms of the damage: the hit, less the highest armor die (WYR-023)."""
    damage = Modifier(value=hit.amount, label=hit.label, source=hit.source, rule=hit.rule)
    if armor is None:
        return (damage,)
    face, piece = find_highest(armor, "armor")
    return (damage, Modifier(value=-face, label=table.item(piece).name, source=piece, rule="WYR-023"))


def tire(table: Table, who: Id, by: int, *rules: Clause) -> Rule[None]:
    """Add fatigue; without a free slot it is damage that ignores armor (WYR-T19).

    A combatant without slots has no limit.
    """
    free = count_free_slots(table, who)
    fits = by if free is None else min(by, free)
    if fits:
        yield change_pool(table, who, "fatigue", fits, *rules, "WYR-T19")
    if by > fits:
        yield from wound(table, make_fatigue_hit(who, by - fits), "WYR-061", *rules, "WYR-T19")


def make_fatigue_hit(who: Id, by: int) -> Hit:
    """Return the damage of fatigue that finds no free slot; nothing reduces it."""
    label, source = "fatigue without a slot", f"{who}.slots"
    return Hit(who=who, amount=by, label=label, source=source, ignores_armor=True, unavoidable=True)


TAKE = Option(choice="take", says="takes what is left")

SUNDER = Option(choice="sunder", says="gives up the shield, and nothing is left")


def reduce_damage(table: Table, who: Id, remaining: int, unavoidable: bool) -> Rule[tuple[int, int]]:
    """Let the defender reduce damage; return the rest and the excess fatigue (WYR-T20).

    A player is asked as long as damage remains, even without a choice; the game master only with a choice.
    """
    overflow = 0
    while remaining:
        answer = yield from choice(partial(_build_reduction_question, table, who, remaining, unavoidable))
        if answer is None or answer.choice == "take" or not can_be_hurt(table, who):
            break
        if answer.choice == "sunder":
            yield from _sunder(table, who, remaining, unavoidable)
            return 0, overflow
        by = answer.fields["fatigue"]
        assert isinstance(by, int)
        overflow += yield from _dodge(table, who, remaining, by, unavoidable)
        remaining -= by
    return remaining, overflow


def _build_reduction_question(table: Table, who: Id, remaining: int, unavoidable: bool) -> Ask | None:
    """Return the question to the defender; a player is asked even without a choice (WYR-T37)."""
    if not can_be_hurt(table, who):
        return None
    ways = [TAKE]
    most = _limit_dodge(table, who, remaining)
    if is_active(table, who) and _is_open(table, who, "dodge", unavoidable) and most and is_lightly_armored(table, who):
        fatigue = Field(name="fatigue", kind="int", low=1, high=most)
        ways.append(Option(choice="dodge", says="dodges nimbly, 1 fatigue for each point", fields=(fatigue,)))
    if is_active(table, who) and _is_open(table, who, "sunder", unavoidable) and find_shield(table, who) is not None:
        ways.append(SUNDER)
    asked = Ask(
        of=(who,) if is_pc(table, who) else ("gm",),
        about=f"damage:{who}",
        options=tuple(ways),
        rules=("WYR-025", "WYR-033", "WYR-T37", "WYR-T44", "WYR-T45", "WYR-T53"),
        refuses=partial(_must_be_reduction, table, who, remaining, unavoidable),
    )
    return asked if len(ways) > 1 or is_pc(table, who) else None


def _is_open(table: Table, who: Id, way: str, unavoidable: bool) -> bool:
    """Return whether a dodge or the shield is open. Unavoidable damage needs a ruling."""
    return not unavoidable or ALLOWED.of(table, who, way)


def _limit_dodge(table: Table, who: Id, remaining: int) -> int:
    """Return the most fatigue that a dodge can take: the damage, limited by free slots."""
    free = count_free_slots(table, who)
    if free is None:
        return 0
    return remaining if ALLOWED.of(table, who, "overflow") else min(remaining, free)


def _must_be_reduction(table: Table, who: Id, remaining: int, unavoidable: bool, answer: Answered) -> None:
    """Refuse forbidden reductions, in the order of their clauses (WYR-T44, WYR-T45, WYR-T53)."""
    if answer.choice not in ("dodge", "sunder"):
        return
    rule = "WYR-025" if answer.choice == "sunder" else "WYR-033"
    if not is_active(table, who):
        raise table.refuse(who, "can neither dodge nor sunder", rule, "incapacitated")
    if answer.choice == "sunder" and find_shield(table, who) is None:
        raise table.refuse(who, "bears no shield", rule, "no_shield")
    if not _is_open(table, who, answer.choice, unavoidable):
        message = f"nothing reduces this damage; the game master may rule: allow {who} {answer.choice}"
        raise Refused("unavoidable", "WYR-T53", message, source=who)
    if answer.choice == "sunder":
        return
    if not is_lightly_armored(table, who):
        raise table.refuse(who, "wears too much to dodge nimbly", "WYR-032", "not_lightly_armored")
    by = answer.fields.get("fatigue")
    if isinstance(by, int) and by > remaining:
        raise Refused("more_than_damage", rule, f"only {remaining} of the damage is left", source=who)
    if isinstance(by, int) and by > _limit_dodge(table, who, remaining):
        raise table.refuse(who, f"has {count_free_slots(table, who) or 0} free slots", rule, "no_free_slots")


def _dodge(table: Table, who: Id, remaining: int, by: int, unavoidable: bool) -> Rule[int]:
    """Take fatigue for damage, one for one; return the fatigue without a slot (WYR-033)."""
    free = count_free_slots(table, who)
    assert free is not None
    fits = min(by, free)
    if fits:
        yield change_pool(table, who, "fatigue", fits, "WYR-033", "WYR-032", "WYR-T18")
    if by > fits:
        yield ALLOWED.clear_on(who, about="overflow")
    if unavoidable:
        yield ALLOWED.clear_on(who, about="dodge")
    left = Modifier(value=remaining, label="remaining", source="damage", rule="WYR-T20")
    dodge = Modifier(value=-by, label="nimble dodge", source="fatigue", rule="WYR-033")
    yield Damaged(who=who, terms=(left, dodge), amount=remaining - by, rules=("WYR-033",))
    return by - fits


def _sunder(table: Table, who: Id, remaining: int, unavoidable: bool) -> Rule[None]:
    """Sunder the shield to stop the damage: it is destroyed or steps down (WYR-025, WYR-T21)."""
    piece = find_shield(table, who)
    assert piece is not None
    if unavoidable:
        yield ALLOWED.clear_on(who, about="sunder")
    if table.config.shield_sunder == "destroy":
        yield step_to(table, piece.id, 0, "WYR-025", "WYR-T21")
    else:
        yield step_down(table, piece.id, "WYR-025", "WYR-T21")
    left = Modifier(value=remaining, label="remaining", source="damage", rule="WYR-T20")
    given = Modifier(value=-remaining, label=f"{piece.name} sundered", source=piece.id, rule="WYR-025")
    yield Damaged(who=who, terms=(left, given), amount=0, rules=("WYR-025",))


def take_wound(table: Table, who: Id, remaining: int, power: Rolled, rule: Clause) -> Rule[None]:
    """Read the Power die against the damage: above it the wound is incidental (WYR-060, WYR-065).

    A tie counts as below.
    """
    face, sides = power.total, power.dice[0].sides
    outcome, clauses = _grade_wound(face, remaining, find_smaller(table.config, sides) == 0)
    yield Judged(roll=power.roll, outcome=outcome, margin=face - remaining, rules=clauses)
    yield change_pool(table, who, "wounds", 1, rule, *clauses)
    if outcome == "mortal":
        yield from fall(table, who, "dead", "WYR-066")
    elif outcome != "incidental":
        if not table[who].has("incapacitated"):
            yield from fall(table, who, "incapacitated", "WYR-063")
        elif "" not in table[who].conditions["incapacitated"]:
            yield set_condition(table, who, "incapacitated", 1, "WYR-063")
        if outcome == "severe" and find_smaller(table.config, find_ability(table, who, "power").die):
            yield step_down(table, f"{who}.power", "WYR-064", "WYR-065")
    if table.is_known(who):
        yield from note_morale_test(table, table[who].side, wounded=who)


def _grade_wound(face: int, remaining: int, last: bool) -> tuple[str, tuple[Clause, ...]]:
    """Return the kind of wound and its clauses (WYR-062..WYR-064, WYR-066, WYR-073).

    A severe wound debilitates too.
    """
    if face > remaining:
        return "incidental", ("WYR-062",)
    if face == 1:
        return ("mortal", ("WYR-066",)) if last else ("severe", ("WYR-063", "WYR-064", "WYR-073"))
    return "debilitating", ("WYR-063",)


def fall(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Make a combatant fall during an action, which ends its turn and its melee."""
    yield Go("felled", rules=rules)
    yield set_condition(table, who, condition, 1, *rules)
    yield from leave_turn_and_melee(table, who)
    yield Go("settled", rules=rules)


def note_morale_test(table: Table, side: str, *, wounded: Id = "") -> Rule[None]:
    """Note a morale test: first casualty, half lost, or a lone foe wounded (WYR-T30).

    Only known combatants count. ``wounded`` is the member that was wounded just now. A side without active
    members is not tested, but counts as having lost half.
    """
    fought = table.draft.round and not table.draft.ended
    if not fought or not table.config.npc_morale or side in table.derive(list_pc_sides):
        return
    mates = table.list_known([one.id for one in table.draft.combatants.values() if is_member(one, side)])
    up = [who for who in mates if is_active(table, who)]
    strength, lost = count_losses(table, side)
    down = any(table[who].has("incapacitated") or table[who].has("dead") for who in mates)
    tested = MORALE.of(table, side)
    if wounded and up == [wounded]:
        reason = "one alone, and wounded"
    elif strength == 1:
        reason = ""
    elif lost and lost * 2 >= strength and tested != "half":
        reason = "half of them are lost"
        yield MORALE.set_on(side, "half", "WYR-G06", "WYR-T30", "WYR-T56")
    elif down and not tested:
        reason = "their first casualty"
        yield MORALE.set_on(side, "first", "WYR-G06", "WYR-T30")
    else:
        reason = ""
    if reason and up:
        yield MORALE_PROMPT.set_on(FIGHT, reason, "WYR-G06", about=side)


def count_losses(table: Table, side: str) -> tuple[int, int]:
    """Return the known strength of a side, and how many it has lost (WYR-T56)."""
    gone = sum(1 for _ in DEPARTED.list_on(table, side))
    mates = table.list_known([one.id for one in table.draft.combatants.values() if is_member(one, side)])
    return len(mates) + gone, gone + sum(not is_active(table, who) for who in mates)

"""What a defender can do about damage that is left: dodge nimbly, or give up the shield (WYR-025, WYR-032, 033)."""

from __future__ import annotations

from functools import partial

from affray.engine.core.changes import marked, pool_moved
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Answered, Damaged, Field, Id, Modifier, Option

from .gear import lightly_armored, shield
from .sheet import active, free_slots, hurtable, is_pc
from .throwing import stepped, stepped_to

TAKE = Option(choice="take", says="takes what is left")
SUNDER = Option(choice="sunder", says="gives up the shield, and nothing is left")


def reduced(table: Table, who: Id, remaining: int, ignores_armor: bool) -> Rule[tuple[int, int]]:
    """Let the defender reduce what remains; come to what is left, and to fatigue that found no slot (WYR-025, 033).

    A player is asked as long as anything remains, even where nothing helps; the game master only where something does.
    """
    overflow = 0
    while remaining:
        answer = yield from choice(partial(_asked, table, who, remaining, ignores_armor))
        if answer is None or answer.choice == "take" or not hurtable(table, who):
            break
        if answer.choice == "sunder":
            yield from _sundered(table, who, remaining)
            return 0, overflow
        by = answer.fields["fatigue"]
        assert isinstance(by, int)
        overflow += yield from _dodged(table, who, remaining, by)
        remaining -= by
    return remaining, overflow


def _asked(table: Table, who: Id, remaining: int, ignores_armor: bool) -> Ask | None:
    """Return what the defender is asked, if there is anything to choose."""
    ways = _ways(table, who, remaining, ignores_armor) if hurtable(table, who) else ()
    if not ways:
        return None
    return Ask(
        of=(who,) if is_pc(table, who) else ("gm",),
        about=f"damage:{who}",
        options=ways,
        rules=("WYR-025", "WYR-033", "WYR-T37", "WYR-T44", "WYR-T45"),
        refuses=partial(_refused, table, who, remaining, ignores_armor),
    )


def _ways(table: Table, who: Id, remaining: int, ignores_armor: bool) -> tuple[Option, ...]:
    """Return what the defender may choose; nothing if that is only for a player to hear."""
    ways = [TAKE]
    most = _most(table, who, remaining)
    if active(table, who) and not ignores_armor and most and lightly_armored(table, who):
        fatigue = Field(name="fatigue", kind="int", low=1, high=most)
        ways.append(Option(choice="dodge", says="dodges nimbly, 1 fatigue for each point", fields=(fatigue,)))
    spared = not ignores_armor or table.mark(who, "allowed/sunder")
    if active(table, who) and spared and shield(table, who) is not None:
        ways.append(SUNDER)
    return tuple(ways) if len(ways) > 1 or is_pc(table, who) else ()


def _most(table: Table, who: Id, remaining: int) -> int:
    """Return the most fatigue a dodge can take: what remains, and no more than there are free slots (WYR-033)."""
    free = free_slots(table, who)
    if free is None:
        return 0
    return remaining if table.mark(who, "allowed/overflow") else min(remaining, free)


def _refused(table: Table, who: Id, remaining: int, ignores_armor: bool, answer: Answered) -> None:
    """Refuse what the clauses forbid, in their order (WYR-025, WYR-032, WYR-033)."""
    if answer.choice not in ("dodge", "sunder"):
        return
    rule = "WYR-025" if answer.choice == "sunder" else "WYR-033"
    if not active(table, who):
        raise Refused("incapacitated", rule, f"{who} can neither dodge nor sunder", source=who)
    if answer.choice == "sunder":
        if shield(table, who) is None:
            raise Refused("no_shield", rule, f"{who} bears no shield", source=who)
        if ignores_armor and not table.mark(who, "allowed/sunder"):
            raise Refused("ignores_armor", rule, "a shield is no help against damage that ignores armor", source=who)
        return
    if ignores_armor:
        raise Refused("ignores_armor", rule, "damage that ignores armor cannot be dodged", source=who)
    if not lightly_armored(table, who):
        raise Refused("not_lightly_armored", "WYR-032", f"{who} wears too much to dodge nimbly", source=who)
    by = answer.fields.get("fatigue")
    if isinstance(by, int) and by > remaining:
        raise Refused("more_than_damage", rule, f"only {remaining} of the damage is left", source=who)
    if isinstance(by, int) and by > _most(table, who, remaining):
        raise Refused("no_free_slots", rule, f"{who} has {free_slots(table, who) or 0} free slots", source=who)


def _dodged(table: Table, who: Id, remaining: int, by: int) -> Rule[int]:
    """Take fatigue for damage, one for one; come to what found no free slot (WYR-033)."""
    free = free_slots(table, who)
    assert free is not None
    fits = min(by, free)
    if fits:
        yield pool_moved(table, who, "fatigue", fits, "WYR-033", "WYR-032", "WYR-T18")
    if by > fits:
        yield marked(who, "allowed/overflow", None)
    left = Modifier(value=remaining, label="remaining", source="damage", rule="WYR-T20")
    dodge = Modifier(value=-by, label="nimble dodge", source="fatigue", rule="WYR-033")
    yield Damaged(who=who, terms=(left, dodge), amount=remaining - by, rules=("WYR-033",))
    return by - fits


def _sundered(table: Table, who: Id, remaining: int) -> Rule[None]:
    """Give the shield for what remains: it is destroyed, or steps down (WYR-025)."""
    piece = shield(table, who)
    assert piece is not None
    if table.mark(who, "allowed/sunder"):
        yield marked(who, "allowed/sunder", None)
    if table.config.shield_sunder == "destroy":
        yield stepped_to(table, piece.id, 0, "WYR-025", "WYR-T21")
    else:
        yield stepped(table, piece.id, "WYR-025", "WYR-T21")
    left = Modifier(value=remaining, label="remaining", source="damage", rule="WYR-T20")
    given = Modifier(value=-remaining, label=f"{piece.name} sundered", source=piece.id, rule="WYR-025")
    yield Damaged(who=who, terms=(left, given), amount=0, rules=("WYR-025",))

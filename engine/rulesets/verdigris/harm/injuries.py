"""Critical injuries: their witnesses, their rows, their effects."""

from functools import partial

from affray.engine.core.changes import change_pool, set_clock, set_condition, set_pool
from affray.engine.core.effects import Go, Roll, Rule, throw
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.chapters.rolls import try_save
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import NOBODY, NOT_ABLE, can_see, is_in_play, refusal_by, try_rule
from affray.engine.rulesets.verdigris.tables import Injury, injuries
from affray.events import Clause, Dice, Id

from .conditions import LASTING, afflict, die, drop_all

MINUTES = {"1 minute": 1, "1 hour": 60, "4 hours": 240, "1 day": 1440}
"""Limits and times of healing that pass minute by minute."""

LIMITS = ("turns", "minutes", "ruled")
"""The clocks of a deadly injury: own turns, minutes after the fight, or the game master's word."""

PLACE = Dice(count=1, sides=6, kind="place")
SEVERITY = Dice(count=1, sides=6, kind="severity")
D66 = Dice(count=2, sides=6, kind="d66")


def injure(table: Table, who: Id, *rules: Clause) -> Rule[None]:
    """Suffer a critical injury: place, witnesses, then the table (VER-093)."""
    if table.draft.stack:
        yield Go("injured", rules=rules)
    row = yield from try_rule(_find_row(table, who, rules))
    if row is not None:
        yield from suffer(table, who, row, *rules)
    if table.draft.stack:
        yield Go("borne", rules=rules)


def _find_row(table: Table, who: Id, rules: tuple[Clause, ...]) -> Rule[Injury]:
    """Find the row: chosen by the game master, by place and severity, or d66 (VER-T31)."""
    located = table.config.injury_procedure == "located"
    at = (yield from _throw_faces(table, who, "place", PLACE, rules)) if located else ()
    yield from _test_witnesses(table, who)
    purpose, dice = ("severity", SEVERITY) if located else ("injury", D66)
    fell = yield from _throw_faces(table, who, purpose, dice, rules)
    chosen = marks.INJURY_ROW.of(table, who)
    if chosen:
        yield marks.INJURY_ROW.clear_on(who, *rules)
        return find_injury(chosen)
    if located:
        below: tuple[Injury, ...] = getattr(injuries(), injuries().places["faces"][at[0] - 1])
        return next(row for row in below if fell[0] in row.row)
    return next(row for row in injuries().d66 if fell[0] * 10 + fell[1] in row.row)


def _throw_faces(table: Table, who: Id, purpose: str, dice: Dice, rules: tuple[Clause, ...]) -> Rule[tuple[int, ...]]:
    """Roll for a row, unless the game master chose it; return the faces."""
    reading = "digits" if dice.count > 1 else "sum"
    rules = (*rules, "VER-093", "VER-T31")
    table_roll = Roll(dice=(dice,), purpose=f"{purpose}:{who}", by=who, reading=reading, rules=rules)

    def present() -> Roll | None:
        if who not in table.draft.combatants:
            raise refusal_by("VER-T32", f"{who} has left the fight", who)
        return None if marks.INJURY_ROW.is_on(table, who) else table_roll

    roll = yield from throw(present)
    return roll.dice[0].faces if roll is not None else ()


def find_injury(name: str) -> Injury:
    """Return a row by its number on the d66, such as ``23``, or by its name."""
    numbered = (row for row in injuries().d66 if name in map(str, row.row))
    return next(numbered, None) or next(row for row in injuries().rows if row.name == name)


def list_injury_keys() -> tuple[str, ...]:
    """Return all keys of ``find_injury``: numbers and names."""
    numbers = (str(number) for row in injuries().d66 for number in row.row)
    return (*numbers, *(row.name for row in injuries().rows))


def list_friends(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the known able player characters on a combatant's side, in joining order.

    The combatant itself is left out. A concealed one has none: they do not know of it.
    """
    if not table.is_known(who):
        return ()
    side = table[who].side
    return tuple(one for one in table.list_known(table.derive(characters).get(side, ())) if one != who)


def characters(table: Table) -> dict[str, tuple[Id, ...]]:
    """Return the able player characters of each side, in joining order.

    Ask it through ``table.derive``.
    """
    found: dict[str, list[Id]] = {}
    for one in table.draft.combatants.values():
        if "pc" in one.traits and (not one.conditions or NOT_ABLE.isdisjoint(one.conditions)):
            found.setdefault(one.side, []).append(one.id)
    return {side: tuple(members) for side, members in found.items()}


def list_witnesses(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the friends who can see a combatant, in joining order."""
    views = table.draft.views
    found = list_friends(table, who)
    return tuple(one for one in found if can_see(table, one, who)) if views else found


def find_most_wounds(table: Table, who: Id) -> int:
    """Return a combatant's most wounds; a torn bowel halves it, rounded up."""
    most = stat(table, who, "wounds")
    hurt = table[who].conditions.get("injured", NOBODY)
    return (most + 1) // 2 if "bowel torn" in hurt else most


def _test_witnesses(table: Table, who: Id) -> Rule[None]:
    """Let each witness make a Panic save, or gain 1d3 stress (VER-T69).

    All saves come before the dice for stress.
    """
    if not table.config.injury_witness_panic:
        return
    shaken = []
    for friend in list_witnesses(table, who):
        is_there = who in table.draft.combatants
        if friend not in list_witnesses(table, who) if is_there else not is_in_play(table, friend):
            continue
        save = try_save(table, friend, "panic", 1, "VER-093", "VER-T69", purpose=f"panic:{friend}", recurs=True)
        if (yield from try_rule(save)) is False:
            shaken.append(friend)
    for friend in shaken:
        roll = yield from throw(partial(_build_shock_roll, table, friend))
        if roll is not None:
            yield change_pool(table, friend, "stress", roll.total, "VER-093")


def _build_shock_roll(table: Table, friend: Id) -> Roll | None:
    """Return the d3 of stress for a witness who is still in play (VER-T62)."""
    if not is_in_play(table, friend):
        return None
    dice = (Dice(count=1, sides=3, kind="d3"),)
    return Roll(dice=dice, purpose=f"stress:{friend}", by=friend, recurs=True, rules=("VER-093", "VER-T62"))


def suffer(table: Table, who: Id, row: Injury, *rules: Clause) -> Rule[None]:
    """Apply the effects of a row, in the order of the table."""
    if row.effect == "dead":
        yield set_condition(table, who, "injured", 1, *rules, source=row.name)
        yield from die(table, who, "dead", *rules)
        return
    before = table[who].conditions.get("injured", NOBODY).get(row.name, 0)
    if _is_lasting(row):
        yield set_condition(table, who, "injured", before + 1, *rules, source=row.name)
    if row.effect == "second_kills" and before:
        yield from die(table, who, "dead", *rules)
        return
    if row.stress and is_pc(table, who):
        yield change_pool(table, who, "stress", row.stress, *rules)
    if row.effect == "drop":
        yield from drop_all(table, who, *rules)
    for condition, more in row.conditions.items():
        if is_in_play(table, who):
            held_by = row.name if condition in LASTING and _is_lasting(row) else ""
            yield from afflict(table, who, condition, more, *rules, source=held_by)
    if row.effect == "halved_wounds" and table.pool(who, "wounds") > find_most_wounds(table, who):
        yield set_pool(table, who, "wounds", find_most_wounds(table, who), *rules, "VER-T35")
    yield from _start_clocks(table, who, row, rules)


def _is_lasting(row: Injury) -> bool:
    """Tell whether an injury lasts, rather than ending with its effects."""
    held_by_it = any(condition in LASTING for condition in row.conditions)
    return bool(row.limit or row.heals or row.penalties or row.sl or row.rounds or held_by_it)


def _start_clocks(table: Table, who: Id, row: Injury, rules: tuple[Clause, ...]) -> Rule[None]:
    """Start an injury's clocks: turns to its limit, its rounds, minutes to live."""
    if row.rounds:
        dice = (Dice(count=1, sides=row.rounds, kind="rounds"),)
        roll = yield Roll(dice=dice, purpose=f"rounds:{who}", by=who, rules=rules)
        yield from _start(table, who, row.name, "rounds", roll.total, *rules)
    if row.limit == "1 round":
        turns = 2 if who in table.draft.acting else 1
        yield from _start(table, who, row.name, "turns", turns, *rules, sooner=True)
    elif row.limit == "as ruled":
        yield set_clock(table, "ruled", 1, *rules, owner=who, about=row.name)
    elif row.fatal and row.limit in MINUTES:
        yield from _start(table, who, row.name, "minutes", MINUTES[row.limit], *rules, sooner=True)
    if row.heals in MINUTES:
        yield from _start(table, who, row.name, "heals", MINUTES[row.heals], *rules)


def _start(
    table: Table, who: Id, injury: str, clock: str, after: int, *rules: Clause, sooner: bool = False
) -> Rule[None]:
    """Start a clock, or keep a running one.

    A deadly injury suffered again keeps the sooner limit; other injuries keep the longer.
    """
    now = table.draft.clock(who, clock, injury)
    if not now or (after < now if sooner else after > now):
        yield set_clock(table, clock, after, *rules, owner=who, about=injury)


def lift_injury(table: Table, who: Id, injury: str, *rules: Clause) -> Rule[None]:
    """Remove the conditions of an injury, and stop its clocks."""
    for condition, sources in list(table[who].conditions.items()):
        if condition != "injured" and injury in sources:
            yield set_condition(table, who, condition, 0, *rules, source=injury)
    yield from stop_clocks(table, who, injury, *rules, kinds=(*LIMITS, "rounds", "heals"))


def stop_clocks(table: Table, who: Id, injury: str, *rules: Clause, kinds: tuple[str, ...]) -> Rule[None]:
    """Stop an injury's clocks of these kinds."""
    for kind in kinds:
        if table.draft.clock(who, kind, injury):
            yield set_clock(table, kind, 0, *rules, owner=who, about=injury)


def is_running(table: Table, who: Id, kind: str) -> bool:
    """Tell whether a clock of a kind runs for any of a combatant's injuries."""
    borne = table[who].conditions.get("injured", NOBODY)
    return any(table.draft.clock(who, kind, injury) for injury in borne)


def list_deadly_injuries(table: Table, who: Id) -> tuple[str, ...]:
    """Return the injuries still to be stabilised, the most urgent first (table 5.5)."""
    clock = table.draft.clock
    found = []
    for injury in table[who].conditions.get("injured", NOBODY):
        row = find_injury(injury)
        running = any(clock(who, kind, injury) for kind in LIMITS)
        pressing = row.fatal or row.effect == "paralysed"
        if pressing and running:
            found.append((clock(who, "turns", injury) or 10_000, injury))
    return tuple(injury for _, injury in sorted(found))


def tick(table: Table, who: Id, kind: str, *rules: Clause) -> Rule[None]:
    """Advance a combatant's injury clocks of one kind; apply those that run out."""
    for injury in list(table[who].conditions.get("injured", NOBODY)):
        left = table.draft.clock(who, kind, injury)
        if not left or not is_in_play(table, who):
            continue
        yield set_clock(table, kind, left - 1, *rules, owner=who, about=injury)
        if left == 1:
            yield from _run_out(table, who, injury, kind, *rules)


def _run_out(table: Table, who: Id, injury: str, kind: str, *rules: Clause) -> Rule[None]:
    row = find_injury(injury)
    if kind in ("rounds", "heals") or not (row.fatal or row.effect == "paralysed"):
        yield set_condition(table, who, "injured", 0, *rules, source=injury)
        yield from lift_injury(table, who, injury, *rules)
    elif row.effect == "paralysed":
        yield from afflict(table, who, "paralysed", 1, *rules, source=injury)
    else:
        yield from die(table, who, "dead", *rules)

"""What runs by itself: slots, rounds, the end, what actions leave behind (VER-009, 010, 013, 031, P42, P43)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from affray.engine.core.changes import marked
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.state import Relation
from affray.engine.core.table import Table
from affray.engine.kit.relations import parted
from affray.engine.kit.sides import ended
from affray.events import Id, Option, RoundBegan

from .afflictions import drop_all, drop_what_is_too_much, lessen
from .fall import leaves_melee, let_loose, lets_go, no_longer_ready, sides_in, slain, unhorsed
from .flow import FLOW
from .grapples import held_by
from .harm import at_deaths_door, back_from_deaths_door, hurt
from .injuries import let_heal, tick
from .melees import same_melee
from .opportunity import free_attack
from .order import EXEMPT, SIDE_DUE, SURPRISING, candidates, due, everybody, rollers, side_due
from .panic import LASHES
from .refusing import if_there
from .riding import mount_under
from .saves import ailing, save, spent
from .sheet import NOBODY, can_act, in_play, is_pc, standing
from .suffering import every_second
from .tables import injuries

ENDS = Option(choice="ends", says="the fight is over")
GOES_ON = Option(choice="goes_on", says="the fight goes on for now")

WAITING = frozenset({"initiative", "slot", "surprise", "turn"})
"""The fight's own phases in which it waits for somebody, once it has begun."""

UNFINISHED = "unfinished"
"""Key of the fight's mark that holds the round in which the game master let it go on with one side."""


def one_sided(table: Table, ahead: int = 0) -> bool:
    """Tell whether only one side has somebody able, and this round, or one ahead, is not to be fought even so (P43)."""
    return len(table.derived(standing)) < 2 and table.mark("fight", UNFINISHED) != table.draft.round + ahead


def upcoming(table: Table) -> Rule[str]:
    """Find the side whose turn it is; a side with nobody left is skipped, then the round ends (VER-009, VER-010)."""
    if one_sided(table):
        return "one_side_left"
    now = due(table)
    if now is None:
        return "all_had_one"
    side = now[0]
    ambush = table.mark("fight", SURPRISING) is not None
    if side != side_due(table):
        yield marked("fight", SIDE_DUE, side, "VER-013" if ambush else "VER-009")
    return "ambush" if ambush else "due"


def round_end(table: Table) -> Rule[str]:
    """End the round: poison, hearing, hiding, numb limbs; then the next one begins (VER-010, P42)."""
    for who in tuple(table.draft.combatants):
        if in_play(table, who) and table[who].conditions:
            yield from if_there(_after_the_round(table, who))
    if not (yield from _goes_on(table, ahead=1)):
        return "over"
    if table.mark("fight", SURPRISING) is not None:
        acts = table.config.surprise_surprised_side_acts_in_first_round
        yield marked("fight", SURPRISING, None, "VER-013", *(() if acts else ("VER-T39",)))
        for who in tuple(table.draft.combatants):
            if table.mark(who, EXEMPT) is not None:
                yield marked(who, EXEMPT, None, "VER-013")
    yield RoundBegan(round=table.draft.round + 1, rules=("VER-010",))
    return "next_round"


def _after_the_round(table: Table, who: Id) -> Rule[None]:
    """Suffer and be rid of what the end of a round brings (table 5.4)."""
    if table[who].has("poisoned"):
        yield from if_there(_poison(table, who))
    if table[who].has("deafened") and in_play(table, who):
        yield from every_second(table, who, "deafened")
    if table[who].has("broken") and in_play(table, who):
        yield from _hides(table, who)
    if table[who].has("injured") and in_play(table, who):
        yield from tick(table, who, "rounds", "VER-093")
        if who not in table.derived(everybody) and f"{who}/turn" not in table.draft.counts:
            yield from tick(table, who, "turns", "VER-093")


def _poison(table: Table, who: Id) -> Rule[None]:
    """Lose one hit point, which nothing lowers; then Withstand takes one away for each SL."""
    yield from hurt(table, who, 1, "VER-S30")
    if in_play(table, who) and table[who].has("poisoned"):
        result = yield from save(
            table,
            who,
            "withstand",
            "VER-S30",
            "VER-T46",
            purpose=f"poison:{who}",
            ground=ailing(table, who, "poisoned"),
        )
        if result.sl:
            yield from lessen(table, who, "poisoned", result.sl)
        else:
            yield from spent(table, who, result)


def _hides(table: Table, who: Id) -> Rule[None]:
    """Gather one's nerve by a whole round in hiding."""
    hidden = table.mark(who, "hidden since")
    if not table[who].has("hidden"):
        if hidden is not None:
            yield marked(who, "hidden since", None, "VER-S30")
    elif hidden is None:
        yield marked(who, "hidden since", table.draft.round, "VER-S30", until="it comes out")
    else:
        yield from lessen(table, who, "broken", 1)


def ending(table: Table) -> Rule[str]:
    """Let the game master say whether it is over once one side has nobody able (P43)."""
    if not (yield from _goes_on(table)):
        return "over"
    if table.draft.acting:
        return "fights_on"
    begun = table.mark("fight", "initiative") == table.draft.round or table.mark("fight", SURPRISING) is not None
    return "next" if begun else "next_round"


def _goes_on(table: Table, ahead: int = 0) -> Rule[bool]:
    """Ask the game master whether a fight of one side goes on this round, or the next; if not, it is over (P43)."""
    answer = yield from choice(partial(_asked, table, ahead))
    if answer is None:
        return True
    if answer.choice == "ends":
        sides = table.derived(standing)
        yield from end(table, sides[0] if sides else "", "only one side is left")
        return False
    yield marked("fight", UNFINISHED, table.draft.round + ahead, until="the next round")
    return True


def _asked(table: Table, ahead: int) -> Ask | None:
    """Return the question whether the fight is over, as long as only one side is left."""
    if not one_sided(table, ahead):
        return None
    ways = (ENDS, GOES_ON) if rollers(table) else (ENDS,)
    return Ask(of=("gm",), about="ending", options=ways, rules=("VER-T36", "VER-T72") if ahead else ("VER-T36",))


def end(table: Table, victors: str, why: str) -> Rule[None]:
    """End the fight, and drop what is pending."""
    yield from ended(table, victors, why, "VER-T36")


def aftermath(table: Table) -> Rule[str]:
    """Tidy up what an action left behind; then whoever panicked lashes out, a turn ends, or things go on."""
    if table.derived(loose_ends):
        yield from tidied(table)
    draft = table.draft
    wild = table.mark("fight", LASHES)
    if isinstance(wild, str):
        yield from _lashes_out(table, wild)
    return "resume" if draft.stack else _own_step(table)


def _own_step(table: Table) -> str:
    """Return what follows in the fight's own phase: a turn or the fight may be over, or another side due."""
    draft = table.draft
    phase = draft.phases[""]
    if phase == "turn" and not any(in_play(table, who) for who in draft.acting):
        return "spent"
    if phase in WAITING and one_sided(table):
        return "one_side_left"
    if phase in ("slot", "surprise"):
        now = due(table)
        if now is None or now[0] != side_due(table):
            return "again"
    return "resume"


def _lashes_out(table: Table, wild: Id) -> Rule[None]:
    """Let somebody in panic strike at whoever was chosen (VER-S12)."""
    target = table.mark(wild, LASHES)
    yield marked("fight", LASHES, None, "VER-S12")
    yield marked(wild, LASHES, None, "VER-S12")
    possible = (table.draft.phase, "lash_out") in FLOW.table and wild in table.draft.combatants
    if possible and can_act(table, wild) and target in table.draft.combatants:
        strike = "rider" if mount_under(table, str(target)) else ""
        yield free_attack(wild, str(target), "panicked", strike=strike)


def loose_ends(table: Table) -> tuple[Relation, ...]:
    """Return the bonds that do not hold any more. To be asked through ``table.derived``.

    Melees of one side, grapples of two who do not share a melee, saddles without a rider or without a mount.
    """
    return tuple(one for one in table.draft.relations.values() if one.kind in HOLDS and not HOLDS[one.kind](table, one))


def _grips(table: Table, grapple: Relation) -> bool:
    """Tell whether a grapple still has two who share a melee (VER-081)."""
    one, other = grapple.members[0].who, grapple.members[-1].who
    return one != other and same_melee(table, one, other) is not None


HOLDS: dict[str, Callable[[Table, Relation], bool]] = {
    "melee": lambda table, melee: len(sides_in(table, melee)) == 2,
    "grapple": _grips,
    "mount": lambda table, saddle: len(saddle.members) == 2,
}
"""What each kind of bond rests on."""


def tidied(table: Table) -> Rule[None]:
    """End the bonds that do not hold any more, after an action or a ruling (VER-031, VER-060, VER-081)."""
    while table.derived(loose_ends):
        one = table.derived(loose_ends)[0]
        if one.kind == "grapple":
            yield from let_loose(table, one, "VER-031")
        else:
            yield parted(one, rules=("VER-031",) if one.kind == "melee" else ("VER-060",))


def corrected(table: Table, who: Id) -> Rule[None]:
    """Let follow what follows without a die on a game master's correction (VER-090, VER-095, VER-097)."""
    one = table[who]
    hp, wounds = table.pool(who, "hp"), table.pool(who, "wounds")
    if one.has("deaths_door") and (hp or wounds):
        yield from back_from_deaths_door(table, who, "VER-095", "VER-097")
    elif not hp and in_play(table, who):
        if not is_pc(table, who):
            yield from slain(table, who, "slain", "VER-090")
        elif not wounds:
            yield from at_deaths_door(table, who)
    if not in_play(table, who):
        yield from lets_go(table, who)
        yield from leaves_melee(table, who, "VER-031")
        yield from unhorsed(table, who)
    if not can_act(table, who):
        yield from no_longer_ready(table, who)
    if table[who].has("unconscious"):
        yield from drop_all(table, who, "VER-S30")
        yield from lets_go(table, who, "VER-S30")
    yield from drop_what_is_too_much(table, who)
    yield from _freed(table, who)
    yield from _healed(table, who)


def _freed(table: Table, who: Id) -> Rule[None]:
    """End the grapples whose last Entangled the game master took from whom they held (VER-087)."""
    asked = table.draft.question
    if asked is not None and asked.topic == "outcome":
        return
    for grapple in held_by(table, who):
        if grapple.id not in table[who].conditions.get("entangled", NOBODY):
            yield from let_loose(table, grapple, "VER-087")


def _healed(table: Table, who: Id) -> Rule[None]:
    """Take away what an injury held that the game master struck out."""
    one = table[who]
    borne = one.conditions.get("injured", NOBODY)
    sources = {source for held in one.conditions.values() for source in held if source}
    for injury in sorted((sources & injury_names()) - set(borne)):
        yield from let_heal(table, who, injury, "VER-093")


def injury_names() -> frozenset[str]:
    """Return the names of all injuries."""
    rows = injuries()
    return frozenset(row.name for row in (*rows.d66, *rows.head, *rows.body, *rows.arms, *rows.legs))


def movers(table: Table) -> Iterator[tuple[Id, str]]:
    """Yield who might declare something now, and in which manner."""
    draft = table.draft
    phase = draft.phase
    if phase in ("setup", "fight_over"):
        yield "gm", "standard"
    elif phase == "initiative":
        for who in rollers(table):
            yield who, "standard"
    elif phase in ("slot", "surprise"):
        for who in candidates(table):
            yield who, "standard"
    elif phase == "turn":
        for who in draft.acting:
            yield who, "standard"

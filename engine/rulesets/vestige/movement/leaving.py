"""Melee locks, and the attacks that leaving melee provokes (VES-033)."""

from collections.abc import Iterable, Mapping
from functools import partial

from affray.engine.core.effects import Ask, Go, Interrupted, Rule, choice
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.sides import are_enemies
from affray.engine.kit.terrain import list_occupants_around
from affray.engine.rulesets.vestige.attack import Attack, find_base_cost, must_afford_ep
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.gear import find_weapon_in_hand
from affray.engine.rulesets.vestige.marks import WAIVED
from affray.engine.rulesets.vestige.sheet import RANGED, is_active, weapon_type
from affray.events import Answered, Field, Id, Option

from .board import distance


def provoke(table: Table, actor: Id) -> Rule[None]:
    """Ask each locking enemy, in turn order, for an attack before the move (VES-033)."""
    foes = list_provoked_enemies(table, actor)
    if foes:
        yield Go("leave_melee", rules=("VES-033", "VES-T21"))
        strikes = yield from _ask_enemies(table, actor, foes)
        struck = Interrupted(by=strikes, manner="provoked", rules=("VES-033", "VES-T22"))
        yield struck if strikes else Go("let_go", rules=("VES-033",))
    if WAIVED.is_on(table, actor) and list_able_to_strike(table, actor):
        yield WAIVED.clear_on(actor, "VES-033")


def list_provoked_enemies(table: Table, actor: Id) -> tuple[Id, ...]:
    """Return the locking enemies that may strike a mover, in turn order.

    The list is empty if the game master waived these attacks.
    """
    return () if WAIVED.is_on(table, actor) else list_able_to_strike(table, actor)


def list_able_to_strike(table: Table, actor: Id) -> tuple[Id, ...]:
    """Return the locking enemies who can strike a combatant, in turn order."""
    return tuple(
        enemy for enemy in list_locking_enemies(table, actor) if _can_strike(table, enemy, Attack(target=actor))
    )


def list_locking_enemies(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the known active enemies with a combatant in melee range, in turn order."""
    found = [
        other for other in table.list_known(_list_near(table, who)) if other != who and is_locking(table, other, who)
    ]
    if len(found) > 1:
        rank = {member: at for at, slot in enumerate(table.draft.slots) for member in slot.members}
        roster = list(table.draft.combatants)
        found.sort(key=lambda other: (rank.get(other, len(rank)), roster.index(other)))
    return tuple(found)


def is_locking(table: Table, other: Id, who: Id) -> bool:
    """Return whether a combatant is an active enemy of another and locks it in melee (VES-T21)."""
    against = is_active(table, other) and are_enemies(table, who, other)
    return against and distance(table, who, other) <= find_melee_reach(table, other)


def find_melee_reach(table: Table, who: Id) -> int:
    """Return a combatant's melee range in metres, or -1 if it cannot lock enemies."""
    weapon: Item = find_weapon_in_hand(table, who)
    if weapon_type(weapon) in RANGED:
        return -1 if table.config.lock_needs_melee_weapon else 1
    return weapon.stats["range"]


def _list_near(table: Table, who: Id) -> Iterable[Id]:
    """Return every combatant that may stand within a melee weapon's range."""
    place = table[who].place
    return list_occupants_around(table, place, table.derive(find_longest_reach)) if place else table.draft.combatants


def find_longest_reach(table: Table) -> int:
    """Return the range of the longest melee weapon in the fight, in metres."""
    weapons = [item for item in table.draft.items.values() if item.kind == "weapon"]
    return max((item.stats["range"] for item in weapons if weapon_type(item) not in RANGED), default=1)


def _ask_enemies(table: Table, actor: Id, foes: tuple[Id, ...]) -> Rule[tuple[tuple[Id, Attack], ...]]:
    """Ask one enemy after another; return the attacks that are possible at the end."""
    answers: dict[Id, Attack | None] = {}
    while enemy := _find_next(foes, answers):
        answer = yield from choice(partial(_build_strike_question, table, enemy, actor, answers))
        if answer is not None:
            strikes = answer.choice == "strike"
            answers[enemy] = Attack(target=actor, ep=int(answer.fields.get("ep") or 0)) if strikes else None
        foes = list_provoked_enemies(table, actor)
    made = ((enemy, answers[enemy]) for enemy in foes)
    return tuple((enemy, attack) for enemy, attack in made if attack and _can_strike(table, enemy, attack))


def _find_next(foes: tuple[Id, ...], answers: Mapping[Id, Attack | None]) -> Id:
    return next((enemy for enemy in foes if enemy not in answers), "")


def _build_strike_question(table: Table, enemy: Id, actor: Id, answers: Mapping[Id, Attack | None]) -> Ask | None:
    if _find_next(list_provoked_enemies(table, actor), answers) != enemy:
        return None
    cap = table.config.accuracy_ep_cap
    spare = table.pool(enemy, "ep") - find_base_cost(table, "provoked")
    ep = Field(name="ep", kind="int", high=spare if cap < 0 else min(spare, cap), optional=True)
    strike = Option(choice="strike", says="makes a basic attack", fields=(ep,))
    options = (strike, Option(choice="decline", says="lets it pass"))
    refuses = partial(_must_afford, table, enemy)
    return Ask(of=(enemy,), about=f"provoked:{enemy}", options=options, rules=("VES-033", "VES-T21"), refuses=refuses)


def _must_afford(table: Table, enemy: Id, answer: Answered) -> None:
    """Refuse more ep for accuracy than the enemy has."""
    ep = answer.fields.get("ep")
    if answer.choice == "strike" and isinstance(ep, int):
        must_afford_ep(table, enemy, ep, find_base_cost(table, "provoked"))


def _can_strike(table: Table, enemy: Id, attack: Attack) -> bool:
    """Return whether an enemy can strike: it has the ep, a loaded weapon and sight."""
    try:
        attack.check(table, enemy, "provoked")
    except Refused:
        return False
    return True

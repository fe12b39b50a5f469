"""The preview of an action: hit chance, damage, and the attacks that a way provokes."""

from affray.engine.core.actions import Action
from affray.engine.core.preview import NOTHING_KNOWN, Glance, Prospect
from affray.engine.core.state import Item
from affray.engine.kit.modifiers import list_granted_to
from affray.engine.kit.preview import format_percent, list_provoked, make_fixed_harm, round_chance, sum_modifiers
from affray.engine.kit.sheets import stat
from affray.events import Id

from .attack import PLAIN, Attack, accuracy, might
from .chapters.skills import Skill, find_skill
from .config import Table
from .gear import find_weapon_in_hand
from .movement.board import path_cost
from .movement.leaving import list_locking_enemies, list_provoked_enemies
from .movement.moving import Move, Shift, Steps, find_allowance
from .odds import hit_chance
from .sheet import is_active
from .worth import chance_to_hold_on


def glance(table: Table, who: Id) -> Glance:
    """Return agility, protection, metres a move, and the enemies that lock a combatant in melee."""
    numbers = {name: stat(table, who, name) for name in ("agility", "protection")}
    numbers["move"] = find_allowance(table, who)
    return Glance(numbers=numbers, foes=list_locking_enemies(table, who) if is_active(table, who) else ())


def prospect(table: Table, actor: Id, action: Action, manner: str) -> Prospect:
    """Preview a declaration: the chance and harm of an attack, or the cost of a way."""
    match action:
        case Attack():
            return _preview_attack(table, actor, action.target, PLAIN, action.ep)
        case Skill() if action.target:
            return _preview_attack(table, actor, action.target, find_skill(table, actor, action.skill), action.ep)
        case Skill() if "move" in (skill := find_skill(table, actor, action.skill)).traits:
            return _preview_way(table, actor, action, skill.stats["metres"], provokes="provokes" in skill.traits)
        case Move():
            return _preview_way(table, actor, action, find_allowance(table, actor), provokes=True)
        case Shift():
            return _preview_way(table, actor, action, 1, provokes=False)
        case _:
            return NOTHING_KNOWN


def _preview_attack(table: Table, actor: Id, target: Id, skill: Item, ep: int) -> Prospect:
    """Preview an attack: its hit chance, and its might behind protection."""
    weapon = find_weapon_in_hand(table, actor)
    terms = (*accuracy(table, actor, weapon, skill, ep), *list_granted_to(table, actor, "VES-T07"))
    chance = hit_chance(sum_modifiers(terms), stat(table, target, "agility"))
    harm = max(0, sum_modifiers(might(table, actor, weapon, skill)) - stat(table, target, "protection"))
    return Prospect(
        chance=round_chance(chance), harm=make_fixed_harm(harm, "health"), says=_describe_hit(table, target, harm, ep)
    )


def _describe_hit(table: Table, target: Id, harm: int, ep: int) -> str:
    """Describe a hit on a target at the brink, or the benefit of energy."""
    if not harm:
        return "protection stops all of it"
    if table[target].has("brink"):
        return f"at the brink: a hit kills in {format_percent(1 - chance_to_hold_on(table, target))} of cases"
    each = table.config.accuracy_per_ep
    return f"each point of energy adds {each} to the die" if each and not ep and table.config.accuracy_ep_cap else ""


def _preview_way(table: Table, actor: Id, action: Steps, allowance: int, *, provokes: bool) -> Prospect:
    """Preview a way: its cost in metres, and the enemies that may strike the mover."""
    path = action.steps(table, actor, allowance) if table[actor].place else ()
    metres = path_cost(table, actor, path) if path else action.metres + action.difficult
    foes = list_provoked_enemies(table, actor) if provokes else ()
    return Prospect(to=path[-1] if path else "", way=metres, provokes=list_provoked(foes, "VES-033"))

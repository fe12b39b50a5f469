"""The preview of an action: chance, likely harm, free attacks."""

from affray.engine.core.actions import Action
from affray.engine.core.preview import NOTHING_KNOWN, Glance, HarmDone, Prospect
from affray.engine.core.state import Item
from affray.engine.kit.modifiers import list_granted_to
from affray.engine.kit.preview import list_provoked, make_fixed_harm, round_chance, sum_modifiers, summarise_harm
from affray.engine.kit.sheets import stat
from affray.engine.kit.sides import are_enemies
from affray.events import Id

from .attack.declaring import Attack
from .attack.modifiers import Blow, list_damage_bonus, list_hit_bonus, list_shock_terms
from .config import Table
from .gear.things import armor_class
from .harm import find_no_shock_reason, raise_to_minimum
from .movement.board import SQUARE, distance, find_path, is_adjacent, is_meleeing, list_free_beside, list_near
from .movement.leaving import list_left_by
from .movement.moving import Move
from .odds import Weapon, damage, hits
from .sheet import is_able, is_mount


def glance(table: Table, who: Id) -> Glance:
    """Return a combatant's armour class, morale, pace, and enemies in melee."""
    sheet = table[who].stats
    numbers = {"ac": armor_class(table, who), **{name: sheet[name] for name in ("morale", "pace") if name in sheet}}
    beside = table.list_known(list_near(table, who, table.config.adjacent_ft)) if is_able(table, who) else ()
    return Glance(
        numbers=numbers,
        foes=tuple(foe for foe in beside if is_meleeing(table, foe, who) or is_meleeing(table, who, foe)),
    )


def moves_to_help(table: Table, helper: Id, whom: Id) -> int | None:
    """Count the moves, 0 or 1, that a combatant needs to stand beside an ally (WWN-T33)."""
    one, place = table[helper], table[whom].place
    if not is_able(table, helper) or is_mount(table, helper) or are_enemies(table, helper, whom):
        return None
    if is_adjacent(table, helper, whom):
        return 0
    feet = stat(table, helper, "pace")
    if one.has("prone") or one.has("grappled") or distance(table, helper, whom) > feet + table.config.adjacent_ft:
        return None
    if not (one.place and place) or any(find_path(table, helper, to, feet) for to in list_free_beside(table, place)):
        return 1
    return None


def prospect(table: Table, actor: Id, action: Action, manner: str) -> Prospect:
    """Preview an action: an attack by its dice, a move by the attacks it provokes."""
    match action:
        case Attack():
            weapon = action.find_weapon(table, actor)
            return _preview_attack(table, actor, action.build_blow(table, actor, snap=manner == "snap"), weapon)
        case Move():
            return _preview_move(table, actor, action)
        case _:
            return NOTHING_KNOWN


def _preview_attack(table: Table, actor: Id, blow: Blow, weapon: Item) -> Prospect:
    """Preview an attack: the chance to hit the armor class, the damage, the Shock.

    A number that is not announced before the attack is left out here, too.
    """
    ac = armor_class(table, blow.target, piercing="AP" in weapon.traits)
    why_not = find_no_shock_reason(table, actor, blow.target, weapon, blow.mode, ac)
    shock = _sum_shock(table, actor, blow, weapon) if not why_not else 0
    extra = sum_modifiers(list_damage_bonus(table, actor, blow, weapon))
    means = Weapon(weapon.stats["dice"], weapon.stats["sides"], extra, shock or -1, ac)
    harm = summarise_harm(damage(means, ac, table.config), "hp")
    if not table.config.announce_ac:
        return Prospect(harm=harm, unknown=("chance", "failing"), says="the armour class is not announced")
    return Prospect(
        chance=round_chance(hits(_sum_bonus(table, actor, blow, weapon), ac, table.config)),
        harm=harm,
        failing=_find_failing_harm(shock),
        says="a miss: the shield keeps the Shock off once" if why_not == "shield" else "",
    )


def _sum_bonus(table: Table, actor: Id, blow: Blow, weapon: Item) -> int:
    """Return the bonus on the die.

    If the attacker names the weapon that counts only after the roll, the lower bonus counts.
    """
    own = list_granted_to(table, actor, "WWN-013")
    arms = [weapon]
    if blow.dual and table.config.dual_choice == "after_hit":
        arms.append(table.item(blow.dual))
    return sum_modifiers(own) + min(sum_modifiers(list_hit_bonus(table, actor, blow, one)) for one in arms)


def _sum_shock(table: Table, actor: Id, blow: Blow, weapon: Item) -> int:
    return max(0, sum_modifiers(raise_to_minimum(table, list_shock_terms(table, actor, weapon, blow.mode))))


def _find_failing_harm(shock: int) -> HarmDone | None:
    return make_fixed_harm(shock, "hp") if shock else None


def _preview_move(table: Table, actor: Id, move: Move) -> Prospect:
    """Preview a move: its feet, and the enemies who have a free attack on the mover.

    Without a board the game master states the distances, so these enemies are unknown.
    """
    if not table[actor].place:
        return Prospect(way=move.feet, unknown=("provokes",))
    path = move.path or move.find_steps(table, actor, stat(table, actor, "pace") + table.pool(actor, "feet"))
    return Prospect(
        to=path[-1], way=SQUARE * len(path), provokes=list_provoked(list_left_by(table, actor, path), "WWN-T34")
    )

"""The preview of an action: hit chance, damage, counter-damage, endangered neighbours."""

from fractions import Fraction
from functools import cache

from affray.engine.core.actions import Action
from affray.engine.core.preview import NOTHING_KNOWN, Cost, Glance, HarmDone, Prospect
from affray.engine.core.state import Item
from affray.engine.kit.hexes import hex_neighbours
from affray.engine.kit.modifiers import list_granted_to
from affray.engine.kit.odds import find_chance, find_mean
from affray.engine.kit.preview import format_percent, round_chance, sum_modifiers
from affray.engine.kit.sheets import stat
from affray.engine.kit.sides import are_enemies
from affray.events import Id, Modifier

from .attack.melee import Attack, find_striking_weapon
from .attack.rolls import CRITICAL, list_attack_levels, list_hindrances
from .attack.shots import Shoot, find_bystander, find_launcher, list_occupied_hexes
from .config import Table
from .gear import find_armor, find_die, find_melee_weapon, find_shield, list_weapon_modifiers
from .movement import board
from .movement.moving import STANDING, Move, Stand
from .movement.positions import list_cover_levels
from .odds import Arms, Faces, Roll, blow_harm, compare_rolls, counting_face
from .sheet import can_fight_back, is_active, list_modifiers


def glance(table: Table, who: Id) -> Glance:
    """Return the feet a turn of a combatant, and the enemies in the hexes around it."""
    around = hex_neighbours(table[who].place) if is_active(table, who) else ()
    near = table.list_known(one for hex in around for one in table.at(hex))
    foes = tuple(one for one in near if is_active(table, one) and are_enemies(table, who, one))
    return Glance(numbers={"movement": stat(table, who, "movement")}, foes=foes)


def prospect(table: Table, actor: Id, action: Action, manner: str) -> Prospect:
    """Preview a declaration: blows and shots by both sides' dice, a way by its feet."""
    match action:
        case Attack():
            weapon = find_striking_weapon(table, actor, action.weapon, drawn=True)
            return _preview_blow(table, actor, action.target, weapon)
        case Shoot():
            return _preview_shot(table, actor, action.target, find_launcher(table, actor, action.weapon, drawn=True))
        case Move():
            path = action.find_way(table, actor)
            feet = board.path_cost(table, path)
            return Prospect(to=path[-1], way=feet, costs=(Cost("movement", feet),))
        case Stand():
            return Prospect(costs=(Cost("movement", STANDING),))
        case _:
            return NOTHING_KNOWN


def _preview_blow(table: Table, actor: Id, target: Id, weapon: Item) -> Prospect:
    """Preview a blow: the chances to strike and to be struck; a tie is both."""
    own, strikes = _attack_roll(table, actor, target, weapon), _find_arms(table, actor, weapon, target)
    if not can_fight_back(table, target):
        return _preview_unanswered(own, strikes)
    answer = find_melee_weapon(table, target)
    foe, answers = _attack_roll(table, target, actor, answer, counter=True), _find_arms(table, target, answer, actor)
    wins, critical = _strike_chances(own, foe)
    loses, returned = _strike_chances(foe, own)
    return Prospect(
        chance=round_chance(wins),
        harm=_harm_done(strikes, wins, critical),
        risk=round_chance(loses),
        suffers=_harm_done(answers, loses, returned),
        says="the higher roll hurts the other side; a tie hurts both",
    )


def _preview_unanswered(own: Roll, strikes: Arms) -> Prospect:
    """Preview a blow without an answer: it always lands, and a natural 20 is critical."""
    critical = counting_face(own.levels).get(CRITICAL, Fraction(0))
    return Prospect(chance=1.0, harm=_harm_done(strikes, Fraction(1), critical), says="there is no answer")


def _preview_shot(table: Table, actor: Id, target: Id, launcher: Item) -> Prospect:
    """Preview a shot: its hit chance, and the endangered neighbours."""
    own, strikes = _attack_roll(table, actor, target, launcher), _find_arms(table, actor, launcher, target)
    near = list_occupied_hexes(table, actor, target)
    says = _describe_danger(table, actor, target, near) if near else ""
    if near and table.config.crowd_when == "divert":
        wins, critical = Fraction(1), counting_face(own.levels).get(CRITICAL, Fraction(0))
        return Prospect(harm=_harm_done(strikes, wins, critical), unknown=("chance",), says=says)
    if not can_fight_back(table, target):
        struck = _preview_unanswered(own, strikes)
        return Prospect(chance=struck.chance, harm=struck.harm, says=says)
    levels = (
        *list_hindrances(table, target),
        *list_cover_levels(table, actor, target)[0],
        *_list_granted(table, target),
    )
    evades = Roll(sum_modifiers(list_modifiers(table, target, "evade", "HEX-030")), sum_modifiers(levels))
    wins, critical = _hit_chances(own, evades)
    return Prospect(chance=round_chance(wins), harm=_harm_done(strikes, wins, critical), says=says)


def _describe_danger(table: Table, actor: Id, target: Id, near: tuple[Id, ...]) -> str:
    """Describe the combatants that a stray shot may hit."""
    people = [table.name_of(who) for hex in near if (who := find_bystander(table, hex, actor, target))]
    when = {"on_miss": "a miss", "always": "the shot", "divert": "the shot, instead of its target,"}
    if not people:
        return ""
    chance = format_percent(Fraction(1, 2))
    return f"{when[table.config.crowd_when]} may hit {' or '.join(people)}: {chance} before evading"


def _attack_roll(table: Table, who: Id, victim: Id, weapon: Item, *, counter: bool = False) -> Roll:
    """Return the roll of one side as it would be made now."""
    levels = (*list_attack_levels(table, who, victim, counter=counter), *_list_granted(table, who))
    return Roll(sum_modifiers(list_weapon_modifiers(table, who, weapon)), sum_modifiers(levels))


def _list_granted(table: Table, who: Id) -> tuple[Modifier, ...]:
    """Return the levels that the game master granted, apart from the pending action."""
    return list_granted_to(table, who, "HEX-T05")


def _find_arms(table: Table, who: Id, weapon: Item, foe: Id) -> Arms:
    """Return the dice of a blow between two combatants, and of its defence."""
    armor = find_armor(table, foe)
    bonus = sum_modifiers(list_weapon_modifiers(table, who, weapon, damage=True))
    return Arms(find_die(weapon), bonus, find_die(armor) if armor else 0, int(find_shield(table, foe) is not None))


@cache
def _strike_chances(own: Roll, foe: Roll) -> tuple[Fraction, Fraction]:
    """Return the chance that the first strikes the second, and that of a natural 20."""

    def strikes(faces: Faces) -> bool:
        return faces.by >= 0 or faces.mine == faces.theirs == CRITICAL

    both = compare_rolls(own, foe)
    return find_chance(both, strikes), find_chance(both, lambda faces: strikes(faces) and faces.mine == CRITICAL)


@cache
def _hit_chances(own: Roll, evades: Roll) -> tuple[Fraction, Fraction]:
    """Return the chance that a shot hits, and that of a hit by a natural 20."""
    both = compare_rolls(own, evades)
    return find_chance(both, lambda one: one.by > 0), find_chance(both, lambda one: one.by > 0 and one.mine == CRITICAL)


@cache
def _harm_done(arms: Arms, strikes: Fraction, critical: Fraction) -> HarmDone:
    """Return the harm of a blow that lands, by the share of criticals."""
    plain, double = blow_harm(arms), blow_harm(arms, critical=True)
    share = critical / strikes if strikes else Fraction(0)
    likely = (1 - share) * find_mean(plain) + share * find_mean(double)
    return HarmDone(least=min(plain), mean=round_chance(likely), most=max(double if share else plain), pool="hp")

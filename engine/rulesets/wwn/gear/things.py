"""Weapons, shields and armor as items: what their words mean, where they are, what they are good for."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from affray.engine.core.changes import item_moved
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.sheet import attribute, gifts, has_gift, level, rider_of, things_of
from affray.engine.rulesets.wwn.tables import Modifier
from affray.events import Clause, Id
from affray.events import Modifier as Term

HANDS = 2

UNARMORED = 10

LONG = 10
"""How far a Long weapon reaches, in feet."""


class Words(NamedTuple):
    """What the words of a weapon, Focus or ability say.

    Attributes:
        attributes: Of which the best is added to hit and damage.
        skill: Whose level is added to hit.
        damage_skill: Whose level is added to damage; mostly none.
        modifiers: What it adds besides.
        throws_in_melee: Tags of the weapons that can be thrown while being meleed as at any other time.
    """

    attributes: tuple[str, ...]
    skill: str
    damage_skill: str
    modifiers: tuple[Modifier, ...]
    throws_in_melee: tuple[str, ...]


@lru_cache(maxsize=4096)
def words(traits: tuple[str, ...]) -> Words:
    """Read the words of an item, as ``written`` and the encounter wrote them."""
    said: dict[str, list[str]] = {"attribute": [], "skill": [], "damage_skill": [], "adds": [], "throws_in_melee": []}
    for trait in traits:
        key, _, value = trait.partition(":")
        if value and key in said:
            said[key].append(value)
    return Words(
        attributes=tuple(said["attribute"]),
        skill=(*said["skill"], "")[0],
        damage_skill=(*said["damage_skill"], "")[0],
        modifiers=tuple(_read(one) for one in said["adds"]),
        throws_in_melee=tuple(said["throws_in_melee"]),
    )


def handled_alike(traits: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a weapon that say how it is handled: which attribute and which skill count."""
    return tuple(word for word in traits if word.startswith(("attribute:", "skill:")))


def written(one: Modifier) -> str:
    """Return a modifier as a word of an item."""
    return f"adds:{one.to}|{one.value}|{one.skill}|{','.join(one.modes)}|{','.join(one.tags)}|{one.label}"


def _read(word: str) -> Modifier:
    to, value, skill, modes, tags, label = word.split("|", 5)
    return Modifier(
        to=to,  # type: ignore[arg-type]
        value=int(value),
        skill=skill,
        modes=tuple(modes.split(",")) if modes else (),  # type: ignore[arg-type]
        tags=tuple(tags.split(",")) if tags else (),  # type: ignore[arg-type]
        label=label,
    )


def added(table: Table, who: Id, to: str, weapon: Item, mode: str, rules: tuple[Clause, Clause]) -> list[Term]:
    """List what Foci and abilities, and the weapon itself, add to a hit, to damage or to Shock (WWN-T26).

    Args:
        to: ``hit``, ``damage`` or ``shock``.
        mode: ``melee``, ``shoot`` or ``throw``.
        rules: The clause that lets Foci count, and the one for magic and the weapon.
    """
    terms: list[Term] = []
    for source in gifts(table, who):
        terms += _terms_of(table, who, source, to, weapon, mode, rules[0])
    if words(weapon.traits).modifiers:
        terms += _terms_of(table, who, weapon, to, weapon, mode, rules[1])
    magic = weapon.stats.get("magic", 0)
    if magic:
        terms.append(Term(value=magic, label="magic", source=weapon.id, rule=rules[1]))
    return terms


def _terms_of(table: Table, who: Id, source: Item, to: str, weapon: Item, mode: str, rule: Clause) -> Iterator[Term]:
    """Yield what one Focus, ability or weapon adds."""
    for one in words(source.traits).modifiers:
        fits = not one.tags or any(tag in weapon.traits for tag in one.tags)
        value = one.value + (max(0, level(table, who, one.skill)) if one.skill else 0)
        if one.to == to and (not one.modes or mode in one.modes) and fits and value:
            yield Term(value=value, label=one.label or source.name, source=source.id, rule=rule)


def arms_of(table: Table, who: Id) -> list[Item]:
    """Return what a combatant has that can strike, as the encounter lists it."""
    return list(map(table.draft.items.__getitem__, things_of(table, who).arms))


def is_bodily(item: Item) -> bool:
    """Tell whether a weapon is a part of the body."""
    return "unarmed" in item.traits or "natural" in item.traits


def is_ready(item: Item) -> bool:
    """Tell whether something is in hand or quickly at hand; a part of the body always is (WWN-T14)."""
    return item.where in ("hand", "readied") or is_bodily(item)


def hands(item: Item) -> int:
    """Return how many hands something takes."""
    return 0 if is_bodily(item) else 2 if "2H" in item.traits else 1


def held(table: Table, who: Id) -> list[Item]:
    """Return what is in somebody's hands, weapons before shields."""
    return sorted(
        (item for item in arms_of(table, who) if item.where == "hand" and not is_bodily(item)),
        key=lambda item: item.kind == "shield",
    )


def readied(table: Table, who: Id) -> tuple[Item, ...]:
    """Return what somebody could strike, throw or shoot with at once, bare hands last.

    What is in hand comes first; weapons before parts of the body, and those before shields.
    """
    return tuple(map(table.draft.items.__getitem__, table.of_things(_list_readied, who)))


def _list_readied(table: Table, who: Id) -> list[Id]:
    return [item.id for item in sorted(filter(is_ready, arms_of(table, who)), key=_usual)]


def _usual(item: Item) -> tuple[bool, bool, int]:
    """Order arms as one would take them."""
    part = 3 if "unarmed" in item.traits else 2 if item.kind == "shield" else 1 if "natural" in item.traits else 0
    return part == 3, item.where not in ("hand", ""), part


def is_missile(item: Item) -> bool:
    """Tell whether a weapon is shot and not swung."""
    return "missile" in item.traits


def is_of_kind(item: Item, kinds: Iterable[str]) -> bool:
    """Tell whether a weapon is of one of these kinds; ``2H+missile`` is whatever has both words."""
    return any(all(tag in item.traits for tag in kind.split("+")) for kind in kinds)


def usual_weapon(table: Table, who: Id, mode: str) -> Item | None:
    """Return the weapon somebody would take first for a mode; for any, the first in hand; else a part of the body."""
    at_hand = [item for item in arms_of(table, who) if is_ready(item)]
    if mode == "throw":
        fit = [item for item in at_hand if "T" in item.traits]
    elif mode:
        fit = [item for item in at_hand if is_missile(item) == (mode == "shoot")]
    else:
        fit = at_hand
    fit = fit or [item for item in at_hand if is_bodily(item)]
    return min(fit, key=_usual) if len(fit) > 1 else fit[0] if fit else None


def melee_arms(table: Table, who: Id) -> list[Item]:
    """Return what somebody could strike with in melee as things are: in hand, natural, or a trained fist."""
    arms = [item for item in arms_of(table, who) if _can_strike_with(table, who, item)]
    return sorted(arms, key=_usual) if len(arms) > 1 else arms


def _can_strike_with(table: Table, who: Id, item: Item) -> bool:
    """Tell whether somebody can strike in melee with something as it is; with bare hands if trained (WWN-T55)."""
    if "missile" in item.traits:
        return False
    if "unarmed" in item.traits:
        return level(table, who, "punch") >= 0
    return item.where == "hand" or "natural" in item.traits


def can_strike(table: Table, who: Id) -> bool:
    """Tell whether somebody has anything to strike with in melee; nobody is meleed by somebody who has not."""
    for item in map(table.draft.items.__getitem__, things_of(table, who).arms):
        if _can_strike_with(table, who, item):
            return True
    return False


def melee_weapon(table: Table, who: Id) -> Item | None:
    """Return what somebody would strike with in melee, if there is anything."""
    return min([item for item in arms_of(table, who) if _can_strike_with(table, who, item)], key=_usual, default=None)


def take_in_hand(table: Table, who: Id, item: Id, *rules: Clause) -> Rule[None]:
    """Take something that is at hand; what there is no hand for is put back in reach first.

    Of several weapons the first by the alphabet goes first, a shield last.
    """
    thing = table.item(item)
    if thing.where == "hand" or is_bodily(thing):
        return
    for other in sorted(held(table, who), key=lambda item: (item.kind == "shield", item.id)):
        if sum(map(hands, held(table, who))) + hands(table.item(item)) <= HANDS:
            break
        yield item_moved(table, other.id, "readied", *rules)
    yield item_moved(table, item, "hand", *rules)


def is_unusable_in_melee(table: Table, weapon: Item) -> bool:
    """Tell whether a weapon cannot be shot while being meleed (WWN-T23)."""
    return is_missile(weapon) and is_of_kind(weapon, table.config.unusable_in_melee_tags)


def mode_of(weapon: Item) -> str:
    """Return how a weapon is used where nobody says: shot if it is for shooting, else in melee."""
    return "shoot" if is_missile(weapon) else "melee"


def reach_of(table: Table, weapon: Item) -> int:
    """Return how far a weapon reaches in melee, in feet."""
    near = table.config.adjacent_ft
    return max(near, LONG) if "L" in weapon.traits else near


def shield_up(table: Table, who: Id) -> Item | None:
    """Return the shield that guards somebody; one used as a weapon does not until the next turn (WWN-047, WWN-048)."""
    shields = things_of(table, who).shields
    if not shields or table[who].has("shield_committed"):
        return None
    return _first(table, shields, "hand")


def worn(table: Table, who: Id) -> Item | None:
    """Return somebody's body armor."""
    return _first(table, things_of(table, who).suits, "worn")


def _first(table: Table, among: tuple[Id, ...], where: str) -> Item | None:
    things = table.draft.items
    for item in among:
        if things[item].where == where:
            return things[item]
    return None


def armor_class(table: Table, who: Id, *, piercing: bool = False) -> int:
    """Return somebody's armor class now; to what is ``piercing`` armor and shield count only if magical (WWN-T06)."""
    own = _own_armor_class(table, who, piercing)
    if "mount" in table.draft.combatants[who].traits:
        rider = rider_of(table, who)
        if rider and has_gift(table, rider, "lends_ac"):
            return max(own, _own_armor_class(table, rider, piercing))
    return own


def _own_armor_class(table: Table, who: Id, piercing: bool) -> int:
    """Return somebody's armor class without what a rider lends: stated, or of armor and shield (WWN-T59, WWN-T66)."""
    one = table.draft.combatants[who]
    fixed = one.stats.get("ac")
    if fixed is not None:
        lowered = one.stats.get("shield_share", 0) if one.has("shield_committed") else 0
        return fixed - (max(lowered, one.stats.get("armor_share", 0)) if piercing else lowered)
    suit, shield = worn(table, who), shield_up(table, who)
    body = suit.stats["ac"] if suit and not (piercing and "magical" not in suit.traits) else UNARMORED
    if shield and not (piercing and "magical" not in shield.traits):
        base = shield.stats["ac"]
        body = (body + shield.stats["bonus"] if body >= base else base) + shield.stats.get("plus", 0)
    return body + attribute(table, who, "dex") + one.stats.get("ac_bonus", 0)

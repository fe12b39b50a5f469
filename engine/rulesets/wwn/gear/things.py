"""Weapons, shields and armor as items: their traits, their places, their use."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from affray.engine.core.changes import move_item
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.kit.riding import rider_of
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.sheet import attribute, has_gift, level, list_gifts, things_of
from affray.engine.rulesets.wwn.tables import Modifier
from affray.events import Clause, Feature, Id
from affray.events import Modifier as Term

HANDS = 2

UNARMORED = 10

LONG = 10
"""The reach of a Long weapon, in feet."""


class Handling(NamedTuple):
    """The features of a weapon, Focus or ability.

    Attributes:
        attributes: The best of them is added to hit and damage.
        skill: Its level is added to hit.
        damage_skill: Its level is added to damage; usually empty.
        modifiers: Its other bonuses.
        features: The features themselves.
        throws_in_melee: Tags of the weapons that it lets throw unhindered while meleed.
    """

    attributes: tuple[str, ...]
    skill: str
    damage_skill: str
    modifiers: tuple[Modifier, ...]
    throws_in_melee: tuple[str, ...]
    features: tuple[Feature, ...]


_READ: dict[int, Handling] = {}
"""What was read, by the identity of the features. Each entry holds its features, so that no others get it."""

_MANY = 4096


def read_features(features: tuple[Feature, ...]) -> Handling:
    """Return the features of an item as the rules use them."""
    return _READ.get(id(features)) or _decode_features(features)


def _decode_features(features: tuple[Feature, ...]) -> Handling:
    if len(_READ) >= _MANY:
        _READ.clear()
    of: dict[str, list[str]] = {}
    for one in features:
        of.setdefault(one.kind, []).append(one.of)
    handling = Handling(
        attributes=tuple(of.get("attribute", ())),
        skill=(*of.get("skill", ()), "")[0],
        damage_skill=(*of.get("damage_skill", ()), "")[0],
        modifiers=tuple(msgspec.convert({"to": one.of, **one.parts}, Modifier) for one in features if one.kind == ADDS),
        throws_in_melee=tuple(of.get("throws_in_melee", ())),
        features=features,
    )
    _READ[id(features)] = handling
    return handling


def keep_handling(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    """Return the features of a weapon's handling: its attribute and its skill."""
    return tuple(one for one in features if one.kind in ("attribute", "skill"))


ADDS = "adds"
"""The kind of feature that is a bonus."""


def note_modifier(one: Modifier) -> Feature:
    """Return a modifier as a feature of an item."""
    parts: dict[str, bool | int | str | tuple[str, ...]]
    parts = {"value": one.value, "skill": one.skill, "modes": one.modes, "tags": one.tags, "label": one.label}
    return Feature(kind=ADDS, of=one.to, parts={name: part for name, part in parts.items() if part})


def list_added_terms(
    table: Table, who: Id, to: str, weapon: Item, mode: str, rules: tuple[Clause, Clause]
) -> list[Term]:
    """List the bonuses of Foci, abilities and the weapon on hit, damage or Shock (WWN-T26).

    Args:
        to: ``hit``, ``damage`` or ``shock``.
        mode: ``melee``, ``shoot`` or ``throw``.
        rules: The clause that lets Foci count, and the one for magic and the weapon.
    """
    terms: list[Term] = []
    for source in list_gifts(table, who):
        terms += _terms_of(table, who, source, to, weapon, mode, rules[0])
    if read_features(weapon.features).modifiers:
        terms += _terms_of(table, who, weapon, to, weapon, mode, rules[1])
    magic = weapon.stats.get("magic", 0)
    if magic:
        terms.append(Term(value=magic, label="magic", source=weapon.id, rule=rules[1]))
    return terms


def _terms_of(table: Table, who: Id, source: Item, to: str, weapon: Item, mode: str, rule: Clause) -> Iterator[Term]:
    """Yield the bonuses of one Focus, ability or weapon."""
    for one in read_features(source.features).modifiers:
        fits = not one.tags or any(tag in weapon.traits for tag in one.tags)
        value = one.value + (max(0, level(table, who, one.skill)) if one.skill else 0)
        if one.to == to and (not one.modes or mode in one.modes) and fits and value:
            yield Term(value=value, label=one.label or source.name, source=source.id, rule=rule)


def list_arms(table: Table, who: Id) -> list[Item]:
    """Return a combatant's weapons and shields, in the encounter's order."""
    return list(map(table.draft.items.__getitem__, things_of(table, who).arms))


def is_bodily(item: Item) -> bool:
    """Tell whether a weapon is a part of the body."""
    return "unarmed" in item.traits or "natural" in item.traits


def is_ready(item: Item) -> bool:
    """Tell whether an item is in hand, at hand, or part of the body (WWN-T14)."""
    return item.where in ("hand", "readied") or is_bodily(item)


def count_hands(item: Item) -> int:
    """Return how many hands an item takes."""
    return 0 if is_bodily(item) else 2 if "2H" in item.traits else 1


def list_held(table: Table, who: Id) -> list[Item]:
    """Return the items in a combatant's hands, weapons before shields."""
    return sorted(
        (item for item in list_arms(table, who) if item.where == "hand" and not is_bodily(item)),
        key=lambda item: item.kind == "shield",
    )


def list_readied(table: Table, who: Id) -> tuple[Item, ...]:
    """Return the weapons that a combatant could use at once, bare hands last.

    Items in hand come first, weapons before parts of the body, and those before shields.
    """
    return tuple(map(table.draft.items.__getitem__, table.derive_from_things(_list_readied, who)))


def _list_readied(table: Table, who: Id) -> list[Id]:
    return [item.id for item in sorted(filter(is_ready, list_arms(table, who)), key=_sort_key)]


def _sort_key(item: Item) -> tuple[bool, bool, int]:
    """Return the sort key of weapons, in the order a combatant takes them."""
    part = 3 if "unarmed" in item.traits else 2 if item.kind == "shield" else 1 if "natural" in item.traits else 0
    return part == 3, item.where not in ("hand", ""), part


def is_missile(item: Item) -> bool:
    """Tell whether a weapon is for shooting, not for melee."""
    return "missile" in item.traits


def is_of_kind(item: Item, kinds: Iterable[str]) -> bool:
    """Tell whether a weapon is of one of these kinds."""
    return any(TAGS_OF_KIND.get(kind, {kind}) <= {*item.traits} for kind in kinds)


TAGS_OF_KIND: Mapping[str, frozenset[str]] = {"2H+missile": frozenset({"2H", "missile"})}
"""The tags of a kind of weapon; of any other kind, it is the tag of the same name."""


def find_usual_weapon(table: Table, who: Id, mode: str) -> Item | None:
    """Return the weapon that a combatant takes first for a mode.

    Without a mode it is the first in hand. If no weapon fits, it is a part of the body.
    """
    at_hand = [item for item in list_arms(table, who) if is_ready(item)]
    if mode == "throw":
        fit = [item for item in at_hand if "T" in item.traits]
    elif mode:
        fit = [item for item in at_hand if is_missile(item) == (mode == "shoot")]
    else:
        fit = at_hand
    fit = fit or [item for item in at_hand if is_bodily(item)]
    return min(fit, key=_sort_key) if len(fit) > 1 else fit[0] if fit else None


def list_melee_arms(table: Table, who: Id) -> list[Item]:
    """Return the weapons usable in melee now: in hand, natural, or a trained fist."""
    arms = [item for item in list_arms(table, who) if _can_strike_with(table, who, item)]
    return sorted(arms, key=_sort_key) if len(arms) > 1 else arms


def _can_strike_with(table: Table, who: Id, item: Item) -> bool:
    """Tell whether a combatant can strike in melee with an item now (WWN-T55).

    Bare hands need training.
    """
    if "missile" in item.traits:
        return False
    if "unarmed" in item.traits:
        return level(table, who, "punch") >= 0
    return item.where == "hand" or "natural" in item.traits


def can_strike(table: Table, who: Id) -> bool:
    """Tell whether a combatant can strike in melee; without that it melees no other."""
    for item in map(table.draft.items.__getitem__, things_of(table, who).arms):
        if _can_strike_with(table, who, item):
            return True
    return False


def find_melee_weapon(table: Table, who: Id) -> Item | None:
    """Return the weapon that a combatant would use in melee, if any."""
    return min(
        [item for item in list_arms(table, who) if _can_strike_with(table, who, item)], key=_sort_key, default=None
    )


def take_in_hand(table: Table, who: Id, item: Id, *rules: Clause) -> Rule[None]:
    """Take an item at hand; first put back what the hands cannot hold.

    Weapons are put back in alphabetical order, a shield last.
    """
    thing = table.item(item)
    if thing.where == "hand" or is_bodily(thing):
        return
    for other in sorted(list_held(table, who), key=lambda item: (item.kind == "shield", item.id)):
        if sum(map(count_hands, list_held(table, who))) + count_hands(table.item(item)) <= HANDS:
            break
        yield move_item(table, other.id, "readied", *rules)
    yield move_item(table, item, "hand", *rules)


def is_unusable_in_melee(table: Table, weapon: Item) -> bool:
    """Tell whether a weapon cannot shoot while meleed (WWN-T23)."""
    return is_missile(weapon) and is_of_kind(weapon, table.config.unusable_in_melee_tags)


def find_mode(weapon: Item) -> str:
    """Return a weapon's usual mode: ``shoot`` if it is for shooting, else ``melee``."""
    return "shoot" if is_missile(weapon) else "melee"


def find_reach(table: Table, weapon: Item) -> int:
    """Return a weapon's reach in melee, in feet."""
    near = table.config.adjacent_ft
    return max(near, LONG) if "L" in weapon.traits else near


def find_guarding_shield(table: Table, who: Id) -> Item | None:
    """Return the shield that guards a combatant (WWN-047, WWN-048).

    A shield used as a weapon does not guard until the next turn.
    """
    shields = things_of(table, who).shields
    if not shields or table[who].has("shield_committed"):
        return None
    return _find_first(table, shields, "hand")


def find_armor(table: Table, who: Id) -> Item | None:
    """Return a combatant's body armor."""
    return _find_first(table, things_of(table, who).suits, "worn")


def _find_first(table: Table, among: tuple[Id, ...], where: str) -> Item | None:
    things = table.draft.items
    for item in among:
        if things[item].where == where:
            return things[item]
    return None


def armor_class(table: Table, who: Id, *, piercing: bool = False) -> int:
    """Return a combatant's present armor class (WWN-T06).

    Against ``piercing`` weapons, armor and shield count only if magical.
    """
    own = _own_armor_class(table, who, piercing)
    if "mount" in table.draft.combatants[who].traits:
        rider = rider_of(table, who)
        if rider and has_gift(table, rider, "lends_ac"):
            return max(own, _own_armor_class(table, rider, piercing))
    return own


def _own_armor_class(table: Table, who: Id, piercing: bool) -> int:
    """Return a combatant's own armor class: stated, or from armor and shield (WWN-T59, WWN-T66).

    It leaves out the armor class that a rider lends.
    """
    one = table.draft.combatants[who]
    fixed = one.stats.get("ac")
    if fixed is not None:
        lowered = one.stats.get("shield_share", 0) if one.has("shield_committed") else 0
        return fixed - (max(lowered, one.stats.get("armor_share", 0)) if piercing else lowered)
    suit, shield = find_armor(table, who), find_guarding_shield(table, who)
    body = suit.stats["ac"] if suit and not (piercing and "magical" not in suit.traits) else UNARMORED
    if shield and not (piercing and "magical" not in shield.traits):
        base = shield.stats["ac"]
        body = (body + shield.stats["bonus"] if body >= base else base) + shield.stats.get("plus", 0)
    return body + attribute(table, who, "dex") + one.stats.get("ac_bonus", 0)

"""The tables of the rules, read from their data files and typed."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.engine.kit.data_tables import make_table_reader

Score = Annotated[int, Meta(ge=0, le=999)]
Group = Literal["light", "heavy", "brawling", "bows", "crossbows", "blackpowder", "thrown"]
Quality = Literal[
    "balanced", "crushing", "cumbersome", "ensnaring", "flexible", "impact", "jointed", "long", "reloading", "short",
    "two_handed",
]  # fmt: skip
Make = Literal["plain", "guildmade", "masterwork", "shoddy"]
Size = Literal["small", "common", "large"]


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all table rows."""


class Weapon(Row, frozen=True, kw_only=True):
    """A line of table 5.1; damage and bonus must both be given.

    Attributes:
        damage, bonus: The damage of a hit, and the gear dice; for one hand.
        damage_two_handed, bonus_two_handed: Damage and bonus with two hands, if they differ (VER-S21).
        max: The damage of a shot at a weak spot (VER-054); damage + 6 where it is left out.
        ammunition: Its ammunition, a key of that table; empty if it shoots nothing.
        pushes: Whether Pike Push applies to it (table 5.7).
        fired: Whether a thrown weapon is fired, as a sling is; it is then useless in the saddle (VER-066).
    """

    name: str
    group: Group
    damage: Score
    bonus: Score
    damage_two_handed: Score | None = None
    bonus_two_handed: Score | None = None
    qualities: tuple[Quality, ...] = ()
    max: Score | None = None
    ammunition: Literal["", "arrow", "bolt", "shot"] = ""
    pushes: bool = False
    fired: bool = False
    cost: Score = 0


class Armor(Row, frozen=True, kw_only=True, rename={"weight": "class"}):
    """A suit of armour in table 5.2; its class is the attribute ``weight``."""

    name: str
    weight: Literal["light", "medium", "heavy"]
    rating: Score
    impeding: Score = 0
    cost: Score = 0


class Shield(Row, frozen=True, kw_only=True):
    """A shield in table 5.2; ``hands`` is how many it takes."""

    name: str
    rating: Score
    hands: Annotated[int, Meta(ge=0, le=2)] = 1
    cost: Score = 0


class Protection(Row, frozen=True, kw_only=True):
    """Table 5.2."""

    armor: dict[str, Armor]
    shield: dict[str, Shield]


class Creature(Row, frozen=True, kw_only=True):
    """A stat block of table 5.9: a starting point for a sheet.

    The table gives no warding; it is 1.
    """

    name: str
    strength: Score
    agility: Score
    intelligence: Score
    charisma: Score
    dodge: Score
    withstand: Score
    panic: Score
    hp: Score
    warding: Score = 1
    size: Size = "common"
    skills: dict[str, Score] = {}
    weapons: tuple[str, ...] = ()
    armor: str = ""


class Mount(Row, frozen=True, kw_only=True):
    """A mount of table 5.9: its own dice, its natural weapon, and whether it stands its ground."""

    name: str
    quality: Score
    bonus: Score
    damage: Score
    hp: Score
    barding: Score = 0
    battle_trained: bool = False


class Blocks(Row, frozen=True, kw_only=True):
    """Table 5.9."""

    creature: dict[str, Creature]
    mount: dict[str, Mount]


class Condition(Row, frozen=True, kw_only=True):
    """A condition of table 5.4.

    Attributes:
        stacks: Whether it counts higher than 1 (VER-S30).
        penalties: Dice lost for each count, by kind of roll (``tests``, ``saves``, a save, an attribute, ``sight``,
            ``hearing``, ``bodily``).
        against: Dice for attacks on the bearer, ``melee`` or ``all``, regardless of the count.
        leaves: The condition that follows when it ends.
    """

    name: str
    stacks: bool
    says: str
    removal: str
    penalties: dict[str, Score] = {}
    against: dict[Literal["melee", "all"], Score] = {}
    leaves: str = ""


class Injury(Row, frozen=True, kw_only=True):
    """A row of table 5.5.

    Attributes:
        row: The d66 or severities it stands at.
        fatal: Its bearer dies at the end of ``limit`` unless it is stabilised.
        limit: The time left to stabilise it; ``1 round`` lasts until the end of the bearer's next turn.
        heals: The time it takes to heal; empty where the table gives none.
        conditions: The conditions that its bearer gains, with their counts.
        penalties: Dice lost, by kind of roll, as in ``Condition``.
        sl: SL lost, in the same way.
        stress: Stress gained.
        rounds: The sides of the die that gives its rounds.
        effect: An effect that no number expresses.
    """

    row: tuple[int, ...]
    name: str
    fatal: bool = False
    limit: Literal["", "at once", "1 round", "1 hour", "4 hours", "1 day", "as ruled"] = ""
    heals: str = ""
    conditions: dict[str, Score] = {}
    penalties: dict[str, Score] = {}
    sl: dict[str, Score] = {}
    stress: Score = 0
    rounds: Score = 0
    effect: Literal["", "dead", "drop", "halved_wounds", "no_potions", "paralysed", "second_kills"] = ""


class Injuries(Row, frozen=True, kw_only=True):
    """Table 5.5, in both procedures.

    ``places`` gives the part of the body for each face of the first die.
    """

    d66: tuple[Injury, ...]
    places: dict[Literal["faces"], tuple[Literal["head", "body", "arms", "legs"], ...]]
    head: tuple[Injury, ...]
    body: tuple[Injury, ...]
    arms: tuple[Injury, ...]
    legs: tuple[Injury, ...]

    @property
    def rows(self) -> tuple[Injury, ...]:
        """All rows, those of the d66 first."""
        return (*self.d66, *self.head, *self.body, *self.arms, *self.legs)


class Talent(Row, frozen=True, kw_only=True):
    """A talent of table 5.7; ``max`` is the highest level, 0 for no limit."""

    name: str
    says: str
    max: Score = 0
    uses: Literal["", "fight", "session"] = ""
    of: Literal["", "attribute"] = ""


class Panic(Row, frozen=True, kw_only=True):
    """A row of the panic table 5.8, from ``low`` to ``high``.

    Attributes:
        stress, stunned: The stress, and the count of Stunned, that the combatant in panic gains.
        allies: Stress for each friend who hears or sees it.
        sl: SL changed on the next roll.
        effect: An effect that no number expresses.
    """

    low: int
    high: int
    says: str
    stress: Score = 0
    stunned: Score = 0
    allies: Score = 0
    sl: int = 0
    effect: Literal["", "falter", "alert", "drop_or_stress", "flee", "lash_out", "collapse"] = ""


class WeaponGroup(Row, frozen=True, kw_only=True):
    """The skill and the attribute that a group of weapons is used with."""

    skill: str
    attribute: str
    melee: bool


class People(Row, frozen=True, kw_only=True):
    """The parts of a sheet, a new character's numbers, and the dice of creation (5.3)."""

    attributes: tuple[str, ...]
    saves: tuple[str, ...]
    skills: tuple[str, ...]
    start: dict[Literal["attribute", "save", "hp", "wounds", "skills"], Score]
    creation: dict[str, Score | tuple[str, ...]]
    group: dict[Group, WeaponGroup]


class Room(Row, frozen=True, kw_only=True):
    """The slots that a combatant has (5.6)."""

    hands: Score
    belt: Score
    pack_beyond_strength: Score


class Sizes(Row, frozen=True, kw_only=True):
    """The slots that items take (5.6)."""

    two_handed: Score
    weapon: Score
    shield: Score
    armor_at_least: Score
    ammunition: Score
    potion: Score
    book: Score
    rations: Score


class Ammunition(Row, frozen=True, kw_only=True):
    """Ammunition as it is sold (5.1)."""

    name: str
    count: Score
    cost: Score


class Inventory(Row, frozen=True, kw_only=True):
    """Table 5.6: slots, things that share one, makes and their bonus, and repairs.

    Repairs are in per cent of the price.
    """

    room: Room
    size: Sizes
    bundle: dict[Literal["ammunition", "rations"], Score]
    ammunition: dict[str, Ammunition]
    make: dict[Make, dict[Literal["bonus"], int]]
    repair: dict[Literal["little", "much"], Score]


PACKAGE = __name__.rpartition(".")[0]


weapons = make_table_reader(PACKAGE, "weapons", dict[str, Weapon])
"""Return the weapon table (5.1)."""
protection = make_table_reader(PACKAGE, "armor", Protection)
"""Return armour and shields (5.2)."""
people = make_table_reader(PACKAGE, "people", People)
"""Return attributes, saves, skills, weapon groups and a new character's numbers (5.3)."""
conditions = make_table_reader(PACKAGE, "conditions", dict[str, Condition])
"""Return the conditions (5.4)."""
injuries = make_table_reader(PACKAGE, "injuries", Injuries)
"""Return the critical injuries (5.5)."""
inventory = make_table_reader(PACKAGE, "inventory", Inventory)
"""Return room, sizes, ammunition, makes and repairs (5.6)."""
talents = make_table_reader(PACKAGE, "talents", dict[str, Talent])
"""Return the talents (5.7)."""
panic = make_table_reader(PACKAGE, "panic", dict[Literal["row"], tuple[Panic, ...]])
"""Return the panic table (5.8)."""
blocks = make_table_reader(PACKAGE, "blocks", Blocks)
"""Return creatures and mounts (5.9)."""


def panicking(total: int) -> Panic:
    """Return the row of the panic table for a total of 2d6 and stress."""
    return next(row for row in panic()["row"] if row.low <= total <= row.high)

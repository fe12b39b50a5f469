"""The configuration of a table.

An encounter's ``[config]`` names only what differs from the default.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from affray.engine.core import table

AtLeast0 = Annotated[int, Meta(ge=0, le=99)]
AtLeast1 = Annotated[int, Meta(ge=1, le=99)]
WeaponKind = Literal["bow", "longbow", "rifle", "missile", "2H+missile", "CB", "SS"]


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration keys of the rule page's Terms, with their defaults.

    Attributes:
        initiative_attribute: The modifier that a PC adds: the better of two, a fixed one, or its choice (WWN-002).
        quick_bonus: The bonus of a quick group whose stat block gives no number (WWN-005).
        foe_groups: The foes that share a roll: all of a side, each encounter entry, or none (WWN-003).
        attribute_mods: The table that turns a score into a modifier: this game's, or the steeper one of older games.
        npc_flat_attack: If false, foes add attribute and skill terms as PCs do (WWN-009 to WWN-012).
        nat_1_misses, nat_20_hits: Whether these faces decide the attack (WWN-008).
        shield_shock_ignores_per_round: The number of instances of Shock that a shield stops each round (WWN-036).
        dual_wield_min_stab: The level of Stab needed for two weapons (WWN-040).
        dual_choice: The time when the attacker names the one of two weapons that counts (WWN-044).
        main_as_move: Whether the Main Action may be spent as a second Move Action.
        adjacent_ft: The greatest distance of adjacent combatants, in feet.
        meleed_requires_adjacent: If false, a Long weapon's reach counts for being meleed too (WWN-023, WWN-024).
        unusable_in_melee_tags: Weapons that cannot shoot while meleed; tags joined by ``+`` are all needed (WWN-024).
        unusable_mounted_tags: Weapons that cannot be used while riding, in the same form (WWN-050, WWN-051).
        snap_timing: Whether a snap attack can prevent the action it interrupts, or both always happen (WWN-021).
        skill_difficulty: The difficulty of a check unless another is given (WWN-062, WWN-067).
        opposed_tie: The winner of a tie: defender or attacker.
        mount_check: The check of an ordinary riding beast (WWN-060).
        pc_at_zero: The fate of a PC at 0 hp.
        bleed_rounds: The number of full rounds after which a fallen PC dies.
        melee_exit_free_attack: Whether leaving melee gives free attacks.
        surprise: Whether the game master alone says who is surprised, or a check always decides.
        reroll_initiative: If true, a fresh order every round (WWN-G01).
        min_damage: The least damage of a hit, and of Shock (WWN-025, WWN-030).
        announce_ac: If false, announcements, rolls and previews leave out armor class and Shock (WWN-035). The sheet
            in the state and in the log still shows the armor class of each known combatant.
    """

    initiative_attribute: Literal["best", "dex", "int", "choose"] = "best"
    quick_bonus: Annotated[int, Meta(ge=0, le=20)] = 1
    foe_groups: Literal["per_side", "per_entry", "single"] = "per_side"
    attribute_mods: Literal["wwn", "bx"] = "wwn"
    npc_flat_attack: bool = True
    nat_1_misses: bool = True
    nat_20_hits: bool = True
    shield_shock_ignores_per_round: AtLeast0 = 1
    dual_wield_min_stab: Annotated[int, Meta(ge=-1, le=4)] = 1
    dual_choice: Literal["declare", "after_hit"] = "declare"
    main_as_move: bool = True
    adjacent_ft: Annotated[int, Meta(ge=5, le=30)] = 5
    meleed_requires_adjacent: bool = True
    unusable_in_melee_tags: tuple[WeaponKind, ...] = ("bow", "2H+missile")
    unusable_mounted_tags: tuple[WeaponKind, ...] = ("longbow", "rifle")
    snap_timing: Literal["before", "simultaneous"] = "before"
    skill_difficulty: Annotated[int, Meta(ge=2, le=20)] = 8
    opposed_tie: Literal["defender", "attacker"] = "defender"
    mount_check: Literal["morale", "instinct"] = "morale"
    pc_at_zero: Literal["mortally_wounded", "dead", "out"] = "mortally_wounded"
    bleed_rounds: AtLeast1 = 6
    melee_exit_free_attack: bool = True
    surprise: Literal["gm", "opposed"] = "gm"
    reroll_initiative: bool = False
    min_damage: AtLeast0 = 0
    announce_ac: bool = True


Table: TypeAlias = table.Table[Config]
"""The table of a fight of this system."""

"""The configuration of a table.

An encounter's ``[config]`` names only what differs from the default.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from affray.engine.core import table


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration keys of the rule page's Terms, with their defaults.

    Attributes:
        initiative_target: The least face of the party's die that wins initiative (VER-003).
        surprise_surprised_side_acts_in_first_round: If false, the surprised side loses round 1 (VER-013).
        move_transitions_per_move: With 2, a step into a zone also pays for entering a melee there (VER-019, 020).
        attack_thrown_attribute: The attribute used for thrown weapons (VER-025).
        damage_sl: Whether the SL left after Dodge, or all of the attacker's SL, add to the damage (VER-099).
        pool_minimum: The fewest dice to which penalties reduce a pool (VER-S05).
        leave_melee_free_attack_on_failed_test: If false, a failed attempt to leave draws no free attack (VER-040).
        free_attack_limit_per_round: The most free attacks of one combatant in a round (VER-041).
        stray_exact_zero: The SL that must be exactly 0 for a shot to hit another combatant (VER-048).
        stray_damage_sl: The SL added to the listed damage of a stray hit (VER-048).
        called_shot_allow_melee: Whether melee weapons may aim as well (VER-052).
        called_shot_effect_damage: The damage of a shot for an effect, besides the effect (VER-056).
        mount_counts_in_shooting: Whether mounts make shooting harder and can be hit by stray shots (VER-047).
        mount_defence: Whether a struck mount is defended by its rider's Dodge, or by its own Quality (VER-068).
        grapple_counts_as_attack_for_numbers: Whether a grapple gets the dice of numbers and of a prone foe (VER-038).
        npc_may_push: Whether the game master's combatants may push too; they gain no stress by it (VER-S07).
        deaths_door_may_act: Whether a character at Death's Door may move and act (VER-094).
        injury_procedure: The way to roll injuries: one d66 list, or a place and a severity (VER-093).
        injury_witness_panic: Whether friends who see an injury make a Panic save (VER-093).
        crit_sixes: The number of SL for a critical hit (VER-077).
        panic_may_push: Whether a Panic save may be pushed (VER-S07, VER-S11).
    """

    initiative_target: Annotated[int, Meta(ge=2, le=6)] = 4
    surprise_surprised_side_acts_in_first_round: bool = True
    move_transitions_per_move: Literal[1, 2] = 1
    attack_thrown_attribute: Literal["strength", "agility"] = "strength"
    damage_sl: Literal["net", "attacker_total"] = "net"
    pool_minimum: Literal[0, 1] = 0
    leave_melee_free_attack_on_failed_test: bool = True
    free_attack_limit_per_round: Literal["none"] | Annotated[int, Meta(ge=0)] = "none"
    stray_exact_zero: Literal["net_sl", "attacker_sl"] = "net_sl"
    stray_damage_sl: Literal[0, "attacker_sl"] = 0
    called_shot_allow_melee: bool = False
    called_shot_effect_damage: Literal["normal", "listed_only", "none"] = "normal"
    mount_counts_in_shooting: bool = True
    mount_defence: Literal["rider_dodge", "quality"] = "rider_dodge"
    grapple_counts_as_attack_for_numbers: bool = True
    npc_may_push: bool = False
    deaths_door_may_act: bool = False
    injury_procedure: Literal["d66", "located"] = "d66"
    injury_witness_panic: bool = True
    crit_sixes: Annotated[int, Meta(ge=1)] = 4
    panic_may_push: bool = False


Table: TypeAlias = table.Table[Config]
"""The table as the rules of Verdigris read it: the fight's state, with this configuration."""

"""The rule options of Hexblade. An encounter's ``[config]`` names only what it changes."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from affray.engine.core import table


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration keys of the rule page, with their defaults.

    Attributes:
        hex_feet: The cost of entering an ordinary hex, in feet (HEX-067 to HEX-070).
        initiative_tie: The combatant that goes first if a total equals a fixed number; it is not beaten either way
            (HEX-007).
        positional_advantage_on_counter_roll: Whether being flanked or overrun counts against the answering attack
            roll as well (HEX-073, HEX-076).
        durability_damages: The item that is damaged by an armour roll of the weapon's durability or more (HEX-024).
        durability_applies_to_ranged: Whether that holds for ranged weapons, too (HEX-024).
        crowd_when: The shots that endanger a neighbour: after a miss, after every shot, or instead of its target
            (HEX-031).
        repair_by: The combatants that may try to repair an item: its owner, or all (HEX-039).
        nat1_applies_to: The combatants whose weapons a natural 1 wears (HEX-038).
        disarm_two_handed_advantage: The side whose two-handed weapons count in a disarm (HEX-053).
        maneuver_tie: The result of a tie in a free-form manoeuvre (HEX-047).
        grapple_break_cost: Whether breaking free takes the action, or is free once a turn (HEX-061).
        belt_cost: Whether a weapon on the belt is drawn as part of the attack with it, or by an action (HEX-G05).
        pack_cost: Whether taking an item out of the pack takes the whole turn, or the action (HEX-064).
        cover_against_adjacent: Whether cover helps against an adjacent attacker (HEX-079).
        cover_stack: Whether several covers add up, instead of the best one counting (HEX-082).
        zero_hp_npc, zero_hp_pc: The state of a combatant at 0 hit points, or the game master's choice (HEX-G03).
    """

    hex_feet: Annotated[int, Meta(ge=1, le=100)] = 5
    initiative_tie: Literal["npc_first", "pc_first"] = "npc_first"
    positional_advantage_on_counter_roll: bool = True
    durability_damages: Literal["weapon", "armour", "both"] = "weapon"
    durability_applies_to_ranged: bool = False
    crowd_when: Literal["on_miss", "always", "divert"] = "always"
    nat1_applies_to: Literal["player_characters", "everybody"] = "player_characters"
    repair_by: Literal["owner", "anyone"] = "owner"
    disarm_two_handed_advantage: Literal["either_party", "initiator_only"] = "either_party"
    maneuver_tie: Literal["initiator_fails", "initiator_succeeds"] = "initiator_fails"
    grapple_break_cost: Literal["action", "free"] = "action"
    pack_cost: Literal["whole_turn", "action"] = "whole_turn"
    belt_cost: Literal["free", "action"] = "free"
    cover_against_adjacent: bool = True
    cover_stack: bool = False
    zero_hp_npc: Literal["slain", "gm_decides"] = "slain"
    zero_hp_pc: Literal["down", "gm_decides"] = "down"


Table: TypeAlias = table.Table[Config]
"""The table, as every rule of this system reads it."""

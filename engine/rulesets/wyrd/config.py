"""The rule options of Wyrd. An encounter's ``[config]`` names only what it changes."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from affray.engine.core import table

AtLeast0 = Annotated[int, Meta(ge=0)]
AtLeast1 = Annotated[int, Meta(ge=1)]
Die = Annotated[str, Meta(pattern="^d[1-9][0-9]?$")]
CHAIN: tuple[Die, ...] = ("d2", "d4", "d6", "d8", "d10", "d12")


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration keys of the rule page's Terms, with their defaults.

    Attributes:
        chain: The sizes of usage dice, from the smallest; below it a piece is destroyed (WYR-039, WYR-065).
        chain_top: The largest size of gear; with 20, treasure may be a d20. Abilities stop at d12 (WYR-045).
        npc_gear_wears: If false, a 1 steps down only the gear of player characters (WYR-039, WYR-040).
        ability_steps_on_test_1: If true, an ability that shows a 1 in a test steps down too, never out of the chain.
        multi_success_min_dice: The number of dice of one test that must show 6 or more for a 6++ (WYR-041).
        setback_hits: If false, a 4 or 5 fails too (WYR-015).
        hindrance_floor: The size below which hindrance makes no die smaller (WYR-054, WYR-056).
        light_max_die: The largest base die of light body armor that fills one slot (WYR-032).
        slots: The slots of a player character whose sheet gives no number (WYR-033).
        shield_sunder: The effect of sundering on the shield (WYR-025).
        leave_melee: The condition for moving out of a melee: none, a test, or the game master's word (WYR-006).
        reload_takes: The cost of reloading: the whole turn, or the action (WYR-058).
        revive_test: Whether the game master is asked for a test when a combatant is revived (WYR-069).
        npc_morale: Whether the game master is prompted for the morale of foes (WYR-G06).
        surprise_roll: Whether the d6 decides on surprise if the game master says nothing (WYR-004).
        surprise_order: Whether surprise changes the order in the first round only, or for good (WYR-002, WYR-003).
        power_roll: Whether Power is rolled with the armor, or once the wound is certain (WYR-022).
        ammo_die: Whether the die of ammunition joins the test of a shot (WYR-G04).
    """

    chain: Annotated[tuple[Die, ...], Meta(min_length=1)] = CHAIN
    chain_top: Literal[12, 20] = 12
    npc_gear_wears: bool = True
    ability_steps_on_test_1: bool = False
    multi_success_min_dice: Annotated[int, Meta(ge=2)] = 2
    setback_hits: bool = True
    hindrance_floor: AtLeast1 = 2
    light_max_die: AtLeast0 = 4
    slots: AtLeast0 = 10
    shield_sunder: Literal["destroy", "step_down"] = "destroy"
    leave_melee: Literal["free", "test", "gm"] = "free"
    reload_takes: Literal["turn", "action"] = "turn"
    revive_test: Literal["none", "gm"] = "none"
    npc_morale: bool = True
    surprise_roll: Literal["gm", "roll"] = "gm"
    surprise_order: Literal["first_round", "kept"] = "first_round"
    power_roll: Literal["with_armor", "when_wounded"] = "with_armor"
    ammo_die: bool = False

    def __post_init__(self) -> None:
        """Refuse a chain of sizes that does not grow."""
        sizes = [int(one[1:]) for one in self.chain]
        if sizes != sorted(set(sizes)):
            raise ValueError("a chain names each size once, the smallest first")


Table: TypeAlias = table.Table[Config]
"""The table, as every rule of this system reads it."""

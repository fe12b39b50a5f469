"""The rule options of Vestige. An encounter's ``[config]`` names only what it changes."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from affray.engine.core import table

AtLeast0 = Annotated[int, Meta(ge=0)]
AtLeast1 = Annotated[int, Meta(ge=1)]
Bonus = Annotated[int, Meta(ge=-20, le=20)]
StandardKind = Literal["attack", "skill", "move", "shift", "swap", "reload", "improvise"]
EVERY_KIND: tuple[StandardKind, ...] = (
    "attack", "skill", "move", "shift", "swap", "reload", "improvise",
)  # fmt: skip


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration keys of the rule page's Terms, with their defaults.

    Attributes:
        reroll_initiative: Roll a fresh order every round; a re-inserted place lasts for that round (VES-003, 004).
        initiative_modifier: Added to every initiative die; it shows in the totals and changes no order (VES-003).
        initiative_tie: The way to break a tie: the better agility and then the roster, or the roster alone (VES-004).
        accuracy_per_ep: The bonus that each energy point adds to an attack roll (VES-025).
        accuracy_ep_cap: The most energy points for one attack roll, -1 for no cap (VES-025).
        ep_max: The maximum of energy where neither the sheet nor the stat block gives one (VES-014, VES-015).
        ep_start: The energy at the start, where the encounter gives none (VES-014).
        ep_regain: The energy regained at the start of a turn, where the sheet gives none (VES-015).
        metric: The larger coordinate difference, the sum of both, or the straight line rounded down (VES-021, 031).
        lock_needs_melee_weapon: If false, an enemy with a bow or firearm in hand locks at 1 metre too (VES-033).
        provoked_free: If false, a provoked attack costs 1 ep, and an enemy without ep is not asked (VES-033).
        move_metres: The length of a move action, in metres (VES-031).
        start_loaded: Whether bows and firearms enter the fight loaded (VES-029, VES-039).
        readied_kinds: The actions that a token can pay for; improvise needs the game master's permission (VES-042,
            VES-043).
        readied_max: The most tokens that a combatant can hold (VES-040).
        readied_lapse: The time when an unplayed token is lost (VES-041).
        window_close: The way to close a window: all passes or the game master, or the passes alone (VES-042).
        brink_target, brink_modifier: The target number of the roll at the brink, and its modifier (VES-058).
        brink_fail: The condition that a failed roll at the brink causes (VES-058).
        forfeit_only_at_brink: If false, a combatant may forfeit at any health, at the same moments (VES-056).
        morale_min: The floor of morale that a defeat cannot go below; the default is no floor in practice (VES-061).
        draw_morale: The change of morale for living combatants when no side wins (VES-060, VES-061).
    """

    reroll_initiative: bool = False
    initiative_modifier: Bonus = 0
    initiative_tie: Literal["agility", "roster"] = "agility"
    accuracy_per_ep: AtLeast0 = 1
    accuracy_ep_cap: Annotated[int, Meta(ge=-1)] = -1
    ep_max: AtLeast0 = 5
    ep_start: Literal["max", "zero"] = "max"
    ep_regain: AtLeast0 = 1
    metric: Literal["chebyshev", "manhattan", "euclidean"] = "chebyshev"
    lock_needs_melee_weapon: bool = True
    provoked_free: bool = True
    move_metres: AtLeast1 = 5
    start_loaded: bool = True
    readied_kinds: tuple[StandardKind, ...] = EVERY_KIND
    readied_max: AtLeast1 = 1
    readied_lapse: Literal["next_turn_start", "never"] = "next_turn_start"
    window_close: Literal["all_pass_or_gm", "all_pass"] = "all_pass_or_gm"
    brink_target: Annotated[int, Meta(ge=1, le=21)] = 10
    brink_modifier: Bonus = 0
    brink_fail: Literal["dead", "unable"] = "dead"
    forfeit_only_at_brink: bool = True
    morale_min: Annotated[int, Meta(ge=-999, le=999)] = -999
    draw_morale: Annotated[int, Meta(ge=-9, le=9)] = 0


Table: TypeAlias = table.Table[Config]
"""The table, as every rule of this system reads it."""

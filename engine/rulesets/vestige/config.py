"""What a table may set otherwise. An encounter's ``[config]`` names only what differs from the default."""

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
        reroll_initiative: A fresh order every round; a place won by re-inserting then lasts that round (VES-003, 004).
        initiative_modifier: Added to every initiative die; shows in the totals and leaves the order alone (VES-003).
        initiative_tie: What settles equal dice: the better agility and then the roster, or the roster (VES-004).
        accuracy_per_ep: What each ep spent on an attack adds to its roll (VES-025).
        accuracy_ep_cap: The most ep that may go into one roll, -1 for no limit but the pool (VES-025).
        ep_max: The greatest ep of somebody whose sheet and stat block name none (VES-014, VES-015).
        ep_start: The ep to start with unless the encounter states it (VES-014).
        ep_regain: The ep regained at the start of one's turn, where the sheet names no other (VES-015).
        metric: The larger coordinate difference, the sum of both, or the straight line rounded down (VES-021, 031).
        lock_needs_melee_weapon: If false, an enemy with only a bow or firearm in hand locks at 1 metre too (VES-033).
        provoked_free: If false, a provoked attack costs 1 ep, and who has none is not asked (VES-033).
        move_metres: What a move action allows (VES-031).
        start_loaded: Whether bows and firearms enter the fight loaded (VES-029, VES-039).
        readied_kinds: What a token may be played for; improvise is what the game master allowed (VES-042, VES-043).
        readied_max: How many tokens one may hold (VES-040).
        readied_lapse: When an unplayed token is lost (VES-041).
        window_close: What closes a window: all passes or the game master, or the passes alone (VES-042).
        brink_target, brink_modifier: What the roll at the brink must reach, and what is added to it (VES-058).
        brink_fail: What a failed roll at the brink makes of a combatant (VES-058).
        forfeit_only_at_brink: If false, one may forfeit at any health, at the same moments (VES-056).
        morale_min: The morale below which a defeat takes nobody; by default there is no such floor (VES-061).
        draw_morale: The change of morale for the living when nobody wins (VES-060, VES-061).
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
"""The table as every rule of this system reads it."""

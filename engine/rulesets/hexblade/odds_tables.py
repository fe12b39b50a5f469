"""The tables of exact chances in the book of Hexblade."""

from affray.engine.kit.odds import (
    OddsTable,
    add_remaining_chance,
    add_texts,
    combine,
    die,
    format_signed,
    label_numbers,
    repeat_roll,
    split_by_outcome,
    tabulate,
    tabulate_at_least,
)

from .chapters.downtime import FOUND
from .config import Config
from .odds import (
    Arms,
    Roll,
    blow_harm,
    contest_chance,
    exchange_losses,
    oppose_rolls,
    reach_chance,
    shot_victims,
    win_chance,
)
from .tables import PACKAGE

SIDES = {"you win": "wins", "both land": "both", "you lose": "loses"}

AHEAD = {format_signed(by, "equal"): Roll(by) for by in range(-3, 6)}
"""The lead of one bonus over the other."""

BLOWS = {
    "d4 + 1 against light armour d4": Arms(4, 1, 4),
    "d6 + 1 without armour": Arms(6, 1),
    "d6 + 1 against medium armour d6": Arms(6, 1, 6),
    "d8 + 3 without armour": Arms(8, 3),
    "d8 + 3 against light armour d4": Arms(8, 3, 4),
    "d8 + 3 against medium armour d6": Arms(8, 3, 6),
    "d8 + 3 against heavy armour d8 and shield": Arms(8, 3, 8, 1),
    "d10 + 3 against heavy armour d8": Arms(10, 3, 8),
}
FIGHTS = {
    "+1, d6, light armour": (Roll(1), Arms(6, 1, 6), Arms(6, 1, 4)),
    "+3, d8, medium armour": (Roll(3), Arms(8, 3, 6), Arms(6, 1, 6)),
    "+3, d8, medium armour and shield": (Roll(3), Arms(8, 3, 6), Arms(6, 1, 6, 1)),
    "+3, d10, heavy armour": (Roll(3), Arms(10, 3, 6), Arms(6, 1, 8)),
    "+5, d8, heavy armour and shield": (Roll(5), Arms(8, 5, 6), Arms(6, 1, 8, 1)),
}
"""The attackers of a foe with +1, d6 and medium armour: roll, own arms, the foe's arms."""

HURT = {"the bandit": (True, False), "both": (True, True), "nobody": (False, False), "you": (False, True)}
"""Whether the target and the attacker lose hit points."""


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Build the tables for a configuration."""
    found = combine(lambda face: int(face >= FOUND), die(6))
    levels = {_name_levels(number): Roll(0, number) for number in (-2, -1, 0, 1, 2, 3)}
    made = {
        "initiative": tabulate(
            label_numbers((6, 8, 10, 12, 14, 16, 18)),
            {f"Dexterity +{bonus}": Roll(bonus) for bonus in range(5)},
            lambda own, number: reach_chance(own, number + 1),
        ),
        "rolls": split_by_outcome(SIDES, {case: oppose_rolls(own, Roll()) for case, own in AHEAD.items()}),
        "harm": tabulate_at_least(
            label_numbers((1, 3, 5, 7, 9, 11), "{}+"), {case: blow_harm(arms) for case, arms in BLOWS.items()}
        ),
        "losses": split_by_outcome(
            HURT,
            {
                case: combine(lambda lost: (lost[0] > 0, lost[1] > 0), exchange_losses(roll, Roll(1), strikes, answers))
                for case, (roll, strikes, answers) in FIGHTS.items()
            },
        ),
        "shots": tabulate(
            {"in the open": Roll(), "soft cover": Roll(0, 1), "hard cover": Roll(0, 2)}, AHEAD, win_chance
        ),
        "strays": split_by_outcome(
            {"the target": "target", "nobody": "nobody", "a neighbour": "neighbour"},
            {case: shot_victims(own, Roll(), Roll()) for case, own in AHEAD.items()},
        ),
        "critical": tabulate_at_least(
            label_numbers((1, 4, 7, 10, 13, 16), "{}+"),
            {case: blow_harm(arms, critical=True) for case, arms in BLOWS.items()},
        ),
        "repair": tabulate(
            {"against 12": 12, "complex, against 16": 16},
            {f"crafting +{bonus}": Roll(bonus) for bonus in range(7)},
            reach_chance,
        ),
        "found": tabulate_at_least(
            label_numbers((1, 2, 3, 4), "{} or more"),
            {f"{count} shot": repeat_roll(count, found) for count in (1, 2, 3, 4, 5, 6, 8)},
        ),
        "tests": add_remaining_chance(
            ("success", "failure"), {case: (contest_chance(own, Roll()),) for case, own in AHEAD.items()}
        ),
        "prone": tabulate(
            {"with two hands": 0, "with one hand or bare hands": -1},
            AHEAD,
            lambda own, hands: win_chance(own._replace(levels=hands), Roll()),
        ),
        "levels": split_by_outcome(SIDES, {case: oppose_rolls(own, Roll()) for case, own in levels.items()}),
    }
    return add_texts(PACKAGE, config, made)


def _name_levels(number: int) -> str:
    return f"{abs(number)} of {'advantage' if number > 0 else 'disadvantage'}" if number else "none"

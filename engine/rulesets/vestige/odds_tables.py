"""The tables of exact chances in the book of Vestige."""

from affray.engine.kit.odds import OddsTable, add_remaining_chance, add_texts, format_signed, label_numbers, tabulate

from .config import Config
from .odds import first_chance, hit_chance, hold_chance
from .tables import PACKAGE


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Build the tables for a configuration."""
    further = {"one hit" if count == 1 else f"{count} hits": count for count in range(1, 6)}
    made = {
        "initiative": tabulate(
            {"better agility than all": True, "worse agility than all": False},
            {"one other die" if others == 1 else f"{others} other dice": others for others in range(1, 7)},
            lambda others, better: first_chance(others, better=better),
        ),
        "hits": tabulate(
            label_numbers(range(8, 19)),
            {f"accuracy {format_signed(one)}": one for one in (-2, 0, 1, 2, 3, 4, 6, 8)},
            hit_chance,
        ),
        "energy": tabulate(
            label_numbers((8, 12, 16, 20), "needs {}"),
            {f"{ep} ep" if ep else "none": ep * config.accuracy_per_ep for ep in range(6)},
            hit_chance,
        ),
        "brink": add_remaining_chance(
            ("alive", "dead"), {case: (hold_chance(0, config) ** count,) for case, count in further.items()}
        ),
    }
    return add_texts(PACKAGE, config, made)

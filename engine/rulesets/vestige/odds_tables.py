"""The tables of exact chances in the book of Vestige."""

from affray.engine.kit.odds import OddsTable, grid, numbered, shared, signed, worded

from .config import Config
from .odds import first_chance, hit_chance, hold_chance
from .tables import PACKAGE


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Build the tables for a configuration."""
    further = {"one hit" if count == 1 else f"{count} hits": count for count in range(1, 6)}
    made = {
        "initiative": grid(
            {"better agility than all": True, "worse agility than all": False},
            {"one other die" if others == 1 else f"{others} other dice": others for others in range(1, 7)},
            lambda others, better: first_chance(others, better=better),
        ),
        "hits": grid(
            numbered(range(8, 19)), {f"accuracy {signed(one)}": one for one in (-2, 0, 1, 2, 3, 4, 6, 8)}, hit_chance
        ),
        "energy": grid(
            numbered((8, 12, 16, 20), "needs {}"),
            {f"{ep} ep" if ep else "none": ep * config.accuracy_per_ep for ep in range(6)},
            hit_chance,
        ),
        "brink": shared(
            ("alive", "dead"), {case: (hold_chance(0, config) ** count,) for case, count in further.items()}
        ),
    }
    return worded(PACKAGE, config, made)

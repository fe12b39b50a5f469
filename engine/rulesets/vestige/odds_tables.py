"""The tables of exact chances that the book of Vestige shows."""

from __future__ import annotations

from affray.engine.kit.odds import OddsRow, OddsTable

from .config import Config
from .odds import first, hits, holds_on

AGILITY = tuple(range(8, 19))
NEEDS = (8, 12, 16, 20)


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Return the tables under a configuration."""
    return (_initiative(), _hits(), _energy(config), _brink(config))


def _initiative() -> OddsTable:
    rows = [
        OddsRow(
            case=f"{others} other dice" if others > 1 else "one other die",
            chances=(first(others, better=True), first(others, better=False)),
        )
        for others in range(1, 7)
    ]
    return OddsTable(
        clauses=(
            "VES-003",
            "VES-004",
            "VES-005",
            "VES-006",
            "VES-007",
            "VES-T04",
        ),
        title="To have the first turn",
        cases="dice rolled against yours",
        columns=("better agility than all", "worse agility than all"),
        rows=tuple(rows),
        says="A group rolls a single die, so that a larger group goes no sooner.",
        shape="curves",
    )


def _hits() -> OddsTable:
    rows = [
        OddsRow(
            case=f"accuracy {f'+{one}' if one >= 0 else f'−{-one}'}",
            chances=tuple(hits(one, agility) for agility in AGILITY),
        )
        for one in (-2, 0, 1, 2, 3, 4, 6, 8)
    ]
    return OddsTable(
        clauses=(
            "VES-023",
            "VES-012",
            "VES-017",
            "VES-024",
            "VES-026",
            "VES-T07",
            "VES-T17",
        ),
        title="That an attack hits",
        cases="everything added",
        columns=tuple(map(str, AGILITY)),
        rows=tuple(rows),
        over="the target's agility",
        says="An exact match hits; no face means anything special.",
        shape="curves",
    )


def _energy(config: Config) -> OddsTable:
    rows = [
        OddsRow(
            case=f"{ep} ep" if ep else "none", chances=tuple(hits(ep * config.accuracy_per_ep, need) for need in NEEDS)
        )
        for ep in range(6)
    ]
    return OddsTable(
        clauses=(
            "VES-025",
            "VES-T08",
        ),
        title="What energy makes of an attack",
        cases="ep put in",
        columns=tuple(f"needs {need}" for need in NEEDS),
        rows=tuple(rows),
        over="what the die must show without it",
        says="Each ep is worth 5 in 100 as long as the attack neither hits nor misses for certain.",
        shape="curves",
    )


def _brink(config: Config) -> OddsTable:
    rows = []
    for count in range(1, 6):
        alive = holds_on(0, config) ** count
        rows.append(OddsRow(case=f"{count} hits" if count > 1 else "one hit", chances=(alive, 1 - alive)))
    return OddsTable(
        clauses=(
            "VES-058",
            "VES-T30",
        ),
        title="Holding on at the brink",
        cases="further hits that do damage",
        columns=("alive", "dead"),
        rows=tuple(rows),
        says=f"Each takes a d20 of {config.brink_target} or better.",
    )

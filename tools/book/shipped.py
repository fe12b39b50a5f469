"""What a book holds beyond the rules: notes by hand, and what was made from scenarios and recorded fights.

Both lie in the system's folder. ``book.toml`` is written by hand; ``book.json`` is made by ``python -m
affray.tools.book`` in a checkout, where the scenarios and recorded fights are, and is there in an installed program.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
from msgspec import Struct

from affray.engine import FileStore, open_fight
from affray.engine.core.ruleset import Ruleset
from affray.engine.fight import Fight
from affray.events import Clause, FightOpened, Forked, Rolled
from affray.tools.scenarios.scenario_run import Trial

from .counted import Counted, counted
from .telling import Example, best, example_of, rules_of

NOTES, MADE = "book.toml", "book.json"


class Without(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a clause may lack, and why.

    Attributes:
        example: No scenario shows it.
        function: No code cites it.
        odds: It rolls, and yet there is no table of its chances.
    """

    example: dict[Clause, str] = {}
    function: dict[Clause, str] = {}
    odds: dict[Clause, str] = {}


class Notes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The notes by hand on a book.

    Attributes:
        examples: The title of a scenario, where the shortest is not the best.
        settings: The clauses of settings whose own description names none.
        without: See ``Without``.
    """

    examples: dict[Clause, str] = {}
    settings: dict[str, tuple[Clause, ...]] = {}
    without: Without = Without()


class Made(Struct, frozen=True, kw_only=True):
    """What is generated from scenarios and recorded fights.

    Attributes:
        rolls: The clauses by which dice are thrown or changed.
        examples: For each clause the scenario that shows it best.
        counted: For each clause the recorded fights in which it counted.
    """

    rolls: tuple[Clause, ...] = ()
    examples: dict[Clause, Example] = {}
    counted: dict[Clause, tuple[Counted, ...]] = {}


@cache
def notes(package: str) -> Notes:
    """Return the notes of a system; empty ones where it has none."""
    file = files(package) / NOTES
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Notes) if file.is_file() else Notes()


@cache
def shipped(package: str) -> Made:
    """Return what was generated for a system; nothing where it has none."""
    file = files(package) / MADE
    return msgspec.json.decode(file.read_bytes(), type=Made) if file.is_file() else Made()


def make(ruleset: Ruleset, trials: Sequence[Trial], replays: Path) -> Made:
    """Generate what a book holds of scenarios and recorded fights."""
    rolls = rolling(ruleset, trials)
    chosen = notes(ruleset.package).examples
    examples = {clause: _example(ruleset, clause, trials, chosen, rolls) for clause in ruleset.clauses}
    store = FileStore(replays)
    # What the rules of today would make of the end of an old fight does not matter here.
    fights = ((file, open_fight(file.stem, store, mend=True)) for file in sorted(replays.glob("*.jsonl")))
    found = counted(present(fights))
    return Made(
        rolls=tuple(clause for clause in ruleset.clauses if clause in rolls),
        examples={clause: one for clause, one in examples.items() if one},
        counted={clause: found[clause] for clause in ruleset.clauses if clause in found},
    )


def present(fights: Iterable[tuple[Path, Fight]]) -> list[tuple[Path, Fight]]:
    """Return of each fight that was recorded several times the record by the latest rules, in the latest format."""
    latest: dict[str, tuple[tuple[int, str, int], tuple[Path, Fight]]] = {}
    for file, fight in fights:
        opening = fight.history.recorded[0].event
        assert isinstance(opening, FightOpened | Forked)
        version = fight.state.version
        age = (len(version), version, fight.history.format_at(1))
        if opening.fight not in latest or age > latest[opening.fight][0]:
            latest[opening.fight] = (age, (file, fight))
    return sorted((one for _, one in latest.values()), key=lambda one: one[0])


def rolling(ruleset: Ruleset, trials: Iterable[Trial]) -> frozenset[Clause]:
    """Return the clauses by which dice are thrown, or what is thrown is changed, in any scenario."""
    events = (one.event for trial in trials for one in trial.fight.history.recorded)
    cited = {clause for event in events if isinstance(event, Rolled) for clause in rules_of(event)}
    return frozenset(cited & set(ruleset.clauses))


def _example(
    ruleset: Ruleset, clause: Clause, trials: Sequence[Trial], chosen: Mapping[Clause, str], rolls: frozenset[Clause]
) -> Example | None:
    fit = [one for one in trials if one.scenario.title == chosen[clause]] if clause in chosen else trials
    trial = best(clause, ruleset.clauses[clause], fit, rolls=clause in rolls)
    return example_of(trial, clause) if trial else None


def written(made: Made) -> str:
    """Write what was generated as the shipped file: a line a clause, so that differences are readable."""
    parts = [f'"rolls": {_json(made.rolls)}']
    for name, rows in (("examples", made.examples), ("counted", made.counted)):
        lines = [f"{_json(clause)}: {_json(one)}" for clause, one in rows.items()]
        parts.append(f'"{name}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()

"""Data of a book beyond the rules: notes by hand, and generated examples.

Both are in the system's folder. ``book.toml`` is written by hand. ``book.json`` is generated from scenarios and
recorded fights by ``python -m affray.tools.book`` in a checkout. It is part of an installed program.
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
from affray.tools.scenarios.scenario_run import ScenarioRun

from .counted import Counted, find_citations
from .telling import Example, choose_example, example_of, rules_of

NOTES, MADE = "book.toml", "book.json"


class Without(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Reasons why a clause has no example, no function, or no odds.

    Attributes:
        example: Reason why no scenario shows the clause.
        function: Reason why no code cites it.
        odds: Reason why it has dice but no table of chances.
    """

    example: dict[Clause, str] = {}
    function: dict[Clause, str] = {}
    odds: dict[Clause, str] = {}


class Notes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Notes by hand on a book.

    Attributes:
        examples: Title of the scenario to show, if the automatic choice is not the best.
        settings: Clauses of settings that have no clause in their description.
        without: See ``Without``.
    """

    examples: dict[Clause, str] = {}
    settings: dict[str, tuple[Clause, ...]] = {}
    without: Without = Without()


class Made(Struct, frozen=True, kw_only=True):
    """Generated data of a book.

    Attributes:
        rolls: Clauses that throw dice or change a roll.
        examples: The scenario that shows each clause best, by clause.
        counted: The recorded fights that cite each clause, by clause.
    """

    rolls: tuple[Clause, ...] = ()
    examples: dict[Clause, Example] = {}
    counted: dict[Clause, tuple[Counted, ...]] = {}


@cache
def notes(package: str) -> Notes:
    """Read the notes of a system; empty notes if it has none."""
    file = files(package) / NOTES
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Notes) if file.is_file() else Notes()


@cache
def load_made(package: str) -> Made:
    """Read the generated data of a system; empty data if it has none."""
    file = files(package) / MADE
    return msgspec.json.decode(file.read_bytes(), type=Made) if file.is_file() else Made()


def make(ruleset: Ruleset, trials: Sequence[ScenarioRun], replays: Path) -> Made:
    """Generate the data of a book from scenarios and recorded fights."""
    rolls = rolling(ruleset, trials)
    chosen = notes(ruleset.package).examples
    examples = {clause: _example(ruleset, clause, trials, chosen, rolls) for clause in ruleset.clauses}
    store = FileStore(replays)
    # It does not matter here if the present rules would decide the end of an old fight otherwise.
    fights = ((file, open_fight(file.stem, store, mend=True)) for file in sorted(replays.glob("*.jsonl")))
    found = find_citations(list_latest(fights))
    return Made(
        rolls=tuple(clause for clause in ruleset.clauses if clause in rolls),
        examples={clause: one for clause, one in examples.items() if one},
        counted={clause: found[clause] for clause in ruleset.clauses if clause in found},
    )


def list_latest(fights: Iterable[tuple[Path, Fight]]) -> list[tuple[Path, Fight]]:
    """Return the newest record of each fight, by version of the rules and format."""
    latest: dict[str, tuple[tuple[int, str, int], tuple[Path, Fight]]] = {}
    for file, fight in fights:
        opening = fight.history.recorded[0].event
        assert isinstance(opening, FightOpened | Forked)
        version = fight.state.version
        age = (len(version), version, fight.history.format_at(1))
        if opening.fight not in latest or age > latest[opening.fight][0]:
            latest[opening.fight] = (age, (file, fight))
    return sorted((one for _, one in latest.values()), key=lambda one: one[0])


def rolling(ruleset: Ruleset, trials: Iterable[ScenarioRun]) -> frozenset[Clause]:
    """Return the clauses that throw dice or change a roll in any scenario."""
    events = (one.event for trial in trials for one in trial.fight.history.recorded)
    cited = {clause for event in events if isinstance(event, Rolled) for clause in rules_of(event)}
    return frozenset(cited & set(ruleset.clauses))


def _example(
    ruleset: Ruleset,
    clause: Clause,
    trials: Sequence[ScenarioRun],
    chosen: Mapping[Clause, str],
    rolls: frozenset[Clause],
) -> Example | None:
    """Choose and tell the example of a clause, if a scenario shows it."""
    fit = [one for one in trials if one.scenario.title == chosen[clause]] if clause in chosen else trials
    trial = choose_example(clause, ruleset.clauses[clause], fit, rolls=clause in rolls)
    return example_of(trial, clause) if trial else None


def encode_made(made: Made) -> str:
    """Encode generated data as the shipped file, one clause a line for readable diffs."""
    parts = [f'"rolls": {_json(made.rolls)}']
    for name, rows in (("examples", made.examples), ("counted", made.counted)):
        lines = [f"{_json(clause)}: {_json(one)}" for clause, one in rows.items()]
        parts.append(f'"{name}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: object) -> str:
    """Encode a value as JSON."""
    return msgspec.json.encode(value).decode()

"""The check of a rule system: its source, and trial fights."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from time import process_time

from msgspec import Struct

from affray.engine.core.catalogue import CLAUSES
from affray.engine.core.loading import import_system, load
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import NotLoaded, Unusable
from affray.engine.system_check import SystemFault, find_source_faults, read_sources
from affray.engine.system_check.source import Source, find_string
from affray.engine.system_check.words import find_line

from .setting_faults import find_setting_faults
from .trial import MOST_SECONDS, Trial, play_trial

FIGHTS = 50
"""The number of trial fights."""

MOST_OF_KIND = 20
"""The maximum number of faults shown of one kind."""


class SystemReport(Struct, frozen=True, kw_only=True):
    """The report of a check.

    Attributes:
        system, version: The system.
        clean: Whether there are no faults.
        modules, clauses, rows: The numbers of modules, of clauses, and of rows of the flow.
        fights, events: The numbers of trial fights, and of events in them; no fight is played if the source has faults.
        faults: The faults, each once.
    """

    system: str
    version: str = ""
    clean: bool
    modules: int = 0
    clauses: int = 0
    rows: int = 0
    fights: int = 0
    events: int = 0
    faults: tuple[SystemFault, ...] = ()


def check_system(name: str, fights: int = FIGHTS, watch: Callable[[int], None] = lambda _: None) -> SystemReport:
    """Check a rule system: its source first, and if that has no faults, trial fights.

    Args:
        fights: The number of trial fights.
        watch: Called with the number of fights that were played.

    Raises:
        NoSuch: there is no system of that name.
    """
    try:
        ruleset = import_system(name)
    except NotLoaded as error:
        fault = SystemFault(kind="load", message=error.error, file=error.file, line=error.line)
        return SystemReport(system=name, clean=False, faults=(fault,))
    try:
        sources = read_sources(ruleset)
        wrong = [*_find_wrong_packaging(name, ruleset, sources)]
        faults = wrong or [*find_source_faults(ruleset, sources), *find_setting_faults(ruleset)]
    except Unusable as error:
        return SystemReport(system=name, clean=False, faults=(_describe_unusable(error, ruleset),))
    trials: list[Trial] = []
    if not faults:
        load(name)
        for nth in range(1, fights + 1):
            started = process_time()
            trials.append(trial := play_trial(ruleset, sources, nth))
            faults += trial.faults
            if trial.faults and process_time() - started > MOST_SECONDS:
                break
            watch(len(trials))
        if trials and not faults and not any(one.ended for one in trials):
            faults.append(_describe_endless(ruleset, max(one.rounds for one in trials)))
    return SystemReport(
        system=ruleset.name,
        version=ruleset.version,
        clean=not faults,
        modules=len(sources),
        clauses=len(ruleset.clauses),
        rows=len(ruleset.flow.table),
        fights=len(trials),
        events=sum(one.events for one in trials),
        faults=_choose_distinct(faults),
    )


def _describe_unusable(error: Unusable, ruleset: Ruleset) -> SystemFault:
    """Build the fault of a file that cannot be read, with the line of the entry that it names."""
    file = files(ruleset.package) / error.field
    if error.field not in NEEDED or not file.is_file():
        return SystemFault(kind="load", message=str(error))
    message = error.message.removeprefix(f"{error.field} of {ruleset.package}: ")
    text = file.read_text("utf-8").splitlines()
    stated = re.search(r"\(at line (\d+),", message)
    line = int(stated[1]) if stated else find_line(text, message) or find_line(text, f"{message.partition(':')[0]}: ")
    return SystemFault(kind="load", message=message, file=str(file), line=line)


def _find_wrong_packaging(name: str, ruleset: Ruleset, sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the faults of a package: another name than that of its entry point, and missing files."""
    if ruleset.name != name:
        file, line = find_string(sources, ruleset.name, "Ruleset")
        message = f"the entry point names the system {name}, and its Ruleset {ruleset.name}"
        yield SystemFault(kind="load", message=message, file=file, line=line, instead=f'name="{name}"')
    for needed in NEEDED:
        if not (files(ruleset.package) / needed).is_file():
            package = f'{ruleset.package} = ["*.toml"] under [tool.setuptools.package-data] of pyproject.toml'
            yield SystemFault(kind="load", message=f"{needed} is not in the package {ruleset.package}", instead=package)


NEEDED = (CLAUSES, "vocabulary.toml", "template.toml")
"""The files of a system without which it is not whole."""


def _describe_endless(ruleset: Ruleset, rounds: int) -> SystemFault:
    """Build the fault of a system with endless fights."""
    aftermath = ruleset.turns.aftermath
    return SystemFault(
        kind="fight",
        message=f"no trial fight came to an end, in up to {rounds} rounds",
        file=inspect.getsourcefile(aftermath) or "",
        line=inspect.getsourcelines(aftermath)[1],
        instead="an aftermath that ends the fight by record_fight_end, and actions that lead to it",
    )


def _choose_distinct(faults: list[SystemFault]) -> tuple[SystemFault, ...]:
    """Return each fault once: of those in one line, or with one line that would work, the first."""
    found: dict[object, SystemFault] = {}
    counts: dict[str, int] = {}
    for fault in faults:
        at = (fault.kind, fault.file, fault.line)
        key = (
            (*at, fault.message if fault.kind == "flow" else "")
            if fault.line
            else (fault.kind, fault.instead or fault.message)
        )
        if key not in found and counts.setdefault(fault.kind, 0) < MOST_OF_KIND:
            found[key] = fault
            counts[fault.kind] += 1
    return tuple(found.values())

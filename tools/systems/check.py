"""The check of a rule system: its source, and trial fights."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib.resources import files

from msgspec import Struct

from affray.engine.core.catalogue import CLAUSES
from affray.engine.core.loading import import_system, load
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import NotLoaded, Unusable
from affray.engine.system_check import SystemFault, find_source_faults, read_sources
from affray.engine.system_check.source import Source, find_string
from affray.tools.book.settings import list_settings

from .trial import Trial, play_trial

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
        faults = wrong or [*find_source_faults(ruleset, sources), *_find_undescribed(ruleset)]
    except Unusable as error:
        return SystemReport(system=name, clean=False, faults=(SystemFault(kind="load", message=str(error)),))
    trials: list[Trial] = []
    if not faults:
        load(name)
        for nth in range(1, fights + 1):
            trials.append(trial := play_trial(ruleset, sources, nth))
            faults += trial.faults
            watch(len(trials))
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


def _find_undescribed(ruleset: Ruleset) -> Iterator[SystemFault]:
    """Yield the settings without a description."""
    for one in list_settings(ruleset):
        if not one.says:
            name = ruleset.config.__name__
            yield SystemFault(
                kind="word",
                message=f"the docstring of {name} does not describe the setting {one.key}",
                file=inspect.getsourcefile(ruleset.config) or "",
                line=inspect.getsourcelines(ruleset.config)[1],
                instead=f"{one.key}: … under Attributes:",
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

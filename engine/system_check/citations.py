"""Faults of citations: clauses that the code cites and the catalogue lacks, and clauses that nothing cites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path

from affray.engine.core.catalogue import CLAUSES
from affray.engine.core.ruleset import Ruleset

from .source import Source, SystemFault


def find_clause_faults(ruleset: Ruleset, sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the faults between a system's code and its clauses."""
    known = tuple(ruleset.clauses)
    prefixes = {one.rstrip("0123456789") for one in known}
    cited = re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(prefixes))) + r")[A-Z]*\d+\b")
    used: set[str] = set()
    for source in sources:
        for node in source.strings():
            said = str(node.value)
            used.add(said)
            if cited.fullmatch(said) and said not in known:
                close = get_close_matches(said, known, n=1, cutoff=0.0)
                yield source.fault("clause", node, f"there is no clause {said}", f'"{close[0]}"')
        for node in source.docstrings():
            for match in cited.finditer(str(node.value)):
                if match[0] not in known:
                    close = get_close_matches(match[0], known, n=1, cutoff=0.0)
                    yield source.fault("clause", node, f"the docstring names {match[0]}, which is no clause", close[0])
    if not any(source.name.startswith(ruleset.package) for source in sources):
        return  # a system that changes another one cites only some of its clauses
    data = _read_data(ruleset.package)
    for clause, text in ruleset.clauses.items():
        if clause not in used and not text.unobservable and not re.search(rf"\b{re.escape(clause)}\b", data):
            file, line = find_in_catalogue(ruleset, clause)
            yield SystemFault(
                kind="clause",
                message=f"no event and no refusal cites {clause} ({text.title})",
                file=file,
                line=line,
                instead=f'rules=("{clause}",) in an event, or unobservable = "why" under [{clause}]',
            )


def find_in_catalogue(ruleset: Ruleset, clause: str) -> tuple[str, int]:
    """Return file and line of a clause."""
    file = files(ruleset.package) / CLAUSES
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if line.strip() in (f"[{clause}]", f'["{clause}"]'):
            return str(file), number
    return str(file), 0


def _read_data(package: str) -> str:
    """Return the data files of a system that may cite clauses."""
    folder = Path(str(files(package)))
    return "\n".join(one.read_text("utf-8") for one in folder.rglob("*.toml") if one.name not in NOT_DATA)


NOT_DATA = frozenset({CLAUSES, "vocabulary.toml", "book.toml", "odds.toml", "scenarios.toml", "template.toml"})
"""Files that describe a system and decide nothing."""

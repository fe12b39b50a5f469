"""The plainness of the project's language: names, first lines of docstrings, sentences of documents.

A measure decides nothing about one line. It shows where the whole drifts away from words that everybody knows.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PRODUCT = ("engine", "events", "tools")
DOCUMENTS = ("docs", "engine", "events", "replays", "tools", "README.md", "CONTRIBUTING.md")

STAND_IN = re.compile(
    r"\b(who(m|se)?ever|whom|whose|whatever|wherever|whichever|(some|no|any|every)body|anew|there(of|in)"
    r"|no more(?! than)|of (its|their|one's) own|by (itself|themselves)|(of|at|in|behind) which)\b",
    re.IGNORECASE,
)
"""Words that stand for an actor or a thing without naming it."""

OPENER = re.compile(
    r"(what|who|whom|whose|how|where|when|that|whether|of|all that|nothing|as much|if|the same)\b", re.IGNORECASE
)
"""First words of a line that says a question or a condition where it should say an act or a thing."""

IRREGULAR = re.compile(
    r"told|kept|said|taken|given|made|found|seen|held|left|begun|written|shown|drawn|known|meant|sent|lost"
    r"|won|built|brought|chosen|come|done|fallen|felt|fought|gone|heard|hidden|hit|laid|led|met|paid|put"
    r"|read|ridden|run|set|shut|spoken|spent|stood|struck|sworn|thought|thrown|understood|worn|bound|dealt"
    r"|fed"
)
"""Participles that do not end in *ed*."""

NO_PARTICIPLES = ("need", "speed", "seed", "feed", "exceed", "succeed", "proceed", "embed", "hundred")

SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"(])")


class Definition(NamedTuple):
    """A module, class or function, as far as the measures look at it.

    Attributes:
        where: The file and the line.
        name: The name of a function or class; empty for a module.
        first_line: The first line of its docstring; empty without one.
        is_function: Whether it is a function that is no property.
        is_public: Whether it stands at the top of a module under a name without an underscore.
    """

    where: str
    name: str
    first_line: str
    is_function: bool
    is_public: bool


@cache
def definitions(*folders: str) -> tuple[Definition, ...]:
    """Return the definitions in all modules of some folders."""
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    return tuple(one for file in files for one in _definitions_in(file))


def _definitions_in(file: Path) -> Iterator[Definition]:
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        name = "" if isinstance(node, ast.Module) else node.name
        decorators = [] if isinstance(node, ast.Module) else node.decorator_list
        yield Definition(
            where=f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}",
            name=name,
            first_line=(ast.get_docstring(node) or "").partition("\n")[0],
            is_function=isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and not any("property" in ast.unparse(one) for one in decorators),
            is_public=node in tree.body and not name.startswith("_"),
        )


def is_participle(name: str) -> bool:
    """Tell whether a function's name is one bare past participle, such as ``promised``."""
    word = name.strip("_")
    if "_" in word or word in NO_PARTICIPLES:
        return False
    return bool(IRREGULAR.fullmatch(word)) or (word.endswith("ed") and len(word) > 4)


def stand_ins(*folders: str) -> tuple[list[str], int]:
    """Return the first lines with a stand-in, and the number of first lines."""
    every = [one for one in definitions(*folders) if one.first_line]
    return [f"{one.where} {one.first_line}" for one in every if STAND_IN.search(one.first_line)], len(every)


def openers(*folders: str) -> tuple[list[str], int]:
    """Return the first lines that open with a question word, and the number of first lines."""
    every = [one for one in definitions(*folders) if one.first_line]
    return [f"{one.where} {one.first_line}" for one in every if OPENER.match(one.first_line)], len(every)


def participles(*folders: str) -> tuple[list[str], int]:
    """Return the functions that are named by a bare participle, and the number of functions."""
    every = [one for one in definitions(*folders) if one.is_function]
    return [f"{one.where} {one.name}" for one in every if is_participle(one.name)], len(every)


def homonyms(*folders: str) -> tuple[list[str], int]:
    """Return the public names that two modules define, and the number of public names; rule systems may share words."""
    homes = defaultdict(set)
    for one in definitions(*folders):
        if one.is_public and "rulesets" not in one.where:
            homes[one.name].add(one.where)
    return [f"{name}: {', '.join(sorted(where))}" for name, where in homes.items() if len(where) > 1], len(homes)


MEASURES = {"stand-ins": stand_ins, "openers": openers, "participles": participles, "homonyms": homonyms}

GOALS = [
    ("stand-ins", PRODUCT, 1.0),
    ("openers", PRODUCT, 1.0),
    ("participles", PRODUCT, 1.4),
    ("homonyms", PRODUCT, 2.0),
    ("participles", ("tests",), 3.0),
    ("homonyms", ("tests",), 2.0),
]
"""How much of each there may be at most, in percent. Of participles 1 is the goal; ``read`` and ``run`` count, too."""


@pytest.mark.parametrize(("measure", "folders", "most"), GOALS, ids=str)
def test_names_and_first_lines_are_plain(measure: str, folders: tuple[str, ...], most: float) -> None:
    found, every = MEASURES[measure](*folders)
    share = 100 * len(found) / every
    assert share <= most, f"{share:.1f} % of {every}:\n" + "\n".join(found)


def sentences() -> list[str]:
    """Return the sentences of all documents, without code, tables and headings."""
    paths = [ROOT / one for one in DOCUMENTS]
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.md")))]
    found = []
    for file in files:
        if file.parent == ROOT / "docs" / "reference":
            continue  # written from the code, when the site is built
        text = re.sub(r"```.*?```", "", file.read_text("utf-8"), flags=re.DOTALL)
        for block in re.split(r"\n\s*\n|\n(?=[*\-|#] ?)", text):
            if not block.lstrip().startswith(("|", "#", "    ")):
                plain = re.sub(r"[`*_]|\[|\]\([^)]*\)", "", block)
                found += [one for one in SENTENCE_END.split(" ".join(plain.split())) if len(one.split()) > 2]
    return found


def test_documents_are_plain() -> None:
    """Half of the sentences have at most 14 words, nine of ten at most 25; one word in a thousand is a stand-in."""
    every = sentences()
    lengths = sorted(len(one.split()) for one in every)
    assert median(lengths) <= 14
    assert lengths[len(lengths) * 9 // 10] <= 25
    hits = [one for one in every if STAND_IN.search(one)]
    assert 1000 * sum(len(STAND_IN.findall(one)) for one in hits) <= sum(lengths), "\n".join(hits)

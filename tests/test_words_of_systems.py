"""No word of a rule system stands outside its folder: what is said of a fight is said by its vocabulary."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from affray.engine.core.loading import available, load
from affray.engine.kit.rulings.verdicts import RULED

ROOT = Path(__file__).parents[1]

TABLES = ("pools", "conditions", "actions", "counters")

COMMON = frozenset(
    [
        *("action", "actions", "count", "roll"),  # what every log has
        *("health", "helpless", "down", "hidden", "ready"),  # roles, how one looks, what a feed says
        *("out of the fight",),  # what a ruling does that takes somebody away
        *("damage", "harm", "test"),  # the rulings that every system has, and their rolls
        *("do", "end", "give", "leave", "stand", "run", "check", "change", "left", "cast"),  # commands, rulings, keys
        *("rest",),  # what an answer says of all whom nothing else is said of
        *RULED,  # the verdicts that every system has
        *("luck", "cost", "moves", "aim"),  # what a command measures, and says of a decision
        *("main", "bold", "light", "broken", "drop", "use"),  # how a page or a terminal draws
    ]
)
"""Words of systems that the engine, the program or a page has for something of its own."""

OF_ONE_SYSTEM = ("tools/lab/bench/", "tools/cli/commands/demo.py", "tools/systems/pattern/")
"""What measures or shows fights of one system, and says so; and a system to copy."""


def words() -> set[str]:
    """Return the names, labels and verbs of all vocabularies that are no common words."""
    found: set[str] = set()
    for system in available():
        vocabulary = load(system).vocabulary
        for table in TABLES:
            for name, word in getattr(vocabulary, table).items():
                found |= {name, word.label}
        found |= {deed.says.split()[0].strip("[]{}:") for deed in vocabulary.actions.values()}
    return found - COMMON - {""}


def literals(text: str) -> Iterator[tuple[int, str]]:
    """Yield the texts in a module that are no docstrings, with their lines."""
    tree = ast.parse(text)
    docstrings = {
        id(one.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        for one in node.body
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def list_quoted_texts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the texts in a script or a style sheet, with their lines."""
    code = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
    for number, line in enumerate(code.splitlines(), 1):
        for one in re.findall(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`", line.partition("//")[0]):
            yield number, next(part for part in (*one, "") if part or part == one[-1])


@cache
def list_shared_texts() -> tuple[tuple[str, str], ...]:
    """Return every text in the code that all systems share, behind where it stands."""
    return tuple(
        (f"{path.relative_to(ROOT).as_posix()}:{line}", text)
        for path in modules()
        for line, text in READERS.get(path.suffix, list_quoted_texts)(path.read_text("utf-8"))
    )


def list_template_texts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of a template that stand between its tags, with their lines."""
    bare = re.sub(r"<[^>]*>|\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "\t", text)
    for number, line in enumerate(bare.splitlines(), 1):
        yield from ((number, one.strip()) for one in line.split("\t") if one.strip())


READERS = {".py": literals, ".html": list_template_texts}
"""How the texts are found in a file of a kind; in any other, between quotation marks."""


def modules() -> list[Path]:
    """Return all code that all systems share."""
    found = [
        *ROOT.glob("engine/**/*.py"),
        *ROOT.glob("tools/**/*.py"),
        *ROOT.glob("tools/**/*.html"),
        *ROOT.glob("tools/page/*.js"),
        *ROOT.glob("tools/page/host/*.js"),
        *ROOT.glob("tools/page/*.css"),
    ]
    paths = [(path, path.relative_to(ROOT).as_posix()) for path in found]
    return [path for path, name in paths if "/rulesets/" not in name and not name.startswith(OF_ONE_SYSTEM)]


def test_no_word_of_a_system_stands_outside_its_folder() -> None:
    """Neither as a separate text, nor within one, unless another word is written the same."""
    known = words()
    telling = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in sorted(known) if re.search(r"[_ ]", one)))
    assert [f"{where}: {text}" for where, text in list_shared_texts() if text in known or telling.search(text)] == []


def test_the_words_that_are_looked_for_are_those_of_all_systems() -> None:
    """The test above would find the very words that once stood in the tools."""
    assert words() >= {"attack", "deaths_door", "called_shot", "energy", "prone", "loaded", "slain", "mortally_wounded"}


@pytest.mark.parametrize("word", sorted(COMMON))
def test_a_common_word_is_one_that_somebody_uses(word: str) -> None:
    """A shared word that no shared code uses is none."""
    assert any(word in text for _, text in list_shared_texts())

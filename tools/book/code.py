"""Functions that cite a clause in their code, not only in their docstrings."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from textwrap import dedent

from msgspec import Struct

from affray.engine.core.digest import find_modules
from affray.engine.core.ruleset import Ruleset
from affray.events import Clause


class Function(Struct, frozen=True, kw_only=True):
    """A function or table that cites clauses.

    Attributes:
        file: Path below the system's folder.
        name: Name of the function, with its class; or of the table.
        line: First line, from 1.
        clauses: Clauses that are cited in it.
        source: Source text.
        about: Clauses that its docstring names.
    """

    file: str
    name: str
    line: int
    clauses: tuple[Clause, ...]
    source: str
    about: tuple[Clause, ...] = ()

    @property
    def anchor(self) -> str:
        """Return the HTML anchor of the function in the book."""
        return f"code-{self.file.removesuffix('.py').replace('/', '.')}.{self.name}"


@cache
def functions(ruleset: Ruleset) -> tuple[Function, ...]:
    """Return all code of a system that cites clauses, by file and line."""
    known = frozenset(ruleset.clauses)
    found = [one for path, text in _modules(ruleset) for one in _find_cited(path, text, known)]
    return tuple(sorted(found, key=lambda one: (one.file, one.line)))


_SEVERAL = re.compile(r"\b([A-Z]+-)([A-Z]*[0-9]+)((?:(?:, | to |–|\.\.| and )(?:\1)?[A-Z]*[0-9]+)*)")
"""A clause, and those listed after it: ``VES-003, 005``, ``VES-003 to VES-005``, ``VES-003..005 and T01``."""


def clauses_named(text: str, known: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the clauses that a text names, singly or as a range.

    Args:
        text: A text on one line.
        known: All clauses of the system, in order.
    """
    found: list[Clause] = []
    for prefix, first, behind in _SEVERAL.findall(text):
        found.append(prefix + first)
        for joined, other in re.findall(rf"(, | to |–|\.\.| and )(?:{prefix})?([A-Z]*[0-9]+)", behind):
            last = prefix + other
            if joined in (" to ", "–", "..") and {found[-1], last} <= set(known):
                found += known[known.index(found[-1]) + 1 : known.index(last)]
            found.append(last)
    return tuple(dict.fromkeys(one for one in found if one in known))


def find_deciders(ruleset: Ruleset) -> dict[Clause, tuple[Function, ...]]:
    """Return the functions that decide each clause.

    A function decides the clauses that the first line of its docstring names. In a finished system each clause has
    one.
    """
    known = tuple(ruleset.clauses)
    found: dict[Clause, list[Function]] = {}
    for path, text in _modules(ruleset):
        lines = text.splitlines()
        for name, node in _pieces(ast.parse(text).body, ""):
            said = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
            clauses = clauses_named(said.partition("\n")[0], known) if said else ()
            for clause in clauses:
                found.setdefault(clause, []).append(_function(path, name, node, lines, clauses))
    return {clause: tuple(some) for clause, some in found.items()}


def find_citing(ruleset: Ruleset) -> dict[Clause, tuple[Function, ...]]:
    """Return the code that cites each clause, the most specific first."""
    found: dict[Clause, list[Function]] = {}
    for one in functions(ruleset):
        for clause in one.clauses:
            found.setdefault(clause, []).append(one)
    return {
        clause: tuple(sorted(some, key=lambda one: (clause not in one.about, len(one.clauses), one.file, one.line)))
        for clause, some in found.items()
    }


def _modules(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the modules of a system's rules with their texts, by their paths below its folder."""
    for name, text in find_modules(ruleset):
        if name.startswith(f"{ruleset.package}."):
            yield name.removeprefix(f"{ruleset.package}.").replace(".", "/") + ".py", text


def _find_cited(path: str, text: str, known: Collection[Clause]) -> Iterator[Function]:
    """Yield the functions and tables of a module that cite clauses in strings."""
    lines = text.splitlines()
    for name, node in _pieces(ast.parse(text).body, ""):
        said = ast.get_docstring(node) if isinstance(node, ast.FunctionDef | ast.ClassDef) else None
        cited = [one for one in _strings(node) if one in known]
        if cited:
            about = tuple(one for one in known if said and one in said)
            yield _function(path, name, node, lines, tuple(dict.fromkeys(cited)), about)


def _function(
    path: str,
    name: str,
    node: ast.stmt,
    lines: Sequence[str],
    clauses: tuple[Clause, ...],
    about: tuple[Clause, ...] = (),
) -> Function:
    """Build the description of a piece of code."""
    first, last = _from(node), node.end_lineno or node.lineno
    source = dedent("\n".join(lines[first - 1 : last]))
    return Function(file=path, name=name, line=first, clauses=clauses, source=source, about=about)


def _from(node: ast.stmt) -> int:
    """Return the first line of a statement, including its decorators."""
    decorated = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    return min([node.lineno, *(one.lineno for one in decorated)])


def _pieces(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.stmt]]:
    """Yield functions, methods and assignments of a module or class, with their names."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _pieces(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield prefix + (target.id if isinstance(target, ast.Name) else "table"), node


def _strings(node: ast.AST) -> Iterator[str]:
    """Yield the string constants of a piece of code."""
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value

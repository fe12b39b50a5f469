"""Find the functions that cite a clause in their code, not only in their docstrings."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from textwrap import dedent

from msgspec import Struct

from affray.engine.core.ruleset import TELLING, Ruleset
from affray.events import Clause


class Function(Struct, frozen=True, kw_only=True):
    """A piece of code that cites clauses.

    Attributes:
        file: Its path below the system's folder.
        name: Of the function, with its class; or of a table.
        line: Its first.
        clauses: Those that stand in it.
        source: Its text.
        about: The clauses that its first paragraph names.
    """

    file: str
    name: str
    line: int
    clauses: tuple[Clause, ...]
    source: str
    about: tuple[Clause, ...] = ()

    @property
    def anchor(self) -> str:
        """Return its anchor in the book."""
        return f"code-{self.file.removesuffix('.py').replace('/', '.')}.{self.name}"


@cache
def functions(package: str, known: frozenset[Clause]) -> tuple[Function, ...]:
    """Return every piece of a system's code that cites clauses, by file and line."""
    found = [one for path, file in _modules(files(package), "") for one in _cited(path, file.read_text("utf-8"), known)]
    return tuple(sorted(found, key=lambda one: (one.file, one.line)))


_SEVERAL = re.compile(r"\b([A-Z]+-)([A-Z]*[0-9]+)((?:(?:, | to |–|\.\.| and )(?:\1)?[A-Z]*[0-9]+)*)")
"""A clause, and those named behind it: ``VES-003, 005``, ``VES-003 to VES-005``, ``VES-003..005 and T01``."""


def claimed(text: str, known: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the clauses that a text names, singly or by their first and last.

    Args:
        text: It, on one line.
        known: All clauses there are, in order.
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


def deciders(ruleset: Ruleset) -> dict[Clause, tuple[Function, ...]]:
    """Return for each clause the functions whose first line says so; it is one each in a finished system."""
    known = tuple(ruleset.clauses)
    found: dict[Clause, list[Function]] = {}
    for path, file in _modules(files(ruleset.package), ""):
        text = file.read_text("utf-8")
        lines = text.splitlines()
        for name, node in _pieces(ast.parse(text).body, ""):
            said = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
            clauses = claimed(said.partition("\n")[0], known) if said else ()
            for clause in clauses:
                found.setdefault(clause, []).append(_function(path, name, node, lines, clauses))
    return {clause: tuple(some) for clause, some in found.items()}


def deciding(ruleset: Ruleset) -> dict[Clause, tuple[Function, ...]]:
    """Return for each clause the code that cites it; what is most about it first."""
    found: dict[Clause, list[Function]] = {}
    for one in functions(ruleset.package, frozenset(ruleset.clauses)):
        for clause in one.clauses:
            found.setdefault(clause, []).append(one)
    return {
        clause: tuple(sorted(some, key=lambda one: (clause not in one.about, len(one.clauses), one.file, one.line)))
        for clause, some in found.items()
    }


def _modules(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _modules(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".py") and entry.name not in TELLING:
            yield prefix + entry.name, entry


def _cited(path: str, text: str, known: Collection[Clause]) -> Iterator[Function]:
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
    first, last = _from(node), node.end_lineno or node.lineno
    source = dedent("\n".join(lines[first - 1 : last]))
    return Function(file=path, name=name, line=first, clauses=clauses, source=source, about=about)


def _from(node: ast.stmt) -> int:
    decorated = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    return min([node.lineno, *(one.lineno for one in decorated)])


def _pieces(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.stmt]]:
    """Yield functions, methods, and whatever else stands at the top of a module or class, with its name."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _pieces(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield prefix + (target.id if isinstance(target, ast.Name) else "table"), node


def _strings(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value

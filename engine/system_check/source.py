"""The source of a rule system: the text, the syntax tree and the names of each module."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from affray.engine.core.rule_faults import BUNDLED, list_own_modules, show_path
from affray.engine.core.ruleset import Ruleset

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)

UNKNOWN = object()
"""The placeholder for an expression's value that only a running fight knows."""


class SystemFault(Struct, frozen=True, kw_only=True):
    """A fault of a rule system.

    Attributes:
        kind: ``load``, ``flow``, ``clause``, ``word``, ``driving``, ``rules``, ``fight``, ``audit`` or ``telling``.
        message: The fault in a sentence.
        file: The file; empty if unknown.
        line: The line in it, from 1; 0 if unknown.
        instead: A line that would work; empty if there is none.
    """

    kind: str
    message: str
    file: str = ""
    line: int = 0
    instead: str = ""

    def __str__(self) -> str:
        place = (
            f"{show_path(self.file)}:{self.line}: " if self.line else f"{show_path(self.file)}: " if self.file else ""
        )
        return f"{place}{self.message}{f'; write: {self.instead}' if self.instead else ''}"


class Source:
    """A module of a rule system.

    Attributes:
        name: Its name.
        path: Its file.
        tree: Its syntax tree.
        nodes: All nodes of the tree.
        parents: The node above each node of the tree.
        known: Its global names with their values.
    """

    def __init__(self, module: ModuleType) -> None:
        self.name = module.__name__
        self.path = Path(str(module.__file__))
        self.tree = ast.parse(self.path.read_text("utf-8"))
        self.nodes = tuple(ast.walk(self.tree))
        self.parents = {below: node for node in self.nodes for below in ast.iter_child_nodes(node)}
        self.known: Mapping[str, Any] = vars(module)
        self._bound: dict[Function, set[str]] = {}

    def fault(self, kind: str, node: ast.AST, message: str, instead: str = "") -> SystemFault:
        """Build a fault at a node."""
        line = getattr(node, "lineno", 0)
        return SystemFault(kind=kind, message=message, file=str(self.path), line=line, instead=instead)

    def scope(self, node: ast.AST) -> ast.AST:
        """Return the function, class or module that a node stands in, or is."""
        return find_scope(node, self.parents)

    def resolve(self, node: ast.expr) -> Any:
        """Return the value of a global name, or of an attribute of one; else ``UNKNOWN``."""
        match node:
            case ast.Name(id=name):
                if self._is_local(node):
                    return UNKNOWN
                return self.known.get(name, getattr(builtins, name, UNKNOWN))
            case ast.Attribute(value=value, attr=name):
                owner = self.resolve(value)
                return UNKNOWN if owner is UNKNOWN else getattr(owner, name, UNKNOWN)
        return UNKNOWN

    def _is_local(self, node: ast.Name) -> bool:
        """Tell whether a name is bound in a function around it."""
        scope: ast.AST = self.scope(node)
        while not isinstance(scope, ast.Module):
            if isinstance(scope, Function):
                if scope not in self._bound:
                    self._bound[scope] = _bound_names(scope)
                if node.id in self._bound[scope]:
                    return True
            scope = self.scope(self.parents[scope])
        return False

    def strings(self) -> Iterator[ast.Constant]:
        """Yield the string constants that are no docstrings."""
        for node in self.nodes:
            match node:
                case ast.Constant(value=str()) if not isinstance(self.parents[node], ast.Expr):
                    yield node

    def docstrings(self) -> Iterator[ast.Constant]:
        """Yield the strings that stand as statements."""
        for node in self.nodes:
            match node:
                case ast.Expr(value=ast.Constant(value=str()) as text):
                    yield text


def find_scope(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.AST:
    """Return the function, class or module that a node stands in, or is."""
    while not isinstance(node, SCOPES):
        node = parents[node]
    return node


def _bound_names(scope: Function) -> set[str]:
    """Return the names that a function binds: parameters, assignments, and functions in it."""
    given = (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs, scope.args.vararg, scope.args.kwarg)
    names = {one.arg for one in given if one is not None}
    body = scope.body if isinstance(scope.body, list) else [scope.body]
    for node in (below for statement in body for below in ast.walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names


def read_sources(ruleset: Ruleset) -> tuple[Source, ...]:
    """Read the modules of a rule system's own code.

    A system that changes a bundled one has only its own modules read.
    """
    own = list_own_modules(ruleset)
    foreign = tuple(name for name in own if not name.startswith(BUNDLED))
    return tuple(Source(module) for name in foreign or own for module in _walk_modules(name))


def _walk_modules(name: str) -> Iterator[ModuleType]:
    """Import a module and all modules below it."""
    module = import_module(name)
    yield module
    if hasattr(module, "__path__"):
        folder = Path(str(module.__file__)).parent
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            if parts != ("__init__",) and "__pycache__" not in parts:
                yield import_module(".".join((name, *parts)).removesuffix(".__init__"))


def find_string(sources: tuple[Source, ...], text: str, call: str = "") -> tuple[str, int]:
    """Return file and line of the first string constant with a text; line 0 if there is none.

    Args:
        call: The name of the call whose argument it must be, if any has it.
    """
    found = [(source, node) for source in sources for node in source.strings() if node.value == text]
    near = [(source, node) for source, node in found if call and _is_argument(source, node, call)]
    for source, node in near or found:
        return str(source.path), node.lineno
    return (str(sources[0].path) if sources else ""), 0


def find_call(sources: tuple[Source, ...], called: object) -> tuple[str, int]:
    """Return file and line of the first call of a function or type; line 0 if there is none."""
    for source in sources:
        for node in source.nodes:
            if isinstance(node, ast.Call) and source.resolve(node.func) is called:
                return str(source.path), node.lineno
    return "", 0


def _is_argument(source: Source, node: ast.AST, call: str) -> bool:
    while node in source.parents:
        node = source.parents[node]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id == call
    return False


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of functions and classes in it."""
    waiting: list[ast.AST] = [*function.body] if isinstance(function.body, list) else [function.body]
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, SCOPES):
            waiting += ast.iter_child_nodes(node)

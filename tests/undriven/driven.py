"""Rules that are called and not driven: what such a call yields never happens, and nothing else says so.

A rule is a generator. Called as a statement it does nothing; as a truth value it is always true. So a call that comes
to a rule stands behind ``yield from``, or hands the rule on: it is returned, given to a parameter that asks for a rule,
or assigned to a name that is driven or handed on later in the same function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tests.undriven.typed import Typed

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)


class Undriven(NamedTuple):
    """A rule that is not driven: where, and what is wrong."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}; write `yield from`, or hand it on to what drives it"


class Scopes:
    """Where each node of a module stands.

    Attributes:
        rules: Every call in it that comes to a rule.
    """

    def __init__(self, module: Typed) -> None:
        self.module = module
        self._parents = {below: node for node in ast.walk(module.source) for below in ast.iter_child_nodes(node)}
        calls = (node for node in ast.walk(module.source) if isinstance(node, ast.Call))
        self.rules = [call for call in calls if module.is_rule(call)]

    def undriven(self) -> Iterator[Undriven]:
        """Yield every call in the module that comes to a rule which nothing drives."""
        for rule in self.rules:
            wrong = self._wrong(rule)
            if wrong:
                yield Undriven(str(self.module.path), rule.lineno, f"`{ast.unparse(rule)}` {wrong}")

    def _wrong(self, rule: ast.expr) -> str:
        """Say what is wrong with a rule where it stands; nothing if it is driven or handed on."""
        wrong = ""
        match self._parents[rule]:
            case ast.YieldFrom():
                pass
            case ast.IfExp(test=test) as either if rule is not test:
                wrong = self._wrong(either)
            case ast.Return() | ast.Lambda() as returned:
                wrong = "is returned by a rule" if _is_generator(self._scope(returned)) else ""
            case ast.keyword() as named:
                wrong = self._given(self._parents[named])
            case ast.Call(args=given) as call if rule in given:
                wrong = self._given(call)
            case ast.Assign(targets=[ast.Name() as name]) | ast.AnnAssign(target=ast.Name() as name):
                wrong = self._assigned(name)
            case ast.NamedExpr(target=name) as named:
                wrong = self._wrong(named) and self._assigned(name)
            case ast.Expr():
                wrong = "is called as a statement"
            case _:
                wrong = "is used as a value"
        return wrong

    def _given(self, call: ast.AST) -> str:
        takes = isinstance(call, ast.Call) and self.module.takes_rule(call.func)
        return "" if takes else "is given to what takes no rule"

    def _assigned(self, name: ast.Name) -> str:
        """Say what is wrong with a rule that got a name; one good use of the name suffices."""
        used = [
            node
            for node in ast.walk(self._scope(name))
            if isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Load)
        ]
        return "" if any(not self._wrong(node) for node in used) else "is assigned and never driven"

    def _scope(self, node: ast.AST) -> ast.AST:
        while not isinstance(node, SCOPES):
            node = self._parents[node]
        return node


def _is_generator(scope: ast.AST) -> bool:
    """Whether a function yields, not counting what the functions in it yield."""
    if not isinstance(scope, Function):
        return False
    waiting: list[ast.AST] = [*scope.body] if isinstance(scope.body, list) else [scope.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, SCOPES):
            waiting += ast.iter_child_nodes(node)
    return False

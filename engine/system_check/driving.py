"""Rules that are called and not driven: what such a call yields never happens, and nothing else says so.

A rule is a generator. Called as a statement it does nothing; as a truth value it is always true. So a call that returns
a rule must follow ``yield from``, or pass the rule on: it is returned, passed to a parameter that takes a rule, or
assigned to a name that is driven or passed on later in the same function.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Generator, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Protocol, get_origin

from affray.engine.core.effects import Ask, Go, Interrupted, Roll
from affray.events import EVENTS, Event

from .source import UNKNOWN, Function, Source, SystemFault, find_scope, own_nodes

RULE_METHODS = frozenset({"pay", "resolve", "decide"})
"""The methods of actions and rulings that are rules."""


class Typed(Protocol):
    """The knowledge about the expressions of a module."""

    @property
    def tree(self) -> ast.Module:
        """The syntax tree of the module."""

    @property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """The node above each node of the tree."""

    def is_rule(self, node: ast.expr) -> bool:
        """Tell whether an expression comes to a rule."""

    def takes_rule(self, called: ast.expr) -> bool:
        """Tell whether a callable asks for a rule among its parameters."""


class Undriven(NamedTuple):
    """A rule that is not driven: the call, and what is wrong."""

    call: ast.Call
    wrong: str


class Driving:
    """The calls of a module that return a rule.

    Attributes:
        rules: The calls.
    """

    def __init__(self, module: Typed) -> None:
        self.module = module
        calls = (node for node in ast.walk(module.tree) if isinstance(node, ast.Call))
        self.rules = [call for call in calls if module.is_rule(call)]

    def undriven(self) -> Iterator[Undriven]:
        """Yield every call in the module that comes to a rule which nothing drives."""
        for rule in self.rules:
            wrong = self._wrong(rule)
            if wrong:
                yield Undriven(rule, wrong)

    def _wrong(self, rule: ast.expr) -> str:
        """Say what is wrong with a rule where it stands; nothing if it is driven or handed on."""
        wrong = ""
        match self.module.parents[rule]:
            case ast.YieldFrom():
                pass
            case ast.IfExp(test=test) as either if rule is not test:
                wrong = self._wrong(either)
            case ast.Return() | ast.Lambda() as returned:
                wrong = "is returned by a rule" if is_generator(find_scope(returned, self.module.parents)) else ""
            case ast.keyword() as named:
                wrong = self._judge_argument(self.module.parents[named])
            case ast.Call(args=given) as call if rule in given:
                wrong = self._judge_argument(call)
            case ast.Assign(targets=[ast.Name() as name]) | ast.AnnAssign(target=ast.Name() as name):
                wrong = self._judge_assignment(name)
            case ast.NamedExpr(target=name) as named:
                wrong = self._wrong(named) and self._judge_assignment(name)
            case ast.Expr():
                wrong = "is called as a statement"
            case _:
                wrong = "is used as a value"
        return wrong

    def _judge_argument(self, call: ast.AST) -> str:
        takes = isinstance(call, ast.Call) and self.module.takes_rule(call.func)
        return "" if takes else "is given to what takes no rule"

    def _judge_assignment(self, name: ast.Name) -> str:
        """Say what is wrong with a rule that got a name; one good use of the name suffices."""
        used = [
            node
            for node in ast.walk(find_scope(name, self.module.parents))
            if isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Load)
        ]
        return "" if any(not self._wrong(node) for node in used) else "is assigned and never driven"


def is_generator(scope: ast.AST) -> bool:
    """Tell whether a function yields, not counting what the functions in it yield."""
    if not isinstance(scope, Function):
        return False
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(scope))


class CalledRules:
    """The rules that a module calls, by the values of its global names. It needs no type checker.

    Args:
        source: The module, which is imported.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tree = source.tree
        self.parents = source.parents

    @cached_property
    def _local_rules(self) -> frozenset[str]:
        """Names of functions within functions that are rules."""
        inner = (one for one in self.source.nodes if isinstance(one, ast.FunctionDef))
        within = (one for one in inner if isinstance(self.source.scope(self.parents[one]), Function))
        return frozenset(one.name for one in within if one.returns is not None and _says_rule(ast.unparse(one.returns)))

    def is_rule(self, node: ast.expr) -> bool:
        """Tell whether an expression comes to a rule."""
        if not isinstance(node, ast.Call):
            return False
        called = self.source.resolve(node.func)
        if called is not UNKNOWN:
            return returns_rule(called)
        if isinstance(node.func, ast.Name):
            return node.func.id in self._local_rules
        return isinstance(node.func, ast.Attribute) and node.func.attr in RULE_METHODS

    def takes_rule(self, called: ast.expr) -> bool:
        """Tell whether a callable asks for a rule among its parameters; unknown ones may."""
        found = self.source.resolve(called)
        if found is UNKNOWN:
            return True
        noted = _annotations(found)
        return any(_says_rule(one) for name, one in noted.items() if name != "return")


def returns_rule(called: Any) -> bool:
    """Tell whether a callable returns a rule: by its annotation, or as a generator without one."""
    called = inspect.unwrap(called) if callable(called) else called
    noted = _annotations(called).get("return")
    return _says_rule(noted) if noted is not None else inspect.isgeneratorfunction(called)


def _annotations(called: Any) -> Mapping[str, Any]:
    noted = [getattr(one, "__annotations__", {}) for one in (getattr(called, "__init__", None), called)]
    return {name: kind for one in noted if isinstance(one, Mapping) for name, kind in one.items()}


def _says_rule(noted: Any) -> bool:
    """Tell whether an annotation is a rule, or a choice between a rule and nothing."""
    if isinstance(noted, str):
        return noted.startswith(("Rule[", "effects.Rule[")) or noted.endswith("| Rule[None]")
    return get_origin(noted) is Generator


def find_driving_faults(sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the calls of rules, and of other generators of events, that nothing drives."""
    for source in sources:
        for call, wrong in (*Driving(CalledRules(source)).undriven(), *_list_idle_generators(source)):
            said = ast.unparse(call)
            yield source.fault("driving", call, f"`{said}` {wrong}, so that it does nothing", f"yield from {said}")
        for node in source.nodes:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _builds_effect(source, node.value):
                said = ast.unparse(node.value)
                yield source.fault(
                    "driving", node, f"`{said}` is not yielded, so that nothing happens", f"yield {said}"
                )


def _builds_effect(source: Source, call: ast.Call) -> bool:
    """Tell whether a call returns an event or another effect that a rule has to yield."""
    called = source.resolve(call.func)
    if isinstance(called, type):
        return issubclass(called, EFFECTS)
    noted = _annotations(called).get("return") if called is not UNKNOWN else None
    return str(getattr(noted, "__name__", noted)).rpartition(".")[2] in EFFECT_NAMES


EFFECTS: tuple[type, ...] = (Event, Roll, Ask, Go, Interrupted)
EFFECT_NAMES = frozenset(kind.__name__ for kind in (*EVENTS, *EFFECTS))


def _list_idle_generators(source: Source) -> Iterator[Undriven]:
    """Yield the calls of generators that are no rules and stand as a statement."""
    for node in source.nodes:
        match node:
            case ast.Expr(value=ast.Call() as call):
                called = source.resolve(call.func)
                if called is not UNKNOWN and inspect.isgeneratorfunction(called) and not returns_rule(called):
                    yield Undriven(call, "is called as a statement")

"""Faults of rules that read chance or a clock, or change the state themselves instead of yielding events."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .source import Source, SystemFault

UNREPEATABLE = {
    "random": "yield Roll(dice=…) for chance",
    "secrets": "yield Roll(dice=…) for chance",
    "uuid": "yield Roll(dice=…) for chance",
    "time": "table.draft.round for the time of a fight",
    "datetime": "table.draft.round for the time of a fight",
}
"""Modules whose answers differ when a fight is decided again, with what a rule uses instead."""


def find_purity_faults(sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the imports of chance and clocks, and the assignments to parts of a ``table``."""
    for source in sources:
        for node in source.nodes:
            for name in _list_imported(node):
                if name in UNREPEATABLE:
                    message = f"{name} is imported: the same fight would be decided differently the next time"
                    yield source.fault("rules", node, message, UNREPEATABLE[name])
            for target in _list_targets(node):
                if _is_of_table(target):
                    message = f"`{ast.unparse(target)}` is assigned, but only events change the state"
                    yield source.fault("rules", target, message, "yield change_pool(…), or another event")


def _list_imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [one.name.partition(".")[0] for one in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module.partition(".")[0]]
    return []


def _list_targets(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return targets
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return [target]
    return []


def _is_of_table(target: ast.expr) -> bool:
    """Tell whether a target lies in a variable called ``table``; its ``memory`` is free."""
    inner = target
    while isinstance(inner, ast.Attribute | ast.Subscript):
        if isinstance(inner, ast.Attribute) and inner.attr == "memory":
            return False
        inner = inner.value
    return inner is not target and isinstance(inner, ast.Name) and inner.id == "table"

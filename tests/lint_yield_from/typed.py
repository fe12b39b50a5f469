"""mypy's types of expressions: whether one is a rule, or takes one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from mypy.build import build
from mypy.inspections import find_by_location
from mypy.main import process_options
from mypy.nodes import Expression, MypyFile
from mypy.types import (
    CallableType,
    Instance,
    Overloaded,
    TupleType,
    Type,
    TypeAliasType,
    UnionType,
    get_proper_type,
)

CONFIG = Path(__file__).parents[2] / "pyproject.toml"
GENERATOR = "typing.Generator"
LATER = "functools.partial"
"""A function with arguments set: calling it comes to a rule, having it does not."""
ASKED = "affray.engine.core.effects.Roll"
"""What no generator but a rule may yield."""

Types = dict[Expression, Type]


class Typed:
    """A module, and what mypy knows of its expressions."""

    def __init__(self, tree: MypyFile, types: Types) -> None:
        self.path = Path(tree.path)
        self.tree = ast.parse(self.path.read_text("utf-8"))
        self.parents = {below: node for node in ast.walk(self.tree) for below in ast.iter_child_nodes(node)}
        self._checked = tree
        self._types = types

    def is_rule(self, node: ast.expr) -> bool:
        """Tell whether an expression is a rule, perhaps one, or a container of rules."""
        return _holds_rule(self._type(node))

    def takes_rule(self, called: ast.expr) -> bool:
        """Tell whether a called function takes a rule as a parameter."""
        kind = get_proper_type(self._type(called))
        forms = kind.items if isinstance(kind, Overloaded) else [kind]
        return any(isinstance(one, CallableType) and any(map(_holds_rule, one.arg_types)) for one in forms)

    def _type(self, node: ast.expr) -> Type | None:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        found = find_by_location(self._checked, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        return self._types.get(found) if found else None


def check_modules(folder: Path, errors: bool = False) -> Iterator[Typed]:
    """Check a module, or all of a folder, and yield each with its types.

    Nothing is taken from mypy's cache, which keeps no types of expressions. A missing cache is begun for mypy itself.

    Args:
        folder: The folder, or one module.
        errors: Whether mypy may find errors in it.
    """
    sources, options = process_options(["--config-file", str(CONFIG), str(folder)])
    options.export_types = options.preserve_asts = True
    options.incremental = not Path(options.cache_dir).exists()
    result = build(sources, options)
    assert errors or not result.errors, result.errors
    below = {source.module for source in sources}
    for name, tree in result.files.items():
        if name in below:
            yield Typed(tree, result.types)


def _holds_rule(kind: Type | None) -> bool:
    if kind is None or (isinstance(kind, TypeAliasType) and kind.is_recursive):
        return False
    match get_proper_type(kind):
        case Instance(type=info) if info.fullname == LATER:
            return False
        case Instance(type=info, args=args):
            return (info.fullname == GENERATOR and _yields_rolls(args[0])) or any(map(_holds_rule, args))
        case UnionType(items=items) | TupleType(items=items):
            return any(map(_holds_rule, items))
    return False


def _yields_rolls(kind: Type) -> bool:
    proper = get_proper_type(kind)
    yielded = proper.items if isinstance(proper, UnionType) else [proper]
    return any(isinstance(one, Instance) and one.type.fullname == ASKED for one in map(get_proper_type, yielded))

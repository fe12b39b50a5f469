"""Readable signatures for the reference: types and defaults as the source writes them."""

from __future__ import annotations

import ast
import inspect
import re
from textwrap import dedent
from typing import Any

import msgspec
from docs.reference import shorten_type


class Text(str):
    """A text that a signature shows without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def write_signature(_app: Any, what: str, _name: str, found: Any, *_: Any) -> tuple[str, str] | None:
    """Write the signature of a function, method or struct; ``None`` leaves it to Sphinx."""
    try:
        if inspect.isclass(found) and issubclass(found, msgspec.Struct):
            return write_struct(found), ""
        function = inspect.unwrap(found.__init__ if inspect.isclass(found) else found)
        signature, noted = inspect.signature(function), read_source(function)
    except (TypeError, ValueError, OSError):
        return None
    parameters = [
        one.replace(annotation=_show(noted, name, one.empty), default=_show(noted, f"{name}=", one.default))
        for name, one in signature.parameters.items()
        if name not in ("self", "cls")
    ]
    shown = signature.replace(parameters=parameters, return_annotation=signature.empty)
    return str(shown), "" if what in ("class", "exception") else noted.get("return", "")


def write_struct(kind: type[msgspec.Struct]) -> str:
    """Write the fields of a struct with their types and defaults."""
    noted: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("affray."):
            noted |= read_source(base)
    fields = [
        f"{name}: {noted[name]}" + (f" = {noted[name + '=']}" if f"{name}=" in noted else "")
        for name in kind.__struct_fields__
        if name in noted
    ]
    named = [one.kind is one.KEYWORD_ONLY for one in inspect.signature(kind).parameters.values()]
    return f"({', '.join(['*', *fields] if fields and named and named[0] else fields)})"


def read_source(found: Any) -> dict[str, str]:
    """Read the types of parameters or fields by name, and their defaults by ``name=``, from the source."""
    (node,) = ast.parse(dedent(inspect.getsource(found))).body
    said: dict[str, ast.expr | None] = {}
    match node:
        case ast.ClassDef(body=body):
            for one in body:
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                    said |= {one.target.id: one.annotation, f"{one.target.id}=": one.value}
        case ast.FunctionDef(args=given, returns=returns) | ast.AsyncFunctionDef(args=given, returns=returns):
            positional = [*given.posonlyargs, *given.args]
            others = [one for one in (given.vararg, given.kwarg) if one is not None]
            said = {one.arg: one.annotation for one in (*positional, *given.kwonlyargs, *others)}
            last = positional[len(positional) - len(given.defaults) :]
            keyed = zip(given.kwonlyargs, given.kw_defaults, strict=True)
            for argument, default in (*zip(last, given.defaults, strict=True), *keyed):
                said[f"{argument.arg}="] = default
            said["return"] = returns
    return {name: shorten_type(ast.unparse(one)) for name, one in said.items() if one is not None}


def _show(noted: dict[str, str], name: str, otherwise: Any) -> Any:
    return Text(noted[name]) if name in noted else otherwise


def split_shared_fields(_app: Any, _what: str, _name: str, _found: Any, _options: Any, lines: list[str]) -> None:
    """Split a docstring line that describes several attributes into one line for each."""
    at = 0
    while at < len(lines):
        shared = re.match(r":ivar ((?:\w+, )+\w+): (.*)", lines[at])
        if shared:
            lines[at : at + 1] = [f":ivar {one}: {shared[2]}" for one in shared[1].split(", ")]
        at += 1

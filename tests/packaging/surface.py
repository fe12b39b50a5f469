"""The public names with their parameters, as lists that are kept; ``python -m tests.packaging.surface`` writes them."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

from msgspec import NODEFAULT, Struct

KEPT = Path(__file__).parent / "names"
MODULES = ("affray", "affray.client", "affray.rules", "affray.rules.odds")
"""The public modules."""


def list_public_names(module: str) -> str:
    """Return the public names of a module, one a line, each with the names of its parameters if it is called."""
    public = import_module(module)
    names: list[str] = public.__all__
    return "".join(f"{name}{_list_parameters(getattr(public, name))}\n" for name in names)


def _list_parameters(value: object) -> str:
    """Return a callable's parameters in brackets; ``=`` marks one that may be left out."""
    if not inspect.isroutine(value) and not isinstance(value, type):
        return ""
    if isinstance(value, type) and issubclass(value, Struct):  # some annotations of theirs name what is not imported
        fields, given = value.__struct_fields__, value.__struct_defaults__
        defaults = (NODEFAULT,) * (len(fields) - len(given)) + given
        said = [f"{name}{'' if one is NODEFAULT else '='}" for name, one in zip(fields, defaults, strict=True)]
        return f"({', '.join(said)})"
    try:
        parameters = inspect.signature(value).parameters.values()
    except ValueError:  # a class without a constructor of its own
        return ""
    marks: dict[object, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    said = []
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and "*" not in said and not any(part[0] == "*" for part in said):
            said.append("*")
        said.append(f"{marks.get(one.kind, '')}{one.name}{'' if one.default is one.empty else '='}")
    return f"({', '.join(said)})"


def main() -> None:
    """Write the list of each public module."""
    for module in MODULES:
        (KEPT / f"{module}.txt").write_text(list_public_names(module), "utf-8")


if __name__ == "__main__":
    main()

"""The digest of a rule system: a hash over all code and data that its rules consist of.

The digest begins with what the ruleset names, except its fighter, its presentation and other things that no rule
depends on. It follows the imports of the modules in which those rules are written. So it does not matter in which
package a rule lies, nor what its file is called.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from hashlib import sha256
from importlib.machinery import ModuleSpec
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec, resolve_name
from inspect import getclosurevars
from types import FunctionType, MethodType
from typing import NamedTuple

from msgspec import Struct

from .flow import Flow
from .ruleset import Ruleset

_BESIDE = frozenset({"title", "package", "version", "first_format", "fighter", "presentation", "library", "layout"})
"""Fields of a ruleset and of its encounters that no rule depends on, or that a log records by themselves."""

_TEXTS = frozenset({"book.toml", "odds.toml", "vocabulary.toml"})
"""Files that the engine reads by these names, to describe the rules."""

_STANDARD = sys.stdlib_module_names
_SHARED = ("affray.engine.kit", "affray.engine.rulesets")
"""The packages of the engine with rules in them; the others run rules, and know none."""

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#]+))", re.MULTILINE
)


class SourceFile(NamedTuple):
    """A file of code or data: its name, with its package, and its text. Lines end with a line feed."""

    name: str
    text: str


@cache
def digest_rules(ruleset: Ruleset) -> str:
    """Compute the SHA-256 over the rules of a system, as hex.

    It covers what the ruleset names, the modules of these rules with all that they import of rules, and data files.
    """
    lines, _ = _describe(ruleset)
    return digest_files([SourceFile("", "\n".join(lines)), *find_modules(ruleset), *find_data(ruleset)])


def digest_files(found: Iterable[SourceFile]) -> str:
    """Compute the SHA-256 over files by name and content, sorted by name, as hex."""
    total = sha256()
    for name, text in sorted(found):
        content = text.encode()
        total.update(f"{name}\n{len(content)}\n".encode() + content)
    return total.hexdigest()


@cache
def find_modules(ruleset: Ruleset) -> tuple[SourceFile, ...]:
    """Find the modules of the rules by their import names: those the ruleset names, and all that these import.

    Imports are followed in the packages of these modules, in the bundled systems and in the kit.
    """
    _, modules = _describe(ruleset)
    homes = {*_SHARED, *{module.partition(".")[0] for module in modules} - {"affray", "msgspec", *_STANDARD}}
    found: dict[str, str] = {}
    awaited = [*modules]
    while awaited:
        name = awaited.pop()
        if name not in found and _is_within(name, homes):
            found[name] = _read_module(name)
            awaited += _list_imports(name, found[name], homes)
    return tuple(SourceFile(*one) for one in sorted(found.items()))


def find_data(ruleset: Ruleset) -> tuple[SourceFile, ...]:
    """Find the data files: those in the ruleset's own folder, and in the folders of the modules of its rules."""
    specs = [_find(name) for name in (ruleset.package, *[one.name for one in find_modules(ruleset)])]
    folders = {spec.parent for spec in specs if spec and spec.parent}
    tops = [folder for folder in folders if not _is_within(folder, folders - {folder})]
    found = {file for top in tops for file in list_files(files(top), f"{top}/", (".toml",))}
    return tuple(sorted(file for file in found if file.name.rpartition("/")[2] not in _TEXTS))


def list_files(folder: Traversable, prefix: str, endings: tuple[str, ...] = (".py", ".toml")) -> Iterator[SourceFile]:
    """Yield each code and data file in a folder tree; names begin with ``prefix``."""
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from list_files(entry, f"{prefix}{entry.name}/", endings)
        elif entry.name.endswith(endings):
            yield SourceFile(prefix + entry.name, entry.read_text("utf-8"))


@cache
def _describe(ruleset: Ruleset) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the names and plain values in a ruleset, line by line, and the modules of its functions and types."""
    description = _Description()
    return tuple(description.describe(ruleset)), frozenset(description.modules)


class _Description:
    """The names and plain values in a ruleset, and the modules of its functions and types."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self._functions: set[FunctionType] = set()

    def describe(self, value: object) -> Iterator[str]:
        """Yield a line for each name and plain value in a value; collect the modules."""
        match value:
            case None | bool() | int() | float() | str() | bytes():
                yield repr(value)
            case type() | FunctionType():
                self.modules.add(value.__module__)
                yield f"{value.__module__}:{value.__qualname__}"
                if isinstance(value, FunctionType) and value not in self._functions:
                    self._functions.add(value)
                    yield from self.describe(getclosurevars(value).nonlocals)
            case partial():
                yield from self.describe((value.func, value.args, value.keywords))
            case MethodType():
                yield from self.describe((value.__func__, value.__self__))
            case Flow():
                yield from self.describe((value.initial, value.steps, value.forbidden))
            case Mapping():
                for key in sorted(value, key=str):
                    yield f"{key}:"
                    yield from self.describe(value[key])
            case set() | frozenset():
                yield from sorted(line for one in value for line in self.describe(one))
            case tuple() | list():
                yield f"{len(value)}:"
                for one in value:
                    yield from self.describe(one)
            case _:
                names = value.__struct_fields__ if isinstance(value, Struct) else getattr(value, "__dict__", ())
                yield from self.describe(type(value))
                yield from self.describe({name: getattr(value, name) for name in names if name not in _BESIDE})


def _is_within(name: str, homes: Iterable[str]) -> bool:
    return any(name == home or name.startswith(f"{home}.") for home in homes)


def _find(module: str) -> ModuleSpec | None:
    """Find a module; ``None`` if the name is that of an object in a module."""
    try:
        return find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None


def _is_module(package: str, name: str) -> bool:
    """Tell whether a name in a package is a module; of those that are loaded, Python knows it."""
    module = f"{package}.{name}"
    return module in sys.modules or (not hasattr(sys.modules.get(package), name) and _find(module) is not None)


def _read_module(name: str) -> str:
    """Read the source of a module; an empty text if it has none."""
    read = getattr(getattr(_find(name), "loader", None), "get_source", None)
    return (read(name) if read else None) or ""


def _list_imports(module: str, text: str, homes: Iterable[str]) -> Iterator[str]:
    """Yield the names of the modules that a module imports, or imports things from."""
    spec = _find(module)
    for origin, names, plain in _IMPORT.findall(text):
        things = [one.split()[0] for one in re.sub(r"#.*|[()]", "", names or plain).split(",") if one.strip()]
        if plain:
            yield from things
            continue
        base = resolve_name(origin, spec.parent if spec else None) if origin.startswith(".") else origin
        for thing in things:
            if not _is_within(base, homes):  # such as affray.rules, which only hands on what it imports
                yield getattr(getattr(sys.modules.get(base), thing, None), "__module__", None) or base
            else:
                yield f"{base}.{thing}" if _is_module(base, thing) else base

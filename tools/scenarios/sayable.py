"""List what a step can say in a system: every action and ruling with its parameters."""

from collections.abc import Iterator
from textwrap import wrap

from msgspec import inspect
from msgspec.structs import fields

from affray.engine.core.actions import Action, Ruling
from affray.engine.core.ruleset import Ruleset
from affray.tools.parse.forms import kinds_of, parts
from affray.tools.parse.intent_parser import manners

WIDTH = 114
HEAD = """
# All that can be done, as a step says it: what stands in brackets may be left out, and N is a number. Several people or
# things are joined with ";".
"""
RULED = """
# All that the game master can rule.
"""


def sayable(ruleset: Ruleset) -> str:
    """Return every action and ruling of a system, as comments at the end of a scenario file."""
    actions = [_describe_form("" if one.by_gm else "WHO ", one) for one in ruleset.actions.values()]
    rulings = [_describe_form("rule ", one) for one in ruleset.rulings.values()]
    others = "|".join(sorted(manners(ruleset)))
    also = [f"#   WHO {others} ACTION   # in another manner\n"] if others else []
    return "".join([HEAD, *actions, *also, RULED, *rulings])


def _describe_form(before: str, form: type[Action] | type[Ruling]) -> str:
    line = f"{before}{form.kind} {' '.join(_list_parameters(form))}".rstrip()
    return "".join(f"#   {one}\n" for one in wrap(f"{line}   # {form.says}", WIDTH, subsequent_indent="        "))


def _list_parameters(form: type[Action] | type[Ruling]) -> Iterator[str]:
    """Yield the parameters of an action or ruling, positional ones first."""
    known = {field.encode_name: field for field in fields(form)}
    for name in (*form.words, *(name for name in known if name not in form.words)):
        named = name not in form.words
        words = [word for kind in kinds_of(form)[name] for word in _of_kind(kind, "..." if named else name.upper())]
        one = f"{name}=" * named + "|".join(dict.fromkeys(words))
        yield one if known[name].required else f"[{one}]"


def _of_kind(kind: inspect.Type, otherwise: str) -> list[str]:
    match kind:
        case inspect.LiteralType():
            return [str(value) for value in kind.values if value != ""]
        case inspect.BoolType():
            return ["yes"]
        case inspect.IntType():
            return ["N"]
        case inspect.NoneType():
            return []
        case inspect.VarTupleType():
            words = [word for one in parts(kind.item_type) for word in _of_kind(one, otherwise)]
            return [f"{word};..." if word != "..." else word for word in words]
        case _:
            return [otherwise]

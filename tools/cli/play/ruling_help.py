"""Help on rulings in the conversation: their fields, and lines that work."""

from collections.abc import Iterator

from msgspec import inspect

from affray.engine.core.actions import Ruling
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.events import names_recorded
from affray.tools.parse.forms import kinds_of
from affray.tools.parse.ruling_values import values_of
from affray.tools.parse.typed_parameters import KINDS
from affray.tools.present.ruling_examples import RulingTrial, fields_of, find_example
from affray.tools.text.spelling_hints import nearest

from .completion_grammar import list_rulings

LIST_RULINGS = "? rule"
"""Line that lists the rulings that are possible now."""

WIDEST = 40
"""Width to which lines of rulings are padded, in columns."""

SHOWN = 6
"""Number of values of a field that are shown."""


def explain_ruling(fight: Fight, kind: str) -> Iterator[str]:
    """Yield the description of a ruling, its fields, and a line that works.

    Raises:
        Unusable: the ruling does not exist.
    """
    form = fight.ruleset.rulings.get(kind)
    if form is None:
        raise Unusable(f"there is no ruling {kind}{nearest(kind, fight.ruleset.rulings)}", "ruling")
    yield f"{kind}  – {form.says}"
    for field in fields_of(form):
        name = field.encode_name
        said = name.upper() if name in form.words else f"{name}=…"
        values = list(values_of(fight, form, name, {}))
        among = ", ".join([*values[:SHOWN], *["…"][: len(values) > SHOWN]]) or _kind(form, name)
        yield f"  {said}  {among}{'' if field.required else ' (may be left out)'}"
    line, works, _ = find_example(fight, kind)
    if line:
        yield f"  {'such as' if works else 'not now, but written as'}: {line}"


def _kind(form: type[Ruling], name: str) -> str:
    """Describe the values of a field that has no list of values."""
    kinds = kinds_of(form)[name]
    if any(isinstance(kind, inspect.StructType) for kind in kinds):
        return "as in an encounter file"
    what = "a number" if any(isinstance(kind, inspect.IntType) for kind in kinds) else "a text"
    named = names_recorded(form).get(name, "")
    return KINDS.get(named, what)


def rulings_now(fight: Fight) -> Iterator[str]:
    """Yield the rulings that would be accepted now, by group, then all others.

    Each of the former has a line that works.
    """
    trial, words = RulingTrial(fight), fight.ruleset.vocabulary
    groups: dict[str, list[tuple[str, str]]] = {}
    others = []
    for form in list_rulings(fight):
        line, works, _ = find_example(fight, form.kind, (), trial)
        if works:
            groups.setdefault(words.rulings[form.kind].group, []).append((line, form.says))
        else:
            others.append(form.kind)
    width = min(WIDEST, max((len(line) for rows in groups.values() for line, _ in rows), default=0))
    for group, rows in sorted(groups.items()):
        yield group
        yield from (f"  {line:{width}}  {says}" for line, says in rows)
    if others:
        yield f"not now: {', '.join(others)}"

"""What a ruling is, explained in a conversation: its fields, and a line that works."""

from collections.abc import Iterator

from msgspec import inspect

from affray.engine.core.actions import Ruling
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.events import names_recorded
from affray.tools.parse.forms import kinds_of
from affray.tools.parse.ruling_values import values_of
from affray.tools.parse.typed_parameters import KINDS
from affray.tools.present.ruling_examples import Trial, example, fields_of
from affray.tools.text.spelling_hints import nearest

from .completion_grammar import list_rulings

LIST_RULINGS = "? rule"
"""What lists the rulings that make sense now in a conversation."""

WIDEST = 40
"""To so many columns the lines of rulings are padded."""

SHOWN = 6
"""How many values of a field are shown."""


def explained(fight: Fight, kind: str) -> Iterator[str]:
    """Yield what a ruling does, each of its fields, and a line that works.

    Raises:
        Unusable: there is no such ruling.
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
    line, works, _ = example(fight, kind)
    if line:
        yield f"  {'such as' if works else 'not now, but written as'}: {line}"


def _kind(form: type[Ruling], name: str) -> str:
    """Say what a field takes of which no values are listed."""
    kinds = kinds_of(form)[name]
    if any(isinstance(kind, inspect.StructType) for kind in kinds):
        return "as in an encounter file"
    what = "a number" if any(isinstance(kind, inspect.IntType) for kind in kinds) else "a text"
    named = names_recorded(form).get(name, "")
    return KINDS.get(named, what)


def rulings_now(fight: Fight) -> Iterator[str]:
    """Yield the rulings that would be accepted now by their groups, each with a line that works; then all others."""
    trial, words = Trial(fight), fight.ruleset.vocabulary
    groups: dict[str, list[tuple[str, str]]] = {}
    others = []
    for form in list_rulings(fight):
        line, works, _ = example(fight, form.kind, (), trial)
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

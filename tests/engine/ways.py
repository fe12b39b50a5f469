"""Declarations of all combatants, legal or not: the parameters of every action, from its struct."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import msgspec
from msgspec import Raw, inspect

from affray.engine import Fight
from affray.engine.core.actions import Action
from affray.events import Declared, names

MOST = 60
"""Of each kind of action so many ways are tried for each actor."""


def everything(fight: Fight) -> Iterator[Declared]:
    """Yield every action of all combatants in every declarable manner, if its form can be filled in."""
    ruleset, everybody = fight.ruleset, tuple(fight.table.draft.combatants)
    for kind, action in ruleset.actions.items():
        for who in ("gm",) if action.by_gm else everybody:
            for params in islice(ways(action, fight), MOST):
                for manner in ruleset.turns.declarable:
                    yield Declared(actor=who, kind=kind, params=Raw(msgspec.json.encode(params)), manner=manner)


def ways(action: type[Action], fight: Fight) -> Iterator[dict[str, Any]]:
    """Yield ways to fill in the required fields of an action; none if one is free text."""
    told = inspect.type_info(action)
    assert isinstance(told, inspect.StructType)
    required = [field for field in told.fields if field.required]
    values = [_values(action, field, fight) for field in required]
    for chosen in product(*values):
        yield dict(zip((field.encode_name for field in required), chosen, strict=True))


def _values(action: type[Action], field: inspect.Field, fight: Fight) -> tuple[Any, ...]:
    """Return what a field might be; nothing where it can be any text, or any number of people or things."""
    draft = fight.table.draft
    named = names(action).get(field.name)
    if named in ("combatant", "item", "thing"):
        known = tuple(draft.combatants if named == "combatant" else draft.items)
        return known if isinstance(field.type, inspect.Metadata) else ()
    if isinstance(field.type, inspect.LiteralType):
        return tuple(field.type.values)
    if isinstance(field.type, inspect.IntType):
        return (1, 2)
    return (True, False) if isinstance(field.type, inspect.BoolType) else ()

"""Types for the text fields of events, which say what a text names.

Every text field has one of these types. Each is a plain string on disk and in memory; what it names stands in its type
alone, where Python (``names``), JSON Schema (``x-names``) and TypeScript (the alias) read it. Nobody has to find out
from the text, or from the field's own name, what is meant.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct, inspect
from msgspec.structs import fields

KEY, NEW = "x-names", "x-new"
"""The keywords of JSON Schema that say what a text names, and that it may be what is not in the fight yet."""


def _named(what: str, *, new: bool = False) -> Meta:
    return Meta(extra_json_schema={KEY: what, NEW: True} if new else {KEY: what})


Id = str
"""Any of the ids below, where a function takes several kinds."""

# --- ids: each names one thing of the fight ---

CombatantId = Annotated[str, _named("combatant")]
"""A combatant; ``gm`` for the game master where somebody acts, asks or is asked."""

NewCombatantId = Annotated[str, _named("combatant", new=True)]
"""Somebody who may yet join."""

ItemId = Annotated[str, _named("item")]
"""A thing: its first owner's id, a dot, and its own name."""

ThingName = Annotated[str, _named("thing")]
"""A thing by its id, or in words where it is no item of the fight."""

PlaceId = Annotated[str, _named("place")]
"""A zone by its name, a hex or a square by its coordinates."""

NewPlaceId = Annotated[str, _named("place", new=True)]
"""A place that may yet be drawn."""

RelationId = Annotated[str, _named("relation")]
"""A relation, such as ``melee-2``."""

SeveralId = Annotated[str, _named("several")]
"""One combatant or several: a combatant, a side, or ``*`` for everybody."""

SlotId = Annotated[str, _named("slot")]
"""A slot of the turn order: the combatant, or the group, that has it."""

SideName = Annotated[str, _named("side")]
"""A side, as an encounter file calls it."""

PendingId = Annotated[str, _named("pending")]
"""What is declared and unresolved: round, actor, and its kind and number in that round, parted by ``/``."""

RollId = Annotated[str, _named("roll")]
"""A roll: the pending action it belongs to, and what it is for, parted by ``/``."""

QuestionId = Annotated[str, _named("question")]
"""A question that somebody is asked; a path like that of a roll."""

WindowId = Annotated[str, _named("window")]
"""A moment in which others may interrupt; a path like that of a roll."""

ClockId = Annotated[str, _named("clock")]
"""A clock: its name, and behind ``/`` whose it is."""

SubjectId = Annotated[str, _named("subject")]
"""Whatever a note can be about: a combatant, an item, a side, a relation, or ``fight``."""

SourceId = Annotated[str, _named("source")]
"""What a number or a condition comes from: an id, and where it is part of that, behind a dot, its name."""

# --- words of the rules: each is declared by the rule system ---

ActionName = Annotated[str, _named("action")]
ConditionName = Annotated[str, _named("condition")]
CounterName = Annotated[str, _named("counter")]
DieKind = Annotated[str, _named("die")]
FateName = Annotated[str, _named("fate")]
ItemKind = Annotated[str, _named("item kind")]
MannerName = Annotated[str, _named("manner")]
MarkName = Annotated[str, _named("mark")]
OptionName = Annotated[str, _named("option")]
OutcomeName = Annotated[str, _named("outcome")]
PhaseName = Annotated[str, _named("phase")]
PoolName = Annotated[str, _named("pool")]
PositionName = Annotated[str, _named("position")]
"""Where a thing is: in which hand, on the belt, worn; or the place it lies at."""
PurposeName = Annotated[str, _named("purpose")]
"""What a roll is for; behind a colon the combatant it is about, where that is somebody else."""
RelationKind = Annotated[str, _named("relation kind")]
RoleName = Annotated[str, _named("role")]
RulingName = Annotated[str, _named("ruling")]
StatName = Annotated[str, _named("stat")]
TopicName = Annotated[str, _named("topic")]
"""What a question is about; behind a colon whom or what, where there may be several."""
TraitName = Annotated[str, _named("trait")]
TriggerName = Annotated[str, _named("trigger")]
ViewName = Annotated[str, _named("view")]

Clause = Annotated[str, _named("clause")]
"""The number of a rule, such as ``VES-026``."""

# --- what people wrote: it names nothing, whatever it says ---

Words = Annotated[str, _named("words")]
"""Free words of whoever gave the command or wrote the encounter file; as visible as the event that carries them."""

Person = Annotated[str, _named("person")]
"""Who sits at the table, as they call themselves."""

Text = Annotated[str, _named("text")]
"""A text that the engine or the rules made for people to read."""

CommandId = Annotated[str, _named("command")]
"""A command, as whoever sent it called it."""

Hash = Annotated[str, _named("hash")]
"""Hexadecimal digits of a hash, salt or seed."""


@cache
def naming(struct: type[Struct], what: str, *, new: bool = True) -> tuple[str, ...]:
    """Return the fields of a struct whose texts name something of a kind, such as ``combatant``.

    Args:
        what: The kind.
        new: Whether also those that may name what is not in the fight yet.
    """
    return tuple(name for name, (kind, fresh) in _told(struct).items() if kind == what and (new or not fresh))


@cache
def names(struct: type[Struct]) -> Mapping[str, str]:
    """Return per field of a struct what its texts name; fields without any are left out.

    Of a table it is what its values name, or else its keys.
    """
    return {name: what for name, (what, _) in _told(struct).items()}


@cache
def names_recorded(struct: type[Struct]) -> Mapping[str, str]:
    """Return the same per field as it is recorded, which may be called otherwise in Python."""
    named = names(struct)
    return {field.encode_name: named[field.name] for field in fields(struct) if field.name in named}


@cache
def _told(struct: type[Struct]) -> Mapping[str, tuple[str, bool]]:
    """Return per field what its texts name, and whether that may be new."""
    told = inspect.type_info(struct)
    assert isinstance(told, inspect.StructType)
    found = ((field.name, next(_schemas(field.type), None)) for field in told.fields)
    return {name: (schema[KEY], schema.get(NEW, False)) for name, schema in found if schema is not None}


def _schemas(kind: inspect.Type) -> Iterator[dict[str, Any]]:
    match kind:
        case inspect.Metadata(extra_json_schema=dict() as schema) if KEY in schema:
            yield schema
        case inspect.Metadata():
            yield from _schemas(kind.type)
        case inspect.VarTupleType() | inspect.ListType():
            yield from _schemas(kind.item_type)
        case inspect.TupleType():
            yield from (schema for one in kind.item_types for schema in _schemas(one))
        case inspect.UnionType():
            yield from (schema for one in kind.types for schema in _schemas(one))
        case inspect.DictType():
            yield from _schemas(kind.value_type)
            yield from _schemas(kind.key_type)
        case _:
            pass

"""Types for the text fields of events: each says what its text names.

Each is a plain string on disk and in memory. The type alone holds its meaning, for Python (``names``), JSON Schema
(``x-names``) and TypeScript (the alias). No reader has to guess it from the text or the field's name.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct, inspect
from msgspec.structs import fields

KEY, NEW = "x-names", "x-new"
"""The JSON Schema keywords for the kind of thing that a text names, and for things not in the fight yet."""


def _names_kind(what: str, *, new: bool = False) -> Meta:
    return Meta(extra_json_schema={KEY: what, NEW: True} if new else {KEY: what})


Id = str
"""Any of the ids below, where a function takes several kinds."""

# --- ids: each names one thing of the fight ---

CombatantId = Annotated[str, _names_kind("combatant")]
"""A combatant; ``gm`` for the game master where the field names an actor or a recipient."""

NewCombatantId = Annotated[str, _names_kind("combatant", new=True)]
"""A combatant that may join later."""

ItemId = Annotated[str, _names_kind("item")]
"""A thing: its first owner's id, a dot, and its own name."""

ThingName = Annotated[str, _names_kind("thing")]
"""A thing by its id, or in words where it is no item of the fight."""

PlaceId = Annotated[str, _names_kind("place")]
"""A zone by its name, a hex or a square by its coordinates."""

NewPlaceId = Annotated[str, _names_kind("place", new=True)]
"""A place that may be added to the map later."""

RelationId = Annotated[str, _names_kind("relation")]
"""A relation, such as ``melee-2``."""

SeveralId = Annotated[str, _names_kind("several")]
"""One combatant or several: a combatant, a side, or ``*`` for all."""

SlotId = Annotated[str, _names_kind("slot")]
"""A slot of the turn order: the combatant, or the group, that has it."""

SideName = Annotated[str, _names_kind("side")]
"""A side, as an encounter file calls it."""

PendingId = Annotated[str, _names_kind("pending")]
"""A pending action: round, actor, and its kind and number in that round, separated by ``/``."""

RollId = Annotated[str, _names_kind("roll")]
"""A roll: its pending action and its purpose, separated by ``/``."""

QuestionId = Annotated[str, _names_kind("question")]
"""A question to a combatant or the game master; a path like that of a roll."""

WindowId = Annotated[str, _names_kind("window")]
"""A window, in which others may interrupt; a path like that of a roll."""

SubjectId = Annotated[str, _names_kind("subject")]
"""The subject of a mark: a combatant, an item, a side, a relation, or ``fight``."""

SourceId = Annotated[str, _names_kind("source")]
"""The source of a number or a condition: an id, a combatant's value after a dot, or a word of the rules."""

# --- words of the rules: each is declared by the rule system ---

ActionName = Annotated[str, _names_kind("action")]
ClockName = Annotated[str, _names_kind("clock")]
ConditionName = Annotated[str, _names_kind("condition")]
CounterName = Annotated[str, _names_kind("counter")]
DieKind = Annotated[str, _names_kind("die")]
FateName = Annotated[str, _names_kind("fate")]
ItemKind = Annotated[str, _names_kind("item kind")]
MannerName = Annotated[str, _names_kind("manner")]
MarkName = Annotated[str, _names_kind("mark")]
MarkTopic = Annotated[str, _names_kind("mark topic")]
"""The thing that a mark is about; the rule system declares its kind with the mark."""
NoteKind = Annotated[str, _names_kind("note")]
"""A kind of note that rules make, with its parts."""
EndingName = Annotated[str, _names_kind("ending")]
"""The reason why a fight is over."""
OptionName = Annotated[str, _names_kind("option")]
OutcomeName = Annotated[str, _names_kind("outcome")]
PhaseName = Annotated[str, _names_kind("phase")]
PoolName = Annotated[str, _names_kind("pool")]
PositionName = Annotated[str, _names_kind("position")]
"""The position of a thing: in a hand, on the belt, worn; or its place."""
PurposeName = Annotated[str, _names_kind("purpose")]
"""The purpose of a roll; after a colon the combatant it is about, if that is not the roller."""
RelationKind = Annotated[str, _names_kind("relation kind")]
RoleName = Annotated[str, _names_kind("role")]
RulingName = Annotated[str, _names_kind("ruling")]
StatName = Annotated[str, _names_kind("stat")]
TopicName = Annotated[str, _names_kind("topic")]
"""The topic of a question; after a colon its subject, where there may be several."""
TraitName = Annotated[str, _names_kind("trait")]
TriggerName = Annotated[str, _names_kind("trigger")]
ViewName = Annotated[str, _names_kind("view")]

Clause = Annotated[str, _names_kind("clause")]
"""The number of a rule, such as ``VES-026``."""

# --- free text: it names nothing ---

Words = Annotated[str, _names_kind("words")]
"""Free text of a command's sender or an encounter's author; as visible as the event that carries it."""

Person = Annotated[str, _names_kind("person")]
"""A person at the table, by the name they chose."""

Text = Annotated[str, _names_kind("text")]
"""A text for people, made by the engine or the rules."""

CommandId = Annotated[str, _names_kind("command")]
"""The id of a command, chosen by its sender."""

Hash = Annotated[str, _names_kind("hash")]
"""Hexadecimal digits of a hash, salt or seed."""


@cache
def list_naming_fields(struct: type[Struct], what: str, *, new: bool = True) -> tuple[str, ...]:
    """List a struct's fields that name a kind of thing, such as ``combatant``.

    Args:
        what: The kind.
        new: Whether to include fields that may name things not in the fight yet.
    """
    return tuple(
        name for name, (kind, fresh) in _kinds_of_fields(struct).items() if kind == what and (new or not fresh)
    )


@cache
def names(struct: type[Struct]) -> Mapping[str, str]:
    """Return the kind of thing that each field names; others are left out.

    For a table it is the kind of its values, or else of its keys.
    """
    return {name: what for name, (what, _) in _kinds_of_fields(struct).items()}


@cache
def names_recorded(struct: type[Struct]) -> Mapping[str, str]:
    """Return the same as ``names``, by the fields' names in the log."""
    named = names(struct)
    return {field.encode_name: named[field.name] for field in fields(struct) if field.name in named}


@cache
def _kinds_of_fields(struct: type[Struct]) -> Mapping[str, tuple[str, bool]]:
    """Return each field's kind of thing, and whether the thing may be new."""
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

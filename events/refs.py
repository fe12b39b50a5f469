"""Types for the text fields of events: each says what its text names.

Each is a plain string on disk and in memory. Its meaning stands in the type alone, where Python (``names``), JSON
Schema (``x-names``) and TypeScript (the alias) read it. No reader has to guess it from the text or the field's name.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct, inspect
from msgspec.structs import fields

KEY, NEW = "x-names", "x-new"
"""The JSON Schema keywords for the kind of thing that a text names, and for things not in the fight yet."""


def _named(what: str, *, new: bool = False) -> Meta:
    return Meta(extra_json_schema={KEY: what, NEW: True} if new else {KEY: what})


Id = str
"""Any of the ids below, where a function takes several kinds."""

# --- ids: each names one thing of the fight ---

CombatantId = Annotated[str, _named("combatant")]
"""A combatant; ``gm`` for the game master where the field names an actor or a recipient."""

NewCombatantId = Annotated[str, _named("combatant", new=True)]
"""A combatant that may join later."""

ItemId = Annotated[str, _named("item")]
"""A thing: its first owner's id, a dot, and its own name."""

ThingName = Annotated[str, _named("thing")]
"""A thing by its id, or in words where it is no item of the fight."""

PlaceId = Annotated[str, _named("place")]
"""A zone by its name, a hex or a square by its coordinates."""

NewPlaceId = Annotated[str, _named("place", new=True)]
"""A place that may be added to the map later."""

RelationId = Annotated[str, _named("relation")]
"""A relation, such as ``melee-2``."""

SeveralId = Annotated[str, _named("several")]
"""One combatant or several: a combatant, a side, or ``*`` for everybody."""

SlotId = Annotated[str, _named("slot")]
"""A slot of the turn order: the combatant, or the group, that has it."""

SideName = Annotated[str, _named("side")]
"""A side, as an encounter file calls it."""

PendingId = Annotated[str, _named("pending")]
"""A pending action: round, actor, and its kind and number in that round, parted by ``/``."""

RollId = Annotated[str, _named("roll")]
"""A roll: the pending action it belongs to, and its purpose, parted by ``/``."""

QuestionId = Annotated[str, _named("question")]
"""A question to a combatant or the game master; a path like that of a roll."""

WindowId = Annotated[str, _named("window")]
"""A window, in which others may interrupt; a path like that of a roll."""

ClockId = Annotated[str, _named("clock")]
"""A clock: its name, and behind ``/`` its owner."""

SubjectId = Annotated[str, _named("subject")]
"""The subject of a mark: a combatant, an item, a side, a relation, or ``fight``."""

SourceId = Annotated[str, _named("source")]
"""The source of a number or a condition: an id, and for a part of that thing a dot and the part's name."""

# --- words of the rules: each is declared by the rule system ---

ActionName = Annotated[str, _named("action")]
ConditionName = Annotated[str, _named("condition")]
CounterName = Annotated[str, _named("counter")]
DieKind = Annotated[str, _named("die")]
FateName = Annotated[str, _named("fate")]
ItemKind = Annotated[str, _named("item kind")]
MannerName = Annotated[str, _named("manner")]
MarkName = Annotated[str, _named("mark")]
NoteKind = Annotated[str, _named("note")]
"""A kind of note that rules make, with its parts."""
EndingName = Annotated[str, _named("ending")]
"""The reason why a fight is over."""
OptionName = Annotated[str, _named("option")]
OutcomeName = Annotated[str, _named("outcome")]
PhaseName = Annotated[str, _named("phase")]
PoolName = Annotated[str, _named("pool")]
PositionName = Annotated[str, _named("position")]
"""The position of a thing: in which hand, on the belt, worn; or the place it lies at."""
PurposeName = Annotated[str, _named("purpose")]
"""The purpose of a roll; behind a colon the combatant it is about, where that is not the roller."""
RelationKind = Annotated[str, _named("relation kind")]
RoleName = Annotated[str, _named("role")]
RulingName = Annotated[str, _named("ruling")]
StatName = Annotated[str, _named("stat")]
TopicName = Annotated[str, _named("topic")]
"""The topic of a question; behind a colon its subject, where there may be several."""
TraitName = Annotated[str, _named("trait")]
TriggerName = Annotated[str, _named("trigger")]
ViewName = Annotated[str, _named("view")]

Clause = Annotated[str, _named("clause")]
"""The number of a rule, such as ``VES-026``."""

# --- free text: it names nothing ---

Words = Annotated[str, _named("words")]
"""Free text of a command's sender or an encounter's author; as visible as the event that carries it."""

Person = Annotated[str, _named("person")]
"""A person at the table, by the name they chose."""

Text = Annotated[str, _named("text")]
"""A text for people, made by the engine or the rules."""

CommandId = Annotated[str, _named("command")]
"""The id of a command, chosen by its sender."""

Hash = Annotated[str, _named("hash")]
"""Hexadecimal digits of a hash, salt or seed."""


@cache
def naming(struct: type[Struct], what: str, *, new: bool = True) -> tuple[str, ...]:
    """List a struct's fields that name a kind of thing, such as ``combatant``.

    Args:
        what: The kind.
        new: Whether to include fields that may name things not in the fight yet.
    """
    return tuple(name for name, (kind, fresh) in _told(struct).items() if kind == what and (new or not fresh))


@cache
def names(struct: type[Struct]) -> Mapping[str, str]:
    """Return the kind of thing that each field names; others are left out.

    For a table it is the kind of its values, or else of its keys.
    """
    return {name: what for name, (what, _) in _told(struct).items()}


@cache
def names_recorded(struct: type[Struct]) -> Mapping[str, str]:
    """Return the same as ``names``, by the fields' names in the log."""
    named = names(struct)
    return {field.encode_name: named[field.name] for field in fields(struct) if field.name in named}


@cache
def _told(struct: type[Struct]) -> Mapping[str, tuple[str, bool]]:
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

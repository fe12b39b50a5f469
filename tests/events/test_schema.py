"""The published schema describes every line that is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given

from affray.events import EVENTS, FORMAT, Event, Noted, build_schema, seal
from tests.engine.fights import NAME, Plan, fights, play_into_store
from tests.events.strategies import events

SCHEMA = build_schema()
NAMED = "#/$defs/"
KINDS: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
}


def find_schema_faults(value: Any, told: dict[str, Any], where: str = "$") -> Iterator[str]:
    """Yield where a value does not fit its schema: a small reader of the few words our schema uses."""
    if "$ref" in told:
        told = SCHEMA["$defs"][told["$ref"].removeprefix(NAMED)]
    if "anyOf" in told:
        yield from any_of(value, told, where)
        return
    kind = told.get("type")
    if kind is not None and (not isinstance(value, KINDS[kind]) or (kind == "integer" and isinstance(value, bool))):
        yield f"{where}: {value!r} is no {kind}"
        return
    if "enum" in told and value not in told["enum"]:
        yield f"{where}: {value!r} is none of {told['enum']}"
    if kind == "object":
        yield from object_faults(value, told, where)
    elif kind == "array":
        yield from array_faults(value, told, where)


def any_of(value: Any, told: dict[str, Any], where: str) -> Iterator[str]:
    """Follow the discriminator where there is one; otherwise one of the ways must fit."""
    mapping = told.get("discriminator", {}).get("mapping")
    if mapping is not None:
        named = value.get(told["discriminator"]["propertyName"])
        yield from (
            find_schema_faults(value, {"$ref": mapping[named]}, where) if named in mapping else [f"{where}: {named!r}"]
        )
    elif all(list(find_schema_faults(value, one, where)) for one in told["anyOf"]):
        yield f"{where}: {value!r} fits none of {told['anyOf']}"


def object_faults(value: dict[str, Any], told: dict[str, Any], where: str) -> Iterator[str]:
    """Every field must be described, and every one that is required be there."""
    described = told.get("properties", {})
    yield from (f"{where}: {name} is missing" for name in told.get("required", ()) if name not in value)
    for name, one in value.items():
        inner = described.get(name, told.get("additionalProperties"))
        if isinstance(inner, dict):
            yield from find_schema_faults(one, inner, f"{where}.{name}")
        elif name not in described:
            yield f"{where}: {name} is not described"


def array_faults(value: list[Any], told: dict[str, Any], where: str) -> Iterator[str]:
    """Each entry must fit the schema of its place."""
    places = told.get("prefixItems", ())
    if places and len(value) != len(places):
        yield f"{where}: {len(value)} entries, not {len(places)}"
    for nth, one in enumerate(value):
        inner = places[nth] if nth < len(places) else told.get("items")
        if isinstance(inner, dict):
            yield from find_schema_faults(one, inner, f"{where}[{nth}]")


def faults_of(line: bytes) -> list[str]:
    """Return everything that is wrong with a line."""
    return list(find_schema_faults(msgspec.json.decode(line), SCHEMA))


@given(fights(most=30))
def test_every_line_of_a_log_fits_the_schema(plan: Plan) -> None:
    """Generated fights write nothing that the schema does not describe."""
    _, store = play_into_store(plan)
    assert [fault for line in store.read(NAME) for fault in faults_of(line)] == []


@given(events)
def test_every_event_there_could_be_fits_the_schema(event: Event) -> None:
    """With any field values."""
    _, (line,) = seal([event], after=0, previous="", time="t", who="w", cause="c")
    assert faults_of(line) == []


@pytest.mark.parametrize("type_", EVENTS, ids=lambda type_: type_.__name__)
def test_every_type_of_event_is_defined_with_all_its_fields(type_: type[Event]) -> None:
    """And its description is the one of the code."""
    defined = SCHEMA["$defs"][type_.__name__]
    fields = {field.encode_name for field in msgspec.structs.fields(type_)}
    assert defined["properties"].keys() == {"type", *fields}
    assert defined["properties"]["type"]["enum"] == [type_.__name__]
    assert defined["description"]


def test_the_schema_says_which_format_it_describes() -> None:
    """So that a reader of another version notices."""
    assert SCHEMA["title"] == f"A line of an Affray log, format {FORMAT}"
    assert SCHEMA["$schema"].startswith("https://json-schema.org/")


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        (b'"text":"x"', b'"text":4', "$.event.text: 4 is no string"),
        (b'"Noted","text":"x"', b'"UndoDeclined"', "$.event: request is missing"),
        (b'"Noted"', b'"Sang"', "$.event: 'Sang'"),
        (b'"position":1', b'"position":true', "$.position: True is no integer"),
    ],
)
def test_what_is_no_line_does_not_fit(before: bytes, after: bytes, fault: str) -> None:
    """The check above would notice a wrong type, a missing field, an unknown event."""
    _, (line,) = seal([Noted(text="x")], after=0, previous="", time="t", who="w", cause="c")
    assert fault in faults_of(line.replace(before, after))

"""The generated files of the JavaScript client match the present structs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from affray.events import EVENTS
from affray.tools.clients import FOLDER, generate_files
from tests.clients.node import ask_script
from tests.tools.program import affray

AGAIN = "is not what the structs say now; write it anew with: python -m affray.tools.clients"


@pytest.mark.parametrize("name", sorted(generate_files()))
def test_a_generated_file_is_what_the_structs_say(name: str) -> None:
    """After a change of an event or the state they are regenerated; the diff shows the clients' view."""
    assert (FOLDER / name).read_text("utf-8") == generate_files()[name], f"tools/page/affray/{name} {AGAIN}"


def test_the_program_prints_the_types(tmp_path: Path) -> None:
    """For a front-end in another repository; no system has types of its own."""
    assert affray(tmp_path, "schema", "--typescript").out == generate_files()["types.d.ts"]
    refused = affray(tmp_path, "schema", "vestige", "--typescript")
    assert (refused.code, refused.out) == (2, "")
    assert "the same for every system" in refused.err


def test_every_event_has_a_type_with_all_its_fields() -> None:
    """And nothing that is always there is optional, nor the other way round."""
    types = generate_files()["types.d.ts"]
    for event in EVENTS:
        (body,) = re.findall(rf"^export interface {event.__name__} {{\n(.*?)^}}", types, re.DOTALL | re.MULTILINE)
        fields = re.findall(r"^  (\w+)(\??): ", body, re.MULTILINE)
        expected = [("type", "")]
        expected += [(one.encode_name, "" if one.required else "?") for one in msgspec.structs.fields(event)]
        assert fields == expected
        assert f"  | {event.__name__}" in types


def test_the_schema_defines_all_that_the_types_do() -> None:
    """One name, one definition."""
    files = generate_files()
    named = set(re.findall(r"^export interface (\w+)", files["types.d.ts"], re.MULTILINE))
    assert named == set(json.loads(files["schema.json"])["$defs"])


def test_the_fold_knows_every_event() -> None:
    """An event without a handler would stop every client."""
    handled = ask_script("handlers.mjs", None)
    assert handled == sorted(event.__name__ for event in EVENTS), "tools/page/affray/fold.js must fold every event"

"""Files of the JavaScript client that are generated from the Python structs."""

import json
from pathlib import Path

import msgspec

import affray.tools
from affray.events import EVENTS, FORMAT

from .shapes import shapes
from .structs import ROOTS
from .typescript import typescript

(_TOOLS,) = affray.tools.__path__
FOLDER = Path(_TOOLS, "page", "affray")
"""Folder of the generated files."""


def generate_files() -> dict[str, str]:
    """Generate the content of each file, by file name."""
    return {"shapes.js": shapes(), "types.d.ts": typescript(), "schema.json": generate_schema()}


def generate_schema() -> str:
    """Generate the JSON Schema of all structs that a client reads and sends."""
    _, definitions = msgspec.json.schema_components((*EVENTS, *ROOTS), ref_template="#/$defs/{name}")
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"What Affray writes and reads, format {FORMAT}",
        "$defs": definitions,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"

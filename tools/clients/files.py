"""The files of the JavaScript client that are made from the Python structs, and kept beside it."""

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
"""Where they are kept."""


def made() -> dict[str, str]:
    """Return what each file must hold, by its name."""
    return {"shapes.js": shapes(), "types.d.ts": typescript(), "schema.json": schema()}


def schema() -> str:
    """Return the JSON Schema of everything a client reads and sends; a definition each."""
    _, definitions = msgspec.json.schema_components((*EVENTS, *ROOTS), ref_template="#/$defs/{name}")
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"What Affray writes and reads, format {FORMAT}",
        "$defs": definitions,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"

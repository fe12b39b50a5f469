"""The JSON Schema of a line of a log."""

from typing import Any

import msgspec

from .chain import FORMAT
from .envelope import Recorded


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one recorded event, with a definition for each type of event."""
    (reference,), definitions = msgspec.json.schema_components((Recorded,), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of an Affray log, format {FORMAT}",
        **reference,
        "$defs": definitions,
    }

"""Faults of a system's settings: their types, their defaults and their descriptions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import msgspec

from affray.engine.core.ruleset import Ruleset
from affray.engine.system_check import SystemFault
from affray.tools.book.settings import list_settings


def find_setting_faults(ruleset: Ruleset) -> Iterator[SystemFault]:
    """Yield the settings with a wrong type or default, and those without a description."""
    try:
        settings = list_settings(ruleset)
    except TypeError as error:  # a bound that does not fit the type
        yield _build_fault(ruleset, "", f"the type of a setting is impossible: {error}", "Annotated[int, Meta(ge=1)]")
        return
    for field in msgspec.structs.fields(ruleset.config):
        if field.default is not msgspec.NODEFAULT:
            try:
                msgspec.convert({field.encode_name: msgspec.to_builtins(field.default)}, ruleset.config)
            except msgspec.ValidationError as error:
                reason = str(error).partition(" - at ")[0]
                message = f"the default of the setting {field.name} does not fit its type: {reason}"
                yield _build_fault(ruleset, field.name, message, "a default of that type, within its bounds")
    for one in settings:
        if not one.says:
            message = f"the docstring of {ruleset.config.__name__} does not describe the setting {one.key}"
            yield _build_fault(ruleset, "", message, f"{one.key}: … under Attributes:")


def _build_fault(ruleset: Ruleset, field: str, message: str, instead: str) -> SystemFault:
    """Build a fault at a field of the settings, or at their struct."""
    lines, first = inspect.getsourcelines(ruleset.config)
    ahead = next((nth for nth, line in enumerate(lines) if field and re.match(rf"\s+{field}\s*:.*=", line)), 0)
    file = inspect.getsourcefile(ruleset.config) or ""
    return SystemFault(kind="word", message=message, file=file, line=first + ahead, instead=instead)

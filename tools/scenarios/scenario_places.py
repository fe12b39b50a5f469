"""Find the line of a scenario file that an error is about."""

import re
from pathlib import Path
from typing import Any

from affray.engine.core.ids import id_of
from affray.tools.parse.encounter_file import line_of, read_encounter
from affray.tools.parse.faults import Fault
from affray.tools.scenarios.scenario_file import Scenario
from affray.tools.scenarios.scenario_run import Failure
from affray.tools.scenarios.step_text import extents

_UNKNOWN = re.compile(r"unknown field ([^;]+)")
_COMBATANT = re.compile(r"combatant\[(\d+)\]\.?(.*)")


def line_of_failure(scenario: Scenario, failure: Failure) -> int:
    """Return the line of a failure: a step, a given command, a final state; 0 if unknown."""
    text, content = read_encounter(scenario.file)
    path = f"scenario[{scenario.at}]"
    given = re.fullmatch(r"given\[(\d+)\]", failure.field)
    if failure.step:
        field = f"{path}.{_field_of_step(content['scenario'][scenario.at], failure.step - 1)}"
    elif given:
        nth = int(given[1])
        field = f"given[{nth}]" if nth < scenario.shared else f"{path}.given[{nth - scenario.shared}]"
    else:
        field = f"{path}.{failure.field}"
    return line_of(text, field)


def _field_of_step(said: dict[str, Any], nth: int) -> str:
    """Return the place of a scenario's step: in its text, or in a table after it."""
    inside = extents(said.get("steps", ""))
    return f"steps[{inside[nth][0]}]" if nth < len(inside) else f"step[{nth - len(inside)}].do"


def place_in_cast(scenario: Scenario, fault: Fault) -> tuple[Path, str, int]:
    """Return the file, field and line that make a scenario's encounter invalid."""
    unknown = _UNKNOWN.match(fault.message)
    field = f"{fault.field}.{unknown[1]}".lstrip(".") if unknown else fault.field
    text, content = read_encounter(scenario.file)
    path = f"scenario[{scenario.at}]"
    for prefix, said in ((f"{path}.", content["scenario"][scenario.at]), ("", content)):
        changed = _find_changed_field(scenario, said, field)
        if changed:
            return scenario.file, prefix + changed, line_of(text, prefix + changed)
    if isinstance(content["cast"], str):
        file = scenario.file.parent / content["cast"]
        text, content = read_encounter(file)
        field = _in_cast(scenario, content, field)
        return file, field, line_of(text, field)
    field = f"cast.{_in_cast(scenario, content['cast'], field)}"
    return scenario.file, field, line_of(text, field) or line_of(text, path)


def _find_changed_field(scenario: Scenario, said: dict[str, Any], field: str) -> str:
    """Return the field of a file or scenario that contradicts its cast; empty if none."""
    person = _COMBATANT.fullmatch(field)
    if person:
        who = id_of(scenario.encounter["combatant"][int(person[1])]["name"])
        return f"change.{who}.{person[2]}" if _word(person[2]) in said.get("change", {}).get(who, {}) else ""
    part, _, key = field.partition(".")
    if part == "config":
        return field if key in said.get("config", {}) else ""
    return f"setting.{field}" if _word(field) in said.get("setting", {}) else ""


def _word(field: str) -> str:
    """Return the key that a field begins with."""
    return re.split(r"[.\[]", field, maxsplit=1)[0]


def _in_cast(scenario: Scenario, cast: dict[str, Any], field: str) -> str:
    """Return a field with the combatant numbers of the cast."""
    person = _COMBATANT.fullmatch(field)
    if not person:
        return field
    name = scenario.encounter["combatant"][int(person[1])]["name"]
    nth = next(nth for nth, one in enumerate(cast["combatant"]) if one["name"] == name)
    return f"combatant[{nth}].{person[2]}".rstrip(".")

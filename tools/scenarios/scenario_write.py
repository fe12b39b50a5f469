"""Fill in a scenario file: the dice that were thrown, and what came of each step."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from affray.engine.errors import Unusable
from affray.tools.parse.encounter_file import key_lines, read_encounter
from affray.tools.scenarios.expected import FoundOutcome
from affray.tools.scenarios.scenario_run import ScenarioRun
from affray.tools.scenarios.step import ScenarioStep
from affray.tools.scenarios.step_text import NOTHING, add_dice, add_outcome, extents, read_steps
from affray.tools.text.output_files import write_output

_TABLE = re.compile(r"\s*\[\[?[^\[\]]+\]\]?\s*(#.*)?")

Keys = dict[str, Any]
"""The keys of a step as a table that it omits, with their values."""


def fill_in_outcomes(file: Path, trials: Sequence[ScenarioRun]) -> bool:
    """Write dice and outcome into each step of a file that lacks them, for review.

    Returns:
        Whether the file had such a step.

    Raises:
        Unusable: nothing can be added to a step, because of the file's form.
    """
    text, content = read_encounter(file)
    filled, at_line = text.split("\n"), key_lines(text)
    for trial in reversed(trials):
        scenario, field = content["scenario"][trial.scenario.at], f"scenario[{trial.scenario.at}]"
        missing = _missing(trial)
        first = len(extents(scenario.get("steps", "")))
        for nth in reversed([nth for nth in missing if nth >= first]):
            scenario["step"][nth - first].update(missing[nth])
            _add_to_table(filled, at_line.get(f"{field}.step[{nth - first}]", 0), missing[nth])
        in_text = {nth: keys for nth, keys in missing.items() if nth < first}
        if in_text:
            scenario["steps"] = _fill_text(filled, at_line, f"{field}.steps", scenario["steps"], in_text)
    written = "\n".join(filled)
    if written == text:
        return False
    if _parse_toml(written) != content:
        raise Unusable("cannot be filled in as it is written; write its steps as in the documentation", str(file))
    write_output(file, written, force=True)
    return True


def _missing(trial: ScenarioRun) -> dict[int, Keys]:
    """Collect dice and outcomes that steps leave open, by the number of the step."""
    pairs = enumerate(zip(trial.scenario.steps, trial.found, strict=False))
    every = {nth: _keys(step, found) for nth, (step, found) in pairs}
    return {nth: keys for nth, keys in every.items() if keys}


def _keys(step: ScenarioStep, found: FoundOutcome) -> Keys:
    """Return the dice of a step, and its outcome if it asserts none and was parsed."""
    keys: Keys = {} if step.dice or not found.dice else {"dice": found.dice}
    if not step.loose or found.undone or found.unusable or found.unknown:
        return keys
    return keys | (dict([found.failure]) if found.refused else {"then": found.said})


# --- steps of a text ---


def _fill_text(file: list[str], at_line: Mapping[str, int], field: str, text: str, missing: dict[int, Keys]) -> str:
    """Add dice and outcomes to steps of a text and to the lines of its file; return the new text.

    Raises:
        Unusable: a text cannot say this.
    """
    lines, steps = text.split("\n"), [*read_steps(text)]
    inside = extents(text)
    encode = _escape if '"""' in file[at_line.get(field, 0) - 1] else str
    for nth in reversed(missing):
        first, last = (at_line.get(f"{field}[{line}]", 0) - 1 for line in inside[nth])
        _add_to_text(file, first, last, missing[nth], encode)
        _add_to_text(lines, *inside[nth], missing[nth], str)
        said = {key: tuple(value) if isinstance(value, list) else value for key, value in missing[nth].items()}
        steps[nth] = replace(steps[nth], **said)
    if [*read_steps("\n".join(lines))] != steps:
        raise Unusable("cannot be filled in, for a text of steps cannot say what comes of one", field)
    return "\n".join(lines)


def _add_to_text(lines: list[str], first: int, last: int, keys: Keys, encode: Callable[[str], str]) -> None:
    """Add dice and outcome to the step on these lines, counted from 0."""
    if first < 0:
        raise Unusable("cannot be filled in where the steps of a text do not each begin a line of it", "steps")
    came = [f"refused: {keys['refused']}"] if "refused" in keys else keys.get("then")
    if came is not None:
        add_outcome(lines, first, last, [encode(one) for one in came] or [NOTHING])
    if "dice" in keys:
        add_dice(lines, first, keys["dice"])


def _escape(text: str) -> str:
    """Escape text for three double quotes."""
    return json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace('"""', '""\\"')


# --- steps as tables ---


def _add_to_table(lines: list[str], header: int, keys: Keys) -> None:
    """Add keys at the end of a table, given the line of its header, counted from 1."""
    if not header:
        raise Unusable("cannot be filled in where steps are neither a text nor written as [[scenario.step]]", "step")
    end = _end(lines, header)
    lines[end:end] = _as_toml(keys)


def _end(text: Sequence[str], header: int) -> int:
    """Return the last line of a table, given the line of its header, both counted from 1."""
    last = next((nth for nth in range(header, len(text)) if _TABLE.fullmatch(text[nth])), len(text))
    while not text[last - 1].strip() or text[last - 1].lstrip().startswith("#"):
        last -= 1
    return last


def _parse_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError:  # no TOML, or a number with more digits than Python reads
        return {}


def _as_toml(keys: Keys) -> list[str]:
    written = []
    for key, value in keys.items():
        if value and isinstance(value, list):
            written += [f"{key} = [", *(f"    {_quote(line)}," for line in value), "]"]
        else:
            written.append(f"{key} = {_quote(value) if value else '[]'}")
    return written


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)

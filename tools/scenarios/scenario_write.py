"""Fill in a scenario file: the dice that were thrown, and what came of each step."""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from affray.engine.errors import Unusable
from affray.tools.encounters import key_lines, read_encounter
from affray.tools.outputs import write_output

from .expected import Found
from .scenario_file import Step
from .scenario_run import Trial

_TABLE = re.compile(r"\s*\[\[?[^\[\]]+\]\]?\s*(#.*)?")


def fill_in(file: Path, trials: Sequence[Trial]) -> bool:
    """Write dice and outcome below each step of a file that has none, to be checked by hand.

    Returns:
        Whether there was such a step.

    Raises:
        Unusable: the file is written in a way in which nothing can be added to a step.
    """
    text, content = read_encounter(file)
    filled, at_line = text.split("\n"), key_lines(text)
    for place, keys in reversed([*_missing(trials)]):
        content["scenario"][place[0]]["step"][place[1]].update(keys)
        header = at_line.get(f"scenario[{place[0]}].step[{place[1]}]", 0)
        if not header:
            raise Unusable("cannot be filled in where steps are not written as [[scenario.step]]", str(file))
        end = _end(filled, header)
        filled[end:end] = _as_toml(keys)
    written = "\n".join(filled)
    if written == text:
        return False
    if _read(written) != content:
        raise Unusable("cannot be filled in as it is written; write its steps as in the documentation", str(file))
    write_output(file, written, force=True)
    return True


def _missing(trials: Sequence[Trial]) -> Iterator[tuple[tuple[int, int], dict[str, Any]]]:
    """Yield what steps do not say, by the numbers of their scenario and their own."""
    for trial in trials:
        for nth, (step, found) in enumerate(zip(trial.scenario.steps, trial.found, strict=False)):
            keys = _keys(step, found)
            if keys:
                yield (trial.scenario.at, nth), keys


def _keys(step: Step, found: Found) -> dict[str, Any]:
    """Return the dice that were thrown for a step, and what came of one that asserts nothing and was understood."""
    keys: dict[str, Any] = {} if step.dice or not found.dice else {"dice": found.dice}
    if not step.loose or found.undone or found.unusable or found.unknown:
        return keys
    return keys | (dict([found.failure]) if found.refused else {"then": found.said})


def _end(text: Sequence[str], header: int) -> int:
    """Return behind which line a table ends that begins in a line, both counted from 1."""
    last = next((nth for nth in range(header, len(text)) if _TABLE.fullmatch(text[nth])), len(text))
    while not text[last - 1].strip() or text[last - 1].lstrip().startswith("#"):
        last -= 1
    return last


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError:  # no TOML, or a number with more digits than Python reads
        return {}


def _as_toml(keys: dict[str, Any]) -> list[str]:
    written = []
    for key, value in keys.items():
        if value and isinstance(value, list):
            written += [f"{key} = [", *(f"    {_quoted(line)}," for line in value), "]"]
        else:
            written.append(f"{key} = {_quoted(value) if value else '[]'}")
    return written


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)

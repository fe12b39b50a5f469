"""Writing into a scenario file what came of the steps that say nothing about it."""

from __future__ import annotations

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
from .scenario_run import Trial

_TABLE = re.compile(r"\s*\[\[?[^\[\]]+\]\]?\s*(#.*)?")

MISSPELT = "; did you mean "
"""What stands in the refusal of an action that is probably another one: no such thing is expected."""


def fill_in(file: Path, trials: Sequence[Trial]) -> bool:
    """Write what was found below each step of a file that asserts nothing, for somebody to check by hand.

    Returns:
        Whether there was such a step.

    Raises:
        Unusable: the file is written in a way in which nothing can be added to a step.
    """
    text, content = read_encounter(file)
    filled, at_line = text.split("\n"), key_lines(text)
    for place, found in reversed([*_loose(trials)]):
        content["scenario"][place[0]]["step"][place[1]].update(_keys(found))
        header = at_line.get(f"scenario[{place[0]}].step[{place[1]}]", 0)
        if not header:
            raise Unusable("cannot be filled in where steps are not written as [[scenario.step]]", str(file))
        filled[_end(filled, header) : _end(filled, header)] = _as_toml(_keys(found))
    written = "\n".join(filled)
    if written == text:
        return False
    if _read(written) != content:
        raise Unusable("cannot be filled in as it is written; write its steps as in the documentation", str(file))
    write_output(file, written, force=True)
    return True


def _loose(trials: Sequence[Trial]) -> Iterator[tuple[tuple[int, int], Found]]:
    """Yield every step that asserts nothing, and was understood, by the numbers of its scenario and its own."""
    for trial in trials:
        for nth, (step, found) in enumerate(zip(trial.scenario.steps, trial.found, strict=False)):
            if step.loose and not (found.undone or found.unusable or MISSPELT in found.message):
                yield (trial.scenario.at, nth), found


def _end(text: Sequence[str], header: int) -> int:
    """Return behind which line a table ends that begins in a line, both counted from 1."""
    last = next((nth for nth in range(header, len(text)) if _TABLE.fullmatch(text[nth])), len(text))
    while not text[last - 1].strip() or text[last - 1].lstrip().startswith("#"):
        last -= 1
    return last


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _keys(found: Found) -> dict[str, Any]:
    """Return what was found as the keys of a step."""
    return {"refused": found.said[0].removeprefix("refused: ")} if found.refused else {"then": found.said}


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


__all__ = ["fill_in"]

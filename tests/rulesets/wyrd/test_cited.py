"""Everything that comes of some moments: phases, marks, margins, and of each line exactly the clauses it rests on.

Scenarios name clauses that a line cites among others. Here nothing may be cited beside. After a change that means to
change any of it, run ``python -m tests.rulesets.wyrd.test_cited`` in the top folder, and read what has changed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.events import Judged
from affray.tools.scenarios.notation import DETAILS, outcome_lines
from tests.rulesets.wyrd.moments import Scene

SCENES = {
    one["title"]: one for one in tomllib.loads(Path(__file__).with_name("cited.toml").read_text("utf-8"))["scene"]
}
"""Who is there, what was done before, what is done, and what is otherwise about whom."""

TOLD = Path(__file__).with_name("cited.txt")


def transcript(title: str) -> Iterator[str]:
    """Say what comes of a scene: each command, and below it its lines."""
    said = SCENES[title]
    rest = {"config": {"npc_morale": False}, **{key: said[key] for key in ("config", "gear") if key in said}}
    scene = Scene(said["roster"], *said.get("given", ()), change=said.get("change"), **rest)
    yield f"# {title}"
    for step in said["do"]:
        yield step
        state = scene.fight.state
        events = scene.does(step)
        for line in outcome_lines(state, events, DETAILS):
            clauses = " ".join(sorted(clause.removeprefix("WYR-") for clause in line.clauses))
            yield f"    {line.text} {{{clauses}}}"
        for one in events:
            if isinstance(one, Judged):
                yield f"    margin {one.margin}"
    yield ""


def every() -> str:
    """Say what comes of all scenes."""
    return "\n".join(line for title in SCENES for line in transcript(title))


@pytest.mark.parametrize("title", SCENES)
def test_a_scene_comes_out_with_these_clauses_and_no_others(title: str) -> None:
    told = TOLD.read_text("utf-8").split("\n")
    at = told.index(f"# {title}")
    wanted = told[at : told.index("", at) + 1]
    assert list(transcript(title)) == wanted


if __name__ == "__main__":
    TOLD.write_text(every() + "\n", "utf-8")

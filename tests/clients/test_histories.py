"""Every recorded fight, read by the JavaScript client: it folds, undoes and verifies as the engine does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from affray.engine import FileStore, State, digest, read_log
from affray.engine.core.evolve import fold
from affray.engine.history.timeline import History
from affray.events import (
    FORMAT,
    EntropyAdded,
    Passed,
    Previewed,
    Rewound,
    RoundBegan,
    TurnBegan,
    UndoDeclined,
    UndoRequested,
    dice_scheme_of,
)
from tests.clients.node import ask_script
from tests.engine.histories import OPENED, A, B, C
from tests.engine.histories import history as engine_history
from tests.test_replays import RECORDED, load_replay_list, name_recorded_fight

STEP_BY_STEP = ("vestige/dice-from-the-table", "wyrd/closed-powder")
"""Fights whose every moment is compared: dice that are awaited, and lanes that were undone and amended."""


@cache
def load_engine_history(path: Path) -> History:
    """Return the engine's reading of a log."""
    made = History()
    made.add(read_log(FileStore(path.parent).read(path.stem)))
    return made


def list_compared_positions(path: Path) -> list[int]:
    """The positions of the compared states: the ends of all commands, in any lane."""
    made = load_engine_history(path)
    return [
        at for at in range(1, made.head + 1) if name_recorded_fight(path) in STEP_BY_STEP and made.ends_a_command(at)
    ]


@cache
def run_client_on_all() -> dict[Path, dict[str, Any]]:
    """Return the client's reading of all logs, in one run."""
    asked = [{"path": str(path), "states": list_compared_positions(path)} for path in RECORDED]
    return dict(zip(RECORDED, ask_script("histories.mjs", asked), strict=True))


def fold_state_at(made: History, position: int) -> State:
    """The state once a position was recorded."""
    return fold(made.at(one) for one in made.list_ancestors(position))


@pytest.mark.parametrize("path", RECORDED, ids=name_recorded_fight)
def test_its_digest_is_the_engines(path: Path) -> None:
    """Byte for byte: the client writes the state as the engine does."""
    entry = load_replay_list(path.parent.name)[path.stem]
    assert (run_client_on_all()[path]["head"], run_client_on_all()[path]["digest"]) == (
        entry["events"],
        entry["digest"],
    )


@pytest.mark.parametrize("path", RECORDED, ids=name_recorded_fight)
def test_it_knows_what_counts(path: Path) -> None:
    """With undo, redo, amendments, forks and an end, in any format."""
    made = load_engine_history(path)
    same = ("format", "version", "path", "undone", "floor", "forked", "closed")
    assert {name: run_client_on_all()[path][name] for name in same} == {name: getattr(made, name) for name in same}
    assert run_client_on_all()[path]["hash"] == made.head_hash
    undone = sorted(at for lane in run_client_on_all()[path]["lanes"] for at in lane["positions"])
    about = {one.position for one in made.recorded if one.position not in made.path} - set(undone)
    assert all(made.list_ancestors(position)[-1] != position for position in about)
    assert all(not made.is_effective(position) for position in undone)


@pytest.mark.parametrize("path", RECORDED, ids=name_recorded_fight)
def test_it_stops_at_commands_turns_and_rounds(path: Path) -> None:
    """For going through it step by step."""
    made, seen = load_engine_history(path), run_client_on_all()[path]
    assert seen["commands"] == [at for at in made.path if made.ends_a_command(at) or at == made.path[-1]]
    assert seen["walked"] == seen["commands"]
    kinds = [type(one.event) for one in made.effective()]
    for name, kind in (("turns", TurnBegan), ("rounds", RoundBegan)):
        assert seen[name] == kinds.count(kind) + (kinds[-1] is not kind)


@pytest.mark.parametrize("name", STEP_BY_STEP)
def test_it_has_the_state_of_every_moment(name: str) -> None:
    """After each command, undone ones too; forwards and backwards, for a slider goes both ways."""
    (path,) = (path for path in RECORDED if name_recorded_fight(path) == name)
    made, seen = load_engine_history(path), run_client_on_all()[path]
    states = [digest(fold_state_at(made, position)) for position in list_compared_positions(path)]
    assert seen["states"] == states
    assert seen["backwards"] == states[::-1]


def test_it_knows_which_undo_request_waits() -> None:
    """After each command: asked for, replaced, declined, allowed, and void once the fight moves on."""
    asks = UndoRequested(to=1, lane=3, commands=1)
    sent_pass = Passed(window="w", who="bo", why="time")
    opened = replace(OPENED, format=FORMAT, dice_scheme=dice_scheme_of(FORMAT))
    commands = (A, asks, asks, sent_pass, UndoDeclined(request=5), replace(asks, lane=6), B, replace(asks, lane=10))
    behind = (*commands, Rewound(to=1, lane=10, commands=3, request=11), C)
    looked = [(A, asks, each) for each in (Previewed(position=2, rolls=("a",)), EntropyAdded(words="luck"))]
    records = [*(behind[:length] for length in range(1, len(behind) + 1)), *looked]
    made = [engine_history(*commands, opened=opened) for commands in records]
    logs = [b"\n".join(msgspec.json.encode(one) for one in each.recorded).decode() + "\n" for each in made]
    seen = ask_script("histories.mjs", [{"text": text, "states": []} for text in logs])
    assert [one["request"] for one in seen] == [each.request for each in made]
    assert [each.request for each in made] == [0, 4, 5, 5, 0, 8, 0, 11, 0, 0, 0, 0]

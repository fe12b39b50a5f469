"""Sentences made by the server: for each line, for the story, and for a log file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from affray.engine.core.loading import load
from affray.engine.stores.lines import SHORTEST_LINE
from affray.events import DistanceSet, PlaceSet
from affray.tools.present.story.narration import tell, tell_story
from affray.tools.present.story.words import names_of
from affray.tools.server import log_file_story
from affray.tools.server.routes import log_files
from affray.tools.server.worker_processes import TOO_MUCH
from tests.examples import of_this_version
from tests.serve.server import Server, serve_duel
from tests.tools.program import rebuild_from_log

REPLAYS = Path(__file__).parents[2] / "replays"


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Server]:
    """A duel after its first blow."""
    with serve_duel(tmp_path) as server:
        server.gm.does("gm begin", "roll 15", "roll 3", "ilse attack bram", "roll 19")
        yield server


def test_every_line_says_what_it_is(begun: Server) -> None:
    lines = begun.ilse.looks("/log").json()["lines"]
    assert all(one["says"] for one in lines)
    assert "Ilse attacks Bram" in [one["says"] for one in lines]
    sent = begun.ilse.says("ilse end_turn").json()["lines"]
    assert sent[0]["says"] == "Ilse ends the turn"


def test_the_story_grows_and_only_its_last_line_changes(begun: Server) -> None:
    before = begun.gm.looks("/story").json()
    begun.gm.does("ilse end_turn")
    after = begun.gm.looks("/story").json()
    settled = before["count"] - 1
    assert after["entries"][:settled] == before["entries"][:settled]
    assert begun.gm.looks("/story", after=settled).json()["entries"] == after["entries"][settled:]
    assert after["count"] == len(after["entries"]) > before["count"]


def test_a_roll_can_be_explained_where_it_is_told(begun: Server) -> None:
    """The numbers of a line name the event that they are of, and the line its command."""
    told = begun.gm.looks("/story").json()["entries"]
    (attack,) = [one for one in told if one["parts"][0]["text"] == "Ilse attacks Bram"]
    lines = begun.gm.looks("/log").json()["lines"]
    (roll,) = [part["position"] for part in attack["parts"] if "position" in part]
    assert lines[roll - 1]["event"]["type"] == "Rolled"
    assert lines[attack["input"] - 1]["event"]["kind"] == "attack"


def test_the_words_of_the_rules_are_those_of_the_system(begun: Server) -> None:
    words = begun.spectator.looks("/vocabulary").json()
    energy = {"label": "energy", "short": "EP", "most": "ep", "most_by": "VES-T12", "guarded": True}
    assert words["pools"]["ep"] == energy
    assert words["places"] == {"one": "cell", "unit": "m"}


LOGS = of_this_version(sorted(REPLAYS.glob("*/*.jsonl")))


@pytest.mark.parametrize("log", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_log_that_somebody_has_is_told_as_the_program_tells_it(log: Path) -> None:
    """Without lists of places and distances, which are on the map."""
    code, said = log_file_story.tell_log(log.read_bytes())
    assert code == 0
    answer = msgspec.json.decode(said)
    recorded = rebuild_from_log(log).history.recorded
    names = names_of(recorded)
    assert answer["says"] == [tell(one.event, names, verbose=True) for one in recorded]
    due = tell_story([one for one in recorded if not isinstance(one.event, DistanceSet | PlaceSet)], names)
    texts = ["".join(part["text"] for part in one["parts"]) for one in answer["entries"]]
    assert texts == [line.text for line in due]
    assert set(answer["vocabulary"]["actions"]) == set(load(log.parent.name).actions)


def test_a_log_is_told_to_whoever_has_it(begun: Server) -> None:
    """No token is needed."""
    log = REPLAYS / "vestige" / "closed-bridge.jsonl"
    answer = begun.client.post("/api/told", json={"log": log.read_text("utf-8")})
    assert (answer.status_code, answer.content) == (200, log_file_story.tell_log(log.read_bytes())[1])


def test_what_is_no_log_is_refused_with_its_line(begun: Server) -> None:
    answer = begun.client.post("/api/told", json={"log": "{}\n"})
    assert answer.status_code == 400
    assert "line 1" in answer.json()["detail"]


@pytest.mark.parametrize("line", ["", "ab", "x" * (SHORTEST_LINE // 2)], ids=["empty", "2 bytes", "32 bytes"])
def test_a_log_with_more_lines_than_it_can_have_is_refused_before_it_is_split(
    begun: Server, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """A visitor without a token sends 100,000 short lines. No process is begun for them."""
    begun_processes = []
    monkeypatch.setattr(log_files, "start_process", lambda *said: begun_processes.append(said))
    answer = begun.client.post("/api/told", json={"log": f"{line}\n" * 100_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_big")
    assert "too many lines" in answer.json()["detail"]
    assert begun_processes == []


@pytest.mark.parametrize("code", TOO_MUCH)
def test_a_log_that_takes_too_much_to_tell_is_refused(
    begun: Server, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """The process that reads it was stopped, or ended itself."""

    async def stopped(log: bytes) -> tuple[int, bytes]:
        return code, b""

    monkeypatch.setattr(log_files, "_run_story_process", stopped)
    answer = begun.client.post("/api/told", json={"log": "{}\n"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_big")
    assert "more time or memory" in answer.json()["detail"]


def test_a_story_that_is_too_long_is_refused(begun: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_files, "LONGEST_ANSWER", 1_000)
    log = (REPLAYS / "vestige" / "closed-bridge.jsonl").read_text("utf-8")
    answer = begun.client.post("/api/told", json={"log": log})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_big")
    assert "more time or memory" in answer.json()["detail"]
